"""Games between two players, move by move, and scores with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from rl_toolkit.analysis import Analysis, Engine
from rl_toolkit.arena import checked_answer
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.experiments.results import Cell, Column
from rl_toolkit.players import make_player
from rl_toolkit.utils import wilson_interval

#: The columns that `Score.cells` fills.
SCORE_COLUMNS = (
    Column("won"),
    Column("drawn"),
    Column("lost"),
    Column("points", "percent"),
    Column("95 % interval", "interval"),
)


@dataclass(slots=True)
class Score:
    """Games won, drawn and lost by one side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, results: Sequence[float]) -> Score:
        """The score of games with these results."""
        score = cls()
        for result in results:
            score.add(result)
        return score

    @property
    def games(self) -> int:
        """All games."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points per game, a draw being half a point."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0

    def add(self, result: float) -> None:
        """Count a game that ended with this result for the side: +1, 0 or −1."""
        if result > 0:
            self.won += 1
        elif result < 0:
            self.lost += 1
        else:
            self.drawn += 1

    def cells(self) -> list[Cell]:
        """Won, drawn, lost, the points, and their 95 % interval."""
        return [*astuple(self), self.share, wilson_interval(self.share, self.games)]

    def in_percent(self) -> tuple[float, float]:
        """The interval of the points, in percent."""
        low, high = wilson_interval(self.share, self.games)
        return 100 * low, 100 * high


def moves_of(env: BaseGameEnv, engines: Mapping[int, Engine]) -> Iterator[Analysis]:
    """Play ``env`` to the end and yield what was thought for every move.

    So a game can be abandoned.
    """
    while not env.is_terminal():
        analysis = checked_answer(engines[env.current_player], env)
        env.step(analysis.candidates[0].move)
        yield analysis


def pairing(game: str, engine: str, opponent: str, side: int, seed: int) -> dict[int, Engine]:
    """The players of a game by their sides; the seed makes it repeatable."""
    return {
        side: make_player(game, engine, seed=2 * seed),
        -side: make_player(game, opponent, seed=2 * seed + 1),
    }


def play_out(game: str, engine: str, opponent: str, side: int, seed: int) -> float:
    """The result of one game for ``engine``, which plays ``side``."""
    env = make_game(game)
    for _ in moves_of(env, pairing(game, engine, opponent, side, seed)):
        pass
    return env.get_result(side)
