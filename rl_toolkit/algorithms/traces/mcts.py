"""Record Monte Carlo tree search, simulation by simulation.

A trace of ``mcts`` has these fields beside the common ones:

``nodes``
    Columns over the nodes of the tree in the order of their creation: ``parent`` and ``move`` (−1
    at the root), the ``side`` to move, and the ``cells`` that the move changed (`changed_cells`).
``simulations``
    One list each: the ``path`` of nodes from the root, the ``new`` node or −1, the moves of the
    ``playout``, its ``result`` for X, the ``terms``, what was ``proven``, and the ``cells`` that
    each move of the playout changed. The terms are one list per choice on the path: of every child
    its number, visits, mean for X and exploration bonus; the child with the highest sum of mean for
    the side to move and bonus is taken, except a proven loss. Proven are pairs of node and result
    for X; from a proven node upwards its result is backed up instead of the playout's. In a
    simulation that is folded, terms and cells are null and the playout is its number of moves. Only
    somebody else's search (`traces.own.mcts`) has ``backed``: what each node of the path was
    credited with, for X, if that is not the result.

Playing these again gives the visits and the sums of all nodes: see `tallies`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, NamedTuple, Protocol, Self

from rl_toolkit.adapting import as_game
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.mcts.report import exploration
from rl_toolkit.algorithms.mcts.tree import MCTSNode, PlainNode, PythonTree, Settings
from rl_toolkit.algorithms.traces.trace import (
    CHECKS,
    Trace,
    TraceBounds,
    TraceError,
    changed_cells,
    dumped,
    letter,
    names_of,
    opening,
)
from rl_toolkit.analysis import Analysis, Limit, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import JsonObject, is_own

#: Terms are rounded to this many digits.
DIGITS = 4


class Simulation(NamedTuple):
    """One simulation as it is written; see the module."""

    path: list[int]
    new: int
    playout: list[int] | int | None
    result: float
    terms: list[list[list[float]]] | None
    proven: list[list[float]]
    cells: list[list[int]] | None = None
    backed: list[float] | None = None

    def row(self) -> list[Any]:
        """The fields as they are written."""
        return list(self) if self.backed is not None else list(self)[:-1]

    @property
    def events(self) -> int:
        """The steps that it is shown in: choices, the new node, playout moves, nodes backed up."""
        return len(self.terms or ()) + (self.new >= 0) + len(self.moves) + len(self.path)

    @property
    def moves(self) -> list[int]:
        """The moves of the playout; none if it is folded."""
        return self.playout if isinstance(self.playout, list) else []

    @property
    def folded(self) -> Simulation:
        """This without terms and playout."""
        plies = len(self.playout) if isinstance(self.playout, list) else self.playout
        return self._replace(playout=plies, terms=None, cells=None)


class NodeColumns:
    """The nodes of a tree as columns, in the order of their creation."""

    def __init__(self, root: MCTSNode) -> None:
        self.parents, self.moves, self.sides = [-1], [-1], [letter(root.env.current_player)]
        self.cells: list[list[int]] = [[]]

    def add(self, child: MCTSNode, parent: int) -> int:
        """Write down a new node below number ``parent``; its own number."""
        assert child.parent is not None
        assert child.move_from_parent is not None
        self.parents.append(parent)
        self.moves.append(int(child.move_from_parent))
        self.sides.append(letter(child.env.current_player))
        self.cells.append(changed_cells(child.parent.env, child.env))
        return len(self.parents) - 1

    def data(self) -> JsonObject:
        """The columns as they are written."""
        return {
            "parent": self.parents,
            "move": self.moves,
            "side": "".join(self.sides),
            "cells": self.cells,
        }


class Recorder(Protocol):
    """A tree that is told what happens to its nodes."""

    def add(self, child: RecordedNode) -> int:
        """Write down a new node; its number."""

    def finish(self, leaf: RecordedNode, result: float) -> None:
        """Write down the simulation that ended at ``leaf``."""


class RecordedNode(MCTSNode):
    """A node that tells its tree of its children and of its results.

    A base class to put before the one of a search: every search expands and backs up by these two
    names, and chooses in its own way.
    """

    number = 0
    tree: Recorder

    def expand(self) -> Self:
        """Create a child, with a number."""
        child = super().expand()
        child.tree = self.tree
        child.number = self.tree.add(child)
        return child

    def back_up(self, result: float) -> None:
        """Back up the result, and write down the simulation."""
        super().back_up(result)
        self.tree.finish(self, result)


class RecordedUctNode(RecordedNode):
    """`MCTSNode` that tells its tree what happens to it."""

    tree: RecordedTree

    def best_child(self, c: float = 1.41) -> Self:
        """The child that selection takes, and the terms of all of them."""
        chosen = super().best_child(c)
        self.tree.choose(self, c)
        return chosen


class RecordedPlainNode(RecordedUctNode, PlainNode):
    """`PlainNode` that tells its tree what happens to it."""


class RecordedTree(PythonTree):
    """`PythonTree` that records its simulations, from number ``first`` as many as fit in full."""

    most_events: int
    first: int

    def __init__(self, env: BaseGameEnv, settings: Settings, seed: int) -> None:
        super().__init__(env, settings, seed)
        self._random = random.Random(seed)
        root = (RecordedUctNode if settings.proofs else RecordedPlainNode)(env)
        root.tree = self
        self.root: MCTSNode = self._prepared(root)
        self.columns = NodeColumns(root)
        self.done: list[Simulation] = []
        self.events = 0
        self._proven: set[int] = set()
        self._new = -1
        self._playout: list[int] = []
        self._cells: list[list[int]] = []
        self._terms: list[list[list[float]]] = []

    @property
    def in_full(self) -> bool:
        """Whether the simulation that runs is told in full."""
        return len(self.done) >= self.first and self.events < self.most_events

    def _grow(self) -> None:
        self._new, self._playout, self._cells, self._terms = -1, [], [], []
        playout, self.playout = self.playout, self._recorded_playout
        self._own_playout = playout
        try:
            super()._grow()
        finally:
            self.playout = playout

    def _recorded_playout(self, env: BaseGameEnv) -> float | None:
        begun, before = env.copy(), len(env.history)
        result = self._own_playout(env)
        self._playout = [int(move) for move in env.history[before:]]
        for move in self._playout if self.in_full else ():
            after = begun.copy()
            after.step(move)
            self._cells.append(changed_cells(begun, after))
            begun = after
        return result

    def choose(self, node: RecordedUctNode, c: float) -> None:
        """Write down the terms of a choice."""
        if self.in_full:
            self._terms.append(
                [
                    [
                        child.number,
                        child.visit_count,
                        round(child.mover * child.total_value / child.visit_count, DIGITS) + 0.0,
                        round(exploration(child.visit_count, node.visit_count, c), DIGITS),
                    ]
                    for child in node.children.values()
                    if child.visit_count
                ]
            )

    def add(self, child: RecordedNode) -> int:
        """Write down a new node; its number."""
        assert isinstance(child.parent, RecordedNode)
        self._new = self.columns.add(child, child.parent.number)
        return self._new

    def finish(self, leaf: RecordedNode, result: float) -> None:
        """Write down the simulation that ended at ``leaf``."""
        path = list(leaf.path())
        proven: list[list[float]] = []
        for node in path:
            if node.proven_result is not None and node.number not in self._proven:
                self._proven.add(node.number)
                proven.append([node.number, node.proven_result])
        numbers = [node.number for node in reversed(path)]
        found = Simulation(
            numbers, self._new, self._playout, result, self._terms, proven, self._cells
        )
        if self.in_full:
            self.events += found.events
            self.done.append(found)
        else:
            self.done.append(found.folded)


def trace_mcts(
    env: BaseGameEnv,
    solver: MCTSSolver,
    limit: Limit | None = None,
    bounds: TraceBounds | None = None,
    stop: StopSignal | None = None,
) -> Trace:
    """Record a search of the position with a new tree and the settings of ``solver``.

    It has the same answer as ``solver.analyse`` in Python with the same seed and limit. The terms
    and playouts that exceed ``bounds`` are left out, and a note says so. `TraceError` if there are
    too many simulations for a trace.
    """
    env, bounds = as_game(env), bounds or TraceBounds()
    if is_own(solver._backpropagate, MCTSSolver._backpropagate):
        raise TraceError(f"{type(solver).__name__} has its own _backpropagate, which has no trace")
    limit = solver._with_default(limit or Limit())
    if limit.time is None and bounds.seconds is not None:
        limit = replace(limit, time=bounds.seconds)
    check_simulations(limit.simulations, bounds)
    limit = replace(limit, simulations=limit.simulations or bounds.nodes)
    seed = solver.seed if solver.seed is not None else random.getrandbits(32)

    own = (RecordedTree, solver.tree_class)
    kept = {"most_events": bounds.events, "first": bounds.first}
    recorded: type[PythonTree] = type("Recorded", own, kept)
    tree = solver._python_tree(env, recorded, seed)
    assert isinstance(tree, RecordedTree)
    analysis = solver._grown(env, tree, limit, seed, None, stop)
    options = asdict(tree.settings) | {"seed": seed, "simulations": limit.simulations}
    return tree_document(
        opening("mcts", env, solver.name, options),
        env,
        analysis,
        tree.columns.data(),
        tree.done,
        bounds,
    )


def check_simulations(asked: int | None, bounds: TraceBounds) -> None:
    """Raise `TraceError` for more simulations than a trace can hold."""
    if asked is not None and asked > bounds.nodes:
        raise TraceError(
            f"{asked:,} simulations are too many for a trace; at most {bounds.nodes:,} are possible"
        )


def tree_document(
    start: JsonObject,
    env: BaseGameEnv,
    analysis: Analysis,
    nodes: JsonObject,
    done: list[Simulation],
    bounds: TraceBounds,
) -> Trace:
    """The document of a tree search, with as many simulations in full as there is room for."""
    played = {move for simulation in done for move in simulation.moves}
    best = analysis.best_move
    data = {
        **start,
        "answer": {
            "move": best,
            "value": None if analysis.value is None else analysis.value * analysis.player + 0.0,
            "proven": analysis.proven,
            "simulations": len(done),
            "nodes": analysis.nodes,
            "visits": {str(c.move): c.visits or 0 for c in analysis.candidates},
        },
        "notes": [],
        "names": names_of(env, {*nodes["move"], *played, *env.get_legal_moves()}),
        "nodes": nodes,
        "simulations": [],
    }
    return fitted(data, done, bounds)


def fitted(data: JsonObject, done: list[Simulation], bounds: TraceBounds) -> Trace:
    """The document with these simulations, as many in full as there is room for."""
    bare = [simulation.folded for simulation in done]
    rows = [short.row() for short in bare]
    room = bounds.bytes - len(dumped(data | {"simulations": rows}).encode()) - 200
    if room < 0:
        raise TraceError(
            f"the trace of {len(done):,} simulations has more than {bounds.bytes:,} bytes; "
            "run fewer simulations"
        )
    told = list(bare)
    first = end = min(bounds.first, len(done))
    for simulation, short in zip(done[first:], bare[first:], strict=True):
        room -= len(dumped(simulation.row())) - len(dumped(short.row()))
        if room < 0 or simulation.terms is None:
            break
        told[end] = simulation
        end += 1
    data["simulations"] = [each.row() for each in told]
    if end - first < len(done):
        which = f"The first {end:,}" if not first else f"Numbers {first + 1:,} to {end:,}"
        data["notes"] = [
            f"{which} of {len(done):,} simulations are told in full; "
            "of the others the path and the result are kept"
        ]
    return Trace(data)


class Tally(NamedTuple):
    """The visits of a node and the sum of the results for X."""

    visits: int
    total: float


def tallies(data: Mapping[str, Any], simulations: int | None = None) -> list[Tally]:
    """The tally of every node after so many simulations (all by default), by playing them again."""
    count = len(data["nodes"]["parent"])
    visits, totals = [0] * count, [0.0] * count
    proven: dict[int, float] = {}
    for fields in data["simulations"][:simulations]:
        one = Simulation(*fields)
        proven.update((int(node), result) for node, result in one.proven)
        result = one.result
        for place in reversed(range(len(one.path))):
            node = one.path[place]
            result = proven.get(node, result)
            visits[node] += 1
            totals[node] += one.backed[place] if one.backed else result
    return [Tally(n, total) for n, total in zip(visits, totals, strict=True)]


def check_tree(data: JsonObject) -> None:
    """Check the simulations against each other and against the answer; raises `TraceError`."""
    nodes = data["nodes"]
    parents, moves = nodes["parent"], nodes["move"]
    lengths = {len(column) for column in nodes.values()}
    if len(lengths) > 1 or not parents:
        raise TraceError("the columns of nodes differ in length")
    if parents[0] != -1 or any(not 0 <= above < node for node, above in enumerate(parents) if node):
        raise TraceError("a node is its own parent or comes before it")
    for fields in data["simulations"]:
        path = Simulation(*fields).path
        if path[:1] != [0] or any(
            parents[below] != above for above, below in itertools.pairwise(path)
        ):
            raise TraceError("the path of a simulation does not follow the tree")
    found = tallies(data)
    answer, names = data["answer"], data["names"]
    visits = {str(moves[node]): found[node].visits for node, up in enumerate(parents) if up == 0}
    told = {move: count for move, count in answer["visits"].items() if count}
    if len(data["simulations"]) != answer["simulations"] or told != {
        move: count for move, count in visits.items() if count
    }:
        raise TraceError("the simulations do not lead to the visits of the answer")
    if any(str(move) not in names for move in moves[1:]):
        raise TraceError("a move has no name")


CHECKS["mcts"] = CHECKS["alphazero"] = check_tree
