"""Places on a board in words: squares by their names, and areas.

An area is the part of the board to look at, the first step of a hint that gives no move away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import listed
from rl_toolkit.utils.position_utils import index_to_algebraic

#: Columns of an area in games whose moves are columns.
_COLUMNS = 3


def squares(env: BaseGameEnv, cells: Iterable[int], joined_by: str = "and") -> str:
    """The names of the cells: ``a1, b1 and c1``."""
    shape = (env.rows, env.cols)
    return listed((index_to_algebraic(cell, shape) for cell in cells), joined_by)


@dataclass(frozen=True, slots=True)
class Area:
    """Some cells of a board, and words for where they are: ``the upper left``."""

    cells: tuple[int, ...]
    text: str


def area_of(env: BaseGameEnv, move: int) -> Area | None:
    """The area that ``move`` is in; ``None`` for a move without a cell or a game without a grid.

    Three columns side by side where moves are columns, else a quarter of the board; on a side of
    odd length the middle belongs to both halves.

    >>> from rl_toolkit.envs import make_game
    >>> area_of(make_game("connect-four"), 6).text, area_of(make_game("reversi"), 19).text
    ('columns e to g', 'the upper left')
    """
    cell = env.landing_cell(move) if env.traits.has_grid else None
    if cell is None:
        return None
    row, col = divmod(cell, env.cols)
    if env.traits.move_by == "column":
        first = max(0, min(col - 1, env.cols - _COLUMNS))
        last = min(first + _COLUMNS, env.cols) - 1
        text = f"columns {env.move_name(first)} to {env.move_name(last)}"
        return Area(_cells(env, range(env.rows), range(first, last + 1)), text)
    low, left = 2 * row < env.rows, 2 * col < env.cols
    upper = low == (env.traits.row_one_at == "top")
    text = f"the {'upper' if upper else 'lower'} {'left' if left else 'right'}"
    return Area(_cells(env, _half(env.rows, low), _half(env.cols, left)), text)


def _half(length: int, first: bool) -> range:
    return range((length + 1) // 2) if first else range(length // 2, length)


def _cells(env: BaseGameEnv, rows: range, cols: range) -> tuple[int, ...]:
    grid = np.arange(env.rows * env.cols).reshape(env.rows, env.cols)
    return tuple(int(cell) for cell in grid[rows.start : rows.stop, cols.start : cols.stop].flat)
