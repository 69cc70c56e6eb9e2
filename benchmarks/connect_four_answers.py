"""How long people wait: all moves of random positions scored, with the opening book, ply by ply.

The table is emptied before each position: nothing is known but the book.
"""

from __future__ import annotations

import random
import time

import numpy as np

from benchmarks import Row
from benchmarks.connect_four import random_game
from rl_toolkit.algorithms.connect_four_exact import ConnectFourSolver

POSITIONS = 150
PLIES = (0, 4, 8, 10, 11, 12, 13, 14, 16, 20, 24, 30, 36)


def run() -> list[Row]:
    engine, chance = ConnectFourSolver(), random.Random(1)
    engine.analyse(random_game(chance, 2))  # makes the code, lists the book's positions
    rows = []
    for ply in PLIES:
        seconds = []
        for _ in range(POSITIONS):
            env = random_game(chance, ply)
            engine.forget()
            begin = time.process_time()
            engine.score_moves(env)
            seconds.append(time.process_time() - begin)
        milliseconds = 1000 * np.array(seconds)
        row: Row = {"stones": ply}
        row |= {"median, ms": float(np.median(milliseconds))}
        row |= {f"{q} %, ms": float(np.quantile(milliseconds, q / 100)) for q in (90, 99)}
        row |= {"worst, ms": float(milliseconds.max())}
        rows.append(row)
    return rows
