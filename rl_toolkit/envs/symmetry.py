"""Symmetries of a board: where each cell and each move goes.

A symmetry preserves the rules: the image of a legal move is legal in the image of the position, and
the two positions have the same value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs.validation import Board

_Grid = NDArray[np.intp]


class Symmetry(NamedTuple):
    """``cells[i]`` is where cell ``i`` goes, ``moves[m]`` where move ``m`` goes."""

    name: str
    cells: _Grid
    moves: _Grid

    def apply_to_board(self, board: Board) -> Board:
        """The board with every piece moved to the image of its cell."""
        image = np.empty_like(board)
        image[self.cells] = board
        return image

    def apply_to_move(self, move: int) -> int:
        """The image of ``move``."""
        return int(self.moves[move])


def identity(num_cells: int, num_moves: int) -> Symmetry:
    """The identity, a symmetry of every game."""
    return Symmetry("identity", np.arange(num_cells), np.arange(num_moves))


_KEEPING_SHAPE: dict[str, Callable[[_Grid], _Grid]] = {
    "identity": lambda grid: grid,
    "left-right": np.fliplr,
    "up-down": np.flipud,
    "half turn": lambda grid: np.rot90(grid, 2),
}
_SQUARE_ONLY: dict[str, Callable[[_Grid], _Grid]] = {
    "diagonal": np.transpose,
    "antidiagonal": lambda grid: np.rot90(grid, 2).T,
    "quarter turn left": np.rot90,
    "quarter turn right": lambda grid: np.rot90(grid, 3),
}


def _carried(grid: _Grid, turn: Callable[[_Grid], _Grid]) -> _Grid:
    """Where each entry of ``grid`` (numbered 0, 1, …) is after ``turn``."""
    return np.argsort(turn(grid), axis=None)


def board_symmetries(rows: int, cols: int, extra_moves: int = 0) -> list[Symmetry]:
    """The 8 symmetries of a square, or the 4 of a rectangle, for moves that are cells.

    ``extra_moves`` moves after the last cell (a pass) map to themselves.
    """
    grid = np.arange(rows * cols).reshape(rows, cols)
    passes = rows * cols + np.arange(extra_moves)
    turns = _KEEPING_SHAPE | (_SQUARE_ONLY if rows == cols else {})
    images = {name: _carried(grid, turn) for name, turn in turns.items()}
    return [
        Symmetry(name, cells, np.concatenate([cells, passes])) for name, cells in images.items()
    ]


def column_symmetries(rows: int, cols: int) -> list[Symmetry]:
    """The identity and the mirror image, for moves that are columns."""
    mirror = _carried(np.arange(rows * cols).reshape(rows, cols), np.fliplr)
    return [
        identity(rows * cols, cols),
        Symmetry("left-right", mirror, np.arange(cols)[::-1].copy()),
    ]
