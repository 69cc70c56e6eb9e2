"""The picture of the board lab: cells with their numbers, and the list below."""

from __future__ import annotations

from rl_toolkit.utils.svg import chart_text, element, picture

_CELL, _LEFT, _TOP = 64, 60, 56
_MARKS = {0: "X", 1: "X", 3: "O", 4: "O"}
_INK, _FAINT, _X, _O = "#0f172a", "#64748b", "#1d4ed8", "#b91c1c"


def pictures() -> dict[str, str]:
    """File name → SVG."""
    return {"board.svg": _board_and_list()}


def _board_and_list() -> str:
    shapes: list[str] = []
    for cell in range(9):
        row, col = divmod(cell, 3)
        x, y = _LEFT + col * _CELL, _TOP + row * _CELL
        shapes += _cell(x, y, cell)
    for number, letter in enumerate("abc"):
        shapes.append(chart_text(_LEFT + (number + 0.5) * _CELL, _TOP - 10, letter, size=16))
        shapes.append(
            chart_text(_LEFT - 16, _TOP + (number + 0.6) * _CELL, str(number + 1), size=16)
        )
    notes = (
        "Row 1 is at the top.",
        "Small: the number of the cell.",
        "number = 3 · row + column, counted from 0",
        "a2, second row, first column: 3 · 1 + 0 = 3",
        "xx1/oo1/3 x: X to move wins at c1 (cell 2)",
    )
    for number, note in enumerate(notes):
        y = _TOP + 34 + 30 * number
        shapes.append(chart_text(290, y, note, size=14, anchor="start", colour=_INK))
    for cell in range(9):
        shapes += _cell(32 + cell * _CELL, 296, cell)
    shapes.append(chart_text(32, 286, "board =", size=16, anchor="start", colour=_FAINT))
    return picture(640, 380, shapes, title="The cells of a board and the same board as a list")


def _cell(x: float, y: float, cell: int) -> list[str]:
    mark = _MARKS.get(cell, "")
    colour = _X if mark == "X" else _O
    return [
        element("rect", x=x, y=y, width=_CELL, height=_CELL, fill="#f8fafc", stroke=_FAINT),
        chart_text(x + 6, y + 16, str(cell), size=12, anchor="start", colour=_FAINT),
        chart_text(x + _CELL / 2, y + 46, mark, size=34, weight="600", colour=colour),
    ]
