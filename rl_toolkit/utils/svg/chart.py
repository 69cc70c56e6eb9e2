"""A small chart as SVG, drawn by hand: bars or a line with error bars, on a linear or log axis.

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
_LEFT, _RIGHT, _TOP, _BOTTOM = 90.0, 20.0, 50.0, 70.0
_INK, _GRID, _FILL = "#222222", "#dddddd", "#2f6db5"
_FONT = "system-ui, sans-serif"
_text = partial(chart_text, size=13)


@dataclass(frozen=True, slots=True)
class Chart:
    """Values under labels.

    Attributes:
        errors: for each value the ends of its error bar; empty for none.
        log: whether the axis of values is logarithmic; values must then be at least 1.
    """

    title: str
    labels: Sequence[str]
    values: Sequence[float]
    y_label: str = ""
    kind: Literal["bars", "line"] = "bars"
    errors: Sequence[tuple[float, float]] = ()
    log: bool = False

    def to_svg(self) -> str:
        """The chart as a picture that stands alone."""
        return _Picture(self).svg()

    def _repr_svg_(self) -> str:
        return self.to_svg()


class _Picture:
    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        top = max([*chart.values, *(high for _, high in chart.errors), 1e-9])
        self._ticks = _log_ticks(top) if chart.log else round_ticks(0, top)
        self._top = self._ticks[-1]
        self._step = (_WIDTH - _LEFT - _RIGHT) / max(1, len(chart.values))

    def svg(self) -> str:
        chart = self._chart
        drawn = self._bars() if chart.kind == "bars" else self._line()
        parts = [
            element("rect", width=_WIDTH, height=_HEIGHT, fill="white"),
            _text(_WIDTH / 2, 28, chart.title, size=17, weight="bold"),
            *self._axis(),
            *drawn,
            *self._error_bars(),
            *(
                _text(self._x(i), _HEIGHT - _BOTTOM + 24, label)
                for i, label in enumerate(chart.labels)
            ),
        ]
        return element(
            "svg",
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
            width=_WIDTH,
            height=_HEIGHT,
            font_family=_FONT,
        )

    def _x(self, number: int) -> float:
        return _LEFT + (number + 0.5) * self._step

    def _y(self, value: float) -> float:
        if self._chart.log:
            share = math.log10(max(value, 1)) / max(math.log10(self._top), 1e-9)
        else:
            share = value / self._top
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    def _axis(self) -> list[str]:
        parts = []
        for tick in self._ticks:
            y = self._y(tick)
            parts.append(element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, stroke=_GRID))
            parts.append(_text(_LEFT - 8, y + 4, f"{tick:,.10g}", anchor="end"))
        if self._chart.y_label:
            parts.append(_text(_LEFT - 70, _TOP - 10, self._chart.y_label, anchor="start"))
        return parts

    def _bars(self) -> list[str]:
        width = self._step * 0.6
        parts = []
        for i, value in enumerate(self._chart.values):
            y, ground = self._y(value), self._y(0)
            x = self._x(i) - width / 2
            parts.append(element("rect", x=x, y=y, width=width, height=ground - y, fill=_FILL))
            if not self._chart.errors:
                parts.append(_text(self._x(i), y - 6, f"{value:,.6g}"))
        return parts

    def _line(self) -> list[str]:
        points = [(self._x(i), self._y(value)) for i, value in enumerate(self._chart.values)]
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        return [
            element("polyline", points=path, fill="none", stroke=_FILL, stroke_width=2),
            *(element("circle", cx=x, cy=y, r=4, fill=_FILL) for x, y in points),
        ]

    def _error_bars(self) -> list[str]:
        return [
            element(
                "line",
                x1=self._x(i),
                x2=self._x(i),
                y1=self._y(low),
                y2=self._y(high),
                stroke=_INK,
                stroke_width=1.5,
            )
            for i, (low, high) in enumerate(self._chart.errors)
        ]


def _log_ticks(top: float) -> list[float]:
    return [10.0**i for i in range(max(1, math.ceil(math.log10(max(top, 1)))) + 1)]


def check_can_draw(path: str) -> None:
    """Raise the ``ValueError`` that `save_chart` would raise after a long experiment."""
    if not path.lower().endswith(".svg"):
        raise ValueError(f"a plot is a file that ends in .svg, not {path}")


def save_chart(chart: Chart, path: str) -> None:
    """Write the chart as an ``.svg`` file."""
    check_can_draw(path)
    write_text_atomically(path, chart.to_svg() + "\n")
