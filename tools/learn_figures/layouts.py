"""The three page layouts, measured in a real browser: how far labels are from their columns."""

from __future__ import annotations

import os
import shutil

from drawing import Figure, Plot, legend

CELLS = 3
WIDTHS = (400, 600, 900, 1400)

_HEAD = "<!doctype html><style>body{margin:0} .cell{background:#ddd} %s</style><body>%s"
_CELLS = "<div class=cell></div>" * CELLS * CELLS
_LABELS = "".join(f"<span class=label>{letter}</span>" for letter in "abc")

#: Labels in a flexbox above a grid that has a largest width.
TWO_BOXES = _HEAD % (
    ".labels{display:flex;justify-content:space-around;margin:0 auto}"
    ".board{display:grid;grid-template-columns:repeat(3,1fr);max-width:540px;margin:0 auto}"
    ".cell{aspect-ratio:1}",
    f"<div class=labels>{_LABELS}</div><div class=board>{_CELLS}</div>",
)
#: The same, but a script copies the width of the board to the labels. On a page it runs when the
#: window has changed; here it is called by `measured`, so that no clock decides what is seen.
COPIED = TWO_BOXES + (
    "<script>function fit(){document.querySelector('.labels').style.width="
    "document.querySelector('.board').offsetWidth+'px'};fit()</script>"
)
#: One grid for labels and cells.
ONE_GRID = _HEAD % (
    ".board{display:grid;grid-template-columns:auto repeat(3,1fr);max-width:540px;margin:0 auto}"
    ".label{justify-self:center}.cell{aspect-ratio:1}",
    "<div class=board><span></span>"
    + _LABELS
    + "".join(
        f"<span>{row}</span>" + "<div class=cell></div>" * CELLS for row in range(1, CELLS + 1)
    )
    + "</div>",
)
_OFFSET = """() => {
    const middle = e => { const b = e.getBoundingClientRect(); return (b.left + b.right) / 2 }
    const labels = [...document.querySelectorAll('.label')].map(middle)
    const cells = [...document.querySelectorAll('.cell')].slice(0, 3).map(middle)
    return Math.max(...labels.map((x, k) => Math.abs(x - cells[k])))
}"""


def measured() -> dict[str, list[float]]:
    """The greatest distance between a label and its column, in pixels, by width of the window.

    The second layout is measured right after the window has changed, before its script has run.
    """
    from playwright.sync_api import sync_playwright

    path = next(
        p for name in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(name))
    )
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    found: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=sandbox)
        pages = {"two boxes": TWO_BOXES, "widths copied": COPIED, "one grid": ONE_GRID}
        for name, html in pages.items():
            page = browser.new_page(viewport={"width": 500, "height": 800})
            page.set_content(html)
            found[name] = []
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                found[name].append(float(page.evaluate(_OFFSET)))
                page.evaluate("() => window.fit && window.fit()")
        browser.close()
    return found


def offsets() -> Figure:
    """How far the labels are off, by layout and width of the window."""
    figure = Figure(760, 380, "How far labels are from their columns, by layout")
    plot = Plot(figure, (-0.6, len(WIDTHS) - 0.4), (0, 400))
    plot.titles(
        "Labels and columns drift apart, unless one grid holds both",
        "width of the window in pixels",
        "pixels off",
    )
    plot.y_ticks([(tick, str(tick)) for tick in range(0, 401, 100)])
    plot.x_ticks([(k, str(width)) for k, width in enumerate(WIDTHS)])
    for number, (colour, distances) in enumerate(
        zip(("orange", "blue", "green"), measured().values(), strict=True)
    ):
        for k, distance in enumerate(distances):
            plot.bar(k + 0.25 * (number - 1), distance, colour, width=34, label=f"{distance:.0f}")
    legend(figure, 90, 60, [
        ("orange", "first try: labels and board in two boxes"),
        ("blue", "second try: widths copied by a script, while it waits"),
        ("green", "one grid for both"),
    ])  # fmt: skip
    return figure
