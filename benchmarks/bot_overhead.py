"""What a process of its own costs a bot in a file: milliseconds a move, and to start.

The bot plays the first legal move; the same function is called here for its own time. Each row is
the median over the moves of whole games against another engine. Promised: at most 1 ms a move
beyond the bot's own time. *Start* is a new process for a bot whose code is loaded, *first start*
includes the supervisor's process, and the trial of the sandboxes. *Sandbox* is the kind that holds:
each one that works here is measured, with Tic-Tac-Toe, and the strongest with all games. *Load* is
that of the machine: beside other work, times hold the wait for a free core as well, and the fastest
start says more than the median. *Processor* is the processor time of a start and its end in the
supervisor and all that it starts, without what the kernel does on its own: the load matters little.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from benchmarks import Row
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players.bots.engine import BotEngine
from rl_toolkit.utils.isolation import (
    CROWDED,
    FINE,
    SANDBOX_VARIABLE,
    Kind,
    end_all,
    settle,
    tried,
)
from rl_toolkit.utils.isolation.supervisor import supervisors

CODE = "def choose(env):\n    return env.get_legal_moves()[0]\n"
GAMES = ("tictactoe", "connect-four", "reversi-8", "gomoku-15")
MOVES = 400
STARTS = 15


def positions(game: str) -> list[BaseGameEnv]:
    """Positions in the order in which a player meets them: every second one of random games."""
    rng, found = random.Random(1), list[BaseGameEnv]()
    while len(found) < MOVES:
        env = make_game(game)
        while not env.is_terminal():
            if len(env.history) % 2 == 0:
                found.append(env.copy())
            env.step(rng.choice(env.get_legal_moves()))
    return found[:MOVES]


def own_time(env: BaseGameEnv) -> float:
    began = time.perf_counter()
    env.get_legal_moves()[0]
    return time.perf_counter() - began


def measure(file: Path, game: str, kind: Kind) -> Row:
    os.environ[SANDBOX_VARIABLE] = kind
    end_all()
    engine = BotEngine(file)
    began = time.perf_counter()
    engine.prepare(game)
    first_start = time.perf_counter() - began
    starts = []
    before = _processor_ms()
    for _ in range(STARTS):
        engine.close()
        settle()
        began = time.perf_counter()
        engine.prepare(game)
        starts.append(time.perf_counter() - began)
    processor = (_processor_ms() - before) / STARTS
    asked = positions(game)
    total = []
    for env in asked:
        began = time.perf_counter()
        engine.analyse(env)
        total.append(time.perf_counter() - began)
    own = statistics.median(map(own_time, asked))
    engine.close()
    return {
        "game": game,
        "sandbox": kind,
        "median ms": 1000 * statistics.median(total),
        "own ms": 1000 * own,
        "beyond ms": 1000 * (statistics.median(total) - own),
        "95 % below ms": 1000 * statistics.quantiles(total, n=20)[-1],
        "first start ms": 1000 * first_start,
        "start ms": 1000 * statistics.median(starts),
        "fastest start ms": 1000 * min(starts),
        "processor ms": processor,
        "load": os.getloadavg()[0],
    }


def _processor_ms() -> float:
    """Of the supervisors of this process, with all that they have started and that has ended."""
    ticks = 0
    for supervisor in supervisors:
        with suppress(OSError), open(f"/proc/{supervisor.process.pid}/stat") as stat:
            ticks += sum(map(int, stat.read().rpartition(")")[2].split()[11:15]))
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "first.py"
        file.write_text(CODE)
        kinds = [kind for kind, answer in tried().items() if answer in (FINE, CROWDED)]
        rows = [measure(file, game, kinds[0]) for game in GAMES]
        return rows + [measure(file, GAMES[0], kind) for kind in kinds[1:]]
