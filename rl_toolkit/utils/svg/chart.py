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
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from rl_toolkit.utils.atomic_file import write_text_atomically
from rl_toolkit.utils.svg.canvas import chart_text, element
from rl_toolkit.utils.svg.ticks import round_ticks

#: The width and height of a picture, and of one that fits on a telephone.
SIZES = {False: (600.0, 400.0), True: (330.0, 330.0)}
_LETTER = 7.2  # the width of a letter, about


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a picture; ``lines`` are told apart in this order."""

    paper: str
    ink: str
    grid: str
    fill: str
    lines: tuple[str, ...]


LIGHT = Colours(
    "white",
    "#222222",
    "#dddddd",
    "#2f6db5",
    ("#2459b5", "#b45309", "#0b6e4f", "#a21caf", "#64748b", "#b91c1c"),
)
DARK = Colours(
    "#1c2129",
    "#e9ecf1",
    "#3a4352",
    "#8ab4ff",
    ("#8ab4ff", "#f2c14e", "#4fd1a5", "#e79bf5", "#a5aebd", "#ff9b73"),
)


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

    def to_svg(self, *, dark: bool = False, narrow: bool = False) -> str:
        """The chart as a self-contained picture; a narrow one is for telephones."""
        return _Picture(self, DARK if dark else LIGHT, narrow).svg()

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
    colours: Colours = LIGHT

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
            line = element(
                "line", x1=left, x2=self.width - right, y1=y, y2=y, stroke=self.colours.grid
            )
            parts += [line, self.text(left - 8, y + 4, f"{tick:,.10g}", anchor="end")]
        return parts

    def text(self, x: float, y: float, text: str, *, size: int = 0, **how: str) -> str:
        """A line of text in the ink of the picture."""
        return chart_text(
            x, y, text, size=size or self.text_size, **{"colour": self.colours.ink, **how}
        )

    def polyline(self, points: Sequence[tuple[float, float]], colour: str, width: float = 2) -> str:
        """A line through points, each a share of the width and a value."""
        path = " ".join(f"{self.across(share):.1f},{self.y(value):.1f}" for share, value in points)
        return element("polyline", points=path, fill="none", stroke=colour, stroke_width=width)


def picture(width: float, height: float, parts: Sequence[str], paper: str = "white") -> str:
    """An SVG document on paper of this colour."""
    return element(
        "svg",
        element("rect", width=width, height=height, fill=paper),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        font_family="system-ui, sans-serif",
    )


def titled(frame: Frame, title: str) -> list[str]:
    """The title above a plot, in two lines if one is not enough."""
    size = 17 if frame.width > 500 else 14
    lines = wrapped(title, int((frame.width - 20) / (0.56 * size)))[:2]
    return [
        frame.text(frame.width / 2, 24 + 19 * number, line, size=size, weight="bold")
        for number, line in enumerate(lines)
    ]


def wrapped(text: str, letters: int) -> list[str]:
    """The words of a text in lines of about that many letters.

    >>> wrapped("depth 4 against depth 2", 12)
    ['depth 4', 'against', 'depth 2']
    """
    return textwrap.wrap(text, letters, break_long_words=False) or [""]


class _Picture:
    def __init__(self, chart: Chart, colours: Colours, narrow: bool) -> None:
        self._chart, self._colours, self._narrow = chart, colours, narrow
        self._count = max(1, len(chart.values))
        top = max([*chart.values, *(high for _, high in chart.errors), 1e-9])
        ticks = log_ticks(top) if chart.log else round_ticks(0, top)
        width, height = SIZES[narrow]
        left = max(48.0, 20 + _LETTER * max(len(f"{tick:,.10g}") for tick in ticks))
        slot = (width - left - 20) / self._count
        longest = max([_LETTER * len(label) for label in chart.labels], default=0.0)
        self._turned = longest > slot
        below = min(150.0, 34 + 0.7 * longest) if self._turned else 44.0
        margins = (left, 20.0, 74.0, below)
        self._frame = Frame(width, height, margins, ticks, chart.log, colours=colours)

    def svg(self) -> str:
        chart, frame = self._chart, self._frame
        parts = [
            *titled(frame, chart.title),
            *frame.grid(),
            *(self._bars() if chart.kind == "bars" else ()),
            *self._error_bars(),
            *(self._line() if chart.kind == "line" else ()),
            *(self._label(i, label) for i, label in enumerate(chart.labels)),
        ]
        if chart.y_label:
            parts.append(frame.text(10, 62, chart.y_label, anchor="start"))
        return picture(frame.width, frame.height, parts, self._colours.paper)

    def _label(self, number: int, label: str) -> str:
        """What stands below a value, turned if there is no room for it."""
        x, y = self._x(number), self._frame.height - self._frame.margins[3] + 22
        if not self._turned:
            return self._frame.text(x, y, label)
        place = f"translate({x + 5:.1f} {y - 6:.1f}) rotate(-42)"
        return element("g", self._frame.text(0, 0, label, anchor="end"), transform=place)

    def _share(self, number: int) -> float:
        return (number + 0.5) / self._count

    def _x(self, number: int) -> float:
        return self._frame.across(self._share(number))

    def _bars(self) -> list[str]:
        width = self._frame.across(0.6 / self._count) - self._frame.across(0)
        parts, room = [], self._frame.across(1 / self._count) - self._frame.across(0)
        for i, value in enumerate(self._chart.values):
            y, ground = self._frame.y(value), self._frame.y(0)
            x = self._x(i) - width / 2
            fill = self._colours.fill
            parts.append(element("rect", x=x, y=y, width=width, height=ground - y, fill=fill))
            said = f"{value:,.6g}"
            if not self._chart.errors and _LETTER * len(said) <= room + 4:
                parts.append(self._frame.text(self._x(i), y - 6, said))
        return parts

    def _line(self) -> list[str]:
        points = [(self._share(i), value) for i, value in enumerate(self._chart.values)]
        fill = self._colours.fill
        return [
            self._frame.polyline(points, fill),
            *(
                element("circle", cx=self._frame.across(x), cy=self._frame.y(y), r=4, fill=fill)
                for x, y in points
            ),
        ]

    def _error_bars(self) -> list[str]:
        y, colours = self._frame.y, self._colours
        return [  # with an edge, so that they are seen on a bar as well
            element("line", x1=x, x2=x, y1=y(low), y2=y(high), stroke=stroke, stroke_width=width)
            for i, (low, high) in enumerate(self._chart.errors)
            for x in [self._x(i)]
            for stroke, width in ((colours.paper, 4.5), (colours.ink, 1.5))
        ]


def log_ticks(top: float) -> list[float]:
    """Powers of ten from 1 to ``top`` or more."""
    return [10.0**i for i in range(max(1, math.ceil(math.log10(max(top, 1)))) + 1)]


def check_can_draw(path: str) -> None:
    """Raise ``ValueError`` if `save_chart` cannot write to ``path``, before a long experiment."""
    if not path.lower().endswith(".svg"):
        raise ValueError(f"the name of a plot must end in .svg, not {path}")


class Drawn(Protocol):
    """What can be drawn: a `Chart`, or `Curves`."""

    def to_svg(self) -> str:
        """The picture."""


def save_chart(chart: Drawn, path: str) -> None:
    """Write the chart as an ``.svg`` file."""
    check_can_draw(path)
    write_text_atomically(path, chart.to_svg() + "\n")
