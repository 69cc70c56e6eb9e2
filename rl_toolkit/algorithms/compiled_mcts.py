"""`CompiledTree`: the search of `kernels.mcts` behind the interface of `PythonTree`."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.mcts_tree import Settings
from rl_toolkit.analysis import Outcome
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels import mcts as kernel
from rl_toolkit.kernels.mcts_node import NODE, UNIT
from rl_toolkit.kernels.playout_wide import scratch_words
from rl_toolkit.kernels.rules import CompiledRules, compiled_rules
from rl_toolkit.kernels.spec import LineWeights
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

#: Nodes of a snapshot: two megabytes.
SNAPSHOT_NODES = 1 << 16
#: In a snapshot a node shows its children if it has at least this share of all visits.
SNAPSHOT_SHARE = 1 / 4096
_MOST_NODES = (1 << 31) - 1  # what the field for the first child can hold
_UNCUT = 1 << 40

_OUTCOMES: dict[int, Outcome | None] = {RUNNING: None, WON: "win", DRAWN: "draw", LOST: "loss"}


def compiled_tree(env: BaseGameEnv, settings: Settings, seed: int) -> CompiledTree | None:
    """A compiled tree for the game of ``env``, or ``None`` where there is no kernel for it."""
    spec = env.kernel_spec()
    rules = compiled_rules(spec) if spec is not None else None
    return None if rules is None else CompiledTree(env, rules, settings, seed)


class CompiledNode:
    """One record of a compiled tree, read as `SearchNode`."""

    def __init__(self, nodes: NDArray[Any], index: int, *, root: bool = False) -> None:
        self._nodes = nodes
        record = nodes[index]
        self.move_from_parent: int | None = None if root else int(record["move"])
        self.visit_count = int(record["visits"])
        self.total_value = int(record["total"]) / UNIT
        self.outcome = _OUTCOMES[int(record["proof"])]
        self._first, self._tried = int(record["first"]), int(record["tried"])
        self._moves = int(record["moves"])

    @property
    def ended(self) -> bool:
        """Whether the game is over here: only then is a result known without a reply."""
        return self.outcome is not None and self._moves == 0

    @cached_property
    def children(self) -> dict[int, CompiledNode]:
        """The nodes made so far below this one, by move."""
        made = range(self._first, self._first + self._tried)
        nodes = [CompiledNode(self._nodes, index) for index in made]
        return {node.move_from_parent: node for node in nodes if node.move_from_parent is not None}

    def is_fully_expanded(self) -> bool:
        """Whether every move to try has its node."""
        return 0 < self._moves == self._tried

    def favourite(self) -> CompiledNode | None:
        """The child to play: a proven win, else the most visited one that is not lost."""
        if not self._tried:
            return None
        block = self._nodes[self._first : self._first + self._tried]
        proof = block["proof"]
        promise = block["visits"] + ((proof == WON).astype(np.int64) - (proof == LOST)) * 2**32
        return CompiledNode(self._nodes, self._first + int(promise.argmax()))


class CompiledTree:
    """See `PythonTree`; nodes are records in one array, which is as large as the cap allows.

    The system hands out memory when it is first written to, so a small search takes little.
    """

    def __init__(
        self, env: BaseGameEnv, rules: CompiledRules, settings: Settings, seed: int
    ) -> None:
        self.settings = settings
        self.flag: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.node_limit = 1 << 62
        self._rules = rules
        spec, operations = rules.spec, rules.operations
        cells = spec.rows * spec.cols
        room = int(settings.max_memory_mb * 2**20) // NODE.itemsize
        self._nodes = np.zeros(min(max(room, 2 * spec.num_moves + 8), _MOST_NODES), NODE)
        self._state = rules.encode(np.asarray(env.board, dtype=np.int8), env.current_player)
        self._shape_scratch(cells)
        self._scratch[kernel.CHANCE] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        self._exploration = kernel.exploration_table(settings.c)
        weights = getattr(env, "heuristic_weights", LineWeights((), 1))
        self._evaluation = rules.evaluation(weights)
        control = self._control = np.zeros(kernel.CONTROLS, dtype=np.int64)
        forced = settings.tactics
        control[kernel.PLAY] = operations.play.address
        control[kernel.ADVANCE] = operations.advance.address
        control[kernel.PICK] = (operations.forced_pick if forced else operations.pick).address
        playout = operations.forced_playout if forced else operations.playout
        control[kernel.PLAYOUT] = playout.address
        control[kernel.EVALUATE] = (
            operations.evaluate.address if settings.max_depth is not None else 0
        )
        control[kernel.STATE_WORDS] = self._state.size
        control[kernel.CAPACITY] = len(self._nodes)
        control[kernel.PLIES] = _UNCUT if settings.max_depth is None else settings.max_depth
        control[kernel.FREE] = 1
        kernel.search.make()
        kernel.keep.make()

    def _shape_scratch(self, cells: int) -> None:
        side = self._rules.words_per_side
        k = getattr(self._rules.spec, "win_length", 0)
        room = kernel.STATE + 2 * side + scratch_words(side, cells, k)
        self._scratch = np.zeros(room, dtype=np.uint64)
        self._path = np.zeros(2 * cells + 2, dtype=np.int64)  # passes included

    def reset_counts(self) -> None:
        """Begin to count anew; the tree stays."""
        for number in (kernel.DONE, kernel.MADE, kernel.DEEPEST, kernel.FULL):
            self._control[number] = 0

    @property
    def simulations(self) -> int:
        """Simulations run so far."""
        return int(self._control[kernel.DONE])

    @property
    def nodes(self) -> int:
        """Nodes made so far."""
        return int(self._control[kernel.MADE])

    @property
    def deepest(self) -> int:
        """Plies reached below the root."""
        return int(self._control[kernel.DEEPEST])

    @property
    def full(self) -> bool:
        """Whether the memory cap kept a node from being made."""
        return bool(self._control[kernel.FULL])

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to find out."""
        return bool(self._nodes["proof"][0] != RUNNING)

    @property
    def root(self) -> CompiledNode:
        """The root as it is now."""
        return CompiledNode(self._nodes, 0, root=True)

    def run(self, simulations: int) -> None:
        """Run so many simulations, or fewer where the result is certain or a limit is reached."""
        self._control[kernel.SIMULATIONS] = simulations
        self._control[kernel.MOST_MADE] = self.node_limit
        kernel.search(
            self._nodes.view(np.uint64),
            self._control,
            self._state,
            self._rules.geometry,
            self._scratch,
            self._path,
            self._exploration,
            self._evaluation,
            self.flag,
        )

    def advance(self, moves: list[int]) -> bool:
        """Make the node ``moves`` below the root the new root; whether there is such a node."""
        root, state = 0, self._state
        for move in moves:
            record = self._nodes[root]
            first = int(record["first"])
            block = self._nodes["move"][first : first + int(record["tried"])]
            found = np.flatnonzero(block == move)
            if not len(found):
                return False
            root = first + int(found[0])
            state, _ = self._rules.play(state, move)
        if root:
            # Copied to the free end of the array first: the cap holds at every moment.
            free = int(self._control[kernel.FREE])
            rest = self._nodes[free:]
            if len(rest) <= 2 * self._rules.spec.num_moves:
                return False  # hardly anything could be kept
            words = self._nodes.view(np.uint64)
            size = kernel.keep(words, root, rest.view(np.uint64), len(rest), 0)
            self._nodes[:size] = rest[:size]
            self._control[kernel.FREE] = size
            self._state = state
        return True

    def snapshot(self) -> CompiledNode:
        """The root of a copy of the tree's top, for whoever wants to look at it later."""
        room = min(SNAPSHOT_NODES, int(self._control[kernel.FREE]))
        nodes = np.zeros(room, NODE)
        fewest = int(self._nodes["visits"][0] * SNAPSHOT_SHARE) + 1
        words = self._nodes.view(np.uint64)
        size = kernel.keep(words, 0, nodes.view(np.uint64), room, fewest)
        return CompiledNode(nodes[:size], 0, root=True)
