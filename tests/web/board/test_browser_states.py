"""Every state of the page: axe finds nothing, and Tab gets through it in a few steps."""

import re

import pytest
from paths import AXE
from web_page import PATIENCE, cell

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
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
    """A game that has just begun, with its dialog."""
    page.click("#mode-play")
    page.click("#new")
    page.check("#opponents [value=custom]", force=True)


def playing(page):
    """A person to move, with a hint."""
    page.click("#mode-play")
    page.click("#rematch")
    expect(page.locator(".piece")).to_have_count(4 if "reversi" in page.url else 0)
    page.click("#hint")
    expect(page.locator("#notice")).to_have_text(re.compile(r"^(Look at|.* is the move)"))


def analysing(page):
    """Two moves before the end, with values, lines and the threat."""
    page.click("#back")
    page.click("#back")
    expect(page.locator("#lines li").first).to_be_visible()
    page.click("#threat")


def over(page):
    """The end of a game."""
    page.click("#mode-play")
    page.click("#rematch")
    expect(page.locator(".piece")).to_have_count(4 if "reversi" in page.url else 0)
    page.locator(".cell.open").first.click()
    page.click("#resign")
    expect(page.locator("#end-card")).to_be_visible()


def review(page):
    """A reviewed game, and a mistake of it to be tried again."""
    page.click("#tab-review")
    page.select_option("#review-time", "0.2")
    page.click("#run-review")
    expect(page.locator("#run-review")).to_have_text("Review again")
    if page.locator("#learn").is_visible():
        page.click("#learn")
        expect(page.locator("#coach")).to_be_visible()


def variation(page):
    """Another move than the one played, with a comment."""
    page.locator("#moves .move").first.click()
    page.locator(".cell.open").last.click()
    expect(page.locator("#moves .variation .move[aria-current]")).to_have_count(1)
    page.fill("#comment", "An idea.")
    page.press("#comment", "Enter")
    expect(page.locator("#moves em")).to_have_text("An idea.")


def engines(page):
    """Another engine's view."""
    page.click("#back")
    page.click("#tab-engines")
    page.select_option("#kibitzer", "greedy")
    page.click("#engine-more summary")
    page.click("#ask")
    expect(page.locator("#candidates tbody tr").first).to_be_visible()


def tree(page):
    """A tree with many nodes, after a step into it."""
    page.click("#back")
    page.click("#tab-tree")
    page.select_option("#tree-levels", "1")
    page.click("#grow-game")
    page.locator("#tree .node[role=button]").first.press("Enter")
    expect(page.locator("#tree-path button")).to_have_count(2)
    expect(page.locator("#tree-state")).not_to_have_text("Searching …")


def error(page):
    """Text that is not a game."""
    page.click("#share-open")
    page.fill("#paste", "hello")
    page.click("#paste-open")
    expect(page.locator("#error-paste")).to_be_visible()


def own_games(page):
    """The games that this browser has kept."""
    page.locator("#moves .move").first.click()
    page.wait_for_selector("body[data-saved=yes]")
    page.click("#games-open")
    expect(page.locator("#own-games li").first).to_be_visible()


def help_dialog(page):
    """The dialog with rules, levels, numbers and keys."""
    page.click("#help-open")
    expect(page.locator("#help")).to_be_visible()


STATES = (start, playing, analysing, over, review, variation, engines, tree, error, own_games,
          help_dialog)  # fmt: skip
#: Looked at in every run, each state once; all others are in the full one.
QUICK = {
    ("/tictactoe", "light"): (start, over, engines, error, own_games, playing),
    ("/connect-four", "dark"): (analysing, review, variation, tree, help_dialog),
}


def _states():
    for address in GAMES:
        for scheme in ("light", "dark"):
            for state in STATES:
                quick = state in QUICK.get((address, scheme), ())
                yield pytest.param(
                    address, scheme, state,
                    id=f"{address} {scheme} {state.__name__}",
                    marks=() if quick else (pytest.mark.full,),
                )  # fmt: skip


def violations(page):
    page.mouse.move(0, 0)  # numbers of the line under the pointer are no part of a label
    page.evaluate(AXE.read_text(encoding="utf-8") + "; null")
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]][:3]) for each in found]


STOPS = """() => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex]')].filter((node) =>
    node.tabIndex >= 0 && !node.disabled && node.checkVisibility({visibilityProperty: true})
    && !(node.type === 'radio' && !node.checked)  // a group is one stop
    && (!document.querySelector('dialog:modal') || node.closest('dialog:modal'))
    && !node.closest('[inert]')).map((node) => node.id || node.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize(("address", "scheme", "state"), list(_states()))
def test_axe_finds_nothing_and_tab_stops_are_few(open_page, address, scheme, state):
    address = f"{address}?{TWO_PEOPLE}&moves={GAMES[address]}"
    page = open_page(address, refusals=True, color_scheme=scheme)
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
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+a1&mode=analyse")
    expect(page.locator("#engine-facts")).to_contain_text("proven")
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
        (page.locator("#to-start"), "ArrowRight", page.locator("#back")),
        (cell(page, "b2"), "ArrowRight", cell(page, "c2")),
        (page.locator("#glyphs button").first, "ArrowRight", page.locator("#glyphs button").nth(1)),
    ]:
        control.focus()
        page.keyboard.press(key)
        expect(following).to_be_focused()
