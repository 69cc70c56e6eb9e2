"""Build an opening book for 8 × 8 by search: the likeliest positions first.

There are far too many openings to search them all, so the book grows where good play leads. It
begins with the start position. Then the cheapest position not yet expanded is expanded, again and
again: the engine `reversi` scores each of its moves, and every move adds a position to the book. A
position costs one more than its parent, and more the worse the move::

    start ── best move ────────────── cost 1 ── its best answer ── cost 2 ── …
          └─ move worse by 2 discs ── cost 1 + 2 · `PER_DISC_LOST`

Finally the scores are backed up: an expanded position gets the score of its best move instead of
its own estimate.

Several threads search positions that will probably be expanded soon. Which position comes next is
decided in the same order as by one thread, so the book does not depend on the number of threads.

Expanded positions are saved in ``<path>.part``, itself a book; an interrupted run resumes from
there.
"""

from __future__ import annotations

import heapq
import os
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from rl_toolkit.algorithms.by_game.books import BuildProgress, Listener
from rl_toolkit.algorithms.reversi.book import Book, Discs, canonical, play_canonical, rules_of
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.analysis import Limit, StopSignal
from rl_toolkit.envs import Reversi
from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.status import RUNNING
from rl_toolkit.utils import BookError

SIZE = 8
PER_DISC_LOST = 1.0
"""The extra cost of a move for each disc by which its estimate is below the best."""

_SAVE_EVERY = 10.0  # seconds
_MEMORY_MB = 64.0  # of the tables of one thread
_MOST = {"plies": 40, "expansions": 1_000_000, "depth": 40}


def expand_book(
    path: str | os.PathLike[str],
    plies: int,
    expansions: int,
    depth: int,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
    workers: int = 1,
) -> Book | None:
    """Build a book by expanding the likeliest ``expansions`` positions; write it to ``path``.

    No position has more than ``plies`` discs beyond the first four. Each is searched ``depth``
    plies deep, or one more so that all searches end with the same side to move, by ``workers``
    threads. Resumes an interrupted build of the same depth. Returns ``None`` if ``stop`` was set
    before the end.
    """
    for name, number in (("plies", plies), ("expansions", expansions), ("depth", depth)):
        if not 1 <= number <= _MOST[name]:
            raise ValueError(f"{name} must be a number from 1 to {_MOST[name]}, not {number}")
    part = Path(f"{os.fspath(path)}.part")
    begun = _load_part(part, depth)
    growing = _Growing(searches := _Searches(depth, workers), begun)
    started = saved = time.perf_counter()
    searched = 0  # in this run; positions of an earlier run took no time

    def save() -> None:
        Book(SIZE, plies, depth, growing.scores).save(part)

    def report() -> None:
        if on_progress is not None:
            seconds, done = time.perf_counter() - started, len(growing.expanded)
            left = seconds * (expansions - done) / searched if searched else None
            on_progress(BuildProgress(done, expansions, seconds, left))

    try:
        known = len(growing.scores)
        while len(growing.expanded) < expansions and growing.expand_next(plies):
            if len(growing.scores) == known:  # searched by an earlier run
                continue
            known, searched = len(growing.scores), searched + 1
            if stop is not None and stop.is_set():
                save()
                return None
            if time.perf_counter() - saved > _SAVE_EVERY:
                save()
                report()
                saved = time.perf_counter()
        growing.back_up_scores()
        book = Book(SIZE, plies, depth, growing.scores)
        book.save(path)
    except BaseException:  # also on Ctrl-C: nothing that was searched is lost
        save()
        raise
    finally:
        searches.close()
    report()
    part.unlink(missing_ok=True)
    return book


def _load_part(part: Path, depth: int) -> dict[Discs, int]:
    """The scores saved by an earlier run."""
    if not part.exists():
        return {}
    book = Book.load(part)
    if (book.size, book.depth) != (SIZE, depth):
        raise BookError(f"{part} belongs to a different book; finish that one or delete the file")
    return book.sixteenths


