"""`State`: the memory of a Gomoku board for the kernels, made for a size and a rule."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku import cell_tables, layout
from rl_toolkit.kernels.gomoku.board import place_stone, remove_stone
from rl_toolkit.kernels.gomoku.codes import five_table, line_table, radius
from rl_toolkit.kernels.gomoku.geometry import (
    DIRECTIONS,
    LARGEST,
    SMALLEST,
    keys,
    near_cells,
    places,
)
from rl_toolkit.kernels.spec import FREESTYLE, LineRule
from rl_toolkit.kernels.threads.crew import own_lines

Numbers = npt.NDArray[np.int64]
PerKind = npt.NDArray[np.float64]


class Evaluation:
    """The numbers of a learned evaluation: two values and two ranks for each kind of cell.

    ``own`` and ``other`` are the value of an empty cell with these codes for the side to move, and
    for the other side; ``order_own`` and ``order_other`` rank a move by the same kinds. ``tempo``
    is what the right to move is worth.
    """

    def __init__(
        self, own: PerKind, other: PerKind, order_own: PerKind, order_other: PerKind, tempo: int
    ) -> None:
        self.values, self.per_empty = cell_tables.packed_values(own, other)
        self.order = cell_tables.learned_order(order_own, order_other)
        self.tempo = tempo


@cache
def _plain_evaluation() -> Evaluation:
    nothing = np.zeros(cell_tables.KINDS)
    plain = Evaluation(nothing, nothing, nothing, nothing, 0)
    plain.order = cell_tables.plain_order()
    return plain


class State:
    """A board of ``size`` × ``size`` cells, empty at first. Not thread-safe.

    Without an ``evaluation`` every position has the value 0, and moves have handwritten ranks.
    """

    def __init__(
        self, size: int, rule: LineRule = FREESTYLE, evaluation: Evaluation | None = None
    ) -> None:
        if not SMALLEST <= size <= LARGEST:
            raise ValueError(f"a board has {SMALLEST} to {LARGEST} rows, not {size}")
        self.size, self.rule = size, rule
        self.evaluation = evaluation or _plain_evaluation()
        self.moves: list[tuple[int, int]] = []
        reach = radius(rule)
        where, lines = places(size, reach)
        self._frames = np.zeros(layout.FRAME * layout.FRAMES, dtype=np.int64)
        tables: dict[int, npt.NDArray[Any]] = {
            layout.CODES_AT: line_table(rule),
            layout.SHARES_AT: cell_tables.shares(self.evaluation.values),
            layout.CLASSES_AT: cell_tables.classes(),
            layout.ORDER_AT: self.evaluation.order,
            layout.PLACES_AT: where,
            layout.KEYS_AT: keys(),
            layout.NEAR_AT: near_cells(size),
            layout.FIVES_AT: five_table(rule),
            layout.FRAMES_AT: self._frames,
        }
        self._tables = tables  # keeps their memory alive
        self.block: Numbers = own_lines(layout.BLOCK, np.int64)
        head = {
            layout.SIZE: size,
            layout.CELLS: size * size,
            layout.WORDS: (size * size + 63) // 64,
            layout.RADIUS: reach,
            layout.TEMPO: self.evaluation.tempo,
            layout.PER_EMPTY: self.evaluation.per_empty,
        }
        head |= {
            layout.STEPS + d: down * size + right for d, (down, right) in enumerate(DIRECTIONS)
        }
        head |= {index: table.ctypes.data for index, table in tables.items()}
        for index, number in head.items():
            self.block[index] = number
        self.block[layout.LINES : layout.LINES + len(lines)] = lines
        self._fill_patterns(where)

    def _fill_patterns(self, where: Numbers) -> None:
        """The patterns of the empty board, with their sums, counters and bit sets."""
        block, cells = self.block, self.size * self.size
        reach, table = radius(self.rule), line_table(self.rule)
        low = (1 << 2 * reach) - 1
        lines = block[layout.LINES + (where[: 4 * cells] & 255)]
        windows = lines >> 2 * ((where[: 4 * cells] >> 8 & 255) + 5 - reach)
        found = table[(windows & low) | (windows >> 2 & (low << 2 * reach))].astype(np.int64)
        found = found.reshape(cells, 4)
        shifts = 4 * np.arange(4)
        half = ((found & 15) << shifts).sum(axis=1)  # the same for both sides
        block[layout.PATTERNS : layout.PATTERNS + cells] = half | half << 16
        for side in (0, 1):
            block[layout.SUMS + side] = self.evaluation.values[half].sum()
            block[layout.COUNTS + side] = cell_tables.counts()[half].sum()
        assert not cell_tables.tiers()[half].any()  # nothing is near five on an empty board

    def place(self, cell: int, side: int) -> None:
        """Put a stone of ``side`` (0 black, 1 white) on an empty cell."""
        place_stone(self.block, cell, side)
        self.moves.append((cell, side))

    def take_back(self) -> None:
        """Remove the last stone."""
        remove_stone(self.block, *self.moves.pop())

    @contextmanager
    def stone(self, cell: int, side: int) -> Iterator[None]:
        """Context manager: a stone that is removed at the end."""
        self.place(cell, side)
        try:
            yield
        finally:
            self.take_back()

    def set_up(self, stones: list[tuple[int, int]]) -> None:
        """Replace the stones on the board by these, given as cell and side."""
        shared = 0
        while shared < min(len(stones), len(self.moves)) and stones[shared] == self.moves[shared]:
            shared += 1
        while len(self.moves) > shared:
            self.take_back()
        for cell, side in stones[shared:]:
            self.place(cell, side)

    @property
    def patterns(self) -> Numbers:
        """The pattern of every cell."""
        return self.block[layout.PATTERNS : layout.PATTERNS + self.size * self.size]

    def cells_of(self, side: int, tier: int) -> list[int]:
        """The cells in the bit set of a tier."""
        words = int(self.block[layout.WORDS])
        start = layout.SETS + (side * cell_tables.TIERS + tier) * words
        found = []
        for k, word in enumerate(self.block[start : start + words].tolist()):
            left = word % (1 << 64)
            while left:
                found.append(64 * k + (left & -left).bit_length() - 1)
                left &= left - 1
        return found

    def class_of(self, cell: int, side: int) -> int:
        """The class of an empty cell for a side, such as `cell_tables.A_FOUR`."""
        half = int(self.block[layout.PATTERNS + cell]) >> 16 * side & (cell_tables.HALVES - 1)
        return int(cell_tables.classes()[half])

    def count(self, side: int, field: int) -> int:
        """A field of the counter word of a side, such as `cell_tables.COUNT_FIVES`."""
        return int(self.block[layout.COUNTS + side]) >> field & cell_tables.FIELD_MASK
