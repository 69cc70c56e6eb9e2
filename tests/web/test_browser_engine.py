"""What the engine knows, on the page: live figures, candidates, the review, the trees."""

import threading

import pytest
from web_page import FOREVER, PATIENCE, Held, cell, choose, halt_time
from web_running import let_offer

pytest_plugins = ["web_browser", "web_engines"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.algorithms.simple import GreedyEngine  # noqa: E402
from rl_toolkit.analysis import Candidate, analysis_of  # noqa: E402
from rl_toolkit.players import EngineKind  # noqa: E402
from rl_toolkit.records import position_to_text  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"
NEAR_THE_END = f"/tictactoe?{TWO_PEOPLE}&moves=a1+a2+b1+b2"  # X wins at c1, else loses
MUST_BLOCK = f"/tictactoe?{TWO_PEOPLE}&moves=a1+b2+b1"  # O loses at once unless it takes c1


def analyse(page, engine="minimax"):
    page.select_option("#kibitzer", engine)
    choose(page, "#analyse-time", str(FOREVER))
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_have_text(f"{engine}: finished")


def test_candidates_with_outcome_distance_and_a_sentence_which_one_switch_hides(open_page):
    page = open_page(NEAR_THE_END)
    analyse(page)
    best = page.locator("#candidates tbody tr.best").first
    expect(best).to_contain_text("c1")
    expect(best.locator(".proof")).to_have_text("wins in 1 move")
    expect(page.locator("#candidates .note").first).to_have_text(
        "Completes a1, b1 and c1 and wins."
    )
    expect(cell(page, "c1").locator(".hint.proven.best")).to_have_text("W1")
    expect(cell(page, "c1")).to_have_attribute("aria-label", "c1, empty, engine: W1 wins in 1 move")
    expect(page.locator("#eval-text")).to_have_text("minimax: X wins in 1 move")
    # Without a network there is no prior.
    expect(page.locator("#candidates thead")).not_to_contain_text("Prior")
    assert page.locator(".prior-bar").count() == 0

    page.uncheck("#show-engine")  # one switch hides everything the engine knows
    assert page.locator(".hint").count() == 0
    for secret in ("#candidates", "#eval-bar", "#eval-text", "#tab-review", "#tab-tree"):
        expect(page.locator(secret)).to_be_hidden()
    page.check("#show-engine")
    expect(page.locator(".hint").first).to_be_visible()


def test_the_bar_shows_the_adviser_whoever_else_analyses(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}&moves=d+d+d+d+e")
    analyse(page, "greedy")
    expect(page.locator("#candidates .estimate").first).to_be_visible()
    said = "exact: Yellow wins in 18 moves"
    expect(page.locator("#eval-text")).to_have_text(said)
    expect(page.locator("#eval-bar")).to_have_attribute("aria-label", f"Evaluation: {said}")
    page.uncheck("#analyse")
    expect(page.locator("#eval-text")).to_have_text("")


def test_losing_moves_say_how_soon_and_hovering_draws_their_line(open_page):
    page = open_page(MUST_BLOCK)
    analyse(page)
    expect(page.locator("#candidates tbody tr.best").first).to_contain_text("c1")
    assert set(page.locator("#candidates .proof.bad").all_inner_texts()) == {"loses in 1 move"}
    expect(cell(page, "a3").locator(".hint.proven.bad")).to_have_text("L1")

    row = page.locator("#candidates tbody tr[data-move]").nth(1)
    row.hover()
    expect(page.locator(".ghost")).to_have_count(2)
    assert sorted(page.locator(".ghost").all_inner_texts()) == ["1", "2"]
    page.locator("#status").hover()
    expect(page.locator(".ghost")).to_have_count(0)
    row.focus()
    expect(page.locator(".ghost")).to_have_count(2)


def test_estimates_look_different_from_proofs(open_page):
    page = open_page(f"/reversi?{TWO_PEOPLE}")
    analyse(page, "greedy")
    expect(page.locator("#candidates .estimate").first).to_contain_text("≈")
    assert page.locator("#candidates .proof").count() == 0
    assert page.locator(".hint.proven").count() == 0
    assert page.locator(".hint").count() == 4


def test_tree_search_shows_visits_and_the_two_halves_of_uct_live(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}")
    page.select_option("#kibitzer", "mcts")
    choose(page, "#analyse-time", str(FOREVER))
    page.check("#analyse")
    expect(page.locator("#figures")).to_contain_text("Sims/s")
    expect(page.locator("#stop")).to_be_enabled()  # still at work: the figures are live
    expect(page.locator("#candidates thead")).to_contain_text("Visits")
    expect(page.locator("#candidates td.num small").first).to_contain_text("+")
    page.click("#stop")
    expect(page.locator("#engine-state")).to_contain_text("Stopped")


def test_the_last_search_stays_on_show_after_the_move(open_page):
    page = open_page("/tictactoe?x=human&o=minimax")
    cell(page, "b2").click()
    expect(page.locator(".piece")).to_have_count(2)
    expect(page.locator("#engine-state")).to_contain_text("What “minimax” thought before playing")
    expect(page.locator("#figures")).to_contain_text("Time")
    expect(page.locator("#candidates tr[data-move]")).to_have_count(8)
    expect(page.locator("#eval-text")).to_have_text("")  # what an opponent thinks is in its tab
    expect(page.locator("#eval-bar")).to_have_attribute("aria-label", "Evaluation: none yet")
    assert page.locator(".hint").count() == 0  # those were of the board before
    page.locator("#candidates tr[data-move]").first.hover()
    assert page.locator(".ghost").count() == 0
    page.click("#flip")
    expect(page.locator("#engine-state")).to_contain_text("What “minimax” thought before playing")
    page.uncheck("#show-engine")
    expect(page.locator("#engine-state")).to_be_hidden()
    page.check("#show-engine")
    assert page.locator(".hint").count() == 0
    page.click("#undo")
    expect(page.locator("#engine-state")).to_contain_text("Turn on “Analyse”")


def test_a_game_is_reviewed_and_a_mistake_tried_again(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+b1+a1+a2+c3")
    review(page)
    expect(page.locator("#review-course")).to_have_text("It turned on move 2.")
    expect(page.locator("#accuracy-x")).to_have_text("100 %")
    expect(page.locator("#mistakes li")).to_have_count(1)
    expect(page.locator("#mistakes li")).to_contain_text(
        "2. O b1: blunder: a drawn game became lost"
    )
    expect(page.locator("#history li.blunder .sign")).to_have_text(" ??")
    assert page.locator("#graph .dot").count() == 5
    page.locator("#graph .dot").nth(2).click()
    expect(page.locator(".piece")).to_have_count(3)

    page.click("#mistakes button")
    expect(page.locator("#try-text")).to_contain_text("Find a better move")
    expect(page.locator(".piece")).to_have_count(1)
    cell(page, "c2").click()
    expect(page.locator("#try-text")).to_contain_text("c2 is not better: a drawn game became lost")
    cell(page, "a1").click()
    expect(page.locator("#try-text")).to_contain_text("a1 is right")
    page.click("#end-try")
    expect(page.locator(".piece")).to_have_count(5)

    page.click("#mistakes button")
    page.click("#show-answer")
    expect(page.locator("#try-text")).to_contain_text(
        "were better: a draw instead of a loss in 3 moves."
    )


def review(page):
    page.click("#tab-review")
    choose(page, "#review-time", str(FOREVER))  # done at once: the game is small
    page.click("#run-review")
    # Its last words: until then the graph and the mistakes are drawn again and again.
    expect(page.locator("#review-state")).to_have_text("1 move could have been better.")


def reviewed(page):
    review(page)
    expect(page.locator("#mistakes li")).to_have_count(1)
    expect(page.locator("#accuracy-x")).to_have_text("100 %")


def test_the_switch_hides_signs_and_going_elsewhere_ends_a_second_try(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+b1+a1")
    reviewed(page)
    marked = page.locator("#history button").nth(1)
    expect(marked.locator(".sign")).to_be_visible()
    page.uncheck("#show-engine")
    expect(marked.locator(".sign")).to_be_hidden()
    assert "?" not in marked.inner_text()
    plain = page.locator("#history button").first
    for part in ("color", "background"):
        value = plain.evaluate(f"button => getComputedStyle(button).{part}")
        expect(marked).to_have_css(part, value)
    page.check("#show-engine")
    expect(marked.locator(".sign")).to_be_visible()

    for elsewhere in ("#graph .dot", "#history button"):
        page.click("#mistakes button")
        expect(page.locator("#try")).to_be_visible()
        expect(page.locator(".piece")).to_have_count(1)
        page.locator(elsewhere).nth(1).click()
        expect(page.locator(".piece")).to_have_count(2)
        expect(page.locator("#try")).to_be_hidden()
        cell(page, "c3").click()  # a move of the game again, not an answer
        expect(page.locator("#history li").nth(2)).to_contain_text("c3")
        page.click("#back-to-game")
        expect(page.locator("#history li").nth(2)).to_contain_text("a1")


class Slowing:
    """Judges a few positions at once; after that it thinks until it is stopped."""

    name = "slowing"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        if env.move_count > 2:
            assert stop.wait(FOREVER)
        return GreedyEngine().analyse(env)


@pytest.fixture
def _slowing(web_app, monkeypatch):
    let_offer(web_app, EngineKind("slowing", "gets slower", Slowing), monkeypatch)


class Stepwise:
    """Judges a position as often as it is told to; the rest is judged when it is stopped."""

    name = "stepwise"

    def __init__(self):
        self.go = threading.Semaphore(0)

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        while not self.go.acquire(timeout=0.05) and not stop.is_set():
            pass
        return GreedyEngine().analyse(env)


def test_a_click_on_a_mistake_is_not_lost_while_the_review_goes_on(open_page, web_app, monkeypatch):
    engine = Stepwise()
    let_offer(web_app, EngineKind("stepwise", "waits", lambda: engine), monkeypatch)
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1+a2+b1+b2+c3+c2")  # X could win at c1
    page.click("#tab-review")
    page.select_option("#kibitzer", "stepwise")
    page.click("#run-review")
    engine.go.release(5)
    expect(page.locator("#graph .dot")).to_have_count(5)
    again = page.locator("#mistakes button").first
    again.hover()
    page.mouse.down()
    engine.go.release()  # the last move is judged between press and release
    expect(page.locator("#graph .dot")).to_have_count(6)
    page.mouse.up()
    expect(page.locator("#try")).to_be_visible()


@pytest.mark.usefixtures("ponderer")
def test_a_review_can_be_stopped_before_its_first_move_is_judged(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+a1")
    page.click("#tab-review")
    page.select_option("#kibitzer", "ponderer")
    page.click("#run-review")
    page.click("#stop-review")
    expect(page.locator("#review-state")).to_contain_text("Stopped. Reviewed 0 of 2 moves.")
    expect(page.locator("#run-review")).to_be_focused()


@pytest.mark.usefixtures("_slowing")
def test_a_review_that_is_stopped_keeps_what_it_found(open_page):
    page = open_page(f"/reversi?{TWO_PEOPLE}&moves=f5+d6+c3+d3+c4+f4+f6+f3+e6+e7+d7+c5+b6")
    page.click("#tab-review")
    page.select_option("#kibitzer", "slowing")
    page.click("#run-review")
    expect(page.locator("#graph .dot")).to_have_count(3)
    expect(page.locator("#run-review")).to_be_hidden()
    expect(page.locator("#stop-review")).to_be_focused()  # it stands where "Review" was pressed
    page.click("#stop-review")
    expect(page.locator("#review-state")).to_contain_text("Stopped. Reviewed ")
    expect(page.locator("#review-state")).to_contain_text(" of 13 moves.")
    expect(page.locator("#stop-review")).to_be_hidden()
    expect(page.locator("#run-review")).to_be_focused()
    assert page.locator("#graph .dot").count() == 3


def test_a_second_try_is_judged_as_the_game_was_and_ends_when_it_is_left(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+b1+a1")
    page.select_option("#kibitzer", "minimax")
    reviewed(page)
    page.click("#mistakes button")
    expect(page.locator("#try-text")).to_contain_text("Find a better move")
    held = Held(page, "/api/review")
    cell(page, "c1").click()
    expect(page.locator("#try-text")).to_have_text("Checking …")
    held.wait()
    with page.expect_event("requestfailed") as failed:
        page.click("#end-try")
    assert failed.value.url.endswith("/api/review")
    (asked,) = held.asked
    assert (asked["engine"], asked["time"], asked["from"]) == ("minimax:depth=18", FOREVER, 1)
    expect(page.locator("#complaint")).to_be_hidden()


@pytest.mark.usefixtures("patient_trees")
def test_the_game_tree_of_a_small_position(open_page):
    page = open_page(NEAR_THE_END)
    page.click("#tab-tree")
    page.select_option("#tree-levels", "3")
    page.click("#grow-game")
    expect(page.locator("#tree-state")).to_contain_text("minimax: X wins in 1 move. ")
    expect(page.locator("#tree .link.cut").first).to_be_attached()
    expect(page.locator("#tree .node.proven").first).to_be_attached()
    page.locator('#tree .node[data-path="c3"]').click()
    expect(page.locator("#tree-path button")).to_have_text(["the game", "c3"])
    expect(page.locator("#tree-state")).to_contain_text("O wins")
    page.locator("#tree-path button").first.click()
    expect(page.locator("#tree-state")).to_contain_text("X wins")


def test_the_top_of_a_search_tree_can_be_walked(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2")
    page.click("#tab-tree")
    page.click("#grow-mcts")
    expect(page.locator("#tree-state")).to_contain_text("mcts: ")
    expect(page.locator("#tree-state")).to_contain_text("simulations")
    sizes = page.locator("#tree circle").evaluate_all("cs => cs.map(c => +c.getAttribute('r'))")
    assert max(sizes) == sizes[0] > min(sizes)  # the root is visited most
    page.locator("#tree .node[role=button]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#tree-path button").nth(1)).to_be_visible()


@pytest.mark.parametrize(("chosen", "grows"), [("alphazero", "alphazero"), ("exact", "mcts")])
def test_the_tree_is_that_of_the_engine_chosen_if_it_grows_one(open_page, chosen, grows):
    page = open_page(f"/connect-four?{TWO_PEOPLE}&moves=d")
    page.select_option("#kibitzer", chosen)
    page.click("#tab-tree")
    asked = []
    page.route("**/api/analyse", lambda route: asked.append(route))
    with page.expect_request("**/api/analyse") as request:
        page.click("#grow-mcts")
    assert request.value.post_data_json["engine"] == grows


#: Column d is full, and three in the lowest row win for Red: exact values take no time.
SOON_OVER = "d+d+d+d+d+d+c+c+e"


def test_where_a_game_is_solved_the_exact_engine_looks_on_and_hints_stand_above_columns(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}&moves={SOON_OVER}")
    expect(page.locator("#kibitzer")).to_have_value("exact")
    analyse(page, "exact")
    expect(page.locator("#candidates thead")).to_contain_text("For Yellow")
    assert page.locator("#candidates .estimate").count() == 0
    assert page.locator("#candidates .proof").count() == 6

    above = page.locator(".axis-label[data-col] .hint")
    expect(above).to_have_count(6)  # column d is full
    assert page.locator(".cell .hint").count() == 0
    hint, label = above.first.bounding_box(), page.locator('[data-col="0"]').bounding_box()
    square = cell(page, "a6").bounding_box()
    assert abs((hint["x"] + hint["width"] / 2) - (square["x"] + square["width"] / 2)) <= 1
    assert label["y"] <= hint["y"]
    assert hint["y"] + hint["height"] <= square["y"]
    assert "engine: " in cell(page, "a1").get_attribute("aria-label")


# --- an engine with a network ---------------------------------------------------------------------


class Oracle:
    """Prefers later moves at first sight, and earlier ones after a search."""

    name = "oracle"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        moves = env.get_legal_moves()
        whole = sum(range(len(moves) + 1))
        found = [
            Candidate(
                move,
                env.move_name(move),
                value=0.3 - 0.05 * k if k < len(moves) - 1 else None,
                visits=100 - 10 * k if k < len(moves) - 1 else 0,
                prior=(k + 1) / whole,
                uct=0.5,
                line=(move,),
            )
            for k, move in enumerate(moves)
        ]
        return analysis_of(env, position_to_text(env), "oracle", found, simulations=500)


@pytest.fixture
def _oracle(web_app, monkeypatch):
    let_offer(web_app, EngineKind("oracle", "has a prior", Oracle), monkeypatch)


@pytest.mark.usefixtures("_oracle")
@pytest.mark.parametrize(("game", "moves", "place"), [
    ("tictactoe", "a1+a2+b1+b2", ".cell"), ("connect-four", "d+d", ".axis-label"),
])  # fmt: skip
def test_the_prior_of_a_network_stands_beside_what_search_made_of_it(open_page, game, moves, place):
    page = open_page(f"/{game}?{TWO_PEOPLE}&moves={moves}")
    analyse(page, "oracle")
    expect(page.locator("#candidates thead")).to_contain_text("Prior")
    shares = page.locator("#candidates td.prior").all_inner_texts()
    rows = len(shares)
    assert shares == [f"{round(100 * (k + 1) * 2 / (rows * (rows + 1)))} %" for k in range(rows)]
    bars = page.locator(f"{place} .prior-bar")
    expect(bars).to_have_count(rows)  # the move that was not tried has its prior, too
    parts = bars.evaluate_all("bs => bs.map(b => +b.style.getPropertyValue('--part'))")
    assert max(parts) == 1
    assert len(set(parts)) == rows
    said = page.locator(".cell[aria-label*='engine: ?, prior']")
    expect(said).to_have_count(1)
    page.uncheck("#show-engine")
    expect(bars).to_have_count(0)


# --- a fresh machine ------------------------------------------------------------------------------


def test_the_page_says_while_the_server_compiles(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}", alone=True)  # its time is that of the context
    expect(page.locator("#warm-up")).to_be_hidden()
    news = [{"done": 3, "total": 58}, {"done": 57, "total": 58}, None]
    page.route("**/api/health", lambda route: route.fulfill(json={"compiling": news.pop(0)}))
    halt_time(page)
    page.reload()
    expect(page.locator("#warm-up")).to_contain_text("3 of 58")
    page.clock.run_for(1_000)
    expect(page.locator("#warm-up")).to_contain_text("57 of 58")
    page.clock.run_for(1_000)
    expect(page.locator("#warm-up")).to_be_hidden()
    assert news == []
