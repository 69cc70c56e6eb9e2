"""The learned evaluation of Reversi: patterns, with a weight for every configuration.

A pattern is a set of squares. Each of them is empty, mine or theirs, so a pattern of ten squares
has 3^10 configurations, and each has a weight, in sixteenths of a disc. The evaluation is the sum
of the weights of the configurations on the board::

    edge            corner        block         rows 2 – 4        diagonals of 8 – 4
    1 2 3 4 5 6 7 8   1 2 3 . .     1 2 3 4 5     . . . . .         1 . . . .
    . 9 . . . . 0 .   4 5 6 . .     6 7 8 9 0     1 2 3 4 5 …       . 2 . . .
    . . . . . . . .   7 8 9 . .     . . . . .     . . . . .         . . 3 . .

The board is read from all four sides, so a pattern at the top also covers the other sides. The
block is not its own mirror image, and is read mirrored too. The mobility of both sides, which the
patterns do not cover, is added.

Weights come in stages, by the number of empty squares: an edge has a different value early and
late. A stage is a sequence of 16-bit numbers::

    | base 3: 1024 | edge: 3^10 | corner: 3^9 | … | my moves: 64 | their moves: 64 |

The first part converts the bits of a pattern, read as a number, to the digits of base 3.

A board of 6 × 6 is in the centre and has its own weights. Its edges are covered by the pattern
"row 2", its corners by those squares of "edge", "corner" and "block" that lie on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import (
    HAS_FAST_PDEP,
    ONE,
    ZERO,
    declared,
    lowest_bit,
    popcount,
)
from rl_toolkit.kernels.jit import i64, instruction, ir, kernel, numbers, u64
from rl_toolkit.kernels.reversi.board import signed
from rl_toolkit.kernels.rules.reversi import moves_of

Numbers = npt.NDArray[np.int64]
Weights = npt.NDArray[np.int16]


def _squares(*names: str) -> int:
    return sum(1 << "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in names)


def _row(number: int) -> int:
    return 0xFF << 8 * (number - 1)


def _diagonal(length: int) -> int:
    """The diagonal of ``length`` squares that falls to the right edge, above the long one."""
    return sum(1 << 9 * i + (8 - length) for i in range(length))


#: The squares of each pattern, as bits.
PATTERNS = {
    "edge": _row(1) | _squares("b2", "g2"),
    "corner": _squares("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"),
    "block": _squares("a1", "b1", "c1", "d1", "e1", "a2", "b2", "c2", "d2", "e2"),
    "row 2": _row(2),
    "row 3": _row(3),
    "row 4": _row(4),
    **{f"diagonal of {length}": _diagonal(length) for length in (8, 7, 6, 5, 4)},
}
MIRRORED = ("block",)

_DIGITS = 1 << 10
_WAYS = {name: 3 ** squares.bit_count() for name, squares in PATTERNS.items()}
#: The first weight of each pattern in a stage.
STARTS = dict(zip(PATTERNS, (_DIGITS + np.cumsum([0, *_WAYS.values()])).tolist(), strict=False))
MY_MOVES = _DIGITS + sum(_WAYS.values())
THEIR_MOVES = MY_MOVES + 64
STAGE_WEIGHTS = THEIR_MOVES + 64
STAGE_BYTES = 2 * STAGE_WEIGHTS
STAGES = 8
FEATURES = 4 * (len(PATTERNS) + len(MIRRORED)) + 2
"""The number of weights in an evaluation."""

DIGITS = np.array(
    [sum(3**j for j in range(10) if number >> j & 1) for number in range(_DIGITS)], dtype=np.int16
)

_WORD = ir.IntType(64)
_FIRST, _WIDTH = 6, 6  # empty squares: 6 – 11 are stage 0 (and so are fewer), 12 – 17 stage 1, …


@kernel(i64(u64))
def stage_of(taken: np.uint64) -> int:
    """The stage of a position, given its occupied and off-board squares; 0 is the end."""
    empties = 64 - signed(popcount(taken))
    return min(max((empties - _FIRST) // _WIDTH, 0), STAGES - 1)


def empties_of_stage(stage: int) -> tuple[int, int]:
    """The fewest and the most empty squares of a stage, on the largest board."""
    first, last = _FIRST + stage * _WIDTH, _FIRST + (stage + 1) * _WIDTH - 1
    return 0 if stage == 0 else first, 64 if stage == STAGES - 1 else last


@kernel(u64(u64, u64))
def extract_portable(word: np.uint64, squares: np.uint64) -> np.uint64:
    """The bits of ``word`` on ``squares``, packed at the low end."""
    found, place = ZERO, ONE
    while squares != ZERO:
        square = lowest_bit(squares)
        squares ^= square
        if word & square != ZERO:
            found |= place
        place <<= ONE
    return found


@instruction(u64(u64, u64))
def extract_pext(build: Any, word: Any, squares: Any) -> Any:
    """`extract_portable` in one instruction, where the processor has BMI2."""
    shape = ir.FunctionType(_WORD, [_WORD, _WORD])
    return build.call(declared(build, "llvm.x86.bmi.pext.64", shape), [word, squares])


extract = extract_pext if HAS_FAST_PDEP else extract_portable


@instruction(i64(i64, i64))
def number_at(build: Any, address: Any, index: Any) -> Any:
    """The 16-bit number ``index`` numbers after an address."""
    start = build.inttoptr(address, ir.IntType(16).as_pointer())
    return build.sext(build.load(build.gep(start, [index])), _WORD)


@instruction(u64(u64))
def half_turn(build: Any, board: Any) -> Any:
    """The board rotated by 180°."""
    return build.call(
        declared(build, "llvm.bitreverse.i64", ir.FunctionType(_WORD, [_WORD])), [board]
    )


@instruction(u64(u64))
def upside_down(build: Any, board: Any) -> Any:
    """The board mirrored vertically: the bottom row on top."""
    return build.call(declared(build, "llvm.bswap.i64", ir.FunctionType(_WORD, [_WORD])), [board])


# Square blocks of side 1, 2 and 4 are exchanged across the diagonal: which squares, how far.
_EXCHANGES = (
    (np.uint64(0x00AA00AA00AA00AA), np.uint64(7)),
    (np.uint64(0x0000CCCC0000CCCC), np.uint64(14)),
    (np.uint64(0x00000000F0F0F0F0), np.uint64(28)),
)


@kernel(u64(u64))
def transposed(board: np.uint64) -> np.uint64:
    """The board mirrored at the diagonal from a1: rows become columns."""
    for squares, distance in _EXCHANGES:
        changed = (board ^ (board >> distance)) & squares
        board ^= changed ^ (changed << distance)
    return board


# Squares and first weight of each pattern, as the kernels read them.
_SEEN = tuple((np.uint64(PATTERNS[name]), STARTS[name]) for name in PATTERNS)
_SEEN_IN_MIRROR = tuple((np.uint64(PATTERNS[name]), STARTS[name]) for name in MIRRORED)


@kernel(i64(u64, u64, u64, i64, i64))
def weight_index(
    mine: np.uint64, theirs: np.uint64, squares: np.uint64, start: int, weights: int
) -> int:
    """The index of the weight, within a stage, for the configuration on ``squares``."""
    my_digits = number_at(weights, signed(extract(mine, squares)))
    their_digits = number_at(weights, signed(extract(theirs, squares)))
    return int(start + my_digits + 2 * their_digits)


@kernel(i64(u64, u64, i64))
def _seen_from_here(mine: np.uint64, theirs: np.uint64, weights: int) -> int:
    total = 0
    for squares, start in _SEEN:
        total += number_at(weights, weight_index(mine, theirs, squares, start, weights))
    return total


@kernel(i64(u64, u64, i64))
def _seen_in_mirror(mine: np.uint64, theirs: np.uint64, weights: int) -> int:
    total = 0
    for squares, start in _SEEN_IN_MIRROR:
        total += number_at(weights, weight_index(mine, theirs, squares, start, weights))
    return total


@kernel(i64(u64, u64, u64, i64))
def evaluate_plain(mine: np.uint64, theirs: np.uint64, cells: np.uint64, weights: int) -> int:
    """The evaluation for the side to move, with the weights of a stage at an address.

    `pattern_lanes.evaluate` is its fast twin. ``cells`` are the squares of the board.
    """
    total = number_at(weights, MY_MOVES + signed(popcount(moves_of(mine, theirs) & cells)))
    total += number_at(weights, THEIR_MOVES + signed(popcount(moves_of(theirs, mine) & cells)))
    for _ in range(2):
        total += _seen_from_here(mine, theirs, weights)
        total += _seen_in_mirror(upside_down(mine), upside_down(theirs), weights)
        mine, theirs = half_turn(mine), half_turn(theirs)
        total += _seen_from_here(mine, theirs, weights)
        total += _seen_in_mirror(upside_down(mine), upside_down(theirs), weights)
        # A mirror image and a mirror image of that: a quarter turn.
        mine, theirs = upside_down(transposed(mine)), upside_down(transposed(theirs))
    return int(total)


@kernel(i64(u64, u64, u64, i64, numbers))
def list_features(
    mine: np.uint64, theirs: np.uint64, cells: np.uint64, weights: int, out: Numbers
) -> int:
    """Write the `FEATURES` indices of the weights that `evaluate_plain` adds up to ``out``."""
    out[0] = MY_MOVES + signed(popcount(moves_of(mine, theirs) & cells))
    out[1] = THEIR_MOVES + signed(popcount(moves_of(theirs, mine) & cells))
    length = 2
    for turn in range(4):
        for squares, start in _SEEN:
            out[length] = weight_index(mine, theirs, squares, start, weights)
            length += 1
        for squares, start in _SEEN_IN_MIRROR:
            out[length] = weight_index(
                upside_down(mine), upside_down(theirs), squares, start, weights
            )
            length += 1
        if turn == 1:
            mine, theirs = upside_down(transposed(mine)), upside_down(transposed(theirs))
        else:
            mine, theirs = half_turn(mine), half_turn(theirs)
    return length
