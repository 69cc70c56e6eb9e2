"""The moves just before a window ends, where a win must come soon or is too late to count.

Above some score a player has to win with the third stone from now. Of that player's moves, the
opponent's replies and the moves after them only one thing matters: whether they win in time. So
they need no bounds and no table, and take a fraction of the time of `kernels.connect_four.search`::

    attack    the side to move places a stone                        `wins_with_third`
    defence   the opponent answers                                   `_prevents_win`
    attack    a second stone, which leaves no safe reply, or fails   `_wins_in_time`
    defence   any move: the third stone wins

What prevents the win after one move often does so after the next, and is tried first there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, signed
from rl_toolkit.kernels.connect_four.board import LANES, family, winning_cells
from rl_toolkit.kernels.connect_four.move_lanes import (
    PLY_WORDS,
    RANKS,
    REPLIES,
    list_moves,
    list_moves_slowly,
    next_lane,
    safe_moves,
    some_move_wins,
    without_threats,
)
from rl_toolkit.kernels.connect_four.search_words import (
    NODES,
    ORDER,
    VECTOR,
    ideas,
    lane_count,
)
from rl_toolkit.kernels.jit import i64, offset, u64, words

Words = npt.NDArray[np.uint64]

MOST_NODES = np.uint64(1000)
"""More than `wins_with_third` ever visits: 3 + 2 · columns after each of up to 16 moves."""

_DOUBLE_THREAT = 99


@family.kernel(i64(words, u64, u64, u64, words), inline=True)
def list_all(
    scratch: Words, mine: np.uint64, taken: np.uint64, moves: np.uint64, block: Words
) -> int:
    """Write threats, ranks and replies of all moves to ``scratch``; non-zero if a move wins."""
    won = 0
    for first in range(0, signed(lane_count(block)), 8):
        if ideas(block) & np.uint64(VECTOR):
            won |= list_moves(scratch, first, mine, taken, moves, block)
        else:
            won |= list_moves_slowly(scratch, first, mine, taken, moves, block)
    if not ideas(block) & np.uint64(ORDER):
        for word in range(RANKS, RANKS + (signed(lane_count(block)) >> 3)):
            scratch[word] = without_threats(scratch[word])
    return int(won)


@family.kernel(i64(words, u64, u64, u64, words), inline=True)
def _wins_in_time(
    spare: Words, mine: np.uint64, taken: np.uint64, moves: np.uint64, block: Words
) -> int:
    """Whether one of the safe ``moves``, if any, leaves the opponent no safe reply.

    ``spare`` is scratch memory.
    """
    if moves == ZERO:
        return 0
    if moves & (moves - ONE) == ZERO:
        block[NODES] += ONE
        threats = winning_cells(mine | moves, block) & ~(taken | moves)
        return int(safe_moves(taken | moves, threats, block) == ZERO)
    won = 0
    for first in range(0, signed(lane_count(block)), 8):
        if ideas(block) & np.uint64(VECTOR):
            won |= some_move_wins(first, mine, taken, moves, block)
        else:
            won |= list_moves_slowly(spare, first, mine, taken, moves, block)
    return int(won)


@family.kernel(i64(words, u64, u64, u64, words))
def _prevents_win(
    scratch: Words, mine: np.uint64, taken: np.uint64, moves: np.uint64, block: Words
) -> int:
    """Which of several ``moves`` prevents that the opponent wins with the second stone.

    Its lane plus 1; 0 if there is none, and `_DOUBLE_THREAT` if a move leaves no safe reply.
    """
    if list_all(scratch, mine, taken, moves, block):
        return _DOUBLE_THREAT
    theirs, spare = mine ^ taken, offset(scratch, PLY_WORDS)
    while True:
        lane = next_lane(scratch, signed(lane_count(block)))
        if lane < 0:
            return 0
        after, replies = taken | (moves & block[LANES + lane]), scratch[REPLIES + lane]
        block[NODES] += ONE
        if not _wins_in_time(spare, theirs, after, replies, block):
            return int(lane + 1)


@family.kernel(i64(words, u64, u64, u64, words))
def wins_with_third(
    scratch: Words, mine: np.uint64, taken: np.uint64, moves: np.uint64, block: Words
) -> int:
    """Whether one of the ``moves`` listed in ``scratch`` wins with the third stone from now.

    None of them wins with the second. At least five cells are empty.
    """
    theirs, next_ply = mine ^ taken, offset(scratch, PLY_WORDS)
    spare = offset(next_ply, PLY_WORDS)
    refuting, their_threats = ZERO, ZERO  # the last reply that prevented a win, what it threatens
    while True:
        lane = next_lane(scratch, signed(lane_count(block)))
        if lane < 0:
            return 0
        move = moves & block[LANES + lane]
        stones, after, replies = mine | move, taken | move, scratch[REPLIES + lane]
        block[NODES] += ONE
        if replies & (replies - ONE) == ZERO:
            reply = replies
            their_wins = winning_cells(theirs | reply, block)
        else:
            reply = refuting & replies
            their_wins = their_threats
        if reply != ZERO:
            block[NODES] += ONE
            second = safe_moves(after | reply, their_wins & ~(after | reply), block)
            if not _wins_in_time(spare, stones, after | reply, second, block):
                continue
            if reply == replies:
                return 1
        found = _prevents_win(next_ply, theirs, after, replies, block)
        if found == 0:
            return 1
        if found != _DOUBLE_THREAT:
            refuting = replies & block[LANES + found - 1]
            their_threats = next_ply[found - 1]
