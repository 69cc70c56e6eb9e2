"""All pattern numbers of a position at once: the learned evaluation as a vector instruction.

`kernels.reversi.patterns` reads the 48 patterns one by one. Here each has a lane of 16 bits. A disc
of mine adds a power of three to the lanes of the patterns that contain its square, one of theirs
twice that power. What the eight squares of a row add together is looked up, a *line* of 64 lanes::

    row 3, discs b3 and c3:  | edge 0 | corner 3^7 + 3^8 | block 0 | row 2: 0 | row 3: 3 + 9 | …

So a position is the sum of eight lines for my discs plus twice the sum of eight for theirs, and a
move changes it by the lines of the discs that it flips::

    after a move the sides change:   theirs - flipped  +  2 * (mine + flipped + square)
                                  =  (theirs + 2 * mine)  +  flipped  +  2 * square
                                      `swapped`, once for all moves

Numbers are below 3^10, which fits in 16 bits; LLVM makes the best of the vectors of each processor.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import popcount
from rl_toolkit.kernels.jit import i64, instruction, ir, kernel, u64, words
from rl_toolkit.kernels.reversi.board import Words, signed
from rl_toolkit.kernels.reversi.patterns import (
    MIRRORED,
    MY_MOVES,
    PATTERNS,
    STARTS,
    THEIR_MOVES,
    number_at,
)
from rl_toolkit.kernels.rules.reversi import moves_of

Lines = npt.NDArray[np.uint16]

LANE_WORDS = 12
"""The words of memory that the lanes of a position take."""

_ROWS, _LINES, _LANES = 8, 256, 64
_LINE_WORDS = _LANES // 4
_WORD, _LANE = ir.IntType(64), ir.IntType(16)
_PARTS = (ir.VectorType(_LANE, 32), ir.VectorType(_LANE, 16))  # the other lanes are not used
_IN_WORDS = (ir.VectorType(_WORD, 8), ir.VectorType(_WORD, 4))
_PART_AT = (0, 8)  # words


def _sides() -> Iterator[tuple[npt.NDArray[np.int64], tuple[str, ...]]]:
    """The numbers of the squares as seen from each side, and the patterns read there."""
    grid = np.arange(64).reshape(8, 8)
    for turn in range(4):
        seen = np.rot90(grid, turn)
        yield seen.ravel(), tuple(PATTERNS)
        yield seen[::-1].ravel(), MIRRORED


_READ = [(seen, name) for seen, names in _sides() for name in names]
_FIRST = [STARTS[name] for _, name in _READ]


@cache
def row_lines() -> Lines:
    """The lines of all rows, for the kernels below; aligned to a cache line."""
    powers = np.zeros((64, _LANES), dtype=np.uint16)
    for lane, (seen, name) in enumerate(_READ):
        squares = [place for place in range(64) if PATTERNS[name] >> place & 1]
        powers[seen[squares], lane] = 3 ** np.arange(len(squares))
    held = (np.arange(_LINES)[:, None] >> np.arange(8) & 1).astype(np.uint16)
    memory = np.zeros(_ROWS * _LINES * _LANES + _LANES, dtype=np.uint16)
    lines = memory[-memory.ctypes.data % 128 // 2 :][: _ROWS * _LINES * _LANES]
    lines.reshape(_ROWS, _LINES, _LANES)[:] = held @ powers.reshape(_ROWS, 8, _LANES)
    return lines


def _load(build: Any, place: Any, align: int) -> list[Any]:
    """Lanes from memory, in their two parts."""
    places = [build.gep(place, [_WORD(at)]) for at in _PART_AT]
    return [
        build.load(build.bitcast(place, part.as_pointer()), align=align)
        for place, part in zip(places, _PARTS, strict=True)
    ]


def _added(build: Any, one: list[Any], other: list[Any]) -> list[Any]:
    return [build.add(a, b) for a, b in zip(one, other, strict=True)]


def _line(build: Any, discs: Any, row: int, lines: Any) -> list[Any]:
    """What the discs of one row add."""
    held = build.and_(build.lshr(discs, _WORD(8 * row)), _WORD(_LINES - 1))
    number = build.add(held, _WORD(row * _LINES))
    return _load(build, build.gep(lines, [build.mul(number, _WORD(_LINE_WORDS))]), 64)


def _lines_of(build: Any, discs: Any, lines: Any) -> list[Any]:
    """What all these discs add."""
    total = _line(build, discs, 0, lines)
    for row in range(1, _ROWS):
        total = _added(build, total, _line(build, discs, row, lines))
    return total


def _position(build: Any, mine: Any, theirs: Any, lines: Any) -> list[Any]:
    twice = _lines_of(build, theirs, lines)
    return _added(build, _lines_of(build, mine, lines), _added(build, twice, twice))


def _weighed(build: Any, lanes: list[Any], weights: Any) -> Any:
    """The sum of the weights that the lanes number."""
    start = build.inttoptr(weights, _LANE.as_pointer())
    total = None
    for lane, first in enumerate(_FIRST):
        part, place = divmod(lane, 32)
        packed = build.bitcast(lanes[part], _IN_WORDS[part])
        word = build.extract_element(packed, ir.IntType(32)(place // 4))
        number = build.and_(build.lshr(word, _WORD(16 * (place % 4))), _WORD(0xFFFF))
        place_of = build.gep(start, [build.add(number, _WORD(first))])
        weight = build.sext(build.load(place_of), _WORD)
        total = weight if total is None else build.add(total, weight)
    return total


@instruction(i64(u64, u64, words, i64))
def _patterns(build: Any, mine: Any, theirs: Any, lines: Any, weights: Any) -> Any:
    """The sum of the weights of all patterns."""
    return _weighed(build, _position(build, mine, theirs, lines), weights)


@instruction(i64(u64, u64, words, words))
def keep_swapped(build: Any, mine: Any, theirs: Any, lines: Any, place: Any) -> Any:
    """Write the lanes of a position with the sides exchanged to ``place``; returns 0."""
    swapped = _position(build, theirs, mine, lines)
    for lanes, part, at in zip(swapped, _PARTS, _PART_AT, strict=True):
        here = build.gep(place, [_WORD(at)])
        build.store(lanes, build.bitcast(here, part.as_pointer()), align=8)
    return _WORD(0)


@instruction(i64(u64, u64, words, words, i64))
def _patterns_after(
    build: Any, square: Any, turned: Any, swapped: Any, lines: Any, weights: Any
) -> Any:
    """The sum of the weights of all patterns after a move from a position kept `keep_swapped`."""
    both = _added(build, _lines_of(build, turned, lines), _load(build, swapped, 8))
    index = build.cttz(square, ir.Constant(ir.IntType(1), 0))
    row = build.lshr(index, _WORD(3))
    held = build.shl(_WORD(1), build.and_(index, _WORD(7)))
    number = build.add(build.mul(row, _WORD(_LINES)), held)
    line = _load(build, build.gep(lines, [build.mul(number, _WORD(_LINE_WORDS))]), 64)
    return _weighed(build, _added(build, both, _added(build, line, line)), weights)


@kernel(i64(u64, u64, u64, i64), inline=True)
def _mobility(mine: np.uint64, theirs: np.uint64, cells: np.uint64, weights: int) -> int:
    """The weights of the moves of both sides."""
    total = number_at(weights, MY_MOVES + signed(popcount(moves_of(mine, theirs) & cells)))
    total += number_at(weights, THEIR_MOVES + signed(popcount(moves_of(theirs, mine) & cells)))
    return int(total)


@kernel(i64(u64, u64, u64, words, i64))
def evaluate(
    mine: np.uint64, theirs: np.uint64, cells: np.uint64, lines: Words, weights: int
) -> int:
    """`patterns.evaluate_plain`, with the lines of all rows."""
    total = _mobility(mine, theirs, cells, weights)
    return int(total + _patterns(mine, theirs, lines, weights))


@kernel(i64(u64, u64, u64, u64, u64, words, words, i64))
def evaluate_after(
    square: np.uint64,
    turned: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    cells: np.uint64,
    swapped: Words,
    lines: Words,
    weights: int,
) -> int:
    """`evaluate` for the position ``mine`` and ``theirs`` that a move on ``square`` leads to.

    ``turned`` are the discs flipped; `keep_swapped` has written the position before the move to
    ``swapped``.
    """
    total = _mobility(mine, theirs, cells, weights)
    return int(total + _patterns_after(square, turned, swapped, lines, weights))
