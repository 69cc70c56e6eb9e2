"""The engine ``reversi``: looks ahead with the learned evaluation, and solves when it can.

Far from the end it looks 1, 2, 3 … plies ahead until its time is up (iterative deepening), judging
positions by the evaluation of `kernels.reversi.patterns` and sparing itself what a shallow look
answers well enough (`kernels.reversi.probcut`). As soon as few enough squares are empty for the
time it has, it proves the best move with the search of `kernels.reversi.endgame`.
"""

from __future__ import annotations

import os
from typing import Literal

from rl_toolkit.algorithms.reversi.book import Book, shipped_book
from rl_toolkit.algorithms.reversi.probcut import measured_reaches
from rl_toolkit.algorithms.reversi.search import Search, checked
from rl_toolkit.algorithms.reversi.weights import load_weights, shipped_weights
from rl_toolkit.algorithms.search_control import SearchClock, report
from rl_toolkit.analysis import Analysis, Limit, ProgressCallback, StopSignal, analysis_of
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.records import position_to_text

#: How long it thinks if nobody says.
DEFAULT_SECONDS = 2.0

#: With so many seconds it starts proving when so many squares are empty (see docs/reversi.md).
PROOFS_FROM = ((0.0, 12), (0.05, 14), (0.2, 16), (0.5, 18), (1.0, 20), (5.0, 22), (30.0, 24))
#: The same by nodes, for limits that make a run repeatable.
PROOFS_BY_NODES = ((0, 10), (50_000, 12), (100_000, 14), (1_000_000, 16), (20_000_000, 20))
#: The first looks, of so many plies, value every move by itself: cheap, and a good order for later.
EVERY_UP_TO = 4
#: Proofs begin with estimates that look so many plies ahead.
DEPTH_BEFORE_PROOFS = 6
#: To prove every move takes about as long as to prove the best with so many more squares empty.
SQUARES_FOR_ALL = 2


class ReversiEngine:
    """Plays Reversi on boards of all sizes, well at once and perfectly near the end.

    Args:
        max_memory_mb: cap on the tables of both searches together.
        every_move: find out what each move is worth by itself, not only the best; that leaves
            less time to look deep.
        seed: choose among equally good moves at random; without one corners come first.
        book: an opening book, ``None`` for none; ``"shipped"`` is the one that comes with the
            package. It is asked where the search is limited by nothing but the clock.
        weights: a file of a learned evaluation, `WeightsError` where it cannot be used; by default
            the one shipped for the board.
        selective: leave out, before the end, what is very likely of no consequence; on 8×8.
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
    ) -> None:
        if not max_memory_mb > 0:
            raise ValueError(f"max_memory_mb must be positive, not {max_memory_mb!r}")
        self.max_memory_mb, self.every_move, self.seed = max_memory_mb, every_move, seed
        self._book, self.weights, self.selective = book, weights, selective
        self._workers: tuple[Solver, Thinker] | None = None
        if weights is not None:
            load_weights(weights, None)  # a file that is spoilt is refused before a game begins

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """What every legal move seems to be worth, in discs, and what is proven of it.

        The best move gets its own estimate; of the others it is found out that they are worse,
        unless ``every_move`` asks for more. Those have no score but a value, from the short look
        that began the search, and a note says what they seem to get at most. Near the end the best
        move is proven, or every move. Where there is only one, and nothing but the clock to say
        when to stop, a short look is enough.
        """
        game, rules = checked(env)
        limit = (limit or Limit()).or_else(Limit(time=DEFAULT_SECONDS))
        solver, thinker = self._workers_for(game.rows)
        search = Search(game, rules, solver)
        book = self._book_for(game.rows, limit)
        depth, notes = 0, tuple[str, ...]()
        before = solver.nodes + thinker.nodes
        with SearchClock(limit.time, stop) as clock:
            solver.watch(clock.flag, limit.nodes)
            thinker.watch(clock.flag, limit.nodes)

            def analysis() -> Analysis:
                return analysis_of(
                    game,
                    position_to_text(game),
                    self.name,
                    search.candidates(self.seed),
                    nodes=solver.nodes + thinker.nodes - before,
                    depth=depth,
                    elapsed=clock.elapsed,
                    seed=self.seed,
                    notes=notes,
                )

            def tell() -> None:
                if on_progress is not None:  # or else making an analysis is a waste
                    report(on_progress, analysis())

            if game.is_terminal():
                return analysis()
            if book is not None and search.consult(book):
                depth, notes = book.depth, ("from the opening book",)
                return analysis()
            search.estimate_moves(1)
            prove = _can_prove(search.empties, limit, self.every_move)
            deepest = min(limit.depth or search.empties, search.empties)
            if prove or (len(search.known) == 1 and limit == Limit(time=limit.time)):
                deepest = min(deepest, DEPTH_BEFORE_PROOFS)
            for depth in range(1, deepest + 1):
                # An interrupted proof falls back on estimates: then all moves need their own.
                every = prove or self.every_move or depth <= EVERY_UP_TO
                if not search.deepen(thinker, depth, every):
                    depth -= 1
                    break
                tell()
            if prove:
                if limit.nodes is not None:
                    left = limit.nodes - (solver.nodes + thinker.nodes - before)
                    solver.watch(clock.flag, max(left, 0))
                for step in (search.find_best, search.find_rest)[: 1 + self.every_move]:
                    for _ in step():
                        tell()
            return analysis()

    def forget(self) -> None:
        """Empty the tables."""
        for worker in self._workers or ():
            worker.forget()

    def _book_for(self, size: int, limit: Limit) -> Book | None:
        """The opening book, where it may be asked."""
        if limit.depth is not None or limit.nodes is not None:
            return None
        return shipped_book(size) if self._book == "shipped" else self._book

    def _workers_for(self, size: int) -> tuple[Solver, Thinker]:
        """Both searches with their tables, made anew for another board."""
        if self._workers is None or self._workers[0].size != size:
            own, half = self.weights, self.max_memory_mb / 2
            weights = shipped_weights(size) if own is None else load_weights(own, size)
            reaches = measured_reaches() if self.selective and size == 8 else None
            if weights is None:  # nothing was measured of the evaluation made by hand
                reaches = None
            self._workers = Solver(size, half, weights), Thinker(size, half, weights, reaches)
        for worker in self._workers:
            worker.make()
            worker.new_search()
        return self._workers


def _can_prove(empties: int, limit: Limit, every_move: bool) -> bool:
    """Whether a proof, of the best move or of all, can be expected within ``limit``."""
    if limit.depth is not None and limit.depth < empties:
        return False
    allowed = []
    if limit.time is not None:
        allowed.append(max(most for seconds, most in PROOFS_FROM if seconds <= limit.time))
    if limit.nodes is not None:
        allowed.append(max(most for nodes, most in PROOFS_BY_NODES if nodes <= limit.nodes))
    harder = empties + SQUARES_FOR_ALL if every_move else empties
    return harder <= min(allowed, default=harder)
