"""Build an opening book: solve every position of one ply, then back the scores up to the start.

Only the last ply is solved by search; a position with fewer stones has the score of its best move,
whose position is already solved. `book_building` divides the work among threads and saves it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.by_game.books import (
    UNSOLVED,
    BuildProgress,
    Numbers,
    Part,
    Worker,
    solve_all,
    solve_elsewhere,
)
from rl_toolkit.algorithms.connect_four.book import Book, Scores
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.connect_four.layers import Layers
from rl_toolkit.kernels.connect_four.solver import Solver
from rl_toolkit.kernels.spec import LineSpec, fits_connect_four_solver
from rl_toolkit.utils.executors import Executor

_PART_MAGIC = b"C4PART\r\n"
_SLICE = 4  # positions a worker takes at a time: seconds of work at most

Words = npt.NDArray[np.uint64]

#: Rows, columns, and positions, for a worker elsewhere.
_Task = tuple[int, int, Words, Words]


def build_book(
    path: str | os.PathLike[str],
    plies: int,
    workers: int = 1,
    on_progress: Callable[[BuildProgress], object] | None = None,
    stop: StopSignal | None = None,
    *,
    rows: int = 6,
    cols: int = 7,
    executor: Executor | None = None,
) -> Book | None:
    """Build the book of all positions with up to ``plies`` stones and write it to ``path``.

    Resumes an interrupted build of the same board and ply. Returns ``None`` if ``stop`` was set
    before the end; solved positions are kept. Workers are threads that share one table, or those of
    an ``executor``, each with its own.
    """
    if not fits_connect_four_solver(LineSpec(rows, cols, 4, gravity=True)):
        raise ValueError(f"the solver does not support a board of {rows} × {cols}")
    if not 0 <= plies < rows * cols:
        raise ValueError(f"plies must be a number from 0 to {rows * cols - 1}, not {plies}")
    if workers < 1:
        raise ValueError(f"workers must be at least 1, not {workers}")
    layers = Layers(rows, cols)
    part_path = Path(f"{os.fspath(path)}.part")
    part = Part(part_path, _PART_MAGIC, (rows, cols, plies), layers[plies].size)
    scores = part.load()
    if executor is not None:
        mine, taken = layers.positions(plies)

        def task(chosen: Numbers) -> _Task:
            return rows, cols, mine[chosen], taken[chosen]

        done = solve_elsewhere(scores, part, _solve_some, task, _SLICE, executor, on_progress, stop)
    else:
        flag = np.zeros(1, dtype=np.int64)
        team = _team(layers, plies, workers, flag)
        done = solve_all(scores, part, team, _SLICE, flag, on_progress, stop)
    if not done:
        return None
    book = Book.of_layers(rows, cols, all_layers(layers, scores.astype(np.int8), plies))
    book.save(path)
    part.path.unlink(missing_ok=True)
    return book


def all_layers(layers: Layers, last: Scores, plies: int) -> list[Scores]:
    """The scores of all plies up to ``plies``, backed up from those of the last."""
    out = [last]
    for stones in range(plies - 1, -1, -1):
        out.append(layers.one_ply_back(stones, out[-1]))
    return out[::-1]


def _team(layers: Layers, plies: int, workers: int, flag: Numbers) -> list[Worker]:
    """The workers for the positions of a ply; they share one table."""
    mine, taken = layers.positions(plies)
    first = Solver(layers.rows, layers.cols)
    first.make()
    solvers = [first, *(first.twin() for _ in range(workers - 1))]
    for solver in solvers:
        solver.watch(flag)
    return [_worker(solver, mine, taken) for solver in solvers]


@lru_cache(maxsize=1)
def _solver(rows: int, cols: int) -> Solver:
    """The solver of a worker elsewhere, whose table serves all its tasks."""
    solver = Solver(rows, cols)
    solver.make()
    return solver


def _solve_some(task: _Task) -> list[int]:
    rows, cols, mine, taken = task
    scores = np.full(mine.size, UNSOLVED, dtype=np.int64)
    _solver(rows, cols).solve_many(mine, taken, scores)
    return [int(score) for score in scores]


def _worker(solver: Solver, mine: Words, taken: Words) -> Worker:
    def solve(chosen: Numbers) -> Numbers:
        scores = np.full(chosen.size, UNSOLVED, dtype=np.int64)
        solver.solve_many(mine[chosen], taken[chosen], scores)
        return scores

    return solve
