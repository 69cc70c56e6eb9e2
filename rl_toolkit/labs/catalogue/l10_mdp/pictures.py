"""The picture of the MDP lab: a backup for X and one for O."""

from __future__ import annotations

from rl_toolkit.labs.model.positions import LabBoard, position
from rl_toolkit.labs.model.values import signed
from rl_toolkit.labs.truth import tictactoe as truth
from rl_toolkit.utils.svg import chart_text, element, picture

_CELL, _GAP, _TOP = 58, 90, 44
_INK, _FAINT, _BEST = "#0f172a", "#64748b", "#bbf7d0"


def pictures() -> dict[str, str]:
    """File name → SVG."""
    size = 3 * _CELL
    width, height = 2 * size + 2 * _GAP, _TOP + size + 48
    shapes: list[str] = []
    for left, text, title, rule in (
        (_GAP / 2, "x1o/3/3 x", "X to move", "max"),
        (_GAP * 1.5 + size, "3/1x1/3 o", "O to move", "min"),
    ):
        board = position(text)
        middle = left + size / 2
        shapes.append(chart_text(middle, 24, title, size=16, weight="600", colour=_INK))
        shapes += _board(left, board)
        value = signed(truth.value(board))
        below = f"V = {rule} of the next values = {value}"
        shapes.append(chart_text(middle, _TOP + size + 28, below, size=15, colour=_INK))
    title = "X takes the largest of the next values, O the smallest"
    return {"backup.svg": picture(width, height, shapes, title=title)}


def _board(left: float, board: LabBoard) -> list[str]:
    values, best = truth.after_values(board), truth.best_moves(board)
    shapes: list[str] = []
    for cell, mark in enumerate(board.cells):
        row, col = divmod(cell, 3)
        x, y = left + col * _CELL, _TOP + row * _CELL
        fill = _BEST if cell in best else "#f8fafc"
        shapes.append(
            element("rect", x=x, y=y, width=_CELL, height=_CELL, fill=fill, stroke=_FAINT)
        )
        text = "X" if mark > 0 else "O" if mark < 0 else signed(values[cell])
        place = x + _CELL / 2, y + 38
        size = 30 if mark else 18
        shapes.append(chart_text(*place, text, size=size, colour=_INK if mark else _FAINT))
    return shapes
