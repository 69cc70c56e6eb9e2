"""Build a book of exact scores: solve every position of one ply, then back the scores up.

Only the last ply is solved by search; an earlier position has the score of its best move.
`book_building` divides the work among threads and saves it. Every worker has its own table; as
positions come in the order in which they were found, neighbours share much of their search.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

from rl_toolkit.algorithms.by_game.books import (
    UNSOLVED,
    Listener,
    Numbers,
    Part,
    Worker,
    solve_all,
    solve_elsewhere,
)
from rl_toolkit.algorithms.reversi.book import Book, Discs, canonical, play_canonical, rules_of
from rl_toolkit.algorithms.reversi.weights import shipped_weights
from rl_toolkit.analysis import StopSignal
from rl_toolkit.envs import Reversi
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.kernels.status import RUNNING
from rl_toolkit.utils.executors import Executor

SIZES = (4, 6)
_PART_MAGIC = b"RVPART\r\n"
_AT_A_TIME = 1
_GUESS_DEPTH = 10  # a good first guess saves null-window searches: a fifth of the time
_GUESS_MB = 16.0

Layer = list[Discs]

#: Size, table, and positions, for a worker elsewhere.
_Task = tuple[int, float, list[Discs]]


def build_book(
    path: str | os.PathLike[str],
    plies: int,
    workers: int = 1,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
    *,
    size: int = 6,
    table_mb: float = 512,
    executor: Executor | None = None,
) -> Book | None:
    """Build the book of all positions up to ``plies`` discs after the start; write it to ``path``.

    Resumes an interrupted build of the same board and ply. Returns ``None`` if ``stop`` was set
    before the end; solved positions are kept. Workers are threads or those of an ``executor``, each
    with its own table.
    """
    if size not in SIZES:
        raise ValueError(f"a book of all positions needs a 4×4 or 6×6 board, not {size}×{size}")
    if not 0 <= plies <= size * size - 5:
        raise ValueError(f"plies must be a number from 0 to {size * size - 5}, not {plies}")
    if workers < 1:
        raise ValueError(f"workers must be at least 1, not {workers}")
    found = layers(size, plies)
    part_path = Path(f"{os.fspath(path)}.part")
    part = Part(part_path, _PART_MAGIC, (size, size, plies), len(found[-1]))
    scores = part.load()
    if executor is not None:

        def task(chosen: Numbers) -> _Task:
            return size, table_mb, [found[-1][number] for number in chosen]

        done = solve_elsewhere(
            scores, part, _solve_some, task, _AT_A_TIME, executor, on_progress, stop
        )
    else:
        flag = np.zeros(1, dtype=np.int64)
        team = [_worker(found[-1], size, table_mb, flag) for _ in range(workers)]
        done = solve_all(scores, part, team, _AT_A_TIME, flag, on_progress, stop)
    if not done:
        return None
    known = back_up_scores(size, found, [int(score) for score in scores])
    book = Book(size, plies, 0, {p: PER_DISC * score for p, score in known.items()})
    book.save(path)
    part_path.unlink(missing_ok=True)
    return book


def layers(size: int, plies: int) -> list[Layer]:
    """All positions after 0, 1, … ``plies`` discs, mirror images once, in the order found.

    Finished games are left out; where a side must pass, the position after the pass is listed.
    """
    rules = rules_of(size)
    start = rules.encode(np.asarray(Reversi(size).board), 1)
    found = [[canonical((int(start[0]), int(start[1])))]]
    for _ in range(plies):
        following: dict[Discs, None] = {}
        for position in found[-1]:
            for move in rules.moves(np.array(position, dtype=np.uint64)):
                after, _ = play_canonical(rules, position, move)
                if rules.status(np.array(after, dtype=np.uint64)) == RUNNING:
                    following[after] = None
        found.append(list(following))
    return found


def back_up_scores(size: int, found: list[Layer], last: list[int]) -> dict[Discs, int]:
    """The scores of all positions, backed up from those of the last layer."""
    rules, solver = rules_of(size), Solver(size, 1)
    known = dict(zip(found[-1], last, strict=True))

    def score_of(position: Discs, move: int) -> int:
        after, side = play_canonical(rules, position, move)
        # A position in no layer is a finished game: solving it is counting discs.
        score = known[after] if after in known else solver.solve(*after)
        assert score is not None, "nothing can stop this search"
        return side * score

    for layer in reversed(found[:-1]):
        for position in layer:
            moves = rules.moves(np.array(position, dtype=np.uint64))
            known[position] = max(score_of(position, move) for move in moves)
    return known


def _worker(layer: Layer, size: int, table_mb: float, flag: Numbers) -> Worker:
    solve_one = _new_solver(size, table_mb, flag)

    def solve(chosen: Numbers) -> Numbers:
        return np.array([solve_one(layer[number]) for number in chosen], dtype=np.int64)

    return solve


@lru_cache(maxsize=1)
def _solver(size: int, table_mb: float) -> Callable[[Discs], int]:
    """The solver of a worker elsewhere, which serves all its tasks; nothing stops it."""
    return _new_solver(size, table_mb, np.zeros(1, dtype=np.int64))


def _solve_some(task: _Task) -> list[int]:
    size, table_mb, positions = task
    return [_solver(size, table_mb)(position) for position in positions]


def _new_solver(size: int, table_mb: float, flag: Numbers) -> Callable[[Discs], int]:
    weights = shipped_weights(size)
    solver, thinker = Solver(size, table_mb, weights), Thinker(size, _GUESS_MB, weights)
    for part in (solver, thinker):
        part.make()
        part.watch(flag)

    def solve_one(position: Discs) -> int:
        solver.new_search()
        guess = thinker.think(*position, _GUESS_DEPTH, beta=size * size)
        score = solver.solve(*position, round(guess or 0))
        return UNSOLVED if score is None else score

    return solve_one
