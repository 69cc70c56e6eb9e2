"""`TreeTeam`: a compiled tree that several threads grow, each a copy of its own.

See `kernels.search.mcts_merge`: the copies are brought to the same numbers after each run. The
first simulations are left to the calling thread, so that short searches start no others.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.mcts.compiled_tree import CompiledTree
from rl_toolkit.algorithms.mcts.tree import Settings
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.kernels.search import mcts as kernel
from rl_toolkit.kernels.search.mcts_merge import merge
from rl_toolkit.kernels.search.mcts_node import NODE
from rl_toolkit.kernels.threads.crew import allowed, together

#: Simulations that the calling thread runs alone.
ALONE = 2000
#: Nodes that are merged at most, 2 MB, and the share of visits from which their children are, too.
TOP_NODES = 1 << 16
MERGED_SHARE = 1 / 2048


class TreeTeam(CompiledTree):
    """A `CompiledTree` for ``threads`` threads; the memory cap is for all copies together."""

    def __init__(self, rules: CompiledRules, settings: Settings, threads: int) -> None:
        share = replace(settings, max_memory_mb=settings.max_memory_mb / threads)
        self.threads = threads
        self._others = list[CompiledTree]()
        self._is_shared = False
        super().__init__(rules, share)
        self.settings = settings
        self._others = [CompiledTree(rules, share) for _ in range(threads - 1)]
        self._top = np.zeros(TOP_NODES, NODE)
        self._top_free = 0
        moves = rules.spec.num_moves + 1
        self._places = np.zeros((threads + 1) * moves, dtype=np.int64)
        self._rows = np.zeros((threads + 1) * TOP_NODES, dtype=np.int64)
        trees = [self, *self._others]
        self._addresses = np.array([tree._nodes.ctypes.data for tree in trees], dtype=np.uint64)

    def _make_kernels(self) -> None:
        super()._make_kernels()
        merge.make()

    def plant(self, env: BaseGameEnv, seed: int) -> None:
        """Start a new tree at the position of ``env``."""
        super().plant(env, seed)
        for number, tree in enumerate(self._others, start=1):
            (own,) = np.random.SeedSequence((seed, number)).generate_state(1, np.uint64)
            tree.plant(env, 0)
            tree._scratch[kernel.CHANCE] = own
        self._is_shared = False

    def reset_counts(self) -> None:
        """Reset the counters; the tree is kept."""
        super().reset_counts()
        for tree in self._others:
            tree.reset_counts()

    @property
    def _all_controls(self) -> NDArray[np.int64]:
        return np.array([tree._control for tree in (self, *self._others)])

    @property
    def simulations(self) -> int:
        """Simulations run so far."""
        return int(self._all_controls[:, kernel.DONE].sum())

    @property
    def nodes(self) -> int:
        """Nodes created so far, in all copies together."""
        return int(self._all_controls[:, kernel.MADE].sum())

    @property
    def deepest(self) -> int:
        """The greatest depth reached below the root, in plies."""
        return int(self._all_controls[:, kernel.DEEPEST].max())

    @property
    def full(self) -> bool:
        """Whether the memory cap prevented a node from being created."""
        return bool(self._all_controls[:, kernel.FULL].any())

    def run(self, simulations: int) -> None:
        """Run ``simulations``, or fewer if the result is proven or a limit is reached."""
        active = allowed(self.threads)  # a tree that is kept may have had more than it has now
        is_short = int(self._nodes["visits"][0]) < ALONE or simulations < active
        if is_short or active == 1 or self.settled:
            super().run(simulations)
            return
        if not self._is_shared:
            self._share()
        trees = [self, *self._others]
        left, limit = max(0, self.node_limit - self.nodes), self.node_limit
        for tree in self._others:
            tree.flag = self.flag

        def work(number: int) -> None:
            tree = trees[number]
            some = simulations // active + (number < simulations % active)
            made = int(tree._control[kernel.MADE])
            tree.node_limit = made + left // active + (number < left % active)
            CompiledTree.run(tree, some)

        try:
            together(work, active, lambda: None)
        finally:
            self.node_limit = limit
            self._merge()

    def advance(self, moves: list[int]) -> bool:
        """Make the node reached by ``moves`` the new root; False if there is no such node."""
        self._is_shared = False
        return super().advance(moves)

    def _share(self) -> None:
        """Copy the tree, as far as there is room in the top, for every thread."""
        source = self._nodes.view(np.uint64)
        room = min(TOP_NODES, len(self._nodes))
        self._top_free = kernel.keep(source, 0, self._top.view(np.uint64), room, 0)
        for tree in self._others:
            tree._state = self._state
            tree._nodes[: self._top_free] = self._top[: self._top_free]
            tree._control[kernel.FREE] = self._top_free
        self._is_shared = True

    def _merge(self) -> None:
        self._top_free = merge(
            self._addresses,
            self._top.view(np.uint64),
            np.int64(self._top_free),
            np.int64(len(self._top)),
            self.rules.spec.num_moves + 1,
            int(self._nodes["visits"][0] * self.threads * MERGED_SHARE) + 1,
            self._places,
            self._rows,
        )
