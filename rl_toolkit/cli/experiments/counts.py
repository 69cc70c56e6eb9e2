"""Experiments that count: the positions that minimax visits, and how a game tree grows."""

from __future__ import annotations

import time
from math import log

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import estimate
from rl_toolkit.cli.experiments.show import Report, Result
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.utils.svg.chart import Chart

#: Positions that plain minimax may visit where no depth is given.
_PATIENCE = 2_000_000

#: The ideas, each added to those before it.
IDEAS: tuple[tuple[str, dict[str, bool]], ...] = (
    ("plain minimax", {"use_pruning": False, "use_memoization": False}),
    ("+ alpha-beta", {"use_pruning": True, "use_memoization": False}),
    ("+ table", {"use_pruning": True, "use_memoization": True}),
    ("+ ordering", {"use_ordering": True}),
    ("+ symmetry", {"use_ordering": True, "use_symmetry": True}),
)


def node_counts(game: str, depth: int | None, report: Report) -> Result:
    """How many positions minimax visits with each idea, to the end or to ``depth`` plies."""
    env = make_game(game)
    if depth is None and env.name != "tictactoe":
        depth = _affordable_depth(env)
    MinimaxSolver(1, compiled=True)._minimax(env)  # so that no search pays for the compiler
    rows, counts, stopped = list[list[str]](), list[int](), ""
    try:
        for number, (idea, switches) in enumerate(IDEAS):
            report(number, len(IDEAS), idea)
            solver = MinimaxSolver(depth, compiled=True, **switches)
            started = time.perf_counter()
            value = solver._minimax(env)
            seconds = f"{time.perf_counter() - started:.2f}"
            counts.append(solver.nodes_evaluated)
            saved = f"{counts[0] / counts[-1]:,.1f}×"
            rows.append([idea, f"{counts[-1]:,}", saved, _in_words(value, depth), seconds])
    except KeyboardInterrupt:
        if not rows:
            raise
        stopped = f"Stopped after {len(rows)} of {len(IDEAS)} searches."
    ideas = [row[0] for row in rows]
    how_far = "to the end of the game" if depth is None else f"{depth} plies deep"
    return Result(
        title=f"Positions that minimax visits on {env.name}, {how_far}",
        head=["search", "nodes", "fewer", "for X", "seconds"],
        rows=rows,
        remarks=["Every search finds the same value: the ideas save work and change nothing else."],
        chart=Chart(
            f"Positions visited on {env.name}, {how_far}", ideas, counts, "nodes", log=True
        ),
        data={"game": env.name, "depth": depth, "nodes": dict(zip(ideas, counts, strict=True))},
        stopped=stopped,
    )


def _in_words(value: float, depth: int | None) -> str:
    """The value for X: the result of a search to the end, else an estimate."""
    if depth is None:
        return {1.0: "wins", 0.0: "draw", -1.0: "loses"}.get(value, estimate(value))
    return estimate(value)


def _affordable_depth(env: BaseGameEnv) -> int:
    """How deep plain minimax can search within `_PATIENCE` positions."""
    return max(1, int(log(_PATIENCE) / log(max(2, len(env.get_legal_moves())))))


def tree_depth(game: str, depth: int | None, report: Report) -> Result:
    """The game tree ply by ply: its width, where games end, and the depth of the recursion."""
    from rl_toolkit.kernels.rules.compiled import compiled_rules
    from rl_toolkit.kernels.search.tree_counts import tally

    env = make_game(game)
    spec = env.kernel_spec()
    rules = compiled_rules(spec) if spec is not None else None
    if rules is None:
        raise ValueError(f"{env.name} has no compiled rules, and without them this takes too long")
    if depth is None:
        depth = len(env.board) if len(env.board) <= 9 else _affordable_depth(env)
    report(0, 1, f"walking the tree, {depth} plies")
    counted = tally(rules, rules.encode(env.board, env.current_player), depth)
    rows, plies = [], [str(ply) for ply in range(len(counted.nodes))]
    for ply, nodes in enumerate(counted.nodes):
        won, lost = counted.won[ply], counted.lost[ply]
        x_won, o_won = (won, lost) if ply % 2 else (lost, won)  # X makes the odd plies
        rows.append([plies[ply], *(f"{n:,}" for n in (nodes, x_won, counted.drawn[ply], o_won))])
    nodes, ended = sum(counted.nodes), sum(counted.won) + sum(counted.drawn) + sum(counted.lost)
    deepest = max(ply for ply, count in enumerate(counted.nodes) if count)
    return Result(
        title=f"The game tree of {env.name}, {depth} plies deep",
        head=["ply", "nodes", "X has won", "drawn", "O has won"],
        rows=[*rows, ["all", f"{nodes:,}", "", "", ""]],
        remarks=[
            f"{ended:,} games end within {depth} plies; nodes and games are different counts.",
            f"The deepest recursion is {deepest} plies: minimax never holds more positions "
            "than that at once.",
        ],
        chart=Chart(f"Nodes by ply, {env.name}", plies, counted.nodes, "nodes", log=True),
        data={
            "game": env.name,
            "nodes_by_ply": counted.nodes,
            "nodes": nodes,
            "games": ended,
            "deepest": deepest,
        },
    )
