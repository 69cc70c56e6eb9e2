"""The plan of a match, its games, and the score of its first engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.records import GameRecord
from rl_toolkit.utils.statistics import elo, mean_interval


@dataclass(frozen=True, slots=True)
class Match:
    """The plan of a match.

    Attributes:
        game: the name of the game.
        engines: two specs or levels; points are counted for the first.
        pairs: the number of openings, with two games each.
        random_plies: the number of random moves of an opening.
        seed: the seed of all randomness.
    """

    game: str
    engines: tuple[str, str]
    pairs: int
    random_plies: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("pairs", 1), ("random_plies", 0), ("seed", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, not {getattr(self, name)}")
        for engine in self.engines:
            make_player(self.game, engine)


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Why an engine lost a game that the moves leave open.

    Attributes:
        engine: the number (0 or 1) of the engine that failed.
        position: the position that it was asked about, as text.
        reason: what happened: ``raised …``, ``played …``, ``returned …``.
    """

    engine: int
    position: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a match.

    Attributes:
        first: the number (0 or 1) of the engine that moved first.
        opening, moves: the random moves, and those of the engines.
        result: +1, 0 or −1 for engine 0.
        seconds, thought: the thinking time and the number of moves of each engine, by the clock of
            the arena.
        over_time: the number of moves of each engine that took longer than its limit.
        forfeit: set if an engine failed, which lost the game.
    """

    pair: int
    first: int
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    result: int
    seconds: tuple[float, float]
    thought: tuple[int, int]
    over_time: tuple[int, int] = (0, 0)
    forfeit: Forfeit | None = None

    def record(self, match: Match) -> GameRecord:
        """The game as a record."""
        env = make_game(match.game)
        for move in (*self.opening, *self.moves):
            env.step(move)
        players = (match.engines[self.first], match.engines[1 - self.first])
        if self.forfeit is None:
            return GameRecord.from_env(env, players=players)
        winner = self.result if self.first == 0 else -self.result
        failed = f"{match.engines[self.forfeit.engine]} {self.forfeit.reason}"
        return GameRecord.from_env(
            env, players=players, result=winner, ended_by="forfeit", headers={"forfeit": failed}
        )


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The games of a match, and the score of its first engine."""

    match: Match
    games: Sequence[PlayedGame]

    def count(self, result: int, first: int | None = None) -> int:
        """Games with this result for engine 0; with ``first``, those where that engine opened."""
        return sum(g.result == result and first in (None, g.first) for g in self.games)

    @property
    def complete(self) -> bool:
        """Whether all games of the match have been played."""
        return len(self.games) >= 2 * self.match.pairs

    @property
    def pair_points(self) -> list[float]:
        """Points per game of engine 0 in each pair: 0, ¼, ½, ¾ or 1."""
        pairs: dict[int, list[float]] = {}
        for game in self.games:
            pairs.setdefault(game.pair, []).append((game.result + 1) / 2)
        return [sum(points) / len(points) for _, points in sorted(pairs.items())]

    @property
    def share(self) -> float:
        """Points per game of engine 0; a draw is half a point."""
        points = self.pair_points
        return sum(points) / max(1, len(points))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of `share`, over pairs."""
        return mean_interval(self.pair_points)

    @property
    def distinct(self) -> int:
        """The number of distinct games."""
        return len({(game.opening, game.moves) for game in self.games})

    @property
    def forfeits(self) -> tuple[int, int]:
        """The number of games that each engine lost by a failure."""
        failed = [game.forfeit.engine for game in self.games if game.forfeit is not None]
        return failed.count(0), failed.count(1)

    @property
    def over_time(self) -> tuple[int, int]:
        """The number of moves of each engine that took longer than its limit."""
        first, second = (sum(game.over_time[engine] for game in self.games) for engine in (0, 1))
        return first, second

    def seconds_per_move(self) -> list[float]:
        """The mean thinking time of each engine, by the clock of the arena."""
        return [
            sum(game.seconds[engine] for game in self.games)
            / max(1, sum(game.thought[engine] for game in self.games))
            for engine in (0, 1)
        ]

    def remarks(self) -> list[str]:
        """A sentence for each engine that failed, and for each that exceeded its time limit."""
        said = []
        for engine, count in enumerate(self.forfeits):
            if count:
                failed = (game.forfeit for game in self.games if game.forfeit is not None)
                first = next(forfeit for forfeit in failed if forfeit.engine == engine)
                games = "1 game" if count == 1 else f"{count} games"
                said.append(
                    f"{self.match.engines[engine]} forfeited {games}: it {first.reason} "
                    f"(position {first.position})."
                )
        for engine, count in enumerate(self.over_time):
            if count:
                moves = "1 move" if count == 1 else f"{count} moves"
                said.append(f"{self.match.engines[engine]} exceeded its limit in {moves}.")
        return said

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, without games.

        ``elo_low`` and ``elo_high`` belong to the ends of the interval; ``elo`` is ``None`` if one
        side won every game, and an end is ``None`` where it has no bound.
        """
        low, high = self.interval
        return {
            **asdict(self.match),
            "games": len(self.games),
            "complete": self.complete,
            "won": self.count(1),
            "drawn": self.count(0),
            "lost": self.count(-1),
            "share": self.share,
            "low": low,
            "high": high,
            "elo": _finite(elo(self.share)),
            "elo_low": _finite(elo(low)),
            "elo_high": _finite(elo(high)),
            "distinct_games": self.distinct,
            "seconds_per_move": self.seconds_per_move(),
            "over_time": list(self.over_time),
            "forfeits": [
                {"pair": game.pair, "first": game.first, **asdict(game.forfeit)}
                for game in self.games
                if game.forfeit is not None
            ],
        }


def _finite(number: float) -> float | None:
    """``None`` for infinity, which JSON cannot represent."""
    return number if abs(number) < 1e6 else None
