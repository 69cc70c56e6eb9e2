"""What a cell is worth to a side, by its codes in the four directions.

The *pattern* of an empty cell is 32 bits: its code in each of the four directions, for both sides.
A cell with a stone has the pattern 0::

     31      28      24      20      16      12       8       4       0
      |  ↘    |  ↗    |  ↑    |  →    |  ↘    |  ↗    |  ↑    |  →    |
      '------------ white ------------'------------ black ------------'

Each half of 16 bits is an index of the tables here: the *class* of the cell, its *tier*, its share
of the counters of a side, its rank as a move, and its share of the evaluation.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku import codes

Numbers = npt.NDArray[np.int64]
PerKind = npt.NDArray[np.float64]

HALVES = 1 << 16

# Classes: what a stone on the cell makes on all four lines together.
NOTHING, LITTLE, PLUS = 0, 1, 2  # PLUS: two lines with a two or more
AN_OPEN_THREE, OPEN_THREE_PLUS, DOUBLE_THREE = 3, 4, 5
A_FOUR, FOUR_PLUS, FOUR_THREE = 6, 7, 8
OPEN_FOUR, A_FIVE = 9, 10  # OPEN_FOUR: or two fours

# Tiers: the classes that a search asks for. Every side has a bit set of cells for each; the cells
# of the other classes, and the stones, are in the set REST.
REST, THREES, FOURS, OPEN_FOURS, FIVES = range(5)
TIERS = 5

#: A counter word has five fields of twelve bits, lowest first: cells of `FIVES`, of `OPEN_FOURS`,
#: of `FOURS`, of the class `FOUR_THREE`, and of `THREES`. What a cell adds has its tier above them;
#: the sum of those bits means nothing.
FIELD = 12
COUNT_FIVES, COUNT_OPEN_FOURS, COUNT_FOURS, COUNT_FOUR_THREES, COUNT_THREES = range(
    0, 5 * FIELD, FIELD
)
FIELD_MASK = (1 << FIELD) - 1
TIER = 5 * FIELD

#: Pairs of a better and a worse code: the best two codes of a cell.
PAIRS = codes.CODES * (codes.CODES + 1) // 2
#: Kinds of cells: all four codes in any order. The features of the evaluation and the move order.
KINDS = codes.CODES * (codes.CODES + 1) * (codes.CODES + 2) * (codes.CODES + 3) // 24


@cache
def sorted_codes() -> npt.NDArray[np.int64]:
    """The four codes of every half, the best first; shape (4, 65536)."""
    halves = np.arange(HALVES)
    nibbles = np.stack([(halves >> (4 * d)) & 15 for d in range(4)])
    found: Numbers = -np.sort(-np.minimum(nibbles, codes.FIVE), axis=0)
    return found


@cache
def pair_index() -> npt.NDArray[np.int64]:
    """The number of the pair of the best two codes, for every half."""
    best, second = sorted_codes()[:2]
    number: Numbers = best * (best + 1) // 2 + second
    return number


@cache
def kind_index() -> npt.NDArray[np.int64]:
    """The number of the kind of every half: its codes in any order."""
    a, b, c, d = sorted_codes()
    number: Numbers = a * (a + 1) * (a + 2) * (a + 3) // 24 + b * (b + 1) * (b + 2) // 6
    number += c * (c + 1) // 2 + d
    return number


@cache
def classes() -> npt.NDArray[np.uint8]:
    """The class of every half."""
    found = sorted_codes()

    def count(*wanted: int) -> Numbers:
        counted: Numbers = np.isin(found, wanted).sum(axis=0)
        return counted

    fours = count(codes.FOUR)
    threes = count(codes.OPEN_THREE_1, codes.OPEN_THREE_2)
    twos = count(codes.OPEN_TWO_1, codes.OPEN_TWO_2, codes.OPEN_TWO_3, codes.THREE)
    cases = [
        (count(codes.FIVE) > 0, A_FIVE),
        ((count(codes.OPEN_FOUR) > 0) | (fours >= 2), OPEN_FOUR),
        ((fours > 0) & (threes > 0), FOUR_THREE),
        ((fours > 0) & (twos > 0), FOUR_PLUS),
        (fours > 0, A_FOUR),
        (threes >= 2, DOUBLE_THREE),
        ((threes > 0) & (twos > 0), OPEN_THREE_PLUS),
        (threes > 0, AN_OPEN_THREE),
        (twos >= 2, PLUS),
        (twos + count(codes.TWO, codes.OPEN_ONE) > 0, LITTLE),
    ]
    picked = np.select([case for case, _ in cases], [kind for _, kind in cases], NOTHING)
    return picked.astype(np.uint8)


@cache
def tiers() -> npt.NDArray[np.uint8]:
    """The tier of every half."""
    kinds = classes()
    edges = (AN_OPEN_THREE, A_FOUR, OPEN_FOUR, A_FIVE)
    found: npt.NDArray[np.uint8] = np.sum([kinds >= edge for edge in edges], axis=0, dtype=np.uint8)
    return found


@cache
def counts() -> Numbers:
    """What a cell adds to the counter word of its side, and its tier, for every half."""
    field_of_tier = np.array(
        [0, 1 << COUNT_THREES, 1 << COUNT_FOURS, 1 << COUNT_OPEN_FOURS, 1 << COUNT_FIVES]
    )
    tier = tiers().astype(np.int64)
    both = (classes() == FOUR_THREE).astype(np.int64) << COUNT_FOUR_THREES
    added: Numbers = field_of_tier[tier] + both + (tier << TIER)
    return added


#: Handwritten ranks: of each code, and what a class adds.
_RANKS = np.array([0, 1, 3, 4, 12, 14, 16, 14, 48, 56, 60, 400, 1000])
_EXTRA = {A_FIVE: 4000, OPEN_FOUR: 1500, FOUR_THREE: 500, FOUR_PLUS: 40}
_EXTRA |= {DOUBLE_THREE: 120, OPEN_THREE_PLUS: 20, PLUS: 8}


@cache
def plain_order() -> npt.NDArray[np.int16]:
    """Handwritten ranks of moves: 65,536 for the mover's own half, then for the other side's."""
    extra = np.zeros(A_FIVE + 1, dtype=np.int64)
    extra[list(_EXTRA)] = list(_EXTRA.values())
    other = _RANKS[sorted_codes()].sum(axis=0) + extra[classes()]
    return np.concatenate([2 * other, other]).astype(np.int16)


def learned_order(own: PerKind, other: PerKind) -> npt.NDArray[np.int16]:
    """Ranks like `plain_order` from learned numbers per kind, below the open fours."""
    order, low, index = plain_order().copy(), classes() < OPEN_FOUR, kind_index()
    for half, ranks in enumerate((own, other)):
        part = order[half * HALVES : (half + 1) * HALVES]
        part[low] = np.rint(ranks[index] - ranks.min()).astype(np.int16)[low]
    return order


def packed_values(own: PerKind, other: PerKind) -> tuple[Numbers, int]:
    """The share of a cell in the evaluation, and what each empty cell adds.

    The share is the value for the mover's own cells in the low 32 bits plus the value for the other
    side's cells, times 2^32: one sum per side serves both. The pattern 0 has the share 0, so that
    stones need no care; what is left of it is the same for all empty cells.
    """
    first, second = np.rint(own).astype(np.int64), np.rint(other).astype(np.int64)
    index = kind_index()
    values: Numbers = (first - first[0])[index] + ((second - second[0])[index] << 32)
    return values, int(first[0] - second[0])


def shares(values: Numbers) -> Numbers:
    """``values`` and `counts` of every half, next to each other."""
    return np.stack([values, counts()], axis=1).ravel()
