"""A `Chart`: one series of values under labels, the plot that most experiments need; and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from rl_toolkit.utils.atomic_file import write_text_atomically
from rl_toolkit.utils.svg.plot import Axis, Plot, Series


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
        series = Series("", list(enumerate(self.values)), self.kind, band=self.errors)
        axes = Axis(names=self.labels), Axis(self.y_label, log=self.log)
        return Plot(self.title, [series], *axes).to_svg(dark=dark, narrow=narrow)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def check_can_draw(path: str) -> None:
    """Raise ``ValueError`` if `save_chart` cannot write to ``path``, before a long experiment."""
    if not path.lower().endswith(".svg"):
        raise ValueError(f"the name of a plot must end in .svg, not {path}")


class Drawing(Protocol):
    """What can be drawn: a `Chart`, or a `Plot`."""

    def to_svg(self) -> str:
        """The picture."""


def save_chart(chart: Drawing, path: str) -> None:
    """Write the chart as an ``.svg`` file."""
    check_can_draw(path)
    write_text_atomically(path, chart.to_svg() + "\n")
