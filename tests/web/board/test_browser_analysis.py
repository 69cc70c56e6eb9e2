"""Thinking about a game on the page: one named truth, lines, variations, notes, review, lessons."""

import re

import pytest
from web_page import FOREVER, PATIENCE, Held, cell, choose, pieces

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"
NEAR_THE_END = f"/tictactoe?{TWO_PEOPLE}&mode=analyse&moves=a1+a2+b1+b2"  # X wins at c1, else loses
ACCENT = "getComputedStyle(document.querySelector('.primary')).backgroundColor"
#: O answers b2 by b1, which loses.
BLUNDER = f"/tictactoe?{TWO_PEOPLE}&moves=b2+b1+a1+a2+c3"


def variations(page):
    return page.locator("#moves .variation .move b").all_inner_texts()


def saved(page):
    """Until the store has what is on the page."""
    page.wait_for_selector("body[data-saved=yes]")


# --- the truth ----------------------------------------------------------------------------------


def test_values_stand_in_squares_bar_and_lines_and_not_in_a_game(open_page):
    page = open_page(NEAR_THE_END)
    expect(page.locator("#verdict")).to_have_text("X wins in 1 move")
    expect(page.locator("#engine-facts")).to_contain_text("proven")
    expect(cell(page, "c1").locator(".hint.proven.best")).to_have_text("W1")
    expect(cell(page, "c1")).to_have_attribute("aria-label", "c1, empty, engine: W1 wins in 1 move")
    expect(page.locator("#why")).to_contain_text("Completes a1, b1 and c1 and wins.")
    page.focus("#why")  # or the mouse over it, or a finger
    expect(page.locator(".overlay .why")).to_have_count(3)
    page.locator("#why").blur()
    expect(page.locator(".overlay .why")).to_have_count(0)
    expect(page.locator("#lines li")).to_have_count(3)
    page.click("#all-lines")
    expect(page.locator("#lines li")).to_have_count(5)
    page.locator("#lines li").nth(1).hover()
    expect(page.locator(".ghost").first).to_be_attached()
    page.locator("#status").hover()
    expect(page.locator(".ghost")).to_have_count(0)

    page.click("#mode-play")  # nothing of it is seen while a game is played, not even in labels
    assert page.locator(".hint").count() == 0
    expect(cell(page, "c1")).to_have_attribute("aria-label", "c1, empty")
    for secret in ("#engine", "#eval-bar", "#graph", "#tab-review"):
        expect(page.locator(secret)).to_be_hidden()
    page.check("#show-truth", force=True)
    expect(cell(page, "c1").locator(".hint")).to_have_text("W1")
    expect(page.locator("#pill")).to_have_text("minimax: X wins in 1 move")


def test_a_line_is_played_by_a_click_and_kept_by_a_plus(open_page):
    page = open_page(f"{NEAR_THE_END}+c3")  # O wins at c2
    expect(page.locator("#verdict")).to_have_text("O wins in 1 move")
    other = page.locator("#lines li").nth(1)
    steps = other.locator(".step").all_inner_texts()
    other.locator(".keep").click()
    expect(page.locator("#moves .pair .move b")).to_have_text(
        ["a1", "a2", "b1", "b2", "c3", *steps]
    )
    assert len(pieces(page)) == 5  # the board stays
    page.locator("#lines li").first.locator(".worth-chip").click()
    expect(page.locator("#status")).to_have_text("O wins")
    assert variations(page) == ["c2"]
    expect(page.locator("#moves .played")).to_have_count(5)  # the game is as it was


