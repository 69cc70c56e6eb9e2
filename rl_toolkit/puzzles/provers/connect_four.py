"""Puzzles of Connect Four, by its exact solver."""

from __future__ import annotations

import numpy as np

from rl_toolkit.algorithms import exact_engine
from rl_toolkit.algorithms.connect_four import ConnectFourSolver, distance_of
from rl_toolkit.envs import BaseGameEnv, ConnectFour
from rl_toolkit.puzzles.provers.by_scores import MOST_LOSS, MOST_WIN, ByScores, Scores

#: Stones on the board: with fewer a win is far away, with more the columns are counted.
_STONES = range(10, 35)


class ConnectFourProver(ByScores):
    """Every move scored by the solver."""

    players = ("greedy:slips=0.9", "greedy:slips=0.3", "minimax:depth=2", "minimax:depth=4")

    def __init__(self, env: BaseGameEnv) -> None:
        solver = exact_engine(env)
        assert isinstance(solver, ConnectFourSolver)
        self._solver = solver
        self._cells = env.rows * env.cols

    def scores(self, env: BaseGameEnv) -> Scores:
        """The exact score of every legal move, for the side to move."""
        return self._solver.score_moves(_own(env))

    def hopeless(self, env: BaseGameEnv) -> str:
        """Three narrow questions, which leave one position in ten for the scores of all moves."""
        quick = self._solver.moves_above(_own(env), self._slowest(env, 1, MOST_WIN) - 1, 2)
        if len(quick) == 1:
            quick = self._solver.moves_above(_own(env), 0, 2)
        if quick:
            return "" if len(quick) == 1 else "several moves are right"
        # No win that can be shown is left; a draw, then, that every other move throws away soon.
        held = self._solver.moves_above(_own(env), self._slowest(env, -1, MOST_LOSS), 2)
        return "" if len(held) == 1 else "no end in sight" if held else "all moves lose"

    def _slowest(self, env: BaseGameEnv, sign: int, plies: int) -> int:
        """The score of the slowest win or loss, by its sign, that takes at most so many plies."""
        scores = range(1, self._cells)
        return next(sign * s for s in scores if self._plies(env, sign * s) <= plies)

    def _plies(self, env: BaseGameEnv, score: int) -> int:
        return distance_of(score, _stones(env), self._cells)

    def wanted(self, env: BaseGameEnv) -> bool:
        """Whether a position may hold a puzzle; a quick look."""
        return _stones(env) in _STONES and len(env.get_legal_moves()) >= self.choices

    def distance(self, env: BaseGameEnv, score: int) -> int | None:
        """Plies to the end of the game for a move with that score."""
        return self._plies(env, score)

    def best_line(self, env: BaseGameEnv) -> tuple[int, ...]:
        """Best play of both sides from here."""
        return self._solver.analyse(env).line


def _own(env: BaseGameEnv) -> ConnectFour:
    assert isinstance(env, ConnectFour)
    return env


def _stones(env: BaseGameEnv) -> int:
    return int(np.count_nonzero(env.board))
