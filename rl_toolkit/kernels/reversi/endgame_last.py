"""The last four empty squares, with one function for each number.

Nine in ten nodes of an endgame search are here, so they do only what pays: no table, no lists, no
sorting beyond parity. Empty squares are passed as single bits, in the order in which to try them.
Much of the time goes into branches that the processor guesses wrong, so with two and three empty
squares all flips are found before the first move is tried.

All functions have a null window: *is the score of the side to move above alpha?* A result above
``alpha`` is a lower bound on the score, a result at or below it an upper bound.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ONE, ZERO, choose, lowest_bit, lowest_index
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.reversi.board import (
    CELLS,
    NEIGHBOURS,
    NODES,
    NOTHING,
    Words,
    margin,
    quadrant_of,
    signed,
)
from rl_toolkit.kernels.reversi.last_square import last_one
from rl_toolkit.kernels.rules.reversi import flips_of

_NONE = np.int64(NOTHING)


@kernel(u64(u64, u64, u64, words))
def _turned(square: np.uint64, mine: np.uint64, theirs: np.uint64, block: Words) -> np.uint64:
    """Their discs that a disc on ``square`` flips."""
    if theirs & block[NEIGHBOURS + signed(lowest_index(square))] == ZERO:
        return ZERO
    return np.uint64(flips_of(square, mine, theirs))


@kernel(i64(u64, u64, u64, u64, i64, words), inline=True)
def _best_of_two(
    mine: np.uint64,
    theirs: np.uint64,
    first: np.uint64,
    second: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """The best score by a move on two empty squares; `NOTHING` if there is no move.

    Both moves are tried without a branch: a wrong guess of the processor takes longer.
    """
    turned, also = flips_of(first, mine, theirs), flips_of(second, mine, theirs)
    one = -last_one(theirs ^ turned, second, -alpha - 1, block)
    other = -last_one(theirs ^ also, first, -alpha - 1, block)
    best = choose(turned, one, _NONE)
    other = choose(also, other, _NONE)
    return int(max(best, other))


@kernel(i64(u64, u64, u64, u64, i64, words))
def _two_after_pass(
    mine: np.uint64,
    theirs: np.uint64,
    first: np.uint64,
    second: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """Two empty squares; the other side cannot place a disc."""
    block[NODES] += ONE
    best = _best_of_two(mine, theirs, first, second, alpha, block)
    return margin(mine, 2, block) if best == NOTHING else best


@kernel(i64(u64, u64, u64, u64, i64, words), inline=True)
def last_two(
    mine: np.uint64,
    theirs: np.uint64,
    first: np.uint64,
    second: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """Two empty squares."""
    block[NODES] += ONE
    best = _best_of_two(mine, theirs, first, second, alpha, block)
    if best != NOTHING:
        return best
    return -_two_after_pass(theirs, mine, first, second, -alpha - 1, block)


@kernel(i64(u64, u64, u64, u64, u64, i64, words), inline=True)
def _best_of_three(
    mine: np.uint64,
    theirs: np.uint64,
    first: np.uint64,
    second: np.uint64,
    third: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """The best score by a move on three empty squares, in this order; `NOTHING` without a move."""
    by_first, by_second = flips_of(first, mine, theirs), flips_of(second, mine, theirs)
    by_third = flips_of(third, mine, theirs)
    best = NOTHING
    if by_first != ZERO:
        after, own = theirs ^ by_first, mine ^ by_first
        best = -last_two(after, own | first, second, third, -alpha - 1, block)
        if best > alpha:
            return best
    if by_second != ZERO:
        after, own = theirs ^ by_second, mine ^ by_second
        best = max(best, -last_two(after, own | second, first, third, -alpha - 1, block))
        if best > alpha:
            return best
    if by_third != ZERO:
        after, own = theirs ^ by_third, mine ^ by_third
        best = max(best, -last_two(after, own | third, first, second, -alpha - 1, block))
    return best


@kernel(i64(u64, u64, u64, u64, u64, i64, words))
def _three_after_pass(
    mine: np.uint64,
    theirs: np.uint64,
    first: np.uint64,
    second: np.uint64,
    third: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """Three empty squares; the other side cannot place a disc."""
    block[NODES] += ONE
    best = _best_of_three(mine, theirs, first, second, third, alpha, block)
    return margin(mine, 3, block) if best == NOTHING else best


@kernel(i64(u64, u64, u64, u64, u64, u64, i64, words))
def last_three(
    mine: np.uint64,
    theirs: np.uint64,
    first: np.uint64,
    second: np.uint64,
    third: np.uint64,
    odd: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """Three empty squares: a square alone in its quadrant comes first."""
    block[NODES] += ONE
    if first & odd == ZERO:
        if second & odd != ZERO:
            first, second = second, first
        elif third & odd != ZERO:
            first, third = third, first
    best = _best_of_three(mine, theirs, first, second, third, alpha, block)
    if best != NOTHING:
        return best
    return -_three_after_pass(theirs, mine, first, second, third, -alpha - 1, block)


@kernel(i64(u64, u64, u64, u64, i64, words), inline=True)
def _best_of_four(
    mine: np.uint64,
    theirs: np.uint64,
    empty: np.uint64,
    odd: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """The best score on four empty squares, odd quadrants first; `NOTHING` without a move."""
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
                block,
            )
            best = max(best, -answer)
            if best > alpha:
                return best
    return best


@kernel(i64(u64, u64, u64, u64, i64, words))
def _four_after_pass(
    mine: np.uint64,
    theirs: np.uint64,
    empty: np.uint64,
    odd: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """Four empty squares; the other side cannot place a disc."""
    block[NODES] += ONE
    best = _best_of_four(mine, theirs, empty, odd, alpha, block)
    return margin(mine, 4, block) if best == NOTHING else best


@kernel(i64(u64, u64, u64, i64, words))
def last_four(mine: np.uint64, theirs: np.uint64, odd: np.uint64, alpha: int, block: Words) -> int:
    """Four empty squares, those in odd quadrants first."""
    block[NODES] += ONE
    empty = block[CELLS] & ~(mine | theirs)
    best = _best_of_four(mine, theirs, empty, odd, alpha, block)
    if best != NOTHING:
        return best
    return -_four_after_pass(theirs, mine, empty, odd, -alpha - 1, block)