def test_the_threat_is_marked(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&mode=analyse&moves=a1+b2+b1")  # X threatens c1
    expect(page.locator("#verdict")).to_have_text("A draw with best play")
    assert page.locator(".overlay .threat").count() == 0
    page.locator("#status").click()
    page.keyboard.press("x")
    expect(page.locator(".overlay .threat")).to_have_count(1)
    page.keyboard.press("x")
    expect(page.locator(".overlay .threat")).to_have_count(0)


def test_another_engine_is_asked_beside_the_truth(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}&mode=analyse&moves=d+d+d+d+d+d+c+c+e")
    expect(page.locator("#engine-facts")).to_contain_text("proven")
    page.click("#tab-engines")
    page.select_option("#kibitzer", "mcts")
    page.click("#engine-more summary")
    page.fill("#engine-options [name=simulations]", "300")
    page.fill("#engine-options [name=seed]", "1")
    expect(page.locator("#engine-options [name=memory]")).to_have_attribute(
        "placeholder", "128 (usual)"
    )
    page.click("#ask")
    expect(page.locator("#engine-options")).to_be_hidden()  # the answer is in sight
    expect(page.locator("#candidates thead")).to_be_in_viewport()
    expect(page.locator("#ask-state")).to_contain_text("mcts:simulations=300,seed=1: ")
    expect(page.locator("#figures")).to_contain_text("Simulations")
    expect(page.locator("#candidates thead")).to_contain_text("Truth")
    expect(page.locator("#candidates thead")).to_contain_text("UCT")
    expect(page.locator("#candidates .truth").first).not_to_have_text("?")
    expect(page.locator("#verdict")).to_contain_text(" wins in ")  # the truth has not moved


# --- variations and notes -----------------------------------------------------------------------


def test_variations_are_kept_promoted_folded_deleted_and_undone(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&mode=analyse&moves=b2+a1+c3")
    page.locator("#moves .move").nth(1).click()
    for name in ("c1", "a3"):
        cell(page, name).click()
        expect(page.locator("#moves [aria-current] b")).to_have_text(name)
        page.click("#back")
    assert variations(page) == ["c1", "a3"]
    page.locator("#moves .variation .move").last.click()
    page.click("#promote")
    assert variations(page) == ["a3", "c1"]
    page.click("#make-main")
    expect(page.locator("#moves .pair .move b")).to_have_text(["b2", "a1", "a3"])
    expect(page.locator("#moves .played b")).to_have_text(["b2", "a1", "c3"])  # still the game
    page.click("#back-to-game")
    expect(page.locator("#moves .pair .move b")).to_have_text(["b2", "a1", "c3"])
    expect(page.locator("#remove")).to_be_disabled()  # a move of the game
    page.locator("#moves .variation .move").first.click()
    page.click("#remove")
    assert len(variations(page)) == 1
    page.locator("#status").click()
    page.keyboard.press("Control+z")
    expect(page.locator("#moves .variation .move")).to_have_count(2)
    said = re.compile("since this page was opened")  # a page that is opened again undoes none
    expect(page.locator("#undo-edit")).to_have_attribute("title", said)
    page.click("#moves .fold")
    expect(page.locator("#moves .variation .move")).to_have_count(0)


def test_notes_are_written_drawn_and_there_after_a_reload(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&mode=analyse&moves=b2+a1")
    page.locator("#status").click()
    page.keyboard.press("c")
    expect(page.locator("#comment")).to_be_focused()
    page.keyboard.type("A corner, as it should be.")
    page.locator("#moves .move").first.click()  # left without Enter
    expect(page.locator("#moves .remark")).to_have_text("A corner, as it should be.")
    expect(page.locator("#comment")).to_have_value("")
    cell(page, "b2").focus()
    for ending in ("Enter", "Escape"):  # the focus returns to where it was
        page.keyboard.press("c")
        expect(page.locator("#comment")).to_be_focused()
        page.keyboard.press(ending)
        expect(page.locator('.cell[aria-label^="b2,"]')).to_be_focused()
    page.click("#glyphs [data-glyph='!!']")
    expect(page.locator("#moves .move .glyph").first).to_have_text("!!")
    pressed = page.locator("#glyphs [data-glyph='!!']")  # it can be read under the mouse, too
    expect(pressed).to_have_css("background-color", page.evaluate(ACCENT))
    expect(pressed).to_have_css("color", "rgb(255, 255, 255)")
    cell(page, "c3").click(button="right")
    expect(page.locator(".overlay .own")).to_have_count(1)
    other = open_page(page.url[page.url.index("/tictactoe") :])  # all of it is in the link
    for shown in (page, other):
        shown.reload()
        shown.wait_for_selector("body[data-ready]")
        expect(shown.locator("#moves .remark")).to_have_text("A corner, as it should be.")
        expect(shown.locator("#moves .move .glyph").first).to_have_text("!!")
        expect(shown.locator(".overlay .own")).to_have_count(1)
    page.fill("#comment", "Still being written")
    page.reload()  # the field had the focus all the time
    expect(page.locator("#moves .remark").first).to_contain_text("Still being written")


# --- review and lessons -------------------------------------------------------------------------


def review(page):
    page.click("#tab-review")
    choose(page, "#review-time", str(FOREVER))  # done at once: the game is small
    page.click("#run-review")
    expect(page.locator("#run-review")).to_have_text("Review again")


def test_a_game_is_reviewed_and_its_mistakes_are_learned_from_on_the_board(open_page):
    page = open_page(BLUNDER)
    review(page)
    expect(page.locator("#turns")).to_contain_text("It turned on move 2")
    expect(page.locator("#accuracy .x .percent")).to_have_text("100 %")
    expect(page.locator("#mistakes li")).to_have_text(["??2. b1a drawn game became lost"])
    expect(page.locator("#review-state")).to_contain_text("1 new puzzle from your mistakes")
    assert "tictactoe/" in page.evaluate("localStorage.getItem('puzzle-own')")
    expect(page.locator("#dots .blunder")).to_have_count(1)
    expect(page.locator("#graph .curve")).to_have_count(5)  # from the start on
    page.click("#learn")
    expect(page.locator("#coach-text")).to_have_text("O played b1. Find a better move.")
    assert pieces(page) == {"b2": "x"}
    assert page.locator(".hint").count() == 0
    cell(page, "c2").click()
    expect(page.locator("#coach-text")).to_contain_text("c2 is not better")
    expect(page.locator(".overlay .wrong")).to_have_count(1)
    expect(page.locator(".piece")).not_to_have_count(2)  # it is answered,
    expect(page.locator("#coach-text")).to_contain_text("Try again.")  # and taken back
    assert pieces(page) == {"b2": "x"}
    page.click("#coach-hint")
    expect(page.locator("#coach-text")).to_contain_text("Look at")
    cell(page, "a1").click()
    expect(page.locator("#coach-text")).to_contain_text("a1 is right.")
    page.click("#coach-next")
    expect(page.locator("#coach")).to_be_hidden()
    assert variations(page) == ["a1"]  # what was right is kept
    expect(page.locator("#notice")).to_contain_text("You have looked at 1 mistake.")


def test_kinds_of_mistakes_are_counted_over_games(open_page):
    page = open_page("/tictactoe?x=human&o=greedy&moves=a1+a2+b1+b2+c3+c2", alone=True)
    expect(page.locator("#mode-analyse")).to_have_attribute("aria-pressed", "true")
    review(page)
    expect(page.locator("#mistakes li").last).to_contain_text("Missed a win in one move")
    expect(page.locator("#lessons li")).to_have_text(["1 × Missed a win in one move"])
    saved(page)
    page.goto(page.url.partition("?")[0] + "?x=human&o=greedy&moves=c1+c2+b1+b2+a3+a2")
    page.wait_for_selector("body[data-ready]")
    review(page)
    expect(page.locator("#lessons li")).to_have_text(["2 × Missed a win in one move"])


def test_the_link_of_a_game_opens_the_game_itself_and_its_mistakes_count_once(open_page):
    page = open_page("/tictactoe?x=human&o=greedy&moves=a1+a2+b1+b2+c3+c2", alone=True)
    link = page.url
    review(page)
    saved(page)
    other = page.context.new_page()
    other.goto(link)
    other.wait_for_selector("body[data-ready]")
    assert other.evaluate("history.state.id") == page.evaluate("history.state.id")
    other.click("#tab-review")
    expect(other.locator("#run-review")).to_have_text("Review again")  # it was reviewed there
    other.click("#back")
    cell(other, "a3").click()  # a variation, which travels
    expect(page.locator("#moves .variation .move b")).to_have_text(["a3"])
    saved(page)
    saved(other)
    other.goto(link)  # without the variation it is another game, which was played the same way
    other.wait_for_selector("body[data-ready]")
    assert other.evaluate("history.state.id") != page.evaluate("history.state.id")
    review(other)
    expect(other.locator("#lessons li")).to_have_text(["1 × Missed a win in one move"])
    other.close()


def test_a_try_ends_when_the_lesson_is_left(open_page):
    page = open_page(BLUNDER)
    review(page)
    page.click("#learn")
    held = Held(page, "/api/review")
    cell(page, "c1").click()
    expect(page.locator("#coach-text")).to_have_text("Checking …")
    held.wait()
    with page.expect_event("requestfailed") as failed:
        page.click("#coach-leave")
    assert failed.value.url.endswith("/api/review")
    (asked,) = held.asked
    assert (asked["engine"].split(":")[0], asked["from"]) == ("minimax", 1)
    expect(page.locator("#coach")).to_be_hidden()
    expect(page.locator("#complaint")).to_be_hidden()


def test_a_review_that_is_stopped_keeps_what_it_found(open_page):
    page = open_page(f"/reversi?{TWO_PEOPLE}&mode=analyse&moves=f5+d6+c3+d3+c4+f4+f6+f3")
    page.click("#tab-review")
    choose(page, "#review-time", str(FOREVER))
    page.click("#run-review")
    expect(page.locator("#run-review")).to_have_text("Stop")
    page.click("#run-review")
    expect(page.locator("#review-state")).to_contain_text("Stopped after ")
    expect(page.locator("#run-review")).to_have_text("Review this game")


# --- what is kept -------------------------------------------------------------------------------


def test_games_are_kept_in_the_browser_and_a_link_of_the_header_continues(open_page):
    page = open_page("/tictactoe?x=human&o=first", alone=True)
    cell(page, "b2").click()
    expect(page.locator("#status")).to_have_text("Your move")
    expect(page.locator(".piece")).to_have_count(2)
    page.click("nav >> text=Play")  # at once: nothing is lost
    page.click(".card >> text=Tic-Tac-Toe")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(".piece")).to_have_count(2)
    page.click("#rematch")
    expect(page.locator(".piece")).to_have_count(0)
    cell(page, "c3").click()
    expect(page.locator(".piece")).to_have_count(2)
    saved(page)
    page.click("#games-open")
    games = page.locator("#own-games .game-row")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text("You – first")
    expect(games.first).to_contain_text("not finished, 2 moves")
    games.last.click()
    expect(cell(page, "b2").locator(".piece")).to_be_visible()


def test_two_tabs_agree_and_what_one_deletes_stays_deleted(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&mode=analyse&moves=b2+a1", alone=True)
    cell(page, "c3").click()
    expect(page.locator("#moves .move")).to_have_count(3)
    saved(page)
    with page.context.expect_page() as opened:
        page.evaluate("open(location.href, '_blank')")
    other = opened.value
    other.wait_for_selector("body[data-ready]")
    expect(other.locator("#moves .move")).to_have_count(3)
    other.fill("#comment", "From the other tab.")
    other.press("#comment", "Enter")
    expect(page.locator("#moves .remark")).to_have_text("From the other tab.")
    page.click("#remove")
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(other.locator("#moves .move")).to_have_count(2)
    other.locator("#moves .move").first.click()
    saved(other)
    expect(page.locator("#moves .move")).to_have_count(2)
    page.fill("#comment", "ü" * 1100)  # too long for the address, which names the game now
    page.press("#comment", "Enter")
    saved(page)
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    expect(other.locator("#moves .remark")).to_contain_text("üüü")
    other.close()


def test_a_browser_that_keeps_nothing_says_so_and_offers_a_file(open_page):
    page = open_page("/", alone=True)
    page.add_init_script("IDBObjectStore.prototype.put = () => { "
                         "throw new DOMException('full', 'QuotaExceededError'); }")  # fmt: skip
    page.goto(page.url + f"tictactoe?{TWO_PEOPLE}")
    page.wait_for_selector("body[data-ready]")
    cell(page, "b2").click()
    expect(page.locator("#unsaved")).to_contain_text("The browser has no more room for games.")
    with page.expect_download() as download:
        page.click("#save-unsaved")
    assert download.value.suggested_filename == "tictactoe.json"
