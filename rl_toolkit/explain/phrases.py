"""Parts of sentences: names of squares."""

from __future__ import annotations

from collections.abc import Iterable

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import listed
from rl_toolkit.utils.position_utils import index_to_algebraic


def squares(env: BaseGameEnv, cells: Iterable[int], joined_by: str = "and") -> str:
    """The names of the cells: ``a1, b1 and c1``."""
    shape = (env.rows, env.cols)
    return listed((index_to_algebraic(cell, shape) for cell in cells), joined_by)
