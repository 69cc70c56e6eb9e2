"""When `reversi` should begin to prove: wrong moves and seconds by clock and empty squares.

    python -m benchmarks reversi_proofs                       # a few minutes
    python -m benchmarks.reversi_proofs --clock 1 --empties 21 22 --positions 30

Each position is played three times: with proofs that begin when `PROOFS_FROM` says, two squares
later and two squares sooner. A move is wrong if it ends with fewer discs than the best one, by the
exact solver. The three runs of a position follow each other, so that a busy machine slows all of
them down alike.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterator
from functools import lru_cache

from benchmarks import Row
from rl_toolkit.algorithms.reversi import engine
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi

#: Clocks, each with the numbers of empty squares around the beginning of its proofs.
CLOCKS = {0.05: (15, 16), 0.2: (17, 18), 0.5: (19, 20), 1.0: (21, 22)}
POSITIONS = 12
SHIFTS = {"later": -2, "now": 0, "sooner": 2}


def positions(empties: int, count: int) -> Iterator[Reversi]:
    """Positions with at least two moves from games of a quick engine, always the same ones."""
    player, number = ReversiEngine(book=None), 0
    while count:
        number += 1
        chance, env = random.Random(f"{empties} {number}"), Reversi()
        for _ in range(10):
            if not env.is_terminal():
                env.step(chance.choice(env.get_legal_moves()))
        while not env.is_terminal() and _empty(env) > empties:
            best = player.analyse(env, Limit(depth=3)).best_move
            assert best is not None
            env.step(best)
        if not env.is_terminal() and _empty(env) == empties and len(env.get_legal_moves()) > 1:
            count -= 1
            yield env


def _empty(env: Reversi) -> int:
    return int((env.board == 0).sum())


@lru_cache(maxsize=1)
def _solver() -> ReversiSolver:
    return ReversiSolver(every_move=False)


def score(env: Reversi) -> int:
    """The exact score of a position for player +1."""
    if env.is_terminal():
        return env.piece_count(1) - env.piece_count(-1)
    best = _solver().analyse(env).candidates[0].exact_score
    assert best is not None
    return round(best) * env.current_player


def discs_lost(env: Reversi, move: int, best: int) -> int:
    """How many discs ``move`` loses against ``best``, the exact score for player +1."""
    after = env.copy()
    after.step(move)
    return (best - score(after)) * env.current_player


def measure(clock: float, empties: int, count: int) -> list[Row]:
    usual = engine.PROOFS_FROM
    wrong, discs = dict.fromkeys(SHIFTS, 0), dict.fromkeys(SHIFTS, 0)
    seconds: dict[str, list[float]] = {name: [] for name in SHIFTS}
    player = ReversiEngine(book=None)
    for env in positions(empties, count):
        best, lost = score(env), dict[int, int]()
        for name, shift in SHIFTS.items():
            player.forget()
            engine.PROOFS_FROM = tuple((least, most + shift) for least, most in usual)
            begun = time.perf_counter()
            try:
                move = player.analyse(env, Limit(time=clock)).best_move
            finally:
                engine.PROOFS_FROM = usual
            seconds[name].append(time.perf_counter() - begun)
            assert move is not None
            if move not in lost:
                lost[move] = discs_lost(env, move, best)
            wrong[name] += lost[move] > 0
            discs[name] += lost[move]
    return [
        {
            "clock, s": str(clock),
            "empties": empties,
            "proofs begin": name,
            "proves": max(most for least, most in usual if least <= clock) + shift >= empties,
            "wrong": wrong[name],
            "positions": count,
            "discs lost": discs[name],
            "s a move": round(statistics.fmean(seconds[name]), 3),
        }
        for name, shift in SHIFTS.items()
    ]


def run() -> list[Row]:
    rows = [
        row
        for clock, numbers in CLOCKS.items()
        for empties in numbers
        for row in measure(clock, empties, POSITIONS)
    ]
    for row in rows:
        row["proves"] = "yes" if row["proves"] else "no"
    return rows


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("--clock", type=float, required=True, help="seconds a move")
    parser.add_argument("--empties", type=int, nargs="+", required=True)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    options = parser.parse_args()
    for empties in options.empties:
        for row in measure(options.clock, empties, options.positions):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
