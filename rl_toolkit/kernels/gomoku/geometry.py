"""The lines of a board: where each cell lies on them, which cells are near, keys of the hash."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.layout import MOST_CELLS, MOST_LINES, MOST_WORDS

Numbers = npt.NDArray[np.int64]

SMALLEST, LARGEST = 5, 20

#: Row and column steps of the four directions: along a row, a column, and both diagonals.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

#: Cells of edge before the first cell of a line word.
MARGIN = 5


@cache
def places(size: int, radius: int) -> tuple[Numbers, Numbers]:
    """Where every cell lies on its four lines, and the words of the empty lines.

    Number ``4 · cell + direction`` holds the line, the place of the cell on it, and how many of the
    cells before and after it are within ``radius``::

        bit 0     8      16    20    24
          | line | place | before | after |
    """
    found = np.zeros(4 * MOST_CELLS, dtype=np.int64)
    lines: dict[tuple[int, int, int], int] = {}
    lengths = []
    for cell in range(size * size):
        row, col = divmod(cell, size)
        for direction, (down, right) in enumerate(DIRECTIONS):
            before = _steps(size, row, col, -down, -right)
            after = _steps(size, row, col, down, right)
            start = direction, row - before * down, col - before * right
            if start not in lines:
                lines[start] = len(lines)
                lengths.append(before + after + 1)
            reach = min(before, radius) << 16 | min(after, radius) << 20
            found[4 * cell + direction] = lines[start] | before << 8 | reach
    assert len(lines) <= MOST_LINES
    empty = [-1 & ~(((1 << 2 * length) - 1) << 2 * MARGIN) for length in lengths]
    return found, np.array(empty, dtype=np.int64)


def _steps(size: int, row: int, col: int, down: int, right: int) -> int:
    """The number of cells in a direction."""
    rooms = ((row, down), (col, right))
    return min(size - 1 - at if step > 0 else at for at, step in rooms if step)


@cache
def near_cells(size: int) -> Numbers:
    """For every cell the bit set of cells near it: two away, or three along a line."""
    reach = range(-3, 4)
    steps = [(down, right) for down in reach for right in reach if _is_near(down, right)]
    found = bytearray()
    for cell in range(MOST_CELLS):
        row, col = divmod(cell, size)
        near = 0
        for down, right in steps if row < size else ():
            if 0 <= row + down < size and 0 <= col + right < size:
                near |= 1 << (row + down) * size + col + right
        found += near.to_bytes(8 * MOST_WORDS, "little")
    return np.frombuffer(found, dtype="<i8").astype(np.int64)


def _is_near(down: int, right: int) -> bool:
    return max(abs(down), abs(right)) <= 2 or 0 in (down, right) or abs(down) == abs(right)


#: After two keys per cell: the keys that tell who is to move, and a proof's attacker.
KEY_OF_SIDE = 2 * MOST_CELLS
KEY_OF_DEFENCE = KEY_OF_SIDE + 2


@cache
def keys() -> Numbers:
    """Random keys: ``2 · cell + side`` for a stone, then `KEY_OF_SIDE` and `KEY_OF_DEFENCE`."""
    chance = np.random.default_rng(20240501)
    return chance.integers(-(2**63), 2**63 - 1, KEY_OF_DEFENCE + 1, dtype=np.int64)
