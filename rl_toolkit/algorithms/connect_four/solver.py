"""The exact engine for Connect Four: the proven score of every move.

`ConnectFourSolver` combines the compiled search with an opening book and works on games instead of
bitboards: `solve` and `score_moves` return scores, `analyse` an `Analysis`.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from rl_toolkit.algorithms.connect_four.book import Book, shipped_book
from rl_toolkit.algorithms.connect_four.position import (
    Bitboards,
    after,
    checked,
    completes_four,
    distance_of,
    position_of,
)
from rl_toolkit.algorithms.connect_four.scorer import Known, Scorer
from rl_toolkit.algorithms.search_control import SearchClock, report
from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Limit,
    ProgressCallback,
    StopSignal,
    outcome_of,
)
from rl_toolkit.envs import BaseGameEnv, ConnectFour
from rl_toolkit.kernels.connect_four.solver import EVERY_IDEA, LARGE_LOG, Ideas, Solver
from rl_toolkit.kernels.threads import crew
from rl_toolkit.utils import BookError

SHIPPED = "shipped"

MOST_EMPTY = 36
"""On boards without a book, positions with up to this many empty cells usually take seconds."""

KnownMoves = dict[int, Known]
Lines = dict[int, tuple[int, ...]]


class ConnectFourSolver:
    """Plays Connect Four perfectly on every board that fits in 64 bits, above all on 6 × 7.

    Scores: 0 is a draw; winning with one's n-th stone scores 22 − n on 6 × 7, so that faster wins
    score more (in general 1 + half the cells left empty); a loss is the winner's score negated.

    Args:
        book: the opening book: a `Book`, a file, ``None`` for none, or the one that is shipped. A
            book that cannot be used is ignored; `book_problem` and a note in every analysis say
            why.
        weak: find out only who wins, not how fast; scores are then 1, 0 and −1.
        lines: include the best line after each move in an analysis, not only its score.
        ideas: switches of the search; scores do not depend on them.
        log_buckets: size of the table; each step doubles it, 21 is 32 MB.
        seed: choose among equally good moves at random; without one the most central comes first.
        threads: how many threads search one position.
    """

    name = "exact"

    def __init__(
        self,
        *,
        book: Book | str | os.PathLike[str] | None = SHIPPED,
        weak: bool = False,
        lines: bool = True,
        ideas: Ideas = EVERY_IDEA,
        log_buckets: int = LARGE_LOG,
        seed: int | None = None,
        threads: int = 1,
    ) -> None:
        self.threads = crew.checked(threads)
        self.weak, self.lines, self.ideas, self.seed = weak, lines and not weak, ideas, seed
        self.book_problem: str | None = None
        self.book = self._open(book)
        self._log_buckets = log_buckets
        self._scorer: Scorer | None = None

    def _open(self, book: Book | str | os.PathLike[str] | None) -> Book | None:
        if book is None or isinstance(book, Book):
            return book
        try:
            return shipped_book() if book == SHIPPED else Book.load(book)
        except BookError as error:
            self._ignore_book(error)
            return None

    def _ignore_book(self, reason: BookError) -> None:
        self.book_problem = f"Solved without an opening book: {reason}"

    # --------------------------------------------------------------------------- numbers

    @property
    def nodes(self) -> int:
        """Positions visited so far, on the board last used."""
        return 0 if self._scorer is None else self._scorer.solver.nodes

    def forget(self) -> None:
        """Empty the tables; the book stays."""
        if self._scorer is not None:
            self._scorer.solver.forget()

    def solve(self, env: ConnectFour) -> int:
        """The score of an unfinished game for its side to move.

        >>> from rl_toolkit.records import from_transcript
        >>> ConnectFourSolver(book=None).solve(from_transcript("connect-four", "4455"))
        18
        """
        env = _running(env)
        return self._unlimited(env).position(position_of(env), sign_only=False).low

    def score_moves(self, env: ConnectFour) -> dict[int, int]:
        """The score of every legal move of an unfinished game, for its side to move."""
        env = _running(env)
        scorer, position = self._unlimited(env), position_of(env)
        scores = {move: scorer.move(position, move).low for move in _central_first(env)}
        return dict(sorted(scores.items()))

    def moves_above(self, env: ConnectFour, alpha: int, most: int) -> list[int]:
        """Legal moves of an unfinished game that score more than ``alpha``; at most ``most``.

        Much faster than the scores of all moves, because nothing else is proven.
        """
        env = _running(env)
        scorer, position = self._unlimited(env), position_of(env)
        found = (move for move in _central_first(env) if scorer.is_above(position, move, alpha))
        return list(islice(found, most))

    def solve_many(self, games: Sequence[ConnectFour], threads: int = 1) -> list[int]:
        """The scores of unfinished games of one board size, on several threads with one table."""
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        if not games:
            return []
        envs = [_running(game) for game in games]
        if len({(env.rows, env.cols) for env in envs}) > 1:
            raise ValueError("games to be solved together must have boards of the same size")
        scorer = self._unlimited(envs[0])
        scorer.solver.use(1)  # each thread has a position of its own
        scorer.solver.make()
        stones = [_stones(env) for env in envs]
        self._prepare_book(scorer, min(stones), max(stones))
        scores = [0] * len(envs)
        waiting, lock = iter(enumerate(envs)), threading.Lock()

        def work(scorer: Scorer) -> None:
            while True:
                with lock:
                    number, env = next(waiting, (-1, None))
                if env is None:
                    return
                scores[number] = scorer.position(position_of(env), sign_only=False).low

        others = [
            threading.Thread(target=work, args=(scorer.twin(),))
            for _ in range(min(threads, len(envs)) - 1)
        ]
        for thread in others:
            thread.start()
        work(scorer)
        for thread in others:
            thread.join()
        return scores

    # ---------------------------------------------------------------------------- engine

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Prove the score of every legal move, with the line that leads to it.

        Who wins after each move is found first, then how fast, then the line. If stopped early,
        moves without a proof are estimates. Limits on depth and simulations do not apply, and a
        note says so.
        """
        game, limit = checked(env), limit or Limit()
        scorer = self._scorer_for(game)
        solver = scorer.solver
        solver.make()  # before the clock starts
        # A line passes through every ply of the book; a score needs only the next one.
        stones = _stones(game) + 1
        self._prepare_book(scorer, stones, None if self.lines else stones)
        nodes_before = solver.nodes
        known: KnownMoves = {}
        lines: Lines = {}
        with SearchClock(limit.time, stop) as clock:
            solver.watch(clock.flag, limit.nodes)

            def so_far() -> Analysis:
                nodes = solver.nodes - nodes_before
                return replace(
                    self._analysis(game, known, lines, nodes, clock.elapsed),
                    notes=self._notes(limit),
                )

            if not game.is_terminal():
                position = position_of(game)
                for step in (self._find_outcomes, self._find_scores, self._find_lines):
                    for move in _central_first(game):
                        if solver.stopped:
                            break
                        step(scorer, position, move, known, lines)
                        if on_progress is not None:
                            report(on_progress, so_far())
            return so_far()

    def _find_outcomes(
        self, scorer: Scorer, position: Bitboards, move: int, known: KnownMoves, _: Lines
    ) -> None:
        """Find who wins after the move."""
        known[move] = scorer.move(position, move, sign_only=True)

    def _find_scores(
        self, scorer: Scorer, position: Bitboards, move: int, known: KnownMoves, _: Lines
    ) -> None:
        """Find the exact score of a move: how soon it wins or loses."""
        if not (self.weak or known[move].exact):
            known[move] = scorer.move(position, move, known[move])

    def _find_lines(
        self, scorer: Scorer, position: Bitboards, move: int, known: KnownMoves, lines: Lines
    ) -> None:
        """Find the line of best play after a move."""
        if self.lines and known[move].exact:
            lines[move] = scorer.line(position, move, known[move].low)

    def _analysis(
        self,
        env: ConnectFour,
        known: KnownMoves,
        lines: Lines,
        nodes: int,
        elapsed: float,
    ) -> Analysis:
        moves = _central_first(env)
        if self.seed is not None:
            random.Random(self.seed).shuffle(moves)
        candidates = [
            self._candidate(env, move, known.get(move), lines.get(move, (move,))) for move in moves
        ]
        ranks = {move: _rank(known.get(move), c.value)
                 for move, c in zip(moves, candidates, strict=True)}  # fmt: skip
        candidates.sort(key=lambda candidate: ranks[candidate.move], reverse=True)
        return Analysis.of(
            env,
            self.name,
            candidates,
            nodes=nodes,
            elapsed=elapsed,
            seed=self.seed,
            threads=1 if self._scorer is None else self._scorer.solver.threads,
        )

    def _notes(self, limit: Limit) -> tuple[str, ...]:
        notes = [] if self.book_problem is None else [self.book_problem]
        if limit.depth is not None or limit.simulations is not None:
            notes.append(
                "The exact solver searches to the end of the game; only time and nodes limit it"
            )
        return tuple(notes)

    def _candidate(
        self, env: ConnectFour, move: int, known: Known | None, line: tuple[int, ...]
    ) -> Candidate:
        candidate = Candidate(move, env.move_name(move), 0.0, line=line)
        sign = None if known is None else known.sign
        if known is None or sign is None:
            return replace(candidate, value=self._estimate(env, move, known))
        if self.weak or not known.exact:
            return replace(candidate, value=float(sign), outcome=outcome_of(sign), proven=True)
        return _proven(env, move, known.low, line)

    def _estimate(self, env: ConnectFour, move: int, known: Known | None) -> float:
        """The heuristic after the move, clipped to the known bounds."""
        game = env.copy()
        game.step(move)
        value = game.evaluate_heuristic(env.current_player)
        if known is not None and known.high <= 0:
            value = min(value, 0.0)
        if known is not None and known.low >= 0:
            value = max(value, 0.0)
        return value

    # ---------------------------------------------------------------------- small pieces

    def _scorer_for(self, env: ConnectFour) -> Scorer:
        """The scorer with its table; a new one for a board of another size."""
        shape = (env.rows, env.cols)
        if self._scorer is None or (self._scorer.rows, self._scorer.cols) != shape:
            solver = Solver(*shape, ideas=self.ideas, log_buckets=self._log_buckets)
            self._scorer = Scorer(solver, self.book, weak=self.weak)
        self._scorer.solver.use(crew.allowed(self.threads))
        return self._scorer

    def _unlimited(self, env: ConnectFour) -> Scorer:
        """The scorer without a limit."""
        scorer = self._scorer_for(env)
        scorer.solver.watch(np.zeros(1, dtype=np.int64))
        return scorer

    def _prepare_book(self, scorer: Scorer, fewest: int, most: int | None = None) -> None:
        """Load the layers of the book for positions with ``fewest`` to ``most`` stones now.

        The book still helps one ply beyond its last; see `Scorer`.
        """
        if scorer.book is None or fewest > scorer.book.plies + 1:
            return
        try:
            scorer.book.prepare(most)
        except BookError as error:
            self.book = scorer.book = None
            self._ignore_book(error)


