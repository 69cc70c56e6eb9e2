"""The result of a tournament: standings with ratings, crosstable, forfeits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from rl_toolkit.arena.ratings.fitting import Ratings, fit_ratings
from rl_toolkit.arena.ratings.rated_games import RatedGame
from rl_toolkit.arena.runs.match_results import Forfeit, MatchResult, described, not_played
from rl_toolkit.arena.runs.openings.describing import (
    openings_in_words,
    openings_played,
    openings_remark,
)
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.records import GameRecord


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's row of the table.

    Attributes:
        rating, interval: in Elo, with the 95 % interval; ``None`` while players have not met.
        games, won, drawn, lost: numbers of games.
        superiority: the likelihood that it is stronger than the next player of the table.
        seconds_per_move: the mean thinking time, by the clock of the arena.
        forfeits: games lost by a failure, by its work or on time, and ``lost_on_time`` those on
            time.
        over_time: moves that took longer than its limit.
        over_limit: moves with more work than its limit allows, as it reports itself.
        unchecked: moves whose work could not be compared with a limit of the tournament.
        not_played: its games that were tried and not played, whoever could not; see
            `UnplayedGame`.
        place: its place; players whose ratings are equal in whole Elo share one.
    """

    name: str
    rating: float
    interval: tuple[float, float] | None
    games: int
    won: int
    drawn: int
    lost: int
    superiority: float | None
    seconds_per_move: float
    forfeits: int
    over_time: int
    lost_on_time: int = 0
    over_limit: int = 0
    unchecked: int = 0
    not_played: int = 0
    place: int = 0

    @property
    def points(self) -> float:
        """A win is a point, a draw half a point."""
        return self.won + self.drawn / 2

    @property
    def score(self) -> float:
        """Points per game; 0 without games."""
        return self.points / max(1, self.games)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**asdict(self), "points": self.points, "score": self.score}


