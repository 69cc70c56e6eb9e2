"""Board constants for endgame kernels, and the score of a finished game.

All kernels of an endgame search share one block of words: numbers about the board, the counters of
the search, and the addresses of its memory. Squares are single bits of the 8 × 8 grid of
`kernels.rules.reversi`.

**Scores.** A score is the final difference in discs for the side to move; empty squares count for
the winner. So a wipe-out scores the whole board, and scores are even.

**Parity.** The side that fills the last square of a region usually gains by it. The board has four
quadrants, and a search keeps ``odd``: all squares of the quadrants with an odd number of empty
squares. A move into an odd quadrant is likely better::

    1 1 1 1 2 2 2 2
    1 1 1 1 2 2 2 2      three empty squares in quadrant 1, two in quadrant 4:
    1 1 1 1 2 2 2 2      odd holds the sixteen squares of quadrant 1
    1 1 1 1 2 2 2 2
    3 3 3 3 4 4 4 4      a smaller board has the same quadrants, as it is in the centre
    …
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_index, popcount, words_at
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.rules.reversi import cell_bits
from rl_toolkit.kernels.spec import ReversiSpec
from rl_toolkit.kernels.threads.atomic import load
from rl_toolkit.kernels.threads.busy_list import claim, is_over

Words = npt.NDArray[np.uint64]

# The indices of a block: bit sets of the board …
CELLS = 0
AREA = 1  # the number of cells
CORNERS = 2
TRAPS = 3  # the squares diagonally next to a corner
SIDES = 4  # the leftmost and the rightmost column
ENDS = 5  # the top and the bottom row
# … counters and signals of a search …
NODES = 6
NODE_LIMIT = 7
FLAG_AT = 8
# … its memory …
TABLE_AT = 9
TABLE_MASK = 10
GENERATION = 11
SCRATCH_AT = 12
LOOK_AHEAD_FROM = 13  # empty squares from which moves are ordered by a shallow search
WEIGHTS_AT = 14  # the learned evaluation, see `kernels.reversi.patterns`; 0 if there is none
CUTS_AT = 15  # the margins of forward pruning, see `kernels.reversi.probcut`; 0 for none
# … and one word per quadrant, per square, per number of empty squares.
QUADRANTS = 16
NEIGHBOURS = 20
WORTH = 84
STABLE_FROM = 148
LINES_AT = 213  # what the last empty square is worth, see `kernels.reversi.last_square`
LATE_AT = 214  # a second table, for the last plies
LATE_MASK = 215
# For several threads: the address of their `kernels.threads.busy_list`, 0 for one thread. They
# divide the moves of an endgame with more empty squares than this, or of searches at least so deep.
BUSY_AT = 216
SPLIT = 217
ROWS_AT = 218  # what each row adds to the pattern numbers, see `kernels.reversi.pattern_lanes`
SWAPPED = 224  # the pattern numbers of the position whose moves are being evaluated
BLOCK_WORDS = 240

STOPPED = 1000
"""Returned by a search that was stopped before it had a result."""
NOTHING = -999
"""Below every score: no move has been tried."""

_FIVE, _TWO = np.uint64(5), np.uint64(2)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd
_OTHER_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)  # an odd number without pattern


def board_words(size: int) -> dict[int, int]:
    """The numbers of a board of ``size`` × ``size`` cells, by their index in a block."""
    spec = ReversiSpec(size)
    bits = cell_bits(spec)
    cells = sum(1 << bit for bit in bits)
    first, last = bits[0] % 8, bits[-1] % 8
    known = {
        CELLS: cells,
        AREA: size * size,
        CORNERS: _squares(bits, lambda row, col: {row, col} <= {first, last}),
        TRAPS: _squares(bits, lambda row, col: {row, col} <= {first + 1, last - 1}),
        SIDES: _squares(bits, lambda _, col: col in (first, last)),
        ENDS: _squares(bits, lambda row, _: row in (first, last)),
    }
    for row in range(8):
        for col in range(8):
            quadrant = QUADRANTS + (row // 4) * 2 + col // 4
            known[quadrant] = known.get(quadrant, 0) | 1 << (8 * row + col)
    for bit in bits:
        row, col = divmod(bit, 8)
        near = [b for b in bits if max(abs(b // 8 - row), abs(b % 8 - col)) == 1]
        known[NEIGHBOURS + bit] = sum(1 << b for b in near)
        known[WORTH + bit] = _worth(row - first, col - first, size)
    for empties in range(65):
        known[STABLE_FROM + empties] = empties * size * size // 32
    return known


def _squares(bits: Iterable[int], wanted: Callable[[int, int], bool]) -> int:
    """The squares of ``bits`` whose row and column are wanted."""
    return sum(1 << bit for bit in bits if wanted(bit // 8, bit % 8))


def _worth(row: int, col: int, size: int) -> int:
    """The static rank of a square: corners highest, squares next to a corner lowest."""
    to_edge = sorted(min(i, size - 1 - i) for i in (row, col))
    match to_edge:
        case [0, 0]:
            return 18
        case [0, 1]:
            return 4
        case [1, 1]:
            return 2
        case [0, 2]:
            return 16
        case [0, _]:
            return 12
        case [1, _]:
            return 7
        case _:
            return 12


@kernel(i64(u64))
def signed(word: np.uint64) -> int:
    """A word as a signed number."""
    return int(np.int64(word))


@kernel(i64(u64))
def count(discs: np.uint64) -> int:
    """The number of set bits, as a signed number."""
    return int(np.int64(popcount(discs)))


@kernel(i64(u64, i64, words))
def margin(mine: np.uint64, empties: int, block: Words) -> int:
    """The score of a finished game with ``empties`` empty squares."""
    ahead = 2 * count(mine) - (signed(block[AREA]) - empties)
    if ahead > 0:
        return ahead + empties
    return ahead - empties if ahead < 0 else 0


@kernel(u64(u64, words))
def quadrant_of(square: np.uint64, block: Words) -> np.uint64:
    """All squares of the quadrant of a square."""
    index = lowest_index(square)
    return np.uint64(block[QUADRANTS + signed(((index >> _FIVE) << ONE) | ((index >> _TWO) & ONE))])


@kernel(u64(u64, words))
def odd_quadrants(empty: np.uint64, block: Words) -> np.uint64:
    """The squares of all quadrants with an odd number of empty squares."""
    odd = ZERO
    for number in range(4):
        quadrant = block[QUADRANTS + number]
        if popcount(empty & quadrant) & ONE != ZERO:
            odd |= quadrant
    return odd


@kernel(i64(words))
def must_stop(block: Words) -> int:
    """Whether the stop flag is set, the node limit reached, or another thread has the result.

    Checked at every node with a table: while a table is new, a node may touch memory that the
    system has yet to allocate, and take a thousand times as long as usual.
    """
    used_up = block[NODES] >= block[NODE_LIMIT]
    if used_up or load(words_at(block[FLAG_AT]), 0) != ZERO:
        return 1
    return is_over(words_at(block[BUSY_AT])) if block[BUSY_AT] != ZERO else 0


@kernel(i64(u64, u64, i64, i64, words))
def claim_position(
    mine: np.uint64, theirs: np.uint64, depth: int, may_wait: int, block: Words
) -> int:
    """`busy_list.claim` for a position that is searched ``depth`` plies deep."""
    key = (mine * _FACTOR) ^ (theirs + np.uint64(depth)) * _OTHER_FACTOR
    return claim(words_at(block[BUSY_AT]), key | ONE, may_wait)
