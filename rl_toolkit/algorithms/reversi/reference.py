"""Reversi endgames solved slowly and obviously, with nothing but the rules of the game.

This is the solver to read first, and the one that the fast ones are compared with. Every position
is searched to the end once; a dictionary remembers its score. A handful of empty squares takes a
moment, ten of them take minutes.
"""

from __future__ import annotations

from collections.abc import Hashable

from rl_toolkit.algorithms.score_range import final_margin
from rl_toolkit.envs import Reversi

Known = dict[Hashable, int]


def reference_score(env: Reversi, known: Known | None = None) -> int:
    """The difference in discs at the end, for the side to move, if both sides play their best.

    >>> reference_score(Reversi(4))
    -10
    """
    if env.is_terminal():
        return final_margin(env)
    return max(reference_scores(env, known).values())


def reference_scores(env: Reversi, known: Known | None = None) -> dict[int, int]:
    """For every legal move the difference in discs that it leads to, for the side to move."""
    known = {} if known is None else known
    scores: dict[int, int] = {}
    for move in env.get_legal_moves():
        after = env.copy()
        after.step(move)
        if after.current_player == env.current_player:  # the game is over, the mover stays
            scores[move] = final_margin(after)
            continue
        key = after.get_state_hash()
        if key not in known:
            known[key] = reference_score(after, known)
        scores[move] = -known[key]
    return scores
