"""Puzzles of Connect Four, by its exact solver."""

from __future__ import annotations

import numpy as np

from rl_toolkit.algorithms import exact_engine
from rl_toolkit.algorithms.connect_four import distance_of
from rl_toolkit.analysis import ScoresMoves
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.puzzles.provers.by_scores import ByScores, Scores

#: Stones on the board: with fewer a win is far away, with more the columns are counted.
_STONES = range(10, 35)


class ConnectFourProver(ByScores):
    """Every move scored by the solver."""

    players = ("greedy:slips=0.9", "greedy:slips=0.3", "minimax:depth=2", "minimax:depth=4")

    def __init__(self, env: BaseGameEnv) -> None:
        self._solver = exact_engine(env)
        self._cells = env.rows * env.cols

    def scores(self, env: BaseGameEnv) -> Scores:
        """The exact score of every legal move, for the side to move."""
        assert isinstance(self._solver, ScoresMoves)
        return self._solver.score_moves(env)

    def wanted(self, env: BaseGameEnv) -> bool:
        """Whether a position may hold a puzzle; a quick look."""
        return _stones(env) in _STONES and len(env.get_legal_moves()) >= self.choices

    def distance(self, env: BaseGameEnv, score: int) -> int | None:
        """Plies to the end of the game for a move with that score."""
        return distance_of(score, _stones(env), self._cells)

    def best_line(self, env: BaseGameEnv) -> tuple[int, ...]:
        """Best play of both sides from here."""
        return self._solver.analyse(env).line


def _stones(env: BaseGameEnv) -> int:
    return int(np.count_nonzero(env.board))
