"""Reversi on arrays of words: many games make a move at once, without compiled code.

The discs of a game are two words, X and O; bit 8 · row + column is a cell. A smaller board is in
the corner of the 8 × 8 grid, and no disc is ever outside it. `kernels.rules.reversi` explains the
flips.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.kernels.spec import KernelSpec, ReversiSpec

Words = NDArray[np.uint64]

_ALL, _INNER = (1 << 64) - 1, 0x7E7E_7E7E_7E7E_7E7E  # columns 1 to 6 can be outflanked sideways
_DIRECTIONS = tuple(
    (shift, np.uint64(distance), np.uint64(2 * distance), np.uint64(mask))
    for distance, mask in ((1, _INNER), (8, _ALL), (7, _INNER), (9, _INNER))
    for shift in (np.left_shift, np.right_shift)
)


def fits(spec: KernelSpec | None) -> bool:
    """Whether `flips_of` knows the rules."""
    return isinstance(spec, ReversiSpec) and spec.size <= 8


def bits(spec: KernelSpec) -> Words:
    """The bit of every cell."""
    row, col = np.divmod(np.arange(spec.rows * spec.cols), spec.cols)
    return np.uint64(1) << (8 * row + col).astype(np.uint64)


def flips_of(placed: Words, mine: Words, theirs: Words) -> Words:
    """Their discs that the disc on ``placed`` flips in each game; none where it is 0."""
    turned = np.zeros_like(placed)
    for shift, once, twice, mask in _DIRECTIONS:
        between = theirs & mask
        run = between & shift(placed, once)
        run |= between & shift(run, once)
        between &= shift(between, once)
        run |= between & shift(run, twice)
        run |= between & shift(run, twice)
        turned |= np.where(shift(run, once) & mine, run, np.uint64(0))
    return turned
