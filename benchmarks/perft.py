"""The speed of the compiled rules: perft on one core, and the cost of one call from Python.

Two speeds per game. *Leaves* are what perft counts; the last ply is counted in bulk, so compare
this number with other programs that do so. *Played* are the positions actually reached, each with
its legal moves and, in k in a row, its test for a win, as in a search.
"""

from __future__ import annotations

import time
from statistics import median

import numpy as np

from benchmarks import Row
from rl_toolkit.kernels.rules.compiled import CompiledRules, compiled_rules
from rl_toolkit.kernels.spec import KernelSpec, LineSpec, ReversiSpec

REPEATS = 5
GAMES: dict[str, tuple[KernelSpec, int]] = {
    "Tic-Tac-Toe 4×4": (LineSpec(4, 4, 4), 7),
    "Connect Four": (LineSpec(6, 7, 4, gravity=True), 10),
    "Gomoku 15×15": (LineSpec(15, 15, 5), 4),
    "Reversi 6×6": (ReversiSpec(6), 10),
    "Reversi 8×8": (ReversiSpec(8), 10),
}


def opening(rules: CompiledRules) -> np.ndarray:
    rows, cols = rules.spec.rows, rules.spec.cols
    board = np.zeros((rows, cols), np.int8)
    if isinstance(rules.spec, ReversiSpec):
        low = rows // 2 - 1
        board[low : low + 2, low : low + 2] = [[-1, 1], [1, -1]]
    return rules.encode(board.ravel(), 1)


def measure(name: str, spec: KernelSpec, depth: int) -> Row:
    rules = compiled_rules(spec)
    assert rules is not None
    start = opening(rules)
    # Also compiles, which is not part of the measurement.
    played = sum(rules.perft(start, ply) for ply in range(1, depth))
    seconds = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        leaves = rules.perft(start, depth)
        seconds.append(time.perf_counter() - begin)
    calls = 20_000
    move = rules.moves(start)[0]
    rules.play(start, move)
    begin = time.perf_counter()
    for _ in range(calls):
        rules.play(start, move)
    per_call = (time.perf_counter() - begin) / calls
    return {
        "game": name,
        "depth": depth,
        "leaves": leaves,
        "seconds": median(seconds),
        "M leaves/s": leaves / median(seconds) / 1e6,
        "M played/s": played / median(seconds) / 1e6,
        "µs/play in Python": per_call * 1e6,
    }


def run() -> list[Row]:
    return [measure(name, spec, depth) for name, (spec, depth) in GAMES.items()]
