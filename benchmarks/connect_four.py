"""The exact Connect Four solver compared with another one: processor seconds on one core, no books.

The public test sets are used if they are in ``../shared/data/connect_four``; otherwise random
positions, whose scores come from the reference solver (late positions) or from the other solver.
"""

from __future__ import annotations

import importlib
import random
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks import Row
from rl_toolkit.algorithms.connect_four.position import position_of
from rl_toolkit.envs import ConnectFour
from rl_toolkit.kernels.connect_four.solver import Solver
from rl_toolkit.records import from_transcript

ROOT = Path(__file__).parents[1]
PUBLIC = ROOT.parent / "shared" / "data" / "connect_four"
sys.path.append(str(ROOT / "tests" / "helpers" / "positions"))  # for the reference solver
#: Name, number of positions, and the number for the other solver: 0 where that takes minutes.
SETS = [
    ("L3_R1", 1000, 1000),
    ("L2_R1", 1000, 1000),
    ("L1_R1", 1000, 1000),
    ("L2_R2", 1000, 1000),
    ("L1_R2", 100, 100),
    ("L1_R3", 20, 20),
    ("empty board", 1, 0),
    ("L1_R2", 1000, 0),
    ("L1_R3", 1000, 0),
]
RANDOM_SETS = [
    ("random 30", 100, 100),
    ("random 16", 500, 500),
    ("random 12", 100, 100),
    ("empty board", 1, 0),
]
Work = list[tuple[ConnectFour, int | None]]


def random_game(chance: random.Random, moves: int) -> ConnectFour:
    """An unfinished game after ``moves`` random moves."""
    while True:
        env = ConnectFour()
        while env.move_count < moves and _step_on(env, chance):
            pass
        if env.move_count == moves:
            return env


def _step_on(env: ConnectFour, chance: random.Random) -> bool:
    """Make a random move that does not end the game; False if there is none."""
    choices = env.get_legal_moves()
    chance.shuffle(choices)
    for move in choices:
        env.step(move)
        if not env.done:
            return True
        env.undo()
    return False


def work_of(name: str, count: int) -> Work:
    """Games and their scores, ``None`` where the score is unknown."""
    if name == "empty board":
        return [(ConnectFour(), 1)]
    if name.startswith("random"):
        chance, moves = random.Random(name), int(name.split()[1])
        games = [random_game(chance, moves) for _ in range(count)]
        score_of = importlib.import_module("connect_four_reference").reference_score
        return [(env, score_of(env) if moves >= 30 else None) for env in games]
    lines = (PUBLIC / f"Test_{name}").read_text().splitlines()[:count]
    pairs = (line.split() for line in lines)
    games_and_scores: Work = []
    for moves_, score in pairs:
        env = from_transcript("connect-four", moves_)
        assert isinstance(env, ConnectFour)
        games_and_scores.append((env, int(score)))
    return games_and_scores


def peer() -> Any:
    """The module of the other solver; ``None`` if it is not installed."""
    try:
        return importlib.import_module("bitbully")
    except ImportError:
        return None


def run() -> list[Row]:
    Solver().make()
    return [_measure(*work) for work in (SETS if PUBLIC.exists() else RANDOM_SETS)]


def _measure(name: str, count: int, for_peer: int) -> Row:
    work = work_of(name, count)
    solver = Solver()
    positions = [position_of(env) for env, _ in work]
    begin = time.process_time()
    scores = [solver.solve(*position) for position in positions]
    seconds = time.process_time() - begin
    theirs: list[int] = []
    peer_seconds: float | None = None
    module = peer()
    if module is not None and for_peer:
        agent, boards = module.BitBully(opening_book=None), []
        for env, _ in work[:for_peer]:
            board = module.Board()
            for move in env.history:
                board.play(move)
            boards.append(board)
        begin = time.process_time()
        theirs = [agent.mtdf(board) for board in boards]
        peer_seconds = time.process_time() - begin
    known = [score for _, score in work]
    wrong = sum(k is not None and k != s for k, s in zip(known, scores, strict=True))
    return {
        "positions": f"{count} × {name}",
        "wrong": wrong,
        "seconds": seconds,
        "nodes": solver.nodes,
        "million nodes/s": solver.nodes / seconds / 1e6,
        "MB": solver.megabytes,
        "bitbully seconds": peer_seconds,
        "disagree": sum(a != b for a, b in zip(theirs, scores, strict=False)) if theirs else None,
        "× faster": None if peer_seconds is None else peer_seconds / seconds,
    }
