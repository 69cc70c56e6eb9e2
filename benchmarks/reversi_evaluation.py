"""The error of Reversi evaluations, compared with exact scores of endgames.

    python -m benchmarks.reversi_evaluation                 # handwritten and shipped weights
    python -m benchmarks.reversi_evaluation FILE FILE …     # other weights beside them

The positions come from noisy games of the handwritten evaluation and are always the same; no
weights are learned from them. The error is a root mean square, beside the spread of the exact
scores.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks import Row
from benchmarks.__main__ import show
from rl_toolkit.algorithms.reversi.weights import Weights, load_weights, shipped_weights
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.learning.reversi.examples import Examples, play

SEED = 2**40
POSITIONS = {12: 300, 16: 300, 18: 300, 20: 150}
PLAYED = 40_000
MEGABYTES = 64


def sample() -> dict[int, Examples]:
    """Positions with their exact scores, by the number of empty squares."""
    played = play(None, PLAYED, SEED)
    empties, solver, found = played.empties(8), Solver(8, MEGABYTES, shipped_weights()), {}
    for number, count in POSITIONS.items():
        some = played.only(empties == number).only(slice(count))
        words = zip(some.mine.tolist(), some.theirs.tolist(), strict=True)
        scores = np.array([solver.solve(mine, theirs) for mine, theirs in words], np.float64)
        found[number] = Examples(some.mine, some.theirs, scores)
    return found


def rows_for(name: str, weights: Weights | None, exact: dict[int, Examples]) -> list[Row]:
    """The error of an evaluation for each number of empty squares."""
    solver, rows = Solver(8, 1, weights), list[Row]()
    for number, examples in exact.items():
        words = zip(examples.mine.tolist(), examples.theirs.tolist(), strict=True)
        scores = [solver.estimate(mine, theirs, 0) for mine, theirs in words]
        estimates = np.array(scores, np.float64)
        rows.append(
            {
                "weights": name,
                "empty squares": number,
                "positions": len(examples),
                "error, discs": float(np.sqrt(np.mean((estimates - examples.scores) ** 2))),
                "spread, discs": float(np.std(examples.scores)),
                "correlation": float(np.corrcoef(estimates, examples.scores)[0, 1]),
            }
        )
    return rows


def run(paths: list[str] | None = None) -> list[Row]:
    """The handwritten evaluation, the shipped one, and those in files."""
    compared = {"by hand": None, "shipped": shipped_weights()}
    compared |= {path: load_weights(path) for path in paths or ()}
    exact = sample()
    return [row for name, weights in compared.items() for row in rows_for(name, weights, exact)]


if __name__ == "__main__":
    show("reversi_evaluation", run(sys.argv[1:]))
