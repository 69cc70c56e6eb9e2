"""The head of the site, preferences, sharing, the editor, the explorer: as a visitor meets them."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pytest
from paths import AXE, ROOT
from web_page import PATIENCE, Held, cell, pieces
from web_running import eventually

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
ANALYSE = "mode=analyse&x=human&o=human"
#: Values in the picture of the home page that have not enough room, or touch the one before.
TIGHT = """() => [...document.querySelectorAll('.marks-row span')].filter((chip) => {
  const text = document.createRange();
  text.selectNodeContents(chip);
  const [inner, outer] = [text.getBoundingClientRect(), chip.getBoundingClientRect()];
  const before = chip.previousElementSibling?.getBoundingClientRect().right ?? 0;
  return inner.left < outer.left || inner.right > outer.right || outer.left < before + 1;
}).map((chip) => chip.textContent)"""
MOST_BYTES, MOST_REQUESTS = 100_000, 45


def violations(page):
    page.mouse.move(0, 0)  # the values of other moves are pale while a line is shown
    expect(page.locator(".with-line")).to_have_count(0)
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [(rule["id"], [node["target"] for node in rule["nodes"]]) for rule in found]


# --- the head -------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/", "/analyse", "/puzzles", "/learn", "/theatre", "/arena"])
def test_the_sections_are_in_one_line_and_in_sight(open_page, web_server, address):
    page = open_page("/", width=320, height=844)
    page.goto(web_server + address)
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        boxes = [link.bounding_box() for link in page.locator(".top nav a").all()]
        assert len(boxes) == 6
        assert len({round(box["y"]) for box in boxes}) == 1, width
        assert min(box["x"] for box in boxes) >= 0, width
        assert max(box["x"] + box["width"] for box in boxes) <= width
        assert min(box["height"] for box in boxes) >= 24, width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(TIGHT) == [], width


def test_on_a_phone_the_page_of_a_game_keeps_the_sections_behind_a_button(open_page):
    page = open_page(f"/reversi?{ANALYSE}", width=390, height=844)
    links = page.locator(".top nav a")
    expect(links.first).to_be_hidden()
    page.click("#sections-open")
    expect(links.first).to_be_visible()
    expect(page.locator(".top nav [aria-current]")).to_have_text("Analyse")
    tools = [button.bounding_box() for button in page.locator(".top button:visible").all()]
    assert len(tools) == 6
    tools.sort(key=lambda box: box["x"])
    for one, other in pairwise(tools):
        assert one["x"] + one["width"] <= other["x"] + 1
    page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()


def test_the_word_in_the_head_follows_the_mode(open_page):
    page = open_page("/tictactoe?x=human&o=human")
    expect(page.locator(".top nav [aria-current]")).to_have_text("Play")
    page.click("#mode-analyse")
    expect(page.locator(".top nav [aria-current]")).to_have_text("Analyse")


def test_a_page_of_a_game_stays_light(open_page):
    page = open_page("/", alone=True)
    home, seen = page.url, []
    page.goto("about:blank")  # what the home page still asks for is not this page's weight
    browser = page.context.new_cdp_session(page)
    browser.send("Network.enable")
    browser.send("Network.clearBrowserCache")
    browser.on("Network.loadingFinished", lambda event: seen.append(event["encodedDataLength"]))
    page.goto(home + "connect-four?x=human&o=human")
    page.wait_for_selector("body[data-ready]")
    assert len(seen) <= MOST_REQUESTS
    assert sum(seen) <= MOST_BYTES


# --- preferences ----------------------------------------------------------------------------


def test_preferences_are_kept_and_hold_at_once(open_page):
    page = open_page(f"/connect-four?{ANALYSE}&moves=d+e", alone=True)
    page.click("#preferences-open")
    page.select_option("#prefer-board", "wood")
    page.select_option("#prefer-pieces", "letters")
    page.select_option("#prefer-colours", "dark")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("html")).to_have_attribute("data-board", "wood")
    letter = "getComputedStyle(document.querySelector('.piece.x .face'), '::before').content"
    assert eventually(lambda: page.evaluate(letter) == '"X"')
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("html")).to_have_attribute("data-pieces", "letters")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.click("#theme")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_values_while_playing_are_one_wish_in_two_places(open_page):
    page = open_page("/tictactoe?x=human&o=human", alone=True)
    expect(page.locator("#show-truth")).not_to_be_checked()
    page.click("#preferences-open")
    page.select_option("#prefer-spoilers", "on")
    page.keyboard.press("Escape")
    expect(page.locator("#show-truth")).to_be_checked()
    page.uncheck("#show-truth")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#show-truth")).not_to_be_checked()
    page.click("#preferences-open")
    expect(page.locator("#prefer-spoilers")).to_have_value("")


def test_resigning_asks_once_more_where_that_is_wanted(open_page):
    page = open_page("/tictactoe?x=human&o=human&moves=b2", alone=True)
    page.click("#preferences-open")
    page.select_option("#prefer-confirm", "ask")
    page.keyboard.press("Escape")
    page.click("#resign")
    expect(page.locator("#resign")).to_have_text("Really?")
    expect(page.locator("#end-card")).to_be_hidden()
    page.click("#resign")
    expect(page.locator("#end-card")).to_be_visible()


def test_sounds_are_made_only_where_they_are_wanted(open_page):
    page = open_page("/tictactoe?x=human&o=human", alone=True)
    page.evaluate(
        """() => { window.heard = 0;
          const Real = OscillatorNode;
          window.OscillatorNode = class extends Real {
            start(...at) { window.heard += 1; super.start(...at); } }; }"""
    )
    cell(page, "b2").click()
    expect(page.locator(".piece")).to_have_count(1)
    assert page.evaluate("window.heard") == 0
    page.click("#preferences-open")
    page.select_option("#prefer-sounds", "on")
    page.keyboard.press("Escape")
    cell(page, "a1").click()
    assert eventually(lambda: page.evaluate("window.heard") == 1)


# --- sharing --------------------------------------------------------------------------------


def test_a_game_is_shared_as_link_picture_code_and_text(open_page):
    page = open_page(f"/reversi?{ANALYSE}&moves=f5+d6+c3&ply=2", alone=True)
    cell(page, "c4").click(button="right")
    expect(page.locator(".overlay .own")).to_have_count(1)
    page.click("#share-open")
    page.click("#share-more")
    dialog = page.locator("#share-dialog")
    expect(dialog.locator(".share-picture")).to_have_attribute("src", re.compile("ply=2.*marks="))
    loaded = "image => image.decode().then(() => image.naturalWidth)"
    assert dialog.locator(".share-picture").evaluate(loaded) > 0
    dialog.get_by_text("Code to scan").click()
    assert dialog.locator(".share-code").evaluate(loaded) > 0
    text = dialog.get_by_label("The game as text")
    expect(text).to_have_value("f5d6")
    dialog.get_by_label("Kind of text").select_option("file:sgf")
    expect(text).to_have_value(re.compile(r"^\(;"))
    assert violations(page) == []
    with page.expect_download() as png:
        dialog.get_by_role("button", name="PNG").click()
    assert Path(png.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    with page.expect_download() as replay:
        dialog.get_by_role("link", name="Replay").click()
    assert Path(replay.value.path()).read_text("utf-8").count("<animate ") > 3


@pytest.fixture
def other_site():
    """The address of a page that is served by somebody else, and a dictionary with its HTML."""
    page = {"html": ""}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page["html"].encode() if self.path == "/" else b"")

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/", page
        server.shutdown()
        thread.join()


def test_another_site_may_show_the_game_and_step_through_it(open_page, web_server, other_site):
    page = open_page("/", alone=True)
    address = f"{web_server}/embed?game=connect-four&moves=d+d+e&ply=1"
    other, its = other_site
    its["html"] = f'<iframe src="{address}" width="480" height="540" title="game"></iframe>'
    page.goto(other)
    frame = page.frame_locator("iframe")
    expect(frame.locator("output")).to_have_text("1 / 3")
    frame.get_by_label("One move forward").click()
    expect(frame.locator("img").first).to_have_attribute("src", re.compile("ply=2"))
    expect(frame.locator("output")).to_have_text("2 / 3 d")
    frame.get_by_label("To the end").click()
    expect(frame.get_by_label("One move forward")).to_be_disabled()
    page.goto(address)
    assert violations(page) == []


@pytest.mark.parametrize("from_a_file", [False, True])
def test_the_page_of_the_recipe_shows_board_and_game(
    open_page, web_server, other_site, tmp_path, from_a_file
):
    recipe = (ROOT / "docs/howto/own_page_board.md").read_text("utf-8")
    html = re.search("```html[^\n]*\n(.*?)```", recipe, re.DOTALL)[1]
    html = html.replace("http://localhost:5001", web_server)
    page = open_page("/", alone=True)
    if from_a_file:
        file = tmp_path / "index.html"
        file.write_text(html, "utf-8")
        page.goto(file.as_uri())
    else:
        other, its = other_site
        its["html"] = html
        page.goto(other)
    expect(page.frame_locator("iframe").locator("output")).to_have_text(re.compile("4 / 4"))
    page.wait_for_function("document.querySelector('img').naturalWidth > 0")


# --- editor and explorer --------------------------------------------------------------------


def test_a_position_is_set_up_refused_with_a_reason_and_analysed(open_page):
    page = open_page(f"/connect-four?{ANALYSE}", alone=True)
    page.keyboard.press("e")
    square = page.locator("#set-up-dialog [data-square='10']")
    square.click()
    expect(page.locator(".set-up-said")).to_have_text(
        "The piece on d2 floats: the cell below it is empty."
    )
    analyse = page.locator("#set-up-dialog").get_by_role("button", name="Analyse")
    expect(analyse).to_be_disabled()
    page.locator("[name=set-up-piece][value='-1']").check()
    square.focus()
    page.keyboard.press("ArrowDown")  # the squares are one stop for Tab, arrows walk
    page.keyboard.press("Enter")
    page.locator("[name=set-up-player][value='1']").check()
    expect(page.locator(".set-up-said")).to_have_text("This position can be played.")
    assert violations(page) == []
    analyse.click()
    expect(page.locator("#set-up-dialog")).to_have_count(0)
    expect(page.locator(".cell .piece")).to_have_count(2)
    expect(page.locator("#status")).to_have_text("Red to move")
    assert pieces(page) == {"d1": "o", "d2": "x"}
    expect(page).to_have_url(re.compile("start="))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert pieces(page) == {"d1": "o", "d2": "x"}


def test_a_famous_position_opens_from_its_picture(open_page):
    page = open_page(f"/tictactoe?{ANALYSE}", alone=True)
    page.click("#set-up")
    page.get_by_role("button", name="Two opposite corners").click()
    expect(page.locator("#status")).to_have_text("O to move")
    assert pieces(page) == {"a1": "x", "b2": "o", "c3": "x"}


def test_the_explorer_joins_mirror_images_and_ones_own_games(open_page):
    page = open_page("/connect-four?x=human&o=human", alone=True)
    for count, column in enumerate("cdef", 1):
        cell(page, f"{column}1").click()
        expect(page.locator(".piece")).to_have_count(count)
    page.wait_for_selector("body[data-saved=yes]")
    page.click("#mode-analyse")
    page.click("#to-start")
    held, note = [], page.locator("#explorer-note")
    page.route("**/api/explorer", lambda route: held.append(route))
    page.click("#tab-explorer")
    expect(note).to_have_text("Looking …")  # the book has not answered yet
    rows = page.locator("#explorer-rows tr")

    while held:
        held.pop().continue_()
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("W21")
    joined = page.locator("#explorer-rows tr", has_text="1 game")
    expect(joined).to_have_count(1)
    expect(joined.locator("button")).to_have_text("c")
    expect(joined.locator("small")).to_have_text("e")
    assert violations(page) == []
    rows.first.locator("button").click()
    expect(page.locator("#where")).to_have_text("after 1 move")
    expect(note).to_have_text("Looking …")
    expect(rows).to_have_count(0)  # those of the position before cannot be played here
    while held:
        held.pop().continue_()
    page.unroute("**/api/explorer")
    expect(rows).not_to_have_count(0)
    page.click("#to-start")
    for count, column in enumerate("edc", 1):  # other moves, the same position
        cell(page, f"{column}1").click()
        expect(page.locator(".piece")).to_have_count(count)
    expect(page.locator("#explorer-note")).to_contain_text("1 game of yours came here.")
    expect(joined.locator("small")).to_have_text("f")  # the twin of b here


def test_options_of_an_engine_are_a_form(open_page):
    page = open_page("/connect-four?x=human&o=human", alone=True)
    page.click("#new")
    page.check("#opponents [value=custom]", force=True)
    page.click("#spec-options")
    dialog = page.locator("#options-dialog")
    dialog.get_by_label("Engine").select_option("mcts")
    dialog.locator("#option-simulations").fill("500")
    dialog.locator("#option-simulations").press("Tab")
    dialog.locator("#option-tactics").select_option("off")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#spec")).to_have_value("mcts:simulations=500,tactics=off")


# --- home -----------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/", "/play", "/analyse"])
def test_axe_finds_nothing_on_the_pages_that_lead(open_page, web_server, address):
    page = open_page("/", color_scheme="dark")
    page.goto(web_server + address)
    assert violations(page) == []


def test_a_game_that_was_begun_is_continued_from_home(open_page, web_server):
    page = open_page("/tictactoe?x=human&o=human&game=tictactoe-4x4x4", alone=True)
    cell(page, "b2").click()
    page.wait_for_selector("body[data-saved=yes]")
    held = Held(page, "/api/line")
    cell(page, "a1").click()
    held.wait()  # the page is left before the answer: the move counts
    expect(page.locator(".piece")).to_have_count(2)
    for address in ("/play", "/"):
        page.goto(f"{web_server}{address}")
        page.unroute("**/api/line")
        page.wait_for_selector("body[data-ready]")
        kept = page.locator("#continue a")
        expect(kept).to_have_count(1)
        expect(kept).to_contain_text("2 moves, not finished")
        expect(kept.locator("strong")).to_have_text("Tic-Tac-Toe 4×4×4")  # people without names
    expect(kept.locator(".for-light")).to_have_attribute("src", re.compile(r"line=5\.0"))
    kept.click()
    page.wait_for_selector("body[data-ready]")
    assert pieces(page) == {"b2": "x", "a1": "o"}


def test_a_game_that_waits_for_a_move_is_not_pushed_out_by_analyses(open_page, web_server):
    page = open_page("/tictactoe?x=human&o=first", alone=True)
    cell(page, "b2").click()
    expect(page.locator(".piece")).to_have_count(2)
    page.wait_for_selector("body[data-saved=yes]")
    for moves in ("a1", "a2", "a3"):
        page.goto(f"{web_server}/tictactoe?{ANALYSE}&moves={moves}")
        page.wait_for_selector("body[data-ready]")
        for count, name in enumerate(("c3", "c2"), 2):  # only the first move was played
            cell(page, name).click()
            expect(page.locator(".piece")).to_have_count(count)
        page.wait_for_selector("body[data-saved=yes]")
    page.click("#back")
    page.click("#back")
    expect(page.locator(".piece")).to_have_count(1)
    page.wait_for_selector("body[data-saved=yes]")
    page.goto(f"{web_server}/")
    page.wait_for_selector("body[data-ready]")
    kept = page.locator("#continue a:visible")
    expect(kept).to_have_count(3)
    expect(kept.first).to_contain_text("You – first")
    expect(kept.nth(1)).to_contain_text("1 move, not finished")  # the picture shows
    expect(kept.nth(2)).to_contain_text("3 moves, not finished")
    page.get_by_text("1 more game").click()
    expect(kept).to_have_count(4)
    assert violations(page) == []


def test_the_analysis_searches_without_an_end_and_continues_after_making_way(open_page):
    page = open_page("/", alone=True)
    asked = []

    def answer(route):
        body = json.loads(route.request.post_data)
        asked.append(body)
        found = {"best": 4, "player": 1, "value": 0.1, "proven": False, "depth": len(asked),
                 "elapsed": 1.0, "text": "X ≈ 55 %", "engine": "minimax", "left_out": 0,
                 "lines": {}, "line": [4], "notes": [], "candidates": []}  # fmt: skip
        name = "preempted" if len(asked) == 1 else "done"
        text = f"event: {name}\ndata: {json.dumps(found)}\n\n"
        route.fulfill(content_type="text/event-stream", body=text)

    page.route("**/api/search", answer)
    page.goto(page.url + f"tictactoe?{ANALYSE}")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#engine-facts")).to_contain_text("depth 2")
    assert [body.get("endless") for body in asked] == [True, True]
    assert all("time" not in body for body in asked)
