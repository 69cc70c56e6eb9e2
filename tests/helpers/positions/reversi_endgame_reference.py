"""The endgame solver in its most obvious form: what the fast one is held to.

Alpha-beta over all moves in the order of the squares, with the plain rules: no table, no order of
moves, no special cases. Good for a dozen empty squares.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ZERO, lowest_bit
from rl_toolkit.kernels.jit import i64, kernel, u64
from rl_toolkit.kernels.reversi.board import count
from rl_toolkit.kernels.rules.reversi import flips_plain, moves_plain


@kernel(i64(u64, u64, u64, i64, i64))
def plain_score(mine: np.uint64, theirs: np.uint64, cells: np.uint64, alpha: int, beta: int) -> int:
    """The difference in discs at the end for the side to move; empty squares go to the winner.

    Exact between ``alpha`` and ``beta``; at or below ``alpha`` an upper bound, at or above ``beta``
    a lower bound.
    """
    moves = moves_plain(mine, theirs) & cells
    if moves == ZERO:
        if moves_plain(theirs, mine) & cells == ZERO:
            ahead = count(mine) - count(theirs)
            left = count(cells & ~(mine | theirs))
            return ahead + left if ahead > 0 else ahead - left if ahead < 0 else 0
        return -plain_score(theirs, mine, cells, -beta, -alpha)
    while moves != ZERO and alpha < beta:
        square = lowest_bit(moves)
        moves ^= square
        turned = flips_plain(square, mine, theirs)
        after, own = theirs & ~turned, mine | turned | square
        alpha = max(alpha, -plain_score(after, own, cells, -beta, -alpha))
    return alpha
