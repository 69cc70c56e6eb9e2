"""The picture of the tree lab: fifteen nodes without their values."""

from __future__ import annotations

from typing import Any

from rl_toolkit.utils.svg import chart_text, element, picture

_NAMES = ("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "Root")
_ENDS = ((1, 0), (-1, 0), (-1, 1), (-1, 0), (1, 0), (-1, 0), (1, 1), (1, 1))
_STEP, _LEVEL, _LEFT, _TOP = 44, 74, 96, 40
_RED, _BLUE, _DRAW, _LINE = "#dc2626", "#2563eb", "#e2e8f0", "#64748b"


def pictures() -> dict[str, str]:
    """File name → SVG."""
    return {"tree.svg": _tree()}


def _tree() -> str:
    ends = [value for pair in _ENDS for value in pair]
    row = [(_LEFT + number * _STEP, value) for number, value in enumerate(ends)]
    bottom = _TOP + 4 * _LEVEL
    lines: list[str] = []
    nodes = [_end(x, bottom, value) for x, value in row]
    places: list[float] = [x for x, _ in row]
    names = iter(_NAMES)
    for level in (3, 2, 1, 0):
        y, is_red = _TOP + level * _LEVEL, level % 2 == 0
        above: list[float] = []
        for left, right in zip(places[::2], places[1::2], strict=True):
            x = (left + right) / 2
            lines += [_edge(x, y, child, y + _LEVEL) for child in (left, right)]
            nodes.append(_node(x, y, next(names), is_red))
            above.append(x)
        nodes.append(
            chart_text(
                *(14, y + 5, "Red" if is_red else "Blue"),
                size=15,
                anchor="start",
                weight="600",
                colour=_RED if is_red else _BLUE,
            )
        )
        places = above
    nodes.append(chart_text(14, bottom + 5, "ends", size=15, anchor="start"))
    width, height = _LEFT + 16 * _STEP, bottom + 36
    title = "A game tree with fifteen nodes and sixteen ends"
    return picture(width, height, [*lines, *nodes], title=title)


def _edge(x1: float, y1: float, x2: float, y2: float) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_LINE)


def _node(x: float, y: float, name: str, is_red: bool) -> str:
    """A circle for Red, a square for Blue, so that colour is not needed."""
    shape: dict[str, Any] = {"fill": _RED if is_red else _BLUE, "stroke": "#0f172a"}
    drawn = (
        element("circle", cx=x, cy=y, r=21, **shape)
        if is_red
        else element("rect", x=x - 16, y=y - 16, width=32, height=32, rx=3, **shape)
    )
    return drawn + chart_text(x, y + 5, name, size=14, weight="600", colour="#ffffff")


def _end(x: float, y: float, value: int) -> str:
    fill = {1: "#fecaca", -1: "#bfdbfe", 0: _DRAW}[value]
    box = element("rect", x=x - 15, y=y - 13, width=30, height=26, rx=3, fill=fill, stroke=_LINE)
    return box + chart_text(x, y + 5, str(value).replace("-", "−"), size=14)
