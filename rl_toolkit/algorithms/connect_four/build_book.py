"""Building an opening book: solve every position of one ply, then reason back to the first.

Only the last ply is solved by search; a position with fewer stones is worth what its best move is
worth, and its moves lead to positions already known. `book_building` tells how the work is shared
and kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.book_building import (
    UNSOLVED,
    BuildProgress,
    Numbers,
    Part,
    Worker,
    solve_all,
)
from rl_toolkit.algorithms.connect_four.book import Book, Scores
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.connect_four.layers import Layers
from rl_toolkit.kernels.connect_four.solver import Solver
from rl_toolkit.kernels.spec import LineSpec, fits_connect_four_solver

_PART_MAGIC = b"C4PART\r\n"
_SLICE = 4  # positions a worker takes at a time: seconds of work at most

Words = npt.NDArray[np.uint64]


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
    if not fits_connect_four_solver(LineSpec(rows, cols, 4, gravity=True)):
        raise ValueError(f"the solver has no board of {rows} × {cols}")
    if not 0 <= plies < rows * cols:
        raise ValueError(f"plies is a number from 0 to {rows * cols - 1}, not {plies}")
    if workers < 1:
        raise ValueError(f"there is at least one worker, not {workers}")
    layers = Layers(rows, cols)
    part_path = Path(f"{os.fspath(path)}.part")
    part = Part(part_path, _PART_MAGIC, (rows, cols, plies), layers[plies].size)
    scores = part.load()
    flag = np.zeros(1, dtype=np.int64)
    team = _team(layers, plies, workers, flag)
    if not solve_all(scores, part, team, _SLICE, flag, on_progress, stop):
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


def _team(layers: Layers, plies: int, workers: int, flag: Numbers) -> list[Worker]:
    """Workers for the positions of a ply, which share one table."""
    mine, taken = layers.positions(plies)
    first = Solver(layers.rows, layers.cols)
    first.make()
    solvers = [first, *(first.twin() for _ in range(workers - 1))]
    for solver in solvers:
        solver.watch(flag)
    return [_worker(solver, mine, taken) for solver in solvers]


def _worker(solver: Solver, mine: Words, taken: Words) -> Worker:
    def solve(chosen: Numbers) -> Numbers:
        found = np.full(chosen.size, UNSOLVED, dtype=np.int64)
        solver.solve_many(mine[chosen], taken[chosen], found)
        return found

    return solve
