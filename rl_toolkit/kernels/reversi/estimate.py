"""The evaluation of a position, learned or handwritten, and a shallow search with it.

The handwritten one counts what matters in Reversi long before discs do: mobility, squares that may
become moves, and stable discs. An evaluation is in sixteenths of a disc, for the side to move. In
the endgame search it only orders moves: a wrong estimate there costs time, not correctness.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ZERO, lowest_bit, words_at
from rl_toolkit.kernels.jit import i64, kernel, offset, u64, words
from rl_toolkit.kernels.reversi.board import (
    CELLS,
    CORNERS,
    FLAG_AT,
    ROWS_AT,
    SWAPPED,
    TRAPS,
    WEIGHTS_AT,
    Words,
    count,
    margin,
    signed,
)
from rl_toolkit.kernels.reversi.pattern_lanes import evaluate, evaluate_after, keep_swapped
from rl_toolkit.kernels.reversi.patterns import STAGE_BYTES, stage_of
from rl_toolkit.kernels.reversi.stability import stable_discs
from rl_toolkit.kernels.rules.reversi import flips_of, moves_of

PER_DISC = 16
MAY_STOP_FROM = 3
"""Plies from which `look_ahead` checks the stop flag."""
_NEVER = 1 << 20

# Sixteenths of a disc for each, tuned by the number of nodes that searches need.
_MOVE, _TOUCH, _STABLE = 24, 8, 32

_INNER_COLUMNS = np.uint64(0x7E7E_7E7E_7E7E_7E7E)
_ONE, _SEVEN, _EIGHT, _NINE = (np.uint64(n) for n in (1, 7, 8, 9))


@kernel(u64(u64, u64, words))
def touched(theirs: np.uint64, empty: np.uint64, block: Words) -> np.uint64:
    """The empty squares next to a disc of theirs: moves, or squares that may become moves."""
    inner = theirs & _INNER_COLUMNS
    around = (theirs << _EIGHT) | (theirs >> _EIGHT)
    around |= (inner << _ONE) | (inner >> _ONE)
    around |= (inner << _SEVEN) | (inner >> _SEVEN) | (inner << _NINE) | (inner >> _NINE)
    return around & empty


@kernel(i64(u64, u64, words))
def freedom(mine: np.uint64, theirs: np.uint64, block: Words) -> int:
    """The mobility of the side to move; a corner counts twice."""
    moves = moves_of(mine, theirs) & block[CELLS]
    return count(moves) + count(moves & block[CORNERS])


@kernel(i64(u64, u64, words), inline=True)
def _weights_for(mine: np.uint64, theirs: np.uint64, block: Words) -> int:
    """The address of the learned weights for a position."""
    stage = stage_of(mine | theirs | ~block[CELLS])
    return int(signed(block[WEIGHTS_AT]) + stage * STAGE_BYTES)


@kernel(i64(u64, u64, words))
def by_hand(mine: np.uint64, theirs: np.uint64, block: Words) -> int:
    """The handwritten evaluation."""
    empty = block[CELLS] & ~(mine | theirs)
    moves = freedom(mine, theirs, block) - freedom(theirs, mine, block)
    touches = count(touched(theirs, empty, block))
    touches -= count(touched(mine, empty, block))
    stable = count(stable_discs(mine, theirs, block))
    stable -= count(stable_discs(theirs, mine, block))
    return _MOVE * moves + _TOUCH * touches + _STABLE * stable


@kernel(i64(u64, u64, words))
def estimate(mine: np.uint64, theirs: np.uint64, block: Words) -> int:
    """The evaluation of an unfinished game: learned if there are weights, else handwritten."""
    if block[WEIGHTS_AT] != ZERO:
        weights = _weights_for(mine, theirs, block)
        return evaluate(mine, theirs, block[CELLS], words_at(block[ROWS_AT]), weights)
    return by_hand(mine, theirs, block)


@kernel(i64(u64, u64, words), inline=True)
def begin_moves(mine: np.uint64, theirs: np.uint64, block: Words) -> int:
    """Prepare `estimate_after` for the moves of a position; returns 0."""
    if block[WEIGHTS_AT] != ZERO:
        keep_swapped(mine, theirs, words_at(block[ROWS_AT]), offset(block, SWAPPED))
    return 0


@kernel(i64(u64, u64, u64, u64, words))
def estimate_after(
    square: np.uint64, turned: np.uint64, mine: np.uint64, theirs: np.uint64, block: Words
) -> int:
    """`estimate` for the position ``mine`` and ``theirs`` that a move on ``square`` leads to.

    ``turned`` are the discs flipped. The last call of `begin_moves` was for the position before.
    """
    if block[WEIGHTS_AT] == ZERO:
        return by_hand(mine, theirs, block)
    weights, rows = _weights_for(mine, theirs, block), words_at(block[ROWS_AT])
    kept = offset(block, SWAPPED)
    return evaluate_after(square, turned, mine, theirs, block[CELLS], kept, rows, weights)


@kernel(i64(u64, u64, i64, i64, i64, words))
def look_ahead(
    mine: np.uint64, theirs: np.uint64, alpha: int, beta: int, depth: int, block: Words
) -> int:
    """The evaluation by a plain alpha-beta search of ``depth`` discs.

    At or below ``alpha`` the result is an upper bound, at or above ``beta`` a lower bound. From
    `MAY_STOP_FROM` plies on it means nothing if the stop flag is set afterwards: such a search can
    take longer than a stop may.
    """
    if depth == 0:
        return estimate(mine, theirs, block)
    if depth >= MAY_STOP_FROM and words_at(block[FLAG_AT])[0] != ZERO:
        return 0
    moves = moves_of(mine, theirs) & block[CELLS]
    if moves == ZERO:
        if moves_of(theirs, mine) & block[CELLS] == ZERO:
            empties = count(block[CELLS] & ~(mine | theirs))
            return PER_DISC * margin(mine, empties, block)
        return -look_ahead(theirs, mine, -beta, -alpha, depth, block)
    if depth == 1:
        begin_moves(mine, theirs, block)
    best = -_NEVER
    corners, traps = moves & block[CORNERS], moves & block[TRAPS]
    for group in (corners, moves & ~(corners | traps), traps):
        left = group
        while left != ZERO:
            square = lowest_bit(left)
            left ^= square
            turned = flips_of(square, mine, theirs)
            after, own = theirs ^ turned, mine ^ turned ^ square
            if depth == 1:
                answer = estimate_after(square, turned, after, own, block)
            else:
                answer = look_ahead(after, own, -beta, -max(alpha, best), depth - 1, block)
            best = max(best, -answer)
            if best >= beta:
                return best
    return best
