"""The endgame search of Reversi, step by step.

Every search has a null window: *is the score of the side to move above alpha?* A few such searches
determine a score, and each is faster than one with a wide window. Scores are differences in discs,
with empty squares counted for the winner; see `kernels.reversi.board`.

The nearer the end, the cheaper a position and the less work per node pays::

    empty squares   7 and more    5 – 6               1 – 4
                    `search`      `few`               `kernels.reversi.endgame_last`
                    table, list   parity and corners  one function per number
                    of moves      first

A table in main memory answers slowly, so the last plies have a second one, small enough for the
cache of a core: their positions are many, cheap, and met again soon or never.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_bit, lowest_index, prefetch, words_at
from rl_toolkit.kernels.jit import i64, kernel, offset, pointer, u64, word_array, words
from rl_toolkit.kernels.reversi.board import (
    AREA,
    BUSY_AT,
    CELLS,
    CORNERS,
    NODES,
    NOTHING,
    SPLIT,
    STABLE_FROM,
    STOPPED,
    TRAPS,
    Words,
    claim_position,
    count,
    margin,
    must_stop,
    odd_quadrants,
    quadrant_of,
    signed,
)
from rl_toolkit.kernels.reversi.endgame_last import last_four, last_three, last_two
from rl_toolkit.kernels.reversi.estimate import look_ahead
from rl_toolkit.kernels.reversi.last_square import last_one
from rl_toolkit.kernels.reversi.move_order import (
    ITEM_WORDS,
    SQUARE,
    TURNED,
    bring_best,
    bucket_for,
    exchange,
    list_at,
    list_moves,
    rank_moves,
)
from rl_toolkit.kernels.reversi.stability import most_possible
from rl_toolkit.kernels.reversi.table import (
    NO_SQUARE,
    find,
    high_of,
    keep,
    low_of,
    square_of,
)
from rl_toolkit.kernels.rules.reversi import flips_of, moves_of
from rl_toolkit.kernels.threads.busy_list import PUT_OFF, release

FEW = 6
"""Up to this many empty squares there is no table and no move list."""
_ASK_CHILDREN_FROM = 10  # empty squares from which all moves are looked up in the table first
_UNBOUNDED = 1 << 20


@kernel(i64(u64, u64, u64, i64, i64, words))
def few(
    mine: np.uint64, theirs: np.uint64, odd: np.uint64, empties: int, alpha: int, block: Words
) -> int:
    """`search` for five to `FEW` empty squares; it cannot be stopped."""
    block[NODES] += ONE
    if alpha >= signed(block[STABLE_FROM + empties]):
        bound = most_possible(mine, theirs, block)
        if bound <= alpha:
            return bound
    moves = moves_of(mine, theirs) & block[CELLS]
    if moves == ZERO:
        if moves_of(theirs, mine) & block[CELLS] == ZERO:
            return margin(mine, empties, block)
        return -few(theirs, mine, odd, empties, -alpha - 1, block)
    corners, traps = block[CORNERS], block[TRAPS]
    best = NOTHING
    for wanted in (odd, ~odd):
        for kind in (corners, ~(corners | traps), traps):
            left = moves & wanted & kind
            while left != ZERO:
                square = lowest_bit(left)
                left ^= square
                turned = flips_of(square, mine, theirs)
                after, own = theirs ^ turned, mine ^ turned ^ square
                parity = odd ^ quadrant_of(square, block)
                if empties == 5:
                    answer = last_four(after, own, parity, -alpha - 1, block)
                else:
                    answer = few(after, own, parity, empties - 1, -alpha - 1, block)
                best = max(best, -answer)
                if best > alpha:
                    return best
    return best


@kernel(i64(u64, u64, u64, i64, i64, words))
def search(
    mine: np.uint64, theirs: np.uint64, odd: np.uint64, empties: int, alpha: int, block: Words
) -> int:
    """Whether the score of the side to move is above ``alpha``, with five or more empty squares.

    A result above ``alpha`` is a lower bound on the score, a result at or below it an upper bound;
    `STOPPED` means nothing is known.
    """
    if empties <= FEW:
        return few(mine, theirs, odd, empties, alpha, block)
    block[NODES] += ONE
    if must_stop(block):
        return STOPPED
    bucket = bucket_for(mine, theirs, empties, block)
    prefetch(bucket)

    # 1. Stability cutoff: are there too many stable discs?
    low, high = -signed(block[AREA]), signed(block[AREA])
    if alpha >= signed(block[STABLE_FROM + empties]):
        high = most_possible(mine, theirs, block)
        if high <= alpha:
            return high

    # 2. Without a move: pass, or count.
    moves = moves_of(mine, theirs) & block[CELLS]
    if moves == ZERO:
        if moves_of(theirs, mine) & block[CELLS] == ZERO:
            return margin(mine, empties, block)
        answer = search(theirs, mine, odd, empties, -alpha - 1, block)
        return STOPPED if answer == STOPPED else -answer

    # 3. Look in the table.
    known_good = NO_SQUARE
    facts = find(bucket, mine, theirs)
    if facts != ZERO:
        low, high = max(low, low_of(facts)), min(high, high_of(facts))
        if low > alpha:
            return low
        if high <= alpha:
            return high
        known_good = square_of(facts)

    # 4. List the moves. Does the table have one that is good enough?
    listed = list_at(empties, block)
    length = list_moves(mine, theirs, moves, empties, known_good, listed, block)
    if empties >= _ASK_CHILDREN_FROM:
        for i in range(length):
            item = offset(listed, i * ITEM_WORDS)
            after, own = theirs ^ item[TURNED], mine ^ item[TURNED] ^ item[SQUARE]
            facts = find(bucket_for(after, own, empties - 1, block), after, own)
            if facts != ZERO and -high_of(facts) > alpha:
                return -high_of(facts)

    # 5. Try the moves, best first, until one is above alpha. Threads divide them: those that
    #    another thread is searching are put off, at the front of the list, and come again.
    best, best_square = NOTHING, NO_SQUARE
    divided = block[BUSY_AT] != ZERO and empties > signed(block[SPLIT])
    turn, put_off = 0, 0
    unranked = 0 if known_good == NO_SQUARE else 1  # often the first move is enough
    while turn < length + put_off:
        if turn == unranked and (
            rank_moves(mine, theirs, odd, empties, alpha, turn, length, listed, block) == STOPPED
        ):
            return STOPPED
        again = turn >= length
        i = turn - length if again else turn
        turn += 1
        if not again and i >= unranked:
            bring_best(listed, i, length)
        item = offset(listed, i * ITEM_WORDS)
        square, turned = item[SQUARE], item[TURNED]
        after, own = theirs ^ turned, mine ^ turned ^ square
        claimed = 0
        if divided:
            claimed = claim_position(after, own, 0, best > NOTHING and not again, block)
            if claimed == PUT_OFF:
                exchange(listed, i, put_off)
                put_off += 1
                continue
        parity = odd ^ quadrant_of(square, block)
        answer = search(after, own, parity, empties - 1, -alpha - 1, block)
        if divided:
            release(words_at(block[BUSY_AT]), claimed)
        if answer == STOPPED:
            return STOPPED
        if -answer > best:
            best, best_square = -answer, lowest_index(square)
            if best > alpha:
                break
        if divided:
            facts = find(bucket, mine, theirs)  # another thread may have decided this position
            if facts != ZERO:
                if low_of(facts) > alpha:
                    return low_of(facts)
                if high_of(facts) <= alpha:
                    return high_of(facts)

    # 6. Store the result.
    if best > alpha:
        low = max(low, best)
    else:
        high = min(high, best)
    keep(bucket, mine, theirs, low, high, best_square, empties, block)
    return best


@kernel(i64(u64, u64, i64, words))
def ask(mine: np.uint64, theirs: np.uint64, alpha: int, block: Words) -> int:
    """`search` for any number of empty squares."""
    empty = block[CELLS] & ~(mine | theirs)
    empties = count(empty)
    odd = odd_quadrants(empty, block)
    if empties > 4:
        return search(mine, theirs, odd, empties, alpha, block)
    if empties == 4:
        return last_four(mine, theirs, odd, alpha, block)
    first = lowest_bit(empty)
    second = lowest_bit(empty ^ first)
    if empties == 3:
        third = empty ^ first ^ second
        return last_three(mine, theirs, first, second, third, odd, alpha, block)
    if empties == 2:
        return last_two(mine, theirs, first, second, alpha, block)
    if empties == 1:
        return last_one(mine, first, alpha, block)
    return margin(mine, 0, block)


@kernel(i64(u64, u64, words))
def score_of(mine: np.uint64, theirs: np.uint64, block: Words) -> int:
    """The score; `STOPPED` if stopped before it is known."""
    area = signed(block[AREA])
    low, high, wanted = -area, area, 0
    while low < high:
        bound = ask(mine, theirs, wanted - 1, block)
        if bound == STOPPED:
            return STOPPED
        if bound >= wanted:
            low = bound
            wanted = low + 2
        else:
            high = bound
            wanted = high
    return low


@kernel(i64(u64, u64, i64, word_array))
def is_above(mine: np.uint64, theirs: np.uint64, alpha: int, memory: Words) -> int:
    """`ask` for Python."""
    return ask(mine, theirs, alpha, pointer(memory))


@kernel(i64(u64, u64, i64, word_array))
def seems(mine: np.uint64, theirs: np.uint64, plies: int, memory: Words) -> int:
    """`look_ahead` with a full window, for Python."""
    return look_ahead(mine, theirs, -_UNBOUNDED, _UNBOUNDED, plies, pointer(memory))
