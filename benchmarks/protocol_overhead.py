"""What a program as an engine costs: the time of a move beyond the engine's own thinking.

The program is our own server with the engine ``first``, which answers at once, reached through the
protocol as any other program is. The engine's own time, measured in this process, is subtracted.
The program has been started before. The median is the figure to quote: at most 2 ms for GTP.
"""

from __future__ import annotations

import random
import statistics
import sys
import time

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
    beyond: list[float] = []
    for number in range(GAMES):
        env = make_game(game)
        while not env.is_terminal() and env.move_count < 60:
            if env.current_player == (1, -1)[number % 2] and not env.must_pass():
                began = time.perf_counter()
                found = player.analyse(env)
                between = time.perf_counter()
                own.analyse(env)
                beyond.append(2 * between - began - time.perf_counter())
                assert found.best_move is not None
                env.step(found.best_move)
            else:
                env.step(chance.choice(env.get_legal_moves()))
    assert isinstance(player.engine, ProgramEngine)
    player.engine.close()
    beyond.sort()
    return {
        "protocol": protocol,
        "game": game,
        "moves": len(beyond),
        "start s": start,
        "median ms": 1000 * statistics.median(beyond),
        "95 % below ms": 1000 * beyond[int(0.95 * len(beyond))],
    }
