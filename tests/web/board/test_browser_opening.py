"""Games that are opened or halted, in a real browser: files, links, and going on afterwards."""

import pytest
from web_page import FOREVER, PATIENCE, cell, go_back, pieces

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.envs import make_game  # noqa: E402
from rl_toolkit.records import GameRecord, from_transcript  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"


def paste(page, text):
    if not page.locator("#paste").is_visible():
        page.click("#share-open")
    page.fill("#paste", text)
    page.click("#paste-open")


def record(*players, moves):
    env = make_game("tictactoe")
    for move in moves:
        env.step(env.parse_move(move))
    return GameRecord.from_env(env, players=players).to_json()


# --- going on ----------------------------------------------------------------------------------


def test_an_opened_game_is_analysed_and_can_be_played_on(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    paste(page, record("human", "greedy", moves=["b2"]))
    expect(page.locator("#mode-analyse")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".piece")).to_have_count(1)  # engines are silent
    page.click("#mode-play")
    expect(page.locator(".piece")).to_have_count(2)
    expect(page.locator("#status")).to_have_text("Your move")

    moves = ["a1", "b2", "c3", "b1", "b3", "c2", "a2"]
    paste(page, record("random", "random", moves=moves))
    expect(page.locator("#moves .move")).to_have_count(7)
    page.click("#mode-play")
    expect(page.locator("#pause")).to_have_text("Resume")  # these wait for the button
    assert set(pieces(page)) == set(moves)
    page.click("#pause")
    expect(page.locator("#status.final")).to_be_visible()


def test_resume_outlives_whatever_draws_the_page_again(open_page):
    page = open_page(f"/connect-four?x=human&o=mcts:time={FOREVER}")
    cell(page, "d1").click()
    expect(page.locator("body.thinking")).to_be_visible()
    page.click("#stop")
    page.click("#flip")
    expect(page.locator("#pause")).to_have_text("Resume")
    page.click("#to-start")
    expect(page.locator("#pause")).to_be_visible()
    page.click("#to-end")
    page.click("#pause")
    expect(page.locator("body.thinking")).to_be_visible()
    expect(page.locator("#pause")).to_be_hidden()


def test_a_search_that_failed_can_be_tried_again(open_page):
    page = open_page("/tictactoe?x=human&o=greedy", refusals=True)
    page.route("**/api/search", lambda route: route.abort())
    cell(page, "b2").click()
    expect(page.locator("#complaint")).to_contain_text("The server cannot be reached")
    expect(page.locator("#pause")).to_have_text("Resume")
    page.click("#pause")
    expect(page.locator("#complaint")).to_contain_text("The server cannot be reached")
    page.unroute("**/api/search")
    page.click("#pause")
    expect(page.locator(".piece")).to_have_count(2)
    expect(page.locator("#pause")).to_be_hidden()


# --- openings that no player chose -------------------------------------------------------------


def test_a_given_opening_is_marked_reviewed_for_neither_side_and_kept(open_page):
    env = from_transcript("tictactoe", "a1b1b2c3a2a3c2")  # b1 loses, whoever plays it
    given = GameRecord.from_env(env, players=("human", "human"), opening=2)
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    paste(page, given.to_json())
    expect(page.locator("#moves .given b")).to_have_text(["a1", "b1"])
    page.click("#tab-review")
    page.click("#run-review")
    expect(page.locator("#review-state")).to_have_text(
        "The opening of 2 moves is not reviewed: no player chose it."
    )
    expect(page.locator("#mistakes li")).to_have_count(0)
    expect(page.locator("#accuracy .o .percent")).to_have_text("–")
    assert "opening=2" in page.url

    page.reload()  # the address keeps it
    expect(page.locator("#moves .given b")).to_have_text(["a1", "b1"])
    page.click("#share-open")
    with page.expect_download() as saved:
        page.click("#save")
    assert GameRecord.load(saved.value.path()).opening == 2


# --- addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "nonsense",
    [
        ("time=9999", "ply=1.5", "clock=soon", "ended=magic", "at=x"),
        ("time=soon", "ply=x"),
        pytest.param(("time=-1",), marks=pytest.mark.full),
    ],
)
def test_nonsense_in_the_address_is_named_and_left_out(open_page, nonsense):
    page = open_page(f"/tictactoe?x=human&o=greedy&moves=b2+a1&{'&'.join(nonsense)}")
    for part in nonsense:
        expect(page.locator("#complaint")).to_contain_text(part)
        assert part.split("=")[0] not in page.url
    assert pieces(page) == {"b2": "x", "a1": "o"}
    expect(page.locator("#status")).to_have_text("Your move")
    cell(page, "c3").click()
    expect(page.locator(".piece")).to_have_count(4)


