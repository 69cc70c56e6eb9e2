"""Parts of sentences: lists of words, names of squares."""

from __future__ import annotations

from collections.abc import Iterable

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils.position_utils import index_to_algebraic


def listed(words: Iterable[str], joined_by: str = "and") -> str:
    """``a, b and c``; ``words`` must not be empty.

    >>> listed(["b1", "a2", "d3"], "or")
    'b1, a2 or d3'
    """
    *head, last = words
    return f"{', '.join(head)} {joined_by} {last}" if head else last


def squares(env: BaseGameEnv, cells: Iterable[int], joined_by: str = "and") -> str:
    """The names of the cells: ``a1, b1 and c1``."""
    shape = (env.rows, env.cols)
    return listed((index_to_algebraic(cell, shape) for cell in cells), joined_by)
