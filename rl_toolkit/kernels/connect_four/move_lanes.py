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
from rl_toolkit.kernels.jit import i64, instruction, ir, u64, words
from rl_toolkit.kernels.specialised import Instruction, Known, number

Words = npt.NDArray[np.uint64]

WIDTH = 8  # lanes of a vector
#: Scratch memory per ply: the threats of every lane's move, then their ranks.
RANKS = 16
PLY_WORDS = 32

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, WIDTH)


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
    """For lanes ``first`` to ``first`` + 7 write the threats and the rank of every move.

    A move's *threats* are the cells with which its player would then complete four. Moves are tried
    by descending *rank*, which is 0 if the lane has no move::

        rank = number of threats · 16 + 16 − lane

    Returns non-zero if a move leaves the opponent no safe reply: that move wins.
    """
    won = 0
    for lane in range(first, first + WIDTH):
        move = moves & block[LANES + lane]
        threats = winning_cells(mine | move, block) & ~(taken | move)
        scratch[lane] = threats
        rank = (popcount(threats) << np.uint64(4)) + np.uint64(16 - lane)
        scratch[RANKS + lane] = rank if move != ZERO else ZERO
        if move != ZERO and safe_moves(taken | move, threats, block) == ZERO:
            won = 1
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


def _list_moves(known: Known) -> Instruction:
    @instruction(i64(words, i64, u64, u64, u64, words))
    def list_moves(
        build: Any, scratch: Any, first: Any, mine: Any, taken: Any, moves: Any, block: Any
    ) -> Any:
        """`list_moves_slowly` in vector code."""
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
        has_move = build.not_(is_none(move))
        wins = build.and_(has_move, build.or_(two_at_once, is_none(answers)))

        counter = declared(build, "llvm.ctpop.v8i64", ir.FunctionType(_VECTOR, [_VECTOR]))
        lane = build.add(lanes.splat(first), ir.Constant(_VECTOR, list(range(WIDTH))))
        rank = build.shl(build.call(counter, [threats]), _vector_of(4))
        rank = build.add(rank, build.sub(_vector_of(16), lane))
        lanes.store(threats, build.gep(scratch, [first]))
        ranks = build.gep(scratch, [build.add(first, ir.Constant(_WORD, RANKS))])
        lanes.store(build.select(has_move, rank, none), ranks)
        return build.zext(build.bitcast(wins, ir.IntType(WIDTH)), _WORD)

    return list_moves


list_moves = family.instruction(_list_moves)


@family.kernel(i64(words, i64), inline=True)
def next_lane(scratch: Words, width: int) -> int:
    """The lane of the best untried move among the first ``width``; −1 if there is none.

    The move then counts as tried.
    """
    best = scratch[RANKS]
    for lane in range(1, width):
        best = max(best, scratch[RANKS + lane])
    if best == ZERO:
        return -1
    chosen = signed((np.uint64(16) - best) & np.uint64(15))
    scratch[RANKS + chosen] = ZERO
    return int(chosen)
