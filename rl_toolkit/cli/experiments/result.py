"""The result of an experiment: a table, remarks, a chart, and the same as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rl_toolkit.utils.svg.chart import Chart

#: ``report(done, total, what)``: how far an experiment is.
Report: TypeAlias = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of an experiment, ready to be shown.

    The first column names the row, the others hold numbers, the most important first: where there
    is no room the last columns are left out.
    """

    title: str
    head: list[str]
    rows: list[list[str]]
    chart: Chart
    remarks: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Score:
    """Games won, drawn and lost by one side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points per game, a draw being half a point."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0

    def add(self, result: float, times: int = 1) -> None:
        """Count games that ended with this result for the side: +1, 0 or −1."""
        if result > 0:
            self.won += times
        elif result < 0:
            self.lost += times
        else:
            self.drawn += times
