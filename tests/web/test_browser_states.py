"""Every state of the page: axe finds nothing, and Tab gets through it in a few steps."""

import re
from pathlib import Path

import pytest
from web_page import PATIENCE, cell

pytest_plugins = ["web_browser", "web_engines"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
TWO_PEOPLE = "x=human&o=human"
MOST_STOPS = 40

#: Games that are over, with mistakes in them.
GAMES = {
    "/tictactoe": "b2+b1+a1+a2+c3",
    "/connect-four": "d+e+e+f+f+g+f+g+g+a+g",
    "/gomoku": "h8+a1+h9+a2+h10+a3+h11+a4+h12",
    "/reversi": "e6+f4+e3+f6+g5+d6+e7+f5+c5",
}


def start(page):
    """A game that has just begun, with every panel open that can be."""
    page.click("#paste-game summary")
    page.select_option("#seat-o", "custom")


def playing(page):
    """A person to move, with an analysis."""
    page.click("#undo")
    page.select_option("#kibitzer", "greedy")
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_contain_text(": finished")
    expect(page.locator(".hint, .refused").first).to_be_attached()


def thinking(page):
    """An engine that does not stop by itself."""
    page.click("#undo")
    page.select_option("#kibitzer", "ponderer")
    page.check("#analyse")
    expect(page.locator("#candidates tr[data-move]").first).to_be_visible()
    expect(page.locator("#stop")).to_be_enabled()


def over(page):
    """The end of a game."""
    expect(page.locator("#ending")).to_be_visible()


def review(page):
    """A reviewed game, a mistake of it to be tried again."""
    page.select_option("#kibitzer", "greedy")
    page.click("#end-review")
    # Until it is over the mistakes are drawn again and again.
    expect(page.locator("#review-state")).to_have_text(
        re.compile(r"^(\d+ moves? could have been better|No mistakes found)\.$")
    )
    expect(page.locator("#graph .dot").first).to_be_visible()
    mistakes = page.locator("#mistakes button")
    if mistakes.count():
        mistakes.first.click()
        expect(page.locator("#try")).to_be_visible()


def side_line(page):
    """Another move than the one played."""
    page.locator("#history button").first.click()
    expect(page.locator("#ending")).to_be_hidden()
    page.locator(".cell.open").last.click()
    expect(page.locator("#side-line")).to_be_visible()


def tree(page):
    """A tree with many nodes, after a step into it."""
    page.click("#undo")
    expect(page.locator("#ending")).to_be_hidden()  # there is no tree of the end
    page.click("#tab-tree")
    page.select_option("#tree-levels", "1")
    page.click("#grow-game")
    page.locator("#tree .node[role=button]").first.press("Enter")
    expect(page.locator("#tree-path button")).to_have_count(2)
    expect(page.locator("#tree-state")).not_to_have_text("Searching …")


def error(page):
    """Text that is not a game."""
    page.click("#paste-game summary")
    page.fill("#paste", "hello")
    page.click("#paste-open")
    expect(page.locator("#error-paste")).to_be_visible()


def refused(page):
    """A square that cannot be chosen."""
    page.click("#undo")
    expect(page.locator("#ending")).to_be_hidden()
    page.locator(".cell[aria-disabled=true]").first.click(force=True)
    expect(page.locator("#notice")).not_to_have_text("")


def help_dialog(page):
    """The dialog with rules, levels, numbers and keys."""
    page.click("#help-open")
    expect(page.locator("#help")).to_be_visible()


STATES = (start, playing, thinking, over, review, side_line, tree, error, refused, help_dialog)
#: Looked at in every run, each state once; all others are in the full one.
QUICK = {
    ("/tictactoe", "light"): (start, playing, over, error, refused),
    ("/connect-four", "dark"): (thinking, review, side_line, tree, help_dialog),
}


def _states():
    for address in GAMES:
        for scheme in ("light", "dark"):
            for state in STATES:
                if state is refused and address == "/connect-four":
                    continue  # no column is full in this game: every square can be chosen
                quick = state in QUICK.get((address, scheme), ())
                yield pytest.param(
                    address, scheme, state,
                    id=f"{address} {scheme} {state.__name__}",
                    marks=() if quick else (pytest.mark.full,),
                )  # fmt: skip


def violations(page):
    page.evaluate(AXE.read_text(encoding="utf-8") + "; null")
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]][:3]) for each in found]


STOPS = """() => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex]')].filter((node) =>
    node.tabIndex >= 0 && !node.disabled && node.checkVisibility({visibilityProperty: true})
    && !node.closest('[inert]')).map((node) => node.id || node.outerHTML.slice(0, 80))"""


@pytest.mark.usefixtures("ponderer")
@pytest.mark.parametrize(("address", "scheme", "state"), list(_states()))
def test_axe_finds_nothing_and_tab_stops_are_few(open_page, address, scheme, state):
    moves = "" if state is start else f"&moves={GAMES[address]}"
    page = open_page(f"{address}?{TWO_PEOPLE}{moves}", refusals=True, color_scheme=scheme)
    state(page)
    assert violations(page) == []
    stops = page.evaluate(STOPS)
    assert len(stops) <= MOST_STOPS, stops


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.full)])
def test_axe_finds_nothing_at_home(open_page, scheme):
    page = open_page("/", color_scheme=scheme)
    assert violations(page) == []


def test_tab_reaches_everything(open_page):
    """Every control, in one round of Tab; arrows reach the rest of each list."""
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+a1")
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_contain_text(": finished")
    expected = page.evaluate(STOPS)
    page.locator("body").focus()
    seen = []
    for _ in range(MOST_STOPS + 5):
        page.keyboard.press("Tab")
        now = page.evaluate(
            "() => document.activeElement.id || document.activeElement.outerHTML.slice(0, 80)"
        )
        if now in seen:
            break
        seen.append(now)
    assert set(expected) <= set(seen)
    for control, key, following in [
        (page.locator("#undo"), "ArrowRight", page.locator("#flip")),  # Redo is disabled
        (cell(page, "b2"), "ArrowRight", cell(page, "c2")),
        (page.locator("#history button").last, "ArrowUp", page.locator("#history button").first),
    ]:
        control.focus()
        page.keyboard.press(key)
        expect(following).to_be_focused()
