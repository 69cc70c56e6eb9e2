"""Monte Carlo tree search: responsiveness, tactical mistakes, and what its techniques gain."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

from benchmarks import Row
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.simple.tactics import immediate_wins, wins_if_to_move
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, make_game

TACTICAL_GAMES = ("tictactoe", "tictactoe-5x5x4", "connect-four", "gomoku-15", "gomoku-20")


def _row(what: str, measured: float, unit: str, demanded: str) -> Row:
    return {"what": what, "measured": measured, "unit": unit, "demanded": demanded}


Chooser = Callable[[BaseGameEnv], int]


def won(first: Chooser, second: Chooser, game: str, games: int) -> float:
    """The share of games that ``first`` wins; each pair of games starts with two random plies."""
    wins = 0
    for number in range(games):
        env, rng = make_game(game), random.Random(number // 2)
        for _ in range(2):
            env.step(rng.choice(env.get_legal_moves()))
        ours = 1 if number % 2 == 0 else -1
        while not env.is_terminal():
            env.step((first if env.current_player == ours else second)(env))
        wins += env.get_result(ours) > 0
    return wins / games


def player(limit: Limit, **options: Any) -> Chooser:
    solver = MCTSSolver(compiled=True, **options)

    def choose(env: BaseGameEnv) -> int:
        best = solver.analyse(env, limit).best_move
        assert best is not None
        return best

    return choose


def strengths() -> list[Row]:
    def few(simulations: int, **options: Any) -> Chooser:
        return player(Limit(simulations=simulations), **options)

    def quick(**options: Any) -> Chooser:
        return player(Limit(time=0.005), **options)

    game, matches = "connect-four", {
        "2,000 simulations against 200": (few(2000), few(200), 200, "at least 0.75"),
        "tactics against plain, 1,000 simulations": (few(1000), few(1000, tactics=False), 100, ""),
        "tactics against plain, 5 ms": (quick(), quick(tactics=False), 100, "over 0.5"),
        "reusing the tree, 5 ms": (quick(reuse_tree=True), quick(), 100, ""),
    }  # fmt: skip
    return [
        _row(f"{game}, {what}", won(first, second, game, games), "of games won", demanded)
        for what, (first, second, games, demanded) in matches.items()
    ]


def random_position(game: str, rng: random.Random) -> BaseGameEnv:
    """An unfinished game after a random number of random moves."""
    while True:
        env = make_game(game)
        for _ in range(rng.randrange(len(env.board))):
            if env.is_terminal():
                break
            env.step(rng.choice(env.get_legal_moves()))
        if not env.is_terminal():
            return env


def tactical_mistakes(game: str, positions: int, simulations: int = 200) -> tuple[int, int]:
    """The number of positions with an immediate win or a single threat, and of those missed."""
    rng, met, missed = random.Random(game), 0, 0
    solver = MCTSSolver(simulations, compiled=True, seed=1)
    for _ in range(positions):
        env = random_position(game, rng)
        right = {win.move for win in immediate_wins(env)}
        if not right:
            right = {win.move for win in wins_if_to_move(env, -env.current_player)}
            if len(right) != 1:
                continue
        met += 1
        missed += solver.search(env) not in right
    return met, missed


def tactics() -> list[Row]:
    rows = []
    for game in TACTICAL_GAMES:
        met, missed = tactical_mistakes(game, 1000)
        rows.append(_row(f"{game}, wins and threats missed of {met}", missed, "positions", "0"))
    return rows


def responsiveness() -> list[Row]:
    """Overrun of a time limit, delay of a stop, and delay of other threads."""
    late = longest = slow = 0.0
    for game in ("tictactoe", "connect-four", "reversi", "gomoku-15", "gomoku-20"):
        solver = MCTSSolver(compiled=True)
        solver.analyse(make_game(game), Limit(simulations=10))
        begin = time.perf_counter()
        solver.analyse(make_game(game), Limit(time=0.3))
        late = max(late, time.perf_counter() - begin - 0.3)
        slow = max(slow, _stopping_time(solver, game))
        longest = max(longest, _longest_delay(solver, game))
    return [
        _row("time limit overrun, worst game", 1000 * late, "ms", "under 50"),
        _row("stopping, worst game", 1000 * slow, "ms", "under 20"),
        _row("delay of a thread that ticks every 10 ms", 1000 * longest, "ms", "under 50"),
    ]


def _stopping_time(solver: MCTSSolver, game: str) -> float:
    stop, set_at = threading.Event(), [0.0]

    def set_later() -> None:
        time.sleep(0.2)
        set_at[0] = time.perf_counter()
        stop.set()

    threading.Thread(target=set_later).start()
    solver.analyse(make_game(game), Limit(time=10), stop=stop)
    return time.perf_counter() - set_at[0]


def _longest_delay(solver: MCTSSolver, game: str) -> float:
    over, delays = threading.Event(), [0.0]

    def tick() -> None:
        before = time.perf_counter()
        while not over.wait(0.01):
            now = time.perf_counter()
            delays.append(now - before - 0.01)
            before = now

    ticker = threading.Thread(target=tick)
    ticker.start()
    solver.analyse(make_game(game), Limit(time=1), on_progress=lambda analysis: None)
    over.set()
    ticker.join()
    return max(delays)


def run() -> list[Row]:
    return [*responsiveness(), *tactics(), *strengths()]
