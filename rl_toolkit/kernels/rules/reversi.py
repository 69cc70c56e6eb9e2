"""Reversi on one word per side: boards of 8 × 8, and 4 × 4 or 6 × 6 in their middle.

Bit 0 is the top-left square of the 8 × 8 grid, bit 63 the bottom-right one. A smaller board is in
the centre, so that rotating or mirroring the grid rotates or mirrors every board::

     0  1  2  3  4  5  6  7
     8 ┌──────────────┐  15
    16 │18 19 20 21 22│  23      6 × 6: rows and columns 1 – 6
    24 │26┌────────┐30│  31
    32 │34│ 4 × 4: │38│  39      4 × 4: rows and columns 2 – 5
     …                    …

Squares outside the board are never occupied and never legal.

`moves_of` and `flips_of` exist twice: plainly, direction by direction, and as vector instructions
that process four directions at a time. Read the plain ones; tests compare the others with them.

A state is two words: the discs of the side to move, then the other side's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import (
    FOUR_WORDS,
    HAS_FAST_LEADING_ZEROS,
    ONE,
    ZERO,
    declared,
    lowest_index,
    popcount,
    splat,
    union,
)
from rl_toolkit.kernels.jit import i64, instruction, ir, kernel, numbers, u64, words
from rl_toolkit.kernels.spec import ReversiSpec
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

WORDS_PER_SIDE = 1

# The words of a geometry.
CELLS = 0  # all squares of the board, as a bit set
SIZE = 1
MARGIN = 2  # columns left of the board, and rows above it

_ALL = (1 << 64) - 1
_INNER = 0x7E7E_7E7E_7E7E_7E7E  # columns 1 – 6: discs here can be outflanked sideways
_DISTANCES = (1, 8, 7, 9)
_CAPTURABLE = (_INNER, _ALL, _INNER, _INNER)


def fits(spec: ReversiSpec) -> bool:
    """Whether the board fits in the centre of the grid."""
    return spec.size in (4, 6, 8)


def geometry(spec: ReversiSpec) -> Words:
    """The words about a board that the kernels below read."""
    cells = sum(1 << bit for bit in cell_bits(spec))
    return np.array([cells, spec.size, _margin(spec)], dtype=np.uint64)


def cell_bits(spec: ReversiSpec) -> list[int]:
    """The bit number of every cell, in the order of cell indices."""
    inside = range(_margin(spec), _margin(spec) + spec.size)
    return [8 * row + col for row in inside for col in inside]


def _margin(spec: ReversiSpec) -> int:
    return (8 - spec.size) // 2


# --- Moves and flips, plainly: follow runs of their discs, up to six long. ---

_PLAIN = tuple(
    (np.uint64(distance), np.uint64(mask))
    for distance, mask in zip(_DISTANCES, _CAPTURABLE, strict=True)
)


@kernel(u64(u64, u64))
def moves_plain(mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """The empty squares of the grid where the side to move outflanks at least one disc."""
    found = ZERO
    for distance, capturable in _PLAIN:
        between = theirs & capturable
        up = between & (mine << distance)
        down = between & (mine >> distance)
        for _ in range(5):
            up |= between & (up << distance)
            down |= between & (down >> distance)
        found |= (up << distance) | (down >> distance)
    return found & ~(mine | theirs)


@kernel(u64(u64, u64, u64))
def flips_plain(square: np.uint64, mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """Their discs that a disc on ``square`` (one bit) flips."""
    turned = ZERO
    for distance, capturable in _PLAIN:
        between = theirs & capturable
        up = between & (square << distance)
        down = between & (square >> distance)
        for _ in range(5):
            up |= between & (up << distance)
            down |= between & (down >> distance)
        if (up << distance) & mine != ZERO:
            turned |= up
        if (down >> distance) & mine != ZERO:
            turned |= down
    return turned


# --- The same for four directions at once, and with longer strides. ---


def _vector(values: tuple[int, ...]) -> Any:
    return ir.Constant(FOUR_WORDS, list(values))


def _runs(build: Any, source: Any, theirs: Any) -> tuple[Any, Any, Any]:
    """The runs of their discs that touch ``source``: upwards, downwards, and the distances.

    The first two discs are found one by one, the others in pairs: at most six in three strides.
    """
    one, two = _vector(_DISTANCES), _vector(tuple(2 * d for d in _DISTANCES))
    between = build.and_(splat(build, theirs), _vector(_CAPTURABLE))
    origin = splat(build, source)
    up = build.and_(between, build.shl(origin, one))
    down = build.and_(between, build.lshr(origin, one))
    up = build.or_(up, build.and_(between, build.shl(up, one)))
    down = build.or_(down, build.and_(between, build.lshr(down, one)))
    pairs_up = build.and_(between, build.shl(between, one))
    pairs_down = build.lshr(pairs_up, one)
    for _ in range(2):
        up = build.or_(up, build.and_(pairs_up, build.shl(up, two)))
        down = build.or_(down, build.and_(pairs_down, build.lshr(down, two)))
    return up, down, one


@instruction(u64(u64, u64))
def moves_of(build: Any, mine: Any, theirs: Any) -> Any:
    """`moves_plain` as a vector instruction."""
    up, down, one = _runs(build, mine, theirs)
    ends = union(build, build.or_(build.shl(up, one), build.lshr(down, one)))
    return build.and_(ends, build.not_(build.or_(mine, theirs)))


@instruction(u64(u64, u64, u64))
def flips_by_runs(build: Any, square: Any, mine: Any, theirs: Any) -> Any:
    """`flips_plain` as a vector instruction."""
    up, down, one = _runs(build, square, theirs)
    brackets, nothing = splat(build, mine), _vector((0, 0, 0, 0))
    closed_up = build.icmp_unsigned("!=", build.and_(brackets, build.shl(up, one)), nothing)
    closed_down = build.icmp_unsigned("!=", build.and_(brackets, build.lshr(down, one)), nothing)
    return union(
        build,
        build.or_(build.select(closed_up, up, nothing), build.select(closed_down, down, nothing)),
    )


def _ray(square: int, direction: int) -> int:
    """The squares from ``square`` to the edge; one step is ``direction`` bits."""
    step = (direction + 3) % 8 - 3  # columns, to the right
    found, column = 0, square % 8
    while 0 <= square + direction < 64 and 0 <= column + step < 8:
        square, column = square + direction, column + step
        found |= 1 << square
    return found


#: For each square the rays to higher bits, then those to lower bits; at the end none, for a pass.
_RAYS = [
    _ray(square, sign * distance)
    for square in range(64)
    for sign in (1, -1)
    for distance in _DISTANCES
] + [0] * 8


def _rays_of(build: Any, square: Any) -> tuple[Any, Any]:
    """The rays from a square: to higher bits and to lower bits."""
    name = "rl_toolkit.reversi.rays"
    table = build.module.globals.get(name)
    if table is None:
        shape = ir.ArrayType(ir.IntType(64), len(_RAYS))
        table = ir.GlobalVariable(build.module, shape, name)
        table.initializer = ir.Constant(shape, _RAYS)
        table.global_constant, table.linkage, table.unnamed_addr = True, "internal", True
        table.align = 64
    index = build.shl(build.cttz(square, ir.Constant(ir.IntType(1), 0)), ir.IntType(64)(3))
    zero, found = ir.IntType(64)(0), []
    for half in (0, 4):
        place = build.gep(table, [zero, build.add(index, ir.IntType(64)(half))])
        found.append(build.load(build.bitcast(place, FOUR_WORDS.as_pointer()), align=32))
    return found[0], found[1]


@instruction(u64(u64, u64, u64))
def flips_by_rays(build: Any, square: Any, mine: Any, theirs: Any) -> Any:
    """`flips_plain` as a vector instruction that counts leading zeros.

    On every ray the square nearest to ``square`` without a disc of theirs decides.
    """
    higher, lower = _rays_of(build, square)
    brackets = splat(build, mine)
    others = splat(build, build.not_(theirs))
    nothing, ones = _vector((0,) * 4), _vector((1,) * 4)
    ends = build.and_(higher, others)
    nearest = build.and_(ends, build.sub(nothing, ends))
    closed = build.icmp_unsigned("!=", build.and_(nearest, brackets), nothing)
    up = build.select(closed, build.and_(higher, build.sub(nearest, ones)), nothing)
    ends = build.and_(lower, others)
    shape = ir.FunctionType(FOUR_WORDS, [FOUR_WORDS, ir.IntType(1)])
    zeros = build.call(declared(build, "llvm.ctlz.v4i64", shape), [ends, ir.IntType(1)(0)])
    # Without an end the distance is 64, taken as 0, and nothing is above the highest bit.
    nearest = build.lshr(_vector((1 << 63,) * 4), build.and_(zeros, _vector((63,) * 4)))
    closed = build.icmp_unsigned("!=", build.and_(nearest, brackets), nothing)
    above = build.sub(nothing, build.shl(nearest, ones))
    down = build.select(closed, build.and_(lower, above), nothing)
    return union(build, build.or_(up, down))


flips_of = flips_by_rays if HAS_FAST_LEADING_ZEROS else flips_by_runs


# --- The rules. ---


@kernel(u64(i64, words))
def bit_of_move(move: np.int64, shape: Words) -> np.uint64:
    """The square of a move as one bit; 0 for the pass."""
    size, margin = shape[SIZE], shape[MARGIN]
    number = np.uint64(move)
    row = number // size
    if row == size:
        return ZERO
    return np.uint64(ONE << (((row + margin) << np.uint64(3)) + number - row * size + margin))


@kernel(i64(u64, words))
def move_of_bit(index: np.uint64, shape: Words) -> np.int64:
    """The move that places a disc on this bit."""
    row = (index >> np.uint64(3)) - shape[MARGIN]
    return np.int64(row * shape[SIZE] + (index & np.uint64(7)) - shape[MARGIN])


@kernel(i64(words, words, numbers))
def moves(state: Words, shape: Words, out: Numbers) -> np.int64:
    """Write the legal moves of an unfinished game to ``out``, ascending; returns their number."""
    left = moves_of(state[0], state[1]) & shape[CELLS]
    if left == ZERO:
        out[0] = np.int64(shape[SIZE] * shape[SIZE])
        return np.int64(1)
    count = np.int64(0)
    while left != ZERO:
        out[count] = move_of_bit(lowest_index(left), shape)
        left &= left - ONE
        count += 1
    return count


@kernel(i64(u64, u64, words))
def standing(mine: np.uint64, theirs: np.uint64, shape: Words) -> np.int64:
    """The status for the owner of ``mine``; running while either side can place a disc."""
    if moves_of(theirs, mine) & shape[CELLS] != ZERO:
        return np.int64(RUNNING)
    if moves_of(mine, theirs) & shape[CELLS] != ZERO:
        return np.int64(RUNNING)
    ahead = np.int64(popcount(mine)) - np.int64(popcount(theirs))
    if ahead == 0:
        return np.int64(DRAWN)
    return np.int64(WON if ahead > 0 else LOST)


@kernel(i64(words, words, i64))
def advance(state: Words, shape: Words, move: np.int64) -> np.int64:
    """Play a move that is known not to end the game, and swap sides."""
    square = bit_of_move(move, shape)
    turned = flips_of(square, state[0], state[1])
    mine = state[0] | turned | square
    state[0] = state[1] & ~turned
    state[1] = mine
    return np.int64(RUNNING)


@kernel(i64(words, words, i64))
def play(state: Words, shape: Words, move: np.int64) -> np.int64:
    """Play a legal move and swap sides; returns the status for the player who moved."""
    advance(state, shape, move)
    return standing(state[1], state[0], shape)


@kernel(i64(words, words))
def status(state: Words, shape: Words) -> np.int64:
    """The status for the side to move, for any position."""
    return standing(state[0], state[1], shape)
