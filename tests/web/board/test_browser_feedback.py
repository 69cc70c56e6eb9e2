"""What the page says: passes, illegal moves, wrong input, the end of a game, help."""

import re

import pytest
from web_page import ELSEWHERE, FOREVER, HERE, PATIENCE, Held, cell, pieces

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"
BLACK_PASSES = "/reversi?game=reversi-6&moves=e4+e5+c2+b4+e6+f6+a4+d6"
WON = "d+e+e+f+f+g+f+g+g+a+g"  # Red has a diagonal


def notice(page):
    return page.locator("#notice")


# --- passes and squares -------------------------------------------------------------------------


def test_a_side_without_a_move_is_told_and_passes(open_page):
    page = open_page(f"{BLACK_PASSES}&{TWO_PEOPLE}")
    expect(page.locator("#status")).to_have_text("Black must pass")
    expect(notice(page)).to_have_text("Black has no move and must pass.")
    expect(page.locator("#pass")).to_be_visible()
    page.click("#pass")
    expect(notice(page)).to_have_text("Black has no move and passes.")
    expect(page.locator("#status")).to_have_text("White to move")
    expect(page.locator("#pass")).to_be_hidden()


def test_an_engine_s_pass_is_seen(open_page):
    page = open_page(f"{BLACK_PASSES}&x=greedy&o=human")
    expect(notice(page)).to_have_text("Black has no move and passes.")
    expect(page.locator("#status")).to_have_text("Your move")
    expect(page.locator("#announcer")).to_contain_text("Black has no move and passes.")


@pytest.mark.parametrize(("address", "name", "reason"), [
    ("/reversi?moves=f5+d6", "a1", "a1 turns no disc."),
    pytest.param("/tictactoe?moves=b2", "b2", "b2 is taken by X.", marks=pytest.mark.full),
    ("/connect-four?moves=d+d+d+d+d+d", "d3", "column d is full."),
])  # fmt: skip
def test_a_square_that_cannot_be_chosen_says_why(open_page, address, name, reason):
    page = open_page(f"{address}&{TWO_PEOPLE}")
    before = pieces(page)
    cell(page, name).click(force=True)
    expect(notice(page)).to_have_text(reason)
    expect(page.locator(".cell.refused")).to_have_count(1)
    assert cell(page, name).evaluate("c => c.classList.contains('refused')")
    assert pieces(page) == before
    page.locator(".cell.open").first.click()
    expect(page.locator(".cell.refused")).to_have_count(0)
    expect(notice(page)).to_have_text("")


# --- one's own move -----------------------------------------------------------------------------


def test_one_s_own_move_is_drawn_before_the_server_answers(open_page):
    page = open_page(f"/reversi?{TWO_PEOPLE}")
    held = Held(page, "/api/line")
    cell(page, "f5").click()
    expect(page.locator('.cell[aria-label^="f5,"] .piece.x')).to_be_visible()
    held.wait()
    assert pieces(page)["e5"] == "o"  # what it turns is the server's to say
    held.let_go()
    expect(page.locator(".piece.early")).to_have_count(0)
    assert pieces(page)["e5"] == "x"
    expect(page.locator("#moves .move")).to_have_count(1)


def test_a_move_that_is_refused_is_taken_away_again(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}", refusals=True)
    page.route("**/api/line", lambda route: route.fulfill(status=400, json={"error": "not now"}))
    cell(page, "b2").click()
    expect(page.locator("#complaint")).to_have_text("Not now.")
    expect(page.locator(".piece")).to_have_count(0)
    page.unroute("**/api/line")
    cell(page, "b2").click()
    expect(page.locator("#moves .move")).to_have_count(1)


