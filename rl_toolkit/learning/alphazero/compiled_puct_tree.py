"""`CompiledPuctTree`: `kernels.search.puct` behind the interface of `PythonPuctTree`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms import compiled_rules_for
from rl_toolkit.algorithms.mcts import CompiledNode, CompiledTree, Settings
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.kernels.search import mcts, puct
from rl_toolkit.kernels.search.mcts_node import UNIT
from rl_toolkit.learning.alphazero.features import planes_from
from rl_toolkit.learning.alphazero.puct_tree import (
    FIRST_PLAY_LESS,
    Evaluator,
    PuctSettings,
    flatten_priors,
    turn_of,
)


def compiled_puct_tree(
    env: BaseGameEnv, settings: PuctSettings, evaluate: Evaluator, seed: int, spent: object = None
) -> CompiledPuctTree | None:
    """A compiled tree for the game of ``env``; ``None`` if there is no kernel for it.

    ``spent`` is a tree that is no longer needed: its memory is reused where it fits.
    """
    rules = compiled_rules_for(env)
    if rules is None:
        return None
    if isinstance(spent, CompiledPuctTree) and (spent.rules, spent.puct) == (rules, settings):
        tree = spent
    else:
        tree = CompiledPuctTree(rules, settings)
    tree.evaluate = evaluate
    tree.plant(env, seed)
    return tree


class PuctRecord(CompiledNode):
    """One record of a tree guided by a network; it holds the prior of its move."""

    def __init__(
        self, nodes: NDArray[Any], record: tuple[int, ...], *, is_root: bool = False
    ) -> None:
        super().__init__(nodes, record, is_root=is_root)
        self.prior = None if is_root else record[2] / UNIT


class CompiledPuctTree(CompiledTree):
    """Like `PythonPuctTree`, with nodes as records in one array, as in `CompiledTree`."""

    node_kind = PuctRecord
    evaluate: Evaluator

    def __init__(self, rules: CompiledRules, settings: PuctSettings) -> None:
        super().__init__(
            rules,
            Settings(
                settings.cpuct, tactics=settings.tactics, max_memory_mb=settings.max_memory_mb
            ),
        )
        self.puct = settings
        moves, side, batch = rules.spec.num_moves, rules.words_per_side, settings.batch
        longest = len(self._path) + 1  # the depth comes first
        self._paths = np.zeros(batch * longest, dtype=np.int64)
        self._states = np.zeros(batch * 2 * side, dtype=np.uint64)
        self._allowed = np.zeros(batch * moves, dtype=np.int64)
        self._control[puct.BATCH], self._control[puct.MOVES] = batch, moves
        self._control[puct.STRIDE] = longest

    def _make_kernels(self) -> None:
        for kernel in (puct.collect, puct.learn, mcts.keep):
            kernel.make()

    def _controls(self) -> NDArray[np.int64]:
        control = np.zeros(puct.PUCT_CONTROLS, dtype=np.int64)
        self._set_rules(control)
        return control

    def plant(self, env: BaseGameEnv, seed: int) -> None:
        """Start a new tree at the position of ``env``."""
        super().plant(env, seed)
        self._env = env.copy()
        self._control[puct.TURN] = turn_of(seed)

    def run(self, some: int, most: int | None = None) -> None:
        """Run whole batches until ``some`` simulations are done; see `PythonPuctTree.run`."""
        before, most = self.simulations, some if most is None else most
        self._control[mcts.MOST_MADE] = self.node_limit
        while self.simulations - before < min(some, most) and not self._over():
            self._control[mcts.SIMULATIONS] = most - (self.simulations - before)
            waiting = puct.collect(
                self._nodes.view(np.uint64),
                self._control,
                self._state,
                self.rules.geometry,
                self._scratch,
                self._paths,
                self._states,
                self._allowed,
                np.float64(self.puct.cpuct),
                np.float64(FIRST_PLAY_LESS),
                self.flag,
            )
            if waiting:
                self._learn(waiting)

    def _over(self) -> bool:
        return self.settled or bool(self.flag[0]) or self.nodes >= self.node_limit

    def _learn(self, waiting: int) -> None:
        """Evaluate the waiting positions with the network and back the values up."""
        mine, theirs = self.rules.sides(self._states.reshape(self.puct.batch, -1)[:waiting])
        allowed = self._allowed.reshape(self.puct.batch, -1)[:waiting] != 0
        evaluated = self.evaluate(planes_from(mine, theirs, self._env), allowed)
        shares = evaluated.priors
        if self._paths[0] == 0:  # a path of length 0: only the root is waiting
            shares = flatten_priors(shares[0], self.puct.root_prior_power)
        priors, values = (
            np.ascontiguousarray(numbers * UNIT, dtype=np.int64).reshape(-1)
            for numbers in (shares, evaluated.values)
        )
        words = self._nodes.view(np.uint64)
        puct.learn(words, self._control, self._paths, priors, values)
