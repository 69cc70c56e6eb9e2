"""One evening on the page of a game: whatever is done, everything is there afterwards."""

from contextlib import ExitStack

import pytest
from web_page import FOREVER, HERE, PATIENCE, cell, pieces
from web_running import running_server

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.records import GameRecord  # noqa: E402
from rl_toolkit.records.tree import Mark, Note  # noqa: E402
from rl_toolkit.web import ServerLimits  # noqa: E402

expect.set_options(timeout=PATIENCE)


class Host:
    """A server that is stopped, and started again at the same address."""

    port = 0

    def __init__(self):
        self._running = ExitStack()
        self.start()

    def start(self):
        limits = ServerLimits(**dict.fromkeys(("time", "patience"), FOREVER))
        self.port = self._running.enter_context(running_server(limits, self.port)).effective_port

    def stop(self):
        self._running.close()


@pytest.fixture
def host():
    host = Host()
    yield host
    host.stop()


@pytest.fixture
def web_server(host):
    return f"http://{HERE}:{host.port}"


def variations(page):
    return page.locator("#moves .variation .move b").all_inner_texts()


def ready(page):
    page.wait_for_selector("body[data-ready]")
    return page


def test_one_evening(open_page, host):
    # Play, and lose.
    page = open_page(
        "/connect-four?x=human&o=perfect&moves=a+d+b+e+a+f", refusals=True, alone=True,
        permissions=["clipboard-read", "clipboard-write"],
    )  # fmt: skip
    cell(page, "e2").click()
    expect(page.locator("#card-title")).to_have_text("Yellow wins")

    # It is reviewed by itself, and the mistakes are learned from.
    expect(page.locator("#card-story")).to_contain_text("It turned on move 1")
    expect(page.locator("#card-story")).to_contain_text("It was over at move 5")
    expect(page.locator("#card-learn")).to_have_text("Learn from 2 mistakes")
    page.click("#card-learn")
    expect(page.locator("#coach-text")).to_have_text("Red played a. Find a better move.")
    cell(page, "d1").click()
    expect(page.locator("#coach-text")).to_contain_text("d is right.")
    page.click("#coach-next")
    cell(page, "c1").click()  # all moves lose; this one holds out longest
    expect(page.locator("#coach-text")).to_contain_text("c is right.")
    page.click("#coach-next")
    expect(page.locator("#coach")).to_be_hidden()
    assert variations(page) == ["d", "c"]

    # Another idea, and a comment.
    page.locator("#moves .move.played").nth(3).click()
    cell(page, "f1").click()
    expect(page.locator("#moves [aria-current] b")).to_have_text("f")
    page.fill("#comment", "Blocks one end.")
    page.press("#comment", "Enter")
    expect(page.locator("#moves em")).to_have_text("Blocks one end.")
    page.locator("#glyphs button", has_text="!?").click()
    cell(page, "c1").click(button="right")
    expect(page.locator(".ring.own")).to_have_count(1)

    # Two engines.
    expect(page.locator("#verdict")).to_contain_text("Yellow wins in ")
    page.click("#tab-engines")
    page.select_option("#kibitzer", "greedy")
    page.click("#ask")
    expect(page.locator("#ask-state")).to_contain_text("greedy: ")
    page.select_option("#kibitzer", "minimax")
    page.select_option("#ask-time", "2")
    page.click("#ask")
    expect(page.locator("#ask-state")).to_contain_text("minimax: ")
    expect(page.locator("#candidates tbody tr").first).to_be_visible()
    page.click("#tab-moves")

    # A reload and a second tab.
    def is_all_there(page):
        expect(page.locator("#moves .played b")).to_have_text(list("adbeafec"))
        assert sorted(variations(page)) == ["c", "d", "f"]
        expect(page.locator("#moves em")).to_have_text("Blocks one end.")
        expect(page.locator("#moves .variation .glyph")).to_have_text("!?")

    page.reload()
    is_all_there(ready(page))
    expect(page.locator("#moves .pair .glyph")).to_have_count(2)  # the review, too
    expect(page.locator("#verdict")).to_contain_text("Yellow wins in ")
    with page.context.expect_page() as opened:
        page.evaluate("open('/connect-four', '_blank')")
    other = ready(opened.value)
    other.click("#games-open")
    other.locator("#own-games .game-row").first.click()
    is_all_there(other)
    other.close()

    # The server is gone for a while: nothing is lost, and what failed can be done again.
    page.keyboard.press("Shift")  # what is used is loaded wholly, a little later
    page.wait_for_selector("body[data-loaded]")
    host.stop()
    page.click("#games-open")  # for the first time on this page
    expect(page.locator("#own-games .game-row").first).to_be_visible()
    page.keyboard.press("Escape")
    before = pieces(page)
    cell(page, "g1").click()
    expect(page.locator("#complaint")).to_contain_text("The server cannot be reached")
    assert pieces(page) == before
    is_all_there(page)
    host.start()
    cell(page, "g1").click()
    expect(page.locator(".piece")).to_have_count(len(before) + 1)
    expect(page.locator("#complaint")).to_be_hidden()
    page.click("#remove")

    # A link for a friend, and a file.
    page.click("#share-open")
    page.click("#copy-link")
    expect(page.locator("#link-state")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as download:
        page.click("#save")
    friend = open_page(link[link.index("/connect-four") :])
    is_all_there(friend)
    record = GameRecord.load(download.value.path())
    assert len(record.moves) == 8
    assert len(record.variations) == 3
    assert record.notes == {}  # the players are named once, times are a header
    assert "move times" in record.headers
    [noted] = [each for each in record.variations if each.comments]
    assert noted.notes == {1: Note("!?", marks=(Mark("circle", 2),))}
    elsewhere = open_page("/tictactoe")
    elsewhere.click("#share-open")
    with elsewhere.expect_file_chooser() as chooser:
        elsewhere.click("#open")
    chooser.value.set_files(download.value.path())
    expect(elsewhere.locator("h1")).to_have_text("Connect Four")
    is_all_there(ready(elsewhere))
    expect(elsewhere.locator("#facts")).to_contain_text("perfect")

    # Another main line does not change the game as it was played.
    elsewhere.locator("#moves .variation .move", has_text="f").click()
    expect(elsewhere.locator(".ring.own")).to_have_count(1)
    elsewhere.click("#make-main")
    elsewhere.click("#share-open")
    with elsewhere.expect_download() as download:
        elsewhere.click("#save")
    again = GameRecord.load(download.value.path())
    assert (again.moves, again.headers) == (record.moves, record.headers)
    assert [each.ahead for each in again.variations] == [False, True, False]

    # A position is set up by hand, from the one that is shown; Back leads to the game again.
    page.keyboard.press("Escape")
    there = len(pieces(page))
    page.click("#set-up")
    page.locator("[name=set-up-piece][value='0']").check()
    page.locator("#set-up-dialog").get_by_role("button", name="f1: Red").click()
    page.locator("[name=set-up-player][value='1']").check()
    page.locator("#set-up-dialog").get_by_role("button", name="Analyse").click()
    expect(page.locator(".piece")).to_have_count(there - 1)
    expect(page.locator("#moves .move")).to_have_count(0)
    page.go_back()
    is_all_there(page)

    # Tomorrow is another day.
    page.click("#mode-play")
    page.click("#rematch")
    expect(page.locator(".piece")).to_have_count(0)
    page.go_back()
    is_all_there(page)
