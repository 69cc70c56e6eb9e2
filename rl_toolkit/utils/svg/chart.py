"""Charts as SVG: bars or a line, with error bars, on a linear or log axis.

::

      title
    10⁵ ┤ ▇
    10³ ┤ ▇  ▇
    10¹ ┤ ▇  ▇  ▇
        └─────────
          a  b  c
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from rl_toolkit.utils.atomic_file import write_text_atomically
from rl_toolkit.utils.svg.canvas import chart_text, element
from rl_toolkit.utils.svg.ticks import round_ticks

_WIDTH, _HEIGHT = 720.0, 420.0
_MARGINS = (90.0, 20.0, 50.0, 70.0)
_INK, _GRID, _FILL = "#222222", "#dddddd", "#2f6db5"
_text = partial(chart_text, size=13)


@dataclass(frozen=True, slots=True)
class Chart:
    """Values under labels.

    Attributes:
        errors: the ends of the error bar of each value; empty for none.
        log: whether the value axis is logarithmic; values must then be at least 1.
    """

    title: str
    labels: Sequence[str]
    values: Sequence[float]
    y_label: str = ""
    kind: Literal["bars", "line"] = "bars"
    errors: Sequence[tuple[float, float]] = ()
    log: bool = False

    def to_svg(self) -> str:
        """The chart as a self-contained picture."""
        return _Picture(self).svg()

    def _repr_svg_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True, slots=True)
class Frame:
    """The plot area of a picture, with a scale on the left.

    ``ticks`` are the values with a grid line, lowest first; the first and the last are the limits.
    """

    width: float
    height: float
    margins: tuple[float, float, float, float]  # left, right, top, bottom
    ticks: Sequence[float]
    log: bool = False
    text_size: int = 13

    def across(self, share: float) -> float:
        """The x coordinate of a share of the width, from 0 to 1."""
        left, right, _, _ = self.margins
        return left + share * (self.width - left - right)

    def y(self, value: float) -> float:
        """The y coordinate of a value."""
        _, _, top, bottom = self.margins
        low, high = self.ticks[0], self.ticks[-1]
        if self.log:
            low, high, value = 0.0, max(math.log10(high), 1e-9), math.log10(max(value, 1))
        return self.height - bottom - (value - low) / (high - low) * (self.height - top - bottom)

    def grid(self) -> list[str]:
        """The grid lines and the scale."""
        left, right, _, _ = self.margins
        parts = []
        for tick in self.ticks:
            y = self.y(tick)
            parts.append(element("line", x1=left, x2=self.width - right, y1=y, y2=y, stroke=_GRID))
            label = f"{tick:,.10g}"
            parts.append(chart_text(left - 8, y + 4, label, size=self.text_size, anchor="end"))
        return parts

    def polyline(self, points: Sequence[tuple[float, float]], colour: str, width: float = 2) -> str:
        """A line through points, each a share of the width and a value."""
        path = " ".join(f"{self.across(share):.1f},{self.y(value):.1f}" for share, value in points)
        return element("polyline", points=path, fill="none", stroke=colour, stroke_width=width)


def picture(width: float, height: float, parts: Sequence[str]) -> str:
    """An SVG document with a white background."""
    return element(
        "svg",
        element("rect", width=width, height=height, fill="white"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        font_family="system-ui, sans-serif",
    )


class _Picture:
    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        top = max([*chart.values, *(high for _, high in chart.errors), 1e-9])
        ticks = _log_ticks(top) if chart.log else round_ticks(0, top)
        self._frame = Frame(_WIDTH, _HEIGHT, _MARGINS, ticks, chart.log)
        self._count = max(1, len(chart.values))

    def svg(self) -> str:
        chart, left, top, bottom = self._chart, _MARGINS[0], _MARGINS[2], _MARGINS[3]
        parts = [
            _text(_WIDTH / 2, 28, chart.title, size=17, weight="bold"),
            *self._frame.grid(),
            *(self._bars() if chart.kind == "bars" else self._line()),
            *self._error_bars(),
            *(
                _text(self._x(i), _HEIGHT - bottom + 24, label)
                for i, label in enumerate(chart.labels)
            ),
        ]
        if chart.y_label:
            parts.append(_text(left - 70, top - 10, chart.y_label, anchor="start"))
        return picture(_WIDTH, _HEIGHT, parts)

    def _share(self, number: int) -> float:
        return (number + 0.5) / self._count

    def _x(self, number: int) -> float:
        return self._frame.across(self._share(number))

    def _bars(self) -> list[str]:
        width = self._frame.across(0.6 / self._count) - self._frame.across(0)
        parts = []
        for i, value in enumerate(self._chart.values):
            y, ground = self._frame.y(value), self._frame.y(0)
            x = self._x(i) - width / 2
            parts.append(element("rect", x=x, y=y, width=width, height=ground - y, fill=_FILL))
            if not self._chart.errors:
                parts.append(_text(self._x(i), y - 6, f"{value:,.6g}"))
        return parts

    def _line(self) -> list[str]:
        points = [(self._share(i), value) for i, value in enumerate(self._chart.values)]
        return [
            self._frame.polyline(points, _FILL),
            *(
                element("circle", cx=self._frame.across(x), cy=self._frame.y(y), r=4, fill=_FILL)
                for x, y in points
            ),
        ]

    def _error_bars(self) -> list[str]:
        y = self._frame.y
        return [
            element("line", x1=x, x2=x, y1=y(low), y2=y(high), stroke=_INK, stroke_width=1.5)
            for i, (low, high) in enumerate(self._chart.errors)
            for x in [self._x(i)]
        ]


def _log_ticks(top: float) -> list[float]:
    return [10.0**i for i in range(max(1, math.ceil(math.log10(max(top, 1)))) + 1)]


def check_can_draw(path: str) -> None:
    """Raise ``ValueError`` if `save_chart` cannot write to ``path``, before a long experiment."""
    if not path.lower().endswith(".svg"):
        raise ValueError(f"the name of a plot must end in .svg, not {path}")


def save_chart(chart: Chart, path: str) -> None:
    """Write the chart as an ``.svg`` file."""
    check_can_draw(path)
    write_text_atomically(path, chart.to_svg() + "\n")
