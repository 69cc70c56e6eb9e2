"""Building an opening book: solve every position of one ply, then reason back to the first.

Only the last ply is solved by search; a position with fewer stones is worth what its best move is
worth, and its moves lead to positions already known.

Building takes hours for a deep book, so it can be killed at any moment: what is solved is written
to ``<path>.part`` every few seconds, and the next run begins there.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.connect_four_book import Book, BookError, Scores
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.connect_four_board import fits
from rl_toolkit.kernels.connect_four_layers import Layers
from rl_toolkit.kernels.connect_four_solver import Solver
from rl_toolkit.kernels.spec import LineSpec
from rl_toolkit.utils.atomic_file import write_bytes_atomically

UNSOLVED = 127
_PART = struct.Struct("<8s3BxQ")
_PART_MAGIC = b"C4PART\r\n"
_SLICE = 16  # positions a worker takes at a time: seconds of work at most
_SAVE_EVERY = 10.0  # seconds
_LOOK_EVERY = 0.1

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a book is: positions solved of all in its last ply, and the time it took and takes.

    ``seconds_left`` is a guess from the speed of this run; ``None`` until there is one.
    """

    solved: int
    positions: int
    seconds: float
    seconds_left: float | None


def build_book(
    path: str | os.PathLike[str],
    plies: int,
    workers: int = 1,
    on_progress: Callable[[BuildProgress], object] | None = None,
    stop: StopSignal | None = None,
    *,
    rows: int = 6,
    cols: int = 7,
) -> Book | None:
    """Make the book of all positions with up to ``plies`` stones and write it to ``path``.

    Takes up where an earlier run for the same board and ply left off. ``None`` if ``stop`` was set
    before the end; what was solved is kept. Workers are threads, which share one table.
    """
    if not fits(LineSpec(rows, cols, 4, gravity=True)):
        raise ValueError(f"the solver has no board of {rows} × {cols}")
    if not 0 <= plies < rows * cols:
        raise ValueError(f"plies is a number from 0 to {rows * cols - 1}, not {plies}")
    if workers < 1:
        raise ValueError(f"there is at least one worker, not {workers}")
    layers = Layers(rows, cols)
    part = _Part(Path(f"{os.fspath(path)}.part"), rows, cols, plies, layers[plies].size)
    scores = part.load()
    if not _solve_layer(layers, plies, scores, workers, part, on_progress, stop):
        return None
    book = Book.of_layers(rows, cols, all_layers(layers, scores.astype(np.int8), plies))
    book.save(path)
    part.path.unlink(missing_ok=True)
    return book


def all_layers(layers: Layers, last: Scores, plies: int) -> list[Scores]:
    """The scores of every ply up to ``plies``, given those of that ply."""
    out = [last]
    for stones in range(plies - 1, -1, -1):
        out.append(layers.one_ply_back(stones, out[-1]))
    return out[::-1]


class _Part:
    """The file that keeps an unfinished book."""

    def __init__(self, path: Path, rows: int, cols: int, plies: int, positions: int) -> None:
        self.path = path
        self._head = _PART.pack(_PART_MAGIC, rows, cols, plies, positions)
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
        write_bytes_atomically(self.path, self._head + scores.astype(np.int8).tobytes())


def _solve_layer(
    layers: Layers,
    plies: int,
    scores: Numbers,
    workers: int,
    part: _Part,
    on_progress: Callable[[BuildProgress], object] | None,
    stop: StopSignal | None,
) -> bool:
    """Solve what is unsolved in ``scores``; whether nothing is left."""
    mine, taken = layers.positions(plies)
    todo = np.flatnonzero(scores == UNSOLVED)
    slices = iter(np.array_split(todo, max(1, -(-todo.size // _SLICE))))
    lock, flag = threading.Lock(), np.zeros(1, dtype=np.int64)
    first = Solver(layers.rows, layers.cols)
    first.make()
    started, before = time.perf_counter(), scores.size - todo.size

    def work(solver: Solver) -> None:
        solver.watch(flag)
        while not flag[0]:
            with lock:
                chosen = next(slices, None)
            if chosen is None:
                return
            found = np.full(chosen.size, UNSOLVED, dtype=np.int64)
            solver.solve_many(mine[chosen], taken[chosen], found)
            scores[chosen] = found

    def tell() -> None:
        solved, seconds = int((scores != UNSOLVED).sum()), time.perf_counter() - started
        left = None
        if solved > before:
            left = (scores.size - solved) * seconds / (solved - before)
        if on_progress is not None:
            on_progress(BuildProgress(solved, scores.size, seconds, left))

    solvers = [first, *(first.twin() for _ in range(workers - 1))]
    flag[0] = stop is not None and stop.is_set()
    threads = [threading.Thread(target=work, args=(solver,)) for solver in solvers]
    saved = started
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(_LOOK_EVERY)
            if stop is not None and stop.is_set():
                flag[0] = 1
            if time.perf_counter() - saved > _SAVE_EVERY:
                part.save(scores)
                tell()
                saved = time.perf_counter()
    finally:
        # Also on Ctrl-C: nothing that is solved gets lost.
        flag[0] = 1
        for thread in threads:
            thread.join()
        part.save(scores)
    tell()
    return bool((scores != UNSOLVED).all())
