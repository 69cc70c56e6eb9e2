"""The endgame solver as Python sees it: a table, a stop flag, and a few calls on two words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels import reversi_endgame_board as board
from rl_toolkit.kernels import reversi_endgame_search as searches
from rl_toolkit.kernels.reversi_endgame_estimate import PER_DISC
from rl_toolkit.kernels.reversi_endgame_order import LIST_WORDS
from rl_toolkit.kernels.reversi_endgame_table import BUCKET_WORDS, Memory

Numbers = npt.NDArray[np.int64]

LOOK_AHEAD_FROM = 13
_MOST_EMPTY = 64
_NEVER = 2**63
_SMALLEST_LOG = 10


class Solver:
    """Exact scores on one board; see `reversi_endgame_search` for what a score is.

    Positions are two ints: ``mine``, the discs of the side to move, and ``theirs``, as bits (see
    `kernels.reversi`). Not for use by two threads at once.
    """

    def __init__(self, size: int = 8, megabytes: float = 256) -> None:
        self.size = size
        self._area = size * size
        self._memory = Memory(self._log_buckets(megabytes))
        self._block = np.zeros(board.BLOCK_WORDS, dtype=np.uint64)
        self._scratch = np.zeros((_MOST_EMPTY + 1) * LIST_WORDS, dtype=np.uint64)
        self._flag = np.zeros(1, dtype=np.int64)
        for index, number in {
            **board.board_words(size),
            board.TABLE_AT: self._memory.address,
            board.TABLE_MASK: (1 << self._memory.log_buckets) - 1,
            board.GENERATION: 1,
            board.SCRATCH_AT: self._scratch.ctypes.data,
            board.LOOK_AHEAD_FROM: LOOK_AHEAD_FROM,
        }.items():
            self._block[index] = number
        self.watch(self._flag)

    @staticmethod
    def _log_buckets(megabytes: float) -> int:
        log = _SMALLEST_LOG
        while (8 * BUCKET_WORDS << (log + 1)) <= megabytes * 2**20:
            log += 1
        return log

    @property
    def nodes(self) -> int:
        """Positions visited so far; looking ahead for the order of moves is not counted."""
        return int(self._block[board.NODES])

    @property
    def stopped(self) -> bool:
        """Whether searches are to stop now."""
        return bool(self._flag[0]) or self._block[board.NODES] >= self._block[board.NODE_LIMIT]

    def make(self) -> None:
        """Compile or load the machine code now, if that has not been done."""
        for part in (searches.is_above, searches.remembered, searches.seems):
            part.make()

    def forget(self) -> None:
        """Empty the table."""
        self._memory.clear()

    def watch(self, flag: Numbers, nodes: int | None = None) -> None:
        """Stop searches once ``flag[0]`` is not 0, or after ``nodes`` more nodes."""
        self._flag = flag  # kept, so that its memory stays
        self._block[board.FLAG_AT] = flag.ctypes.data
        self._block[board.NODE_LIMIT] = _NEVER if nodes is None else self.nodes + nodes
        self._block[board.LOOK_AT] = 0

    def new_search(self) -> None:
        """Let what earlier searches remembered give way to what comes now."""
        self._block[board.GENERATION] += np.uint64(1)

    def bound(self, mine: int, theirs: int, alpha: int) -> int | None:
        """A lower bound of the score if it is above ``alpha``, else an upper bound.

        ``None`` if stopped before that was known.
        """
        if self.stopped:  # near the end of a game the search itself never looks
            return None
        score = searches.is_above(np.uint64(mine), np.uint64(theirs), alpha, self._block)
        return None if score == board.STOPPED else int(score)

    def narrowed(
        self, mine: int, theirs: int, low: int, high: int, guess: int = 0
    ) -> Iterator[tuple[int, int]]:
        """Bounds of the score, known to lie from ``low`` to ``high``, closer with each question.

        The first question is asked about ``guess``, each next one about the possible score that is
        nearest to the last answer. Ends when the bounds meet or the search is stopped.
        """
        guess = 2 * round(guess / 2)  # scores are even
        wanted = min(max(guess, low + 2), high)
        while low < high:
            bound = self.bound(mine, theirs, wanted - 1)
            if bound is None:
                return
            if bound >= wanted:
                low = max(low, bound)
                wanted = low + 2
            else:
                high = min(high, bound)
                wanted = high
            yield low, high

    def solve(self, mine: int, theirs: int, guess: int = 0) -> int | None:
        """The score; ``None`` if stopped before it was known."""
        found = [(-self._area, self._area)]
        found += self.narrowed(mine, theirs, *found[0], guess)
        low, high = found[-1]
        return low if low == high else None

    def seems(self, mine: int, theirs: int, plies: int) -> float:
        """An estimate of the score in discs, from looking ``plies`` discs ahead."""
        found = searches.seems(np.uint64(mine), np.uint64(theirs), plies, self._block)
        return float(np.clip(found / PER_DISC, -self._area, self._area))

    def remembered(self, mine: int, theirs: int) -> int:
        """The best move that the table knows, as a bit; 0 if it knows none."""
        return int(searches.remembered(np.uint64(mine), np.uint64(theirs), self._block))
