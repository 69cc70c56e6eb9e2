"""The exact engine for Reversi: the proven final difference in discs after every move.

`ReversiSolver` applies the compiled search of `kernels.reversi.endgame` to games: `solve` and
`score_moves` return scores, `analyse` an `Analysis`.

**Scores.** A score is the final difference in discs for the side to move, with best play by both
sides; empty squares count for the winner. So a wipe-out on 8×8 scores 64, and scores are even.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from rl_toolkit.algorithms.reversi.book import SHIPPED, Book, shipped_book
from rl_toolkit.algorithms.reversi.probcut import measured_reaches
from rl_toolkit.algorithms.reversi.search import ESTIMATE_PLIES, Search, checked
from rl_toolkit.algorithms.reversi.weights import shipped_weights
from rl_toolkit.algorithms.search_control import SearchClock, report
from rl_toolkit.analysis import Analysis, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.kernels.threads import crew

#: On 8×8, positions with more empty squares than this get a time limit if no limit is given …
MOST_EMPTY = 26
#: … of this many seconds, after which the moves are estimates.
DEFAULT_SECONDS = 5.0

_LEFT_BY_GUESS = 10  # `solve` begins at the estimate of a search that leaves so many empty squares
_MOST_GUESS_PLIES = 16
_GUESS_MEGABYTES = 16
_SMALL = 16  # empty squares for which a table of 1 MB is enough; each further one doubles it


class ReversiSolver:
    """Plays Reversi perfectly once few enough squares are empty, on 4×4 and 6×6 always.

    Args:
        max_memory_mb: memory cap on the table; small positions use less.
        every_move: prove the score of every move; otherwise only that of the best one, and that
            the others score no more.
        seed: choose among equally good moves at random; without one corners come first.
        book: exact scores of the first plies, ``None`` for none; ``"shipped"`` is the one for 6×6
            that comes with the package. If it is damaged it is ignored, and a note says so.
        threads: how many threads search one position.
    """

    name = "exact"

    def __init__(
        self,
        *,
        max_memory_mb: float = 512,
        every_move: bool = True,
        seed: int | None = None,
        book: Book | Literal["shipped"] | None = "shipped",
        threads: int = 1,
    ) -> None:
        if not max_memory_mb > 0:
            raise ValueError(f"max_memory_mb must be positive, not {max_memory_mb!r}")
        if isinstance(book, Book) and not book.exact:
            raise ValueError("this book holds estimates; the exact solver needs exact scores")
        self.threads = crew.checked(threads)
        self.max_memory_mb, self.every_move = max_memory_mb, every_move
        self.seed, self._book = seed, book
        self._solver: Solver | None = None
        self._guesser: Thinker | None = None
        self._megabytes = 0.0

    # --------------------------------------------------------------------------- numbers

    def solve(self, env: Reversi) -> int:
        """The score of a position for its side to move.

        >>> ReversiSolver().solve(Reversi(4))
        -10
        """
        search = self._search(env)
        book = self._book_for(search.game)
        book_score = None if book is None else book.score(search.root)
        if book_score is not None:
            return round(book_score)
        if search.has_twins:  # then at least half of the moves need no search
            for _ in search.find_best():
                pass
            return max(known.low for known in search.known.values())
        score = search.solver.solve(*search.root, guess=self._guess(search))
        assert score is not None, "nothing can stop this search"
        return score

    def score_moves(self, env: Reversi) -> dict[int, int]:
        """The score of every legal move of an unfinished game, for its side to move."""
        search = self._search(env)
        search.consult(self._book_for(search.game))
        for step in (search.find_best, search.find_rest):
            for _ in step():
                pass
        return {move: search.known[move].low for move in env.get_legal_moves()}

    def _guess(self, search: Search) -> int:
        """What the score seems to be: the nearer to the truth, the fewer searches find it."""
        size, depth = search.game.rows, search.empties - _LEFT_BY_GUESS
        if size < 8 or depth <= ESTIMATE_PLIES:
            return round(search.estimate(search.words) or 0)
        if self._guesser is None:
            weights = shipped_weights(size)
            reaches = None if weights is None else measured_reaches()
            self._guesser = Thinker(size, _GUESS_MEGABYTES, weights, reaches)
        self._guesser.make()
        self._guesser.new_search()
        score: float | None = 0.0
        for plies in range(1, min(depth, _MOST_GUESS_PLIES) + 1):
            score = self._guesser.think(*search.root, plies)
        assert score is not None, "nothing can stop this search"
        return round(score)

    # ---------------------------------------------------------------------------- engine

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Prove the score of every legal move, with the line that leads to it.

        The best move is proven first, then the others. If stopped early, moves without a proof are
        estimates. A depth limit below the number of empty squares allows estimates only. For moves
        from the book, the line ends with the book.
        """
        search = self._search(env)
        limit, notes = self._with_default(limit or Limit(), search)
        before = search.solver.nodes
        with SearchClock(limit.time, stop) as clock:
            search.solver.watch(clock.flag, limit.nodes)

            def analysis() -> Analysis:
                return self._analysis(search, search.solver.nodes - before, clock.elapsed, notes)

            def report_progress() -> None:
                if on_progress is not None:  # otherwise skip building an analysis
                    report(on_progress, analysis())

            if not search.game.is_terminal():
                if not search.consult(self._book_for(search.game)):
                    search.estimate_moves(min(limit.depth or ESTIMATE_PLIES, ESTIMATE_PLIES))
                report_progress()
                if limit.depth is None or limit.depth >= search.empties:
                    for step in (search.find_best, search.find_rest)[: 1 + self.every_move]:
                        for _ in step():
                            report_progress()
            return analysis()

    def _with_default(self, limit: Limit, search: Search) -> tuple[Limit, tuple[str, ...]]:
        """``limit``, or a few seconds for a position too large to solve, and notes."""
        if search.game.rows < 8 or search.empties <= MOST_EMPTY:
            return limit, self._missing_book(search)
        note = (
            f"{search.empties} empty squares are too many to solve; "
            "scores without a proof are estimates"
        )
        return limit.or_else(Limit(time=DEFAULT_SECONDS)), (note,)

    def _book_for(self, env: Reversi) -> Book | None:
        """The book, if it has exact scores for this board."""
        book = shipped_book(env.rows) if self._book == "shipped" else self._book
        return book if book is not None and book.exact and book.size == env.rows else None

    def _missing_book(self, search: Search) -> tuple[str, ...]:
        size = search.game.rows
        if size == 8 or self._book != "shipped" or size not in SHIPPED or shipped_book(size):
            return ()
        return (f"The {size}×{size} opening book cannot be used; the first moves take long",)

    def _search(self, env: BaseGameEnv) -> Search:
        """A search of the position; compiles if necessary."""
        game, rules = checked(env)
        search = Search(game, rules, self._solver_for(game))
        search.solver.make()
        search.solver.new_search()
        search.solver.watch(np.zeros(1, dtype=np.int64))
        return search

    def _solver_for(self, env: Reversi) -> Solver:
        """The solver with its table; a new one for another board size or a larger table."""
        empties = int(np.count_nonzero(np.asarray(env.board) == 0))
        wanted = min(self.max_memory_mb, 2.0 ** max(0, empties - _SMALL))
        if self._solver is None or self._solver.size != env.rows or wanted > self._megabytes:
            self._solver = Solver(env.rows, wanted, shipped_weights(env.rows))
            self._megabytes = wanted
        self._solver.use(crew.allowed(self.threads))
        return self._solver

    def _analysis(
        self, search: Search, nodes: int, elapsed: float, notes: tuple[str, ...]
    ) -> Analysis:
        return Analysis.of(
            search.game,
            self.name,
            search.candidates(self.seed),
            nodes=nodes,
            elapsed=elapsed,
            seed=self.seed,
            threads=search.solver.threads,
            notes=notes,
        )
