"""What a report of a tournament says: the table, with accuracy where it was measured.

The terminal, JSON, CSV and HTML are four views of one `TournamentReport`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rl_toolkit.arena.grading import Marks
from rl_toolkit.arena.ratings.fitting import Ratings
from rl_toolkit.arena.runs.match_results import unchecked_remark, unplayed_remark
from rl_toolkit.arena.tournaments.results import Standing, TournamentResult, leader_of
from rl_toolkit.utils import counted, percent

#: The columns of the table as CSV.
CSV_COLUMNS = (
    "rank",
    "name",
    "rating",
    "low",
    "high",
    "games",
    "points",
    "score",
    "won",
    "drawn",
    "lost",
    "superiority",
    "seconds_per_move",
    "forfeits",
    "over_time",
    "accuracy",
    "accuracy_low",
    "accuracy_high",
    "judged",
    "not_played",
)


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """A tournament, finished or not, with the ratings of its players.

    Attributes:
        accuracy: the marks of each player, as `judge_moves` finds them; empty if not measured.
        names: what readers call a player, where that is not the text that names it.
    """

    result: TournamentResult
    ratings: Ratings
    rows: list[Standing]
    accuracy: Mapping[str, Marks] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        result: TournamentResult,
        anchor: str | None = None,
        accuracy: Mapping[str, Marks] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> TournamentReport:
        """The report of a result; the rating of ``anchor``, or else the mean, is 0."""
        ratings = result.ratings(anchor)
        return cls(result, ratings, result.standings(ratings), accuracy or {}, names or {})

    def called(self, player: str) -> str:
        """What readers call a player."""
        return self.names.get(player, player)

    @property
    def title(self) -> str:
        """``4 players on connect-four, round-robin, 60 games: 10 balanced openings, …``."""
        plan, result = self.result.plan, self.result
        played = f"{result.games} games"
        if not result.complete:
            played = f"{result.games} of {result.games + result.to_come} games"
        missing = f"; {result.not_played}" if result.not_played else ""
        who = f"{len(plan.active)} players on {plan.game}, {plan.schedule}"
        return f"{who}, {played}: {result.opening_words}{missing}"

    def notes(self) -> list[str]:
        """What a reader must know to understand the ratings."""
        ratings = self.ratings
        low, high = ratings.advantage_interval
        zero = "The mean of all ratings is 0"
        if ratings.anchor is not None:
            zero = f"{self.called(ratings.anchor)} has rating 0"
        sentences = [
            f"{zero}. The first move is worth {ratings.advantage:+.0f} Elo ({low:+.0f} to "
            f"{high:+.0f}). Equal players draw {percent(ratings.draw_rate)}. "
            f"Seed {self.result.plan.seed}."
        ]
        leader = leader_of(self.rows)
        sentences.append(
            f"{self.called(leader)} leads: its interval lies above all others."
            if leader
            else "No player leads: no interval lies above all others."
        )
        if self.accuracy:
            most = max(marks.keeps.of for marks in self.accuracy.values())
            sentences.append(
                f"Accuracy: the share of sampled moves (up to {most} of each player) that kept the "
                "result, in positions where a mistake was possible; by the exact solver."
            )
        return sentences

    def warnings(self) -> list[str]:
        """A sentence for everything that limits what the table says."""
        sentences = [self.result.opening_remark] if self.result.opening_remark else []
        if not self.ratings.connected:
            sentences.append("Not all players have met, even through others: no intervals yet.")
        for row in self.rows:
            name = self.called(row.name)
            missing = [
                unplayed for unplayed in self.result.unplayed() if unplayed.player == row.name
            ]
            if missing:
                sentences.append(unplayed_remark(name, [unplayed.forfeit for unplayed in missing]))
            if row.forfeits:
                lost = [forfeit for forfeit in self.result.forfeits() if forfeit.player == row.name]
                games = counted(row.forfeits, "game")
                if row.lost_on_time:
                    games += f" ({row.lost_on_time} on time)"
                reason, position = lost[0].forfeit.reason, lost[0].forfeit.position
                sentences.append(f"{name} forfeited {games}: it {reason} (position {position}).")
            if row.over_time:
                sentences.append(f"{name} exceeded its limit in {counted(row.over_time)}.")
            if row.over_limit:
                moves = counted(row.over_limit)
                sentences.append(f"{name} reported more than its limit in {moves}.")
            if row.unchecked:
                sentences.append(unchecked_remark(name, row.unchecked))
        result = self.result
        if result.adjudicated:
            sentences.append(f"{counted(result.adjudicated, 'game')} ended by adjudication.")
        if result.distinct < result.games:
            sentences.append(
                f"Only {result.distinct} of the {result.games} games differ, so the intervals are "
                "too narrow; more openings make games differ."
            )
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, without games; what is not known is ``None``."""
        data = self.result.to_dict(self.ratings.anchor)
        for player in data["players"]:
            marks = self.accuracy.get(player["name"])
            player["accuracy"] = None if marks is None else marks.to_dict()
        lengths = [length for length, _ in self.result.lengths()]
        data["mean_length"] = sum(lengths) / len(lengths) if lengths else None
        return data

    def csv_rows(self) -> Iterator[dict[str, Any]]:
        """A row for each player, with the columns `CSV_COLUMNS`; what is not known is empty."""
        for rank, row in enumerate(self.rows, 1):
            low, high = row.interval or (None, None)
            marks = self.accuracy.get(row.name)
            fields: dict[str, Any] = {**row.to_dict(), "rank": rank, "low": low, "high": high}
            if marks is not None:
                fields["judged"] = marks.keeps.of
                if marks.matters.of:
                    fields["accuracy"] = marks.matters.share
                    fields["accuracy_low"], fields["accuracy_high"] = marks.matters.interval
            yield {column: fields.get(column) for column in CSV_COLUMNS}
