"""The picture of the sheet: a board and its twin with colours swapped."""

from __future__ import annotations

from rl_toolkit.labs.drawing import board_svg
from rl_toolkit.labs.model.positions import position
from rl_toolkit.utils.svg import chart_text, element, picture

_WIDTH, _HEIGHT, _BOARD = 620.0, 330.0, 250.0


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    parts: list[str] = []
    twins = (("o1o/x1x/3 x", "X to move", "+1"), ("x1x/o1o/3 o", "O to move", "−1"))
    for number, (text, mover, value) in enumerate(twins):
        left = 20 + number * (_BOARD + 80)
        board = board_svg(position(text), best=[4], size=int(_BOARD), title=f"{text}: best is b2")
        parts.append(element("g", board, transform=f"translate({left:g} 34)"))
        middle = left + _BOARD / 2
        parts.append(chart_text(middle, 24, mover, size=16, weight="bold"))
        words = f"best b2, value for X: {value}"
        parts.append(chart_text(middle, _HEIGHT - 14, words, size=16))
    parts.append(chart_text(_WIDTH / 2, 150, "swap", size=16))
    parts.append(chart_text(_WIDTH / 2, 178, "⟷", size=28))
    title = "The same position with colours exchanged: the same move is best, the value turns"
    return {"swap.svg": picture(_WIDTH, _HEIGHT, parts, title=title)}
