"""The bitboard of the exact Connect Four solver, and operations on it.

Columns follow each other, bottom cell first, each with a sentinel bit on top that is never set. Bit
numbers on 6 × 7::

      6 13 20 27 34 41 48    roof: the sentinels
      5 12 19 26 33 40 47    row 6
      4 11 18 25 32 39 46
      3 10 17 24 31 38 45
      2  9 16 23 30 37 44
      1  8 15 22 29 36 43    row 2
      0  7 14 21 28 35 42    row 1, the floor

A position is two words: ``mine``, the stones of the side to move, and ``taken``, all stones. Rows
are counted from 1, so "odd rows" are the first, third and fifth.

All numbers that depend on the size of the board are in a *block* of words, whose address is passed
to every kernel, so the same machine code serves every board. `kernels.connect_four.solver` has a
version in which the numbers of 6 × 7 are constants (see `kernels.specialised`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO
from rl_toolkit.kernels.jit import u64, words
from rl_toolkit.kernels.spec import MOST_COLUMNS
from rl_toolkit.kernels.specialised import Family

Words = npt.NDArray[np.uint64]
Board = npt.NDArray[np.int8]

# The indices of a board's numbers in a block.
CELLS, FLOOR, ROOF, ODD_ROWS, EVEN_ROWS, ROWS, COLS, STRIDE, SIZE = range(9)
LANES = 16  # the columns, as bit sets, in the order in which moves are tried: centre first
BOARD_WORDS = LANES + MOST_COLUMNS


def board_words(rows: int, cols: int) -> list[int]:
    """The numbers of a board by their index in a block."""
    stride = rows + 1
    floor = sum(1 << stride * col for col in range(cols))
    odd = sum(1 << row for row in range(0, rows, 2))
    even = sum(1 << row for row in range(1, rows, 2))
    out = [0] * BOARD_WORDS
    out[CELLS] = floor * ((1 << rows) - 1)
    out[FLOOR] = floor
    out[ROOF] = floor << rows
    out[ODD_ROWS] = floor * odd
    out[EVEN_ROWS] = floor * even
    out[ROWS], out[COLS], out[STRIDE], out[SIZE] = rows, cols, stride, rows * cols
    centre_first = sorted(range(cols), key=lambda col: (abs(2 * col - cols + 1), col))
    for lane, col in enumerate(centre_first):
        out[LANES + lane] = ((1 << rows) - 1) << stride * col
    return out


def position_words(board: Board, player: int, rows: int, cols: int) -> tuple[int, int]:
    """``mine`` and ``taken`` of a board (flat, bottom row first) with ``player`` to move."""
    mine = taken = 0
    for cell, piece in enumerate(board.tolist()):
        if piece:
            row, col = divmod(cell, cols)
            bit = 1 << col * (rows + 1) + row
            taken |= bit
            mine |= bit if piece == player else 0
    return mine, taken


family = Family()
"""All kernels of the solver; see `kernels.specialised`."""

field = family.field
cells, floor, roof = field(CELLS), field(FLOOR), field(ROOF)
odd_rows, even_rows = field(ODD_ROWS), field(EVEN_ROWS)
rows, cols, stride, size = field(ROWS), field(COLS), field(STRIDE), field(SIZE)


@family.kernel(u64(u64, words), inline=True)
def landings(taken: np.uint64, block: Words) -> np.uint64:
    """The cells a stone can fall on: one added at the floor carries to the first free cell."""
    return np.uint64((taken + floor(block)) & cells(block))


@family.kernel(u64(u64, words), inline=True)
def winning_cells(stones: np.uint64, block: Words) -> np.uint64:
    """The cells that make four with three of these stones; some may be occupied.

    In each direction, from a pair of neighbours two shifts away on one side::

        ? x x x      ? = (x << 1) & (x << 2) & (x << 3)
        x ? x x      ? = (x << 1) & (x << 2) & (x >> 1)      and the same from the other side
    """
    found = (stones << ONE) & (stones << np.uint64(2)) & (stones << np.uint64(3))  # upwards
    step = stride(block) - ONE
    for _ in range(3):  # the diagonal down, the row, the diagonal up
        twice = step + step
        pair = (stones << step) & (stones << twice)
        found |= pair & ((stones << (twice + step)) | (stones >> step))
        pair = (stones >> step) & (stones >> twice)
        found |= pair & ((stones >> (twice + step)) | (stones << step))
        step += ONE
    return np.uint64(found & cells(block))


@family.kernel(u64(u64, words), inline=True)
def has_four(stones: np.uint64, block: Words) -> np.uint64:
    """Non-zero if and only if four of these cells are in line."""
    pairs = stones & (stones >> ONE)
    found = pairs & (pairs >> np.uint64(2))
    step = stride(block) - ONE
    for _ in range(3):
        pairs = stones & (stones >> step)
        found |= pairs & (pairs >> (step + step))
        step += ONE
    return np.uint64(found)


@family.kernel(u64(u64, words), inline=True)
def roofs_over(cells_: np.uint64, block: Words) -> np.uint64:
    """The sentinels of the columns of these cells.

    Adding a full column to a non-empty column carries into its sentinel and no further.
    """
    return np.uint64((cells_ + cells(block)) & roof(block))


@family.kernel(u64(u64, words), inline=True)
def above(cells_: np.uint64, block: Words) -> np.uint64:
    """Every cell above the lowest of these in its column.

    Within a column the sentinel minus c is −c: it agrees with c in the lowest bit set, and differs
    in all bits above::

        c         0 0 1 0 1 0
        −c        1 1 0 1 1 0
        c ^ −c    1 1 1 1 0 0
    """
    return np.uint64((roofs_over(cells_, block) - cells_) ^ cells_)


@family.kernel(u64(u64, words), inline=True)
def column_of(cell: np.uint64, block: Words) -> np.uint64:
    """All cells of the column of ``cell``."""
    top = roofs_over(cell, block)
    return np.uint64(top - (top >> rows(block)))


@family.kernel(u64(u64, words), inline=True)
def mirrored(word: np.uint64, block: Words) -> np.uint64:
    """The word with its columns in reverse order, sentinels included."""
    width = stride(block)
    column = (ONE << width) - ONE
    out = ZERO
    for _ in range(cols(block)):
        out = (out << width) | (word & column)
        word >>= width
    return np.uint64(out)
