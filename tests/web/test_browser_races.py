"""What people do while the server has not answered yet: late answers overwrite nothing.

Answers are held back and let go by the tests, so nothing here depends on who is faster.
"""

import pytest
from web_page import PATIENCE, Held, cell, go_back, pieces

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"


# --- the form -----------------------------------------------------------------------------------


def test_what_is_typed_while_a_new_game_is_set_up_is_kept(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    held = Held(page, "/api/engines*")
    page.fill("#field-rows", "4")
    page.click("#new-game-form .primary")
    held.wait()
    page.fill("#field-rows", "5")
    page.select_option("#seat-o", "custom")
    page.fill("#spec-o", "greedy:see")
    held.let_go()
    expect(page.locator(".cell")).to_have_count(12)
    expect(page.locator("#announcer")).to_contain_text("New game.")
    expect(page.locator("#field-rows")).to_have_value("5")
    expect(page.locator("#spec-o")).to_have_value("greedy:see")
    expect(page.locator("#spec-o")).to_be_visible()


def test_what_is_typed_while_the_browser_goes_back_is_kept(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    cell(page, "b2").click()
    expect(page.locator(".piece:not(.early)")).to_have_count(1)
    held = Held(page, "/api/position")
    go_back(page)
    held.wait()
    page.fill("#field-cols", "7")
    held.let_go()
    expect(page.locator(".piece")).to_have_count(0)
    expect(page.locator("#field-cols")).to_have_value("7")
    expect(page.locator("#field-rows")).to_have_value("3")


def test_a_level_that_the_next_board_does_not_have_gives_way(open_page):
    page = open_page("/tictactoe?x=human&o=perfect")
    page.fill("#field-rows", "6")
    page.click("#new-game-form .primary")
    expect(page.locator(".cell")).to_have_count(18)
    expect(page.locator("#complaint")).to_contain_text("no “perfect” level; “expert” plays instead")
    expect(page.locator("#seat-o")).to_have_value("expert")
    assert "o=expert" in page.url


def test_a_new_game_that_cannot_be_leaves_the_old_one_going_on(open_page):
    page = open_page("/tictactoe?x=human&o=greedy", refusals=True)
    held = Held(page, "/api/search")
    cell(page, "b2").click()
    held.wait()
    page.fill("#field-length", "9")
    page.click("#new-game-form .primary")
    expect(page.locator("#error-board")).to_contain_text("you need 3 in a row")
    held.wait(2)  # the engine is asked again
    held.let_go(skip=1)
    expect(page.locator(".piece")).to_have_count(2)


# --- moves --------------------------------------------------------------------------------------


def test_a_second_click_before_the_first_is_answered_is_no_move(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    held = Held(page, "/api/position")
    cell(page, "b2").click()
    held.wait()
    page.locator('.cell[aria-label^="a1,"]').click()  # although the board is busy
    held.let_go()
    expect(page.locator("#history li")).to_have_count(1)
    assert pieces(page) == {"b2": "x"}
    cell(page, "a1").click()
    expect(page.locator(".piece")).to_have_count(2)
    assert pieces(page) == {"b2": "x", "a1": "o"}


def test_a_move_that_never_arrived_can_be_made_again(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}", refusals=True)
    page.route("**/api/position", lambda route: route.abort())
    cell(page, "b2").click()
    expect(page.locator("#complaint")).to_contain_text("The server cannot be reached")
    page.unroute("**/api/position")
    cell(page, "b2").click()
    expect(page.locator(".piece")).to_have_count(1)
    expect(page.locator("#complaint")).to_be_hidden()


def test_a_double_click_on_a_column_is_one_move(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}")
    page.locator('[data-col="3"]').dblclick()
    expect(page.locator("#history li")).to_have_count(1)
    cell(page, "d4").click()
    expect(page.locator("#history li")).to_have_count(2)
    assert pieces(page) == {"d1": "x", "d2": "o"}


def test_a_move_that_was_on_its_way_does_not_come_late(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    for instead, first, second in [("#undo", "b2", "a1"), ("#new", "c2", "a3")]:
        cell(page, first).click()
        expect(page.locator(".piece:not(.early)")).to_have_count(1)
        held = Held(page, "/api/position")
        cell(page, second).click()
        held.wait()
        page.click(instead)
        held.let_go()
        expect(page.locator(".piece")).to_have_count(0)
        assert pieces(page) == {}


def test_an_engine_that_was_thinking_does_not_move_afterwards(open_page):
    page = open_page("/connect-four?x=human&o=greedy")
    for instead in ("#undo", "#new"):
        held = Held(page, "/api/search")
        cell(page, "d1").click()
        held.wait()
        with page.expect_event("requestfailed") as failed:
            page.click(instead)
        assert failed.value.url.endswith("/api/search")
        expect(page.locator(".piece")).to_have_count(0)
        expect(page.locator("body.thinking")).to_have_count(0)


def test_a_new_game_is_not_replaced_by_a_file_opened_before(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2")
    held = Held(page, "/api/record/open")
    page.click("#paste-game summary")
    page.fill("#paste", "a1 b1 c1")
    page.click("#paste-open")
    held.wait()
    page.click("#new")
    expect(page.locator(".piece")).to_have_count(0)
    with page.expect_response("**/api/record/open"):
        held.let_go()
    cell(page, "c3").click()
    expect(page.locator(".piece")).to_have_count(1)
    assert pieces(page) == {"c3": "x"}


# --- engines that look on ------------------------------------------------------------------------


def test_stopping_the_analysis_of_an_earlier_position_does_not_halt_the_game(open_page):
    page = open_page("/tictactoe?x=human&o=greedy&moves=b2+a1")
    page.locator("#history button").first.click()  # the engine was to move there
    expect(page.locator(".piece")).to_have_count(1)
    held = Held(page, "/api/search")
    page.check("#analyse")
    expect(page.locator("body.thinking")).to_be_visible()
    held.wait()
    page.click("#stop")
    expect(page.locator("#analyse")).not_to_be_checked()
    expect(page.locator("#pause")).to_be_hidden()
    held.let_go(skip=1)
    page.click("#last-ply")
    cell(page, "c3").click()
    expect(page.locator(".piece")).to_have_count(4)  # and it answers


def test_a_review_goes_on_while_a_side_line_is_played(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+a1+c3&ply=1")
    held = Held(page, "/api/review")
    page.click("#tab-review")
    page.click("#run-review")
    held.wait()
    cell(page, "b1").click()
    expect(page.locator("#side-line")).to_be_visible()
    held.let_go()
    expect(page.locator("#graph .dot")).to_have_count(3)  # of the game, not of the side line
    page.click("#back-to-game")
    expect(page.locator("#history li")).to_have_count(3)


def test_a_tree_stays_while_its_position_does(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1+a2+b1+b2")
    page.click("#tab-tree")
    page.select_option("#tree-levels", "1")
    page.click("#grow-game")
    expect(page.locator("#tree .node")).to_have_count(6)
    page.click("#flip")
    page.select_option("#seat-o", "greedy")
    assert page.locator("#tree .node").count() == 6
    cell(page, "c1").click()
    expect(page.locator("#tree .node")).to_have_count(0)
