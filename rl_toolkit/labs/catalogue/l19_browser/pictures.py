"""The picture of the sheet: labels and cells in one grid, with its lines."""

from __future__ import annotations

from rl_toolkit.utils.svg import chart_text, element, picture

_LINE, _CELL, _LABEL = "#b91c1c", "#ffffff", "#e2e8f0"
#: Where the grid lines are: the first column and row, for the labels, are narrow.
_AT = (60.0, 100.0, 170.0, 240.0, 310.0)


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    parts: list[str] = []
    for row in range(4):
        for col in range(4):
            parts += _square(row, col)
    for number, at in enumerate(_AT, 1):
        for x1, y1, x2, y2 in ((at, 40.0, at, 325.0), (40.0, at, 325.0, at)):
            parts.append(
                element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_LINE, stroke_dasharray="5 4")
            )
        parts.append(chart_text(at, 30, str(number), size=14, colour=_LINE))
        parts.append(chart_text(28, at + 5, str(number), size=14, colour=_LINE))
    words = [
        *("red: the lines of the grid,", "1 to n + 2 for n = 3", ""),
        *("cell-0-1 is b1:", "row line 2, column line 3", ""),
        *("col-1 is the letter b:", "row line 1, column line 3"),
    ]
    for number, text in enumerate(words):
        parts.append(chart_text(345, 90 + 22 * number, text, size=14, anchor="start"))
    title = "Labels and cells in one grid of four columns and four rows, with its numbered lines"
    return {"grid.svg": picture(560, 345, parts, title=title)}


def _square(row: int, col: int) -> list[str]:
    left, top, right, bottom = _AT[col], _AT[row], _AT[col + 1], _AT[row + 1]
    is_label = (row == 0) != (col == 0)
    text = "abc"[col - 1] if row == 0 and col else str(row) if col == 0 and row else ""
    if row and col:
        text = f"{'abc'[col - 1]}{row}"
    fill = _LABEL if is_label else _CELL
    return [
        element("rect", x=left, y=top, width=right - left, height=bottom - top, fill=fill),
        chart_text((left + right) / 2, (top + bottom) / 2 + 5, text, size=15),
    ]