def test_marks_beside_the_board_are_left_out(open_page):
    page = open_page("/tictactoe?x=human&o=human&mode=analyse&tree=1~4:0-99;:8-8;0")
    expect(page.locator("#complaint")).to_contain_text("not on the board")
    page.click("#back")
    expect(page.locator(".overlay .own")).to_have_count(1)
    assert ":0-99;" not in page.url


def test_a_record_keeps_why_the_game_ended(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    for result, says in [(1, "X wins (adjudication)"), (0, "Draw (agreement)")]:
        reason = says[says.index("(") + 1 : says.index(")")]
        env = make_game("tictactoe")
        env.step(4)
        paste(page, GameRecord.from_env(env, result=result, ended_by=reason).to_json())
        expect(page.locator("#status")).to_have_text(says)
        page.reload()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#status")).to_have_text(says)
        expect(page.locator("#complaint")).to_be_hidden()


def test_a_file_says_who_played_and_what_was_said_and_is_saved_with_it(open_page):
    page = open_page(f"/reversi?{TWO_PEOPLE}")
    text = "(;GM[2]SZ[8]PB[Ada]PW[Max]EV[Cup <b>];B[dc]C[Good](;W[cc])(;W[ce]C[Why not]))"
    paste(page, text)
    told = page.locator("#facts")
    expect(told.locator("div")).to_have_text(["BlackAda", "WhiteMax", "eventCup <b>"])
    expect(page.locator("#moves .remark")).to_have_text("Good")
    expect(page.locator("#moves .variation .move b")).to_have_text(["c5"])
    expect(page.locator("#moves .variation em")).to_have_text("Why not")
    page.click("#share-open")
    with page.expect_download() as saved:
        page.click("#save")
    record = GameRecord.load(saved.value.path())
    assert (record.players, record.headers) == (("Ada", "Max"), {"event": "Cup <b>"})
    assert record.comments == {1: "Good"}
    assert [variation.comments for variation in record.variations] == [{1: "Why not"}]
    paste(page, GameRecord.from_env(make_game("reversi"), players=("human", "easy")).to_json())
    expect(told).to_have_text("Whiteeasy")


def test_a_file_of_another_game_goes_to_its_page_with_its_variations(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    paste(page, "(;GM[2]SZ[8];B[dc]C[Good](;W[cc])(;W[ce]))")
    expect(page.locator("h1")).to_have_text("Reversi")
    expect(page.locator("#moves .variation .move b")).to_have_text(["c5"])
    expect(page.locator("#moves .remark")).to_have_text("Good")
    expect(page.locator("#mode-analyse")).to_have_attribute("aria-pressed", "true")


def test_a_side_line_of_an_older_link_is_a_variation(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+a1+c3&main=b2+b1+a1+c3")
    expect(page.locator("#moves .pair .move b")).to_have_text(["b2", "b1", "a1", "c3"])
    expect(page.locator("#moves .variation .move b")).to_have_text(["a1", "c3"])
    assert pieces(page) == {"b2": "x", "a1": "o", "c3": "x"}


def test_a_reason_is_not_needed_where_the_moves_have_ended_the_game(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1+a2+b1+b2+c1&ended=time+-1")
    expect(page.locator("#status")).to_have_text("X wins")
    assert "ended" not in page.url


def test_a_position_can_be_pasted(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    paste(page, "xx1/oo1/3 x")
    expect(page.locator(".piece")).to_have_count(4)
    cell(page, "c1").click()
    expect(page.locator("#status")).to_have_text("X wins")


def test_moves_that_cannot_be_leave_a_page_to_play_on(open_page):
    page = open_page("/tictactoe?x=human&o=human&moves=b2+a1+b2+c3")
    expect(page.locator("#complaint")).to_have_text(
        "Move 3 (b2) is illegal: it is taken by X. The first 2 moves are shown."
    )
    expect(page.locator("#moves .move")).to_have_count(2)
    cell(page, "c1").click()
    expect(page.locator(".piece")).to_have_count(3)
    expect(page.locator("#complaint")).to_be_hidden()


def test_a_link_to_another_game_leads_to_its_page(open_page):
    page = open_page(f"/tictactoe?game=reversi-6&{TWO_PEOPLE}")
    expect(page.locator("h1")).to_have_text("Reversi")
    expect(page.locator(".cell")).to_have_count(36)
    assert "/reversi?" in page.url


def test_back_returns_to_the_game_before(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2")
    for opening in ("paste", "rematch"):
        if opening == "paste":
            paste(page, "a1 b1 c1")
            expect(page.locator(".piece")).to_have_count(3)
        else:
            page.click("#rematch")
            expect(page.locator(".piece")).to_have_count(0)
        go_back(page)
        expect(page.locator(".piece")).to_have_count(1)
        assert pieces(page) == {"b2": "x"}
