"""How pages stand: labels beside squares at every width and zoom, keyboard, contrast, weight."""

import re
from itertools import combinations

import pytest
from web_page import PATIENCE, cell, pieces, pixel
from web_running import eventually

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
GAMES = {"tictactoe": 9, "connect-four": 42, "gomoku": 225, "reversi": 64}
TWO_PEOPLE = "x=human&o=human"
SLACK = 1.0  # pixels

BOXES = """() => {
  const box = (e) => { const r = e.getBoundingClientRect();
    return {left: r.left, right: r.right, top: r.top, bottom: r.bottom}; };
  const cells = [...document.querySelectorAll('.cell')];
  const cols = document.querySelectorAll('[data-col]').length;
  return {
    cols: [...document.querySelectorAll('[data-col]')].map((e) => [+e.dataset.col, box(e)]),
    rows: [...document.querySelectorAll('[data-row]')].map((e) => [+e.dataset.row, box(e)]),
    cells: cells.map((e) => [+e.dataset.cell % cols, Math.floor(e.dataset.cell / cols), box(e)]),
    page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}"""


def check_alignment(page, may_scroll):
    found = page.evaluate(BOXES)
    columns, rows = dict(found["cols"]), dict(found["rows"])
    assert len(found["cells"]) == len(columns) * len(rows)
    for col, row, box in found["cells"]:
        for edge in ("left", "right"):
            assert abs(columns[col][edge] - box[edge]) <= SLACK
        for edge in ("top", "bottom"):
            assert abs(rows[row][edge] - box[edge]) <= SLACK
        width, height = box["right"] - box["left"], box["bottom"] - box["top"]
        assert abs(width - height) <= SLACK
        assert width > 4
    assert may_scroll or found["page"] <= 0  # nothing hangs out of the page


@pytest.mark.parametrize(
    "zooms", [(0.5, 1, 1.25), pytest.param((0.75, 1.5, 2), marks=pytest.mark.full)]
)
def test_labels_stay_with_their_squares(open_page, web_server, zooms):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}", alone=True)  # others keep their size
    board = page.locator(".board-container")  # one grid holds labels and cells
    tracks = board.evaluate("b => getComputedStyle(b).gridTemplateColumns.split(' ').length")
    assert tracks == 4
    assert board.locator(".axis-corner").count() == 1
    assert board.locator(".axis-label").count() == 6
    assert board.locator(".cell").count() == 9

    browser = page.context.new_cdp_session(page)
    for game, squares in GAMES.items():
        page.goto(f"{web_server}/{game}?{TWO_PEOPLE}")
        page.wait_for_selector("body[data-ready]")
        expect(page.locator(".cell")).to_have_count(squares)
        for width in (320, 768, 1440):
            for zoom in zooms:
                # To a page, browser zoom is a viewport of fewer pixels, each drawn larger.
                wide, high = round(width / zoom), round(900 / zoom)
                metrics = {"width": wide, "height": high, "deviceScaleFactor": zoom}
                browser.send("Emulation.setDeviceMetricsOverride", {**metrics, "mobile": False})
                check_alignment(page, may_scroll=wide < 320)


@pytest.mark.parametrize("width", [320, 1280])
def test_the_board_stays_where_it_is_whatever_is_said_around_it(open_page, width):
    page = open_page(f"/connect-four?{TWO_PEOPLE}&moves=d+d+d+d+d+d", width=width)
    where = """() => { const box = document.querySelector('#board').getBoundingClientRect();
      return [box.x + scrollX, box.y + scrollY, box.width, box.height]; }"""
    before = page.evaluate(where)
    cell(page, "d3").click(force=True)
    expect(page.locator("#notice")).to_have_text("column d is full.")
    assert page.evaluate(where) == before
    page.check("#show-truth", force=True)
    expect(page.locator(".hint").first).to_be_visible()
    if width > 700:  # on a phone the bar lies above the board
        assert page.evaluate(where) == before


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_the_next_piece_is_shown_under_a_mouse_only(open_page, touch):
    page = open_page(f"/connect-four?{TWO_PEOPLE}", has_touch=touch, is_mobile=touch)
    (cell(page, "d3").tap if touch else cell(page, "d3").click)()
    expect(page.locator(".piece")).to_have_count(1)
    expect(page.locator(".cell.aimed")).to_have_count(0 if touch else 1)


