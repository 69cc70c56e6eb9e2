"""The picture of the sheet: a board, its planes, the network, priors and value."""

from __future__ import annotations

import numpy as np

from rl_toolkit.labs.model.positions import position
from rl_toolkit.learning.alphazero import evaluate, make_network, planes_of, shipped_weights
from rl_toolkit.utils.svg import chart_text, element, picture

_INK, _ON, _BAR = "#334155", "#1d4ed8", "#0f766e"
_CELL = 24.0
_BOARD = "x1o/3/2x o"
_X, _O = (0, 8), (2,)


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    width, height = 720, 250
    priors, value = _opinion()
    parts = _grid(20, 90, {**dict.fromkeys(_X, "X"), **dict.fromkeys(_O, "O")}, "the board")
    parts.append(chart_text(56, 190, "O to move", size=13))
    for number, (cells, name) in enumerate(
        ((_O, "0: mine (O)"), (_X, "1: theirs (X)"), ((), "2: I opened?"))
    ):
        marks = {cell: "1" if cell in cells else "0" for cell in range(9)}
        parts += _grid(180, 20 + 78 * number, marks, name, beside=True)
    parts += [_arrow(104, 126, 166), _arrow(350, 126, 392), _arrow(500, 80, 542)]
    parts += [_arrow(500, 200, 542)]
    parts.append(
        element("rect", x=396, y=50, width=100, height=170, rx=10, fill="#f1f5f9", stroke=_INK)
    )
    parts.append(chart_text(446, 140, "network", size=15))
    for row, (cell, prior) in enumerate(priors.items()):
        y = 40.0 + 18 * row
        name = "abc"[cell % 3] + str(cell // 3 + 1)
        parts.append(chart_text(556, y + 11, name, size=12))
        parts.append(element("rect", x=570, y=y, width=110 * prior + 1, height=12, fill=_BAR))
    parts.append(chart_text(546, 24, "priors: where to look", size=13, anchor="start"))
    parts.append(
        chart_text(546, 196, f"value {value:+.2f}:".replace("-", "−"), size=13, anchor="start")
    )
    parts.append(chart_text(546, 213, "how will it end for me?", size=13, anchor="start"))
    title = "A board becomes three planes; the network answers with priors and a value"
    return {"network.svg": picture(width, height, parts, title=title)}


def _opinion() -> tuple[dict[int, float], float]:
    """What the network of the toolkit says about the board."""
    env = position(_BOARD).env()
    legal = env.get_legal_moves()
    allowed = np.zeros((1, 9), dtype=bool)
    allowed[0, legal] = True
    value = evaluate(make_network(shipped_weights("tictactoe"), "numpy"), planes_of([env]), allowed)
    return {move: float(value.priors[0, move]) for move in legal}, float(value.values[0])


def _grid(x: float, y: float, marks: dict[int, str], name: str, beside: bool = False) -> list[str]:
    parts = []
    for cell in range(9):
        left, top = x + cell % 3 * _CELL, y + cell // 3 * _CELL
        text = marks.get(cell, "")
        fill = "#dbeafe" if text == "1" else "#ffffff"
        parts.append(
            element("rect", x=left, y=top, width=_CELL, height=_CELL, fill=fill, stroke=_INK)
        )
        colour = _ON if text == "1" else _INK
        parts.append(chart_text(left + _CELL / 2, top + 17, text, size=14, colour=colour))
    if beside:
        parts.append(chart_text(x + 3 * _CELL + 8, y + 40, name, size=13, anchor="start"))
    else:
        parts.append(chart_text(x + 1.5 * _CELL, y - 10, name, size=13))
    return parts


def _arrow(x: float, y: float, end: float) -> str:
    path = f"M {x:g} {y:g} H {end:g} m -7 -5 l 7 5 l -7 5"
    return element("path", d=path, fill="none", stroke=_INK, stroke_width=2)
