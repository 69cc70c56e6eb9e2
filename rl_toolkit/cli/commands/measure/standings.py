"""The standings of a tournament in the terminal, while it is played and at its end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import Column, fitting, left_out, plain_table
from rl_toolkit.utils import percent

if TYPE_CHECKING:
    from rl_toolkit.arena.tournaments import Standing, TournamentReport, TournamentResult

#: Seconds between two looks at the table; the ratings are fitted anew each time. A look that takes
#: long is followed by a longer pause, so that looking takes a twentieth of the time at most.
_LOOK, _PAUSE = 1.0, 20
#: Lines of the terminal that the bar and the headings need.
_OTHER_LINES = 4


class LiveStandings:
    """The table above the bar of a tournament, fitted anew about once a second."""

    def __init__(
        self, screen: Screen, anchor: str | None, names: Mapping[str, str] | None = None
    ) -> None:
        self._screen, self._anchor, self._names = screen, anchor, names or {}
        self._next_look = 0.0
        self._rows: list[Standing] = []
        #: Who leads, in a few words, if the intervals say so.
        self.leader = ""

    def look(self, result: TournamentResult) -> None:
        """Take over the result so far, unless the table is young; the last one always."""
        from rl_toolkit.arena.tournaments import leader_of

        began = time.monotonic()
        if not result.games or (began < self._next_look and not result.complete):
            return
        rows = result.standings(result.ratings(self._anchor))
        self._rows = [replace(row, name=self._names.get(row.name, row.name)) for row in rows]
        leader, best = leader_of(self._rows), percent(max(row.score for row in self._rows))
        self.leader = f"{leader} leads with {best}" if leader else f"no clear leader at {best}"
        ended = time.monotonic()
        self._next_look = ended + max(_LOOK, _PAUSE * (ended - began))

    def lines(self) -> Iterator[RenderableType]:
        """The table, cut off where the terminal ends; nothing before the first pair."""
        if not self._rows:
            return
        console = self._screen.err
        room = max(1, console.height - _OTHER_LINES)
        yield _table(_standings_columns(self._rows[:room]), console.width, self._screen)
        if len(self._rows) > room:
            yield Text(self._screen.fit(f"… and {len(self._rows) - room} more"), "dim")


def show_report(report: TournamentReport, screen: Screen) -> None:
    """Write the standings, the crosstable, and what a reader must know about them."""
    screen.say(report.title, "bold")
    for columns in (_standings_columns(report.rows, report), _crosstable_columns(report)):
        screen.say(_table(columns, screen.width, screen))
        if missing := left_out(columns, fitting(columns, screen.width)):
            screen.tell(missing, "dim")
        screen.say()
    for note in report.notes():
        screen.say(note, "dim")
    for warning in report.warnings():
        screen.say(warning, "yellow")


def _standings_columns(
    rows: list[Standing], report: TournamentReport | None = None
) -> list[Column]:
    columns = [
        Column("", [f"{rank}" for rank in range(1, len(rows) + 1)]),
        Column("player", [report.called(row.name) if report else row.name for row in rows]),
        Column("Elo", [f"{row.rating:+.0f}" for row in rows]),
        Column("95 % interval", [_interval_text(row.interval) for row in rows]),
        Column("score", [percent(row.score) for row in rows]),
        Column("games", [str(row.games) for row in rows], dispensable=1),
        Column("won", [str(row.won) for row in rows], dispensable=3),
        Column("drawn", [str(row.drawn) for row in rows], dispensable=3),
        Column("lost", [str(row.lost) for row in rows], dispensable=3),
        Column(
            "better than next",
            ["" if row.superiority is None else percent(row.superiority) for row in rows],
            dispensable=4,
        ),
        Column("ms/move", [f"{1000 * row.seconds_per_move:.1f}" for row in rows], dispensable=5),
    ]
    if report is not None and report.accuracy:
        columns.insert(5, Column("accuracy", _accuracy_cells(rows, report), dispensable=2))
    if any(row.forfeits for row in rows):
        cells = [str(row.forfeits or "") for row in rows]
        columns.append(Column("forfeits", cells, dispensable=6))
    if any(row.not_played for row in rows):
        cells = [str(row.not_played or "") for row in rows]
        columns.append(Column("not played", cells, dispensable=6))
    return columns


def _accuracy_cells(rows: list[Standing], report: TournamentReport) -> list[str]:
    """``93.1 %``, or ``-`` for a player of whose moves none could be wrong."""
    marks = (report.accuracy.get(row.name) for row in rows)
    return [percent(each.matters.share) if each and each.matters.of else "-" for each in marks]


def _crosstable_columns(report: TournamentReport) -> list[Column]:
    """Points out of games, each player against the others by rank."""
    rows = report.rows
    columns = [
        Column("", [f"{rank}" for rank in range(1, len(rows) + 1)]),
        Column("points against", [report.called(row.name) for row in rows]),
    ]
    for rank, opponent in enumerate(rows, 1):
        cells = []
        for row in rows:
            points, games = report.result.points(row.name, opponent.name)
            cells.append(f"{points:g}/{games}" if games else "·")
        columns.append(Column(str(rank), cells, dispensable=rank))
    return columns


def _table(columns: list[Column], width: int, screen: Screen) -> Table:
    kept = fitting(columns, width)
    table = plain_table(
        *(each.head for each in kept),
        numbers=[each.head for each in kept if each.head not in ("player", "points against")],
    )
    for cells in zip(*(each.cells for each in kept), strict=True):
        table.add_row(*map(screen.fit, cells))
    return table


def _interval_text(interval: tuple[float, float] | None) -> str:
    return "?" if interval is None else f"{interval[0]:+.0f} to {interval[1]:+.0f}"
