"""Arrows from cell to cell, and small numbers in the corners of cells, above a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import hypot

from rl_toolkit.utils.svg.canvas import CELL, Canvas, element, escaped
from rl_toolkit.utils.svg.palettes import Palette

#: Badges look the same on every board: white on dark, with a white rim.
_BADGE, _ON_BADGE = "#1f2937", "#ffffff"
_GAP = 16.0  # between an arrow and the centre of a cell, in user units


def arrow_shapes(canvas: Canvas, palette: Palette, arrows: Iterable[tuple[int, int]]) -> list[str]:
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
                stroke=palette.ink,
                stroke_width=3.5,
                stroke_opacity=0.4,
                stroke_linecap="round",
                stroke_linejoin="round",
            )
        )
    return shapes


def badge_shapes(canvas: Canvas, badges: Mapping[int, str]) -> list[str]:
    """Small discs with one or two characters, in the upper right corners of cells."""
    shapes = []
    for cell, text in sorted(badges.items()):
        x, y = canvas.centre(cell)
        x, y = x + 0.33 * CELL, y - 0.33 * CELL
        shapes.append(
            element("circle", cx=x, cy=y, r=9, fill=_BADGE, stroke=_ON_BADGE, stroke_width=1.5)
        )
        shapes.append(
            element(
                "text",
                escaped(text),
                x=x,
                y=y,
                dy="0.35em",
                text_anchor="middle",
                font_size=12,
                font_weight="700",
                fill=_ON_BADGE,
            )
        )
    return shapes