def test_a_part_that_cannot_be_loaded_says_so_and_a_new_page_has_the_game(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&mode=analyse", alone=True, refusals=True)
    cell(page, "b2").click()
    page.wait_for_selector("body[data-saved=yes]")
    page.wait_for_selector("body[data-loaded]")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.route("**/views/**", lambda route: route.abort())
    for opens in ("#tab-explorer", "#set-up"):
        page.locator(opens).dispatch_event("click")  # nothing was touched that loads it ahead
        expect(page.locator("#complaint")).to_contain_text("This part of the page cannot be loaded")
    page.unroute("**/views/**")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert pieces(page) == {"b2": "x"}
    page.click("#tab-explorer")
    expect(page.locator("#explorer-note")).to_have_text("No book has this position.")
    expect(page.locator("#complaint")).to_be_hidden()


# --- input --------------------------------------------------------------------------------------


def test_text_that_is_not_a_game_is_refused_beside_its_field(open_page):
    page = open_page("/tictactoe?x=human&o=greedy&moves=b2+a1", refusals=True)
    page.click("#share-open")
    page.fill("#paste", "  \n ")
    page.click("#paste-open")
    expect(page.locator("#error-paste")).to_have_text("Paste a game first.")
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator("#seat-top b")).to_have_text("greedy")

    page.fill("#paste", "hello")
    page.click("#paste-open")
    expect(page.locator("#error-paste")).to_have_text(
        "I cannot read “hello” as moves. Example: b2 a1."
    )
    expect(page.locator("#paste")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#complaint")).to_be_hidden()
    page.fill("#paste", "b2 a1 c1 c3")
    page.click("#paste-open")
    expect(page.locator("#moves .move")).to_have_count(4)
    expect(page.locator("#error-paste")).to_be_hidden()


def test_over_plain_http_the_link_is_there_to_be_copied_by_hand(open_page, web_server):
    page = open_page("/", alone=True)
    # As in a class: the same server at an address that is not this machine's, without https.
    page.goto(f"{web_server.replace(HERE, ELSEWHERE)}/tictactoe?{TWO_PEOPLE}&moves=b2")
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("navigator.clipboard === undefined")
    page.click("#share-open")
    page.click("#copy-link")
    expect(page.locator("#link-state")).to_contain_text("Copying is blocked here.")
    expect(page.locator("#link")).to_have_value(page.url)
    selected = "document.getSelection().toString()"
    assert page.evaluate(selected) == page.url


# --- the end ------------------------------------------------------------------------------------


def test_the_end_of_a_game_is_a_moment(open_page):
    page = open_page(f"/connect-four?x=human&o=human&moves={WON.removesuffix('+g')}")
    expect(page.locator("#end-card")).to_be_hidden()
    cell(page, "g4").click()
    expect(page.locator("#status")).to_have_text("Red wins")
    card = page.locator("#end-card")
    expect(card.locator("#card-title")).to_have_text("Red wins")
    expect(card.locator("#card-moves")).to_have_text("11 moves")
    expect(card.locator("#card-accuracy b")).to_have_count(2)  # it is reviewed by itself
    expect(card).to_contain_text("It turned on move")
    won, covered = page.locator(".cell.win").first.bounding_box(), card.bounding_box()
    assert won["y"] >= covered["y"] + covered["height"]  # the line that won stays in sight
    page.click("#card-analyse")
    expect(card).to_be_hidden()
    bar = page.locator("#eval-bar")
    expect(bar).to_have_attribute("aria-label", "Evaluation: Red has won")
    assert bar.evaluate("b => b.style.getPropertyValue('--share')") == "1"
    expect(page.locator("#moves .glyph").first).to_be_visible()
    page.reload()  # the review stays
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#moves .glyph").first).to_be_visible()


def test_a_rematch_keeps_board_players_and_who_begins_and_sides_can_be_swapped(open_page):
    start = "4/4/4/4 o"
    page = open_page(f"/tictactoe?game=tictactoe-4x4x4&{TWO_PEOPLE}&start={start}&moves=b2")
    page.click("#rematch")
    expect(page.locator(".piece")).to_have_count(0)
    expect(page.locator("#status")).to_have_text("O to move")
    expect(page.locator(".cell")).to_have_count(16)
    page = open_page("/tictactoe?x=human&o=greedy&moves=b2+a1")
    page.click("#resign")
    page.click("#card-swap")
    expect(page.locator(".piece")).to_have_count(1)  # the engine begins
    assert "x=greedy&o=human" in page.url


# --- a finger -----------------------------------------------------------------------------------


def test_a_finger_learns_more_of_a_dot_and_swipes_from_panel_to_panel(open_page):
    address = f"/gomoku?{TWO_PEOPLE}&mode=analyse&moves=h8+h9+g8+i8+g9"
    page = open_page(address, width=390, height=844, has_touch=True, is_mobile=True)
    for kind in (".hint:not(.coarse)", ".hint.coarse"):
        expect(page.locator(kind).first).to_be_visible()
    page.uncheck("#engine-on", force=True)
    dots = page.locator(".cell:has(> .hint.coarse)")
    size = "dot => dot.getBoundingClientRect().width"
    dot = dots.first.locator(".hint")
    before = dot.evaluate(size)
    dots.first.tap()
    expect(page.locator("#notice")).to_have_text(re.compile(r"^[a-o]\d+: .+\. Tap again to play"))
    assert dot.evaluate(size) > before

    fingers = page.context.new_cdp_session(page)

    def swipe(x, to, y=0):
        box = page.locator(".side").bounding_box()
        middle = box["y"] + box["height"] / 2
        points = [{"x": x, "y": middle}, {"x": to, "y": middle + y}]
        for kind, where in (("Start", points[:1]), ("Move", points[1:]), ("End", [])):
            fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": where})

    chosen = page.locator("[role=tab][aria-selected=true]")
    swipe(300, 180)
    expect(chosen).to_have_text("Review")
    swipe(300, 200)
    expect(chosen).to_have_text("Explorer")
    swipe(100, 220)
    expect(chosen).to_have_text("Review")
    swipe(300, 270, 5)  # too short
    expect(chosen).to_have_text("Review")


def test_small_squares_are_aimed_at_before_they_are_played(open_page):
    page = open_page(f"/gomoku?{TWO_PEOPLE}", width=390, height=844, has_touch=True, is_mobile=True)
    cell(page, "h8").tap()
    expect(page.locator("#play-aimed")).to_have_text("Play h8")
    assert page.locator(".piece").count() == 0
    cell(page, "g7").tap()  # it was the wrong one
    expect(page.locator("#play-aimed")).to_have_text("Play g7")
    page.locator("#play-aimed").tap()
    expect(page.locator("#moves .move")).to_have_count(1)
    assert pieces(page) == {"g7": "x"}
    expect(page.locator("#play-aimed")).to_be_hidden()
    cell(page, "h8").tap()
    cell(page, "h8").tap()  # a second tap plays, too
    expect(page.locator("#moves .move")).to_have_count(2)


def test_large_squares_are_played_at_once(open_page):
    page = open_page(
        f"/reversi?{TWO_PEOPLE}", width=390, height=844, has_touch=True, is_mobile=True
    )
    cell(page, "f5").tap()
    expect(page.locator("#moves .move")).to_have_count(1)


# --- help ---------------------------------------------------------------------------------------


def test_a_hint_comes_in_steps(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1+a2+b1+b2")
    page.click("#hint")
    expect(notice(page)).to_contain_text("Look at")
    expect(page.locator(".overlay .shade").first).to_be_attached()
    assert page.locator(".cell.hinted").count() == 0
    page.click("#hint")
    expect(notice(page)).to_have_text("c1 is the move.")
    expect(page.locator(".cell.hinted")).to_have_count(1)
    page.click("#hint")
    expect(notice(page)).to_contain_text(
        "c1: Completes a1, b1 and c1 and wins. No other move wins."
    )
    cell(page, "c1").click()
    expect(page.locator(".cell.hinted")).to_have_count(0)
    expect(page.locator("#hint")).to_be_disabled()


def test_help_has_rules_in_pictures_levels_numbers_and_keys(open_page):
    page = open_page("/connect-four")
    page.locator("body").press("?")
    expect(page.locator("#help")).to_be_visible()
    pictures = page.locator(".rules img.for-light")
    expect(pictures).to_have_count(3)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_be_visible()
        picture.evaluate("image => image.decode()")
    expect(page.locator("#levels")).to_contain_text("perfect")
    expect(page.locator("#levels")).to_contain_text("looks 4 plies ahead")
    expect(page.locator("#help .legend").first).to_contain_text("wins in 3 moves · W3")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.click("#mode-analyse")
    page.click("#tab-engines")
    page.click("#engines >> text=What the numbers mean")  # one tap away
    expect(page.locator("#help-numbers")).to_be_in_viewport()


def test_a_long_game_is_reviewed_by_itself_where_the_adviser_is_exact(open_page):
    moves = "d+c+f+g+f+f+c+d+d+f+f+b+c+c+d+a+g+d+d+a+c+a+f"
    page = open_page(f"/connect-four?{TWO_PEOPLE}&mode=play&moves={moves}", alone=True)
    cell(page, "a4").click()
    expect(page.locator("#card-title")).to_have_text("Yellow wins")
    expect(page.locator("#card-story")).to_contain_text("It turned on move 19 (d)")


def test_keys_step_and_turn_the_board(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}&moves=d+d+e")
    page.locator("#status").click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".piece")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".piece")).to_have_count(3)
    first = page.locator("[data-col]").first
    page.keyboard.press("f")
    expect(first).to_have_attribute("data-col", "6")
    page.click("#share-open")
    page.locator("#paste").press("f")  # in a field it is a letter
    expect(first).to_have_attribute("data-col", "6")


def test_the_engine_that_thinks_is_named_and_rated(open_page):
    page = open_page(f"/connect-four?x=human&o=expert&time={FOREVER}", refusals=True)
    Held(page, "/api/search")
    cell(page, "d1").click()
    expect(page.locator("#status")).to_have_text("Yellow is thinking …")
    expect(page.locator("#seat-top b")).to_have_text("expert")
    expect(page.locator("#seat-top small")).to_contain_text("Yellow · rated ")
    expect(page).to_have_title("Yellow is thinking … · Connect Four")
