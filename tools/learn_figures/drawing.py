"""A small drawing board for figures: shapes and text that are legible on light and dark paper.

Every colour has a name and two shades. The light shades stand in the elements themselves; a style
sheet replaces them where the reader prefers dark pages, and does no harm where it is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence

from rl_toolkit.utils.svg.canvas import element, escaped

#: Name: (on light paper, on dark paper).
COLOURS = {
    "paper": ("#fbfaf7", "#14171d"),
    "box": ("#ffffff", "#1c2129"),
    "ink": ("#1f2937", "#f3f4f6"),
    "soft": ("#6b7280", "#a3adbd"),
    "rule": ("#d5d9e0", "#3a4252"),
    "blue": ("#2f6fde", "#6aa5ff"),
    "red": ("#d9416f", "#ff7d9f"),
    "green": ("#0f8f6f", "#2cc79d"),
    "orange": ("#c65d1e", "#f0924f"),
    "violet": ("#7a4fd0", "#b496ff"),
}
#: For lines and bars, in this order.
SERIES = ("blue", "orange", "green", "violet", "red")

_DARK = "".join(
    f".f-{name}{{fill:{dark}}}.s-{name}{{stroke:{dark}}}" for name, (_, dark) in COLOURS.items()
)
_STYLE = f"@media (prefers-color-scheme: dark){{{_DARK}}}"


class Figure:
    """A picture of ``width`` × ``height`` units; ``title`` is what a screen reader says."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._parts: list[str] = []

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = "box",
        stroke: str | None = None,
        round_: float = 0,
    ) -> None:
        """A rectangle with its upper left corner at (x, y)."""
        shape = {"x": x, "y": y, "width": width, "height": height, "rx": round_}
        self._add("rect", fill, stroke, shape)

    def circle(
        self, x: float, y: float, radius: float, *, fill: str = "box", stroke: str | None = None
    ) -> None:
        """A circle around (x, y)."""
        self._add("circle", fill, stroke, {"cx": x, "cy": y, "r": radius}, 2)

    def line(
        self,
        *points: tuple[float, float],
        stroke: str = "ink",
        width: float = 1.5,
        dashed: bool = False,
    ) -> None:
        """A line through ``points``."""
        shape: dict[str, str | float] = {
            "points": " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
            "fill": "none",
            "stroke_linejoin": "round",
        }
        if dashed:
            shape["stroke_dasharray"] = "5 4"
        self._add("polyline", None, stroke, shape, width)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 14,
        fill: str = "ink",
        anchor: str = "middle",
        bold: bool = False,
    ) -> None:
        """Words whose start, middle or end is at x, standing on the line y."""
        self._parts.append(
            element(
                "text",
                escaped(words),
                x=x,
                y=y,
                font_size=size,
                text_anchor=anchor,
                font_weight="bold" if bold else "normal",
                fill=COLOURS[fill][0],
                **{"class": f"f-{fill}"},
            )
        )

    def board(self, x: float, y: float, cells: str, *, size: float = 66) -> None:
        """A 3×3 board with its upper left corner at (x, y); nine of ``x``, ``o`` and ``.``."""
        cell = size / 3
        self.rect(x, y, size, size, stroke="rule", round_=3)
        for k in (1, 2):
            self.line((x + k * cell, y), (x + k * cell, y + size), stroke="rule", width=1)
            self.line((x, y + k * cell), (x + size, y + k * cell), stroke="rule", width=1)
        for index, piece in enumerate(cells):
            row, col = divmod(index, 3)
            cx, cy, reach = x + (col + 0.5) * cell, y + (row + 0.5) * cell, cell * 0.3
            if piece == "x":
                a, b, c, d = cx - reach, cx + reach, cy - reach, cy + reach
                self.line((a, c), (b, d), stroke="blue", width=2.5)
                self.line((a, d), (b, c), stroke="blue", width=2.5)
            elif piece == "o":
                self._add("circle", None, "red", {"cx": cx, "cy": cy, "r": reach}, 2.5)

    def svg(self) -> str:
        """The picture as a document."""
        paper = element(
            "rect",
            width=self.width,
            height=self.height,
            fill=COLOURS["paper"][0],
            **{"class": "f-paper"},
        )
        return element(
            "svg",
            element("title", escaped(self.title)),
            element("style", _STYLE),
            paper,
            "\n".join(["", *self._parts, ""]),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.width:g} {self.height:g}",
            width=self.width,
            height=self.height,
            role="img",
            font_family="system-ui, sans-serif",
        )

    def _add(
        self,
        name: str,
        fill: str | None,
        stroke: str | None,
        shape: dict[str, str | float] | dict[str, float],
        width: float = 1.5,
    ) -> None:
        classes = []
        attributes: dict[str, str | float] = dict(shape)
        if fill is not None:
            classes.append(f"f-{fill}")
            attributes["fill"] = COLOURS[fill][0]
        elif "fill" not in attributes:
            attributes["fill"] = "none"
        if stroke is not None:
            classes.append(f"s-{stroke}")
            attributes["stroke"] = COLOURS[stroke][0]
            attributes["stroke_width"] = width
        attributes["class"] = " ".join(classes)
        self._parts.append(element(name, **attributes))


