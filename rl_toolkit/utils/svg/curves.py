"""Curves as SVG: several lines over numbers, with bands around them and a legend.

::

      title
      ── one   ╌╌ other
     2 ┤      ╭──
     1 ┤  ╭───╯
     0 ┼──┴──────
       0   50   100
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from rl_toolkit.utils.svg.canvas import element
from rl_toolkit.utils.svg.chart import (
    DARK,
    LIGHT,
    SIZES,
    Colours,
    Frame,
    log_ticks,
    picture,
    titled,
)
from rl_toolkit.utils.svg.ticks import round_ticks

_LETTER = 7.2
_FEW = 12  # whole numbers up to this one are all written below the axis
_LEGEND = 20.0  # height of a line of the legend
#: Lines differ in their dashes too, for those who do not see the colours.
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "", "7 3")


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through ``points``; ``band`` has the low and high end at each of them."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves over one axis of numbers.

    Attributes:
        log_x: whether that axis is logarithmic; its numbers must then be at least 1.
        top: the highest value that is shown, if it is known beforehand.
    """

    title: str
    curves: Sequence[Curve]
    x_label: str = ""
    y_label: str = ""
    log_x: bool = False
    top: float | None = None

    def to_svg(self, *, dark: bool = False, narrow: bool = False) -> str:
        """The curves as a self-contained picture; a narrow one is for telephones."""
        return _Picture(self, DARK if dark else LIGHT, narrow).svg()

    def _repr_svg_(self) -> str:
        return self.to_svg()


class _Picture:
    def __init__(self, chart: Curves, colours: Colours, narrow: bool) -> None:
        self._chart, self._colours = chart, colours
        width, height = SIZES[narrow]
        values = [y for curve in chart.curves for _, y in curve.points]
        values += [y for curve in chart.curves for ends in curve.band for y in ends]
        high = chart.top if chart.top is not None else max([*values, 1e-9])
        ticks = round_ticks(min([0.0, *values]), max(high, 1e-9))
        left = max(48.0, 20 + _LETTER * max(len(f"{tick:,.10g}") for tick in ticks))
        self._legend = self._lines_of_legend(width - left - 20)
        top = 74.0 + _LEGEND * len(self._legend)
        tall = height + _LEGEND * max(0, len(self._legend) - 1)
        self._frame = Frame(width, tall, (left, 20.0, top, 60.0), ticks, colours=colours)
        places = [x for curve in chart.curves for x, _ in curve.points] or [0.0, 1.0]
        few = max(places) <= _FEW and all(float(x).is_integer() for x in places)
        if chart.log_x:
            self._x_ticks = log_ticks(max(places))
        elif few:  # plies, sweeps: each gets its own tick
            self._x_ticks = [float(x) for x in range(max(1, int(max(places))) + 1)]
        else:
            self._x_ticks = round_ticks(0, max(max(places), 1e-9))

    def _lines_of_legend(self, room: float) -> list[list[tuple[int, float]]]:
        """The numbers of the curves with their x coordinates, line by line."""
        lines: list[list[tuple[int, float]]] = [[]]
        used = 0.0
        for number, curve in enumerate(self._chart.curves):
            wide = 50 + _LETTER * len(curve.name)
            if lines[-1] and used + wide > room:
                lines.append([])
                used = 0.0
            lines[-1].append((number, used))
            used += wide
        return lines

    def svg(self) -> str:
        frame, chart = self._frame, self._chart
        parts = [*titled(frame, chart.title), *self._legend_parts(), *frame.grid()]
        for tick in self._x_ticks:
            x, y = frame.across(self._share(tick)), frame.height - 60 + 20
            parts.append(frame.text(x, y, f"{tick:,.10g}"))
        for number, curve in enumerate(chart.curves):
            parts += self._curve(number, curve)
        if chart.x_label:
            parts.append(
                frame.text(frame.across(1), frame.height - 14, chart.x_label, anchor="end")
            )
        if chart.y_label:
            parts.append(frame.text(10, frame.margins[2] - 12, chart.y_label, anchor="start"))
        return picture(frame.width, frame.height, parts, self._colours.paper)

    def _legend_parts(self) -> list[str]:
        parts, left = [], self._frame.margins[0]
        for row, line in enumerate(self._legend):
            y = 62.0 + _LEGEND * row
            for number, offset in line:
                x = left + offset
                parts.append(
                    element("line", x1=x, x2=x + 24, y1=y - 4, y2=y - 4, **self._stroke(number))
                )
                name = self._chart.curves[number].name
                parts.append(self._frame.text(x + 30, y, name, anchor="start"))
        return parts

    def _stroke(self, number: int) -> dict[str, str | float]:
        colours = self._colours.lines
        stroke: dict[str, str | float] = {
            "stroke": colours[number % len(colours)],
            "stroke_width": 2.5,
        }
        if dashes := _DASHES[number % len(_DASHES)]:
            stroke["stroke_dasharray"] = dashes
        return stroke

    def _share(self, x: float) -> float:
        last = self._x_ticks[-1]
        if self._chart.log_x:
            return log10(max(x, 1)) / max(log10(last), 1e-9)
        return x / last

    def _curve(self, number: int, curve: Curve) -> list[str]:
        stroke, frame = self._stroke(number), self._frame
        xs = [frame.across(self._share(x)) for x, _ in curve.points]
        parts = []
        if curve.band:
            low = [(x, frame.y(ends[0])) for x, ends in zip(xs, curve.band, strict=True)]
            high = [(x, frame.y(ends[1])) for x, ends in zip(xs, curve.band, strict=True)]
            around = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*low, *reversed(high)))
            fill = str(stroke["stroke"])
            parts.append(element("polygon", points=around, fill=fill, fill_opacity=0.16))
        path = " ".join(
            f"{x:.1f},{frame.y(y):.1f}" for x, (_, y) in zip(xs, curve.points, strict=True)
        )
        parts.append(element("polyline", points=path, fill="none", **stroke))
        if len(curve.points) <= 24:
            parts += [
                element("circle", cx=x, cy=frame.y(y), r=3.5, fill=str(stroke["stroke"]))
                for x, (_, y) in zip(xs, curve.points, strict=True)
            ]
        return parts
