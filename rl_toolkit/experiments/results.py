"""The result of an experiment: a table, a chart, remarks; and the same as data and as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from rl_toolkit.utils import csv_rows, percent

#: What stands in a cell: a number as it was measured, an interval, a word; ``None`` for nothing.
Cell: TypeAlias = str | int | float | tuple[float, float] | None

#: How the numbers of a column are written.
Form: TypeAlias = Literal[
    "plain", "count", "percent", "interval", "times", "seconds", "number", "power"
]


class Drawing(Protocol):
    """What is drawn: a chart of `rl_toolkit.utils.svg`."""

    @property
    def title(self) -> str:
        """What stands above it."""

    def to_svg(self, *, dark: bool = False, narrow: bool = False) -> str:
        """The picture; a narrow one is for telephones."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: its name, and how its numbers are written."""

    name: str
    form: Form = "count"

    def text(self, cell: Cell) -> str:
        """The cell for people.

        >>> Column("nodes").text(549946), Column("points", "percent").text(0.5)
        ('549,946', '50.0 %')
        """
        if cell is None or isinstance(cell, str):
            return cell or ""
        if isinstance(cell, tuple):
            return f"{percent(cell[0])} to {percent(cell[1])}"
        written = {
            "count": f"{cell:,}",
            "percent": percent(cell),
            "times": f"{cell:,.1f}×",
            "seconds": f"{cell:.2f}",
            "power": f"10^{cell:.1f}",
            "number": f"{cell + 0.0:,.4g}".replace("-", "−"),
        }
        return written.get(self.form, str(cell))

    def fields(self, cell: Cell) -> list[object]:
        """The cell for programs: the number itself, two for an interval."""
        if self.form == "interval":
            return list(cell) if isinstance(cell, tuple) else ["", ""]
        return ["" if cell is None else cell]

    def names(self) -> list[str]:
        """The names of `fields`."""
        return ["low", "high"] if self.form == "interval" else [self.name]


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of an experiment, ready to be shown.

    The first column names the row, the others hold numbers, the most important first: where there
    is no room the last columns are left out. ``stopped`` says how far an interrupted one came.
    """

    title: str
    columns: Sequence[Column]
    cells: Sequence[Sequence[Cell]]
    chart: Drawing
    remarks: Sequence[str] = ()
    data: dict[str, Any] = field(default_factory=dict)
    stopped: str = ""

    @property
    def head(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    @property
    def rows(self) -> list[list[str]]:
        """The cells as text."""
        return [
            [column.text(cell) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.cells
        ]

    def to_csv(self) -> str:
        """The table for other programs: a line of names, then a line for each row."""
        rows: list[list[object]] = [[name for column in self.columns for name in column.names()]]
        for row in self.cells:
            pairs = zip(self.columns, row, strict=True)
            rows.append([field for column, cell in pairs for field in column.fields(cell)])
        return csv_rows(rows)
