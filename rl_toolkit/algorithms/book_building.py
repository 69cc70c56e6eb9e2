"""Solving thousands of positions for a book: by several workers, and never from the start again.

Building takes hours for a deep book, so it can be killed at any moment: what is solved is written
to ``<path>.part`` every few seconds, and the next run begins there.
"""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rl_toolkit.analysis import StopSignal
from rl_toolkit.utils.atomic_file import write_bytes_atomically
from rl_toolkit.utils.checked_file import BookError

UNSOLVED = 127
"""What stands for a score not known yet; scores of books are signed bytes, and smaller."""

_PART = struct.Struct("<8s3BxQ")
_SAVE_EVERY = 10.0  # seconds
_TELL_EVERY = 1.0
_LOOK_EVERY = 0.1

Numbers = npt.NDArray[np.int64]
Worker = Callable[[Numbers], Numbers]
"""Solves the positions with these numbers; `UNSOLVED` for those it was stopped before."""


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a book is: positions solved of all there are, and the time it took and takes.

    ``seconds_left`` is a guess from the speed of this run; ``None`` until there is one.
    """

    solved: int
    positions: int
    seconds: float
    seconds_left: float | None


Listener = Callable[[BuildProgress], object]


class Part:
    """The file that keeps an unfinished book; ``shape`` and ``positions`` tell books apart."""

    def __init__(
        self, path: Path, magic: bytes, shape: tuple[int, int, int], positions: int
    ) -> None:
        self.path = path
        self._head = _PART.pack(magic, *shape, positions)
        self._positions = positions

    def load(self) -> Numbers:
        """Scores found so far, `UNSOLVED` where there is none yet."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return np.full(self._positions, UNSOLVED, dtype=np.int64)
        if not data.startswith(self._head) or len(data) != len(self._head) + self._positions:
            raise BookError(
                f"{self.path} belongs to another book; finish that one or remove the file"
            )
        return np.frombuffer(data, dtype=np.int8, offset=len(self._head)).astype(np.int64)

    def save(self, scores: Numbers) -> None:
        """Keep what is known by now."""
        write_bytes_atomically(self.path, self._head + scores.astype(np.int8).tobytes())


def solve_all(
    scores: Numbers,
    part: Part,
    workers: Sequence[Worker],
    at_a_time: int,
    flag: Numbers,
    on_progress: Listener | None,
    stop: StopSignal | None,
) -> bool:
    """Solve what is unsolved in ``scores``, each worker in a thread; whether nothing is left.

    Workers are handed ``at_a_time`` positions, some seconds of work at most, in order. ``flag[0]``
    is set when they are to stop, which they must heed. What a worker raises is raised here, when
    all have ended and what they found is kept.
    """
    todo = np.flatnonzero(scores == UNSOLVED)
    slices = iter(np.array_split(todo, max(1, -(-todo.size // at_a_time))))
    lock = threading.Lock()
    started, before = time.perf_counter(), scores.size - todo.size

    problems: list[BaseException] = []

    def work(solve: Worker) -> None:
        try:
            while not flag[0]:
                with lock:
                    chosen = next(slices, None)
                if chosen is None:
                    return
                scores[chosen] = solve(chosen)
        except BaseException as problem:
            problems.append(problem)
            flag[0] = 1

    def tell() -> None:
        solved, seconds = int((scores != UNSOLVED).sum()), time.perf_counter() - started
        left = None
        if solved > before:
            left = (scores.size - solved) * seconds / (solved - before)
        if on_progress is not None:
            on_progress(BuildProgress(solved, scores.size, seconds, left))

    flag[0] = stop is not None and stop.is_set()
    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    saved = told = started
    tell()
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(_LOOK_EVERY)
            if stop is not None and stop.is_set():
                flag[0] = 1
            now = time.perf_counter()
            if now - saved > _SAVE_EVERY:
                part.save(scores)
                saved = now
            if now - told > _TELL_EVERY:
                tell()
                told = now
    finally:
        # Also on Ctrl-C: nothing that is solved gets lost.
        flag[0] = 1
        for thread in threads:
            thread.join()
        part.save(scores)
    tell()
    if problems:
        raise problems[0]
    return bool((scores != UNSOLVED).all())
