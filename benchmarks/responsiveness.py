"""How well minimax keeps time: overrun of a limit, delay of a stop, and what other threads feel.

Worst of several runs each. Promised: a limit is overrun by less than 50 ms, a stop takes less than
20 ms, and a thread that wakes every 10 ms is never late by more than 50 ms. (Tree search is
measured in `benchmarks.mcts`.)
"""

from __future__ import annotations

import threading
import time

from benchmarks import Row
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game

GAMES = ["tictactoe-5x5x5", "connect-four", "reversi-8", "gomoku-9", "gomoku-15", "gomoku-20"]
RUNS = 4


class Ticker(threading.Thread):
    """Wakes every 10 ms and notes how late it was."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.worst = 0.0
        self.finished = threading.Event()

    def run(self) -> None:
        while True:
            due = time.perf_counter() + 0.010
            if self.finished.wait(0.010):
                return
            self.worst = max(self.worst, time.perf_counter() - due)


def stopped_after(game: str, seconds: float) -> float:
    """Seconds between setting the stop signal and having the answer."""
    stop = threading.Event()
    moment = [0.0]

    def press() -> None:
        moment[0] = time.perf_counter()
        stop.set()

    timer = threading.Timer(seconds, press)
    timer.start()
    MinimaxSolver.strong(compiled=True).analyse(make_game(game), Limit(time=60), stop=stop)
    return time.perf_counter() - moment[0]


def measure(game: str) -> Row:
    solver = MinimaxSolver.strong(compiled=True)
    solver.analyse(make_game(game), Limit(nodes=100))  # compiles
    ticker = Ticker()
    ticker.start()
    overruns = []
    for run in range(RUNS):
        limit = 0.2 + 0.3 * run
        begin = time.perf_counter()
        solver.analyse(make_game(game), Limit(time=limit))
        overruns.append(time.perf_counter() - begin - limit)
    delays = [stopped_after(game, 0.15 + 0.2 * run) for run in range(RUNS)]
    ticker.finished.set()
    return {
        "game": game,
        "overrun ms": max(overruns) * 1000,
        "stop ms": max(delays) * 1000,
        "ticker late ms": ticker.worst * 1000,
    }


def run() -> list[Row]:
    return [measure(game) for game in GAMES]
