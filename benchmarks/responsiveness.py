"""Responsiveness of engines: overrun of a limit, delay of a stop, and delay of other threads.

The worst of several runs. Promised: a limit is overrun by less than 50 ms, a stop takes less than
20 ms, and a thread that wakes every 10 ms is never late by more than 50 ms. (Tree search is
measured in `benchmarks.mcts_behaviour`.)

On a busy machine the clock also measures other work. The column *stop CPU ms* does not: it is the
processor time of the searching thread after the stop. *left* is how many threads of the engine
still ran when it had answered.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from benchmarks import Row
from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.kernels.threads.crew import cores
from rl_toolkit.players import make_engine

#: Engines and positions: a game, and its first moves.
CASES = [
    *(("minimax", game, "") for game in ("tictactoe-5x5x5", "connect-four", "reversi-8")),
    *(("minimax", game, "") for game in ("gomoku-9", "gomoku-15", "gomoku-20")),
    *(("gomoku", game, "") for game in ("gomoku-9", "gomoku-20")),
    ("gomoku", "gomoku-15", "h8 i9 g9 i7"),
    ("gomoku:every=on", "gomoku-15", "h8 i9 g9 i7"),
    ("gomoku:every=on", "gomoku-15", "h8 i9 g9 i7 i10 h10 f8 j8"),
    ("exact", "reversi-6", "e4 e5 d5 e3 f5 f6 d2"),
    ("exact", "reversi-8", ""),
    *(
        (spec, "reversi-8", "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5 b6 d8 c6 c7 d2 b5 a5 a6 a7 g5")
        for spec in ("exact", f"exact:threads={cores()}")
    ),
    ("reversi:book=off", "reversi-6", "e4 e5 d5 e3 f5 f6 d2"),
    ("reversi:book=off", "reversi-8", ""),
    ("reversi:book=off", "reversi-8", "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5 b6 d8"),
    *(
        (f"{spec}threads={cores()}", game, "")
        for spec, game in (
            ("reversi:book=off,", "reversi-8"),
            ("mcts:", "reversi-8"),
            ("minimax:", "connect-four"),
        )
    ),
    (f"gomoku:threads={cores()}", "gomoku-15", "h8 i9 g9 i7"),
]
RUNS = 4


class Ticker(threading.Thread):
    """Wakes every 10 ms and records how late it was."""

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


def position(game: str, moves: str) -> BaseGameEnv:
    env = make_game(game)
    for name in moves.split():
        env.step(env.parse_move(name))
    return env


def stopped_after(make: Callable[[], Engine], env: BaseGameEnv, wait: float) -> tuple[float, float]:
    """Seconds, and CPU seconds of this thread, from setting the stop signal to the answer."""
    stop, engine = threading.Event(), make()
    clock = time.pthread_getcpuclockid(threading.get_ident())
    moment = [0.0, 0.0]

    def press() -> None:
        moment[:] = [time.perf_counter(), time.clock_gettime(clock)]
        stop.set()

    timer = threading.Timer(wait, press)
    timer.start()
    engine.analyse(env, Limit(time=60), stop=stop)
    timer.join()
    return time.perf_counter() - moment[0], time.clock_gettime(clock) - moment[1]


def measure(spec: str, game: str, moves: str) -> Row:
    def make() -> Engine:  # each time with empty tables
        return make_engine(spec).engine

    env, engine = position(game, moves), make()
    engine.analyse(env, Limit(time=0.1))  # compiles
    ticker = Ticker()
    ticker.start()
    overruns = []
    for run in range(RUNS):
        limit = 0.2 + 0.3 * run
        begin = time.perf_counter()
        engine.analyse(env, Limit(time=limit))
        overruns.append(time.perf_counter() - begin - limit)
    before = threading.active_count()
    delays = [stopped_after(make, env, 0.15 + 0.2 * run) for run in range(RUNS)]
    left = threading.active_count() - before
    ticker.finished.set()
    return {
        "engine": spec,
        "position": f"{game} after {len(moves.split())} plies" if moves else game,
        "overrun ms": max(overruns) * 1000,
        "stop ms": max(wall for wall, _ in delays) * 1000,
        "stop CPU ms": max(cpu for _, cpu in delays) * 1000,
        "ticker late ms": ticker.worst * 1000,
        "left": left,
    }


def run() -> list[Row]:
    return [measure(*case) for case in CASES]
