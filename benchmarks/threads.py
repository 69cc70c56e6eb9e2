"""One search on several threads against one: time to the same answer, or simulations a second.

For every position, one thread and 2, 4, 8, 16 threads (as many as there are cores) search in turn,
twice, so that all see the same machine. A run counts only if it really had its cores: the machine
was idle before it, and its processor seconds are near its seconds times its threads (the column
``cores used``). ``speed-up`` is the geometric mean over positions of the best run of one thread by
the best run of several; for tree search the ratio of simulations a second.

The public test sets are used if they are in ``../shared/data`` beside the checkout; otherwise
random positions. ``THREADS_SECONDS`` limits the whole run (330 by default); a search that runs out
of its share of the time is left with fewer positions.
"""

from __future__ import annotations

import math
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from benchmarks import Row
from benchmarks.connect_four import PUBLIC, random_game
from benchmarks.reversi import endgames, suite
from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.envs import BaseGameEnv, Gomoku, Reversi, make_game
from rl_toolkit.kernels.threads.crew import cores
from rl_toolkit.records import from_transcript

SECONDS = float(os.environ.get("THREADS_SECONDS", "330"))
THREADS = [n for n in (1, 2, 4, 8, 16) if n <= cores()]
TOTAL_SHARE = 1.15  # of all cases
ROUNDS = 2
FEWEST_NODES = 1_000_000  # of a Connect Four position worth measuring
QUIET, PATIENCE = 0.9, 2.0  # the idle share of the processors to wait for, and how long


def needed(threads: int) -> float:
    """The share of its cores that a run must have had to count.

    A search begins on one thread, and some searches use fewer threads than they may, so even an
    undisturbed run of several has less than all.
    """
    return {1: 0.95, 2: 0.7}.get(threads, 0.25)


class Counted(Protocol):
    """A search: what it did in one run, as nodes or simulations."""

    def __call__(self, env: Any) -> int:
        """Search the position once, from empty tables."""


@dataclass
class Case:
    """One row of the table: a search, made for a number of threads, and its positions."""

    name: str
    make: Callable[[int], Counted]
    positions: list[Any]
    goal: str
    share: float
    by_rate: bool = False
    runs: dict[tuple[int, int], list[tuple[float, float, int]]] = field(default_factory=dict)


