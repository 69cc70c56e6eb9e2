"""Playing with trained networks: evaluations per second, seconds per move, responsiveness.

Evaluations are measured in processor time of one core, so that other work on the machine does not
count. Moves are measured in wall-clock time.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable

import numpy as np

from benchmarks import Row
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.learning.alphazero import AlphaZeroEngine
from rl_toolkit.learning.alphazero.features import planes_of
from rl_toolkit.learning.alphazero.inference import Backend, has_onnxruntime, make_network
from rl_toolkit.learning.alphazero.weights import shipped_games, shipped_weights

BATCHES = (1, 16, 64)
SECONDS = 1.0
MOVES = 8


def positions(game: str, count: int, seed: int = 0) -> list[BaseGameEnv]:
    """Unfinished games after random moves on up to half of the board."""
    rng = np.random.default_rng(seed)
    found: list[BaseGameEnv] = []
    while len(found) < count:
        env = make_game(game)
        for _ in range(rng.integers(0, len(env.board) // 2)):
            if not env.is_terminal():
                env.step(int(rng.choice(env.get_legal_moves())))
        if not env.is_terminal():
            found.append(env)
    return found


def rate(work: Callable[[], int]) -> float:
    """The rate of ``work``, which returns a count, per second of processor time."""
    work()
    done, begin = 0, time.process_time()
    while time.process_time() - begin < SECONDS:
        done += work()
    return done / (time.process_time() - begin)


def evaluations(game: str, backend: Backend, batch: int) -> float:
    network = make_network(shipped_weights(game), backend)
    planes = planes_of(positions(game, batch))
    return rate(lambda: len(network(planes).policy))


def searched(game: str, backend: Backend) -> list[Row]:
    """The speed of simulations, and the time of a move without a limit."""
    engine = AlphaZeroEngine(backend=backend, seed=0)
    envs = positions(game, MOVES)
    engine.analyse(envs[0])
    begin, simulations, seconds = time.process_time(), 0, []
    for env in envs:
        analysis = engine.analyse(env)
        simulations += analysis.simulations or 0
        seconds.append(analysis.elapsed)
    per_second = simulations / (time.process_time() - begin)
    what = f"{game}, {backend}"
    return [
        row(f"{what}: simulations", per_second, "/s of one core", ""),
        row(f"{what}: default move, median", statistics.median(seconds), "s", "1 at most"),
        row(f"{what}: default move, worst", max(seconds), "s", "1 at most"),
    ]


def responsiveness(game: str, backend: Backend) -> list[Row]:
    """Overrun of a limit, and delay of a stop: the worst of several."""
    engine, env = AlphaZeroEngine(backend=backend, seed=0), make_game(game)
    engine.analyse(env)
    over = max(engine.analyse(env, Limit(time=0.2)).elapsed - 0.2 for _ in range(MOVES))
    delays = []
    for _ in range(MOVES):
        stop, set_at = threading.Event(), [0.0]

        def halt(stop: threading.Event = stop, set_at: list[float] = set_at) -> None:
            set_at[0] = time.perf_counter()
            stop.set()

        threading.Timer(0.15, halt).start()
        engine.analyse(env, Limit(time=30), stop=stop)
        delays.append(time.perf_counter() - set_at[0])
    what = f"{game}, {backend}"
    return [
        row(f"{what}: overrun of a limit", 1000 * over, "ms", "under 50"),
        row(f"{what}: delay of a stop", 1000 * max(delays), "ms", "under 20"),
    ]


def row(what: str, measured: float, unit: str, demanded: str) -> Row:
    return {"what": what, "measured": measured, "unit": unit, "demanded": demanded}


def run() -> list[Row]:
    rows: list[Row] = []
    backends: list[Backend] = ["onnx", "numpy"] if has_onnxruntime() else ["numpy"]
    for game in shipped_games():
        size = shipped_weights(game).size
        for backend in backends:
            for batch in BATCHES:
                fast = game == "connect-four" and backend == "onnx" and batch > 1
                what = f"{game} {size}, {backend}, {batch} at once"
                measured = evaluations(game, backend, batch)
                wanted = "1500 at least" if fast else ""
                rows.append(row(what, measured, "evaluations/s of one core", wanted))
            rows += searched(game, backend) + responsiveness(game, backend)
    return rows
