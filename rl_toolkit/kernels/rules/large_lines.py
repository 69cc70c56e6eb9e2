"""k in a row on boards too large for one word: up to 20 × 20, no gravity.

Every row has its own lane, 16 bits wide on boards of up to 16 rows and 15 columns (Gomoku), 32 bits
wide on larger ones; a side is 4 or 10 words. Bit numbers of a side for Gomoku 15 × 15::

      0   1   2 …  14 |  .      row 0 ┐
     16  17  18 …  30 |  .          1 │ word 0
     32  33  34 …  46 |  .          2 │
     48  49  50 …  62 |  .          3 ┘
     64  65  66 …  78 |  .          4 ┐ word 1
      …                             …
    224 225 226 … 238 |  .         14 ┘ word 3

The last bit of a lane is never set. Lanes never cross words, so a side can be read as one vector of
16 or 20 rows, in which a step down is a lane and a step right is a bit.

A state is the words of the side to move, then those of the other side.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_index, popcount
from rl_toolkit.kernels.jit import i64, kernel, numbers, words
from rl_toolkit.kernels.spec import LineSpec
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

LARGEST = 20

# The words of a geometry.
ROWS = 0
COLS = 1
WIN_LENGTH = 2
EXACTLY = 3  # 1 if a longer line does not win
LANE_LOG = 4  # log2 of the bits in a lane
SIDE = 5  # words per side
CELLS = 6  # the first of several words: all cells of the board

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows down, columns to the right
_SIX = np.int64(6)
_WORD_MASK = np.int64(63)


def fits(spec: LineSpec) -> bool:
    """Whether the board is small enough and has no gravity."""
    return not spec.gravity and max(spec.rows, spec.cols) <= LARGEST


def words_per_side(spec: LineSpec) -> int:
    """The number of words for the stones of one side."""
    return 4 if _lane_bits(spec) == 16 else 10


def geometry(spec: LineSpec) -> Words:
    """The words about a board that the kernels below read."""
    side = words_per_side(spec)
    out = [0] * (CELLS + side)
    out[ROWS], out[COLS], out[WIN_LENGTH] = spec.rows, spec.cols, spec.win_length
    out[EXACTLY] = int(spec.exactly)
    out[LANE_LOG] = _lane_bits(spec).bit_length() - 1
    out[SIDE] = side
    for bit in cell_bits(spec):
        out[CELLS + bit // 64] |= 1 << bit % 64
    return np.array(out, dtype=np.uint64)


def cell_bits(spec: LineSpec) -> list[int]:
    """The bit number of every cell within a side, in the order of cell indices."""
    lane = _lane_bits(spec)
    return [row * lane + col for row in range(spec.rows) for col in range(spec.cols)]


def _lane_bits(spec: LineSpec) -> int:
    return 16 if spec.rows <= 16 and spec.cols <= 15 else 32


@kernel(i64(words, i64, words, i64, i64, i64, i64))
def run_length(
    state: Words,
    start: np.int64,
    shape: Words,
    row: np.int64,
    col: np.int64,
    down: np.int64,
    right: np.int64,
) -> np.int64:
    """The length of the run next to (row, col), for the side at word ``start``."""
    rows, cols = np.int64(shape[ROWS]), np.int64(shape[COLS])
    lane_log = np.int64(shape[LANE_LOG])
    length = np.int64(0)
    row += down
    col += right
    while 0 <= row < rows and 0 <= col < cols:
        index = (row << lane_log) + col
        if (state[start + (index >> _SIX)] >> np.uint64(index & _WORD_MASK)) & ONE == ZERO:
            break
        length += 1
        row += down
        col += right
    return length


@kernel(i64(words, i64, words, i64, i64))
def wins_at(state: Words, start: np.int64, shape: Words, row: np.int64, col: np.int64) -> np.int64:
    """1 if the stone at (row, col) of the side at word ``start`` is part of a winning line."""
    k = np.int64(shape[WIN_LENGTH])
    for down, right in DIRECTIONS:
        ahead = run_length(state, start, shape, row, col, np.int64(down), np.int64(right))
        behind = run_length(state, start, shape, row, col, np.int64(-down), np.int64(-right))
        length = ahead + 1 + behind
        if length == k or (length > k and shape[EXACTLY] == ZERO):
            return np.int64(1)
    return np.int64(0)


@kernel(i64(words, i64, words))
def has_line(state: Words, start: np.int64, shape: Words) -> np.int64:
    """1 if the side at word ``start`` has a winning line anywhere."""
    lane_log = np.int64(shape[LANE_LOG])
    for word in range(np.int64(shape[SIDE])):
        left = state[start + word]
        while left != ZERO:
            index = (word << _SIX) + np.int64(lowest_index(left))
            left &= left - ONE
            row = index >> lane_log
            if wins_at(state, start, shape, row, index - (row << lane_log)) != 0:
                return np.int64(1)
    return np.int64(0)


@kernel(i64(words, words))
def free_cells(state: Words, shape: Words) -> np.int64:
    """The number of empty cells."""
    side = np.int64(shape[SIDE])
    count = np.int64(0)
    for word in range(side):
        count += np.int64(popcount(shape[CELLS + word] & ~(state[word] | state[side + word])))
    return count


@kernel(i64(words, words, numbers))
def moves(state: Words, shape: Words, out: Numbers) -> np.int64:
    """Write the legal moves of an unfinished game to ``out``, ascending; returns their number."""
    side = np.int64(shape[SIDE])
    lane_log = np.int64(shape[LANE_LOG])
    cols = np.int64(shape[COLS])
    count = np.int64(0)
    for word in range(side):
        left = shape[CELLS + word] & ~(state[word] | state[side + word])
        while left != ZERO:
            index = (word << _SIX) + np.int64(lowest_index(left))
            left &= left - ONE
            row = index >> lane_log
            out[count] = row * cols + index - (row << lane_log)
            count += 1
    return count


@kernel(i64(words, words, i64))
def advance(state: Words, shape: Words, move: np.int64) -> np.int64:
    """Play a move that is known not to end the game, and swap sides."""
    side = np.int64(shape[SIDE])
    row = move // np.int64(shape[COLS])
    index = (row << np.int64(shape[LANE_LOG])) + move - row * np.int64(shape[COLS])
    state[index >> _SIX] |= ONE << np.uint64(index & _WORD_MASK)
    for word in range(side):
        mine = state[word]
        state[word] = state[side + word]
        state[side + word] = mine
    return np.int64(RUNNING)


@kernel(i64(words, words, i64))
def play(state: Words, shape: Words, move: np.int64) -> np.int64:
    """Play a legal move and swap sides; returns the status for the player who moved."""
    advance(state, shape, move)
    row = move // np.int64(shape[COLS])
    col = move - row * np.int64(shape[COLS])
    if wins_at(state, np.int64(shape[SIDE]), shape, row, col) != 0:
        return np.int64(WON)
    return np.int64(RUNNING if free_cells(state, shape) else DRAWN)


@kernel(i64(words, words))
def status(state: Words, shape: Words) -> np.int64:
    """The status for the side to move, for any position."""
    if has_line(state, np.int64(shape[SIDE]), shape) != 0:
        return np.int64(LOST)
    if has_line(state, np.int64(0), shape) != 0:
        return np.int64(WON)
    return np.int64(RUNNING if free_cells(state, shape) else DRAWN)
