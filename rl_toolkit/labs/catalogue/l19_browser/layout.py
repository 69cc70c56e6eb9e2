"""What a measured board shows: whether labels and cells are in one grid, and a picture of it.

Also what can be said about the files of the page by reading them alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rl_toolkit.labs.checking import Picture
from rl_toolkit.utils.svg import element

#: The largest distance of two centres that counts as none, in pixels.
CLOSE = 1.0
#: The smallest side of a cell that a finger could find.
_LEAST = 5.0
_SHOWN_COLUMNS = 6


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a board on the page."""

    sentence: str
    mistake: str = ""
    said: str = ""
    right: str = ""
    picture: Picture | None = None


def grid_problem(seen: Mapping[str, Any]) -> Problem | None:
    """The first thing wrong with a board that harness.js has measured, ``None`` if nothing is."""
    n = seen["n"]
    if seen["error"]:
        return Problem(f"renderBoard stops with {seen['error']}.")
    if not seen["inside"]:
        return Problem("The element with the id board is empty.")
    if seen["first"] > 1:
        return Problem(
            f"There are {seen['first']} cells with the id cell-0-0: the old board is still there "
            "when a new one is drawn. Empty it first.",
            mistake="board-not-emptied",
        )
    for kind, labels in (("col", seen["cols"]), ("row", seen["rows"])):
        for number, (text, box) in enumerate(labels):
            expected = chr(97 + number) if kind == "col" else str(number + 1)
            if box is None:
                return Problem(f"There is no element with the id {kind}-{number}.")
            if text != expected:
                return Problem(
                    f"The label {kind}-{number} must read {expected}: letters from the left, "
                    "numbers from the top.",
                    said=f"“{text}”",
                    right=f"“{expected}”",
                )
    for number, box in enumerate(seen["cells"]):
        if box is None:
            return Problem(f"There is no element with the id cell-{number // n}-{number % n}.")
        if min(box[2], box[3]) < _LEAST:
            return Problem(
                f"cell-{number // n}-{number % n} is {box[2]:g} by {box[3]:g} pixels: too small to "
                "be clicked.",
                said=f"{seen['columns']} columns",
                right=f"{n + 1} columns",
            )
    return _misplaced(seen)


def _misplaced(seen: Mapping[str, Any]) -> Problem | None:
    n, cells = seen["n"], seen["cells"]
    if _x(cells[0]) == _x(cells[1]):
        return Problem(
            "cell-0-1 is below cell-0-0. It should be to the right of it: the second number of the "
            "id is the column.",
            mistake="rows-for-columns",
        )
    across = [_x(cells[c]) - _x(seen["cols"][c][1]) for c in range(n)]
    down = [_y(cells[r * n]) - _y(seen["rows"][r][1]) for r in range(n)]
    far = max((*across, *down), key=abs)
    if abs(far) > CLOSE:
        # The next label is over this cell: everything is one line too early.
        early = abs(_x(cells[1]) - _x(seen["cols"][0][1])) <= CLOSE
        outside = seen["columns"] == n and not early
        sentence = (
            f"The centre of a label is {abs(far):.0f} pixels away from the centre of its "
            f"{'column' if far in across else 'row'}."
        )
        mistake = "one-line-early" if early else "two-layouts" if outside else ""
        if not mistake and n == 4:  # with three columns all was well
            mistake = "always-three"
        return Problem(
            sentence, mistake, _listed(across), "0 pixels everywhere", _drawn(seen, across)
        )
    if (seen["columns"], seen["lines"]) != (n + 1, n + 1):
        fixed = seen["columns"] <= 4 < n + 1
        return Problem(
            f"For n = {n} the grid must have {n + 1} columns and {n + 1} rows, one each for the "
            "labels.",
            mistake="always-three" if fixed else "",
            said=f"{seen['columns']} columns, {seen['lines']} rows",
            right=f"{n + 1} columns, {n + 1} rows",
        )
    return None


def _x(box: list[float]) -> float:
    return box[0] + box[2] / 2


def _y(box: list[float]) -> float:
    return box[1] + box[3] / 2


def _listed(offsets: list[float]) -> str:
    some = [f"{chr(97 + c)} {offset:+.0f}" for c, offset in enumerate(offsets[:_SHOWN_COLUMNS])]
    more = ", …" if len(offsets) > _SHOWN_COLUMNS else ""
    return f"columns off by {', '.join(some)}{more} pixels"


def _drawn(seen: Mapping[str, Any], across: list[float]) -> Picture:
    """The boxes of the page to scale, labels in red; as text, the offset of each column."""
    boxes = [(box, "#334155", "none") for box in seen["cells"]]
    boxes += [(box, "#b91c1c", "#fee2e2") for _, box in (*seen["cols"], *seen["rows"])]
    right = max(box[0] + box[2] for box, _, _ in boxes) + 10
    bottom = max(box[1] + box[3] for box, _, _ in boxes) + 10
    top = min(box[1] for box, _, _ in boxes) - 10
    drawn = "".join(
        element("rect", x=b[0], y=b[1] - top, width=b[2], height=b[3], fill=fill, stroke=stroke)
        for b, stroke, fill in boxes
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:g} {bottom - top:g}" '
        f'width="360" role="img"><title>Where labels (red) and cells are</title>{drawn}</svg>'
    )
    rows = [
        f"column {chr(97 + c)}: label at {_x(seen['cols'][c][1]):7.1f}, cells at "
        f"{_x(seen['cells'][c]):7.1f}, off by {offset:+.1f} pixels"
        for c, offset in enumerate(across[:_SHOWN_COLUMNS])
    ]
    return Picture("\n".join(rows), svg)


# ------------------------------------------------------------------------------ reading


def readable_problem(files: Mapping[str, str]) -> str:
    """What is wrong with the page as one can read it, without a browser; "" if nothing is."""
    page, script, style = files["index.html"], files["page.js"], files["style.css"]
    for name in ("game.js", "page.js"):
        if not re.search(rf"<script[^>]*{re.escape(name)}", page):
            return f"index.html does not load {name}: it needs a line with script and src."
        if re.search(r"^\+", files[name], re.MULTILINE):
            return f"A line of {name} begins with +. It was copied from a list of changes."
    if page.index("game.js") > page.index("page.js"):
        return "index.html must load game.js before page.js, which uses it."
    if not re.search(r"id=[\"']?board\b", page):
        return "index.html has no element with the id board."
    if not re.search(r"grid-?template", script + style, re.IGNORECASE):
        return "Neither page.js nor style.css says which columns the grid has (grid-template)."
    return ""
