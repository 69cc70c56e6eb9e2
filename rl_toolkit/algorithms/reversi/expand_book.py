"""An opening book of 8 × 8 by our own search: the likeliest positions first, as many as asked for.

There are far too many openings to look at them all, so the book grows where good play leads. It
begins with the start. Then, again and again, the cheapest position not yet looked into is looked
into: the engine `reversi` says what each of its moves is worth, and every move leads to a position
of the book. A position costs one more than the one it comes from, and more the worse the move::

    start ── best move ────────────── cost 1 ── its best answer ── cost 2 ── …
          └─ move worse by 2 discs ── cost 1 + 2 · `PER_DISC_LOST`

At last the scores are reasoned back: a position whose moves are in the book is worth what its best
move is worth, and no longer what it seemed to be.

What was looked into is kept in ``<path>.part``, itself a book; the next run goes on from there.
"""

from __future__ import annotations

import heapq
import os
import time
from pathlib import Path

import numpy as np

from rl_toolkit.algorithms.book_building import BuildProgress, Listener
from rl_toolkit.algorithms.reversi.book import Book, Position, canonical, play_canonical, rules_of
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.analysis import Limit, StopSignal
from rl_toolkit.envs import Reversi
from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.status import RUNNING
from rl_toolkit.utils.checked_file import BookError

SIZE = 8
PER_DISC_LOST = 1.0
"""What a move costs for each disc by which it seems worse than the best."""

_SAVE_EVERY = 10.0  # seconds
_MOST = {"plies": 40, "looks": 1_000_000, "depth": 40}


def expand_book(
    path: str | os.PathLike[str],
    plies: int,
    looks: int,
    depth: int,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
) -> Book | None:
    """Make the book of the ``looks`` likeliest positions and their moves; write it to ``path``.

    No position has more than ``plies`` discs above the first four. Each is looked into ``depth``
    plies deep, or one more where it takes that to end with the same side to move. Goes on from what
    an earlier run of the same depth left. ``None`` if ``stop`` was set before the end.
    """
    for name, number in (("plies", plies), ("looks", looks), ("depth", depth)):
        if not 1 <= number <= _MOST[name]:
            raise ValueError(f"{name} is a number from 1 to {_MOST[name]}, not {number}")
    part = Path(f"{os.fspath(path)}.part")
    growing = _Growing(depth, _kept(part, depth))
    started = saved = time.perf_counter()
    looked = 0  # in this run; what an earlier one left took no time

    def keep() -> None:
        Book(SIZE, plies, depth, growing.scores).save(part)

    def tell() -> None:
        if on_progress is not None:
            seconds, done = time.perf_counter() - started, len(growing.opened)
            left = seconds * (looks - done) / looked if looked else None
            on_progress(BuildProgress(done, looks, seconds, left))

    try:
        known = len(growing.scores)
        while len(growing.opened) < looks and growing.open_next(plies):
            if len(growing.scores) == known:  # an earlier run has looked into it
                continue
            known, looked = len(growing.scores), looked + 1
            if stop is not None and stop.is_set():
                keep()
                return None
            if time.perf_counter() - saved > _SAVE_EVERY:
                keep()
                tell()
                saved = time.perf_counter()
        growing.reason_back()
        book = Book(SIZE, plies, depth, growing.scores)
        book.save(path)
    except BaseException:  # also on Ctrl-C: nothing that was looked into gets lost
        keep()
        raise
    tell()
    part.unlink(missing_ok=True)
    return book


def _kept(part: Path, depth: int) -> dict[Position, int]:
    """What an earlier run looked into."""
    if not part.exists():
        return {}
    book = Book.load(part)
    if (book.size, book.depth) != (SIZE, depth):
        raise BookError(f"{part} belongs to another book; finish that one or remove the file")
    return book.sixteenths


class _Growing:
    """A book on its way: what positions seem to be worth, and which to look into next."""

    def __init__(self, depth: int, scores: dict[Position, int]) -> None:
        self.scores = scores
        self.opened: list[Position] = []
        self._rules, self._engine = rules_of(SIZE), ReversiEngine(book=None, every_move=True)
        self._depth = depth
        words = self._rules.encode(np.asarray(Reversi(SIZE).board), 1)
        start = canonical((int(words[0]), int(words[1])))
        self._queue, self._queued = [(0.0, start)], {start}

    def open_next(self, plies: int) -> bool:
        """Look into the cheapest position, and queue those it leads to; no if there is none."""
        if not self._queue:
            return False
        cost, position = heapq.heappop(self._queue)
        following = self._following(position)
        if any(after not in self.scores for after, _ in following.values()):
            self._look_into(position, following)
        self.opened.append(position)
        worth = {after: side * self.scores[after] for after, side in following.values()}
        for after, score in worth.items():
            room = (after[0] | after[1]).bit_count() < plies + 4
            running = self._rules.status(np.array(after, dtype=np.uint64)) == RUNNING
            if room and running and after not in self._queued:
                lost = (max(worth.values()) - score) / PER_DISC
                heapq.heappush(self._queue, (cost + 1 + PER_DISC_LOST * lost, after))
                self._queued.add(after)
        return True

    def _following(self, position: Position) -> dict[int, tuple[Position, int]]:
        """The position after each move, and who is to move there; see `play_canonical`."""
        moves = self._rules.moves(np.array(position, dtype=np.uint64))
        return {move: play_canonical(self._rules, position, move) for move in moves}

    def _look_into(self, position: Position, following: dict[int, tuple[Position, int]]) -> None:
        """Learn what every move seems to be worth; what is known already stays."""
        env = Reversi(SIZE)
        env.set_position(self._rules.decode(np.array(position, dtype=np.uint64), 1), 1)
        self._engine.forget()  # or else the book would depend on when it was interrupted
        # Estimates lean to the side that is to move: let it be the same one for all of them.
        depth = self._depth + (position[0] | position[1]).bit_count() % 2
        for candidate in self._engine.analyse(env, Limit(depth=depth)).candidates:
            after, side = following[candidate.move]
            assert candidate.exact_score is not None, "the engine estimates every move"
            self.scores.setdefault(after, round(side * candidate.exact_score * PER_DISC))

    def reason_back(self) -> None:
        """Score every position looked into by the best of its moves, the latest first."""
        discs = {position: (position[0] | position[1]).bit_count() for position in self.opened}
        for position in sorted(self.opened, key=lambda p: -discs[p]):
            following = self._following(position).values()
            self.scores[position] = max(side * self.scores[after] for after, side in following)