class _Searches:
    """The scores of all moves of positions, searched by several threads."""

    def __init__(self, depth: int, workers: int) -> None:
        self.ahead = 2 * (workers - 1)
        """How many positions to begin with before they are needed, so that all threads search."""
        self._depth, self._own = depth, threading.local()
        self._pool = ThreadPoolExecutor(workers)
        self._stop = threading.Event()
        self._begun: dict[Discs, Future[dict[int, float]]] = {}

    def begin(self, position: Discs) -> None:
        """Search a position as soon as a thread is free."""
        if position not in self._begun:
            self._begun[position] = self._pool.submit(self._search, position)

    def scores(self, position: Discs) -> dict[int, float]:
        """The score of every move in discs, for the side to move; waits for the search."""
        self.begin(position)
        return self._begun.pop(position).result()

    def close(self) -> None:
        """Stop all searches."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _search(self, position: Discs) -> dict[int, float]:
        engine = getattr(self._own, "engine", None)
        if engine is None:
            engine = ReversiEngine(book=None, every_move=True, max_memory_mb=_MEMORY_MB)
            self._own.engine = engine
        env = Reversi(SIZE)
        env.set_position(rules_of(SIZE).decode(np.array(position, dtype=np.uint64), 1), 1)
        engine.forget()  # otherwise the book would depend on what a thread searched before
        # Estimates favour the side to move at the leaves: make it the same side for all positions.
        depth = self._depth + (position[0] | position[1]).bit_count() % 2
        scores = {}
        for candidate in engine.analyse(env, Limit(depth=depth), stop=self._stop).candidates:
            assert candidate.exact_score is not None, "the engine estimates every move"
            scores[candidate.move] = candidate.exact_score
        return scores


class _Growing:
    """A book under construction: the scores so far, and the positions to expand next."""

    def __init__(self, searches: _Searches, scores: dict[Discs, int]) -> None:
        self.scores = scores
        self.expanded: list[Discs] = []
        self._rules, self._searches = rules_of(SIZE), searches
        words = self._rules.encode(np.asarray(Reversi(SIZE).board), 1)
        start = canonical((int(words[0]), int(words[1])))
        self._queue, self._queued = [(0.0, start)], {start}

    def expand_next(self, plies: int) -> bool:
        """Expand the cheapest position and queue its children; False if there is none."""
        if not self._queue:
            return False
        cost, position = heapq.heappop(self._queue)
        following = self._following(position)
        if any(after not in self.scores for after, _ in following.values()):
            self._search(position, following)
        self.expanded.append(position)
        scores = {after: side * self.scores[after] for after, side in following.values()}
        for after, score in scores.items():
            room = (after[0] | after[1]).bit_count() < plies + 4
            running = self._rules.status(np.array(after, dtype=np.uint64)) == RUNNING
            if room and running and after not in self._queued:
                lost = (max(scores.values()) - score) / PER_DISC
                heapq.heappush(self._queue, (cost + 1 + PER_DISC_LOST * lost, after))
                self._queued.add(after)
        return True

    def _following(self, position: Discs) -> dict[int, tuple[Discs, int]]:
        """The position after each move, and who is to move there; see `play_canonical`."""
        moves = self._rules.moves(np.array(position, dtype=np.uint64))
        return {move: play_canonical(self._rules, position, move) for move in moves}

    def _search(self, position: Discs, following: dict[int, tuple[Discs, int]]) -> None:
        """Score every move by search; positions that have a score keep it."""
        self._searches.begin(position)
        for _, later in self._queue[: self._searches.ahead]:  # of a heap: nearly the cheapest
            if not self._is_scored(later):
                self._searches.begin(later)
        for move, score in self._searches.scores(position).items():
            after, side = following[move]
            self.scores.setdefault(after, round(side * score * PER_DISC))

    def _is_scored(self, position: Discs) -> bool:
        """Whether every move of a position has a score."""
        return all(after in self.scores for after, _ in self._following(position).values())

    def back_up_scores(self) -> None:
        """Give every expanded position the score of its best move, the latest first."""
        discs = {position: (position[0] | position[1]).bit_count() for position in self.expanded}
        for position in sorted(self.expanded, key=lambda p: -discs[p]):
            following = self._following(position).values()
            self.scores[position] = max(side * self.scores[after] for after, side in following)
