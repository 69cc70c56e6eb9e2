"""The k-th move to try in a position, without a list of moves.

A tree search tries the moves of a node one at a time. Each node has a ``move_offset``, a random
byte, and takes its moves in ascending order from there, wrapping around::

    moves   2  5  6  7  8        move_offset 128 of 256: start in the middle
    k       3  4  0  1  2

`pick` returns ``number of moves · 65,536 + move``. The forced variants use tactics: if the side to
move can win immediately, only the wins are tried, and if it would otherwise lose immediately, only
the blocks. All other moves are certainly no better, so a proof may skip them.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ZERO, lowest_index, nth_bit, popcount
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.rules import large_lines, reversi, small_lines
from rl_toolkit.kernels.rules.threats import large_gaps, small_gaps

Words = small_lines.Words

COUNT_SHIFT = 16
_TURN_BITS = 8
_MOVE_BITS = np.int64(COUNT_SHIFT)

_moves_of = reversi.moves_of


@kernel(i64(i64, i64, i64))
def _place(count: np.int64, move_offset: np.int64, k: np.int64) -> np.int64:
    """The index, in ascending order, of the ``k``-th of ``count`` moves to try."""
    place = ((move_offset * count) >> np.int64(_TURN_BITS)) + k
    return place - count if place >= count else place


@kernel(i64(u64, words, i64, i64))
def _small_choose(cells: np.uint64, shape: Words, move_offset: np.int64, k: np.int64) -> np.int64:
    count = np.int64(popcount(cells))
    stone = nth_bit(cells, np.uint64(_place(count, move_offset, k)))
    return (count << _MOVE_BITS) + small_lines.move_of_bit(lowest_index(stone), shape)


@kernel(i64(words, words, words, i64, i64))
def small_pick(
    state: Words, shape: Words, scratch: Words, move_offset: np.int64, k: np.int64
) -> np.int64:
    """Any legal move."""
    return _small_choose(small_lines.landings(state[0] | state[1], shape), shape, move_offset, k)


@kernel(i64(words, words, words, i64, i64))
def small_forced_pick(
    state: Words, shape: Words, scratch: Words, move_offset: np.int64, k: np.int64
) -> np.int64:
    """A win, else a block, else any legal move."""
    occupied = state[0] | state[1]
    cells = small_lines.landings(occupied, shape)
    forced = small_gaps(state[0], occupied, shape) & cells
    if forced == ZERO:
        forced = small_gaps(state[1], occupied, shape) & cells
    return _small_choose(forced if forced != ZERO else cells, shape, move_offset, k)


@kernel(i64(words, i64, words, i64, i64))
def _large_choose(
    cells: Words, count: np.int64, shape: Words, move_offset: np.int64, k: np.int64
) -> np.int64:
    """Choose among the ``count`` set cells of a side."""
    place = _place(count, move_offset, k)
    word = np.int64(0)
    here = np.int64(popcount(cells[0]))
    while place >= here:
        place -= here
        word += 1
        here = np.int64(popcount(cells[word]))
    stone = nth_bit(cells[word], np.uint64(place))
    index = (word << np.int64(6)) + np.int64(lowest_index(stone))
    row = index >> np.int64(shape[large_lines.LANE_LOG])
    col = index - (row << np.int64(shape[large_lines.LANE_LOG]))
    return (count << _MOVE_BITS) + row * np.int64(shape[large_lines.COLS]) + col


@kernel(i64(words, words, words, i64, i64))
def large_pick(
    state: Words, shape: Words, scratch: Words, move_offset: np.int64, k: np.int64
) -> np.int64:
    """Any legal move."""
    side = np.int64(shape[large_lines.SIDE])
    count = np.int64(0)
    for word in range(side):
        free = shape[large_lines.CELLS + word] & ~(state[word] | state[side + word])
        scratch[word] = free
        count += np.int64(popcount(free))
    return _large_choose(scratch, count, shape, move_offset, k)


@kernel(i64(words, words, words, i64, i64))
def large_forced_pick(
    state: Words, shape: Words, scratch: Words, move_offset: np.int64, k: np.int64
) -> np.int64:
    """A win, else a block, else any legal move."""
    for start in (np.int64(0), np.int64(shape[large_lines.SIDE])):
        count = large_gaps(state, start, shape, scratch)
        if count > 0:
            return _large_choose(scratch, count, shape, move_offset, k)
    return large_pick(state, shape, scratch, move_offset, k)


@kernel(i64(words, words, words, i64, i64))
def reversi_pick(
    state: Words, shape: Words, scratch: Words, move_offset: np.int64, k: np.int64
) -> np.int64:
    """Any legal move; the pass if there is no other."""
    squares = _moves_of(state[0], state[1]) & shape[reversi.CELLS]
    count = np.int64(popcount(squares))
    if count == 0:
        size = np.int64(shape[reversi.SIZE])
        return (np.int64(1) << _MOVE_BITS) + size * size
    square = nth_bit(squares, np.uint64(_place(count, move_offset, k)))
    return (count << _MOVE_BITS) + reversi.move_of_bit(lowest_index(square), shape)
