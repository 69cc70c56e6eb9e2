"""One chart for all: lines, bars and points over numbers or names, with intervals and a legend.

::

      title
      ── one   ╌╌ other                      title
    y label                               a ┤    ├──●──┤
    2 ┤      ╭──                          b ┤ ├────●────┤
    1 ┤  ╭───╯                            c ┤       ├─●─┤
    0 ┼──┴──────                            └──────┬──────
      0   50   100   x label                0      50     100

Either axis holds numbers, or names at equal distances. A picture by itself has the colours of a
`Theme`; in a page it takes those of the page (`PAGE`), light and dark alike.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rl_toolkit.utils.svg.canvas import chart_text, element
from rl_toolkit.utils.svg.ticks import log_ticks, round_ticks

Interval = tuple[float, float]

#: The width and height of a picture, and of one that fits on a telephone.
SIZES = {False: (600.0, 400.0), True: (330.0, 330.0)}
_LETTER = 7.2  # the width of a letter, about
_TEXT = 13
_LEGEND = 20.0  # the height of a line of the legend
_ROW = 40.0  # the height of a row with a name
_FEW = 12  # whole numbers up to this one are all written below the axis
_TITLE = {True: 17, False: 14}
#: Lines differ in their dashes too, for those who do not see the colours.
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "", "7 3")


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture; ``lines`` and the ``parts`` of a bar are told apart in order."""

    paper: str
    ink: str
    grid: str
    fill: str
    mark: str
    lines: tuple[str, ...]
    parts: tuple[str, ...]


LIGHT = Theme(
    "white",
    "#222222",
    "#dddddd",
    "#2f6db5",
    "#b91c1c",
    ("#2459b5", "#b45309", "#0b6e4f", "#a21caf", "#64748b", "#b91c1c"),
    ("#2f6db5", "#b9c0cc", "#d9416f"),
)
DARK = Theme(
    "#1c2129",
    "#e9ecf1",
    "#3a4352",
    "#8ab4ff",
    "#ff9b73",
    ("#8ab4ff", "#f2c14e", "#4fd1a5", "#e79bf5", "#a5aebd", "#ff9b73"),
    ("#6aa5ff", "#5b6577", "#ff7d9f"),
)
#: The colours of the page around the picture: `rl_toolkit.utils.reports` names them.
PAGE = Theme(
    "none",
    "var(--ink)",
    "var(--line)",
    "var(--accent)",
    "var(--bad)",
    tuple(f"var(--chart-{number})" for number in range(1, 7)),
    tuple(f"var(--part-{number})" for number in range(1, 4)),
)


