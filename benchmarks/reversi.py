"""Exact Reversi: an endgame suite, random endgames, and 6×6 from the first move.

One core; no book, except in the last rows. Nodes exclude the shallow searches for move ordering;
seconds are CPU seconds and include everything. The suite is not part of the project: its rows
appear if the files are in ``../shared/data/reversi`` beside the checkout. ``SUITE_THREADS=16`` adds
its last positions, #50–59, one by one and with so many threads: minutes of sixteen cores.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks import Row
from rl_toolkit.algorithms.reversi.book import rules_of
from rl_toolkit.algorithms.reversi.build_book import layers
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi
from rl_toolkit.records import ObfPosition, parse_obf

SUITE = Path(__file__).parents[2] / "shared" / "data" / "reversi"
GROUPS = {(1, 39): "12 s", (40, 44): "7 s", (40, 49): "60 s"}
RANDOM = {12: 200, 16: 100, 20: 40}
PROMISED = {16: "95 % in 0.5 s", 20: "95 % in 10 s"}
SIX_PLIES = {0: 1, 3: 3, 5: 3, 6: 3, 7: 4, 8: 5, 10: 8}
SAMPLED_PLY = 8  # 6×6: positions are drawn uniformly up to this ply, then by random moves
MEGABYTES = 1024
LAST, LAST_MEGABYTES = range(50, 60), 8192
THREADS = int(os.environ.get("SUITE_THREADS", "0"))


def suite() -> dict[int, ObfPosition]:
    """The positions of the suite by number; empty if it is not available."""
    found = {}
    for path in SUITE.glob("fforum-*.obf"):
        lines = [line for line in path.read_text().splitlines() if line.strip()]
        found |= {n: parse_obf(text) for n, text in enumerate(lines, int(path.stem.split("-")[1]))}
    return found


def endgames(empties: int, count: int) -> list[Reversi]:
    """Positions of random games with ``empties`` empty squares."""
    chance, found = random.Random(empties), list[Reversi]()
    while len(found) < count:
        env = Reversi()
        while not env.is_terminal() and np.count_nonzero(env.board == 0) > empties:
            env.step(chance.choice(env.get_legal_moves()))
        if not env.is_terminal():
            found.append(env)
    return found


def six_by_six(plies: int, count: int) -> list[Reversi]:
    """Positions of 6×6 after ``plies`` plies."""
    rules, games = rules_of(6), []
    chosen = random.Random(plies).choices(layers(6, min(plies, SAMPLED_PLY))[-1], k=count)
    for position in chosen:
        env = Reversi(6)
        env.set_position(rules.decode(np.array(position, dtype=np.uint64), 1), 1)
        for _ in range(plies - SAMPLED_PLY):
            env.step(random.Random(plies).choice(env.get_legal_moves()))
        games.append(env)
    return games


def row(name: str, promised: str, seconds: list[float], nodes: int, right: str) -> Row:
    return {
        "positions": name,
        "number": len(seconds),
        "right": right,
        "M nodes": nodes / 1e6,
        "CPU s": sum(seconds),
        "95 % within, s": float(np.quantile(seconds, 0.95)),
        "M nodes/s": nodes / max(sum(seconds), 1e-9) / 1e6,
        "promised": promised,
    }


def perft() -> Row:
    """Perft to depth eleven, the last ply counted in bulk."""
    rules = rules_of(8)
    start = rules.encode(np.asarray(Reversi().board), 1)
    rules.perft(start, 2)  # compiles
    begin = time.process_time()
    leaves = rules.perft(start, 11)
    seconds = time.process_time() - begin
    right = "1 of 1" if leaves == 212_258_800 else "0 of 1"
    return row("perft, 11 plies: leaves", "300 M/s", [seconds], leaves, right)


def measure(
    name: str,
    games: Iterable[tuple[Reversi, int | None]],
    promised: str = "",
    megabytes: float = MEGABYTES,
    threads: int = 1,
) -> Row:
    """Solve each game; ``right`` counts the scores that match the published ones."""
    solver = ReversiSolver(max_memory_mb=megabytes, book=None, threads=threads)
    solver.solve(Reversi(4))  # compiles
    seconds, nodes, right, known = [], 0, 0, 0
    for env, score in games:
        search = solver._search(env)  # allocates the table, which is not measured
        before, begin = search.solver.nodes, time.process_time()
        found = solver.solve(env)
        seconds.append(time.process_time() - begin)
        nodes += search.solver.nodes - before
        known += score is not None
        right += found == score
    return row(name, promised, seconds, nodes, f"{right} of {known}" if known else "")


def every_move(name: str, games: list[Reversi], promised: str = "") -> Row:
    """A full analysis: the score and line of every move; ``right`` counts the proven ones."""
    engine, seconds, nodes, proven = ReversiSolver(max_memory_mb=MEGABYTES), [], 0, 0
    engine.analyse(Reversi(4))
    for env in games:
        begin = time.process_time()
        analysis = engine.analyse(env, Limit(time=60))
        seconds.append(time.process_time() - begin)
        nodes += analysis.nodes or 0
        proven += all(candidate.proven for candidate in analysis.candidates)
    return row(name, promised, seconds, nodes, f"{proven} proven")


def run() -> list[Row]:
    rows, known = [perft()], suite()
    for (first, last), promised in GROUPS.items() if known else ():
        games = [(known[n].env, known[n].best_score) for n in range(first, last + 1)]
        rows.append(measure(f"suite #{first}–{last}", games, promised))
    for n in LAST if known and THREADS else ():
        game = [(known[n].env, known[n].best_score)]
        name = f"suite #{n}, {THREADS} threads"
        rows.append(measure(name, game, megabytes=LAST_MEGABYTES, threads=THREADS))
    for empties, count in RANDOM.items():
        games = endgames(empties, count)
        solved = [(env, None) for env in games]
        promised = PROMISED.get(empties, "")
        rows.append(measure(f"8×8, {empties} empty, random", solved, promised))
        half = games[: count // 2]
        rows.append(every_move(f"8×8, {empties} empty, every move and line", half, promised))
    rows.append(measure("4×4 from the start", [(Reversi(4), -10)]))
    rows.append(measure("6×6 from the start", [(Reversi(6), -4)], "75 s"))
    for plies, count in SIX_PLIES.items():
        name = f"6×6 after {plies} plies, with the book: every move"
        rows.append(every_move(name, six_by_six(plies, count)))
    return rows
