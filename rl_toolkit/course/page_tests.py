"""Pages of students in a real browser: what a person sees and clicks, where Chromium is installed.

A session of a companion names its scenes in ``page_tests``. The browser runs the student's page
with a stand-in for the server; here the scenes judge what it has seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rl_toolkit.course.lab_tests import LabTest
from rl_toolkit.course.model import Companion, Session
from rl_toolkit.labs import NoEngineError, page_seen

_WIDTHS = (900, 400, 1400)
#: Pixels by which a letter may be off the middle of its cells.
_OFF = 1.5
_WON = "rgb(247, 220, 111)"
_LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6)),
    *((1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)),
)
#: How a page is looked at: cells of the board, cells to click, what the stand-in prefers.
_A = {"cells": 9, "cols": 3, "prefer": [0, 1, 2, 5, 6, 7], "clicks": [4, 4, 3, 8, 5], "lot": 0.25}
_B = {"cells": 42, "cols": 7, "prefer": [2, 3, 4, 0], "clicks": [3], "lot": 0.25, "columns": True}
_E = {"cells": 9, "cols": 3, "prefer": [], "ids": True}


class _WrongError(Exception):
    """What a person would see to be wrong, in a sentence."""


def page_tests(
    course: Companion, session: Session, files: Mapping[str, str], only: Sequence[str]
) -> list[LabTest]:
    """The scenes of a session, judged; ``only`` names some of them."""
    page = _Page(course, files)
    return [
        _judged(course, page, files, scene)
        for scene in session.page_tests
        if not only or f"page_{scene}" in only
    ]


def _judged(course: Companion, page: _Page, files: Mapping[str, str], scene: str) -> LabTest:
    title, judge = _SCENES[scene]
    name, title = f"page_{scene}", f"{title} (in a browser)"
    if files.get("index.html", "") in ("", course.code().get("index.html")) and course.id != "E":
        return LabTest(name, title, "todo", "index.html is not written yet")
    if "not written yet" in files.get("page.js", "") and course.id == "E":
        return LabTest(name, title, "todo", "page.js is not written yet")
    try:
        judge(page)
    except _WrongError as wrong:
        return LabTest(name, title, "wrong", str(wrong))
    except NoEngineError as missing:
        return LabTest(name, title, "open", f"nothing looks at your page here: {missing}")
    return LabTest(name, title, "right")


class _Page:
    """A student's page, looked at."""

    def __init__(self, course: Companion, files: Mapping[str, str]) -> None:
        self._course, self._files = course, files
        self._seen: dict[str, Any] = {}

    def steps(self, plan: Mapping[str, Any], widths: Sequence[int] = _WIDTHS[:1]) -> list[Any]:
        """What is seen at each width, and after each click in the first; looked at once.

        Raises `_WrongError` for what stops the page, and `NoEngineError`.
        """
        key = json.dumps([plan, widths])
        if key not in self._seen:
            self._seen[key] = self._look(plan, widths)
        steps = self._seen[key]
        if not steps:
            raise _WrongError(
                "your page is not ready after five seconds of work: a loop without end, or a "
                "search of the whole tree again and again?"
            )
        for step in steps:
            if step["problems"]:
                where = f"after a click on {_place(plan, step)} " if "click" in step else ""
                raise _WrongError(f"{where}your page {_stops(step['problems'][0])}")
            if len(step["cells"]) != plan["cells"]:
                found = len(step["cells"]) or "no such group"
                raise _WrongError(
                    f"I look for {plan['cells']} cells in the element board, and find {found}"
                )
        return list(steps)

    def _look(self, plan: Mapping[str, Any], widths: Sequence[int]) -> Any:
        common = self._course.folder.parent / "common"
        server = (common / "page_server.js").read_text("utf-8")
        return page_seen(
            self._files,
            widths,
            plan,
            harness=(common / "page_harness.js").read_text("utf-8"),
            first=f"{{ const PLAN = {json.dumps(plan)};\n{server} }}",
        )


def _stops(problem: str) -> str:
    """What an error of the browser means."""
    if re.search(r"(?:\$|jQuery) is not defined", problem):
        return (
            'uses jQuery, which is not there: document.getElementById("cell-0-0") stands for '
            '$("#cell-0-0"), element.onclick = … for .click(…)'
        )
    return f"stops with {problem.removeprefix('Uncaught ')}"


