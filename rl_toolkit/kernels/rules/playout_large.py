"""Random playouts on boards of several words per side; see `kernels.rules.playout`.

The empty cells are dealt from a list like cards. Testing every stone for a line would cost more
than dealing it, so the whole board is tested for lines after every `_DEAL` stones. If both sides
have one by then, stones are taken back until one side's line is gone: that one came later.

Scratch, in words (a side has ``side`` of them)::

    stones of the side that began, of the other | the list of cells | scratch for called kernels
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_toolkit.kernels.bits import FOUR_WORDS, ONE, ZERO, lowest_index, union
from rl_toolkit.kernels.jit import i64, instruction, ir, kernel, offset, u64, words
from rl_toolkit.kernels.rules import large_lines
from rl_toolkit.kernels.rules.lcg import below, next_chance
from rl_toolkit.kernels.rules.threats import gap_words, large_gaps
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

Words = large_lines.Words

_DEAL = 24
_SIX = np.int64(6)
_WORD_MASK = np.int64(63)
_BITS = np.uint64(64)
_LANES = ir.VectorType(ir.IntType(16), 16)
_run_length, _wins_at = large_lines.run_length, large_lines.wins_at


def scratch_words(side: int, cells: int, k: int) -> int:
    """The number of scratch words that a playout needs."""
    return 4 * side + cells + gap_words(side, k)


@instruction(u64(words))
def five_in_lanes(build: Any, side: Any) -> Any:
    """Non-zero if and only if a side of 16 lanes of 16 bits holds five in a row.

    One vector register is the whole board. Row i of ``lower[k]`` is row i + k of the board, so a
    line downwards is five vectors and-ed; shifting each by its k makes it a diagonal.
    """

    def constant(number: int) -> Any:
        return ir.Constant(_LANES, [number] * 16)

    rows = build.load(build.bitcast(side, _LANES.as_pointer()), align=8)
    places = ir.VectorType(ir.IntType(32), 16)
    across = down = falling = rising = rows
    for k in range(1, 5):
        order = ir.Constant(places, list(range(k, k + 16)))
        lower = build.shuffle_vector(rows, constant(0), order)
        across = build.and_(across, build.lshr(rows, constant(k)))
        down = build.and_(down, lower)
        falling = build.and_(falling, build.lshr(lower, constant(k)))
        rising = build.and_(rising, build.shl(lower, constant(k)))
    found = build.or_(build.or_(across, down), build.or_(falling, rising))
    return union(build, build.bitcast(found, FOUR_WORDS))


@kernel(i64(words, i64, words, words, i64))
def _line_along(
    state: Words, start: np.int64, shape: Words, scratch: Words, distance: np.int64
) -> np.int64:
    """1 if the side at ``start`` has ``WIN_LENGTH`` stones at this distance from each other."""
    side = np.int64(shape[large_lines.SIDE])
    near, far = np.uint64(distance), _BITS - np.uint64(distance)
    for word in range(side):
        scratch[word] = state[start + word]
    for _ in range(np.int64(shape[large_lines.WIN_LENGTH]) - 1):
        carry = ZERO
        for back in range(side):
            last = side - 1 - back
            run = scratch[last]
            scratch[last] = state[start + last] & ((run >> near) | carry)
            carry = run << far
    for word in range(side):
        if scratch[word] != ZERO:
            return np.int64(1)
    return np.int64(0)


@kernel(i64(words, i64, words, words))
def has_long_line(state: Words, start: np.int64, shape: Words, scratch: Words) -> np.int64:
    """1 if the side at ``start`` has a line of at least ``WIN_LENGTH`` stones anywhere."""
    if shape[large_lines.WIN_LENGTH] == np.uint64(5) and shape[large_lines.LANE_LOG] == np.uint64(
        4
    ):
        return np.int64(five_in_lanes(offset(state, start)) != ZERO)
    lane = np.int64(1) << np.int64(shape[large_lines.LANE_LOG])
    for distance in (np.int64(1), lane - 1, lane, lane + 1):
        if _line_along(state, start, shape, scratch, distance) != 0:
            return np.int64(1)
    return np.int64(0)


@kernel(i64(words, words, words))
def _lay_out(state: Words, shape: Words, scratch: Words) -> np.int64:
    """Copy the stones to ``scratch`` and list the empty cells after them; returns their number."""
    side = np.int64(shape[large_lines.SIDE])
    for word in range(2 * side):
        scratch[word] = state[word]
    last = 2 * side
    for word in range(side):
        free = shape[large_lines.CELLS + word] & ~(state[word] | state[side + word])
        first = np.uint64(word << _SIX)
        while free != ZERO:
            scratch[last] = first + lowest_index(free)
            last += 1
            free &= free - ONE
    return last - 2 * side


@kernel(i64(words, words, words, i64, i64, u64))
def _leave(
    state: Words,
    scratch: Words,
    chance: Words,
    side: np.int64,
    mover: np.int64,
    random: np.uint64,
) -> np.int64:
    """Save the state of the generator and write the stones back, side to move first.

    ``mover`` is the first word in ``scratch`` of the side to move.
    """
    chance[0] = random
    for word in range(side):
        state[word] = scratch[mover + word]
        state[side + word] = scratch[side - mover + word]
    return np.int64(RUNNING)


@kernel(i64(words, words, i64, i64, i64))
def later_line(
    scratch: Words, shape: Words, dealt: np.int64, side: np.int64, count: np.int64
) -> np.int64:
    """Take stones back, the last one first, and return the first side to be without a line."""
    cells = 2 * side
    behind = offset(scratch, cells + count)
    while True:
        dealt -= 1
        start = (dealt & np.int64(1)) * side
        cell = np.int64(scratch[cells + dealt])
        scratch[start + (cell >> _SIX)] ^= ONE << np.uint64(cell & _WORD_MASK)
        if has_long_line(scratch, start, shape, behind) == 0:
            return dealt & np.int64(1)


@kernel(i64(words, words, words, words, i64))
def large_playout(
    state: Words, shape: Words, chance: Words, scratch: Words, plies: np.int64
) -> np.int64:
    """Random moves in k in a row."""
    random = chance[0]
    side = np.int64(shape[large_lines.SIDE])
    lane_log = np.int64(shape[large_lines.LANE_LOG])
    exactly = shape[large_lines.EXACTLY] != ZERO
    count = _lay_out(state, shape, scratch)
    cells = 2 * side
    behind = offset(scratch, cells + count)
    last = min(count, plies)
    dealt = np.int64(0)
    while dealt < last:
        # Where a longer line does not win, a line can come and go: test every stone.
        until = min(dealt + 1 if exactly else dealt + _DEAL, last)
        start = cell = np.int64(0)
        for i in range(dealt, until):
            random = next_chance(random)
            drawn = cells + i + np.int64(below(random, np.uint64(count - i)))
            cell = np.int64(scratch[drawn])
            scratch[drawn] = scratch[cells + i]
            scratch[cells + i] = np.uint64(cell)
            start = (i & np.int64(1)) * side
            scratch[start + (cell >> _SIX)] |= ONE << np.uint64(cell & _WORD_MASK)
        dealt = until
        if exactly:
            row = cell >> lane_log
            if _wins_at(scratch, start, shape, row, cell - (row << lane_log)) != 0:
                chance[0] = random
                return np.int64(WON if start == 0 else LOST)
            continue
        lines, winner = np.int64(0), np.int64(0)
        for start in (np.int64(0), side):
            if has_long_line(scratch, start, shape, behind) != 0:
                lines += 1
                winner = start
        if lines > 0:
            chance[0] = random
            if lines == 2 and later_line(scratch, shape, dealt, side, count) != 0:
                winner = np.int64(0)
            return np.int64(WON if winner == 0 else LOST)
    if last == count:
        chance[0] = random
        return np.int64(DRAWN)
    return _leave(state, scratch, chance, side, (last & np.int64(1)) * side, random)


@kernel(i64(words, i64, words, i64, words))
def _note_gaps(
    stones: Words, start: np.int64, shape: Words, cell: np.int64, gaps: Words
) -> np.int64:
    """Add the gaps that a new stone of the side at ``start`` creates.

    They are the two ends of the stone's run in every direction.
    """
    side, k = np.int64(shape[large_lines.SIDE]), np.int64(shape[large_lines.WIN_LENGTH])
    rows, cols = np.int64(shape[large_lines.ROWS]), np.int64(shape[large_lines.COLS])
    lane_log = np.int64(shape[large_lines.LANE_LOG])
    row = cell >> lane_log
    col = cell - (row << lane_log)
    for down, right in large_lines.DIRECTIONS:
        dy, dx = np.int64(down), np.int64(right)
        ahead = _run_length(stones, start, shape, row, col, dy, dx)
        behind = _run_length(stones, start, shape, row, col, -dy, -dx)
        for sign in (1, -1):
            steps = ahead + 1 if sign == 1 else -behind - 1
            y, x = row + steps * dy, col + steps * dx
            if y < 0 or y >= rows or x < 0 or x >= cols:
                continue
            index = (y << lane_log) + x
            word, bit = index >> _SIX, ONE << np.uint64(index & _WORD_MASK)
            if (stones[word] | stones[side + word]) & bit != ZERO:
                continue
            beyond = _run_length(stones, start, shape, y, x, sign * dy, sign * dx)
            if ahead + behind + beyond + 2 >= k:
                gaps[word] |= bit
    return np.int64(0)


@kernel(i64(words, i64, words, words))
def _gap_to_use(stones: Words, start: np.int64, shape: Words, gaps: Words) -> np.int64:
    """One of the gaps of the side at ``start``; −1 if there is none.

    Where a longer line does not win, a gap may have become too wide since it was added.
    """
    lane_log = np.int64(shape[large_lines.LANE_LOG])
    for word in range(np.int64(shape[large_lines.SIDE])):
        left = gaps[word]
        while left != ZERO:
            index = (word << _SIX) + np.int64(lowest_index(left))
            left &= left - ONE
            row = index >> lane_log
            if (
                shape[large_lines.EXACTLY] == ZERO
                or _wins_at(stones, start, shape, row, index - (row << lane_log)) != 0
            ):
                return index
    return np.int64(-1)


@kernel(i64(words, words, words, words, i64))
def large_forced_playout(
    state: Words, shape: Words, chance: Words, scratch: Words, plies: np.int64
) -> np.int64:
    """`large_playout` in which wins are taken and threats blocked."""
    random = chance[0]
    side = np.int64(shape[large_lines.SIDE])
    count = _lay_out(state, shape, scratch)
    cells = 2 * side
    gaps = offset(scratch, cells + count)  # those of the side that moved first come first
    behind = offset(gaps, 2 * side)
    for start in (np.int64(0), side):
        large_gaps(scratch, start, shape, behind)
        for i in range(side):
            gaps[start + i] = behind[i]
    result, mover, left = np.int64(WON), np.int64(0), count
    for _ in range(min(count, plies)):
        if _gap_to_use(scratch, mover, shape, offset(gaps, mover)) >= 0:
            chance[0] = random
            return result
        cell = _gap_to_use(scratch, side - mover, shape, offset(gaps, side - mover))
        while cell < 0:
            random = next_chance(random)
            drawn = cells + np.int64(below(random, np.uint64(left)))
            left -= 1
            free = np.int64(scratch[drawn])
            scratch[drawn] = scratch[cells + left]
            word = free >> _SIX
            # A block may have occupied the cell since the list was made.
            taken = scratch[word] | scratch[side + word]
            if (taken >> np.uint64(free & _WORD_MASK)) & ONE == ZERO:
                cell = free
        word, bit = cell >> _SIX, ONE << np.uint64(cell & _WORD_MASK)
        scratch[mover + word] |= bit
        gaps[word] &= ~bit
        gaps[side + word] &= ~bit
        _note_gaps(scratch, mover, shape, cell, offset(gaps, mover))
        mover = side - mover
        result = np.int64(WON + LOST) - result
    if count <= plies:
        chance[0] = random
        return np.int64(DRAWN)
    return _leave(state, scratch, chance, side, mover, random)
