"""What every screen must show: no text cut or overlapping, no target too small or out of reach."""

import pytest
from breakthrough_game import Breakthrough
from hex_game import Hex
from nim_game import Nim
from web_page import PATIENCE

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.envs import register_game, registry  # noqa: E402

expect.set_options(timeout=PATIENCE)
#: The last one is the second at 200 %.
SIZES = [(1440, 900), (1280, 720), (1024, 768), (390, 844), (844, 390), (320, 640), (640, 360)]
TWO_PEOPLE = "x=human&o=human"

#: Games that have begun.
GAMES = {
    "tictactoe": "b2+b1+a1+a2",
    "connect-four": "d+e+e+f+f+g+f+g+g+a",
    "gomoku": "h8+a1+h9+a2+h10+a3+h11+a4",
    "reversi": "e6+f4+e3+f6+g5+d6+e7+f5",
    "hex": "c3+b2",
    "breakthrough": "c2c3+c4d3",
    "nim": "Take-1",
}

#: Text that is cut: what is written needs more room than it has, and nothing lets one scroll to it.
CUT = """() => {
  const shown = (node) => node.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const own = (node) => [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const skipped = '.hidden-text, .board-container, .overlay, option, select, textarea, svg, .steps';
  const cut = [];
  for (const node of document.querySelectorAll('main *, header *, [popover]:popover-open *')) {
    if (!own(node) || !shown(node) || node.closest(skipped)) continue;
    const style = getComputedStyle(node);
    if (style.overflowX === 'visible' || style.overflowX === 'auto') continue;
    if (node.scrollWidth > node.clientWidth + 1) cut.push(node.textContent.trim().slice(0, 60));
  }
  return cut;
}"""

#: Texts that lie on each other, as far as they are to be seen; what floats above the page may, and
#: so may tabs, under which their panels scroll on small screens.
OVERLAPPING = """() => {
  const floats =
    '#end-card, #graph-tip, .board-container, .overlay, .hidden-text, dialog, [popover], '
    + '.side [role=tablist]';
  const clipped = (node, box) => {
    for (let up = node.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === 'visible') continue;
      const edge = up.getBoundingClientRect();
      box = {left: Math.max(box.left, edge.left), right: Math.min(box.right, edge.right),
             top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom)};
    }
    return box;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, node = text.parentElement;
    if (!text.data.trim() || node.closest(floats + ', script, style, select, svg')) continue;
    if (!node.checkVisibility({visibilityProperty: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) {
      const box = clipped(node, rect);
      if (box.right - box.left > 2 && box.bottom - box.top > 2)
        texts.push({...box, said: text.data.trim().slice(0, 40)});
    }
  }
  const lie = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
                     && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return texts.flatMap((a, k) => texts.slice(k + 1).filter((b) => lie(a, b))
              .map((b) => `${a.said} | ${b.said}`));
}"""

#: Controls that are smaller than a fingertip needs; labels of a switch belong to it.
SMALL = """() => [...document.querySelectorAll(
    'main :is(button, input, select, textarea, a[href])')]
  .filter((node) => node.checkVisibility({visibilityProperty: true})
                    && !node.closest('.board-container, p, svg'))
  .map((node) => [node, node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 23.5 || box.height < 23.5)
  .map(([node, box]) => `${node.id || node.outerHTML.slice(0, 60)} ${box.width}x${box.height}`)"""

#: Words that are broken in two where a line ends.
BROKEN = """() => {
  const broken = [], range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.parentElement.closest('.hidden-text, script, option, textarea')) continue;
    if (!text.parentElement.checkVisibility({visibilityProperty: true})) continue;
    for (const {0: word, index} of text.data.matchAll(/[\\p{L}\\d]{2,14}/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({top}) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
}"""

#: Values of moves that lie on each other.
TOUCHING = """() => {
  const chips = [...document.querySelectorAll('.hint:not(.coarse)')]
    .map((chip) => [chip.textContent, chip.getBoundingClientRect()]);
  const lie = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
                     && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  return chips.flatMap(([said, a], k) => chips.slice(k + 1).filter(([, b]) => lie(a, b))
              .map(([other]) => `${said} | ${other}`));
}"""

#: Needed without scrolling, where it is shown at all.
OUTSIDE = """(needed) => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const out = wide > 0 ? [`the page is ${wide} pixels too wide`] : [];
  for (const selector of needed) {
    const node = document.querySelector(selector);
    if (!node || !node.checkVisibility()) { out.push(`${selector} is not shown`); continue; }
    const box = node.getBoundingClientRect();
    if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
      out.push(`${selector} is outside: ${Math.round(box.left)} ${Math.round(box.top)} `
               + `${Math.round(box.right)} ${Math.round(box.bottom)}`);
  }
  return out;
}"""
ALWAYS = ["#status", "#mode-play", "#mode-analyse", "#board", "#back", "#forward"]


def playing(page, game):
    """A game that is played."""
    expect(page.locator("#hint")).to_be_visible()
    return ["#take-back", "#hint", "#resign", "#rematch", "#seat-top b", "#seat-bottom b"]