def _place(plan: Mapping[str, Any], step: Mapping[str, Any]) -> str:
    cell = int(step["click"])
    return f"column {'abcdefg'[cell % 7]}" if plan.get("columns") else _name(cell)


def _name(cell: int) -> str:
    return f"{'abc'[cell % 3]}{cell // 3 + 1}"


# ------------------------------------------------------------------------- handout A


def _one_grid(page: _Page) -> None:
    for step in page.steps(_A, _WIDTHS)[:3]:
        for index, text in enumerate(["a", "b", "c", "1", "2", "3"]):
            if text not in step["labels"]:
                raise _WrongError(
                    f"there is no {text} beside the board: an element with this text alone"
                )
            side = 0 if text in "abc" else 1
            cell = step["cells"][index if side == 0 else 3 * (index - 3)]["box"]
            label = step["labels"][text]
            off = label[side] + label[side + 2] / 2 - cell[side] - cell[side + 2] / 2
            if abs(off) > _OFF:
                raise _WrongError(
                    f"at a width of {step['width']} pixels the {text} is {abs(off):.0f} pixels off "
                    "the middle of its cells: put letters, numbers and cells into one grid"
                )


def _asks_and_draws(page: _Page) -> None:
    start, _, _, first, *_ = page.steps(_A, _WIDTHS)
    if _marks(first)[4] == _marks(start)[4]:
        raise _WrongError("a click on b2 draws nothing there")
    if not first["requests"]:
        raise _WrongError(
            "a click on b2 asks nothing: send the position with fetch to /api/ai-move"
        )
    body = first["requests"][0]["body"]
    if body.get("board") != [0, 0, 0, 0, 1, 0, 0, 0, 0] or body.get("player") != -1:
        raise _WrongError(
            f"after b2 the page must send the board with X on cell 4 and player −1, not {body}"
        )
    if _marks(first)[0] in (_marks(start)[0], _marks(first)[4]):
        raise _WrongError("the answer is action 0, but no O appears on a1")


def _refuses(page: _Page) -> None:
    first, again, *_, last, after = page.steps(_A, _WIDTHS)[3:]
    if _marks(again) != _marks(first) or len(again["requests"]) != len(first["requests"]):
        raise _WrongError("a click on a taken cell must do nothing: b2 was clicked twice")
    if _marks(after) != _marks(last) or len(after["requests"]) != len(last["requests"]):
        raise _WrongError("O has a1, b1, c1 and has won; a click on c2 must do nothing")


def _marks_the_line(page: _Page) -> None:
    *_, before, last, _ = page.steps(_A, _WIDTHS)
    for cell in (0, 1, 2):
        if cell != 2 and last["cells"][cell]["style"] == before["cells"][cell]["style"]:
            raise _WrongError(
                f"O has won with a1, b1, c1, and {_name(cell)} looks as before: mark the line"
            )


def _marks(step: Mapping[str, Any]) -> list[Any]:
    return [(cell["text"], cell["pictures"]) for cell in step["cells"]]


# ------------------------------------------------------------------------- handout B


def _shows_the_search(page: _Page) -> None:
    start, after = page.steps(_B)
    if not after["requests"]:
        raise _WrongError(
            "a click on column d asks nothing: send the position with fetch to /api/ai-move"
        )
    bodies = [each["body"] for each in after["requests"]]
    if bodies[0].get("game") != "connect-four" or bodies[0].get("board", [0] * 4)[3] != 1:
        raise _WrongError(
            "after d the page must send game connect-four and the board with 1 on cell 3"
        )
    counts = [body.get("simulations") for body in bodies]
    if len(counts) < 2 or counts != sorted(set(counts)) or not bodies[0].get("show_thinking"):
        raise _WrongError(
            f"the page asks with show_thinking and more simulations each time; it sent {counts}"
        )
    rows = [row for row in after["table"] if row["text"][:1] in "abcdefg" and row["text"]]
    if len(rows) != 4:
        raise _WrongError(
            f"the answer has four moves; the table thinking shows {len(rows)} of them"
        )
    best = max(rows, key=lambda row: row["bar"])
    if best["bar"] <= 0 or any(row["bar"] == best["bar"] for row in rows if row is not best):
        raise _WrongError(
            "the most visited move has no longer bar than the others in the table thinking"
        )
    if not best["text"].startswith("c"):
        raise _WrongError(f"c has most visits, and the longest bar is in the row {best['text']!r}")
    looks = [(cell["style"], cell["text"], cell["pictures"]) for cell in after["cells"]]
    empty = [(cell["style"], cell["text"], cell["pictures"]) for cell in start["cells"]]
    if looks[38] == empty[38]:
        raise _WrongError("a click on column d draws no piece on d1, the lowest row of the page")
    if looks[37] in (empty[37], looks[38]):
        raise _WrongError("the answer is column c, but no piece of the other side appears on c1")