@dataclass(frozen=True, slots=True)
class LostByForfeit:
    """A game that a player lost by a failure, or could not play."""

    player: str
    opponent: str
    pair: int
    forfeit: Forfeit

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data."""
        return {
            "player": self.player,
            "opponent": self.opponent,
            "pair": self.pair,
            "position": self.forfeit.position,
            "reason": self.forfeit.reason,
        }


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """The games of a tournament; ``matches`` has one result for each pairing that was begun."""

    plan: Tournament
    matches: Sequence[MatchResult]

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(len(match.games) for match in self.matches)

    @property
    def complete(self) -> bool:
        """Whether all games of the tournament have been played, or tried in vain."""
        return self.to_come <= 0

    @property
    def to_come(self) -> int:
        """The number of games that are still to be played."""
        retired = self.plan.retired
        present = (results for results in self.matches if not retired & {*results.match.engines})
        return self.plan.total_games - sum(match.tried for match in present)

    @property
    def tried(self) -> int:
        """The number of games, with those that were not played."""
        return sum(match.tried for match in self.matches)

    @property
    def not_played(self) -> str:
        """How many games were not played, in words; empty if all were."""
        return not_played(self.tried - self.games, self.tried)

    @property
    def distinct(self) -> int:
        """The number of distinct games, pairing by pairing."""
        return sum(match.distinct for match in self.matches)

    @property
    def opening_words(self) -> str:
        """``5 balanced openings, each from both sides``; all pairings play the same ones."""
        return openings_in_words(self.plan, self._openings())

    @property
    def opening_remark(self) -> str:
        """A sentence if openings favoured a side, or may have; else empty."""
        return openings_remark(self.plan, self._openings())

    def _openings(self) -> list[Opening]:
        return openings_played(game for match in self.matches for game in match.games)

    @property
    def adjudicated(self) -> int:
        """The number of games that a proof ended."""
        return sum(match.adjudicated for match in self.matches)

    def in_order(self) -> TournamentResult:
        """The same games, in the order of openings."""
        matches = [
            MatchResult(
                match.match,
                sorted(match.games, key=lambda game: (game.pair, game.first)),
                sorted(match.unplayed, key=lambda game: (game.pair, game.first)),
            )
            for match in self.matches
        ]
        return TournamentResult(self.plan, matches)

    def rated_games(self) -> Iterator[RatedGame]:
        """The games as ratings see them; the two games of an opening are one unit."""
        for match in self.matches:
            engines = match.match.engines
            for game in match.games:
                first, second = engines[game.first], engines[1 - game.first]
                result = -game.result if game.first else game.result
                yield RatedGame(first, second, result, game.pair)

    def ratings(self, anchor: str | None = None) -> Ratings:
        """The ratings of all players; that of ``anchor``, or else the mean, is 0."""
        return fit_ratings(self.rated_games(), self.plan.players, anchor=anchor)

    def standings(self, ratings: Ratings | None = None) -> list[Standing]:
        """The table, best first."""
        ratings = ratings or self.ratings()
        table = sorted(self.plan.players, key=lambda name: -ratings.rating(name))
        whole = [round(ratings.rating(name)) for name in table]
        rows: list[Standing] = []
        for name, after in zip(table, [*table[1:], None], strict=True):
            mine = [
                (match, match.match.engines.index(name))
                for match in self.matches
                if name in match.match.engines
            ]
            counts = [
                sum(match.count(-result if side else result) for match, side in mine)
                for result in (1, 0, -1)
            ]
            played = [(game, side) for match, side in mine for game in match.games]
            moves = sum(game.thought[side] for game, side in played)
            seconds = sum(game.seconds[side] for game, side in played)
            better = None
            if after is not None and ratings.connected:
                better = ratings.superiority(name, after)
            rows.append(
                Standing(
                    name=name,
                    rating=ratings.rating(name),
                    interval=ratings.interval(name) if ratings.connected else None,
                    games=sum(counts),
                    won=counts[0],
                    drawn=counts[1],
                    lost=counts[2],
                    superiority=better,
                    seconds_per_move=seconds / max(1, moves),
                    forfeits=sum(match.forfeits[side] for match, side in mine),
                    over_time=sum(match.over_time[side] for match, side in mine),
                    lost_on_time=sum(match.lost_on_time[side] for match, side in mine),
                    over_limit=sum(match.over_limit[side] for match, side in mine),
                    unchecked=sum(match.unchecked[side] for match, side in mine),
                    not_played=sum(len(match.unplayed) for match, _ in mine),
                    place=whole.index(whole[len(rows)]) + 1,
                )
            )
        return rows

    def points(self, player: str, opponent: str) -> tuple[float, int]:
        """The points of a player against an opponent, and the number of their games."""
        for match in self.matches:
            engines = match.match.engines
            if set(engines) == {player, opponent} and player != opponent:
                mine = 1 if engines[0] == player else -1
                return match.count(mine) + match.count(0) / 2, len(match.games)
        return 0.0, 0

    def forfeits(self) -> list[LostByForfeit]:
        """All games that were lost by a failure."""
        return [
            _failure(match, game.pair, game.forfeit)
            for match in self.matches
            for game in match.games
            if game.forfeit is not None
        ]

    def unplayed(self) -> list[LostByForfeit]:
        """All games that were not played, with the player who could not."""
        return [
            _failure(match, game.pair, game.forfeit)
            for match in self.matches
            for game in match.unplayed
        ]

    def lengths(self) -> list[tuple[int, int]]:
        """The number of moves of each game, and its result for the player who moved first."""
        return [
            (len(game.opening) + len(game.moves), -game.result if game.first else game.result)
            for match in self.matches
            for game in match.games
        ]

    def records(self) -> list[GameRecord]:
        """All games as records."""
        return [game.record(match.match) for match in self.matches for game in match.games]

    def to_dict(self, anchor: str | None = None) -> dict[str, Any]:
        """The result as plain data, without games; what is not known yet is ``None``."""
        ratings = self.ratings(anchor)
        return {
            "game": self.plan.game,
            "schedule": self.plan.schedule,
            "games_per_pairing": self.plan.games,
            "rounds": self.plan.swiss_rounds if self.plan.schedule == "swiss" else None,
            "random_plies": self.plan.random_plies,
            "seed": self.plan.seed,
            "anchor": anchor,
            "games": self.games,
            "complete": self.complete,
            "distinct_games": self.distinct,
            "adjudicated": self.adjudicated,
            "opening_words": self.opening_words,
            "opening_remark": self.opening_remark,
            "leader": leader_of(self.standings(ratings)),
            **described(self.plan),
            "first_move": ratings.advantage,
            "first_move_interval": _finite(ratings.advantage_interval),
            "draw_rate": ratings.draw_rate,
            "players": [
                {**row.to_dict(), "rank": rank}
                for rank, row in enumerate(self.standings(ratings), 1)
            ],
            "crosstable": [
                {
                    "players": list(match.match.engines),
                    "games": len(match.games),
                    "won": match.count(1),
                    "drawn": match.count(0),
                    "lost": match.count(-1),
                }
                for match in self.matches
            ],
            "forfeits": [forfeit.to_dict() for forfeit in self.forfeits()],
            "not_played": [unplayed.to_dict() for unplayed in self.unplayed()],
        }


def leader_of(table: Sequence[Standing]) -> str | None:
    """The player whose interval lies above those of all others, ``None`` while there is none."""
    first, *others = table
    if first.interval is None:
        return None
    low = first.interval[0]
    clear = all(other.interval is not None and other.interval[1] < low for other in others)
    return first.name if clear else None


def _failure(match: MatchResult, pair: int, forfeit: Forfeit) -> LostByForfeit:
    engines = match.match.engines
    return LostByForfeit(engines[forfeit.engine], engines[1 - forfeit.engine], pair, forfeit)


def _finite(interval: tuple[float, float]) -> list[float] | None:
    """``None`` for an interval without ends, which JSON cannot represent."""
    return list(interval) if all(map(isfinite, interval)) else None