@dataclass(frozen=True, slots=True)
class Axis:
    """One direction of a plot.

    Attributes:
        names: what stands at 0, 1, 2, …; without any the axis has numbers.
        log: whether it is logarithmic; its numbers must then be at least 1.
        low: the axis begins here or lower; ``None``: where the points do.
        high: it ends here or higher; ``None``: where the points do.
        unit: follows each number.
        mark: a number with a line of its own, and what that line means.
    """

    label: str = ""
    names: Sequence[str] = ()
    log: bool = False
    low: float | None = 0.0
    high: float | None = None
    unit: str = ""
    mark: tuple[float, str] | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together, drawn as a line, as bars, or one by one.

    The bars of several series stand on each other.

    Attributes:
        band: the interval of each y: a shade around a line over numbers, else an error bar.
        across: the interval of each x.
        texts: what stands beside each point.
    """

    name: str
    points: Sequence[tuple[float, float]]
    kind: Literal["line", "bars", "points"] = "line"
    band: Sequence[Interval | None] = ()
    across: Sequence[Interval | None] = ()
    texts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """Series over two axes, under a title."""

    title: str
    series: Sequence[Series]
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)

    def to_svg(
        self,
        *,
        dark: bool = False,
        narrow: bool = False,
        theme: Theme | None = None,
        description: str = "",
    ) -> str:
        """The plot as a picture; a narrow one is for telephones.

        ``description`` tells those who cannot see it more than the title does.
        """
        theme = theme or (DARK if dark else LIGHT)
        drawing = _Drawing(self, theme, SIZES[narrow])
        return picture(
            drawing.width, drawing.height, drawing.parts(), theme.paper, description or self.title
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()


def panels(plots: Sequence[Plot], columns: int = 2) -> str:
    """Several plots in one picture, side by side."""
    drawn = [_Drawing(plot, LIGHT, (480.0, 300.0)) for plot in plots]
    width, height = 480.0 * columns, max([each.height for each in drawn], default=0.0)
    parts = [
        element("g", *each.parts(), transform=f"translate({x:g},{y:g})")
        for number, each in enumerate(drawn)
        for x, y in [(number % columns * 480.0, number // columns * height)]
    ]
    return picture(width, math.ceil(len(plots) / columns) * height, parts)


def picture(
    width: float, height: float, parts: Sequence[str], paper: str = "white", title: str = ""
) -> str:
    """An SVG document on paper of this colour; ``title`` is for those who cannot see it."""
    label = {"role": "img", "aria_label": title} if title else {}
    return element(
        "svg",
        element("rect", width=width, height=height, fill=paper),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        font_family="system-ui, sans-serif",
        **label,
    )


class _Scale:
    """The ticks of an axis, and where its values are, as a share of the length."""

    def __init__(self, axis: Axis, values: Sequence[float], *, has_bars: bool, few: bool) -> None:
        self._axis = axis
        if axis.names:
            self.ticks = [float(number) for number in range(len(axis.names))]
            return
        ends = [end for end in (axis.low, axis.high) if end is not None]
        if has_bars:
            ends.append(0.0)
        is_counted = all(float(value).is_integer() for value in values)
        known = [*values, *ends] or [0.0, 1.0]
        low, high = min(known), max(known)
        if axis.log:
            self.ticks = log_ticks(1 if has_bars else min([*values, *ends[1:]] or [1.0]), high)
        elif few and high <= _FEW and is_counted:
            self.ticks = [float(tick) for tick in range(math.floor(low), max(1, int(high)) + 1)]
        else:
            self.ticks = round_ticks(low, high, least=1.0 if has_bars and is_counted else 0.0)

    def share(self, value: float) -> float:
        if self._axis.names:
            return (value + 0.5) / len(self._axis.names)
        low, high = self.ticks[0], self.ticks[-1]
        if self._axis.log:
            low, high, value = (math.log10(max(number, 1)) for number in (low, high, value))
        return (value - low) / max(high - low, 1e-9)

    def texts(self) -> list[str]:
        if self._axis.names:
            return list(self._axis.names)
        return [f"{tick:,.10g}{self._axis.unit}".replace("-", "−") for tick in self.ticks]


class _Drawing:
    """A plot with its places; the margins make room for everything that is written."""

    def __init__(self, plot: Plot, theme: Theme, size: tuple[float, float]) -> None:
        self._plot, self._theme = plot, theme
        self.width, self.height = size
        bars = [series for series in plot.series if series.kind == "bars"]
        self._x = _Scale(plot.x, list(self._values(0)), has_bars=False, few=True)
        self._y = _Scale(plot.y, list(self._values(1)), has_bars=bool(bars), few=False)
        widest = max(len(text) for text in self._y.texts())
        texts = [len(text) for series in plot.series for text in series.texts]
        self._left = max(48.0, 20 + _LETTER * widest)
        last = _LETTER * len(self._x.texts()[-1]) / 2 if not plot.x.names else 0.0
        self._right = max([20.0, 6 + last, *(14 + _LETTER * length for length in texts)])
        room = self.width - self._left - self._right
        heading = int((self.width - 20) / (0.56 * _TITLE[self.width > 450]))
        self._heading = textwrap.wrap(plot.title, heading, break_long_words=False)[:2]
        self._legend = self._lines_of_legend(room)
        self._after_title = 12.0 + 20 * len(self._heading)
        self._top = self._after_title + _LEGEND * len(self._legend)
        self._top += 26 if plot.y.label else 12
        slot = room / max(1, len(plot.x.names))
        longest = max((_LETTER * len(name) for name in plot.x.names), default=0.0)
        self._turned = longest > slot
        self._every = math.ceil(14 / slot) if self._turned else 1
        self._bottom = min(150.0, 34 + 0.7 * longest) if self._turned else 34.0
        if plot.x.label or plot.x.mark:
            self._bottom += 22
        if plot.y.names:
            self.height = self._top + _ROW * len(plot.y.names) + self._bottom
        else:
            self.height += _LEGEND * max(0, len(self._legend) - 1)

    def parts(self) -> list[str]:
        """Everything that is drawn, the last on top."""
        return [
            *self._title_parts(),
            *self._legend_parts(),
            *self._grid(),
            *self._bars(),
            *(part for number in range(len(self._plot.series)) for part in self._drawn(number)),
        ]

    # ---------------------------------------------------------------------- values and places

    def _values(self, direction: int) -> Iterator[float]:
        """All numbers that a direction must show; bars on each other are added up."""
        sums: dict[float, float] = {}
        for series in self._plot.series:
            for point in series.points:
                value = point[direction]
                if direction and series.kind == "bars":
                    value += sums.get(point[0], 0.0)
                    sums[point[0]] = value
                yield value
            for interval in series.band if direction else series.across:
                yield from interval or ()

    def _across(self, value: float) -> float:
        return self._left + self._x.share(value) * (self.width - self._left - self._right)

    def _up(self, value: float) -> float:
        share = self._y.share(value)
        if self._plot.y.names:  # the first name is at the top
            return self._top + share * (self.height - self._top - self._bottom)
        return self.height - self._bottom - share * (self.height - self._top - self._bottom)

    def _text(self, x: float, y: float, text: str, **how: str) -> str:
        return chart_text(x, y, text, size=_TEXT, **{"colour": self._theme.ink, **how})

    # ------------------------------------------------------------------------ around the plot

    def _title_parts(self) -> Iterator[str]:
        how = {"weight": "bold", "colour": self._theme.ink}
        size = _TITLE[self.width > 450]
        for number, line in enumerate(self._heading):
            yield chart_text(self.width / 2, 24 + 19 * number, line, size=size, **how)
        if self._plot.y.label:
            yield self._text(10, self._top - 12, self._plot.y.label, anchor="start")

    def _lines_of_legend(self, room: float) -> list[list[tuple[int, float]]]:
        """The numbers of the named series with their x coordinates, line by line."""
        lines: list[list[tuple[int, float]]] = []
        used = room + 1
        for number, series in enumerate(self._plot.series):
            if not series.name:
                continue
            wide = 50 + _LETTER * len(series.name)
            if used + wide > room:
                lines.append([])
                used = 0.0
            lines[-1].append((number, used))
            used += wide
        return lines

    def _legend_parts(self) -> Iterator[str]:
        for row, line in enumerate(self._legend):
            y = self._after_title + 14 + _LEGEND * row
            for number, offset in line:
                x, series = self._left + offset, self._plot.series[number]
                if series.kind == "bars":
                    fill = self._colour(number)
                    yield element("rect", x=x + 6, y=y - 11, width=14, height=13, fill=fill)
                elif series.kind == "points":
                    yield element("circle", cx=x + 13, cy=y - 4, r=5, fill=self._colour(number))
                else:
                    ends = {"x1": x, "x2": x + 24, "y1": y - 4, "y2": y - 4}
                    yield element("line", **ends, **self._stroke(number))
                yield self._text(x + 30, y, series.name, anchor="start")

    def _grid(self) -> Iterator[str]:
        """The lines and the scales; names stand at their rows and columns without lines."""
        plot, theme = self._plot, self._theme
        right, bottom = self.width - self._right, self.height - self._bottom
        for tick, text in zip(self._y.ticks, self._y.texts(), strict=True):
            y = self._up(tick)
            if not plot.y.names:
                yield element("line", x1=self._left, x2=right, y1=y, y2=y, stroke=theme.grid)
            yield self._text(self._left - 8, y + 4, text, anchor="end")
        for number, (tick, text) in enumerate(zip(self._x.ticks, self._x.texts(), strict=True)):
            x = self._across(tick)
            if not plot.x.names and all(series.kind == "points" for series in plot.series):
                yield element("line", x1=x, x2=x, y1=self._top, y2=bottom, stroke=theme.grid)
            if number % self._every == 0:
                yield self._below(x, bottom + 20, text)
        if plot.x.mark:
            value, meaning = plot.x.mark
            x = self._across(value)
            stroke = {"stroke": theme.mark, "stroke_dasharray": "5 4"}
            yield element("line", x1=x, x2=x, y1=self._top, y2=bottom, **stroke)
            yield self._text(x, bottom + 40, meaning, colour=theme.mark)
        if plot.x.label:
            yield self._text(right, self.height - 8, plot.x.label, anchor="end")

    def _below(self, x: float, y: float, text: str) -> str:
        """What stands below the plot, turned if there is no room for it."""
        if not self._turned:
            return self._text(x, y, text)
        place = f"translate({x + 5:.1f} {y - 6:.1f}) rotate(-42)"
        return element("g", self._text(0, 0, text, anchor="end"), transform=place)

    # --------------------------------------------------------------------------- the series

    def _colour(self, number: int) -> str:
        """The colour of a series: bars and a line without a name have colours of their own."""
        series = self._plot.series[number]
        if series.kind == "bars":
            parts = [bars for bars in self._plot.series if bars.kind == "bars"]
            if len(parts) > 1:
                return self._theme.parts[parts.index(series) % len(self._theme.parts)]
        if series.kind == "bars" or not series.name:
            return self._theme.fill
        return self._theme.lines[number % len(self._theme.lines)]

    def _stroke(self, number: int) -> dict[str, str | float]:
        stroke: dict[str, str | float] = {"stroke": self._colour(number), "stroke_width": 2.5}
        if dashes := _DASHES[number % len(_DASHES)]:
            stroke["stroke_dasharray"] = dashes
        return stroke

    def _bars(self) -> Iterator[str]:
        """The bars of all series, on each other; the value above if there is one series."""
        bars = [(i, s) for i, s in enumerate(self._plot.series) if s.kind == "bars"]
        slot = self._across(1) - self._across(0)
        width = (0.6 if len(bars) < 2 else 0.84) * slot
        below: dict[float, float] = {}
        for number, series in bars:
            for x, value in series.points:
                ground = below.get(x, 0.0)
                below[x] = ground + value
                if not value and len(bars) > 1:
                    continue
                middle, top, foot = self._across(x), self._up(below[x]), self._up(ground)
                box = {"x": middle - width / 2, "y": top, "width": width, "height": foot - top}
                yield element("rect", **box, fill=self._colour(number))
                text = f"{value:,.6g}"
                if len(bars) == 1 and not series.band and _LETTER * len(text) <= slot + 4:
                    yield self._text(middle, top - 6, text)

    def _drawn(self, number: int) -> Iterator[str]:
        """A series: its band, its error bars, its line, its points and what they say."""
        series, stroke = self._plot.series[number], self._stroke(number)
        places = [(self._across(x), self._up(y)) for x, y in series.points]
        colour = str(stroke["stroke"])
        shaded = series.kind == "line" and not self._plot.x.names
        if series.band and shaded:
            yield element("polygon", points=self._around(series), fill=colour, fill_opacity=0.16)
        elif series.band or series.across:
            yield from self._error_bars(series, places, colour)
        if series.kind == "line":
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            yield element("polyline", points=path, fill="none", **stroke)
        if series.kind == "points" or (series.kind == "line" and len(places) <= 24):
            radius = 5 if series.kind == "points" else 3.5
            yield from (element("circle", cx=x, cy=y, r=radius, fill=colour) for x, y in places)
        for (x, y), text in zip(places, series.texts, strict=False):
            if text:
                yield self._text(x + 8, y - 7, text, anchor="start", colour=colour)

    def _around(self, series: Series) -> str:
        ends = [
            (self._across(x), *interval)
            for (x, _), interval in zip(series.points, series.band, strict=True)
            if interval is not None
        ]
        low = [(x, self._up(low)) for x, low, _ in ends]
        high = [(x, self._up(high)) for x, _, high in reversed(ends)]
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (*low, *high))

    def _error_bars(
        self, series: Series, places: Sequence[tuple[float, float]], colour: str
    ) -> Iterator[str]:
        """Lines over the intervals; on a bar they have an edge, to be seen."""
        lines = []
        for (_, y), interval in zip(places, series.across, strict=False):
            if interval is not None:
                lines.append((self._across(interval[0]), y, self._across(interval[1]), y))
        for (x, _), interval in zip(places, series.band, strict=False):
            if interval is not None:
                lines.append((x, self._up(interval[0]), x, self._up(interval[1])))
        strokes: tuple[tuple[str, float], ...] = ((colour, 2.5),)
        if series.kind != "points":
            paper = self._theme.paper
            edge = ((paper, 4.5),) if paper != "none" else ()
            strokes = (*edge, (self._theme.ink, 1.5))
        for x1, y1, x2, y2 in lines:
            for stroke, width in strokes:
                ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
                yield element("line", **ends, stroke=stroke, stroke_width=width)
