"""The exact search of Connect Four, step by step.

Every search has a null window: *is the score of the side to move above alpha?* A few such searches
determine a score (`solve`), and each is faster than one with a wide window.

Scores: 0 is a draw. Winning with one's last stone scores 1, and one more for each own stone left:
on 6 × 7, winning with the n-th own stone scores 22 − n. The loser's score is the same with a minus
sign.

The cells with which either side would complete four are passed down the tree: only the mover's
change with a move, so half of them need not be recomputed.

Several threads may search one position together: they share the table, and divide the moves of
positions with fewer than ``split`` stones among themselves (`kernels.busy_list`). With one thread
``split`` is 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.atomic import load
from rl_toolkit.kernels.bits import (
    ONE,
    ZERO,
    lowest_bit,
    lowest_index,
    popcount,
    prefetch,
    signed,
    words_at,
)
from rl_toolkit.kernels.busy_list import PUT_OFF, claim, is_over, release
from rl_toolkit.kernels.connect_four.board import (
    LANES,
    family,
    field,
    landings,
    size,
    winning_cells,
)
from rl_toolkit.kernels.connect_four.move_lanes import (
    PLY_WORDS,
    RANKS,
    list_moves,
    list_moves_slowly,
    next_lane,
    safe_moves,
)
from rl_toolkit.kernels.connect_four.proofs import NO_PROOF, proven_score
from rl_toolkit.kernels.connect_four.table import (
    TABLE_WORDS,
    bucket_of,
    find,
    high_of,
    keep,
    low_of,
    product_of,
)
from rl_toolkit.kernels.jit import (
    i64,
    number_array,
    offset,
    pointer,
    u64,
    word_array,
    words,
)

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

# The indices of a search's numbers in a block: fixed ones …
IDEAS, RULES, LANE_COUNT, ENHANCED, SCRATCH_AT, FLAG_AT, NODE_LIMIT = range(
    TABLE_WORDS, TABLE_WORDS + 7
)
# … and those that change: nodes so far, when to check the stop flag next, the bounds found.
NODES, LOOK_AT, LOW, HIGH = range(TABLE_WORDS + 7, TABLE_WORDS + 11)
# For several threads: the stones up to which they divide moves, and the address of their list.
SPLIT, BUSY_AT = range(TABLE_WORDS + 11, TABLE_WORDS + 13)
BLOCK_WORDS = TABLE_WORDS + 16

#: Techniques that can be switched off one by one, to measure their gain.
FORCED_REPLIES, FORESIGHT, TABLE, ORDER, VECTOR, PREFETCH = 1, 2, 4, 8, 16, 32

STOPPED = 1000
"""Returned by a search that was stopped before it had a result."""

_LOOK_EVERY = np.uint64(4096)  # nodes; a fraction of a millisecond

ideas, rules = field(IDEAS), field(RULES)
lane_count, enhanced, scratch_at = field(LANE_COUNT), field(ENHANCED), field(SCRATCH_AT)
split, busy_at = field(SPLIT), field(BUSY_AT)


@family.kernel(i64(words))
def _must_stop(block: Words) -> int:
    """Whether the stop flag is set or the node limit reached; sets when to check again.

    Also whether another thread has found the result.
    """
    nodes, most = block[NODES], block[NODE_LIMIT]
    if nodes >= most or load(words_at(block[FLAG_AT]), 0) != ZERO:
        return 1
    if split(block) != ZERO and is_over(words_at(busy_at(block))):
        return 1
    block[LOOK_AT] = min(nodes + _LOOK_EVERY, most)
    return 0


@family.kernel(i64(u64, u64, u64, u64, i64, words))
def search(
    mine: np.uint64,
    taken: np.uint64,
    my_wins: np.uint64,
    their_wins: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """Whether the score of the side to move, which cannot win immediately, is above ``alpha``.

    A result above ``alpha`` is a lower bound on the score, a result at or below it an upper bound;
    `STOPPED` means nothing is known. ``my_wins`` and ``their_wins`` are the empty cells that
    complete four.
    """
    # 1. Play forced moves directly; ``sign`` says whose view alpha is from.
    sign = 1
    while True:
        block[NODES] += ONE
        if block[NODES] >= block[LOOK_AT] and _must_stop(block):
            return STOPPED
        moves = safe_moves(taken, their_wins, block)
        stones = popcount(taken)
        left: int = signed(size(block) - stones)
        if moves == ZERO:
            return -sign * (left >> 1)
        if left <= 2:
            return 0
        low, high = -((left - 2) >> 1), (left - 1) >> 1
        if low > alpha:
            return sign * low
        if high <= alpha:
            return sign * high
        if moves & (moves - ONE) != ZERO or not ideas(block) & np.uint64(FORCED_REPLIES):
            break
        theirs = mine ^ taken
        taken |= moves
        my_wins, their_wins = their_wins & ~moves, winning_cells(mine | moves, block) & ~taken
        mine = theirs
        alpha, sign = -alpha - 1, -sign

    # 2. Look in the table.
    theirs = mine ^ taken
    use_table = ideas(block) & np.uint64(TABLE) != ZERO
    product = product_of(mine + taken, stones, block)
    bucket = bucket_of(product, stones, block)
    if use_table:
        entry = find(bucket, product)
        if entry != ZERO:
            known_low, known_high = low_of(entry), high_of(entry)
            if known_low > alpha:
                return sign * known_low
            if known_high <= alpha:
                return sign * known_high
            low, high = max(low, known_low), min(high, known_high)

    # 3. Look for a proof.
    if rules(block) != ZERO:
        playable = landings(taken, block)
        bound = proven_score(mine, taken, my_wins, their_wins, playable, alpha, rules(block), block)
        if bound != NO_PROOF:
            return sign * bound

    # 4. List the moves; one that leaves no safe reply wins.
    scratch = offset(words_at(scratch_at(block)), signed(stones) * PLY_WORDS)
    won = _list(scratch, mine, taken, moves, block)
    if ideas(block) & np.uint64(FORESIGHT) != ZERO:
        if won:
            return sign * ((left - 1) >> 1)
        high = min(high, (left - 3) >> 1)
        if high <= alpha:
            return sign * high

    # 5. Early in the game: does the table have a move that is good enough?
    if use_table:
        bound = _ask_for_children(theirs + taken, stones + ONE, moves, alpha, block)
        if bound > alpha:
            return sign * bound

    # 6. Try the moves, best first, until one is above alpha.
    before = block[NODES]
    best, put_off = -STOPPED, ZERO
    divided = stones < split(block)
    while best <= alpha:
        lane = next_lane(scratch, signed(lane_count(block)))
        may_wait = best > -STOPPED and lane >= 0
        if lane < 0:
            if put_off == ZERO:
                break
            lane = signed(lowest_index(put_off))
            put_off &= put_off - ONE
        move = moves & block[LANES + lane]
        claimed = 0
        if divided:
            child = product_of(theirs + taken + move, stones + ONE, block)
            claimed = claim(words_at(busy_at(block)), child, may_wait)
            if claimed == PUT_OFF:
                put_off |= ONE << np.uint64(lane)
                continue
        answer = search(theirs, taken | move, their_wins & ~move, scratch[lane], -alpha - 1, block)
        if divided:
            release(words_at(busy_at(block)), claimed)
        if answer == STOPPED:
            return STOPPED
        best = max(best, -answer)
        if divided and best <= alpha:
            entry = find(bucket, product)  # another thread may have decided this position
            if entry != ZERO:
                if low_of(entry) > alpha:
                    return sign * low_of(entry)
                if high_of(entry) <= alpha:
                    return sign * high_of(entry)

    # 7. Store the result.
    if best > alpha:
        low = max(low, best)
    else:
        high = min(high, best)
    if use_table:
        keep(bucket, product, low, high, block[NODES] - before)
    return sign * best


@family.kernel(i64(words, u64, u64, u64, words), inline=True)
def _list(scratch: Words, mine: np.uint64, taken: np.uint64, moves: np.uint64, block: Words) -> int:
    """Write threats and ranks of all moves to ``scratch``; non-zero if a move wins."""
    won = 0
    for first in range(0, signed(lane_count(block)), 8):
        if ideas(block) & np.uint64(VECTOR):
            won |= list_moves(scratch, first, mine, taken, moves, block)
        else:
            won |= list_moves_slowly(scratch, first, mine, taken, moves, block)
    if not ideas(block) & np.uint64(ORDER):
        for lane in range(RANKS, RANKS + signed(lane_count(block))):
            if scratch[lane] != ZERO:
                scratch[lane] = ((scratch[lane] - ONE) & np.uint64(15)) + ONE
    return int(won)


@family.kernel(i64(u64, u64, u64, i64, words), inline=True)
def _ask_for_children(
    key: np.uint64, stones: np.uint64, moves: np.uint64, alpha: int, block: Words
) -> int:
    """The table's bound on the best move above ``alpha``; −`STOPPED` if there is none.

    ``key`` is that of the position with no move made, for the opponent. Late in the game lookups
    cost more than they save; there the entries are only prefetched.
    """
    if stones <= enhanced(block):
        while moves != ZERO:
            move = lowest_bit(moves)
            moves ^= move
            product = product_of(key + move, stones, block)
            entry = find(bucket_of(product, stones, block), product)
            if entry != ZERO and -high_of(entry) > alpha:
                return -high_of(entry)
    elif ideas(block) & np.uint64(PREFETCH):
        while moves != ZERO:
            move = lowest_bit(moves)
            moves ^= move
            prefetch(bucket_of(product_of(key + move, stones, block), stones, block))
    return -STOPPED


@family.kernel(i64(u64, u64, i64, words))
def is_above(mine: np.uint64, taken: np.uint64, alpha: int, block: Words) -> int:
    """`search` for a position about which nothing is known, including immediate wins."""
    my_wins = winning_cells(mine, block) & ~taken
    left: int = signed(size(block) - popcount(taken))
    if my_wins & landings(taken, block) != ZERO:
        return (left + 1) >> 1
    if left == 0:
        return 0
    their_wins = winning_cells(mine ^ taken, block) & ~taken
    return int(search(mine, taken, my_wins, their_wins, alpha, block))


@family.kernel(i64(u64, u64, i64, i64, i64, words))
def solve(mine: np.uint64, taken: np.uint64, low: int, high: int, guess: int, block: Words) -> int:
    """The score, known to lie from ``low`` to ``high``; `STOPPED` leaves the bounds in the block.

    The first search tests whether the score is above ``guess``; the next ones bisect the rest.
    """
    while low < high:
        block[LOW], block[HIGH] = np.uint64(low), np.uint64(high)
        alpha = min(max(guess, low), high - 1)
        score = is_above(mine, taken, alpha, block)
        if score == STOPPED:
            return STOPPED
        if score > alpha:
            low = max(low, score)
        else:
            high = min(high, score)
        guess = (low + high) >> 1
    block[LOW], block[HIGH] = np.uint64(low), np.uint64(high)
    return low


@family.kernel(i64(u64, u64, i64, i64, i64, word_array))
def solve_one(
    mine: np.uint64, taken: np.uint64, low: int, high: int, guess: int, block: Words
) -> int:
    """`solve` for Python."""
    return int(solve(mine, taken, low, high, guess, pointer(block)))


@family.kernel(i64(u64, u64, i64, word_array))
def ask_one(mine: np.uint64, taken: np.uint64, alpha: int, block: Words) -> int:
    """`is_above` for Python."""
    return int(is_above(mine, taken, alpha, pointer(block)))


@family.kernel(i64(word_array, word_array, number_array, i64, i64, word_array))
def solve_many(
    mine: Words, taken: Words, scores: Numbers, first: int, step: int, block: Words
) -> int:
    """Solve positions ``first``, ``first + step``, … into ``scores``; returns the number solved.

    If stopped, the remaining positions keep their scores.
    """
    solved = 0
    for i in range(first, mine.size, step):
        left = signed(size(pointer(block)) - popcount(taken[i]))
        low, high = -(left >> 1), (left + 1) >> 1
        score = solve(mine[i], taken[i], low, high, 0, pointer(block))
        if score == STOPPED:
            break
        scores[i] = score
        solved += 1
    return solved
