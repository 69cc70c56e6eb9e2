"""Looking at a page in tests: squares, pieces, colours, patience, and answers held back."""

import struct
import zlib

from paths import AXE

#: Milliseconds for what takes a moment on a quiet machine: others may be using this one, and the
#: first search of a kind may have to be compiled.
PATIENCE = 90_000

#: The address of the server, and another one under which the browser finds it: browsers trust pages
#: of this machine, and those of others only over https.
HERE, ELSEWHERE = "127.0.0.1", "192.0.2.7"

#: Seconds of a search that has to be ended: no machine is so slow that it ends by itself.
FOREVER = 36_000


def pixel(page, locator, x=0.5, y=0.5):
    """Red, green and blue of the point at that part of an element's width and height."""
    box = locator.bounding_box()
    at = {"x": box["x"] + x * box["width"], "y": box["y"] + y * box["height"]}
    png = page.screenshot(clip={**at, "width": 1, "height": 1}, animations="allow")
    parts, where = b"", 8
    while where < len(png):
        length, kind = struct.unpack(">I4s", png[where : where + 8])
        parts += png[where + 8 : where + 8 + length] if kind == b"IDAT" else b""
        where += length + 12
    return tuple(zlib.decompress(parts)[1:4])  # after the byte that names the filter


def axe(page):
    """What axe finds wrong on the page: the names of its rules and the first part of each."""
    page.evaluate(AXE.read_text("utf-8") + "; null")
    return page.evaluate(
        "async () => (await axe.run()).violations.map(v => [v.id, v.nodes[0].html])"
    )


def hangs_out(page):
    """How many pixels the page is wider than its window."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )


def small_print(page):
    """The parts of the page in letters of less than 13 pixels."""
    return page.evaluate(
        """[...document.querySelectorAll('main *')].filter(e => e.textContent.trim()
            && !e.children.length && e.getClientRects().length
            && parseFloat(getComputedStyle(e).fontSize) < 13).map(e => e.outerHTML)"""
    )


def choose(page, selector, value):
    """Choose a value that the page itself does not offer."""
    page.locator(selector).evaluate("(menu, value) => menu.add(new Option(value, value))", value)
    page.select_option(selector, value)


def cell(page, name):
    """The square of that name, by its label for screen readers, once the board is not busy."""
    return page.locator(f'#board:not([aria-busy="true"]) .cell[aria-label^="{name},"]')


def pieces(page):
    """``{"b2": "x", …}``."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.cell')]
            .filter(c => c.querySelector('.piece'))
            .map(c => [c.getAttribute('aria-label').split(',')[0],
                       c.querySelector('.piece').classList.contains('x') ? 'x' : 'o']))"""
    )


def go_back(page):
    """Back to the address before, on the same page.

    Asked of the page, which knows its addresses; the browser itself may learn of a new one later.
    """
    page.evaluate("history.back()")


def go_forward(page):
    """Forward again, asked of the page, too."""
    page.evaluate("history.forward()")


def halt_time(page):
    """Stop the page's clock; from now on it runs when ``page.clock`` is told to.

    It jumps an hour ahead: no machine is so slow that this moment is over when it is named.
    """
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 3_600_000)


class Held:
    """Questions to one address, whose answers stay away until they are let go."""

    def __init__(self, page, address):
        self._page, self._holds, self._routes = page, True, []
        page.route(f"**{address}", self._take)

    def _take(self, route):
        if self._holds:
            self._routes.append(route)
        else:
            route.continue_()

    @property
    def asked(self):
        """What was asked so far, as plain data."""
        return [route.request.post_data_json for route in self._routes]

    def wait(self, count=1):
        """Until so many questions have been asked."""
        for _ in range(PATIENCE // 10):
            if len(self._routes) >= count:
                return
            self._page.wait_for_timeout(10)
        raise AssertionError(f"{len(self._routes)} questions were asked, not {count}")

    def let_go(self, skip=0):
        """Let the server answer, but not the first ``skip``, which nobody waits for any more."""
        self._holds = False
        for route in self._routes[skip:]:
            route.continue_()


def new_game(page, opponent=None, side=None, **fields):
    """Begin a game by the dialog: ``opponent`` and ``side`` by value, other fields by their names.

    ``first``, ``time``, ``spec``, ``other`` and ``clock-time`` are fields of every game, the others
    those of this one, such as ``rows``.
    """
    if not page.locator("#setup").is_visible():
        page.click("#new")
    for group, value in (("opponents", opponent), ("sides", side)):
        if value is not None:
            page.check(f"#{group} [value={value}]", force=True)
    for name, value in fields.items():
        every = name in ("first", "time", "spec", "other", "clock-time")
        field = page.locator(f"#{name}" if every else f"#field-{name}")
        if field.evaluate("field => field.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)
    page.click("#setup-form [type=submit]")
