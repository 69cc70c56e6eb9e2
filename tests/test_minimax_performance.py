"""How much work minimax does, and what each idea saves: the counts that textbooks quote.

``pytest tests/test_minimax_performance.py -s`` prints them.
"""

from __future__ import annotations

import itertools

import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.envs import ConnectFour, TicTacToe


def show(what: str, nodes: int, before: int | None = None) -> None:
    """Print a count, and what it saves against an earlier one; seen with ``pytest -s``."""
    saved = "" if before is None else f"  ({100 * (1 - nodes / before):.1f} % fewer)"
    print(f"\n{what:<56} {nodes:>9,} nodes{saved}", end="")


SPEEDS = pytest.mark.parametrize("compiled", [False, True], ids=["python", "compiled"])


@pytest.mark.parametrize(
    "compiled",
    [pytest.param(False, id="python", marks=pytest.mark.full), pytest.param(True, id="compiled")],
)
def test_plain_minimax_visits_549_946_nodes(compiled: bool) -> None:
    solver = MinimaxSolver(use_pruning=False, use_memoization=False, compiled=compiled)
    assert solver._minimax(TicTacToe(), depth=0, maximize=True) == 0.0
    show("Tic-Tac-Toe, plain minimax", solver.nodes_evaluated)
    assert solver.nodes_evaluated == 549_946
    assert solver.cache_hits == 0


def test_plain_minimax_in_python_visits_as_many_nodes() -> None:
    """The same count from one position of each class of mirror images after three moves."""
    solver = MinimaxSolver(use_pruning=False, use_memoization=False, compiled=False)
    classes: dict[bytes, list[TicTacToe]] = {}
    for moves in itertools.permutations(range(9), 3):
        env = TicTacToe()
        for move in moves:
            env.step(move)
        images = (env.board[symmetry.cells].tobytes() for symmetry in env.symmetries())
        classes.setdefault(min(images), []).append(env)
    assert (len(classes), sum(map(len, classes.values()))) == (38, 504)
    nodes = 1 + 9 + 72
    for alike in classes.values():
        solver.reset_stats()
        solver._minimax(alike[0])
        nodes += len(alike) * solver.nodes_evaluated
    assert nodes == 549_946


@SPEEDS
def test_alpha_beta_visits_18_297_nodes(compiled: bool) -> None:
    solver = MinimaxSolver(use_pruning=True, use_memoization=False, compiled=compiled)
    assert solver._minimax(TicTacToe(), depth=0, maximize=True) == 0.0
    show("Tic-Tac-Toe, alpha-beta", solver.nodes_evaluated, before=549_946)
    assert solver.nodes_evaluated == 18_297


@SPEEDS
def test_the_table_alone_saves_most_of_the_nodes(compiled: bool) -> None:
    solver = MinimaxSolver(use_pruning=False, compiled=compiled)
    assert solver._minimax(TicTacToe(), depth=0, maximize=True) == 0.0
    show("Tic-Tac-Toe, table", solver.nodes_evaluated, before=549_946)
    assert solver.nodes_evaluated == 16_168
    assert len(solver.memo) == 5_478 - 958  # every position in which the game is not over


@SPEEDS
def test_each_idea_saves_work(compiled: bool) -> None:
    counts = []
    for ideas in (
        {},
        {"use_ordering": True},
        {"use_symmetry": True},
        {"use_ordering": True, "use_symmetry": True, "use_pvs": True},
    ):
        solver = MinimaxSolver(compiled=compiled, **ideas)
        solver._minimax(TicTacToe())
        counts.append(solver.nodes_evaluated)
        what = ", ".join(["alpha-beta", "table", *(idea.removeprefix("use_") for idea in ideas)])
        show(f"Tic-Tac-Toe, {what}", solver.nodes_evaluated, before=549_946)
    textbook, ordered, symmetric, together = counts
    # Pinned, so that a change in the search is noticed: nodes with pruning and table, then
    # ordering, symmetry, and everything.
    assert (textbook, ordered, symmetric) == (4_866, 2_895, 1_113)
    assert together < symmetric


def test_the_table_remembers_and_reset_forgets() -> None:
    solver = MinimaxSolver()
    assert solver.get_best_action(TicTacToe()) in range(9)
    assert solver.nodes_evaluated > 0
    assert solver.cache_hits > 0
    assert len(solver.memo) > 0
    first = solver.nodes_evaluated
    solver.get_best_action(TicTacToe())
    assert solver.nodes_evaluated == first + 9  # every answer was in the table
    solver.reset_stats()
    assert (solver.nodes_evaluated, solver.cache_hits, len(solver.memo)) == (0, 0, 0)


@SPEEDS
def test_pruning_helps_at_a_horizon_too(compiled: bool) -> None:
    nodes = []
    for pruning in (False, True):
        solver = MinimaxSolver(4, pruning, False, compiled=compiled)
        solver._minimax(ConnectFour())
        nodes.append(solver.nodes_evaluated)
        what = "alpha-beta" if pruning else "plain minimax"
        show(f"Connect Four, 4 plies, {what}", nodes[-1], before=nodes[0] if pruning else None)
    assert nodes[0] == 1 + 7 + 49 + 343 + 2401
    assert nodes[1] < nodes[0] / 3


def test_the_immediate_win_is_found_with_few_nodes() -> None:
    env = TicTacToe()
    env.board = [1, 1, 0, -1, -1, 0, 0, 0, 0]
    solver = MinimaxSolver()
    assert solver.get_best_action(env) == 2
    show("xx1/oo1/3 x, all moves", solver.nodes_evaluated)
    assert solver.nodes_evaluated < 100


def test_bounds_are_not_mistaken_for_values() -> None:
    """A cut-off value stored as if it were exact gives wrong answers later."""
    solver = MinimaxSolver()
    env = TicTacToe()
    plain = MinimaxSolver(use_pruning=False, use_memoization=False)
    for move in (0, 4, 8, 1):
        env.step(move)
    for move in env.get_legal_moves():
        env.step(move)
        solver._minimax(env, alpha=-1.0, beta=0.0)  # fills the table with bounds
        assert solver._minimax(env) == plain._minimax(env)
        env.undo()