def idle(seconds: float = 0.1) -> float:
    """The share of all processors that was not used for a moment; 1 where that is unknown."""

    def read() -> tuple[int, int]:
        numbers = [int(x) for x in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
        return numbers[3] + numbers[4], sum(numbers[:8])

    try:
        free, all_ = read()
        time.sleep(seconds)
        free_then, all_then = read()
    except OSError:
        return 1.0
    return (free_then - free) / max(1, all_then - all_)


def wait_until_quiet() -> None:
    """Wait until other programs rest, or patience is at its end."""
    end = time.monotonic() + PATIENCE
    while idle() < QUIET and time.monotonic() < end:
        pass


# ------------------------------------------------------------------------------- searches


def exact_connect_four(threads: int) -> Counted:
    solver = ConnectFourSolver(book=None, threads=threads)
    solver.solve(random_game(random.Random(1), 20))  # compiles

    def search(env: Any) -> int:
        before = solver.nodes
        solver.solve(env)
        return solver.nodes - before

    search.forget = solver.forget  # type: ignore[attr-defined]
    return search


def reversi_endgame(threads: int) -> Counted:
    solver = ReversiSolver(max_memory_mb=256, book=None, threads=threads)
    solver.solve(endgames(14, 1)[0])

    def search(env: Any) -> int:
        inner = solver._search(env).solver
        before = inner.nodes
        solver.solve(env)
        return inner.nodes - before

    search.forget = lambda: solver._solver is not None and solver._solver.forget()  # type: ignore[attr-defined]
    return search


def to_depth(engine: Any, depth: int, warm: BaseGameEnv) -> Counted:
    engine.analyse(warm, Limit(depth=3))

    def search(env: Any) -> int:
        analysis: Analysis = engine.analyse(env, Limit(depth=depth))
        return analysis.nodes or 0

    search.forget = getattr(engine, "forget", lambda: None)  # type: ignore[attr-defined]
    return search


def tree_search(seconds: float) -> Callable[[int], Counted]:
    def make(threads: int) -> Counted:
        solver = MCTSSolver(seed=1, threads=threads, compiled=True)
        solver.analyse(make_game("connect-four"), Limit(simulations=100))

        def search(env: Any) -> int:
            analysis = solver.analyse(env, Limit(time=seconds))
            return analysis.simulations or 0

        search.forget = lambda: None  # type: ignore[attr-defined]
        return search

    return make


# ------------------------------------------------------------------------------ positions


def connect_four_positions(count: int) -> list[Any]:
    """Positions that take one thread a tenth of a second or more; the others are a few nodes."""
    path = PUBLIC / "Test_L1_R3"
    if path.exists():
        lines = [line.split()[0] for line in path.read_text().splitlines()]
        games = (from_transcript("connect-four", text) for text in lines)
    else:
        games = (random_game(random.Random(seed), 9) for seed in range(1000))
    search, found = exact_connect_four(1), list[Any]()
    while len(found) < count:
        env = next(games)
        if search(env) > FEWEST_NODES:
            found.append(env)
    return found


def endgame_positions(first: int, last: int) -> list[Any]:
    known = suite()
    if known:
        return [known[n].env for n in range(first, last + 1)]
    return endgames(21, last - first + 1)


def reversi_positions(count: int) -> list[Any]:
    found = []
    for seed in range(count):
        chance, env = random.Random(seed), Reversi()
        for _ in range(chance.randint(12, 24)):
            env.step(chance.choice(env.get_legal_moves()))
        found.append(env)
    return found


def gomoku_positions(count: int) -> list[Any]:
    """Positions of stones near each other that neither side has won by threats."""
    found, engine = list[Any](), GomokuEngine()
    chance = random.Random(2)
    while len(found) < count:
        env = Gomoku()
        cells = [112]
        env.step(112)
        for _ in range(chance.randint(5, 9)):
            near = chance.choice(cells) + 15 * chance.choice((-1, 0, 1)) + chance.choice((-1, 0, 1))
            if near in env.get_legal_moves():
                cells.append(near)
                env.step(near)
        analysis = engine.analyse(env, Limit(depth=6))
        if not analysis.proven and abs(analysis.value or 0) < 0.7:
            found.append(env)
    return found


def cases() -> Iterator[Case]:
    yield Case(
        "Connect Four exact, L1_R3", exact_connect_four, connect_four_positions(16),
        "1.5 (1.7)", 0.25,
    )  # fmt: skip
    yield Case(
        "Reversi endgame, FFO 40–45", reversi_endgame, endgame_positions(40, 45),
        "1.7 (1.85)", 0.3,
    )  # fmt: skip
    for game, goal in (("connect-four", "1.5"), ("reversi", "1.7"), ("gomoku", "1.8")):
        positions = [make_game(game)] * 2
        yield Case(f"MCTS, {game}", tree_search(1.0), positions, f"{goal} (1.8)", 0.1, by_rate=True)
    yield Case(
        "Reversi midgame, depth 18",
        lambda n: to_depth(ReversiEngine(threads=n, book=None), 18, Reversi()),
        reversi_positions(10), "1.4 (1.6)", 0.1,
    )  # fmt: skip
    yield Case(
        "Gomoku midgame, depth 11",
        lambda n: to_depth(GomokuEngine(threads=n), 11, Gomoku()),
        gomoku_positions(10), "1.4 (1.6)", 0.1,
    )  # fmt: skip
    yield Case(
        "minimax, Connect Four, depth 12",
        lambda n: to_depth(MinimaxSolver.strong(threads=n), 12, make_game("connect-four")),
        [random_game(random.Random(seed), 8) for seed in range(6)], "–", 0.1,
    )  # fmt: skip


# --------------------------------------------------------------------------- measurements


def measure(case: Case, seconds: float) -> None:
    """Run the case for all numbers of threads in turn, until ``seconds`` are over."""
    searches = {n: case.make(n) for n in THREADS}
    end = time.monotonic() + seconds
    for _ in range(ROUNDS):
        for number, env in enumerate(case.positions):
            if time.monotonic() > end:
                return
            for n, search in searches.items():
                search.forget()  # type: ignore[attr-defined]
                wait_until_quiet()
                wall, cpu = time.perf_counter(), time.process_time()
                count = search(env)
                wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                case.runs.setdefault((number, n), []).append((wall, cpu / wall / n, count))


def mean(ratios: list[float]) -> float | None:
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def rows_of(case: Case) -> Iterator[Row]:
    """One row for each number of threads."""
    for n in THREADS:
        best, usual, work, used, kept, total = [], [], [], [], 0, 0
        for number in range(len(case.positions)):
            one, many = case.runs.get((number, 1), []), case.runs.get((number, n), [])
            total += len(many)
            good_one = [run for run in one if run[1] >= needed(1)]
            good = [run for run in many if run[1] >= needed(n)]
            if not good_one or not good:
                continue
            kept += len(good)
            used += [n * run[1] for run in good]
            rate = [c / w for w, _, c in good] if case.by_rate else [1 / w for w, _, _ in good]
            old = [c / w for w, _, c in good_one] if case.by_rate else [1 / w for w, *_ in good_one]
            best.append(max(rate) / max(old))
            usual.append(statistics.median(rate) / statistics.median(old))
            work.append(statistics.fmean(r[2] for r in good) / max(1, good_one[0][2]))
        yield {
            "search": case.name,
            "threads": n,
            "speed-up": mean(best),
            "by medians": mean(usual),
            "must (goal), 2 threads": case.goal,
            "nodes ×": None if case.by_rate else mean(work),
            "cores used": statistics.fmean(used) if used else None,
            "positions": len(best),
            "runs kept": kept,
            "runs": total,
        }


def run() -> list[Row]:
    rows = list[Row]()
    print(f"{cores()} cores, idle {idle(0.5):.0%}, numpy {np.__version__}", flush=True)
    for case in cases():
        begun = time.monotonic()
        measure(case, SECONDS * case.share / TOTAL_SHARE)
        found = list(rows_of(case))
        rows += found
        for row in found:
            print({k: round(v, 3) if isinstance(v, float) else v for k, v in row.items()})
        print(f"{case.name}: {time.monotonic() - begun:.0f} s", flush=True)
    return rows
