"""The transposition table of the Gomoku search: one entry of two numbers per place.

::

    | key ^ facts | facts |      facts: score 16 | bound 2 | depth 8 | move + 1, 10 bits

A new result always replaces the old one. Threads may share a table without locks: the numbers of
two writers do not give back a key (see `kernels.threads.atomic`). Facts are never 0, as every
result has a bound.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.fours import CELL_MASK
from rl_toolkit.kernels.gomoku.layout import TABLE_AT, TABLE_MASK, numbers_at
from rl_toolkit.kernels.jit import i64, kernel, numbers, offset
from rl_toolkit.kernels.threads.atomic import load_number, store_number

Numbers = npt.NDArray[np.int64]

LOWER, UPPER, EXACT = 1, 2, 3

_DEPTH, _BOUND, _SCORE = 10, 18, 20
_DEPTH_ZERO, _SCORE_ZERO = 16, 1 << 15


@kernel(numbers(numbers, i64), inline=True)
def entry_of(block: Numbers, key: int) -> Numbers:
    """The place of a position."""
    place: Numbers = offset(numbers_at(block[TABLE_AT]), 2 * (key & block[TABLE_MASK]))
    return place


@kernel(i64(numbers, i64), inline=True)
def find(entry: Numbers, key: int) -> int:
    """The facts stored for a position; 0 if there are none."""
    facts = load_number(entry, 1)
    return int(facts) if load_number(entry, 0) ^ facts == key else 0


@kernel(i64(numbers, i64, i64, i64, i64, i64), inline=True)
def keep(entry: Numbers, key: int, score: int, bound: int, depth: int, move: int) -> int:
    """Store a result; depths below −15 count as −15."""
    facts = (
        (move + 1)
        | (max(depth, 1 - _DEPTH_ZERO) + _DEPTH_ZERO) << _DEPTH
        | bound << _BOUND
        | (score + _SCORE_ZERO) << _SCORE
    )
    store_number(entry, 0, key ^ facts)
    store_number(entry, 1, facts)
    return 0


@kernel(i64(i64), inline=True)
def move_of(facts: int) -> int:
    """The best move; −1 if there are no facts."""
    return (facts & CELL_MASK) - 1


@kernel(i64(i64), inline=True)
def depth_of(facts: int) -> int:
    """The depth of the search."""
    return ((facts >> _DEPTH) & 255) - _DEPTH_ZERO


@kernel(i64(i64), inline=True)
def bound_of(facts: int) -> int:
    """`LOWER`, `UPPER` or `EXACT`."""
    return (facts >> _BOUND) & 3


@kernel(i64(i64), inline=True)
def score_of(facts: int) -> int:
    """The score, or the bound on it."""
    return ((facts >> _SCORE) & 0xFFFF) - _SCORE_ZERO