class Plot:
    """Axes inside a figure: values on the left, numbers along the bottom.

    ``low``/``high`` are the ends of the axes, in units of the data or, with ``log``, its powers.
    """

    def __init__(
        self,
        figure: Figure,
        x_range: tuple[float, float],
        y_range: tuple[float, float],
        *,
        left: float = 70,
        right: float = 20,
        top: float = 52,
        bottom: float = 56,
    ) -> None:
        self.figure, self._x, self._y = figure, x_range, y_range
        self.left, self.top = left, top
        self.right, self.bottom = figure.width - right, figure.height - bottom

    def x(self, value: float) -> float:
        """Where a value lies along the bottom."""
        low, high = self._x
        return self.left + (value - low) / (high - low) * (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a value lies on the left."""
        low, high = self._y
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)

    def y_ticks(self, ticks: Sequence[tuple[float, str]]) -> None:
        """Grid lines with their labels."""
        for value, label in ticks:
            y = self.y(value)
            self.figure.line((self.left, y), (self.right, y), stroke="rule", width=1)
            self.figure.text(self.left - 8, y + 4.5, label, size=13, fill="soft", anchor="end")

    def x_ticks(self, ticks: Sequence[tuple[float, str]]) -> None:
        """Labels along the bottom."""
        for value, label in ticks:
            self.figure.text(self.x(value), self.bottom + 20, label, size=13, fill="soft")

    def titles(self, title: str, x_title: str, y_title: str) -> None:
        """The heading, and what the axes show."""
        figure = self.figure
        figure.text(figure.width / 2, 24, title, size=16, bold=True)
        figure.text((self.left + self.right) / 2, figure.height - 12, x_title, size=13, fill="soft")
        figure.text(12, self.top - 12, y_title, size=13, fill="soft", anchor="start")

    def curve(
        self, points: Sequence[tuple[float, float]], colour: str, *, dashed: bool = False
    ) -> None:
        """A line through values."""
        where = [(self.x(x), self.y(y)) for x, y in points]
        self.figure.line(*where, stroke=colour, width=2.5, dashed=dashed)

    def bar(self, x: float, value: float, colour: str, *, width: float, label: str = "") -> None:
        """A bar around x, ``width`` units of the drawing wide, from the lower end to ``value``."""
        top = self.y(value)
        left = self.x(x) - width / 2
        self.figure.rect(left, top, width, max(0.5, self.bottom - top), fill=colour)
        if label:
            self.figure.text(self.x(x), top - 6, label, size=12)


def legend(figure: Figure, x: float, y: float, entries: Sequence[tuple[str, str]]) -> None:
    """Coloured squares with words below each other; entries are (colour, words)."""
    for number, (colour, words) in enumerate(entries):
        figure.rect(x, y + 20 * number, 12, 12, fill=colour)
        figure.text(x + 18, y + 20 * number + 11, words, size=13, anchor="start")
