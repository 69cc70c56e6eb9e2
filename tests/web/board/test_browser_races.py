"""What people do while the server has not answered yet: late answers overwrite nothing.

Answers are held back and let go by the tests, so nothing here depends on who is faster.
"""

import pytest
from web_page import PATIENCE, Held, cell, new_game, pieces

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"


# --- the dialog ----------------------------------------------------------------------------------


def test_a_level_that_the_next_board_does_not_have_gives_way(open_page):
    page = open_page("/tictactoe?x=human&o=perfect")
    new_game(page, rows="6")
    expect(page.locator(".cell")).to_have_count(18)
    expect(page.locator("#complaint")).to_contain_text("no “perfect” level; “expert” plays instead")
    expect(page.locator("#seat-top b")).to_have_text("expert")
    assert "o=expert" in page.url


def test_a_new_game_that_cannot_be_leaves_the_old_one_going_on(open_page):
    page = open_page("/tictactoe?x=human&o=greedy", refusals=True)
    held = Held(page, "/api/search")
    cell(page, "b2").click()
    held.wait()
    new_game(page, length="9")
    expect(page.locator("#error-board")).to_contain_text("you need 3 in a row")
    page.click("#setup-cancel")
    held.let_go()
    expect(page.locator(".piece")).to_have_count(2)


# --- moves --------------------------------------------------------------------------------------


def test_a_second_click_before_the_first_is_answered_is_no_move(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    held = Held(page, "/api/line")
    cell(page, "b2").click()
    held.wait()
    page.locator('.cell[aria-label^="a1,"]').click()  # although the board is busy
    held.let_go()
    expect(page.locator("#moves .move")).to_have_count(1)
    assert pieces(page) == {"b2": "x"}
    cell(page, "a1").click()
    expect(page.locator(".piece")).to_have_count(2)
    assert pieces(page) == {"b2": "x", "a1": "o"}


def test_a_move_that_never_arrived_can_be_made_again(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}", refusals=True)
    page.route("**/api/line", lambda route: route.abort())
    cell(page, "b2").click()
    expect(page.locator("#complaint")).to_contain_text("The server cannot be reached")
    page.unroute("**/api/line")
    cell(page, "b2").click()
    expect(page.locator(".piece")).to_have_count(1)
    expect(page.locator("#complaint")).to_be_hidden()


def test_a_double_click_on_a_column_is_one_move(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}")
    page.locator('[data-col="3"]').dblclick()
    expect(page.locator("#moves .move")).to_have_count(1)
    cell(page, "d4").click()
    expect(page.locator("#moves .move")).to_have_count(2)
    assert pieces(page) == {"d1": "x", "d2": "o"}


def test_a_move_that_was_on_its_way_does_not_come_late(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    for instead, first, second in [("#to-start", "b2", "a1"), ("#rematch", "c2", "a3")]:
        cell(page, first).click()
        expect(page.locator(".piece:not(.early)")).to_have_count(1)
        held = Held(page, "/api/line")
        cell(page, second).click()
        held.wait()
        page.click(instead)
        held.let_go()
        expect(page.locator(".piece")).to_have_count(0)
        assert pieces(page) == {}


def test_an_engine_that_was_thinking_does_not_move_afterwards(open_page):
    page = open_page("/connect-four?x=human&o=greedy")
    for instead in ("#take-back", "#rematch"):
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
    held = Held(page, "/api/tree/open")
    page.click("#share-open")
    page.fill("#paste", "a1 b1 c1")
    page.click("#paste-open")
    held.wait()
    page.keyboard.press("Escape")
    page.click("#rematch")
    expect(page.locator(".piece")).to_have_count(0)
    with page.expect_response("**/api/tree/open"):
        held.let_go()
    cell(page, "c3").click()
    expect(page.locator(".piece")).to_have_count(1)
    assert pieces(page) == {"c3": "x"}


# --- engines that look on ------------------------------------------------------------------------


def test_a_review_goes_on_while_a_variation_is_played(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+a1+c3&ply=1&mode=analyse")
    held = Held(page, "/api/review")
    page.click("#tab-review")
    page.click("#run-review")
    held.wait()
    page.click("#tab-moves")
    cell(page, "b1").click()
    expect(page.locator("#moves .variation .move b")).to_have_text(["b1"])
    held.let_go()
    page.click("#tab-review")
    expect(page.locator("#run-review")).to_have_text("Review again")
    expect(page.locator("#moves .pair .move .worth")).to_have_count(3)  # of the game


def test_a_tree_stays_while_its_position_does(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1+a2+b1+b2&mode=analyse")
    page.click("#tab-tree")
    page.select_option("#tree-levels", "1")
    page.click("#grow-game")
    expect(page.locator("#tree .node")).to_have_count(6)
    page.click("#flip")
    assert page.locator("#tree .node").count() == 6
    cell(page, "c1").click()
    expect(page.locator("#tree .node")).to_have_count(0)


def test_walking_through_a_game_asks_for_one_search_and_what_is_known_for_none(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1+a2+b1+b2+c3&mode=analyse")
    expect(page.locator("#engine-facts")).to_contain_text("proven")
    asked = []
    page.on("request", lambda request: asked.append(request.url.partition("/api/")[2]))
    page.locator("#status").click()
    # A key that is held down: four presses within one moment, however long each takes here.
    page.evaluate("""() => {
      const key = () => new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true });
      for (let presses = 0; presses < 4; presses += 1) document.body.dispatchEvent(key());
    }""")
    expect(page.locator(".piece")).to_have_count(1)
    expect(page.locator("#engine-facts")).to_contain_text("proven")
    page.keyboard.press("End")
    expect(page.locator(".piece")).to_have_count(5)
    expect(page.locator("#engine-facts")).to_contain_text("proven")
    assert [each for each in asked if each] == ["search"]


#: Keeps the game in the store, with one more move, as a page does that is closed; another one has
#: saved it meanwhile.
CLOSE_ANOTHER = """() => new Promise((done) => {
  indexedDB.open('rl_toolkit').onsuccess = ({target: {result: base}}) =>
    base.transaction('games').objectStore('games').getAll().onsuccess = ({target: {result}}) => {
      const [game] = result;
      game.tree.nodes.push({up: 1, move: 8, name: 'c3', player: -1, born: Date.now()});
      localStorage.setItem('pending:1', JSON.stringify({...game, revision: game.revision - 1}));
      game.tree.nodes.splice(-1, 1, {up: 1, move: 2, name: 'c1', player: -1, born: Date.now()});
      localStorage.setItem('pending:2', JSON.stringify({...game, revision: game.revision - 1}));
      base.close();
      done();
    };
})"""


def test_what_pages_kept_as_they_were_closed_is_joined(open_page):
    page = open_page("/tictactoe?x=human&o=human&mode=analyse&moves=b2", alone=True)
    cell(page, "a1").click()
    expect(page.locator("body[data-saved=yes]")).to_be_attached()
    page.evaluate(CLOSE_ANOTHER)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#moves .move b")).to_have_count(4)
    assert set(page.locator("#moves .move b").all_inner_texts()) == {"b2", "a1", "c1", "c3"}
    assert (
        page.evaluate("Object.keys(localStorage).some(key => key.startsWith('pending'))") is False
    )
