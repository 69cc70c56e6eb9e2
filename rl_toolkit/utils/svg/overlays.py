"""Arrows from cell to cell, rings, and small numbers in the corners of cells, above a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import hypot

from rl_toolkit.utils.svg.canvas import CELL, Canvas, centred_text, element

#: Badges look the same on every board: white on dark, with a white rim.
_BADGE, _ON_BADGE = "#1f2937", "#ffffff"
_GAP = 16.0  # between an arrow and the centre of a cell, in user units
_RING = 0.82 * CELL  # the side of a ring


def arrow_shapes(
    canvas: Canvas,
    arrows: Iterable[tuple[int, int]],
    stroke: str,
    width: float = 3.5,
    opacity: float = 0.4,
) -> list[str]:
    """A line with a head at its end for each pair of cells; none where the two are one cell."""
    shapes = []
    for start, end in arrows:
        (x1, y1), (x2, y2) = map(canvas.centre, (start, end))
        length = hypot(x2 - x1, y2 - y1)
        if not length:
            continue
        right, down = (x2 - x1) / length, (y2 - y1) / length
        x1, y1, x2, y2 = x1 + _GAP * right, y1 + _GAP * down, x2 - _GAP * right, y2 - _GAP * down
        wings = (
            (x2 - 11 * right - side * 6 * down, y2 - 11 * down + side * 6 * right)
            for side in (1, -1)
        )
        head = "L".join(f"{x:.1f} {y:.1f}" for x, y in (next(wings), (x2, y2), next(wings)))
        shapes.append(
            element(
                "path",
                d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}M{head}",
                fill="none",
                stroke=stroke,
                stroke_width=width,
                stroke_opacity=opacity,
                stroke_linecap="round",
                stroke_linejoin="round",
            )
        )
    return shapes


def mark_shapes(canvas: Canvas, marks: Iterable[tuple[int, int]], colour: str) -> list[str]:
    """What a person drew: an arrow for each pair of cells, a ring where the two are one cell."""
    marks = list(marks)
    rings = [canvas.centre(start) for start, end in marks if start == end]
    return [
        *(
            element(
                "rect",
                x=x - _RING / 2,
                y=y - _RING / 2,
                width=_RING,
                height=_RING,
                rx=0.2 * CELL,
                fill="none",
                stroke=colour,
                stroke_width=4,
            )
            for x, y in rings
        ),
        *arrow_shapes(canvas, marks, colour, width=6, opacity=0.85),
    ]


def badge_shapes(canvas: Canvas, badges: Mapping[int, str]) -> list[str]:
    """Small discs with one or two characters, in the upper right corners of cells."""
    shapes = []
    for cell, text in sorted(badges.items()):
        x, y = canvas.centre(cell)
        x, y = x + 0.33 * CELL, y - 0.33 * CELL
        shapes.append(
            element("circle", cx=x, cy=y, r=9, fill=_BADGE, stroke=_ON_BADGE, stroke_width=1.5)
        )
        shapes.append(centred_text(text, x, y, 12, _ON_BADGE, "700"))
    return shapes
