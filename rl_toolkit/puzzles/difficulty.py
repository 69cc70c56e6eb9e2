"""How difficult a puzzle is: the rating of the levels that play its whole line.

The scale is that of the levels of the game (`rl-toolkit levels`). The estimate is the rating with
the highest likelihood, given which levels find the line. It stays as it is: the results of one
player cannot tell a difficult puzzle from a weak player.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rl_toolkit.analysis import use_machine_code
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player, make_player
from rl_toolkit.players.levels import ratings_for
from rl_toolkit.puzzles.provers import Find, Prover
from rl_toolkit.puzzles.puzzle import WINNING, Puzzle, number_of

#: Levels of games without measured ratings, with ratings that similar games suggest.
_USUAL = (
    ("random", 0.0),
    ("greedy:slips=0.85", 350.0),
    ("greedy:slips=0.3", 650.0),
    ("minimax:depth=2", 900.0),
    ("minimax:depth=4", 1150.0),
    ("minimax:depth=6", 1400.0),
)
#: A level that thinks longer than this is left out, and so are those that solve everything.
_MILLISECONDS = 25.0
_SEEDS = 2
#: The spread of the logistic curve, and the prior: mean and deviation.
_WIDTH, _MEAN, _DEVIATION = 250.0, 900.0, 700.0
_GRID = range(0, 2401, 25)
_MOST_TEMPTING = 3


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The rating of a puzzle, the wrong moves that look good, and whether the weakest find it."""

    rating: int
    tempting: tuple[int, ...]
    easy: bool

    def puzzle(self, env: BaseGameEnv, find: Find, played: int | None = None) -> Puzzle:
        """What was found in the position of ``env``, as a puzzle of this difficulty."""
        return Puzzle(
            env.name,
            number_of(env),
            tuple(env.history),
            find.line,
            find.kind,
            self.rating,
            self.tempting,
            played,
        )


class Meter:
    """Measures puzzles of one game."""

    def __init__(self, env: BaseGameEnv, prover: Prover) -> None:
        self._levels = [
            (rating, [_player(env.name, spec, seed) for seed in range(_SEEDS)])
            for spec, rating in _levels(env.name)
        ]
        self._glance = _player(env.name, prover.glance, 0)

    def measure(self, env: BaseGameEnv, kind: str, line: Sequence[int]) -> Difficulty:
        """The difficulty of the puzzle with that line in the position of ``env``."""
        shares = [
            (rating, sum(_solves(player, env, kind, line) for player in players) / len(players))
            for rating, players in self._levels
        ]
        return Difficulty(_likeliest(shares), self._tempting(env, line[0]), shares[0][1] == 1)

    def _tempting(self, env: BaseGameEnv, right: int) -> tuple[int, ...]:
        candidates = self._glance.analyse(env).candidates
        values = {each.move: each.value for each in candidates if each.value is not None}
        if right not in values:
            return tuple(values)[:_MOST_TEMPTING]
        better = [m for m, value in values.items() if m != right and value >= values[right]]
        return tuple(sorted(better, key=lambda m: -values[m])[:_MOST_TEMPTING])


def _levels(game: str) -> list[tuple[str, float]]:
    measured = {
        each.spec: each.rating
        for level, each in ratings_for(game).items()
        if level != "perfect" and each.milliseconds <= _MILLISECONDS
    }
    return list(measured.items()) or list(_USUAL)


def _player(game: str, spec: str, seed: int) -> Player:
    player = make_player(game, spec, seed=seed)
    use_machine_code(player.engine)
    return player


def _solves(player: Player, env: BaseGameEnv, kind: str, line: Sequence[int]) -> bool:
    """Whether a player finds every own move of a line; any win does at the end."""
    game = env.copy()
    for ply, move in enumerate(line):
        if ply % 2 == 0:
            best = player.analyse(game).best_move
            ends = ply == len(line) - 1 and ply and kind in WINNING
            if best != move and not (ends and best in game.winning_moves(game.current_player)):
                return False
        game.step(move)
    return True


def _likeliest(shares: Sequence[tuple[float, float]]) -> int:
    """The rating that explains best which levels solve it."""

    def log_likelihood(rating: int) -> float:
        total = -(((rating - _MEAN) / _DEVIATION) ** 2) / 2
        for level, share in shares:
            chance = 1 / (1 + 10 ** ((rating - level) / _WIDTH))
            total += _SEEDS * (share * math.log(chance) + (1 - share) * math.log(1 - chance))
        return total

    return max(_GRID, key=log_likelihood)
