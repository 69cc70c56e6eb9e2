"""Record the search of AlphaZero, in the form of `algorithms.traces.mcts`.

A simulation has no playout: its result is the network's value, or a proof. All moves of a position
become nodes together, so ``new`` is the position that was evaluated; nodes have a further column,
the ``prior`` of their move. Terms have a fifth number, the same prior, and their visits and means
contain the virtual losses of descents whose value is still to come. Simulations stand in the order
in which they were backed up.
"""

from __future__ import annotations

import math
import random
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Self

from rl_toolkit.algorithms.traces import (
    DIGITS,
    NodeColumns,
    RecordedNode,
    Simulation,
    Trace,
    TraceBounds,
    TraceError,
    check_simulations,
    opening,
    tree_document,
)
from rl_toolkit.analysis import Limit, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.learning.alphazero.inference import Network, evaluate
from rl_toolkit.learning.alphazero.puct_tree import (
    FIRST_PLAY_LESS,
    Evaluator,
    PuctNode,
    PuctSettings,
    PythonPuctTree,
)
from rl_toolkit.utils import JsonObject

if TYPE_CHECKING:
    from rl_toolkit.learning.alphazero.engine import AlphaZeroEngine


class RecordedPuctNode(RecordedNode, PuctNode):
    """`PuctNode` that tells its tree what happens to it."""

    tree: RecordedPuctTree

    def most_promising(self, c: float) -> Self:
        """The child that selection takes, and the terms of all of them."""
        chosen = super().most_promising(c)
        self.tree.choose(self, c)
        return chosen


class RecordedPuctTree(PythonPuctTree):
    """`PythonPuctTree` that records its simulations, from number ``first`` as many as fit."""

    def __init__(
        self,
        env: BaseGameEnv,
        settings: PuctSettings,
        evaluate: Evaluator,
        seed: int,
        bounds: TraceBounds,
    ) -> None:
        super().__init__(env, settings, evaluate, seed)
        root = RecordedPuctNode(env.copy())
        root.tree = self
        self.root: PuctNode = root
        self.columns = NodeColumns(root)
        self.recorded: list[RecordedNode] = [root]
        self.done: list[Simulation] = []
        self.events, self._bounds = 0, bounds
        self._proven: set[int] = set()
        self._terms: list[list[list[float]]] = []
        self._terms_of: dict[int, list[list[list[float]]]] = {}
        self._evaluated: set[int] = set()

    @property
    def in_full(self) -> bool:
        """Whether the simulation that runs is told in full."""
        return len(self.done) >= self._bounds.first and self.events < self._bounds.events

    def data(self) -> JsonObject:
        """The columns of the nodes, with their priors."""
        priors = [round(node.prior or 0.0, DIGITS) for node in self.recorded]
        return self.columns.data() | {"prior": priors}

    def _descend(self) -> PuctNode:
        self._terms = []
        leaf = super()._descend()
        if not leaf.waits and isinstance(leaf, RecordedPuctNode):
            self._terms_of[leaf.number] = self._terms
        return leaf

    def choose(self, node: RecordedPuctNode, c: float) -> None:
        """Write down the terms of a choice."""
        if not self.in_full:
            return
        scale, untried = c * math.sqrt(node.visit_count), -node.mean - FIRST_PLAY_LESS
        row = []
        for child in node.children.values():
            mean = child.total_value / child.visit_count if child.visit_count else untried
            if child.outcome == "draw":
                mean = 0.0
            prior = child.prior or 0.0
            bonus = scale * prior / (1 + child.visit_count)
            numbers = (child.mover * mean, bonus, prior)
            shown = [round(number, DIGITS) + 0.0 for number in numbers]
            row.append([child.number, child.visit_count, *shown])
        self._terms.append(row)

    def add(self, child: RecordedNode) -> int:
        """Write down a new node; its number."""
        assert isinstance(child.parent, RecordedNode)
        self.recorded.append(child)
        return self.columns.add(child, child.parent.number)

    def finish(self, leaf: RecordedNode, result: float) -> None:
        """Write down the simulation that ended at ``leaf``."""
        path = list(leaf.path())
        proven: list[list[float]] = []
        for node in path:
            for visited in (node, *node.children.values()):
                if visited.proven_result is not None and visited.number not in self._proven:
                    self._proven.add(visited.number)
                    proven.append([visited.number, visited.proven_result])
        terms = self._terms_of.pop(leaf.number, [])
        new = leaf.number if leaf.number not in self._evaluated else -1
        self._evaluated.add(leaf.number)
        numbers = [node.number for node in reversed(path)]
        simulation = Simulation(numbers, new, [], result, terms, proven, [])
        if self.in_full and len(terms) == len(path) - 1:  # the descent was recorded too
            self.events += simulation.events
            self.done.append(simulation)
        else:
            self.done.append(simulation.folded)


def trace_alphazero(
    env: BaseGameEnv,
    engine: AlphaZeroEngine,
    limit: Limit | None = None,
    bounds: TraceBounds | None = None,
    stop: StopSignal | None = None,
) -> Trace:
    """Record a search of the position.

    It has the same answer as ``engine.analyse`` in Python with the same seed and simulations.
    """
    bounds, limit = bounds or TraceBounds(), limit or Limit()
    if engine.policy_only:
        raise TraceError("with policy=on the network plays without a search, so there is no trace")
    if limit.time is None and bounds.seconds is not None:
        limit = replace(limit, time=bounds.seconds)
    asked = limit.simulations or engine.num_simulations
    check_simulations(asked, bounds)
    limit = replace(limit, simulations=asked)
    seed = engine.seed if engine.seed is not None else random.getrandbits(32)
    trees: list[RecordedPuctTree] = []

    def grown(network: Network) -> RecordedPuctTree:
        ask = partial(evaluate, network)
        trees.append(RecordedPuctTree(env, engine.settings, ask, seed, bounds))
        return trees[-1]

    analysis = engine._analysed(env, limit, seed, grown, None, stop)
    tree = trees[0]
    options = asdict(engine.settings) | {"seed": seed, "simulations": asked}
    return tree_document(
        opening("alphazero", env, engine.name, options),
        env,
        analysis,
        tree.data(),
        tree.done,
        bounds,
    )
