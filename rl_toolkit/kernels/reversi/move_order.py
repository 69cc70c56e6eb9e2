"""Move ordering, on which an exact search depends.

Good moves leave the opponent few moves now and few squares that may become moves, and give stable
discs to oneself. Far from the end a shallow search of each move pays. If only a wipe-out is good
enough, a good move leaves few discs, and a good answer makes one disc stable, which ends the hunt.

A list of moves is an array in scratch memory, three words for each::

    | square | discs flipped | rank |           the higher the rank, the sooner it is tried
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ZERO, lowest_bit, lowest_index, prefetch, words_at
from rl_toolkit.kernels.jit import i64, kernel, offset, u64, words
from rl_toolkit.kernels.reversi.board import (
    AREA,
    CELLS,
    CORNERS,
    LOOK_AHEAD_FROM,
    SCRATCH_AT,
    STOPPED,
    WORTH,
    Words,
    count,
    must_stop,
    signed,
)
from rl_toolkit.kernels.reversi.estimate import freedom, look_ahead, touched
from rl_toolkit.kernels.reversi.stability import stable_discs
from rl_toolkit.kernels.reversi.table import bucket_of, late_bucket_of
from rl_toolkit.kernels.rules.reversi import flips_of

SQUARE, TURNED, RANK = 0, 1, 2
ITEM_WORDS = 3
LATE = 11
"""Up to this many empty squares the small table is used."""
LIST_WORDS = 128
"""Words for the moves of one position; there are never more than 40 moves."""

_WIPE_OUT = 1 << 40
# The rank of a move for each … it leaves, tuned by the number of nodes.
_MOVE_LEFT, _STABLE_DISC, _TOUCH_LEFT = 1 << 15, 1 << 11, 1 << 5
_SIXTEENTH = 1 << 10  # … of a disc by which it looks better
_ODD = 1 << 3
_DISC_LEFT, _SAFE_DISC = 1 << 12, 1 << 30  # when only a wipe-out counts
_PLIES_PER_EMPTIES = 3  # one more ply of search for this many more empty squares
_MOST_PLIES = 4
_UNBOUNDED = 1 << 20

_ONE, _EIGHT = np.uint64(1), np.uint64(8)


@kernel(words(i64, words))
def list_at(empties: int, block: Words) -> Words:
    """The list for the moves of a position with ``empties`` empty squares."""
    return offset(words_at(block[SCRATCH_AT]), empties * LIST_WORDS)  # type: ignore[no-any-return]


@kernel(i64(u64, words))
def _held_corners(mine: np.uint64, block: Words) -> int:
    """Own corners, and own discs beside them."""
    held = mine & block[CORNERS]
    beside = (held << _ONE) | (held >> _ONE) | (held << _EIGHT) | (held >> _EIGHT)
    return count(held | (beside & mine))


@kernel(i64(words, i64, i64), inline=True)
def exchange(moves_list: Words, one: int, other: int) -> int:
    """Swap two moves; returns 0."""
    for word in range(ITEM_WORDS):
        here, there = one * ITEM_WORDS + word, other * ITEM_WORDS + word
        moves_list[here], moves_list[there] = moves_list[there], moves_list[here]
    return 0


@kernel(words(u64, u64, i64, words), inline=True)
def bucket_for(mine: np.uint64, theirs: np.uint64, empties: int, block: Words) -> Words:
    """The bucket of a position, in the table for its number of empty squares."""
    if empties > LATE:
        return bucket_of(mine, theirs, block)
    return late_bucket_of(mine, theirs, block)


@kernel(i64(u64, u64, u64, i64, u64, words, words))
def list_moves(
    mine: np.uint64,
    theirs: np.uint64,
    moves: np.uint64,
    empties: int,
    known_good: np.uint64,
    moves_list: Words,
    block: Words,
) -> int:
    """List all ``moves`` without ranks; returns their number.

    ``known_good`` is the number of the square to list first, or 64. The memory where the table may
    hold the position after a move is fetched meanwhile.
    """
    length = 0
    while moves != ZERO:
        square = lowest_bit(moves)
        moves ^= square
        turned = flips_of(square, mine, theirs)
        prefetch(bucket_for(theirs ^ turned, mine ^ turned ^ square, empties - 1, block))
        item = offset(moves_list, length * ITEM_WORDS)
        item[SQUARE], item[TURNED] = square, turned
        if lowest_index(square) == known_good:
            exchange(moves_list, 0, length)
        length += 1
    return length


@kernel(i64(u64, u64, u64, i64, i64, i64, i64, words, words))
def rank_moves(
    mine: np.uint64,
    theirs: np.uint64,
    odd: np.uint64,
    empties: int,
    alpha: int,
    first: int,
    length: int,
    moves_list: Words,
    block: Words,
) -> int:
    """Give the moves from ``first`` on their ranks; returns 0, or `STOPPED` if stopped.

    ``alpha`` is the score to exceed.
    """
    plies = -1
    start = signed(block[LOOK_AHEAD_FROM])
    if empties >= start:
        plies = min((empties - start) // _PLIES_PER_EMPTIES, _MOST_PLIES)
    area = signed(block[AREA])
    hunts, flees = alpha >= area - 2, alpha < 2 - area
    if hunts or flees:  # evaluations are of no use so far from even
        plies = -1
    empty = block[CELLS] & ~(mine | theirs)
    for i in range(first, length):
        item = offset(moves_list, i * ITEM_WORDS)
        square, turned = item[SQUARE], item[TURNED]
        after, own = theirs ^ turned, mine ^ turned ^ square
        if after == ZERO:
            rank = _WIPE_OUT
        else:
            left = empty ^ square
            rank = signed(block[WORTH + signed(lowest_index(square))])
            if square & odd != ZERO:
                rank += _ODD
            rank -= freedom(after, own, block) * _MOVE_LEFT
            rank -= count(touched(own, left, block)) * _TOUCH_LEFT
            if hunts:
                rank -= count(after) * _DISC_LEFT
            elif flees:
                rank += count(stable_discs(own, after, block)) * _SAFE_DISC
            if plies < 0:
                rank += _held_corners(own, block) * _STABLE_DISC
            else:
                rank += count(stable_discs(own, after, block)) * _STABLE_DISC
                seems = look_ahead(after, own, -_UNBOUNDED, _UNBOUNDED, plies, block)
                if must_stop(block):  # checking is cheap compared with the search
                    return STOPPED
                rank -= seems * _SIXTEENTH
        item[RANK] = np.uint64(rank)
    return 0


@kernel(i64(words, i64, i64))
def bring_best(moves_list: Words, position: int, length: int) -> int:
    """Swap the move with the highest rank from ``position`` on to that position; returns 0."""
    best = position
    for i in range(position + 1, length):
        rank = signed(moves_list[i * ITEM_WORDS + RANK])
        if rank > signed(moves_list[best * ITEM_WORDS + RANK]):
            best = i
    if best != position:
        exchange(moves_list, position, best)
    return 0
