"""The reference solver for Reversi endgames: slow and obvious, with nothing but the rules.

Read this solver first; tests compare the fast ones with it. Every position is searched to the end
once, and a dictionary stores its score. A few empty squares take a moment, ten take minutes.
"""

from __future__ import annotations

from collections.abc import Hashable

from rl_toolkit.algorithms.by_game.solvers import final_margin
from rl_toolkit.envs import Reversi

Known = dict[Hashable, int]


def reference_score(env: Reversi, known: Known | None = None) -> int:
    """The final difference in discs for the side to move, with best play by both sides.

    >>> reference_score(Reversi(4))
    -10
    """
    if env.is_terminal():
        return final_margin(env)
    return max(reference_scores(env, known).values())


def reference_scores(env: Reversi, known: Known | None = None) -> dict[int, int]:
    """The final difference in discs after every legal move, for the side to move."""
    known = {} if known is None else known
    scores: dict[int, int] = {}
    for move in env.get_legal_moves():
        after = env.copy()
        after.step(move)
        if after.current_player == env.current_player:  # the game is over
            scores[move] = final_margin(after)
            continue
        key = after.get_state_hash()
        if key not in known:
            known[key] = reference_score(after, known)
        scores[move] = -known[key]
    return scores
