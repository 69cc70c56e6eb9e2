"""The Python interface of the endgame solver: calls on two words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rl_toolkit.kernels.reversi import board
from rl_toolkit.kernels.reversi import endgame_search as searches
from rl_toolkit.kernels.reversi.estimate import MAY_STOP_FROM, PER_DISC
from rl_toolkit.kernels.reversi.table import remembered
from rl_toolkit.kernels.reversi.workspace import Workspace
from rl_toolkit.kernels.threads.crew import together

#: Nodes, about a millisecond, that one thread searches alone before the others are started.
ALONE = 20_000
#: Threads divide the moves of positions with more empty squares than this; many go further down.
SPLIT, SPLIT_BY_MANY = 11, 9
FEW_THREADS = 4


class Solver(Workspace):
    """Exact scores on one board; see `kernels.reversi.endgame_search` for what a score is.

    Positions are two ints: ``mine``, the discs of the side to move, and ``theirs``, as bits (see
    `kernels.rules.reversi`).
    """

    def make(self, *, proofs: bool = True) -> None:
        """Compile or load the machine code now, unless that has been done.

        Without ``proofs`` only what estimates need, which is compiled in half the time.
        """
        remembered.make()
        searches.seems.make()
        if proofs:
            searches.is_above.make()

    def bound(self, mine: int, theirs: int, alpha: int) -> int | None:
        """A lower bound on the score if it is above ``alpha``, else an upper bound.

        ``None`` if stopped before that was known.
        """
        if self.stopped:  # near the end of a game the search itself never checks
            return None
        position = np.uint64(mine), np.uint64(theirs)
        if self._helpers:
            self._allow(min(self._left, ALONE))
        score = searches.is_above(*position, alpha, self.block)
        if self._helpers:
            self._allow(self._left)
            if score == board.STOPPED and not self.stopped:
                score = self._bound_together(position, alpha)
        return None if score == board.STOPPED else int(score)

    def _bound_together(self, position: tuple[np.uint64, np.uint64], alpha: int) -> int:
        """`searches.is_above` by all threads; the first result ends it."""
        split = SPLIT if self.threads <= FEW_THREADS else SPLIT_BY_MANY
        with self._divided(split) as spaces:

            def work(number: int) -> int:
                found = searches.is_above(*position, alpha, spaces[number].block)
                if found != board.STOPPED:
                    self._busy.end()
                return int(found)

            scores = together(work, len(spaces), self._busy.end)
        return next((score for score in scores if score != board.STOPPED), board.STOPPED)

    def narrowed(
        self, mine: int, theirs: int, low: int, high: int, guess: int = 0
    ) -> Iterator[tuple[int, int]]:
        """Yield tighter and tighter bounds on the score, known to lie from ``low`` to ``high``.

        The first null-window search is at ``guess``, each next one at the possible score nearest to
        the last result (MTD(f)). Ends when the bounds meet or the search is stopped.
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
        found = [(-self.area, self.area)]
        found += self.narrowed(mine, theirs, *found[0], guess)
        low, high = found[-1]
        return low if low == high else None

    def estimate(self, mine: int, theirs: int, plies: int) -> float | None:
        """An estimate of the score in discs, by a search of ``plies`` discs.

        ``None`` if stopped before it was known.
        """
        found = searches.seems(np.uint64(mine), np.uint64(theirs), plies, self.block)
        if self._flag[0] and plies >= MAY_STOP_FROM:
            return None
        return float(np.clip(found / PER_DISC, -self.area, self.area))
