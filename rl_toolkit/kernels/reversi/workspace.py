"""The memory of a compiled Reversi search: board constants, a table, a stop flag."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.reversi import board
from rl_toolkit.kernels.reversi.last_square import line_words
from rl_toolkit.kernels.reversi.move_order import LIST_WORDS
from rl_toolkit.kernels.reversi.patterns import Weights
from rl_toolkit.kernels.reversi.table import BUCKET_WORDS, Memory, remembered

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

LOOK_AHEAD_FROM = 13
_MOST_EMPTY = 64
_NEVER = 2**63
_SMALLEST_LOG = 10
_LATE_LOG = 14  # 1 MB, which fits in the second cache of a core


class Workspace:
    """The block of words that the kernels of one search share. Not thread-safe.

    ``weights`` are those of an evaluation learned for this board (see `kernels.reversi.patterns`);
    without them the handwritten one is used.
    """

    def __init__(
        self, size: int = 8, megabytes: float = 256, weights: Weights | None = None
    ) -> None:
        self.size = size
        self.area = size * size
        self._weights = weights  # keeps their memory alive
        self._memory = Memory(_log_buckets(megabytes))
        self._late = Memory(min(_LATE_LOG, self._memory.log_buckets))
        self._lines = line_words(size)
        self._scratch = np.zeros((_MOST_EMPTY + 1) * LIST_WORDS, dtype=np.uint64)
        self._flag = np.zeros(1, dtype=np.int64)
        self.block: Words = np.zeros(board.BLOCK_WORDS, dtype=np.uint64)
        for index, number in {
            **board.board_words(size),
            board.TABLE_AT: self._memory.address,
            board.TABLE_MASK: (1 << self._memory.log_buckets) - 1,
            board.LATE_AT: self._late.address,
            board.LATE_MASK: (1 << self._late.log_buckets) - 1,
            board.GENERATION: 1,
            board.SCRATCH_AT: self._scratch.ctypes.data,
            board.LINES_AT: self._lines.ctypes.data,
            board.LOOK_AHEAD_FROM: LOOK_AHEAD_FROM,
            board.WEIGHTS_AT: 0 if self._weights is None else self._weights.ctypes.data,
        }.items():
            self.block[index] = number
        self.watch(self._flag)

    @property
    def nodes(self) -> int:
        """Positions visited so far, without those of shallow searches for move ordering."""
        return int(self.block[board.NODES])

    @property
    def stopped(self) -> bool:
        """Whether searches must stop now."""
        return bool(self._flag[0]) or self.block[board.NODES] >= self.block[board.NODE_LIMIT]

    def watch(self, flag: Numbers, nodes: int | None = None) -> None:
        """Stop searches once ``flag[0]`` is not 0, or after ``nodes`` more nodes."""
        self._flag = flag  # keeps its memory alive
        self.block[board.FLAG_AT] = flag.ctypes.data
        self.block[board.NODE_LIMIT] = _NEVER if nodes is None else self.nodes + nodes

    def remembered(self, mine: int, theirs: int) -> int:
        """The best move in the table, as a bit; 0 if there is none."""
        return int(remembered(np.uint64(mine), np.uint64(theirs), self.block))

    def new_search(self) -> None:
        """Let new entries replace those of earlier searches."""
        self.block[board.GENERATION] += np.uint64(1)

    def forget(self) -> None:
        """Clear the tables."""
        self._memory.clear()
        self._late.clear()


def _log_buckets(megabytes: float) -> int:
    log = _SMALLEST_LOG
    while (8 * BUCKET_WORDS << (log + 1)) <= megabytes * 2**20:
        log += 1
    return log
