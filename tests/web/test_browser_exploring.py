"""Looking around in a game: side lines, what engines thought, candidates in another order."""

import pytest
from web_page import FOREVER, PATIENCE, Held, cell, choose, pieces

pytest_plugins = ["web_browser", "web_engines"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"
REVIEWED = f"/tictactoe?{TWO_PEOPLE}&moves=b2+b1+a1+a2+c3"  # 2. b1 is a blunder, X wins


def review(page):
    page.click("#tab-review")
    choose(page, "#review-time", str(FOREVER))
    page.click("#run-review")
    expect(page.locator("#accuracy-x")).to_have_text("100 %")
    # Its last words: until then the graph is drawn again and again.
    expect(page.locator("#review-state")).to_have_text("1 move could have been better.")


# --- side lines ---------------------------------------------------------------------------------


def test_exploring_after_a_review_keeps_the_game_and_the_review(open_page):
    page = open_page(REVIEWED)
    review(page)
    page.locator("#history button").first.click()
    cell(page, "a1").click()
    expect(page.locator("#side-line")).to_contain_text("A side line from move 2 on.")
    expect(page.locator("#history li")).to_have_count(2)
    expect(page.locator("#history li.aside")).to_have_count(1)
    expect(page.locator("#history li.blunder")).to_have_count(0)  # the side line was not reviewed
    expect(page.locator("#review-state")).to_have_text("1 move could have been better.")
    expect(page.locator("#mistakes li")).to_have_count(1)
    expect(page.locator("#graph .dot")).to_have_count(5)
    expect(page.locator("#accuracy-x")).to_have_text("100 %")

    page.click("#back-to-game")
    expect(page.locator("#history li")).to_have_count(5)
    expect(page.locator("#side-line")).to_be_hidden()
    expect(page.locator("#history li.blunder")).to_have_count(1)
    assert pieces(page) == {"b2": "x"}  # where the game was left

    cell(page, "a1").click()  # the review leads back, too
    expect(page.locator("#side-line")).to_be_visible()
    page.locator("#graph .dot").nth(3).click()
    expect(page.locator("#side-line")).to_be_hidden()
    assert set(pieces(page)) == {"b2", "b1", "a1", "a2"}


def test_a_side_line_is_in_the_address_and_ends_with_the_game_s_own_move(open_page):
    page = open_page(REVIEWED)  # the game is over: that is worth keeping, too
    page.locator("#history button").first.click()
    cell(page, "a1").click()
    expect(page.locator("#side-line")).to_be_visible()
    page.reload()
    expect(page.locator("#side-line")).to_contain_text("A side line from move 2 on.")
    expect(page.locator("#history li")).to_have_count(2)
    page.locator("#history button").first.click()
    cell(page, "b1").click()  # as in the game
    expect(page.locator("#side-line")).to_be_hidden()
    expect(page.locator("#history li")).to_have_count(5)
    assert set(pieces(page)) == {"b2", "b1"}


def test_a_move_that_is_taken_back_is_replaced(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+b1+a1")
    page.click("#undo")
    cell(page, "c3").click()
    expect(page.locator("#history li")).to_have_count(3)
    expect(page.locator("#history li").nth(2)).to_contain_text("c3")
    expect(page.locator("#side-line")).to_be_hidden()


def test_a_click_before_the_position_has_come_is_not_a_move(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+b1+a1")
    held = Held(page, "/api/position")  # the server is slow
    page.click("#undo")
    expect(page.locator("#board")).to_have_attribute("aria-busy", "true")
    held.wait()
    page.locator('.cell[aria-label^="c3,"]').click()
    assert len(held.asked) == 1
    held.let_go()
    cell(page, "a1").click()  # taken back, so it is free again
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#status")).to_have_text("O to move.")
    assert pieces(page) == {"b2": "x", "b1": "o", "a1": "x"}


# --- what engines thought -----------------------------------------------------------------------


def test_stepping_back_shows_what_the_engine_thought_at_that_move(open_page):
    page = open_page("/tictactoe?x=human&o=minimax")
    for turn, name in enumerate(("b2", "c2"), 1):
        cell(page, name).click()
        expect(page.locator("#history li")).to_have_count(2 * turn)  # the engine's move, too
        expect(page.locator("#status")).to_have_text("X: your move.")
    said = page.locator("#engine-state")
    expect(said).to_contain_text("What “minimax” thought before playing")
    expect(page.locator("#candidates tr[data-move]")).to_have_count(6)
    page.locator("#history button").nth(1).click()
    expect(page.locator("#candidates tr[data-move]")).to_have_count(8)
    expect(said).to_contain_text("What “minimax” thought before playing")
    assert page.locator(".hint").count() == 0
    page.locator("#history button").first.click()  # the position about which it thought
    expect(said).to_contain_text("What “minimax” thought here")
    expect(page.locator(".hint")).to_have_count(8)


@pytest.mark.usefixtures("ponderer")
def test_after_stop_the_best_move_so_far_can_be_played(open_page):
    page = open_page("/tictactoe?x=human&o=ponderer")
    cell(page, "b2").click()
    expect(page.locator("#status")).to_have_text("O (“ponderer”) is thinking …")
    expect(page.locator("#move-now")).to_be_enabled()
    page.click("#stop")
    expect(page.locator("#engine-state")).to_have_text("Stopped. This is the best so far.")
    expect(page.locator("#move-now")).to_have_text("Play c3")
    page.click("#move-now")
    expect(page.locator("#status")).to_have_text("X: your move.")
    assert pieces(page) == {"b2": "x", "c3": "o"}
    expect(page.locator("#candidates .visits span").first).to_have_attribute("title", "1 visit")


# --- the table ----------------------------------------------------------------------------------


def test_every_equally_good_move_has_a_star(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    choose(page, "#analyse-time", str(FOREVER))
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_have_text("minimax: finished")
    expect(page.locator("#candidates .star")).to_have_count(9)
    expect(page.locator(".hint.best")).to_have_count(9)


def test_candidates_are_sorted_by_the_column_that_is_chosen(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1+b2+b1")
    choose(page, "#analyse-time", str(FOREVER))
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_have_text("minimax: finished")
    rows = page.locator("#candidates tbody tr[data-move]")
    moves = "rows => rows.map(row => row.querySelector('th').firstChild.data)"
    by_engine = rows.evaluate_all(moves)
    page.click("#candidates [data-order=move]")
    expect(page.locator("#candidates th[aria-sort]")).to_have_text("Move ▾")
    assert rows.evaluate_all(moves) == sorted(by_engine)
    page.click("#candidates [data-order=result]")
    by_value = rows.locator("td:nth-child(2) span").all_text_contents()
    assert by_value == ["draw"] + ["loses in 1 move"] * 5
    page.click("#candidates [data-order=result]")  # a second time: as the engine has them
    assert rows.evaluate_all(moves) == by_engine


def test_solved_moves_have_no_uct_value(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1+a2+b1+b2")
    choose(page, "#kibitzer", "mcts:simulations=2000,seed=1")
    choose(page, "#analyse-time", str(FOREVER))
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_contain_text("finished")
    proven = page.locator("#candidates tr.proven td.num")
    assert proven.count() > 0
    assert set(proven.all_inner_texts()) == {"solved"}
    expect(page.locator("#candidates tr.proven .estimate")).to_have_count(0)
