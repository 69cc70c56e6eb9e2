"""How many positions minimax visits, plain and with each idea added to those before it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import estimate
from rl_toolkit.envs import make_game
from rl_toolkit.experiments.counting.whole_trees import SETTINGS, depth_for
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Column, Result
from rl_toolkit.utils.svg import Chart

#: The ideas, each added to those before it.
IDEAS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("plain minimax", {"use_pruning": False, "use_memoization": False}),
    ("+ alpha-beta", {"use_pruning": True, "use_memoization": False}),
    ("+ table", {"use_pruning": True, "use_memoization": True}),
    ("+ ordering", {"use_ordering": True}),
    ("+ symmetry", {"use_ordering": True, "use_symmetry": True}),
)


class Search(NamedTuple):
    """One search: what it visited and found."""

    idea: str
    nodes: int
    value: float
    seconds: float


def measure(game: str, depth: int | None) -> Iterator[Progress | Search]:
    """One search for each idea, to the end or to ``depth`` plies."""
    env = make_game(game)
    depth = depth_for(env, depth)
    MinimaxSolver(1, compiled=True)._minimax(env)  # so that no search pays for the compiler
    for number, (idea, switches) in enumerate(IDEAS):
        yield Progress(number, len(IDEAS), idea)
        solver = MinimaxSolver(depth, compiled=True, **switches)
        started = time.perf_counter()
        value = solver._minimax(env)
        yield Search(idea, solver.nodes_evaluated, value, time.perf_counter() - started)


def conclude(measured: Sequence[Search], complete: bool, game: str, depth: int | None) -> Result:
    """The searches in a table, compared with the first."""
    env = make_game(game)
    depth = depth_for(env, depth)
    how_far = "to the end of the game" if depth is None else f"{depth} plies deep"
    counts = {search.idea: search.nodes for search in measured}
    data: dict[str, Any] = {"game": env.name, "depth": depth, "nodes": counts}
    return Result(
        title=f"Positions that minimax visits on {env.name}, {how_far}",
        columns=[
            Column("search", "plain"),
            Column("nodes"),
            Column("fewer", "times"),
            Column("for X", "plain"),
            Column("seconds", "seconds"),
        ],
        cells=[
            [
                search.idea,
                search.nodes,
                measured[0].nodes / search.nodes,
                _in_words(search.value, depth),
                search.seconds,
            ]
            for search in measured
        ],
        remarks=["Every search finds the same value: the ideas save work and change nothing else."],
        chart=Chart(
            f"Positions visited on {env.name}, {how_far}",
            list(counts),
            list(counts.values()),
            "nodes",
            log=True,
        ),
        data=data,
    )


def _in_words(value: float, depth: int | None) -> str:
    """The value for X: the result of a search to the end, else an estimate."""
    if depth is None:
        return {1.0: "wins", 0.0: "draw", -1.0: "loses"}.get(value, estimate(value))
    return estimate(value)


NODE_COUNTS = Experiment(
    id="node-counts",
    title="Node counts",
    about="How many positions minimax visits, plain and with each idea added.",
    unit="searches",
    settings=SETTINGS,
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "Plain minimax visits 549,946 positions of a game that has only 5,478. How can that "
            "be?",
            "It visits a position once for every order of moves that leads to it. The table is "
            "what notices the same position: it is worth more, the more orders there are.",
        ),
        Question(
            "Every row has the same value. What would you think of a search with fewer nodes and "
            "another value?",
            "That it is broken. Pruning, tables, ordering and symmetry only leave out what cannot "
            "change the value of the start.",
        ),
    ),
    examples=("connect-four --depth 6",),
)
