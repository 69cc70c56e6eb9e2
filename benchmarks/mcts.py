"""Monte Carlo tree search: speed compared with OpenSpiel's C++ bot.

Speeds are simulations actually run per second, playouts to the end, tactics off, one core, from the
initial position; both programs alternate in one process, and the median of the rounds counts.
"""

from __future__ import annotations

import time
from statistics import median

import pyspiel

from benchmarks import Row
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.envs import make_game

ROUNDS = 5
SPEED_GAMES = {
    # name: OpenSpiel's name, simulations of one search, ratio demanded
    "tictactoe": ("tic_tac_toe", 20_000, 6),
    "connect-four": ("connect_four", 20_000, 25),
    "reversi": ("othello", 2_000, 120),
    "gomoku-15": ("gomoku(size=15,connect=5)", 3_000, 80),
}


def open_spiel_speed(name: str, simulations: int) -> float:
    game = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 7), 1.41, simulations, 1000, False, 7, False
    )
    state = game.new_initial_state()
    begin = time.perf_counter()
    bot.mcts_search(state)
    return simulations / (time.perf_counter() - begin)


def our_speed(name: str, simulations: int, repeats: int) -> float:
    solver = MCTSSolver(simulations, tactics=False, compiled=True, seed=7)
    env, run, seconds = make_game(name), 0, 0.0
    for _ in range(repeats):
        analysis = solver.analyse(env)
        run += analysis.simulations or 0
        seconds += analysis.elapsed
    return run / seconds


def measure(name: str) -> Row:
    theirs, simulations, demanded = SPEED_GAMES[name]
    our_speed(name, 10, 1)  # compiles
    fast, slow = [], []
    for _ in range(ROUNDS):
        fast.append(our_speed(name, simulations, 20))
        slow.append(open_spiel_speed(theirs, simulations))
    return {
        "game": name,
        "OpenSpiel, simulations/s": median(slow),
        "ours, simulations/s": median(fast),
        "ratio": median(fast) / median(slow),
        "demanded": demanded,
    }


def run() -> list[Row]:
    return [measure(name) for name in SPEED_GAMES]
