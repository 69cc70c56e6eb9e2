"""The exact search of Connect Four, step by step.

Every search has a null window: *is the score of the side to move above alpha?* A few such searches
determine a score (`solve`), and each is faster than one with a wide window.

Scores: 0 is a draw. Winning with one's last stone scores 1, and one more for each own stone left:
on 6 × 7, winning with the n-th own stone scores 22 − n. The loser's score is the same with a minus
sign.

The cells with which either side would complete four are passed down the tree: only the mover's
change with a move, so half of them need not be recomputed.

Several threads may search one position together: they share the table, and divide the moves of
positions with fewer than ``split`` stones among themselves (`kernels.threads.busy_list`). With one
thread ``split`` is 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
from rl_toolkit.kernels.connect_four.board import LANES, family, landings, size, winning_cells
from rl_toolkit.kernels.connect_four.last_moves import (
    MOST_NODES,
    list_all,
    wins_with_third,
)
from rl_toolkit.kernels.connect_four.move_lanes import PLY_WORDS, REPLIES, next_lane, safe_moves
from rl_toolkit.kernels.connect_four.proofs import NO_PROOF, proven_score
from rl_toolkit.kernels.connect_four.search_words import (
    FLAG_AT,
    FORCED_REPLIES,
    FORESIGHT,
    HIGH,
    LOOK_AT,
    LOW,
    NODE_LIMIT,
    NODES,
    PREFETCH,
    TABLE,
    busy_at,
    enhanced,
    ideas,
    lane_count,
    rules,
    scratch_at,
    split,
)
from rl_toolkit.kernels.connect_four.table import (
    bucket_of,
    find,
    high_of,
    keep,
    low_of,
    product_of,
)
from rl_toolkit.kernels.jit import i64, number_array, offset, pointer, u64, word_array, words
from rl_toolkit.kernels.threads.atomic import load
from rl_toolkit.kernels.threads.busy_list import PUT_OFF, claim, is_over, release

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

STOPPED = 1000
"""Returned by a search that was stopped before it had a result."""

_LOOK_EVERY = np.uint64(4096)  # nodes; a fraction of a millisecond


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


@family.kernel(i64(u64, u64, u64, u64, u64, i64, words))
def search(
    mine: np.uint64,
    taken: np.uint64,
    my_wins: np.uint64,
    their_wins: np.uint64,
    moves: np.uint64,
    alpha: int,
    block: Words,
) -> int:
    """Whether the score of the side to move, which cannot win immediately, is above ``alpha``.

    A result above ``alpha`` is a lower bound on the score, a result at or below it an upper bound;
    `STOPPED` means nothing is known. ``my_wins`` and ``their_wins`` are the empty cells that
    complete four, ``moves`` the safe moves.
    """
    # 1. Play forced moves directly; ``sign`` says whose view alpha is from.
    sign = 1
    while True:
        block[NODES] += ONE
        if block[NODES] >= block[LOOK_AT] and _must_stop(block):
            return STOPPED
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
        moves = safe_moves(taken, their_wins, block)
        alpha, sign = -alpha - 1, -sign

    # 2. List the moves, while the processor fetches the entries that come next; one that leaves no
    # safe reply wins. The table and proofs pay only where the opponent needs more than to prevent
    # that.
    hard = alpha > low
    theirs = mine ^ taken
    scratch = offset(words_at(scratch_at(block)), signed(stones) * PLY_WORDS)
    product = product_of(mine + taken, stones, block)
    bucket = bucket_of(product, stones, block)
    prefetches = hard and ideas(block) & np.uint64(PREFETCH) != ZERO
    if prefetches:
        prefetch(bucket)
        if stones < enhanced(block):
            _prefetch_children(theirs + taken, stones + ONE, moves, block)
    won = list_all(scratch, mine, taken, moves, block)
    foresight = ideas(block) & np.uint64(FORESIGHT) != ZERO
    with_third = (left - 3) >> 1  # the score of a win with the third stone from now
    if foresight:
        if won:
            return sign * ((left - 1) >> 1)
        high = with_third
        if high <= alpha:
            return sign * high

    # 3. Look in the table, and for a proof.
    use_table = hard and ideas(block) & np.uint64(TABLE) != ZERO
    if use_table:
        entry = find(bucket, product)
        if entry != ZERO:
            known_low, known_high = low_of(entry), high_of(entry)
            if known_low > alpha:
                return sign * known_low
            if known_high <= alpha:
                return sign * known_high
            low, high = max(low, known_low), min(high, known_high)
    if hard and rules(block) != ZERO:
        playable = landings(taken, block)
        bound = proven_score(mine, taken, my_wins, their_wins, playable, alpha, rules(block), block)
        if bound != NO_PROOF:
            return sign * bound

    # 4. Is it only in time to win with the third stone from now?
    before = block[NODES]
    if (
        foresight
        and with_third == alpha + 1
        and with_third > 0
        and block[NODE_LIMIT] - before > MOST_NODES
    ):
        if wins_with_third(scratch, mine, taken, moves, block):
            low = best = with_third
        else:
            high = best = alpha
        if use_table:
            keep(bucket, product, low, high, block[NODES] - before)
        return sign * best

    # 5. Early in the game: does the table have a move that is good enough?
    if use_table and stones < enhanced(block):
        bound = _ask_for_children(theirs + taken, stones + ONE, moves, alpha, block)
        if bound > alpha:
            return sign * bound
    elif prefetches:
        _prefetch_children(theirs + taken, stones + ONE, moves, block)

    # 6. Try the moves, best first, until one is above alpha.
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
        after, replies = taken | move, scratch[REPLIES + lane]
        answer = search(
            theirs, after, their_wins & ~move, scratch[lane], replies, -alpha - 1, block
        )
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


@family.kernel(i64(u64, u64, u64, words), inline=True)
def _prefetch_children(key: np.uint64, stones: np.uint64, moves: np.uint64, block: Words) -> int:
    """Prefetch the entries of the next positions; ``key`` is that with no move made."""
    while moves != ZERO:
        move = lowest_bit(moves)
        moves ^= move
        prefetch(bucket_of(product_of(key + move, stones, block), stones, block))
    return 0


@family.kernel(i64(u64, u64, u64, i64, words), inline=True)
def _ask_for_children(
    key: np.uint64, stones: np.uint64, moves: np.uint64, alpha: int, block: Words
) -> int:
    """The table's bound on the best move above ``alpha``; −`STOPPED` if there is none.

    ``key`` is that of the position with no move made, for the opponent. Late in the game lookups
    cost more than they save.
    """
    while moves != ZERO:
        move = lowest_bit(moves)
        moves ^= move
        product = product_of(key + move, stones, block)
        entry = find(bucket_of(product, stones, block), product)
        if entry != ZERO and -high_of(entry) > alpha:
            return -high_of(entry)
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
    moves = safe_moves(taken, their_wins, block)
    return int(search(mine, taken, my_wins, their_wins, moves, alpha, block))


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
