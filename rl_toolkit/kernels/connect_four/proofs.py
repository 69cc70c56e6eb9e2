"""Static proofs: bounds on a score that follow from the board without search.

They apply to boards with an even number of rows. White is the side that moves first, so White is to
move exactly when the number of empty cells is even. There are three rules; each gives a player a
plan, and proves that the plan cannot fail.

**Following up.** A player who always answers on top of the opponent's stone, in the same column,
gets every second cell. Let Black do so. Empty cells pair up, odd row below even row; where the next
free cell of a column is in an even row that cell is *single*, its partner is taken already::

    6 | B B B        White leads, Black follows: of each pair White gets the odd row, Black the even
    5 | W W W        one. Single cells (s) go to the first to play there. With White to move there
    4 | B B s        is an even number of single cells, so after White takes one, another is left.
    3 | W W o        With Black to move there is an odd number, so Black takes one first.
    2 | s s x        ("W" and "B": the future owner of an empty cell.)
    1 | x o x

So White can never own more than: White's stones, the odd cells, the single cells. If that set
holds no four, White does not win, whatever White plays: **Black has at least a draw.**

More follows from *threats*, cells with which Black would complete four. When one lies in an even
row and is not playable yet, White cannot play below it, because Black would follow up and win. So
nothing above the lowest such threat of a column is ever White's; those cells stay empty to the end.
And since White runs out of other moves, **Black wins**, while at least those cells are empty. With
no such threat Black still wins if Black's stones and the even cells Black is sure of hold a four.

**The odd threat.** White, to move with all cells paired, cannot follow up: White must begin. A
white threat in an odd row, from the third up, turns that around. In its column White takes the odd
cells below the threat and leaves Black the even ones, so there the cells pair up the other way
round, even row below odd row, and the lowest one uses up the move White had too many. In all other
columns White follows up::

    6 | . W W
    5 | . B B        ! is White's threat: with three white stones this cell makes four.
    4 | . W W        Below it White gets the odd cells and Black the even ones, up to the last,
    3 | ! B B        which Black will not play as long as there is anything else.
    2 | B W W        In the other columns White follows: odd cells are Black's, even ones White's.
    1 | W B B

When everything else is full, an odd number of cells is left and it is Black who has to move: below
the threat. So if Black's stones, the odd and single cells of the other columns, and the even cells
below the threat (as well as the cell that is playable there) hold no four, **White wins**, with at
least the cells above the threat still empty. White threats in even rows of other columns help as
above: Black cannot play below them, so no cell above them is Black's.

**Dead lines.** If a player's stones and all empty cells together hold no four, that player cannot
win, on boards of any size.

All three only test whether a set of cells holds a four, which takes a few dozen bit operations. An
unsound rule is worse than none: every rule is tested against a search without rules (``make
soundness``).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_bit, popcount, signed
from rl_toolkit.kernels.connect_four.board import (
    above,
    cells,
    column_of,
    even_rows,
    family,
    has_four,
    landings,
    odd_rows,
    size,
    winning_cells,
)
from rl_toolkit.kernels.jit import i64, pointer, u64, word_array, words

Words = npt.NDArray[np.uint64]

NO_PROOF = -99

# The rules, as bits of a mask.
FOLLOW_UP, ODD_THREAT, DEAD_LINES = 1, 2, 4


@family.kernel(i64(u64, u64, words), inline=True)
def _one_of_two(reach: np.uint64, two: np.uint64, block: Words) -> int:
    """Whether ``reach`` holds no four without either one of the two cells ``two``."""
    one = lowest_bit(two)
    return int(has_four(reach & ~one, block) | has_four(reach & ~(two ^ one), block) == ZERO)


@family.kernel(i64(u64), inline=True)
def _exactly_two(cells_: np.uint64) -> int:
    rest = cells_ & (cells_ - ONE)
    return int(rest != ZERO and rest & (rest - ONE) == ZERO)


@family.kernel(i64(u64, u64, i64, words), inline=True)
def leader_loses_a_single(
    reach: np.uint64, single: np.uint64, leader_to_move: int, block: Words
) -> int:
    """Whether the leader cannot make four of ``reach``, because not all single cells can be had.

    Of exactly two single cells the leader gets one. A follower who is to move begins by taking a
    single cell, the one whose loss hurts the leader most.
    """
    if leader_to_move:
        return int(_exactly_two(single) and _one_of_two(reach, single, block))
    if has_four(reach & ~single, block) != ZERO:
        return 0
    left = single
    while left != ZERO:
        first = lowest_bit(left)
        left ^= first
        rest = single ^ first
        if has_four(reach & ~first, block) == ZERO:
            return 1
        if _exactly_two(rest) and _one_of_two(reach & ~first, rest, block):
            return 1
    return 0


@family.kernel(i64(u64, u64, u64, u64, i64, i64, words), inline=True)
def follow_up(
    white: np.uint64,
    black: np.uint64,
    black_threats: np.uint64,
    playable: np.uint64,
    white_to_move: int,
    wanted: int,
    block: Words,
) -> int:
    """A score of at least ``wanted`` that Black achieves by following up, or `NO_PROOF`.

    ``black_threats`` are cells that are not playable yet.
    """
    even, empty = even_rows(block), cells(block) & ~(white | black)
    threats = black_threats & even
    never_filled = above(threats, block)
    score: int = 1 + signed(popcount(never_filled) >> ONE)
    if score < wanted:
        return NO_PROOF
    if threats == ZERO:
        sure = empty & even & ~playable
        if wanted > 0 and has_four(black | sure, block) == ZERO:
            return NO_PROOF
        score = min(score, max(wanted, 0))
    single = playable & even
    reach = white | (((empty & odd_rows(block)) | single) & ~never_filled)
    if has_four(reach, block) == ZERO or leader_loses_a_single(reach, single, white_to_move, block):
        return score
    return NO_PROOF


@family.kernel(u64(u64, u64, u64, u64, i64, i64, words), inline=True)
def odd_threat(
    white: np.uint64,
    black: np.uint64,
    white_threats: np.uint64,
    playable: np.uint64,
    white_to_move: int,
    wanted: int,
    block: Words,
) -> np.uint64:
    """A white threat in an odd row that gives White at least ``wanted`` (see `odd_threat_score`).

    ``white_threats`` are cells that are not playable yet. 0 if there is no such threat.
    """
    odd, even = odd_rows(block), even_rows(block)
    left = white_threats & odd
    empty = cells(block) & ~(white | black)
    never_filled = above(white_threats & even, block)
    elsewhere = ((empty & odd) | (playable & even)) & ~never_filled
    below_threat = (empty & even) | (playable & odd)
    while left != ZERO:
        threat = lowest_bit(left)
        left ^= threat
        if odd_threat_score(threat, white_threats, block) < wanted:
            continue
        column = column_of(threat, block)
        below = column & (threat - ONE)
        reach = black | (elsewhere & ~column) | (below_threat & below)
        single = (playable & even & ~column) | (playable & odd & below)
        if has_four(reach, block) == ZERO or leader_loses_a_single(
            reach, single, 1 - white_to_move, block
        ):
            return np.uint64(threat)
    return ZERO


@family.kernel(i64(u64, u64, words), inline=True)
def odd_threat_score(threat: np.uint64, white_threats: np.uint64, block: Words) -> int:
    """The minimum score of a win by the odd threat: cells above threats stay empty."""
    column = column_of(threat, block)
    never_filled = above(white_threats & even_rows(block), block) & ~column
    return int(1 + signed(popcount(never_filled | above(threat, block)) >> ONE))


@family.kernel(i64(u64, u64, u64, u64, u64, i64, u64, words), inline=True)
def proven_score(
    mine: np.uint64,
    taken: np.uint64,
    my_wins: np.uint64,
    their_wins: np.uint64,
    playable: np.uint64,
    alpha: int,
    rules: np.uint64,
    block: Words,
) -> int:
    """A bound that decides whether the score of the side to move is above ``alpha``.

    A result above ``alpha`` is a lower bound on the score, one at or below it an upper bound;
    `NO_PROOF` if the rules do not decide. ``my_wins`` and ``their_wins`` are all cells that would
    complete four, ``playable`` those where a stone can land.
    """
    theirs = mine ^ taken
    my_turn_is_white = int((size(block) - popcount(taken)) & ONE == ZERO)
    sign = 1
    white, black, white_wins, black_wins = mine, theirs, my_wins, their_wins
    white_wants, black_wants = alpha + 1, -alpha
    if not my_turn_is_white:
        white, black, white_wins, black_wins = theirs, mine, their_wins, my_wins
        white_wants, black_wants = -alpha, alpha + 1
        sign = -1
    black_threats, white_threats = black_wins & ~playable, white_wins & ~playable
    if rules & np.uint64(FOLLOW_UP) and (
        black_wants <= 1 or black_threats & even_rows(block) != ZERO
    ):
        score = follow_up(
            white, black, black_threats, playable, my_turn_is_white, black_wants, block
        )
        if score != NO_PROOF:
            return -sign * score
    if rules & np.uint64(ODD_THREAT) and white_threats & odd_rows(block) != ZERO:
        threat = odd_threat(
            white, black, white_threats, playable, my_turn_is_white, white_wants, block
        )
        if threat != ZERO:
            return sign * odd_threat_score(threat, white_threats, block)
    # Before two thirds of the board are full, hardly any position has only dead lines.
    late = popcount(taken) * np.uint64(3) > size(block) + size(block)
    if rules & np.uint64(DEAD_LINES) and late:
        empty = cells(block) & ~taken
        if white_wants <= 0 and has_four(black | empty, block) == ZERO:
            return 0
        if black_wants <= 0 and has_four(white | empty, block) == ZERO:
            return 0
    return NO_PROOF


@family.kernel(i64(u64, u64, i64, u64, word_array))
def glance(mine: np.uint64, taken: np.uint64, alpha: int, rules: np.uint64, board: Words) -> int:
    """`proven_score` for Python, for a position about which nothing is known yet."""
    block = pointer(board)
    playable = landings(taken, block)
    my_wins = winning_cells(mine, block) & ~taken
    their_wins = winning_cells(mine ^ taken, block) & ~taken
    return proven_score(mine, taken, my_wins, their_wins, playable, alpha, rules, block)


@family.kernel(u64(u64, u64, i64, word_array))
def winning_odd_threat(
    white: np.uint64, black: np.uint64, white_to_move: int, board: Words
) -> np.uint64:
    """A white threat in an odd row that wins eventually; 0 if none is proven to."""
    block = pointer(board)
    playable = landings(white | black, block)
    threats = winning_cells(white, block) & ~(white | black | playable)
    return np.uint64(odd_threat(white, black, threats, playable, white_to_move, 1, block))


@family.kernel(u64(u64, u64, i64, word_array))
def winning_even_threat(
    white: np.uint64, black: np.uint64, white_to_move: int, board: Words
) -> np.uint64:
    """A black threat in an even row with which following up wins; 0 if none is proven to.

    White chooses the column in which to give way; of several threats the lowest in the first column
    is returned.
    """
    block = pointer(board)
    playable = landings(white | black, block)
    threats = winning_cells(black, block) & ~(white | black | playable) & even_rows(block)
    if threats == ZERO:
        return ZERO
    score = follow_up(white, black, threats, playable, white_to_move, 1, block)
    return np.uint64(lowest_bit(threats) if score != NO_PROOF else ZERO)
