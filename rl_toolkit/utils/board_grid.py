"""Validation of boards to draw, and the order of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Board2D: TypeAlias = Sequence[Sequence[int]] | NDArray[np.integer[Any]]
RowOneAt: TypeAlias = Literal["top", "bottom"]

PIECES = (0, 1, -1)


def read_board(board_2d: Board2D) -> list[list[int]]:
    """``board_2d`` as rows of plain ints, row 1 first.

    Raises `ValueError` unless it is a non-empty rectangle of 0, +1 and −1.
    """
    try:
        grid = [list(row) for row in board_2d]
    except TypeError:
        raise ValueError("a board to draw must be two-dimensional: rows of cells") from None
    if not grid or not grid[0]:
        raise ValueError("a board to draw needs at least one row and one column")
    if any(len(row) != len(grid[0]) for row in grid):
        raise ValueError("the rows of a board must all have the same length")
    for row in grid:
        for piece in row:
            # Whole floats are accepted: np.zeros makes floats by default.
            if isinstance(piece, bool) or not isinstance(piece, Real) or piece not in PIECES:
                raise ValueError(f"a cell holds 0, 1 or -1, not {piece!r}")
    return [[int(piece) for piece in row] for row in grid]


def rows_top_down(rows: int, row_one_at: RowOneAt) -> list[int]:
    """The row numbers, from 0, in the order in which they are drawn, top first.

    >>> rows_top_down(3, "top"), rows_top_down(3, "bottom")
    ([0, 1, 2], [2, 1, 0])
    """
    if row_one_at == "top":
        return list(range(rows))
    if row_one_at == "bottom":
        return list(reversed(range(rows)))
    raise ValueError(f"row_one_at is 'top' or 'bottom', not {row_one_at!r}")
