"""Forced moves and dead lines: the moves that need to be searched, and which sides can still win.

*Forced moves*: if the side to move can win immediately, the wins; else, if the other side could,
the blocks; else all moves. Any other move is no better, so a search may skip it.

*Can win*: a side whose stones and the empty cells together hold no line can no longer win.
``can_win`` answers in two bits: 1 for the side to move, 2 for the other.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_index
from rl_toolkit.kernels.jit import i64, kernel, numbers, words
from rl_toolkit.kernels.rules import large_lines, reversi, small_lines
from rl_toolkit.kernels.rules.large_lines import Numbers, Words
from rl_toolkit.kernels.rules.threats import large_gaps, small_gaps

BOTH = np.int64(3)


@kernel(i64(words, words, words, numbers))
def small_forced_moves(state: Words, shape: Words, scratch: Words, out: Numbers) -> np.int64:
    """Write the forced moves to ``out`` in ascending order; their number."""
    occupied = state[0] | state[1]
    cells = small_lines.landings(occupied, shape)
    forced = small_gaps(state[0], occupied, shape) & cells
    if forced == ZERO:
        forced = small_gaps(state[1], occupied, shape) & cells
    left = forced if forced != ZERO else cells
    count = np.int64(0)
    while left != ZERO:
        out[count] = small_lines.move_of_bit(lowest_index(left), shape)
        left &= left - ONE
        count += 1
    return count


@kernel(i64(words, words, words, numbers))
def large_forced_moves(state: Words, shape: Words, scratch: Words, out: Numbers) -> np.int64:
    """Write the forced moves to ``out`` in ascending order; their number."""
    side, cols = np.int64(shape[large_lines.SIDE]), np.int64(shape[large_lines.COLS])
    lane_log = np.int64(shape[large_lines.LANE_LOG])
    for start in (np.int64(0), side):
        if large_gaps(state, start, shape, scratch) == 0:
            continue
        count = np.int64(0)
        for word in range(side):
            left = scratch[word]
            while left != ZERO:
                index = (word << np.int64(6)) + np.int64(lowest_index(left))
                left &= left - ONE
                row = index >> lane_log
                out[count] = row * cols + index - (row << lane_log)
                count += 1
        return count
    return large_lines.moves(state, shape, out)


@kernel(i64(words, words, words, numbers))
def reversi_forced_moves(state: Words, shape: Words, scratch: Words, out: Numbers) -> np.int64:
    """All legal moves: hardly any move of Reversi wins immediately."""
    return reversi.moves(state, shape, out)


@kernel(i64(words, words, words))
def small_can_win(state: Words, shape: Words, scratch: Words) -> np.int64:
    """Who can still win."""
    cells = shape[small_lines.CELLS]
    sides = np.int64(0)
    # A longer line than allowed counts: it need not be filled to its ends.
    if small_lines.lines_of_any_length(cells & ~state[1], shape) != ZERO:
        sides = np.int64(1)
    if small_lines.lines_of_any_length(cells & ~state[0], shape) != ZERO:
        sides |= np.int64(2)
    return sides


@kernel(i64(words, words))
def _large_has_line(cells: Words, shape: Words) -> np.int64:
    """1 if these cells, as words of one side, hold a line of at least the winning length."""
    side, k = np.int64(shape[large_lines.SIDE]), np.int64(shape[large_lines.WIN_LENGTH])
    lane_log = np.int64(shape[large_lines.LANE_LOG])
    for word in range(side):
        left = cells[word]
        while left != ZERO:
            index = (word << np.int64(6)) + np.int64(lowest_index(left))
            left &= left - ONE
            row = index >> lane_log
            col = index - (row << lane_log)
            for down, right in large_lines.DIRECTIONS:
                ahead = large_lines.run_length(
                    cells, np.int64(0), shape, row, col, np.int64(down), np.int64(right)
                )
                if ahead + 1 >= k:
                    return np.int64(1)
    return np.int64(0)


@kernel(i64(words, words, words))
def large_can_win(state: Words, shape: Words, scratch: Words) -> np.int64:
    """Who can still win."""
    side = np.int64(shape[large_lines.SIDE])
    sides = np.int64(0)
    for owner in range(2):
        for word in range(side):
            scratch[word] = shape[large_lines.CELLS + word] & ~state[(1 - owner) * side + word]
        sides |= _large_has_line(scratch, shape) << np.int64(owner)
    return sides


@kernel(i64(words, words, words))
def reversi_can_win(state: Words, shape: Words, scratch: Words) -> np.int64:
    """In Reversi both sides count as able to win until the end."""
    return BOTH
