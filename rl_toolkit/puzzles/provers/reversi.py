"""Puzzles of Reversi: endgames that are counted to the last disc."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from rl_toolkit.algorithms import exact_engine
from rl_toolkit.analysis import ScoresMoves
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.puzzles.provers.by_scores import ByScores, Scores
from rl_toolkit.puzzles.provers.prover import Find

#: Free cells of a puzzle.
_FREE = range(6, 15)
#: The best count leads the second best by this many discs, and the game is close.
_MARGIN, _CLOSE = 4, 24
#: Discs that each side has at least: other games are decided.
_LEAST_DISCS = 8


class ReversiProver(ByScores):
    """Every move counted by the solver."""

    players = (
        "mix:strong=reversi:depth=1,weak=greedy,slips=0.6",
        "mix:strong=reversi:depth=1,weak=greedy",
        "reversi:depth=1",
    )
    opening = 6
    longest = 7

    def __init__(self, env: BaseGameEnv) -> None:
        self._solver = exact_engine(env)

    def scores(self, env: BaseGameEnv) -> Scores:
        """The final difference in discs of every legal move, for the side to move."""
        assert isinstance(self._solver, ScoresMoves)
        return self._solver.score_moves(env)

    def wanted(self, env: BaseGameEnv) -> bool:
        """Whether a position may hold a puzzle; a quick look."""
        return (
            _free(env) in _FREE
            and min(env.piece_count(1), env.piece_count(-1)) >= _LEAST_DISCS
            and len(env.get_legal_moves()) >= self.choices
        )

    def solves(self, env: BaseGameEnv) -> bool:
        """Whether the scores of a position are found soon."""
        return _free(env) < _FREE.stop

    def distance(self, env: BaseGameEnv, score: int) -> int | None:
        """A score does not say how long the game takes."""
        return None

    def best_line(self, env: BaseGameEnv) -> tuple[int, ...]:
        """Best play of both sides from here."""
        return self._solver.analyse(env).line

    def wins_at_once(self, env: BaseGameEnv, player: int) -> list[int]:
        """Discs are counted at the end: no move wins at once."""
        return []

    def only_move(self, scores: Scores) -> tuple[str, int] | None:
        """Kind and move: the only win or draw, else the best count by a margin."""
        only = super().only_move(scores)
        if only is not None or len(scores) < 2:
            return only
        ranked = sorted(scores, key=lambda move: -scores[move])
        best, second = (scores[move] for move in ranked[:2])
        return ("discs", ranked[0]) if best > 0 and best - second >= _MARGIN else None

    def pointless(self, env: BaseGameEnv, kind: str, scores: Scores) -> str:
        """Why nothing is at stake; "" if something is."""
        return "one-sided" if abs(max(scores.values())) > _CLOSE else ""

    def too_short(self, env: BaseGameEnv, kind: str, line: tuple[int, ...], scores: Scores) -> str:
        """Why a line is too short; "" if it is long enough."""
        return "the line is too short" if kind == "discs" and len(line) < 3 else ""

    def motif(self, env: BaseGameEnv, find: Find) -> Hashable:
        """The free cells and the first move, up to symmetry."""
        free = (env.board == 0).astype(np.int8)
        return find.kind, min(
            (symmetry.apply_to_board(free).tobytes(), symmetry.apply_to_move(find.line[0]))
            for symmetry in env.symmetries()
        )


def _free(env: BaseGameEnv) -> int:
    return int(np.count_nonzero(env.board == 0))
