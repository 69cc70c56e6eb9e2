"""A Gomoku board that knows the patterns of its empty cells: `make` and `undo`.

**Line words.** Every row, column and diagonal is one word with two bits per cell. Five cells of
edge come before the first cell, and edge fills the rest, so a window never leaves the word::

     bit 0         10   12   14           10+2L          63
      | 11 × 5    | c0 | c1 | c2 | … | c(L-1) | 11 … 11 |      00 empty, 01 black, 10 white, 11 edge

     the window of cell p, with r neighbours on each side:   w = line >> 2(p + 5 - r)
     its key, the centre squeezed out:   (w & (4^r - 1)) | (w >> 2) & ((4^r - 1) << 2r)

**Making a move** changes one cell of four lines. The codes of the cells within the radius on these
lines are looked up again, at most 32 (40 with exactly five); those that change are logged and
update the sums, the counters and the bit sets. `undo` copies everything back from the log::

    log record:  | hash, sums, counters, bit sets | … | end | pattern + cell · 2^32 | … |
                 0                                   LIST - 1
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.cell_tables import TIER, TIERS
from rl_toolkit.kernels.gomoku.layout import (
    CODES_AT,
    COUNTS,
    HASH,
    KEYS_AT,
    LINES,
    LIST,
    LOG,
    OCCUPIED,
    PATTERNS,
    PLACES_AT,
    PLY,
    RADIUS,
    RECORD,
    SAVED,
    SETS,
    SHARES_AT,
    STEPS,
    SUMS,
    WORDS,
    byte_at,
    lowest,
    numbers_at,
)
from rl_toolkit.kernels.jit import i64, kernel, number_array, numbers, offset, pointer

Numbers = npt.NDArray[np.int64]

_HALF = (1 << 16) - 1
_PATTERN = (1 << 32) - 1


@kernel(i64(numbers, i64, i64))
def make(block: Numbers, cell: int, side: int) -> int:
    """Put a stone of ``side`` (0 black, 1 white) on an empty cell; returns 0."""
    record = offset(block, LOG + RECORD * block[PLY])
    saved = offset(block, SAVED)
    for k in range(SETS - SAVED + 2 * TIERS * block[WORDS]):
        record[k] = saved[k]
    # 1. The patterns that change. No branch depends on them, for processors guess badly here.
    patterns = offset(block, PATTERNS)
    record[LIST] = patterns[cell] | cell << 32
    end = LIST + 1
    patterns[cell] = 0
    places = offset(numbers_at(block[PLACES_AT]), 4 * cell)
    codes_at, radius = block[CODES_AT], block[RADIUS]
    low = (1 << 2 * radius) - 1
    high = low << 2 * radius
    for direction in range(4):
        place = places[direction]
        at = LINES + (place & 255)
        here = (place >> 8) & 255
        line = block[at] ^ (1 + side) << 2 * (here + 5)
        block[at] = line
        before = (place >> 16) & 15
        step = block[STEPS + direction]
        shift = 4 * direction
        kept = ~(15 << shift | 15 << (shift + 16))
        near = cell - before * step
        window = line >> 2 * (here - before + 5 - radius)
        for _ in range(before + 1 + ((place >> 20) & 15)):
            code = byte_at(codes_at, (window & low) | ((window >> 2) & high))
            if (window >> 2 * radius) & 3 != 0:
                code = 0  # a stone
            old = patterns[near]
            new = (old & kept) | (code & 15) << shift | (code >> 4) << (shift + 16)
            patterns[near] = new
            record[end] = old | near << 32
            end += new != old
            near += step
            window >>= 2
    record[LIST - 1] = end
    # 2. What follows from them.
    shares, words = numbers_at(block[SHARES_AT]), block[WORDS]
    black_sum = white_sum = black_count = white_count = 0
    for k in range(LIST, end):
        near, old = record[k] >> 32, record[k] & _PATTERN
        new = patterns[near]
        before, after = offset(shares, 2 * (old & _HALF)), offset(shares, 2 * (new & _HALF))
        black_sum += after[0] - before[0]
        if after[1] != before[1]:
            black_count += after[1] - before[1]
            cells = offset(block, SETS + (near >> 6))
            cells[(before[1] >> TIER) * words] ^= 1 << (near & 63)
            cells[(after[1] >> TIER) * words] ^= 1 << (near & 63)
        before, after = offset(shares, 2 * (old >> 16)), offset(shares, 2 * (new >> 16))
        white_sum += after[0] - before[0]
        if after[1] != before[1]:
            white_count += after[1] - before[1]
            cells = offset(block, SETS + TIERS * words + (near >> 6))
            cells[(before[1] >> TIER) * words] ^= 1 << (near & 63)
            cells[(after[1] >> TIER) * words] ^= 1 << (near & 63)
    block[SUMS] += black_sum
    block[SUMS + 1] += white_sum
    block[COUNTS] += black_count
    block[COUNTS + 1] += white_count
    block[OCCUPIED + (cell >> 6)] ^= 1 << (cell & 63)
    block[HASH] ^= numbers_at(block[KEYS_AT])[2 * cell + side]
    block[PLY] += 1
    return 0


@kernel(i64(numbers, i64, i64))
def undo(block: Numbers, cell: int, side: int) -> int:
    """Take back the last stone, which ``side`` put on ``cell``; returns 0."""
    block[PLY] -= 1
    record = offset(block, LOG + RECORD * block[PLY])
    saved = offset(block, SAVED)
    for k in range(SETS - SAVED + 2 * TIERS * block[WORDS]):
        saved[k] = record[k]
    patterns = offset(block, PATTERNS)
    for k in range(LIST, record[LIST - 1]):
        patterns[record[k] >> 32] = record[k] & _PATTERN
    places = offset(numbers_at(block[PLACES_AT]), 4 * cell)
    for direction in range(4):
        place = places[direction]
        block[LINES + (place & 255)] ^= (1 + side) << 2 * (((place >> 8) & 255) + 5)
    block[OCCUPIED + (cell >> 6)] ^= 1 << (cell & 63)
    return 0


@kernel(i64(numbers, i64, i64))
def first_of(block: Numbers, side: int, tier: int) -> int:
    """The lowest cell in the bit set of a tier, −1 if there is none."""
    start = SETS + (side * TIERS + tier) * block[WORDS]
    for k in range(block[WORDS]):
        if block[start + k] != 0:
            return int(64 * k + lowest(block[start + k]))
    return -1


@kernel(i64(number_array, i64, i64))
def place_stone(block: Numbers, cell: int, side: int) -> int:
    """`make` for Python."""
    return make(pointer(block), cell, side)


@kernel(i64(number_array, i64, i64))
def remove_stone(block: Numbers, cell: int, side: int) -> int:
    """`undo` for Python."""
    return undo(pointer(block), cell, side)


@kernel(i64(number_array, number_array, i64))
def walk(block: Numbers, moves: Numbers, rounds: int) -> int:
    """For benchmarks: make and undo all ``moves`` in turn, ``rounds`` times."""
    pointed = pointer(block)
    for _ in range(rounds):
        for k in range(moves.size):
            make(pointed, moves[k], k & 1)
        for k in range(moves.size - 1, -1, -1):
            undo(pointed, moves[k], k & 1)
    return 0
