"""What each technique gains: nodes and time of one search, switched on one after the other."""

from __future__ import annotations

import time

from benchmarks import Row
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.envs import make_game

STEPS: list[tuple[str, dict[str, bool]]] = [
    ("plain minimax", {"use_pruning": False, "use_memoization": False}),
    ("alpha-beta", {"use_pruning": True}),
    ("+ table", {"use_memoization": True}),
    ("+ ordering", {"use_ordering": True}),
    ("+ symmetry", {"use_symmetry": True}),
    ("+ PVS", {"use_pvs": True}),
    ("+ distance", {"use_distance": True}),
    ("+ threats", {"use_threats": True}),
    ("+ dead lines", {"use_dead_lines": True}),
]
#: Game, depth (None: to the end), the first step that ends in reasonable time.
WORK: list[tuple[str, int | None, int]] = [
    ("tictactoe", None, 0),
    ("tictactoe-4x4x4", None, 3),
    ("connect-four", 8, 0),
    ("reversi-8", 8, 1),
    ("gomoku-15", 3, 1),
]


def run() -> list[Row]:
    rows: list[Row] = []
    for game, depth, first in WORK:
        ideas: dict[str, bool] = {}
        before = 0
        for number, (name, switches) in enumerate(STEPS):
            ideas |= switches
            if number < first:
                continue
            solver = MinimaxSolver(depth, compiled=True, **ideas)
            env = make_game(game)
            solver._new_searcher(env)
            begin = time.perf_counter()
            solver._minimax(env)
            seconds = time.perf_counter() - begin
            nodes = solver.nodes_evaluated
            rows.append(
                {
                    "game": game,
                    "depth": "end" if depth is None else str(depth),
                    "ideas": name,
                    "nodes": nodes,
                    "× fewer": before / nodes if before else 1.0,
                    "seconds": seconds,
                }
            )
            before = nodes
    return rows
