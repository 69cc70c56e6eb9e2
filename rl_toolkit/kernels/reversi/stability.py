"""Discs that can never be turned over again, as far as that is easy to see.

A disc is safe along one of the four lines through it if that line is full, if it stands where the
line ends at the edge, or if one of its neighbours on the line is safe for good and of its own
colour. A disc safe along all four lines is stable. Starting from the corners and the crossings of
full lines, stability spreads::

    X X X O .        X at the corner ends all its lines. Its neighbour is safe along the edge
    X X O . .        through the corner and across it because it stands at the edge: stable too,
    X . . . .        and so on.

What is found is always stable, but not everything stable is found. It gives a bound: whoever owns
``n`` stable discs of ``area`` cannot end below ``2 n − area``.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.bits import ONE
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.reversi.board import AREA, CELLS, ENDS, SIDES, Words, count, signed

_COLUMN = 0x0101_0101_0101_0101


def _columns(*numbers: int) -> np.uint64:
    return np.uint64(sum(_COLUMN << number for number in numbers))


# Emptiness spreads along lines in strides of 1, 2 and 4. Sideways it must not wrap around, so a
# stride to the right can end in these columns only, and one to the left in those.
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
    """Discs of ``mine`` that can be seen to be stable."""
    empty = block[CELLS] & ~(mine | theirs)
    sides, ends = block[SIDES], block[ENDS]
    across = ~_rising_with(empty, _ONE) | sides
    along = ~_columns_with(empty, _EIGHT) | ends
    rising = ~_rising_with(empty, _NINE) | sides | ends
    falling = ~_falling_with(empty, _SEVEN) | sides | ends
    stable = mine & across & along & rising & falling
    while True:
        # A shift around the edge does no harm: squares at the edge are safe that way anyhow.
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
    """A score that ``mine`` cannot exceed, because of their stable discs."""
    return signed(block[AREA]) - 2 * count(stable_discs(theirs, mine, block))
