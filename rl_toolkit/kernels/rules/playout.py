"""Random playouts on boards of one word per side.

A playout is ``(state, geometry, chance, scratch, plies)`` → status for the side to move at the
start. ``chance`` points to the state of the generator in `rules.lcg`, which is advanced. If the
game is still running after ``plies`` plies, its position is left in ``state`` and the status is
RUNNING; otherwise ``state`` is undefined afterwards.

The forced playouts take every win and block every threat. (One without the other is worse than
neither: an attack that is never answered makes every position look won.)
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ZERO, nth_bit, popcount
from rl_toolkit.kernels.jit import i64, kernel, words
from rl_toolkit.kernels.rules import reversi, small_lines
from rl_toolkit.kernels.rules.lcg import below, next_chance
from rl_toolkit.kernels.rules.threats import small_gaps
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

Words = small_lines.Words

_has_line, _landings = small_lines.has_line, small_lines.landings
_flips_of, _moves_of = reversi.flips_of, reversi.moves_of
_BOTH = np.int64(WON + LOST)  # minus one of the two is the other


@kernel(i64(words, words, words, words, i64))
def small_playout(
    state: Words, shape: Words, chance: Words, scratch: Words, plies: np.int64
) -> np.int64:
    """Random moves in k in a row, with or without gravity."""
    random = chance[0]
    mine, occupied = state[0], state[0] | state[1]
    result = np.int64(WON)  # if the side to move wins now
    while plies > 0:
        free = _landings(occupied, shape)
        random = next_chance(random)
        stone = nth_bit(free, below(random, popcount(free)))
        mine |= stone
        occupied |= stone
        if _has_line(mine, shape) != ZERO:
            chance[0] = random
            return result
        if occupied == shape[small_lines.CELLS]:
            chance[0] = random
            return np.int64(DRAWN)
        mine ^= occupied
        result = _BOTH - result
        plies -= 1
    chance[0] = random
    state[0] = mine
    state[1] = mine ^ occupied
    return np.int64(RUNNING)


@kernel(i64(words, words, words, words, i64))
def small_forced_playout(
    state: Words, shape: Words, chance: Words, scratch: Words, plies: np.int64
) -> np.int64:
    """`small_playout` in which wins are taken and threats blocked."""
    random = chance[0]
    mine, occupied = state[0], state[0] | state[1]
    wins = small_gaps(mine, occupied, shape)
    result = np.int64(WON)
    while plies > 0:
        cells = _landings(occupied, shape)
        if wins & cells != ZERO:
            chance[0] = random
            return result
        # The other side's wins: to be blocked now, and to be taken a ply later.
        wins = small_gaps(mine ^ occupied, occupied, shape)
        blocks = wins & cells
        if blocks != ZERO:
            cells = blocks
        random = next_chance(random)
        stone = nth_bit(cells, below(random, popcount(cells)))
        mine |= stone
        occupied |= stone
        if occupied == shape[small_lines.CELLS]:
            chance[0] = random
            return np.int64(DRAWN)
        wins &= ~stone
        mine ^= occupied
        result = _BOTH - result
        plies -= 1
    chance[0] = random
    state[0] = mine
    state[1] = mine ^ occupied
    return np.int64(RUNNING)


@kernel(i64(words, words, words, words, i64))
def reversi_playout(
    state: Words, shape: Words, chance: Words, scratch: Words, plies: np.int64
) -> np.int64:
    """Random moves in Reversi; a pass is a ply."""
    random = chance[0]
    mine, theirs = state[0], state[1]
    began = True  # whether ``mine`` belongs to the side that moved first
    while plies > 0:
        squares = _moves_of(mine, theirs) & shape[reversi.CELLS]
        square = turned = ZERO
        if squares != ZERO:
            random = next_chance(random)
            square = nth_bit(squares, below(random, popcount(squares)))
            turned = _flips_of(square, mine, theirs)
        elif _moves_of(theirs, mine) & shape[reversi.CELLS] == ZERO:
            break
        moved = mine | turned | square
        mine = theirs & ~turned
        theirs = moved
        began = not began
        plies -= 1
    chance[0] = random
    state[0] = mine
    state[1] = theirs
    return reversi.standing(mine, theirs, shape) if began else reversi.standing(theirs, mine, shape)
