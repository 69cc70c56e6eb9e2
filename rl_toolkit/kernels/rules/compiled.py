"""Compiled rules for use from Python: `compiled_rules(spec)` chooses the right family.

>>> from rl_toolkit.kernels.spec import LineSpec
>>> rules = compiled_rules(LineSpec(rows=6, cols=7, win_length=4, gravity=True))
>>> start = rules.encode(np.zeros(42, np.int8), player=1)
>>> rules.moves(start)
[0, 1, 2, 3, 4, 5, 6]
>>> after, status = rules.play(start, 3)
>>> rules.perft(after, depth=4)
2401
"""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels import jit
from rl_toolkit.kernels.rules import large_lines, operations, reversi, small_lines
from rl_toolkit.kernels.rules.evaluate import evaluation
from rl_toolkit.kernels.spec import KernelSpec, LineSpec, ReversiSpec, Weights

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Board = npt.NDArray[np.int8]


class CompiledRules:
    """The rules of one game on one board size, on words: side to move first, then the other.

    No method changes the words it is given. Moves are not checked: a move must be one of `moves`,
    and callers that take input from people check it before.
    """

    def __init__(
        self,
        spec: KernelSpec,
        operations: operations.Operations,
        geometry: Words,
        cell_bits: list[int],
        words_per_side: int,
    ) -> None:
        self.spec = spec
        self.operations = operations
        self.geometry = geometry
        self.words_per_side = words_per_side
        self.cell_bits = cell_bits
        self._word_of_cell = np.array([bit // 64 for bit in cell_bits])
        self._bit_of_cell = np.array([1 << bit % 64 for bit in cell_bits], dtype=np.uint64)

    # Addresses are read on first use: that compiles the operation, and few searches need them all.

    @cached_property
    def _moves(self) -> int:
        return self.operations.moves.address

    @cached_property
    def _play(self) -> int:
        return self.operations.play.address

    @cached_property
    def _status(self) -> int:
        return self.operations.status.address

    def encode(self, board: Board, player: int) -> Words:
        """The words of a board (flat, row by row, cells −1, 0, +1) with ``player`` to move.

        `ValueError` for a board of another size, or, with gravity, with stones in mid-air.
        """
        if np.shape(board) != self._word_of_cell.shape:
            raise ValueError(
                f"the board must have {self._word_of_cell.size} cells, not {np.shape(board)}"
            )
        out = np.zeros(2 * self.words_per_side, dtype=np.uint64)
        for first, owner in ((0, player), (self.words_per_side, -player)):
            owned = board == owner
            np.bitwise_or.at(out, first + self._word_of_cell[owned], self._bit_of_cell[owned])
        if isinstance(self.spec, LineSpec) and self.spec.gravity:
            occupied, floor = int(out[0] | out[1]), int(self.geometry[small_lines.FLOOR])
            if occupied & (occupied + floor):  # the carry meets a stone above a gap
                raise ValueError("a stone is in mid-air: every cell below it must be occupied")
        return out

    def decode(self, words: Words, player: int) -> Board:
        """The board of these words; the inverse of `encode`."""
        mine, theirs = self.sides(words)
        return np.asarray(player * (mine.astype(np.int8) - theirs.astype(np.int8)), dtype=np.int8)

    def sides(self, words: Words) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """The cells of the side to move and of the other side, for one state or for many."""
        mine = words[..., self._word_of_cell] & self._bit_of_cell
        theirs = words[..., self._word_of_cell + self.words_per_side] & self._bit_of_cell
        return mine != 0, theirs != 0

    def moves(self, words: Words) -> list[int]:
        """The legal moves of an unfinished game, in ascending order."""
        out = np.empty(self.spec.num_moves, dtype=np.int64)
        count = operations.moves(self._moves, words, self.geometry, out)
        return [int(move) for move in out[:count]]

    def play(self, words: Words, move: int) -> tuple[Words, int]:
        """The words after a legal move, with sides swapped, and the `status` for the mover."""
        after = words.copy()
        return after, operations.play(self._play, after, self.geometry, move)

    def status(self, words: Words) -> int:
        """The status for the side to move (see `kernels.status`), for any position.

        If both sides have a line in a set-up position, the side that is not to move has won: only
        it can have moved last.
        """
        return operations.status(self._status, words, self.geometry)

    def evaluation(self, weights: Weights) -> Numbers:
        """The numbers that an ``evaluate`` operation reads; every search needs its own."""
        return evaluation(self.spec, weights, self.cell_bits, self.words_per_side)

    def evaluate(self, words: Words, numbers: Numbers) -> float:
        """The heuristic value of an unfinished game for the side to move."""
        address = self.operations.evaluate.address
        return operations.run_evaluate(address, words, self.geometry, numbers)

    def perft(self, words: Words, depth: int) -> int:
        """The number of nodes ``depth`` plies below; see `kernels.rules.perft` for conventions."""
        if depth < 0:
            raise ValueError(f"depth must be at least 0, not {depth}")
        return operations.perft(self.operations.perft.address, words.copy(), self.geometry, depth)


@cache
def compiled_rules(spec: KernelSpec) -> CompiledRules | None:
    """The fastest compiled rules for a game; ``None`` if no kernel fits its board."""
    if not jit.ENABLED:
        return None
    if isinstance(spec, ReversiSpec):
        if not reversi.fits(spec):
            return None
        shape, cell_bits = reversi.geometry(spec), reversi.cell_bits(spec)
        return CompiledRules(spec, operations.REVERSI, shape, cell_bits, reversi.WORDS_PER_SIDE)
    if small_lines.fits(spec):
        return small_rules(spec)
    return large_rules(spec) if large_lines.fits(spec) else None


def small_rules(spec: LineSpec) -> CompiledRules:
    """Rules on one word per side, for a board that `small_lines.fits`."""
    shape, cell_bits = small_lines.geometry(spec), small_lines.cell_bits(spec)
    return CompiledRules(spec, operations.NARROW, shape, cell_bits, small_lines.WORDS_PER_SIDE)


def large_rules(spec: LineSpec) -> CompiledRules:
    """Rules on several words per side, for a board that `large_lines.fits`."""
    shape, cell_bits = large_lines.geometry(spec), large_lines.cell_bits(spec)
    return CompiledRules(spec, operations.WIDE, shape, cell_bits, large_lines.words_per_side(spec))
