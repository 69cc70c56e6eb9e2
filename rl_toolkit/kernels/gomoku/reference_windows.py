"""The window network by its definition, in plain Python: slow, and a check on the kernels.

Windows are tuples of neighbours, read from the board. Nothing is incremental.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np

from rl_toolkit.kernels.gomoku.geometry import DIRECTIONS
from rl_toolkit.kernels.gomoku.windows import WindowNetwork

EMPTY, EDGE = 0, 3
Window = tuple[int, ...]


@cache
def rows_of_windows() -> dict[Window, int]:
    """The row of every window: eight neighbours along a line, 0 empty, 1 own, 2 other, 3 edge."""
    ends = [
        (*inner, *[EDGE] * edges)
        for edges in range(5)
        for inner in product((EMPTY, 1, 2), repeat=4 - edges)
    ]
    windows = [(*before[::-1], *after) for before in ends for after in ends]
    kept = sorted({min(window, window[::-1], key=_key) for window in windows}, key=_key)
    row = {window: number for number, window in enumerate(kept)}
    return {window: row[min(window, window[::-1], key=_key)] for window in windows}


def _key(window: Window) -> int:
    return sum(cell << 2 * place for place, cell in enumerate(window))


def window_of(board: Sequence[int], size: int, cell: int, direction: int, side: int) -> Window:
    """The window of a cell for ``side`` (0 or 1); ``board`` has 0 for empty, 1 black, 2 white."""
    (row, col), (down, right) = divmod(cell, size), DIRECTIONS[direction]
    found = []
    for away in (-4, -3, -2, -1, 1, 2, 3, 4):
        r, c = row + away * down, col + away * right
        stone = board[r * size + c] if 0 <= r < size and 0 <= c < size else EDGE
        found.append((0, 2, 1, 3)[stone] if side else stone)
    return tuple(found)


def sums_of_cell(
    network: WindowNetwork, board: Sequence[int], size: int, cell: int, side: int
) -> list[int]:
    """The sum of the four rows of a cell in the view of ``side``."""
    windows = (window_of(board, size, cell, direction, side) for direction in range(4))
    rows = [network.rows[rows_of_windows()[window]].astype(int) for window in windows]
    return [int(number) for number in np.sum(rows, axis=0)]


def points_of(network: WindowNetwork, board: Sequence[int], size: int, side: int) -> int:
    """The points that the network adds for ``side``, to move."""
    z: list[int] = []
    for view in (side, 1 - side):
        total = [0] * 16
        for cell in range(size * size):
            if board[cell] == EMPTY:
                x = sums_of_cell(network, board, size, cell, view)
                total = [t + min(max(number, 0), 127) for t, number in zip(total, x, strict=True)]
        z += total
    points = int(network.b2)
    for weights, first, last in zip(network.w1, network.b1, network.w2, strict=True):
        inner = int(first) + sum(int(w) * number for w, number in zip(weights, z, strict=True))
        points += int(last) * min(max(inner >> 10, 0), 4095)
    return points >> 12


def rank_of(network: WindowNetwork, board: Sequence[int], size: int, cell: int, side: int) -> int:
    """What the network adds to the rank of a move of ``side`` that makes or stops no open four."""
    x = sums_of_cell(network, board, size, cell, side)
    return x[15] * int(network.rank_scale) >> 5
