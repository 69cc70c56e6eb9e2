"""Wins by continuous fours (VCF): the attacker makes a four with every move.

The defender has one answer to a four, so the tree is narrow: a node is a four and its answer. The
table keeps positions without such a win, and the depth to which that was found.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.board import first_of, make, undo
from rl_toolkit.kernels.gomoku.cell_tables import (
    A_FOUR,
    COUNT_FIVES,
    COUNT_FOURS,
    COUNT_OPEN_FOURS,
    FIELD_MASK,
    FIVES,
    FOURS,
    HALVES,
    OPEN_FOURS,
    TIERS,
)
from rl_toolkit.kernels.gomoku.geometry import KEY_OF_SIDE
from rl_toolkit.kernels.gomoku.layout import (
    CLASSES_AT,
    COUNTS,
    FLAG_AT,
    FOUR_LIMIT,
    FOUR_NODES,
    FOUR_TABLE_AT,
    FOUR_TABLE_MASK,
    FRAME,
    FRAMES,
    FRAMES_AT,
    HASH,
    KEYS_AT,
    ORDER_AT,
    PATTERNS,
    SETS,
    WORDS,
    byte_at,
    lowest,
    numbers_at,
    short_at,
)
from rl_toolkit.kernels.jit import i64, kernel, number_array, numbers, offset, pointer
from rl_toolkit.kernels.threads.atomic import load_number, store_number

Numbers = npt.NDArray[np.int64]

_HALF = HALVES - 1
_DEPTHS = (1 << 16) - 1
#: In a list of moves: the rank above, the cell below.
CELL_BITS = 10
CELL_MASK = (1 << CELL_BITS) - 1


@kernel(i64(numbers, i64, i64), inline=True)
def count_of(block: Numbers, side: int, field: int) -> int:
    """A field of the counter word of a side."""
    return int((block[COUNTS + side] >> field) & FIELD_MASK)


@kernel(i64(numbers, i64, i64), inline=True)
def rank_of(block: Numbers, side: int, cell: int) -> int:
    """The static rank of a move."""
    pattern = block[PATTERNS + cell]
    own, other = (pattern >> 16 * side) & _HALF, (pattern >> 16 * (1 - side)) & _HALF
    return int(short_at(block[ORDER_AT], own) + short_at(block[ORDER_AT], HALVES + other))


@kernel(i64(numbers, i64, i64), inline=True)
def class_of(block: Numbers, side: int, cell: int) -> int:
    """The class of a cell for a side."""
    return int(byte_at(block[CLASSES_AT], (block[PATTERNS + cell] >> 16 * side) & _HALF))


@kernel(i64(numbers, i64, i64), inline=True)
def bring_best(listed: Numbers, start: int, end: int) -> int:
    """Move the highest number of ``listed[start:end]`` to its beginning, and return it."""
    best = start
    for k in range(start + 1, end):
        if listed[k] > listed[best]:
            best = k
    found = listed[best]
    listed[best] = listed[start]
    listed[start] = found
    return int(found)


@kernel(i64(numbers, i64, i64, i64), inline=True)
def _is_dead_end(block: Numbers, side: int, answer: int, depth: int) -> int:
    """1 if ``side`` is known not to win by fours after ``answer``, without making that move.

    That is the case if no four is left, since a stone of the other side never makes one, or if the
    table knows the position.
    """
    left = count_of(block, side, COUNT_FOURS) + count_of(block, side, COUNT_OPEN_FOURS)
    if left == 0:
        return 1
    keys = numbers_at(block[KEYS_AT])
    key = block[HASH] ^ keys[2 * answer + 1 - side] ^ keys[KEY_OF_SIDE + side]
    kept = load_number(numbers_at(block[FOUR_TABLE_AT]), key & block[FOUR_TABLE_MASK])
    return int((kept ^ key) & ~_DEPTHS == 0 and kept & _DEPTHS >= depth)


@kernel(i64(numbers, i64, i64, i64))
def win_by_fours(block: Numbers, side: int, depth: int, frame: int) -> int:
    """Plies to a win of ``side``, to move, by at most ``depth`` fours before the last; 0 if none.

    0 also stands for a search that reached its limit of nodes. The first number of the frame is the
    winning move. The plies are those of the line found, not of the shortest.
    """
    block[FOUR_NODES] += 1
    other = 1 - side
    listed = offset(numbers_at(block[FRAMES_AT]), FRAME * frame)
    if count_of(block, side, COUNT_FIVES) > 0:
        listed[0] = first_of(block, side, FIVES)
        return 1
    forced = -1
    threats = count_of(block, other, COUNT_FIVES)
    if threats > 1:
        return 0
    if threats == 1:
        forced = first_of(block, other, FIVES)
        if class_of(block, side, forced) < A_FOUR:
            return 0
    elif count_of(block, side, COUNT_OPEN_FOURS) > 0:
        listed[0] = first_of(block, side, OPEN_FOURS)
        return 3
    elif count_of(block, side, COUNT_FOURS) == 0:
        return 0
    if load_number(numbers_at(block[FLAG_AT]), 0) != 0:
        block[FOUR_LIMIT] = 0
    if depth <= 0 or block[FOUR_NODES] > block[FOUR_LIMIT] or frame >= FRAMES - 2:
        return 0

    key = block[HASH] ^ numbers_at(block[KEYS_AT])[KEY_OF_SIDE + side]
    entry = offset(numbers_at(block[FOUR_TABLE_AT]), key & block[FOUR_TABLE_MASK])
    kept = load_number(entry, 0)
    if (kept ^ key) & ~_DEPTHS == 0 and kept & _DEPTHS >= depth:
        return 0
    length = 1
    if forced >= 0:
        listed[length] = forced
        length += 1
    else:
        fours = offset(block, SETS + (side * TIERS + FOURS) * block[WORDS])
        for k in range(block[WORDS]):
            left = fours[k]
            while left != 0:
                cell = 64 * k + lowest(left)
                left &= left - 1
                listed[length] = rank_of(block, side, cell) << CELL_BITS | cell
                length += 1
    for k in range(1, length):
        move = bring_best(listed, k, length) & CELL_MASK
        make(block, move, side)
        plies = 0
        fives = count_of(block, side, COUNT_FIVES)
        if fives >= 2:
            plies = 1
        elif fives == 1:
            answer = first_of(block, side, FIVES)
            if _is_dead_end(block, side, answer, depth - 1) != 0:
                block[FOUR_NODES] += 1
            else:
                make(block, answer, other)
                plies = win_by_fours(block, side, depth - 1, frame + 1)
                undo(block, answer, other)
        undo(block, move, side)
        if plies > 0:
            listed[0] = move
            return plies + 2
        if block[FOUR_NODES] > block[FOUR_LIMIT]:
            return 0
    store_number(entry, 0, (key & ~_DEPTHS) | min(depth, _DEPTHS))
    return 0


@kernel(i64(number_array, i64, i64, i64))
def find_fours(block: Numbers, side: int, depth: int, limit: int) -> int:
    """`win_by_fours` for Python, with a limit of nodes; the move is at the start of the frames."""
    block[FOUR_NODES] = 0
    block[FOUR_LIMIT] = limit
    return win_by_fours(pointer(block), side, depth, 0)
