"""The last empty square: how many discs either side flips there, looked up line by line.

With one empty square the board is known from the discs of one side. Up to four lines run through
the square, and on each the discs of ``mine``, packed into a few bits, are the index of a number
that was counted beforehand: twice the flips of ``mine`` plus 256 times twice those of ``theirs``::

    . X O O ? O X X        line of 8, square 4, discs of X as bits: 1 1 0 · 0 0 1 0
    mine (X) flips three discs, theirs (O) none: 6

The memory holds eight words for each square of the grid, four lines (squares as bits) and the
places of their numbers, and then the numbers, 16 bits each: for every length of a line, every
square on it, all its configurations.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import HAS_FAST_PDEP, ZERO, choose, lowest_index, words_at
from rl_toolkit.kernels.jit import i64, kernel, offset, u64, words
from rl_toolkit.kernels.reversi.board import (
    AREA,
    CELLS,
    LINES_AT,
    Words,
    board_words,
    count,
    signed,
)
from rl_toolkit.kernels.reversi.patterns import extract, number_at
from rl_toolkit.kernels.rules.reversi import flips_of

_THEIRS = 8  # bits by which the number for theirs is shifted
_MINE = (1 << _THEIRS) - 1
_RECORD = 8
_SQUARES = 64
_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
_NUMBERS_AT = 8 * _RECORD * _SQUARES  # bytes


def line_words(size: int) -> npt.NDArray[np.uint64]:
    """The memory for a board of ``size`` × ``size``."""
    cells = board_words(size)[CELLS]
    numbers, starts = list[int](), dict[tuple[int, int], int]()
    for length in range(1, size + 1):
        for place in range(length):
            starts[length, place] = len(numbers)
            numbers += [_number(length, place, mine) for mine in range(1 << length)]
    records = np.zeros((_SQUARES, _RECORD), dtype=np.uint64)
    for square in range(_SQUARES):
        if cells >> square & 1:
            for way, step in enumerate(_STEPS):
                line = _line(square, step, cells)
                records[square, way] = sum(1 << bit for bit in line)
                records[square, 4 + way] = starts[len(line), line.index(square)]
    packed = np.array(numbers + [0] * (-len(numbers) % 4), dtype=np.uint16)
    return np.concatenate([records.ravel(), packed.view(np.uint64)])


def _line(square: int, step: tuple[int, int], cells: int) -> list[int]:
    """The squares of the board on a line through ``square``, ascending."""
    row, col = divmod(square, 8)
    found = []
    for distance in range(-7, 8):
        r, c = row + distance * step[0], col + distance * step[1]
        if 0 <= r < 8 and 0 <= c < 8 and cells >> (8 * r + c) & 1:
            found.append(8 * r + c)
    return found


def _number(length: int, place: int, mine: int) -> int:
    """The number of one configuration of a line."""
    theirs = (1 << length) - 1 & ~mine & ~(1 << place)
    return 2 * _flips(length, place, mine) + (2 * _flips(length, place, theirs) << _THEIRS)


def _flips(length: int, place: int, own: int) -> int:
    """The discs that a disc on ``place`` flips for the side with the discs ``own``."""
    total = 0
    for step in (-1, 1):
        run, at = 0, place + step
        while 0 <= at < length and not own >> at & 1:
            run, at = run + 1, at + step
        total += run if 0 <= at < length else 0
    return total


@kernel(i64(u64, u64, i64, words), inline=True)
def last_by_lookup(mine: np.uint64, square: np.uint64, alpha: int, block: Words) -> int:
    """The score with one empty square, exactly; see `last_by_flips`."""
    lines = offset(words_at(block[LINES_AT]), signed(lowest_index(square)) * _RECORD)
    numbers = signed(block[LINES_AT]) + _NUMBERS_AT
    both = number_at(numbers, signed(lines[4] + extract(mine, lines[0])))
    both += number_at(numbers, signed(lines[5] + extract(mine, lines[1])))
    both += number_at(numbers, signed(lines[6] + extract(mine, lines[2])))
    both += number_at(numbers, signed(lines[7] + extract(mine, lines[3])))
    ahead = 2 * count(mine) - signed(block[AREA])
    unused = choose(np.uint64(ahead < 0), ahead, ahead + 2)
    theirs = choose(np.uint64(both), ahead - (both >> _THEIRS), unused)
    return choose(np.uint64(both & _MINE), ahead + 2 + (both & _MINE), theirs)  # type: ignore[no-any-return]


@kernel(i64(u64, u64, i64, words))
def last_by_flips(mine: np.uint64, square: np.uint64, alpha: int, block: Words) -> int:
    """The score with one empty square, for processors that cannot pack bits quickly.

    A result above ``alpha`` is a lower bound on the score, a result at or below it an upper bound.
    """
    theirs = block[CELLS] & ~(mine | square)
    ahead = 2 * count(mine) - signed(block[AREA])  # if they get the square
    turned = flips_of(square, mine, theirs)
    if turned != ZERO:
        return ahead + 2 + 2 * count(turned)
    # If they cannot place either, the square counts for the side that is ahead.
    at_most = ahead + 2 if ahead >= 0 else ahead
    if at_most <= alpha:
        return at_most
    turned = flips_of(square, theirs, mine)
    return ahead - 2 * count(turned) if turned != ZERO else at_most


last_one = last_by_lookup if HAS_FAST_PDEP else last_by_flips
