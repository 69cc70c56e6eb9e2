"""A rating from a few games against levels of the ladder.

If the levels have measured ratings, they are taken as known: the rating is the one at which the
expected points equal the points. If they have none, everyone is rated together, and random play is
0, which says less: the card says which of the two it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, log, sqrt
from pathlib import Path
from typing import Any

from rl_toolkit.arena.ratings.elo_model import expected_points
from rl_toolkit.arena.samples import OnProgress
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.arena.tournaments.results import TournamentResult
from rl_toolkit.envs import make_game
from rl_toolkit.players import levels_for, ratings_for, resolve
from rl_toolkit.players.levels import rated_ladder
from rl_toolkit.utils import Z95
from rl_toolkit.utils.executors import Executor

RANDOM = "random"
#: Ratings are looked for between these, relative to the opponents.
_FAR = 2000.0
_UNIT = log(10) / 400


@dataclass(frozen=True, slots=True)
class Opponent:
    """A level that was played, and what the engine scored; ``rating`` if it was measured."""

    name: str
    points: float
    games: int
    rating: float | None


@dataclass(frozen=True, slots=True)
class RatingEstimate:
    """A rating in Elo; random play is 0.

    Attributes:
        interval: the 95 % interval; an end is ``None`` if all games were won, or lost.
        measured: whether the opponents' ratings were known.
        not_played: games that were tried and not played, which count for nothing.
        seconds_per_move: by the clock of the arena.
    """

    rating: float
    interval: tuple[float | None, float | None]
    measured: bool
    opponents: tuple[Opponent, ...]
    forfeits: int
    seconds_per_move: float
    not_played: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain data."""
        return {
            "rating": self.rating,
            "interval": list(self.interval),
            "measured_ladder": self.measured,
            "games": sum(opponent.games for opponent in self.opponents),
            "forfeits": self.forfeits,
            "not_played": self.not_played,
            "opponents": [
                {
                    "name": opponent.name,
                    "points": opponent.points,
                    "games": opponent.games,
                    "rating": opponent.rating,
                }
                for opponent in self.opponents
            ],
        }


def opponents_for(game: str, engine: str, count: int) -> list[str]:
    """Levels spread over the ladder, without those that think by the clock; random play first.

    Levels with the same engine count once, and the engine does not meet itself. Where levels have
    measured ratings, those without one are not played: one would make the whole rating a rough one.
    """
    seen = {resolve(game, engine)}
    names = []
    for name in (RANDOM, *levels_for(game)):
        spec = resolve(game, name)
        if spec.limit.time is None and spec not in seen:
            seen.add(spec)
            names.append(name)
    level_ratings = ladder_ratings(game)
    rated = [name for name in names if name in level_ratings or name == RANDOM]
    names = rated if len(rated) > 1 else names
    if len(names) > count:
        last = len(names) - 1
        names = [names[round(last * number / (count - 1))] for number in range(count)]
    return names


def ladder_ratings(game: str) -> Mapping[str, tuple[float, float]]:
    """The measured rating of each level and how far it may be off; empty if none was measured."""
    return {name: (measured.rating, measured.error) for name, measured in ratings_for(game).items()}


def rate(
    game: str,
    engine: str,
    opponents: Sequence[str],
    games: int,
    *,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    save: Path | None = None,
    seed: int = 0,
) -> RatingEstimate | None:
    """Play ``games`` games against each opponent, and rate the engine; ``None`` without a game."""
    plan = Tournament(game, (engine, *opponents), games, "gauntlet", _random_plies(game), seed)

    def look(result: TournamentResult) -> None:
        if on_progress is not None:
            on_progress("playing levels", result.tried, plan.total_games)

    result = play_tournament(plan, executor=executor, on_pair=look, save=save, if_changed="replay")
    if not result.games:
        return None
    level_ratings = dict(ladder_ratings(game))
    if level_ratings:
        level_ratings[RANDOM] = (0.0, 0.0)
    faced = tuple(
        Opponent(
            name,
            *result.points(engine, name),
            level_ratings[name][0] if name in level_ratings else None,
        )
        for name in opponents
    )
    row = next(row for row in result.standings() if row.name == engine)
    measured = all(opponent.rating is not None for opponent in faced)
    if measured:
        rating, interval = _against_known(result, engine, faced, level_ratings)
    else:
        anchor = RANDOM if RANDOM in opponents else opponents[0]
        ratings = result.ratings(anchor)
        rating = ratings.rating(engine)
        low, high = ratings.interval(engine)
        interval = (low if isfinite(low) else None, high if isfinite(high) else None)
    return RatingEstimate(
        rating, interval, measured, faced, row.forfeits, row.seconds_per_move, row.not_played
    )


def _random_plies(game: str) -> int:
    """The length of the openings: that of the ladder's games, as ratings depend on it."""
    env = make_game(game)
    ladder = rated_ladder(env.name)
    if ladder is not None:
        return ladder.random_plies
    return 4 if env.rows * env.cols > 16 else 2


def _against_known(
    result: TournamentResult,
    engine: str,
    faced: Sequence[Opponent],
    level_ratings: Mapping[str, tuple[float, float]],
) -> tuple[float, tuple[float | None, float | None]]:
    """The rating at which the expected points equal the points, with one imagined draw.

    The interval counts pairs of games, and how far the ladder itself may be off.
    """
    share = 1 / len(faced)  # of the imagined draw

    def missing(rating: float) -> float:
        return sum(
            opponent.points + share / 2 - (opponent.games + share) * _expected(rating, opponent)
            for opponent in faced
        )

    measured = _root(missing, faced)
    information = sum((opponent.games + share) * _slope(measured, opponent) for opponent in faced)
    model = sum(opponent.games * _slope(measured, opponent) / _UNIT for opponent in faced)
    clustered = 0.0
    for match in result.matches:
        mine = match.match.engines.index(engine)
        other = next(e for e in faced if e.name == match.match.engines[1 - mine])
        for points in match.pair_points:
            made = 2 * (points if mine == 0 else 1 - points)
            clustered += (made - 2 * _expected(measured, other)) ** 2
    error = sqrt(max(clustered, model / 2)) / information
    ladder = sqrt(
        sum(
            (
                (opponent.games + share)
                * _slope(measured, opponent)
                / information
                * level_ratings[opponent.name][1]
            )
            ** 2
            for opponent in faced
        )
    )
    reach = sqrt((Z95 * error) ** 2 + ladder**2)
    points, games = (
        sum(opponent.points for opponent in faced),
        sum(opponent.games for opponent in faced),
    )
    return measured, (
        None if points == 0 else measured - reach,
        None if points == games else measured + reach,
    )


def _expected(rating: float, other: Opponent) -> float:
    assert other.rating is not None
    return float(expected_points(rating - other.rating))


def _slope(rating: float, other: Opponent) -> float:
    """How fast the expected points of a game grow with the rating, per Elo."""
    share = _expected(rating, other)
    return _UNIT * share * (1 - share)


def _root(missing: Callable[[float], float], faced: Sequence[Opponent]) -> float:
    """Where a falling function is 0, by halving."""
    ratings = [opponent.rating for opponent in faced if opponent.rating is not None]
    low, high = min(ratings) - _FAR, max(ratings) + _FAR
    for _ in range(80):
        middle = (low + high) / 2
        if missing(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