# ------------------------------------------------------------------------- handout E


def _draws_moves(page: _Page) -> None:
    start, *_ = page.steps({**_E, "clicks": [], "lot": 0.25})
    free = next(cell for cell in (4, 0) if not any(_marks(start)[cell]))
    _, once, twice = page.steps({**_E, "clicks": [free, free], "lot": 0.25})
    if _count(once, free) != 1:
        raise _WrongError(
            f"a click on {_name(free)} draws {_count(once, free)} marks there, not one"
        )
    if _count(twice, free) != 1 or _marks(twice) != _marks(once):
        raise _WrongError(
            f"a second click on {_name(free)} changes the page: only a move that is valid is drawn"
        )


def _colours_the_line(page: _Page) -> None:
    *_, last = page.steps({**_E, "clicks": [0, 3, 1, 4, 2, 5, 6, 7, 8], "lot": 0.25})
    marks = [_mark(cell) for cell in last["cells"]]
    won = {
        c for line in _LINES if marks[line[0]] and len({marks[c] for c in line}) == 1 for c in line
    }
    coloured = {number for number, cell in enumerate(last["cells"]) if cell["colour"] == _WON}
    if won != coloured:
        names = ", ".join(map(_name, sorted(won))) or "no cell"
        raise _WrongError(
            f"at the end {names} must have the colour #F7DC6F; it is on "
            f"{', '.join(map(_name, sorted(coloured))) or 'no cell'}"
        )
    if not won and "" in marks:
        raise _WrongError(
            "clicks on all cells leave some of them empty although the game is not over"
        )


def _draws_lots(page: _Page) -> None:
    counts = [
        sum(bool(_mark(cell)) for cell in page.steps({**_E, "clicks": [], "lot": lot})[0]["cells"])
        for lot in (0.25, 0.75)
    ]
    if sorted(counts) != [0, 1]:
        raise _WrongError(
            "the opener is drawn by lot: for one half of Math.random() the board begins empty, for "
            f"the other with the program's move; yours has {counts[0]} and {counts[1]} marks"
        )


def _answers(page: _Page) -> None:
    _, once = page.steps({**_E, "clicks": [8], "lot": 0.25})
    marks = [_mark(cell) for cell in once["cells"]]
    if abs(marks.count("x") - marks.count("o")) > 1 or marks.count("o") == 0:
        raise _WrongError(
            f"after a click on c3 there are {marks.count('x')} X and {marks.count('o')} O: the "
            "program answers each move of yours"
        )


def _count(step: Mapping[str, Any], cell: int) -> int:
    text, pictures = _marks(step)[cell]
    return len(pictures) or len(text)


def _mark(cell: Mapping[str, Any]) -> str:
    told = "".join(str(each).rsplit("/", 1)[-1] for each in cell["pictures"]) or cell["text"]
    return told[:1].lower()


_SCENES: dict[str, tuple[str, Callable[[_Page], None]]] = {
    "one_grid": ("letters and numbers lie in the middle of their cells at three widths", _one_grid),
    "asks_and_draws": (
        "a click on b2 draws X, sends the position and draws the answer",
        _asks_and_draws,
    ),
    "refuses": ("a taken cell and a finished game take no click", _refuses),
    "marks_the_line": ("the winning cells are marked", _marks_the_line),
    "shows_the_search": ("a click on d: pieces, growing search, bars by visits", _shows_the_search),
    "draws_moves": ("a click draws one picture, a second click on it none", _draws_moves),
    "colours_the_line": ("at the end the winning cells are #F7DC6F", _colours_the_line),
    "draws_lots": ("the lot decides who opens", _draws_lots),
    "answers": ("the program answers a click", _answers),
}
