"""The picture of the counting lab: every game from a board with three free cells."""

from __future__ import annotations

from collections import Counter

from rl_toolkit.labs.model.positions import LabBoard, position
from rl_toolkit.labs.truth import tictactoe as truth
from rl_toolkit.utils.svg import chart_text, element, picture

_CELL, _GAP, _LEVEL = 20, 44, 104
_INK, _LINE, _ENDED, _TWICE, _X, _O = (
    *("#0f172a", "#64748b", "#15803d", "#fef08a", "#1d4ed8", "#b91c1c"),
)


def pictures() -> dict[str, str]:
    """File name → SVG."""
    return {"small.svg": _Tree(position("x1x/1o1/oxo x")).svg()}


class _Tree:
    """All boards below one, each drawn as often as it is reached."""

    def __init__(self, top: LabBoard) -> None:
        self._shapes: list[str] = []
        self._lines: list[str] = []
        self._next = 24.0
        self._times = Counter(_below(top))
        self._deepest = top.cells.count(0)
        self._place(top, 0)

    def svg(self) -> str:
        width = self._next - _GAP + 24
        height = 24 + self._deepest * _LEVEL + 3 * _CELL + 20
        title = "Every game from a board with three free cells"
        return picture(width, height, [*self._lines, *self._shapes], title=title)

    def _place(self, board: LabBoard, depth: int) -> float:
        """Draw a board and all below it; return the middle of its upper edge."""
        y = 24.0 + depth * _LEVEL
        below = [self._place(truth.play(board, move), depth + 1) for move in truth.moves(board)]
        if below:
            x = (below[0] + below[-1]) / 2
        else:
            x = self._next + 1.5 * _CELL
            self._next += 3 * _CELL + _GAP
        for child in below:
            self._lines.append(
                element("line", x1=x, y1=y + 3 * _CELL, x2=child, y2=y + _LEVEL, stroke=_LINE)
            )
        self._board(board, x - 1.5 * _CELL, y)
        return x

    def _board(self, board: LabBoard, x: float, y: float) -> None:
        is_over = truth.over(board)
        fill = _TWICE if self._times[board.cells] > 1 else "#f8fafc"
        for cell, piece in enumerate(board.cells):
            row, col = divmod(cell, 3)
            left, top = x + col * _CELL, y + row * _CELL
            self._shapes.append(
                element(
                    "rect", x=left, y=top, width=_CELL, height=_CELL, fill=fill, stroke="#cbd5e1"
                )
            )
            if piece:
                mark, colour = ("X", _X) if piece > 0 else ("O", _O)
                middle, base = left + _CELL / 2, top + 15
                text = chart_text(middle, base, mark, size=14, weight="600", colour=colour)
                self._shapes.append(text)
        frame, wide = (_ENDED, 3) if is_over else (_INK, 1)
        side = 3 * _CELL
        self._shapes.append(
            element(
                "rect",
                x=x,
                y=y,
                width=side,
                height=side,
                fill="none",
                stroke=frame,
                stroke_width=wide,
            )
        )
        if is_over:
            result = {1: "X wins", -1: "O wins", 0: "draw"}[truth.result(board)]
            label = chart_text(x + side / 2, y + side + 15, result, size=12, colour=_ENDED)
            self._shapes.append(label)


def _below(board: LabBoard) -> list[tuple[int, ...]]:
    boards = [board.cells]
    for move in truth.moves(board):
        boards += _below(truth.play(board, move))
    return boards