def test_on_a_small_screen_the_page_stays_where_the_board_is(open_page):
    moves = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7"
    page = open_page(f"/reversi?{TWO_PEOPLE}&moves={moves}", width=320, height=640)
    cell(page, "d2").click()
    expect(page.locator("#moves .move")).to_have_count(17)
    assert page.evaluate("scrollY") == 0
    listed = page.locator("#sheet-scroll").bounding_box()

    def is_shown():
        last = page.locator("#moves [aria-current]").bounding_box()  # None while it is drawn again
        if last is None or listed["y"] > last["y"]:
            return False
        return last["y"] + last["height"] <= listed["y"] + listed["height"] + SLACK

    assert eventually(is_shown)


def test_the_keyboard_is_enough(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    assert page.locator(".cell[tabindex='0']").count() == 1
    page.keyboard.press("Tab")  # from now on arrows belong to what has the focus
    cell(page, "b2").focus()
    page.keyboard.press("Enter")
    expect(cell(page, "b2").locator(".piece")).to_be_visible()
    expect(page.locator("#announcer")).to_contain_text("X played b2. O to move.")
    for key, name in [
        ("ArrowLeft", "a2"), ("ArrowLeft", "a2"), ("ArrowUp", "a1"), ("End", "c1"),
        ("ArrowDown", "c2"), ("Home", "a2"), ("Control+End", "c3"), ("Control+Home", "a1"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        expect(cell(page, name)).to_be_focused()
    page.keyboard.press("Space")
    expect(cell(page, "a1").locator(".piece")).to_be_visible()
    assert pieces(page) == {"b2": "x", "a1": "o"}
    assert page.locator(".cell[tabindex='0']").count() == 1
    outline = cell(page, "a1").evaluate("c => getComputedStyle(c).outlineWidth")
    assert outline == "3px"


def test_the_square_with_the_focus_stands_out_from_every_board(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}")
    page.keyboard.press("Tab")
    cell(page, "a1").focus()
    page.keyboard.press("ArrowRight")
    expect(cell(page, "b1")).to_be_focused()
    expect(cell(page, "b1")).to_have_css("box-shadow", re.compile(r"^rgb\("))
    rings = cell(page, "b1").evaluate(
        "c => [getComputedStyle(c).outlineColor, getComputedStyle(c).boxShadow]"
    )
    dark, light = sorted(_luminance(ring) for ring in rings)
    # So far apart that no colour is within 3 : 1 of both.
    assert (light + 0.05) / (dark + 0.05) >= 9


def _luminance(css):
    """How bright the colour in ``css`` is, from 0 to 1, as WCAG reckons."""
    parts = [int(part) / 255 for part in re.search(r"rgb\((.*?)\)", css)[1].split(",")]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


#: Keeps what a screen reader would speak: the texts of live regions, whenever they change.
LISTEN = """() => {
  window.spoken = [];
  const live = '[role=status], [role=alert], [aria-live]';
  new MutationObserver((changes) => {
    const regions = new Set(changes.map(({target}) =>
      (target.nodeType === 3 ? target.parentElement : target)?.closest?.(live)));
    for (const region of regions)
      if (region?.checkVisibility() && region.textContent.trim())
        window.spoken.push(region.textContent.trim());
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


def test_a_game_its_review_and_a_variation_by_keys_alone_and_spoken(open_page):
    page = open_page("/connect-four?x=human&o=perfect&moves=a+d+b+e+a+f")
    page.evaluate(LISTEN)

    def hear(text):
        """Wait until a sentence with ``text`` was spoken, and forget those up to it."""
        heard = """(text) => { const k = spoken.findIndex((each) => each.includes(text));
          return k < 0 ? null : spoken.splice(0, k + 1).at(-1); }"""
        assert eventually(lambda: page.evaluate(heard, text)), (text, page.evaluate("spoken"))

    def tab_to(target):
        for _ in range(50):
            page.keyboard.press("Tab")
            if target.evaluate("node => node === document.activeElement"):
                return
        raise AssertionError(f"Tab does not lead to {target}")

    # The game is played, lost, and reviewed: digits are columns.
    tab_to(page.locator(".cell[tabindex='0']"))
    page.keyboard.press("5")
    hear("Red (X) played e. Yellow is thinking …")
    hear("Yellow (O) played c. Yellow wins.")
    hear("It turned on move 1 (a): a won game became lost. It was over at move 5 (a)")

    # A lesson: the focus goes where the learner acts.
    tab_to(page.locator("#card-learn"))
    page.keyboard.press("Enter")
    hear("Red played a. Find a better move.")
    assert page.evaluate("document.activeElement.matches('.cell')")
    tab_to(page.locator("#coach-hint"))
    page.keyboard.press("Enter")
    hear("Look at columns c to e.")
    tab_to(page.locator(".cell[tabindex='0']"))
    page.keyboard.press("4")
    hear("d is right. Red wins in 21 moves")
    tab_to(page.locator("#coach-next"))
    page.keyboard.press("Enter")
    expect(page.locator("#coach-next")).to_have_text("Finish")
    tab_to(page.locator(".cell[tabindex='0']"))
    page.keyboard.press("7")
    hear("g is good. c was better: a loss in 16 moves instead of a loss in 15 moves.")
    tab_to(page.locator("#coach-next"))
    page.keyboard.press("Enter")
    hear("You have looked at 2 mistakes.")
    assert page.evaluate("document.activeElement.matches('.cell')")

    # A variation, with a comment; then what is known of it.
    tab_to(page.locator("#moves .move[tabindex='0']"))
    for key, said in [
        ("Home", "The start. Red wins in 21 moves."), ("End", "8. Yellow (O) played c."),
        ("ArrowLeft", "7. Red (X) played e."), ("ArrowLeft", "6. Yellow (O) played f."),
    ]:  # fmt: skip
        page.keyboard.press(key)
        hear(said)
        assert page.evaluate("document.activeElement.matches('#moves .move')")
    tab_to(page.locator(".cell[tabindex='0']"))
    page.keyboard.press("6")
    hear("Red (X) played f. Yellow to move.")
    hear("Yellow wins in 1 move.")
    tab_to(page.locator("#comment"))
    page.keyboard.type("An idea.")
    page.keyboard.press("Enter")
    expect(page.locator("#moves .variation em")).to_have_text("An idea.")
    assert page.evaluate("document.activeElement !== document.body")

    # From mistake to mistake.
    tab_to(page.locator("#tab-moves"))
    page.keyboard.press("ArrowRight")
    mistake = page.locator("#mistakes button").first
    tab_to(mistake)
    page.keyboard.press("Enter")
    hear("1. Red (X) played a.")
    expect(mistake).to_be_focused()


# --- colours ------------------------------------------------------------------------------------

#: A piece of each side, and an empty square.
PIECES = {
    "/tictactoe": ("b2 a1", "b2", "a1", "c3"),
    "/connect-four": ("d e", "d1", "e1", "a1"),
    "/gomoku": ("h8 i9", "h8", "i9", "a1"),
    "/reversi": ("f5 d6", "e5", "d6", "a1"),
}


def far(one, other):
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


QUICK = {"/connect-four", "/reversi"}


@pytest.mark.parametrize(
    "address",
    [pytest.param(each, marks=() if each in QUICK else pytest.mark.full) for each in PIECES],
)
def test_high_contrast_shows_the_pieces(open_page, address):
    moves, x, o, empty = PIECES[address]
    page = open_page(f"{address}?{TWO_PEOPLE}&moves={moves}", forced_colors="active")
    # Beside the mark of the last move; an O is a ring.
    ring = 0.22 if address == "/tictactoe" else 0.3
    colours = [
        pixel(page, cell(page, x), 0.4, 0.4),
        pixel(page, cell(page, o), ring, 0.5),
        pixel(page, cell(page, empty), 0.4, 0.4),
    ]
    assert all(far(a, b) > 40 for a, b in combinations(colours, 2)), colours


def test_high_contrast_shows_the_chosen_tab(open_page):
    page = open_page("/tictactoe?mode=analyse", forced_colors="active")
    ground = "tab => getComputedStyle(tab).backgroundColor"
    page.click("#tab-review")
    other = page.locator("#tab-tree").evaluate(ground)
    expect(page.locator("#tab-review")).not_to_have_css("background-color", other)


@pytest.mark.parametrize("address", ["/gomoku", pytest.param("/reversi", marks=pytest.mark.full)])
def test_chips_in_the_dark_are_not_black_stones(open_page, address):
    page = open_page(f"{address}?{TWO_PEOPLE}&mode=analyse", color_scheme="dark")
    expect(page.locator(".hint:not(.coarse)").first).to_be_visible()
    page.uncheck("#engine-on", force=True)  # what is there stays
    for dot in page.locator(".hint.coarse").all()[:1]:
        assert max(pixel(page, dot)) > 140
    chip = page.locator(".hint:not(.coarse)").first
    assert min(pixel(page, chip, 0.5, 0.12)) > 140
    shape = """() => { const chip = document.querySelector('.hint:not(.coarse)');
      return parseFloat(getComputedStyle(chip).borderRadius) / chip.offsetHeight; }"""
    assert page.evaluate(shape) < 0.4  # nor round


def test_a_white_disc_is_white_from_the_start(open_page):
    page = open_page(f"/reversi?{TWO_PEOPLE}&moves=f5", alone=True)
    clocks = page.context.new_cdp_session(page)
    clocks.send("Animation.enable")
    clocks.send("Animation.setPlaybackRate", {"playbackRate": 0.0001})  # it has just begun
    cell(page, "d6").click()
    expect(cell(page, "d6").locator(".piece.o")).to_be_attached()
    assert min(pixel(page, cell(page, "d6"), 0.5, 0.4)) > 200  # above the mark of the last move


# --- room ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("address", "width", "height"), [
    ("/gomoku?game=gomoku-19", 1440, 900), ("/reversi?x=human", 390, 844),
])  # fmt: skip
def test_squares_have_whole_pixels(open_page, address, width, height):
    page = open_page(f"{address}&{TWO_PEOPLE}", width=width, height=height)
    sizes = page.locator(".cell").evaluate_all(
        "cells => cells.flatMap(c => [c.getBoundingClientRect().width, c.offsetLeft])"
    )
    assert all(size == round(size) for size in sizes)


@pytest.mark.parametrize("width", [390, 1440])
def test_the_page_is_light_and_nothing_moves_while_it_loads(open_page, width):
    # Alone: nothing has been loaded before.
    page = open_page("/connect-four?game=connect-four-7x8x4", width=width, alone=True)
    weight = page.evaluate(
        """() => [...performance.getEntriesByType('resource'),
                  ...performance.getEntriesByType('navigation')]
                 .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    )
    assert 10_000 < weight < 300_000
    moved = page.evaluate(
        """() => new Promise(resolve => new PerformanceObserver(list =>
             resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
             .observe({type: 'layout-shift', buffered: true}) ??
             setTimeout(() => resolve(0), 500))"""
    )
    assert moved < 0.02


def test_reduced_motion_is_respected(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}", reduced_motion="reduce")
    cell(page, "d1").click()
    seconds = page.locator(".piece.fresh").evaluate("p => getComputedStyle(p).animationDuration")
    assert all(float(part.removesuffix("s")) < 0.001 for part in seconds.split(", "))


def test_light_and_dark(open_page):
    page = open_page("/reversi", color_scheme="dark", alone=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.click("#theme")
    light = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == light
