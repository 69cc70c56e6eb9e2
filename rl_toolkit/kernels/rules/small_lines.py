"""k in a row on boards that fit in one word, with or without gravity: one kernel, any geometry.

The board is divided into strips (columns with gravity, rows without), each with one bit more than
it has cells. The extra bit is a sentinel: never set, so that a line cannot run from the end of a
strip into the next one. Bit numbers for Connect Four 6 × 7 and Tic-Tac-Toe 3 × 3::

      .  .  .  .  .  .  .    sentinels
      5 12 19 26 33 40 47      0  1  2 |  .
      4 11 18 25 32 39 46      4  5  6 |  .    sentinels at the right
      3 10 17 24 31 38 45      8  9 10 |  .
      2  9 16 23 30 37 44
      1  8 15 22 29 36 43    row 0 of Connect Four is its bottom row
      0  7 14 21 28 35 42

In both cases the lowest legal bit is the lowest legal move. Neighbours are at the distances 1,
stride and stride ± 1, where stride = cells in a strip + 1.

A state is two words: the stones of the side to move, then the other side's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import (
    FOUR_WORDS,
    ONE,
    ZERO,
    lowest_index,
    splat,
    union,
)
from rl_toolkit.kernels.jit import i64, instruction, ir, kernel, numbers, u64, words
from rl_toolkit.kernels.spec import LineSpec
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

WORDS_PER_SIDE = 1

# The words of a geometry.
CELLS = 0  # all cells of the board, as a bit set
FLOOR = 1  # the lowest cell of every column; 0 without gravity
STRIDE = 2
PER_STRIDE = 3  # 1 / stride as a 16-bit fraction: bit → strip without a division
PER_STRIP = 4  # 1 / (cells in a strip), likewise: cell → strip
EXACTLY = 5  # 1 if a longer line does not win
DOUBLINGS = 6  # steps that find a line, see `_doublings`
WIN_LENGTH = 7
DISTANCES = 8  # from here vectors of four words, one per direction: to the neighbour
SPANS = 12  # from the first stone of a line to its last
STEPS = 16  # the steps, scaled by the distance
MOST_STEPS = 6  # lines of up to 64 stones

_FRACTION = np.uint64(16)


def fits(spec: LineSpec) -> bool:
    """Whether the board, sentinels included, fits in 64 bits."""
    strips, length = _strips(spec)
    return strips * (length + 1) <= 64


def geometry(spec: LineSpec) -> Words:
    """The words about a board that the kernels below read."""
    strips, length = _strips(spec)
    stride = length + 1
    k = spec.win_length
    steps = _doublings(k)
    # Along a strip, across strips, and the two diagonals, with the available length for a line.
    both = min(strips, length)
    directions = [(1, length), (stride, strips), (stride - 1, both), (stride + 1, both)]
    floor = sum(1 << strip * stride for strip in range(strips))
    out = [0] * (STEPS + 4 * MOST_STEPS)
    out[CELLS] = sum(((1 << length) - 1) << strip * stride for strip in range(strips))
    out[FLOOR] = floor if spec.gravity else 0
    out[STRIDE] = stride
    out[PER_STRIDE] = (1 << 16) // stride + 1
    out[PER_STRIP] = (1 << 16) // length + 1
    out[EXACTLY] = int(spec.exactly)
    out[DOUBLINGS] = len(steps)
    out[WIN_LENGTH] = k
    for i, (distance, room) in enumerate(directions):
        out[DISTANCES + i] = distance
        out[SPANS + i] = (k - 1) * distance if room >= k else 63
        for j, step in enumerate(steps):
            # Where no line fits, a shift that leaves nothing: bit 63 is a sentinel at most.
            out[STEPS + 4 * j + i] = step * distance if room >= k else 63
    return np.array(out, dtype=np.uint64)


def cell_bits(spec: LineSpec) -> list[int]:
    """The bit number of every cell, in the order of cell indices."""
    _, length = _strips(spec)
    cells = [(row, col) for row in range(spec.rows) for col in range(spec.cols)]
    if spec.gravity:
        return [col * (length + 1) + row for row, col in cells]
    return [row * (length + 1) + col for row, col in cells]


def _strips(spec: LineSpec) -> tuple[int, int]:
    """The number of strips, and of cells in each."""
    return (spec.cols, spec.rows) if spec.gravity else (spec.rows, spec.cols)


def _doublings(k: int) -> list[int]:
    """Shifts that turn stones into starts of k-lines: 1, 2, 4 … and a last, shorter one."""
    steps = []
    length = 1
    while length < k:
        steps.append(min(length, k - length))
        length += steps[-1]
    return steps


def _line_finder(steps: int, *, exactly: bool) -> Callable[..., Any]:
    """An instruction (stones, geometry) → starts of winning lines, all directions at once."""

    def find(build: Any, stones: Any, shape: Any) -> Any:
        def vector(at: int) -> Any:
            first = build.gep(shape, [ir.Constant(ir.IntType(64), at)])
            return build.load(build.bitcast(first, FOUR_WORDS.as_pointer()), align=8)

        everywhere = starts = splat(build, stones)
        for step in range(steps):
            starts = build.and_(starts, build.lshr(starts, vector(STEPS + 4 * step)))
        if exactly:
            # Neither a stone before the line nor one after it. Two shifts: their sum can be 64.
            before = build.shl(everywhere, vector(DISTANCES))
            after = build.lshr(build.lshr(everywhere, vector(SPANS)), vector(DISTANCES))
            starts = build.and_(starts, build.not_(build.or_(before, after)))
        return union(build, starts)

    return instruction(u64(u64, words))(find)


_lines_to_4 = _line_finder(2, exactly=False)
_lines_to_8 = _line_finder(3, exactly=False)
_lines = _line_finder(MOST_STEPS, exactly=False)
_exact_lines = _line_finder(MOST_STEPS, exactly=True)


@kernel(u64(u64, words))
def lines_of_any_length(stones: np.uint64, shape: Words) -> np.uint64:
    """The starts of lines of at least the winning length."""
    if shape[DOUBLINGS] <= np.uint64(2):
        return np.uint64(_lines_to_4(stones, shape))
    if shape[DOUBLINGS] == np.uint64(3):
        return np.uint64(_lines_to_8(stones, shape))
    return np.uint64(_lines(stones, shape))


@kernel(u64(u64, words))
def has_line(stones: np.uint64, shape: Words) -> np.uint64:
    """Non-zero if and only if these stones hold a winning line."""
    if shape[EXACTLY] != ZERO:
        return np.uint64(_exact_lines(stones, shape))
    return lines_of_any_length(stones, shape)


@kernel(u64(u64, words))
def landings(occupied: np.uint64, shape: Words) -> np.uint64:
    """The empty cells where a stone can be placed."""
    floor = shape[FLOOR]
    if floor != ZERO:
        # Adding one at the foot of a column carries to its first free cell.
        return np.uint64((occupied + floor) & shape[CELLS])
    return np.uint64(~occupied & shape[CELLS])


@kernel(i64(u64, words))
def move_of_bit(index: np.uint64, shape: Words) -> np.int64:
    """The move that places a stone on this bit."""
    strip = (index * shape[PER_STRIDE]) >> _FRACTION
    return np.int64(strip if shape[FLOOR] != ZERO else index - strip)


@kernel(u64(u64, i64, words))
def bit_of_move(occupied: np.uint64, move: np.int64, shape: Words) -> np.uint64:
    """The cell, as one bit, where the stone of a legal move lands."""
    number = np.uint64(move)
    if shape[FLOOR] != ZERO:
        base = ONE << (number * shape[STRIDE])
        column = (base << (shape[STRIDE] - ONE)) - base
        return np.uint64((occupied + base) & ~occupied & column)
    return np.uint64(ONE << (number + ((number * shape[PER_STRIP]) >> _FRACTION)))


@kernel(i64(words, words, numbers))
def moves(state: Words, shape: Words, out: Numbers) -> np.int64:
    """Write the legal moves of an unfinished game to ``out``, ascending; returns their number."""
    left = landings(state[0] | state[1], shape)
    count = 0
    while left != ZERO:
        out[count] = move_of_bit(lowest_index(left), shape)
        left &= left - ONE
        count += 1
    return np.int64(count)


@kernel(i64(words, words, i64))
def advance(state: Words, shape: Words, move: np.int64) -> np.int64:
    """Play a move that is known not to end the game, and swap sides."""
    mine = state[0] | bit_of_move(state[0] | state[1], move, shape)
    state[0] = state[1]
    state[1] = mine
    return np.int64(RUNNING)


@kernel(i64(words, words, i64))
def play(state: Words, shape: Words, move: np.int64) -> np.int64:
    """Play a legal move and swap sides; returns the status for the player who moved."""
    advance(state, shape, move)
    mine = state[1]
    if has_line(mine, shape) != ZERO:
        return np.int64(WON)
    return np.int64(DRAWN if mine | state[0] == shape[CELLS] else RUNNING)


@kernel(i64(words, words))
def status(state: Words, shape: Words) -> np.int64:
    """The status for the side to move, for any position."""
    if has_line(state[1], shape) != ZERO:
        return np.int64(LOST)
    if has_line(state[0], shape) != ZERO:
        return np.int64(WON)
    return np.int64(DRAWN if state[0] | state[1] == shape[CELLS] else RUNNING)
