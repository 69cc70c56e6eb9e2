"""The moves of a position, all columns at once in the lanes of one vector register.

Each column takes the same few dozen operations: place a stone, find the cells with which the mover
would then complete four, and find the opponent's safe replies. Eight columns fit in a vector of
eight words, so they cost as much as one. Lane 0 is the centre column, then outwards; an unused lane
has an empty column and so no move.

The scalar version does the same in plain steps; tests compare the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, declared, popcount, signed
from rl_toolkit.kernels.connect_four.board import (
    CELLS,
    FLOOR,
    LANES,
    STRIDE,
    family,
    landings,
    winning_cells,
)
from rl_toolkit.kernels.jit import i64, instruction, ir, kernel, u64, words
from rl_toolkit.kernels.specialised import Instruction, Known, number

Words = npt.NDArray[np.uint64]

WIDTH = 8  # lanes of a vector
#: Scratch memory per ply: the threats of every lane's move, the opponent's safe replies, the ranks.
REPLIES, RANKS = 16, 32
PLY_WORDS = 40
MOST_THREATS = 30  # that count for a rank, which has to fit in a byte
_THREE = np.uint64(3)

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, WIDTH)
_BYTES = ir.VectorType(ir.IntType(8), WIDTH)
_SHORTS = ir.VectorType(ir.IntType(16), WIDTH)


@family.kernel(u64(u64, u64, words), inline=True)
def safe_moves(taken: np.uint64, their_wins: np.uint64, block: Words) -> np.uint64:
    """The moves after which the opponent does not win immediately; empty if there are none.

    A stone must not be placed under a cell where the opponent wins. One immediate threat must be
    blocked; two cannot be.
    """
    playable = landings(taken, block)
    answers = playable & ~(their_wins >> ONE)
    threats = playable & their_wins
    if threats != ZERO:
        answers &= threats
        if threats & (threats - ONE) != ZERO:
            return ZERO
    return np.uint64(answers)


@family.kernel(i64(words, i64, u64, u64, u64, words))
def list_moves_slowly(
    scratch: Words, first: int, mine: np.uint64, taken: np.uint64, moves: np.uint64, block: Words
) -> int:
    """For lanes ``first`` to ``first`` + 7 write threats, safe replies and rank of every move.

    A move's *threats* are the cells with which its player would then complete four. Moves are tried
    by descending *rank*, which is 0 if the lane has no move::

        rank = number of threats · 8 + 8 − lane

    The ranks of eight lanes are the bytes of one word, the lowest for the first lane. Returns
    non-zero if a move leaves the opponent no safe reply: that move wins.
    """
    won, ranks = 0, ZERO
    for lane in range(first, first + WIDTH):
        move = moves & block[LANES + lane]
        threats = winning_cells(mine | move, block) & ~(taken | move)
        replies = safe_moves(taken | move, threats, block)
        scratch[lane], scratch[REPLIES + lane] = threats, replies
        if move != ZERO:
            count = min(popcount(threats), np.uint64(MOST_THREATS))
            rank = (count << np.uint64(3)) + np.uint64(8 - lane + first)
            ranks |= rank << np.uint64(8 * (lane - first))
            if replies == ZERO:
                won = 1
    scratch[RANKS + (first >> 3)] = ranks
    return won


def _vector_of(word: int) -> Any:
    return ir.Constant(_VECTOR, [word & (2**64 - 1)] * WIDTH)


class _Lanes:
    """Emits vector code; every method returns eight words."""

    def __init__(self, build: Any, block: Any, known: Known) -> None:
        self.build, self.block, self.known = build, block, known

    def splat(self, word: Any) -> Any:
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        first = self.build.insert_element(nothing, word, ir.Constant(ir.IntType(32), 0))
        places = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return self.build.shuffle_vector(first, nothing, places)

    def number(self, index: int) -> Any:
        """One number of the board."""
        if index in self.known:
            return _vector_of(self.known[index])
        return self.splat(number(self.build, self.block, index, self.known))

    def columns(self, first: Any) -> Any:
        """The columns from lane ``first`` on."""
        place = self.build.gep(self.block, [self.build.add(first, ir.Constant(_WORD, LANES))])
        return self.build.load(self.build.bitcast(place, _VECTOR.as_pointer()), align=8)

    def all_of(self, first: Any, *others: Any) -> Any:
        for other in others:
            first = self.build.and_(first, other)
        return first

    def winning_cells(self, stones: Any) -> Any:
        """`kernels.connect_four.board.winning_cells`, not yet masked to the board."""
        build, one = self.build, _vector_of(1)

        def up(step: Any) -> Any:
            return build.shl(stones, step)

        def down(step: Any) -> Any:
            return build.lshr(stones, step)

        found = self.all_of(up(one), up(_vector_of(2)), up(_vector_of(3)))
        stride = self.number(STRIDE)
        for step in (build.sub(stride, one), stride, build.add(stride, one)):
            twice = build.add(step, step)
            thrice = build.add(twice, step)
            pair = build.and_(up(step), up(twice))
            found = build.or_(found, build.and_(pair, build.or_(up(thrice), down(step))))
            pair = build.and_(down(step), down(twice))
            found = build.or_(found, build.and_(pair, build.or_(down(thrice), up(step))))
        return found

    def store(self, vector: Any, place: Any) -> None:
        self.build.store(vector, self.build.bitcast(place, _VECTOR.as_pointer()), align=8)


class _Listed:
    """Emits the part that `list_moves` and `some_move_wins` share."""

    def __init__(
        self, build: Any, known: Known, first: Any, mine: Any, taken: Any, moves: Any, block: Any
    ) -> None:
        lanes = _Lanes(build, block, known)
        none, one = _vector_of(0), _vector_of(1)

        def is_none(vector: Any) -> Any:
            return build.icmp_unsigned("==", vector, none)

        move = build.and_(lanes.splat(moves), lanes.columns(first))
        after = build.or_(lanes.splat(taken), move)
        cells = lanes.number(CELLS)
        threats = lanes.winning_cells(build.or_(lanes.splat(mine), move))
        threats = lanes.all_of(threats, cells, build.not_(after))

        playable = build.and_(build.add(after, lanes.number(FLOOR)), cells)
        immediate = build.and_(threats, playable)
        answers = build.and_(playable, build.not_(build.lshr(threats, one)))
        answers = build.select(is_none(immediate), answers, build.and_(answers, immediate))
        two_at_once = build.not_(is_none(build.and_(immediate, build.sub(immediate, one))))
        self.lanes, self.threats = lanes, threats
        self.has_move = build.not_(is_none(move))
        self.replies = build.select(two_at_once, none, answers)
        wins = build.and_(self.has_move, is_none(self.replies))
        self.won = build.zext(build.bitcast(wins, ir.IntType(WIDTH)), _WORD)


def _list_moves(known: Known) -> Instruction:
    @instruction(i64(words, i64, u64, u64, u64, words))
    def list_moves(
        build: Any, scratch: Any, first: Any, mine: Any, taken: Any, moves: Any, block: Any
    ) -> Any:
        """`list_moves_slowly` in vector code."""
        listed = _Listed(build, known, first, mine, taken, moves, block)
        counter = declared(build, "llvm.ctpop.v8i64", ir.FunctionType(_VECTOR, [_VECTOR]))
        count, most = build.call(counter, [listed.threats]), _vector_of(MOST_THREATS)
        count = build.select(build.icmp_unsigned("<", count, most), count, most)
        lane = ir.Constant(_VECTOR, list(range(WIDTH, 0, -1)))
        rank = build.add(build.shl(count, _vector_of(3)), lane)
        ranks = build.trunc(build.select(listed.has_move, rank, _vector_of(0)), _BYTES)
        listed.lanes.store(listed.threats, build.gep(scratch, [first]))
        listed.lanes.store(
            listed.replies, build.gep(scratch, [build.add(first, ir.Constant(_WORD, REPLIES))])
        )
        place = build.add(build.lshr(first, ir.Constant(_WORD, 3)), ir.Constant(_WORD, RANKS))
        build.store(build.bitcast(ranks, _WORD), build.gep(scratch, [place]))
        return listed.won

    return list_moves


def _some_move_wins(known: Known) -> Instruction:
    @instruction(i64(i64, u64, u64, u64, words))
    def some_move_wins(
        build: Any, first: Any, mine: Any, taken: Any, moves: Any, block: Any
    ) -> Any:
        """What `list_moves` returns."""
        return _Listed(build, known, first, mine, taken, moves, block).won

    return some_move_wins


list_moves = family.instruction(_list_moves)
some_move_wins = family.instruction(_some_move_wins)


@instruction(u64(u64))
def highest_byte(build: Any, word: Any) -> Any:
    """The highest of the eight bytes of a word."""
    shape = ir.FunctionType(ir.IntType(16), [_SHORTS])
    highest = declared(build, "llvm.vector.reduce.umax.v8i16", shape)
    # Of 16-bit numbers, as x86 finds the lowest of eight of them in one instruction.
    shorts = build.zext(build.bitcast(word, _BYTES), _SHORTS)
    return build.zext(build.call(highest, [shorts]), _WORD)


@family.kernel(i64(words, i64), inline=True)
def next_lane(scratch: Words, width: int) -> int:
    """The lane of the best untried move among the first ``width``; −1 if there is none.

    The move then counts as tried.
    """
    best, word = highest_byte(scratch[RANKS]), 0
    if width > WIDTH:
        other = highest_byte(scratch[RANKS + 1])
        if other != ZERO and (best == ZERO or (other - ONE) >> _THREE > (best - ONE) >> _THREE):
            best, word = other, 1
    if best == ZERO:
        return -1
    chosen = (ZERO - best) & np.uint64(7)
    scratch[RANKS + word] &= ~(np.uint64(255) << (chosen << _THREE))
    return int(signed(chosen) + word * WIDTH)


@kernel(u64(u64))
def without_threats(ranks: np.uint64) -> np.uint64:
    """The ranks that eight lanes would have if their moves made no threats."""
    plain = ZERO
    for lane in range(WIDTH):
        if (ranks >> np.uint64(8 * lane)) & np.uint64(255) != ZERO:
            plain |= np.uint64(WIDTH - lane) << np.uint64(8 * lane)
    return np.uint64(plain)
