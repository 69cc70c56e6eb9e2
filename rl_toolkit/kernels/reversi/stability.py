"""Stable discs, which can never be flipped again, as far as they are easy to find.

A disc is safe along one of the four lines through it if that line is full, if the line ends at the
edge there, or if a neighbour on the line is stable and of the same colour. A disc that is safe
along all four lines is stable. Stability spreads from the corners and the crossings of full lines::

    X X X O .        X at the corner ends all its lines. Its neighbour is safe along the edge
    X X O . .        because of the corner, and across it because it is at the edge: it is stable
    X . . . .        too, and so on.

The discs found are always stable, but not all stable discs are found. They give a bound: a side
with ``n`` stable discs on ``area`` squares cannot score below ``2 n − area``.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ONE
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.reversi.board import AREA, CELLS, ENDS, SIDES, Words, count, signed

_COLUMN = 0x0101_0101_0101_0101


def _columns(*numbers: int) -> np.uint64:
    return np.uint64(sum(_COLUMN << number for number in numbers))


# Empty squares spread along lines in strides of 1, 2 and 4. Sideways they must not wrap around, so
# a stride to the right can end only in these columns, and one to the left only in those.
_RIGHT = (_columns(*range(1, 8)), _columns(*range(2, 8)), _columns(*range(4, 8)))
_LEFT = (_columns(*range(7)), _columns(*range(6)), _columns(*range(4)))
_ONE, _SEVEN, _EIGHT, _NINE = (np.uint64(n) for n in (1, 7, 8, 9))


@kernel(u64(u64, u64))
def _columns_with(empty: np.uint64, distance: np.uint64) -> np.uint64:
    """All squares whose column holds an empty square."""
    up = down = empty
    up |= up << distance
    up |= up << (distance << ONE)
    up |= up << (distance << np.uint64(2))
    down |= down >> distance
    down |= down >> (distance << ONE)
    down |= down >> (distance << np.uint64(2))
    return up | down


@kernel(u64(u64, u64))
def _rising_with(empty: np.uint64, distance: np.uint64) -> np.uint64:
    """All squares whose line holds an empty square; a step up goes one column to the right."""
    up = down = empty
    up |= (up << distance) & _RIGHT[0]
    up |= (up << (distance << ONE)) & _RIGHT[1]
    up |= (up << (distance << np.uint64(2))) & _RIGHT[2]
    down |= (down >> distance) & _LEFT[0]
    down |= (down >> (distance << ONE)) & _LEFT[1]
    down |= (down >> (distance << np.uint64(2))) & _LEFT[2]
    return up | down


@kernel(u64(u64, u64))
def _falling_with(empty: np.uint64, distance: np.uint64) -> np.uint64:
    """All squares whose line holds an empty square; a step up goes one column to the left."""
    up = down = empty
    up |= (up << distance) & _LEFT[0]
    up |= (up << (distance << ONE)) & _LEFT[1]
    up |= (up << (distance << np.uint64(2))) & _LEFT[2]
    down |= (down >> distance) & _RIGHT[0]
    down |= (down >> (distance << ONE)) & _RIGHT[1]
    down |= (down >> (distance << np.uint64(2))) & _RIGHT[2]
    return up | down


@kernel(u64(u64, u64, words))
def stable_discs(mine: np.uint64, theirs: np.uint64, block: Words) -> np.uint64:
    """The discs of ``mine`` that are found to be stable."""
    empty = block[CELLS] & ~(mine | theirs)
    sides, ends = block[SIDES], block[ENDS]
    across = ~_rising_with(empty, _ONE) | sides
    along = ~_columns_with(empty, _EIGHT) | ends
    rising = ~_rising_with(empty, _NINE) | sides | ends
    falling = ~_falling_with(empty, _SEVEN) | sides | ends
    stable = mine & across & along & rising & falling
    while True:
        # A shift around the edge does no harm: squares at the edge are safe that way anyway.
        spread = (
            mine
            & (across | (stable << _ONE) | (stable >> _ONE))
            & (along | (stable << _EIGHT) | (stable >> _EIGHT))
            & (rising | (stable << _NINE) | (stable >> _NINE))
            & (falling | (stable << _SEVEN) | (stable >> _SEVEN))
        )
        if spread == stable:
            return np.uint64(stable)
        stable = spread


@kernel(i64(u64, u64, words))
def most_possible(mine: np.uint64, theirs: np.uint64, block: Words) -> int:
    """An upper bound on the score of ``mine``, because of their stable discs."""
    return signed(block[AREA]) - 2 * count(stable_discs(theirs, mine, block))
