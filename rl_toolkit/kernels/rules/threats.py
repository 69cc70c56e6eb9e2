"""Immediate wins: the empty cells that complete a line.

A cell that completes a line of k has i stones of its owner directly on one side and at least
k − 1 − i on the other. `R_j` are the cells with j stones directly above them, `L_i` those with i
stones below; the result is the union of ``L_i & R_(k−1−i)``, direction by direction::

    . X X _ X .      the gap: two stones on one side, one on the other; k = 4

Cells that are not playable yet (Connect Four) are included: the caller removes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rl_toolkit.kernels.bits import (
    FOUR_WORDS,
    ZERO,
    lowest_bit,
    lowest_index,
    popcount,
    splat,
    union,
)
from rl_toolkit.kernels.jit import i64, instruction, ir, kernel, u64, words
from rl_toolkit.kernels.rules import large_lines, small_lines
from rl_toolkit.kernels.rules.large_lines import Words

_BITS = np.uint64(64)
_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
_SIX = np.int64(6)


def _gap_finder(k: int) -> Callable[..., Any]:
    """An instruction (stones, geometry) → cells that complete k in a row, in all directions."""

    def find(build: Any, stones: Any, shape: Any) -> Any:
        first = build.gep(shape, [ir.Constant(ir.IntType(64), small_lines.DISTANCES)])
        distance = build.load(build.bitcast(first, FOUR_WORDS.as_pointer()), align=8)
        everywhere = splat(build, stones)
        above: list[Any] = []  # above[j - 1] is R_j
        below: list[Any] = []  # below[i - 1] is L_i
        for _ in range(k - 1):
            higher = build.and_(everywhere, above[-1]) if above else everywhere
            lower = build.and_(everywhere, below[-1]) if below else everywhere
            above.append(build.lshr(higher, distance))
            below.append(build.shl(lower, distance))
        found = build.or_(above[-1], below[-1])
        for i in range(k - 2):
            found = build.or_(found, build.and_(below[i], above[k - 3 - i]))
        return union(build, found)

    return instruction(u64(u64, words))(find)


_gaps_of_3 = _gap_finder(3)
_gaps_of_4 = _gap_finder(4)
_gaps_of_5 = _gap_finder(5)


@kernel(u64(u64, u64, words))
def small_gaps(stones: np.uint64, occupied: np.uint64, shape: Words) -> np.uint64:
    """The empty cells that complete a line of these stones, on a board of `small_lines`."""
    empty = shape[small_lines.CELLS] & ~occupied
    if shape[small_lines.EXACTLY] == ZERO:
        k = shape[small_lines.WIN_LENGTH]
        if k == np.uint64(4):
            return np.uint64(_gaps_of_4(stones, shape) & empty)
        if k == np.uint64(3):
            return np.uint64(_gaps_of_3(stones, shape) & empty)
        if k == np.uint64(5):
            return np.uint64(_gaps_of_5(stones, shape) & empty)
    found = ZERO
    while empty != ZERO:
        cell = lowest_bit(empty)
        empty ^= cell
        if small_lines.has_line(stones | cell, shape) != ZERO:
            found |= cell
    return found


@kernel(i64(words, i64, words, words, i64))
def _gaps_along(
    state: Words, start: np.int64, shape: Words, scratch: Words, distance: np.int64
) -> np.int64:
    """Add to ``scratch`` the cells with k − 1 stones around them in one direction.

    ``scratch``: the cells found, then L, then R_0 … R_(k−1), each with the words of a side.
    """
    side, k = np.int64(shape[large_lines.SIDE]), np.int64(shape[large_lines.WIN_LENGTH])
    near, far = np.uint64(distance), _BITS - np.uint64(distance)
    below, above = side, 2 * side
    for word in range(side):
        scratch[below + word] = _ALL
        scratch[above + word] = _ALL
    for j in range(1, k):
        here = above + j * side
        carry = ZERO
        for back in range(side):
            last = side - 1 - back
            both = state[start + last] & scratch[here - side + last]
            scratch[here + last] = (both >> near) | carry
            carry = both << far
    for i in range(k):
        there = above + (k - 1 - i) * side
        carry = ZERO
        for word in range(side):
            scratch[word] |= scratch[below + word] & scratch[there + word]
            both = state[start + word] & scratch[below + word]
            scratch[below + word] = (both << near) | carry
            carry = both >> far
    return np.int64(0)


@kernel(i64(words, i64, words, words))
def large_gaps(state: Words, start: np.int64, shape: Words, scratch: Words) -> np.int64:
    """Write to ``scratch`` the empty cells that complete a line of the side at ``start``.

    They take the words of one side; `gap_words` is the total scratch needed. Returns their number.
    """
    side = np.int64(shape[large_lines.SIDE])
    lane_log = np.int64(shape[large_lines.LANE_LOG])
    lane = np.int64(1) << lane_log
    for word in range(side):
        scratch[word] = ZERO
    for distance in (np.int64(1), lane - 1, lane, lane + 1):
        _gaps_along(state, start, shape, scratch, distance)
    count = np.int64(0)
    for word in range(side):
        found = (
            scratch[word] & shape[large_lines.CELLS + word] & ~(state[word] | state[side + word])
        )
        if shape[large_lines.EXACTLY] != ZERO:
            left = found
            while left != ZERO:
                cell = lowest_bit(left)
                left ^= cell
                index = (word << _SIX) + np.int64(lowest_index(cell))
                row = index >> lane_log
                # `wins_at` looks around the cell, not at it.
                if large_lines.wins_at(state, start, shape, row, index - (row << lane_log)) == 0:
                    found ^= cell
        scratch[word] = found
        count += np.int64(popcount(found))
    return count


def gap_words(side: int, k: int) -> int:
    """The number of scratch words that `large_gaps` needs."""
    return side * (k + 2)
