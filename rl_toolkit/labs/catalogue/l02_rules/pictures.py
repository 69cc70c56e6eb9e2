"""The picture of the rules lab: windows of three cells on 3 × 4, and one that is not a line."""

from __future__ import annotations

from rl_toolkit.utils.svg import chart_text, element, picture

_CELL, _GAP, _TOP = 30, 26, 46
_INK, _FAINT, _GOOD, _BAD = "#0f172a", "#64748b", "#bbf7d0", "#fecaca"
#: Title, what stands below, the cells, whether they are a line.
_WINDOWS = (
    ("right", "(0, 1)", (4, 5, 6), True),
    ("down", "(1, 0)", (1, 5, 9), True),
    ("down-right", "(1, 1)", (0, 5, 10), True),
    ("down-left", "(1, −1)", (3, 6, 9), True),
    ("not a line", "round the edge", (3, 4, 5), False),
)


def pictures() -> dict[str, str]:
    """File name → SVG."""
    width = len(_WINDOWS) * (4 * _CELL + _GAP) + _GAP
    height = _TOP + 3 * _CELL + 34
    shapes: list[str] = []
    for number, window in enumerate(_WINDOWS):
        shapes += _board(_GAP + number * (4 * _CELL + _GAP), *window)
    title = "A window of three cells on a board of 3 × 4, in four directions"
    return {"windows.svg": picture(width, height, shapes, title=title)}


def _board(left: int, title: str, below: str, cells: tuple[int, ...], is_line: bool) -> list[str]:
    middle = left + 2 * _CELL
    shapes = [
        chart_text(middle, _TOP - 14, title, size=15, weight="600", colour=_INK),
        chart_text(middle, _TOP + 3 * _CELL + 22, below, size=14, colour=_INK),
    ]
    for cell in range(12):
        row, col = divmod(cell, 4)
        x, y = left + col * _CELL, _TOP + row * _CELL
        fill = (_GOOD if is_line else _BAD) if cell in cells else "#f8fafc"
        shapes.append(
            element("rect", x=x, y=y, width=_CELL, height=_CELL, fill=fill, stroke=_FAINT)
        )
        colour = _INK if cell in cells else _FAINT
        shapes.append(chart_text(x + _CELL / 2, y + 20, str(cell), size=13, colour=colour))
    return shapes
