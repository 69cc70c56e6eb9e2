"""The engine ``reversi``: searches with the learned evaluation, and solves the endgame.

Far from the end it searches 1, 2, 3 … plies deep until its time is up (iterative deepening), with
the evaluation of `kernels.reversi.patterns` and the forward pruning of `kernels.reversi.probcut`.
Once few enough squares are empty for the time it has, it proves the best move with the search of
`kernels.reversi.endgame`.
"""

from __future__ import annotations

import os
from typing import Literal

from rl_toolkit.algorithms.reversi.book import Book, shipped_book
from rl_toolkit.algorithms.reversi.probcut import measured_reaches
from rl_toolkit.algorithms.reversi.search import Search, checked
from rl_toolkit.algorithms.reversi.weights import load_weights, shipped_weights
from rl_toolkit.algorithms.search_control import SearchClock, report
from rl_toolkit.analysis import Analysis, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.kernels.threads import crew

#: The time limit when no limit is given.
DEFAULT_SECONDS = 2.0

#: ``(seconds, empty squares)``: with at least this much time, it proves positions with at most this
#: many empty squares (see docs/explanation/reversi.md).
PROOFS_FROM = ((0.0, 14), (0.05, 16), (0.1, 19), (0.5, 20), (1.0, 22), (5.0, 24))
#: The same by nodes, for limits that make a run repeatable.
PROOFS_BY_NODES = ((0, 10), (50_000, 12), (100_000, 14), (1_000_000, 16), (20_000_000, 20))
#: Searches up to this depth estimate every move: that is cheap, and orders later searches well.
EVERY_UP_TO = 4
#: The search depth of the estimates before a proof.
DEPTH_BEFORE_PROOFS = 6
#: Proving every move takes about as long as proving the best with this many more empty squares.
SQUARES_FOR_ALL = 2


class ReversiEngine:
    """Plays Reversi on boards of all sizes: strong from the start, perfect near the end.

    Args:
        max_memory_mb: memory cap on the tables of both searches together.
        every_move: score every move, not only the best one; leaves less time for depth.
        seed: choose among equally good moves at random; without one corners come first.
        book: an opening book, ``None`` for none; ``"shipped"`` is the one that comes with the
            package. It is used only when nothing but time limits the search.
        weights: a file with a learned evaluation, `WeightsError` if it cannot be used; by default
            the one shipped for the board.
        selective: use forward pruning before the endgame; on 8×8.
        threads: how many threads search; with more than one a search is not repeatable.
    """

    name = "reversi"

    def __init__(
        self,
        *,
        max_memory_mb: float = 256,
        every_move: bool = False,
        seed: int | None = None,
        book: Book | Literal["shipped"] | None = "shipped",
        weights: str | os.PathLike[str] | None = None,
        selective: bool = True,
        threads: int = 1,
    ) -> None:
        if not max_memory_mb > 0:
            raise ValueError(f"max_memory_mb must be positive, not {max_memory_mb!r}")
        self.max_memory_mb, self.every_move, self.seed = max_memory_mb, every_move, seed
        self.threads = crew.checked(threads)
        self._book, self.weights, self.selective = book, weights, selective
        self._workers: tuple[Solver, Thinker] | None = None
        if weights is not None:
            load_weights(weights, None)  # reject a damaged file before a game begins

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Estimate the legal moves in discs, and prove the best one near the end.

        Without ``every_move`` only the best move gets an estimate of its own at full depth; the
        score of the others is an upper bound, and their value comes from the shallow searches at
        the beginning. Near the end the best move, or every move, is proven. If there is only one
        legal move and only a time limit, a shallow search is enough.
        """
        game, rules = checked(env)
        limit = (limit or Limit()).or_else(Limit(time=DEFAULT_SECONDS))
        solver, thinker = self._workers_for(game.rows)
        search = Search(game, rules, solver)
        prove = _can_prove(search.empties, limit, self.every_move)
        solver.make(proofs=prove)  # the compiler's time is not the engine's
        book = self._book_for(game.rows, limit)
        depth, notes = 0, tuple[str, ...]()
        before = solver.nodes + thinker.nodes
        with SearchClock(limit.time, stop) as clock:
            solver.watch(clock.flag, limit.nodes)
            thinker.watch(clock.flag, limit.nodes)

            def analysis() -> Analysis:
                return Analysis.of(
                    game,
                    self.name,
                    search.candidates(self.seed),
                    nodes=solver.nodes + thinker.nodes - before,
                    depth=depth,
                    elapsed=clock.elapsed,
                    seed=self.seed,
                    threads=(solver if prove else thinker).threads,
                    notes=notes,
                )

            def report_progress() -> None:
                if on_progress is not None:  # otherwise skip building an analysis
                    report(on_progress, analysis())

            if game.is_terminal():
                return analysis()
            if book is not None and search.consult(book):
                depth, notes = book.depth, ("From the opening book",)
                return analysis()
            search.estimate_moves(1)
            deepest = min(limit.depth or search.empties, search.empties)
            if prove or (len(search.known) == 1 and limit == Limit(time=limit.time)):
                deepest = min(deepest, DEPTH_BEFORE_PROOFS)
            for depth in range(1, deepest + 1):
                # An interrupted proof falls back on estimates, so every move needs its own.
                every = prove or self.every_move or depth <= EVERY_UP_TO
                if not search.deepen(thinker, depth, every):
                    depth -= 1
                    break
                report_progress()
            if prove:
                if limit.nodes is not None:
                    left = limit.nodes - (solver.nodes + thinker.nodes - before)
                    solver.watch(clock.flag, max(left, 0))
                for step in (search.find_best, search.find_rest)[: 1 + self.every_move]:
                    for _ in step():
                        report_progress()
            return analysis()

    def forget(self) -> None:
        """Empty the tables."""
        for worker in self._workers or ():
            worker.forget()

    def _book_for(self, size: int, limit: Limit) -> Book | None:
        """The opening book, if the limit allows its use."""
        if limit.depth is not None or limit.nodes is not None:
            return None
        return shipped_book(size) if self._book == "shipped" else self._book

    def _workers_for(self, size: int) -> tuple[Solver, Thinker]:
        """Both searches with their tables; new ones for a board of another size."""
        if self._workers is None or self._workers[0].size != size:
            own, half = self.weights, self.max_memory_mb / 2
            weights = shipped_weights(size) if own is None else load_weights(own, size)
            reaches = measured_reaches() if self.selective and size == 8 else None
            if weights is None:  # the errors of the handwritten evaluation were never measured
                reaches = None
            self._workers = Solver(size, half, weights), Thinker(size, half, weights, reaches)
        solver, thinker = self._workers
        solver.use(crew.allowed(self.threads))
        thinker.use(crew.allowed(self.threads))
        solver.new_search()
        thinker.make()
        thinker.new_search()
        return self._workers


def _can_prove(empties: int, limit: Limit, every_move: bool) -> bool:
    """Whether to expect a proof, of the best move or of every move, within ``limit``."""
    if limit.depth is not None and limit.depth < empties:
        return False
    allowed = []
    if limit.time is not None:
        allowed.append(max(most for seconds, most in PROOFS_FROM if seconds <= limit.time))
    if limit.nodes is not None:
        allowed.append(max(most for nodes, most in PROOFS_BY_NODES if nodes <= limit.nodes))
    harder = empties + SQUARES_FOR_ALL if every_move else empties
    return harder <= min(allowed, default=harder)
