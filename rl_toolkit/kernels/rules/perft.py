"""Perft: the number of positions a given number of plies below, counted once per path.

There are two conventions, those of the published tables:

* k in a row: nodes exactly ``depth`` plies deep. A finished game has no children, so it counts at
  its own ply and not below.
* Reversi: a pass is one ply, and a game that ended early counts as one leaf at every depth below.

The last ply is never played: its nodes are the legal moves of the ply before, counted in bulk.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_bit, lowest_index, popcount
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.rules import large_lines, reversi, small_lines
from rl_toolkit.kernels.status import RUNNING

_has_line, _landings = small_lines.has_line, small_lines.landings
_flips_of, _moves_of = reversi.flips_of, reversi.moves_of


@kernel(i64(u64, u64, words, i64))
def _small_below(
    mine: np.uint64, theirs: np.uint64, shape: small_lines.Words, depth: np.int64
) -> np.int64:
    """The number of nodes ``depth`` ≥ 1 plies below an unfinished game."""
    left = _landings(mine | theirs, shape)
    if depth == 1:
        return np.int64(popcount(left))
    total = np.int64(0)
    while left != ZERO:
        stone = lowest_bit(left)
        left ^= stone
        if _has_line(mine | stone, shape) == ZERO:
            total += _small_below(theirs, mine | stone, shape, depth - 1)
    return total


@kernel(i64(words, words, i64))
def small_perft(state: small_lines.Words, shape: small_lines.Words, depth: np.int64) -> np.int64:
    """The number of nodes ``depth`` plies below a position of `kernels.rules.small_lines`."""
    if depth == 0:
        return np.int64(1)
    if small_lines.status(state, shape) != RUNNING:
        return np.int64(0)
    return _small_below(state[0], state[1], shape, depth)


@kernel(i64(words, i64, words, i64))
def _large_below(
    state: large_lines.Words, mover: np.int64, shape: large_lines.Words, depth: np.int64
) -> np.int64:
    """The number of nodes ``depth`` ≥ 1 plies below an unfinished game.

    ``mover`` is the first word of the side to move. Stones are put into ``state`` and taken out
    again.
    """
    if depth == 1:
        return large_lines.free_cells(state, shape)
    side = np.int64(shape[large_lines.SIDE])
    lane_log = np.int64(shape[large_lines.LANE_LOG])
    total = np.int64(0)
    for word in range(side):
        left = shape[large_lines.CELLS + word] & ~(state[word] | state[side + word])
        while left != ZERO:
            stone = lowest_bit(left)
            left ^= stone
            index = (word << np.int64(6)) + np.int64(lowest_index(stone))
            row = index >> lane_log
            state[mover + word] |= stone
            if large_lines.wins_at(state, mover, shape, row, index - (row << lane_log)) == 0:
                total += _large_below(state, side - mover, shape, depth - 1)
            state[mover + word] ^= stone
    return total


@kernel(i64(words, words, i64))
def large_perft(state: large_lines.Words, shape: large_lines.Words, depth: np.int64) -> np.int64:
    """The number of nodes ``depth`` plies below a position of `large_lines`; restores ``state``."""
    if depth == 0:
        return np.int64(1)
    if large_lines.status(state, shape) != RUNNING:
        return np.int64(0)
    return _large_below(state, np.int64(0), shape, depth)


@kernel(i64(u64, u64, u64, i64))
def _reversi_below(
    mine: np.uint64, theirs: np.uint64, cells: np.uint64, depth: np.int64
) -> np.int64:
    """The number of leaves ``depth`` ≥ 1 plies below."""
    left = _moves_of(mine, theirs) & cells
    if depth == 1:
        # Without a move: either a pass or a game that has ended. One leaf in both cases.
        return np.int64(popcount(left) if left != ZERO else ONE)
    if left == ZERO:
        if _moves_of(theirs, mine) & cells == ZERO:
            return np.int64(1)
        return _reversi_below(theirs, mine, cells, depth - 1)
    total = np.int64(0)
    while left != ZERO:
        square = lowest_bit(left)
        left ^= square
        turned = _flips_of(square, mine, theirs)
        total += _reversi_below(theirs & ~turned, mine | turned | square, cells, depth - 1)
    return total


@kernel(i64(words, words, i64))
def reversi_perft(state: reversi.Words, shape: reversi.Words, depth: np.int64) -> np.int64:
    """The number of leaves ``depth`` plies below a position of `kernels.rules.reversi`."""
    if depth == 0:
        return np.int64(1)
    return _reversi_below(state[0], state[1], shape[reversi.CELLS], depth)
