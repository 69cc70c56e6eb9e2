"""What a program as an engine costs: the time of a move beyond the engine's own thinking.

The program is our own server with the engine ``first``, which answers at once, reached through the
protocol as any other program is. The engine's own time, measured in this process, is subtracted.
The program has been started before. The median is the figure to quote: at most 2 ms for GTP. On a
busy machine it holds the wait for a free core as well; *ours* and *program* are the processor time
of the two processes for a move, which does not (the program's includes its engine's; on Linux).
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from contextlib import suppress
from pathlib import Path

from benchmarks import Row
from rl_toolkit.algorithms.simple import FirstMoveEngine
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_engine
from rl_toolkit.protocols.program_engine import ProgramEngine

GAMES = 20
#: The protocol, the game, and the command of our server.
PROGRAMS = (
    ("gtp", "tictactoe", "gtp tictactoe"),
    ("gtp", "connect-four", "gtp connect-four"),
    ("gtp", "reversi", "gtp reversi"),
    ("gtp", "gomoku", "gtp gomoku"),
    ("gomocup", "gomoku", "gomocup"),
    ("nboard", "reversi", "nboard"),
)


def run() -> list[Row]:
    return [measure(*program) for program in PROGRAMS]


def measure(protocol: str, game: str, command: str) -> Row:
    """Overhead in milliseconds, over games in which the program has one side.

    The other side plays random moves, so that every game differs.
    """
    command = f"{sys.executable} -m rl_toolkit {command} --engine first"
    player = make_engine(f'{protocol}:cmd="{command}"')
    chance, own = random.Random(1), FirstMoveEngine()
    began = time.perf_counter()
    player.analyse(make_game(game))
    start = time.perf_counter() - began
    assert isinstance(player.engine, ProgramEngine)
    assert player.engine._program is not None
    pid, beyond = player.engine._program.pid, list[float]()
    ours, before = 0.0, processor_seconds(pid)
    for number in range(GAMES):
        env = make_game(game)
        while not env.is_terminal() and env.move_count < 60:
            if env.current_player == (1, -1)[number % 2] and not env.must_pass():
                began, used = time.perf_counter(), time.process_time()
                found = player.analyse(env)
                between = time.perf_counter()
                ours += time.process_time() - used
                own.analyse(env)
                beyond.append(2 * between - began - time.perf_counter())
                assert found.best_move is not None
                env.step(found.best_move)
            else:
                env.step(chance.choice(env.get_legal_moves()))
    theirs = processor_seconds(pid) - before
    player.engine.close()
    beyond.sort()
    return {
        "protocol": protocol,
        "game": game,
        "moves": len(beyond),
        "start s": start,
        "median ms": 1000 * statistics.median(beyond),
        "95 % below ms": 1000 * beyond[int(0.95 * len(beyond))],
        "ours ms": 1000 * ours / len(beyond),
        "program ms": 1000 * theirs / len(beyond),
        "load": os.getloadavg()[0],
    }


def processor_seconds(pid: int) -> float:
    """The processor time of a running process, of all its threads; 0 where it is not known."""
    nanoseconds = 0
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            nanoseconds += int((task / "schedstat").read_text().split()[0])
    return nanoseconds / 1e9
