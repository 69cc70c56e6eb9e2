"""What each technique of the Connect Four solver gains: nodes and seconds without it.

All rows but the first run the general code, for comparison; the first is the code for 6 × 7.
"""

from __future__ import annotations

import time

from benchmarks import Row
from benchmarks.connect_four import PUBLIC, work_of
from rl_toolkit.algorithms.connect_four.position import Bitboards, position_of
from rl_toolkit.kernels.connect_four.solver import EVERY_IDEA, Ideas, Solver

REPEATS = 3


def run() -> list[Row]:
    hard, easy = ("L1_R2", "L2_R2") if PUBLIC.exists() else ("random 12", "random 16")
    positions = [position_of(env) for name, count in ((easy, 300), (hard, 12))
                 for env, _ in work_of(name, count)]  # fmt: skip
    base = _measure(positions, Ideas(constants=False))
    rows: list[Row] = []
    # Built-in constants are a technique as well: the first row shows their gain.
    for name in ("every idea", *(idea for idea in Ideas.names() if idea != "constants")):
        if name == "every idea":
            nodes, seconds = _measure(positions, EVERY_IDEA)
        else:
            switches = {"constants": False, name: False}
            nodes, seconds = _measure(positions, Ideas(**switches))
        rows.append(
            {
                "without": name if name != "every idea" else "— (all on)",
                "nodes": nodes,
                "× nodes": nodes / base[0],
                "seconds": seconds,
                "× seconds": seconds / base[1],
            }
        )
    return rows


def _measure(positions: list[Bitboards], ideas: Ideas) -> tuple[int, float]:
    """Nodes, and the shortest of a few times."""
    Solver(ideas=ideas).make()
    times, nodes = [], 0
    for _ in range(REPEATS):
        solver = Solver(ideas=ideas)
        begin = time.process_time()
        for position in positions:
            solver.solve(*position)
        times.append(time.process_time() - begin)
        nodes = solver.nodes
        if times[-1] > 20:  # once is enough where it takes long
            break
    return nodes, min(times)
