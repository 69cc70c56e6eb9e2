"""The last four empty squares, with one function for each number.

Nine in ten nodes of an endgame search are here, so they do only what pays: no table, no lists, no
sorting beyond parity. Empty squares are passed as single bits, in the order in which to try them,
and a square without an adjacent disc of theirs is skipped.

All functions have a null window: *is the score of the side to move above alpha?* A result above
``alpha`` is a lower bound on the score, a result at or below it an upper bound.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_bit, lowest_index
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.reversi.board import (
    AREA,
    CELLS,
    NEIGHBOURS,
    NODES,
    NOTHING,
    Words,
    count,
    margin,
    quadrant_of,
    signed,
)
from rl_toolkit.kernels.rules.reversi import flips_of


@kernel(i64(u64, u64, i64, words))
def last_one(mine: np.uint64, square: np.uint64, alpha: int, block: Words) -> int:
    """One empty square."""
    theirs = block[CELLS] & ~(mine | square)
    ahead = 2 * count(mine) - signed(block[AREA])  # if they get the square
    turned = flips_of(square, mine, theirs)
    if turned != ZERO:
        return ahead + 2 + 2 * count(turned)
    # If they cannot place either, the square counts for the side that is ahead.
    at_most = ahead + 2 if ahead >= 0 else ahead
    if at_most <= alpha:
        return at_most
    turned = flips_of(square, theirs, mine)
    return ahead - 2 * count(turned) if turned != ZERO else at_most


@kernel(u64(u64, u64, u64, words))
def _turned(square: np.uint64, mine: np.uint64, theirs: np.uint64, block: Words) -> np.uint64:
    """Their discs that a disc on ``square`` flips."""
    if theirs & block[NEIGHBOURS + signed(lowest_index(square))] == ZERO:
        return ZERO
    return np.uint64(flips_of(square, mine, theirs))


@kernel(i64(u64, u64, u64, u64, i64, i64, words))
def last_two(
    mine: np.uint64,
    theirs: np.uint64,
    first: np.uint64,
    second: np.uint64,
    alpha: int,
    passed: int,
    block: Words,
) -> int:
    """Two empty squares; ``passed`` is 1 if the other side has just passed, else 0."""
    block[NODES] += ONE
    best = NOTHING
    turned = _turned(first, mine, theirs, block)
    if turned != ZERO:
        best = -last_one(theirs ^ turned, second, -alpha - 1, block)
        if best > alpha:
            return best
    turned = _turned(second, mine, theirs, block)
    if turned != ZERO:
        best = max(best, -last_one(theirs ^ turned, first, -alpha - 1, block))
    if best != NOTHING:
        return best
    if passed:
        return margin(mine, 2, block)
    # Not the literal 1: for Numba a constant would be an argument of another type.
    return -last_two(theirs, mine, first, second, -alpha - 1, passed + 1, block)


@kernel(i64(u64, u64, u64, u64, u64, u64, i64, i64, words))
def last_three(
    mine: np.uint64,
    theirs: np.uint64,
    first: np.uint64,
    second: np.uint64,
    third: np.uint64,
    odd: np.uint64,
    alpha: int,
    passed: int,
    block: Words,
) -> int:
    """Three empty squares: a square alone in its quadrant comes first."""
    block[NODES] += ONE
    if first & odd == ZERO:
        if second & odd != ZERO:
            first, second = second, first
        elif third & odd != ZERO:
            first, third = third, first
    best = NOTHING
    turned = _turned(first, mine, theirs, block)
    if turned != ZERO:
        after, own = theirs ^ turned, mine ^ turned
        best = -last_two(after, own | first, second, third, -alpha - 1, 0, block)
        if best > alpha:
            return best
    turned = _turned(second, mine, theirs, block)
    if turned != ZERO:
        after, own = theirs ^ turned, mine ^ turned
        best = max(best, -last_two(after, own | second, first, third, -alpha - 1, 0, block))
        if best > alpha:
            return best
    turned = _turned(third, mine, theirs, block)
    if turned != ZERO:
        after, own = theirs ^ turned, mine ^ turned
        best = max(best, -last_two(after, own | third, first, second, -alpha - 1, 0, block))
    if best != NOTHING:
        return best
    if passed:
        return margin(mine, 3, block)
    return -last_three(theirs, mine, first, second, third, odd, -alpha - 1, passed + 1, block)


@kernel(i64(u64, u64, u64, i64, i64, words))
def last_four(
    mine: np.uint64, theirs: np.uint64, odd: np.uint64, alpha: int, passed: int, block: Words
) -> int:
    """Four empty squares, those in odd quadrants first."""
    block[NODES] += ONE
    empty = block[CELLS] & ~(mine | theirs)
    best = NOTHING
    for group in (empty & odd, empty & ~odd):
        left = group
        while left != ZERO:
            square = lowest_bit(left)
            left ^= square
            turned = _turned(square, mine, theirs, block)
            if turned == ZERO:
                continue
            others = empty ^ square
            first = lowest_bit(others)
            others ^= first
            second = lowest_bit(others)
            answer = last_three(
                theirs ^ turned,
                (mine ^ turned) | square,
                first,
                second,
                others ^ second,
                odd ^ quadrant_of(square, block),
                -alpha - 1,
                0,
                block,
            )
            best = max(best, -answer)
            if best > alpha:
                return best
    if best != NOTHING:
        return best
    if passed:
        return margin(mine, 4, block)
    return -last_four(theirs, mine, odd, -alpha - 1, passed + 1, block)