def over(page, game):
    """The end of a game."""
    page.click("#resign")
    expect(page.locator("#card-accuracy b")).to_have_count(2)
    return ["#card-title", "#card-rematch", "#card-analyse"]


def analysing(page, game):
    """A position with values, a variation and a comment."""
    page.click("#mode-analyse")
    expect(page.locator("#lines li").first).to_be_visible()
    page.uncheck("#engine-on", force=True)
    page.locator("#lines .keep").last.click()
    page.fill("#comment", "A comment of some length, so that it takes more than one line.")
    page.press("#comment", "Enter")
    expect(page.locator("#moves")).to_contain_text("A comment of some length")
    return ["#verdict", "#tab-moves", "#tab-tree"]


def learning(page, game):
    """A mistake that is tried again."""
    page.click("#mode-analyse")
    page.click("#tab-review")
    page.select_option("#review-time", "0.2")
    page.click("#run-review")
    expect(page.locator("#run-review")).to_have_text("Review again")
    if not page.locator("#learn").is_visible():
        pytest.skip("this game has no mistakes")
    page.click("#learn")
    expect(page.locator("#coach")).to_be_visible()
    return ["#coach-text", "#coach-hint", "#coach-next"]


def reviewed(page, game):
    """What a review says of a game against a level with a longer name."""
    page.goto(f"{page.url.split('?')[0]}?x=human&o=medium&mode=analyse&moves={GAMES[game]}")
    page.wait_for_selector("body[data-ready]")
    page.click("#tab-review")
    page.select_option("#review-time", "0.2")
    page.click("#run-review")
    expect(page.locator("#run-review")).to_have_text("Review again")
    return ["#tab-review", "#tab-tree"]


STATES = (playing, over, analysing, learning, reviewed)
QUICK = {("connect-four", analysing), ("reversi", playing), ("tictactoe", over)}


@pytest.fixture(autouse=True)
def _other_games(monkeypatch, web_server):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    for game in (Hex, Breakthrough, Nim):
        register_game(game)


@pytest.mark.parametrize(
    ("game", "state"),
    [
        pytest.param(
            game, state,
            id=f"{game} {state.__name__}",
            marks=() if (game, state) in QUICK else pytest.mark.full,
        )
        for game in GAMES
        for state in STATES
    ],
)  # fmt: skip
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.full)])
def test_everything_is_to_be_seen_and_hit_at_every_size(open_page, game, state, scheme):
    page = open_page(f"/{game}?{TWO_PEOPLE}&moves={GAMES[game]}&mode=play", color_scheme=scheme)
    needed = state(page, game)
    wrong = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        found = {
            "cut": page.evaluate(CUT),
            "overlapping": page.evaluate(OVERLAPPING),
            "broken": page.evaluate(BROKEN),
            "touching": page.evaluate(TOUCHING),
            "small": page.evaluate(SMALL),
            "outside": page.evaluate(OUTSIDE, ALWAYS + needed),
        }
        wrong |= {f"{width}x{height} {kind}": what for kind, what in found.items() if what}
    assert wrong == {}


def test_on_a_phone_tabs_show_what_they_hold_and_a_position_can_be_set_up(open_page):
    page = open_page("/gomoku?x=human&o=perfect&moves=h8&mode=analyse", width=390, height=844)
    page.uncheck("#engine-on", force=True)
    dialog = page.locator("#set-up-dialog")
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.click("#tab-review")
        assert page.evaluate(BROKEN) == []  # nor the names of the players
        for name in ("review", "engines"):
            page.click(f"#tab-{name}")
            box = page.locator(f"#{name}").bounding_box()
            assert 0 <= box["y"] < height - 100, (name, box)
        page.locator("#engine-more").evaluate("more => (more.open = true)")
        expect(page.locator("#engine-options label").first).to_be_visible()
        assert page.evaluate(BROKEN) == []
        page.click("#set-up")
        expect(dialog.locator("[data-square]")).to_have_count(225)
        edges = dialog.locator("[data-square]").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).flatMap(b => [b.left, b.right])"
        )
        assert min(edges) >= 0
        assert max(edges) <= width
        names = dialog.locator(".set-up-label").all_inner_texts()
        assert (names[1], names[16]) == ("a", "15")
        expect(dialog.get_by_role("button", name="Analyse")).to_be_in_viewport(ratio=1)
        expect(dialog.locator(".set-up-said")).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


def test_on_paper_the_board_stands_above_what_is_said_of_it(open_page):
    page = open_page("/gomoku?x=human&o=human&moves=h8+i9&mode=analyse", width=794, height=1123)
    expect(page.locator("#lines li").first).to_be_visible()
    page.emulate_media(media="print")  # A4
    assert page.evaluate(OVERLAPPING) == []
    assert page.evaluate(BROKEN) == []
    board, said = (page.locator(s).bounding_box() for s in ("#board", "#verdict"))
    assert board["y"] + board["height"] <= said["y"]
    assert page.locator("main button:visible:not(.step, .worth-chip, .move)").count() == 0
    page.emulate_media(media="screen")
