"""The response time of the Connect Four solver: all moves of a position scored, with the book.

Random positions of every ply, and those of the public sets for which the search is slowest: the
hard ones with more stones than the book covers. The table is cleared before each position, so only
the book is known. An analysis also finds the best line after every move, far beyond the book: that
takes longer and is measured on fewer positions.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable

import numpy as np

from benchmarks import Row
from benchmarks.connect_four import PUBLIC, random_game, work_of
from rl_toolkit.algorithms.connect_four.book import shipped_book
from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.envs import ConnectFour

POSITIONS = 100  # of each ply
WITH_LINES = 25  # of these, with the best line after every move
CELLS = 42
SHOWN = (0, 4, 8, *range(10, 21), 24, 30, 36)  # plies with a row of their own


def run() -> list[Row]:
    engine, chance = ConnectFourSolver(), random.Random(1)
    engine.analyse(random_game(chance, 2))  # compiles, and loads the book
    games = {ply: [random_game(chance, ply) for _ in range(POSITIONS)] for ply in range(CELLS)}
    waits = {ply: [_wait(engine, engine.score_moves, env) for env in games[ply]] for ply in games}
    everything = [wait for per_ply in waits.values() for wait in per_ply]
    rows = [_row("all plies, evenly", everything)]
    rows += [_row(f"{ply} stones", waits[ply]) for ply in SHOWN]
    if PUBLIC.exists():
        hard = [_wait(engine, engine.score_moves, env) for env in _hard_games()]
        rows.append(_row("L1_R3 beyond the book", hard))
    some = (env for per_ply in games.values() for env in per_ply[:WITH_LINES])
    rows.append(_row("all plies, with lines", [_wait(engine, engine.analyse, env) for env in some]))
    return rows


def _hard_games() -> Iterable[ConnectFour]:
    """The hard public positions whose moves lead out of the book."""
    return (env for env, _ in work_of("L1_R3", 1000) if env.move_count >= shipped_book().plies)


def _wait(
    engine: ConnectFourSolver, answer: Callable[[ConnectFour], object], env: ConnectFour
) -> float:
    """Milliseconds of processor time until the engine, with an empty table, has answered."""
    engine.forget()
    begin = time.process_time()
    answer(env)
    return 1000 * (time.process_time() - begin)


def _row(name: str, milliseconds: list[float]) -> Row:
    row: Row = {"positions": f"{len(milliseconds):,} × {name}"}
    row |= {"median, ms": float(np.median(milliseconds))}
    row |= {f"{q} %, ms": float(np.quantile(milliseconds, q / 100)) for q in (90, 99)}
    return row | {"worst, ms": max(milliseconds)}