def book_candidates(env: ConnectFour, book: Book) -> list[Candidate]:
    """The legal moves whose scores are in ``book``, or that win at once; no line is looked up."""
    if env.win_length != 4 or (env.rows, env.cols) != (book.rows, book.cols):
        return []
    position, left = position_of(env), env.board.size - _stones(env)
    candidates = []
    for move in _central_first(env):
        score: int | None = (left + 1) // 2
        if not completes_four(position, move, env.rows):
            written = book.score(*after(position, move, env.rows)) if left > 1 else 0
            score = None if written is None else -written
        if score is not None:
            candidates.append(_proven(env, move, score, (move,)))
    return candidates


def _proven(env: ConnectFour, move: int, score: int, line: tuple[int, ...]) -> Candidate:
    """A move with its exact score for the side to move."""
    sign = float((score > 0) - (score < 0))
    distance = distance_of(score, _stones(env), env.rows * env.cols)
    return Candidate(
        move,
        env.move_name(move),
        sign,
        outcome_of(sign),
        proven=True,
        distance=distance,
        score=float(score),
        line=line,
    )


def _running(env: ConnectFour) -> ConnectFour:
    game = checked(env)
    if game.is_terminal():
        raise ValueError("there is nothing to solve: the game is over")
    return game


def _stones(env: ConnectFour) -> int:
    """The number of stones on the board; `move_count` does not include those set up by hand."""
    return int(np.count_nonzero(env.board))


def _central_first(env: ConnectFour) -> list[int]:
    """The legal moves, those nearest the centre first."""
    priorities = env.move_priorities()
    return sorted(env.get_legal_moves(), key=lambda move: -int(priorities[move]))


def _rank(known: Known | None, value: float | None) -> float:
    """Sort key: by known score, with estimates between proven wins and losses."""
    if known is None or known.sign is None:
        return 0.99 * (value or 0.0)
    return float(known.low if known.sign > 0 else known.high)
