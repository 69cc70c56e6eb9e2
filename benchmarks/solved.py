"""Known results, solved by the general solver: boards that the courses call intractable.

Every board is solved from the empty position with all techniques but distance (only the result is
needed) and a table of 512 MB. A win is found by iterative deepening; where there is none, searching
to the end directly is faster. Reversi 4×4 is solved for its margin in discs, by giving the solver a
game whose result is that margin.
"""

from __future__ import annotations

import time

from benchmarks import Row
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.minimax.negamax import UNLIMITED, WIN, Options, PythonNegamax
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi, make_game

#: Game, and its published result for the first player.
KNOWN = {
    "tictactoe": 0,
    "tictactoe-4x3x3": 1,
    "tictactoe-4x4x3": 1,
    "tictactoe-4x4x4": 0,
    "tictactoe-5x4x4": 0,
    "tictactoe-6x5x4": 1,
    "connect-four-4x4x4": 0,
    "connect-four-5x5x4": 0,
    "connect-four-4x6x4": -1,
    "tictactoe-5x5x4": 0,
    "connect-four-5x6x4": 0,
}


class ByDiscs(Reversi):
    """Reversi whose result is the margin in discs, as a share of the board."""

    def get_result(self, player: int) -> float:
        super().get_result(player)  # raises while the game is running
        return (self.piece_count(player) - self.piece_count(-player)) / len(self.board)


def solve(name: str, known: int) -> Row:
    deepening = known > 0
    solver = MinimaxSolver.strong(
        compiled=True, use_distance=False, use_iterative_deepening=deepening
    )
    env = make_game(name)
    solver._new_searcher(env)  # compiles
    begin = time.perf_counter()
    value = int(solver._minimax(env))
    return row(name, known, value, solver.nodes_evaluated, time.perf_counter() - begin)


def row(name: str, known: int, value: int, nodes: int, seconds: float) -> Row:
    return {
        "game": name,
        "known": f"{known:+d}",
        "found": f"{value:+d}",
        "nodes": nodes,
        "seconds": seconds,
        "M nodes/s": nodes / seconds / 1e6,
    }


def reversi_4x4() -> Row:
    env = ByDiscs(4)
    searcher = PythonNegamax(env, Options(ordering=True), 512)
    begin = time.perf_counter()
    score = searcher.search(env, UNLIMITED).score
    margin = round(score / WIN * len(env.board))
    seconds = time.perf_counter() - begin
    return row("reversi-4 in discs (Python)", -8, margin, searcher.nodes, seconds)


def reversi_6x6(seconds: float = 20) -> Row:
    analysis = MinimaxSolver.strong(compiled=True).analyse(
        make_game("reversi-6"), Limit(time=seconds)
    )
    found = row("reversi-6", -1, 0, analysis.nodes or 0, analysis.elapsed)
    return found | {"found": f"depth {analysis.depth} of 32"}


def run() -> list[Row]:
    rows = [solve(name, known) for name, known in KNOWN.items()]
    return [*rows, reversi_4x4(), reversi_6x6()]
