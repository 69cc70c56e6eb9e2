"""Puzzles of Tic-Tac-Toe on any board, by a search to the end of the game."""

from __future__ import annotations

import numpy as np

from rl_toolkit.analysis import Candidate, use_machine_code
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import make_player
from rl_toolkit.puzzles.provers.by_scores import ByScores, Scores
from rl_toolkit.puzzles.puzzle import WINNING

#: Free cells with which a search to the end takes a fraction of a second.
MOST_FREE = 16
_LEAST_FREE = 3
_MOST_CELLS = 36


class LinesProver(ByScores):
    """Every move proven by minimax."""

    players = ("greedy:slips=0.85", "greedy:slips=0.3", "random")
    choices = 3

    def __init__(self, env: BaseGameEnv) -> None:
        self._cells = env.rows * env.cols
        self._searcher = make_player(env.name, f"minimax:depth={2 * self._cells}", seed=0)
        use_machine_code(self._searcher.engine)

    def scores(self, env: BaseGameEnv) -> Scores:
        """The exact score of every legal move, for the side to move."""
        found = self._searcher.analyse(env).candidates
        return {each.move: self._score(each) for each in found}

    def _score(self, candidate: Candidate) -> int:
        assert candidate.proven
        sign = {"win": 1, "draw": 0, "loss": -1}[candidate.outcome or "draw"]
        return sign * (2 * self._cells - (candidate.distance or 0))

    def wanted(self, env: BaseGameEnv) -> bool:
        """Whether a position may hold a puzzle; a quick look."""
        return _LEAST_FREE <= _free(env) <= MOST_FREE

    def solves(self, env: BaseGameEnv) -> bool:
        """Whether the scores of a position are found soon."""
        return _free(env) <= MOST_FREE

    def distance(self, env: BaseGameEnv, score: int) -> int | None:
        """Plies to the end of the game for a move with that score."""
        return 2 * self._cells - abs(score) if score else _free(env)

    def best_line(self, env: BaseGameEnv) -> tuple[int, ...]:
        """Best play of both sides from here."""
        return self._searcher.analyse(env).line

    def too_short(self, env: BaseGameEnv, kind: str, line: tuple[int, ...], scores: Scores) -> str:
        """Why a line is too short: a win has two own moves, the last of which completes a row."""
        complete = env.after(line).is_terminal() and len(line) >= 3
        return "the line is too short" if kind in WINNING and not complete else ""


def _free(env: BaseGameEnv) -> int:
    return int(np.count_nonzero(env.board == 0))


def plays(env: BaseGameEnv) -> bool:
    """Whether the board is one that can be solved near the end."""
    return env.rows * env.cols <= _MOST_CELLS and env.kernel_spec() is not None
