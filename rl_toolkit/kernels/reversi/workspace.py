"""The memory of a compiled Reversi search: board constants, a table, a stop flag."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.reversi import board
from rl_toolkit.kernels.reversi.last_square import line_words
from rl_toolkit.kernels.reversi.move_order import LIST_WORDS
from rl_toolkit.kernels.reversi.pattern_lanes import row_lines
from rl_toolkit.kernels.reversi.patterns import Weights
from rl_toolkit.kernels.reversi.table import BUCKET_WORDS, Memory, remembered
from rl_toolkit.kernels.threads.busy_list import BusyList
from rl_toolkit.kernels.threads.crew import own_lines

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

LOOK_AHEAD_FROM = 13
_MOST_EMPTY = 64
_NEVER = 2**63
_SMALLEST_LOG = 10
_LATE_LOG = 14  # 1 MB, which fits in the second cache of a core


class Workspace:
    """The block of words that the kernels of one search share. Not thread-safe.

    One search may use several threads, see `use`; each then has a workspace of its own, with the
    same table.

    ``weights`` are those of an evaluation learned for this board (see `kernels.reversi.patterns`);
    without them the handwritten one is used. ``shared`` is the table of another workspace.
    """

    def __init__(
        self,
        size: int = 8,
        megabytes: float = 256,
        weights: Weights | None = None,
        shared: Memory | None = None,
    ) -> None:
        self.size = size
        self.area = size * size
        self._weights = weights  # keeps their memory alive
        self._memory = Memory(_log_buckets(megabytes)) if shared is None else shared
        self._late = Memory(min(_LATE_LOG, self._memory.log_buckets))  # not shared
        self._lines = line_words(size)
        self._rows = row_lines()
        self._helpers = list[Workspace]()
        self._former_nodes = 0  # of helpers no longer needed
        self._busy = BusyList()
        self._scratch = np.zeros((_MOST_EMPTY + 1) * LIST_WORDS, dtype=np.uint64)
        self._flag = np.zeros(1, dtype=np.int64)
        self.block: Words = own_lines(board.BLOCK_WORDS, np.uint64)
        for index, number in {
            **board.board_words(size),
            board.TABLE_AT: self._memory.address,
            board.TABLE_MASK: (1 << self._memory.log_buckets) - 1,
            board.LATE_AT: self._late.address,
            board.LATE_MASK: (1 << self._late.log_buckets) - 1,
            board.GENERATION: 1,
            board.SCRATCH_AT: self._scratch.ctypes.data,
            board.LINES_AT: self._lines.ctypes.data,
            board.ROWS_AT: self._rows.ctypes.data,
            board.LOOK_AHEAD_FROM: LOOK_AHEAD_FROM,
            board.WEIGHTS_AT: 0 if self._weights is None else self._weights.ctypes.data,
        }.items():
            self.block[index] = number
        self.watch(self._flag)

    def twin(self) -> Self:
        """A workspace for another thread, with the same table."""
        return type(self)(self.size, weights=self._weights, shared=self._memory)

    def use(self, threads: int) -> None:
        """Search with this many threads from now on."""
        while len(self._helpers) < threads - 1:
            helper = self.twin()
            helper.watch(self._flag)
            self._helpers.append(helper)
        while len(self._helpers) > threads - 1:
            self._former_nodes += self._helpers.pop().nodes

    @property
    def threads(self) -> int:
        """How many threads search."""
        return 1 + len(self._helpers)

    @property
    def nodes(self) -> int:
        """Positions visited so far, without those of shallow searches for move ordering."""
        return self._own_nodes + self._former_nodes + sum(h.nodes for h in self._helpers)

    @property
    def _own_nodes(self) -> int:
        return int(self.block[board.NODES])

    @property
    def stopped(self) -> bool:
        """Whether searches must stop now."""
        return bool(self._flag[0]) or self.nodes >= self._most

    def watch(self, flag: Numbers, nodes: int | None = None) -> None:
        """Stop searches once ``flag[0]`` is not 0, or after ``nodes`` more nodes."""
        self._flag = flag  # keeps its memory alive
        self.block[board.FLAG_AT] = flag.ctypes.data
        self._most = _NEVER if nodes is None else self.nodes + nodes
        self._allow(self._left)
        for helper in self._helpers:
            helper.watch(flag)

    @property
    def _left(self) -> int:
        """The nodes that all threads together may still visit."""
        return self._most - self.nodes

    def _allow(self, nodes: int) -> None:
        """Let this thread visit ``nodes`` more nodes."""
        self.block[board.NODE_LIMIT] = min(_NEVER, self._own_nodes + max(0, nodes))

    @contextmanager
    def _divided(self, split: int) -> Iterator[list[Workspace]]:
        """Context manager: all threads divide one search among themselves, and the nodes left.

        For ``split`` see `board.SPLIT`.
        """
        spaces: list[Workspace] = [self, *self._helpers]
        share, age = self._left // len(spaces), self.block[board.GENERATION]
        self._busy.begin()
        for space in spaces:
            space._allow(share)
            space.block[board.GENERATION] = age
            space.block[board.SPLIT] = split
            space.block[board.BUSY_AT] = self._busy.address
        try:
            yield spaces
        finally:
            for space in spaces:
                space.block[board.BUSY_AT] = 0
            self._allow(self._left)

    def remembered(self, mine: int, theirs: int) -> int:
        """The best move in the table, as a bit; 0 if there is none."""
        return int(remembered(np.uint64(mine), np.uint64(theirs), self.block))

    def new_search(self) -> None:
        """Let new entries replace those of earlier searches."""
        self.block[board.GENERATION] += np.uint64(1)

    def forget(self) -> None:
        """Clear the tables."""
        self._memory.clear()
        spaces: list[Workspace] = [self, *self._helpers]
        for space in spaces:
            space._late.clear()


def _log_buckets(megabytes: float) -> int:
    log = _SMALLEST_LOG
    while (8 * BUCKET_WORDS << (log + 1)) <= megabytes * 2**20:
        log += 1
    return log
