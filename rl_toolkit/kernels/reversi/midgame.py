"""The midgame search of Reversi: alpha-beta to a depth, with the evaluation at the horizon.

Scores are estimates in sixteenths of a disc. Principal-variation search: the first move of a
position is searched with the full window, the others with a null window; positions that a shallow
search decides clearly are pruned (`kernels.reversi.probcut`). The table and the move lists are
those of the endgame search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar

import numpy as np

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_bit, lowest_index, prefetch, words_at
from rl_toolkit.kernels.jit import i64, kernel, offset, pointer, u64, word_array, words
from rl_toolkit.kernels.reversi.board import (
    BUSY_AT,
    CELLS,
    CUTS_AT,
    NODES,
    SPLIT,
    Words,
    claim_position,
    count,
    margin,
    must_stop,
    signed,
)
from rl_toolkit.kernels.reversi.estimate import (
    PER_DISC,
    begin_moves,
    estimate,
    estimate_after,
    look_ahead,
)
from rl_toolkit.kernels.reversi.move_order import (
    ITEM_WORDS,
    RANK,
    SQUARE,
    TURNED,
    bring_best,
    exchange,
    list_at,
)
from rl_toolkit.kernels.reversi.patterns import Weights
from rl_toolkit.kernels.reversi.probcut import Reaches, reach_of, shallow_for
from rl_toolkit.kernels.reversi.table import (
    NO_SQUARE,
    Memory,
    bucket_of,
    find,
    high_of,
    keep,
    low_of,
    remembered,
    square_of,
    work_of,
)
from rl_toolkit.kernels.reversi.workspace import Workspace
from rl_toolkit.kernels.rules.reversi import flips_of, moves_of
from rl_toolkit.kernels.threads.busy_list import PUT_OFF, release
from rl_toolkit.kernels.threads.crew import together

T = TypeVar("T")

STOPPED = 1 << 20
"""Returned by a search that was stopped; no estimate is that large."""
LOWEST, HIGHEST = -30_000, 30_000
MOST = HIGHEST / PER_DISC
"""Discs beyond every estimate."""
STEP = 1 / PER_DISC
"""The smallest difference between two estimates, in discs."""

AIDED_FROM = 8
"""The depth from which a search takes longer than starting threads."""
DIVIDED_FROM = 5
"""The depth from which threads divide the moves of a position."""
AHEAD = (0, 0)
"""How many plies deeper than the search that they aid threads number 1, 2 … begin."""
MOST_THREADS = 8
"""More threads than this only disturb each other."""

_PLAIN_UP_TO = 2  # plies up to which lists and the table cost more than they save
# A plain number here would have a type of its own as an argument of a kernel that calls itself: the
# kernel would be compiled once more for it, and crash when it is loaded from disk.
NOT_EVALUATED: Any = np.int64(-(1 << 24))
"""In place of a static evaluation that is not known yet."""


@kernel(i64(u64, u64, u64, u64, words))
def _list(
    mine: np.uint64, theirs: np.uint64, moves: np.uint64, known_good: np.uint64, listed: Words
) -> int:
    """List the moves without ranks, the one on ``known_good`` first; returns their number."""
    length = 0
    while moves != ZERO:
        square = lowest_bit(moves)
        moves ^= square
        item = offset(listed, length * ITEM_WORDS)
        item[SQUARE], item[TURNED] = square, flips_of(square, mine, theirs)
        item[RANK] = np.uint64(-NOT_EVALUATED)
        if lowest_index(square) == known_good:
            exchange(listed, 0, length)
        length += 1
    return length


@kernel(i64(u64, u64, i64, i64, words, words))
def _rank(
    mine: np.uint64, theirs: np.uint64, first: int, length: int, listed: Words, block: Words
) -> int:
    """Rank the moves from ``first`` on by their static evaluation; returns 0."""
    begin_moves(mine, theirs, block)
    for i in range(first, length):
        item = offset(listed, i * ITEM_WORDS)
        square, turned = item[SQUARE], item[TURNED]
        after, own = theirs ^ turned, mine ^ turned ^ square
        item[RANK] = np.uint64(-estimate_after(square, turned, after, own, block))
    return 0


@kernel(i64(u64, u64, i64, i64, i64, words))
def _clear_side(
    mine: np.uint64, theirs: np.uint64, alpha: int, reach: int, seems: int, block: Words
) -> int:
    """1 if the static evaluation is at least ``reach`` above ``alpha``, -1 if below, else 0.

    ``seems`` is that evaluation, or `NOT_EVALUATED`.
    """
    static = estimate(mine, theirs, block) if seems == NOT_EVALUATED else seems
    if static > alpha + reach:
        return 1
    return -1 if static <= alpha - reach else 0


@kernel(i64(u64, u64, i64, i64, i64, i64, words))
def _think_plainly(
    mine: np.uint64, theirs: np.uint64, alpha: int, beta: int, depth: int, seems: int, block: Words
) -> int:
    """`think` for the last plies."""
    reach = reach_of(mine, theirs, depth, block) if beta - alpha == 1 else 0
    if reach > 0 and moves_of(mine, theirs) & block[CELLS] != ZERO:
        side = _clear_side(mine, theirs, alpha, reach, seems, block)
        if side != 0:
            return beta if side > 0 else alpha
    return look_ahead(mine, theirs, alpha, beta, depth, block)


@kernel(i64(u64, u64, i64, i64, i64, i64, words))
def think(
    mine: np.uint64, theirs: np.uint64, alpha: int, beta: int, depth: int, seems: int, block: Words
) -> int:
    """The estimated score of the side to move, by a search of ``depth`` discs.

    Exact for that depth between ``alpha`` and ``beta``; at or below ``alpha`` an upper bound, at or
    above ``beta`` a lower bound; `STOPPED` means nothing is known. With forward pruning all of this
    is only likely. ``seems`` is the static evaluation, or `NOT_EVALUATED`.
    """
    block[NODES] += ONE
    if must_stop(block):  # at every node, because each takes many evaluations
        return STOPPED
    if depth <= _PLAIN_UP_TO:
        return _think_plainly(mine, theirs, alpha, beta, depth, seems, block)

    # 1. Without a move: pass, or count.
    empty = block[CELLS] & ~(mine | theirs)
    moves = moves_of(mine, theirs) & block[CELLS]
    if moves == ZERO:
        if moves_of(theirs, mine) & block[CELLS] == ZERO:
            return PER_DISC * margin(mine, count(empty), block)
        answer = think(theirs, mine, -beta, -alpha, depth, NOT_EVALUATED, block)
        return STOPPED if answer == STOPPED else -answer

    # 2. Look in the table.
    bucket = bucket_of(mine, theirs, block)
    prefetch(bucket)
    known_good = NO_SQUARE
    facts = find(bucket, mine, theirs)
    if facts != ZERO:
        known_good = square_of(facts)
        if work_of(facts) == depth:
            low, high = low_of(facts), high_of(facts)
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high

    # 3. With a null window a shallow search may be enough. It costs more than it saves
    #    unless the position seems to be that clear already.
    reach = reach_of(mine, theirs, depth, block) if beta - alpha == 1 else 0
    side = _clear_side(mine, theirs, alpha, reach, seems, block) if reach > 0 else 0
    if side != 0:
        goal = alpha + side * reach
        answer = think(mine, theirs, goal, goal + 1, shallow_for(depth), seems, block)
        if answer == STOPPED:
            return STOPPED
        facts = find(bucket, mine, theirs)
        if facts != ZERO:  # even without a cutoff it found a move to try first
            known_good = square_of(facts)
        if side > 0 and answer > goal:
            keep(bucket, mine, theirs, beta, HIGHEST, known_good, depth, block)
            return beta
        if side < 0 and answer <= goal:
            keep(bucket, mine, theirs, LOWEST, alpha, known_good, depth, block)
            return alpha

    # 4. Try the moves, the most promising first.
    listed = list_at(count(empty), block)
    length = _list(mine, theirs, moves, known_good, listed)
    unranked = 0 if known_good == NO_SQUARE else 1  # often the first move is enough
    #    Threads divide them as in the endgame.
    best, best_square, bound = LOWEST, NO_SQUARE, alpha
    divided = block[BUSY_AT] != ZERO and depth >= signed(block[SPLIT])
    turn, put_off, first = 0, 0, True
    while turn < length + put_off:
        if turn == unranked:
            _rank(mine, theirs, turn, length, listed, block)
        again = turn >= length
        i = turn - length if again else turn
        turn += 1
        if not again and i >= unranked:
            bring_best(listed, i, length)
        item = offset(listed, i * ITEM_WORDS)
        square, turned, looks = item[SQUARE], item[TURNED], -signed(item[RANK])
        after, own = theirs ^ turned, mine ^ turned ^ square
        claimed = 0
        if divided:
            claimed = claim_position(after, own, depth - 1, not first and not again, block)
            if claimed == PUT_OFF:
                exchange(listed, i, put_off)
                put_off += 1
                continue
        answer = STOPPED
        if not first:
            answer = think(after, own, -bound - 1, -bound, depth - 1, looks, block)
        if first or (answer != STOPPED and bound < -answer < beta):
            answer = think(after, own, -beta, -bound, depth - 1, looks, block)
        if divided:
            release(words_at(block[BUSY_AT]), claimed)
        if answer == STOPPED:
            return STOPPED
        first = False
        if -answer > best:
            best, best_square = -answer, lowest_index(square)
            bound = max(bound, best)
            if best >= beta:
                break
        if divided:
            facts = find(bucket, mine, theirs)  # another thread may have decided this position
            if facts != ZERO and work_of(facts) == depth:
                low, high = low_of(facts), high_of(facts)
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high

    # 5. Store the result.
    low = best if best > alpha else LOWEST
    high = best if best < beta else HIGHEST
    keep(bucket, mine, theirs, low, high, best_square, depth, block)
    return best


@kernel(i64(u64, u64, i64, i64, i64, word_array))
def think_about(
    mine: np.uint64, theirs: np.uint64, alpha: int, beta: int, depth: int, memory: Words
) -> int:
    """`think` for Python."""
    block = pointer(memory)
    if block[BUSY_AT] == ZERO:
        return think(mine, theirs, alpha, beta, depth, NOT_EVALUATED, block)
    claimed = claim_position(mine, theirs, depth, 0, block)
    score = think(mine, theirs, alpha, beta, depth, NOT_EVALUATED, block)
    release(words_at(block[BUSY_AT]), claimed)
    return score


class Thinker(Workspace):
    """The midgame search on one board; its table must not be shared with a solver.

    With ``reaches``, which belong to the ``weights``, it uses forward pruning.
    """

    def __init__(
        self,
        size: int = 8,
        megabytes: float = 256,
        weights: Weights | None = None,
        reaches: Reaches | None = None,
        shared: Memory | None = None,
    ) -> None:
        super().__init__(size, megabytes, weights, shared)
        self._reaches = reaches  # keeps their memory alive
        self.block[CUTS_AT] = 0 if reaches is None else reaches.ctypes.data

    def twin(self) -> Self:
        """A thinker for another thread, with the same table."""
        return type(self)(
            self.size, weights=self._weights, reaches=self._reaches, shared=self._memory
        )

    def make(self) -> None:
        """Compile or load the machine code now, unless that has been done."""
        think_about.make()
        remembered.make()

    def use(self, threads: int) -> None:
        """Let this many threads search from now on, or `MOST_THREADS` if that is less."""
        super().use(min(threads, MOST_THREADS))

    def aided(self, mine: int, theirs: int, depth: int, work: Callable[[], T]) -> T:
        """The result of ``work``, which searches the moves of this position at ``depth``.

        The other threads search the position itself meanwhile, then more deeply: what they find is
        in the table when ``work`` comes to it.
        """
        if not self._helpers or depth < AIDED_FROM:
            return work()
        position, found = (np.uint64(mine), np.uint64(theirs)), list[T]()
        with self._divided(DIVIDED_FROM) as spaces:

            def search(number: int) -> None:
                if number == 0:
                    try:
                        found.append(work())
                    finally:
                        self._busy.end()
                    return
                block = spaces[number].block
                first = depth + AHEAD[number % len(AHEAD)]
                for deeper in range(first, self.area + 1 - (mine | theirs).bit_count()):
                    if think_about(*position, LOWEST, HIGHEST, deeper, block) == STOPPED:
                        return

            together(search, len(spaces), self._busy.end)
        return found[0]

    def think(
        self, mine: int, theirs: int, depth: int, beta: float = MOST, alpha: float = -MOST
    ) -> float | None:
        """The estimated score of the side to move in discs, by a search of ``depth`` discs.

        At or above ``beta`` it is only a lower bound, at or below ``alpha`` an upper one. ``None``
        if stopped before it was known.
        """
        if self.stopped:
            return None
        window = round(alpha * PER_DISC), round(beta * PER_DISC)
        found = think_about(np.uint64(mine), np.uint64(theirs), *window, depth, self.block)
        return None if found == STOPPED else found / PER_DISC
