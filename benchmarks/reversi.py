"""Reversi solved exactly: an endgame suite, random endgames, and 6×6 from the first move.

One core, no book. Nodes leave out the looking ahead by which moves are ordered; seconds are CPU
seconds and include everything. The suite is not part of the project: its rows are there where the
files lie in ``../shared/data/reversi`` beside the checkout. Perft is in the benchmark ``perft``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks import Row
from rl_toolkit.algorithms.reversi_exact import ReversiSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi
from rl_toolkit.records import ObfPosition, parse_obf

SUITE = Path(__file__).parents[2] / "shared" / "data" / "reversi"
GROUPS = ((1, 39), (40, 44), (45, 49))
RANDOM = {12: 200, 16: 100, 20: 40}
MEGABYTES = 1024


def suite() -> dict[int, ObfPosition]:
    """The positions of the suite by number, none where it is not there."""
    found = {}
    for path in SUITE.glob("fforum-*.obf"):
        lines = [line for line in path.read_text().splitlines() if line.strip()]
        found |= {n: parse_obf(text) for n, text in enumerate(lines, int(path.stem.split("-")[1]))}
    return found


def endgames(empties: int, count: int) -> list[Reversi]:
    """Positions of random games with so many squares empty."""
    chance, found = random.Random(empties), list[Reversi]()
    while len(found) < count:
        env = Reversi()
        while not env.is_terminal() and np.count_nonzero(env.board == 0) > empties:
            env.step(chance.choice(env.get_legal_moves()))
        if not env.is_terminal():
            found.append(env)
    return found


def measure(name: str, games: Iterable[tuple[Reversi, int | None]]) -> Row:
    """Solve each game anew; ``right`` counts the scores that are as published."""
    solver = ReversiSolver(max_memory_mb=MEGABYTES)
    solver.solve(Reversi(4))  # compiles
    seconds, nodes, right, known = [], 0, 0, 0
    for env, score in games:
        search = solver._search(env)  # makes the table, which is no part of the measurement
        before, begin = search.solver.nodes, time.process_time()
        found = solver.solve(env)
        seconds.append(time.process_time() - begin)
        nodes += search.solver.nodes - before
        known += score is not None
        right += found == score
    return {
        "positions": name,
        "number": len(seconds),
        "right": f"{right} of {known}" if known else "",
        "M nodes": nodes / 1e6,
        "CPU s": sum(seconds),
        "95 % within, s": float(np.quantile(seconds, 0.95)),
        "M nodes/s": nodes / sum(seconds) / 1e6,
    }


def every_move(empties: int, count: int) -> Row:
    """The whole analysis of random endgames: every move's score, with lines."""
    engine, seconds, nodes, proven = ReversiSolver(max_memory_mb=MEGABYTES), [], 0, 0
    engine.analyse(Reversi(4))
    for env in endgames(empties, count):
        begin = time.process_time()
        analysis = engine.analyse(env, Limit(time=60))
        seconds.append(time.process_time() - begin)
        nodes += analysis.nodes or 0
        proven += all(candidate.proven for candidate in analysis.candidates)
    return {
        "positions": f"8×8, {empties} empty, every move and line",
        "number": count,
        "right": f"{proven} proven",
        "M nodes": nodes / 1e6,
        "CPU s": sum(seconds),
        "95 % within, s": float(np.quantile(seconds, 0.95)),
        "M nodes/s": nodes / sum(seconds) / 1e6,
    }


def run() -> list[Row]:
    rows, known = [], suite()
    for first, last in GROUPS if known else ():
        games = [(known[n].env, known[n].best_score) for n in range(first, last + 1)]
        rows.append(measure(f"suite #{first}–{last}", games))
    for empties, count in RANDOM.items():
        name = f"8×8, {empties} empty, random"
        rows.append(measure(name, [(env, None) for env in endgames(empties, count)]))
    rows += [every_move(empties, RANDOM[empties] // 2) for empties in RANDOM]
    rows.append(measure("4×4 from the start", [(Reversi(4), -10)]))
    rows.append(measure("6×6 from the start", [(Reversi(6), -4)]))
    return rows
