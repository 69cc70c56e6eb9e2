"""`CompiledTree`: the search of `kernels.search.mcts` behind the interface of `PythonTree`."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.by_game.compiled_rules import compiled_rules_for
from rl_toolkit.algorithms.mcts.tree import Settings
from rl_toolkit.analysis import Outcome
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.kernels.rules.playout_large import scratch_words
from rl_toolkit.kernels.search import mcts as kernel
from rl_toolkit.kernels.search.mcts_node import NODE, UNIT
from rl_toolkit.kernels.spec import LineSpec, LineWeights
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

#: Nodes of a snapshot: two megabytes.
SNAPSHOT_NODES = 1 << 16
#: A snapshot includes the children of nodes with at least this share of all visits.
SNAPSHOT_SHARE = 1 / 4096
_MOST_NODES = (1 << 31) - 1  # the largest index of a first child
_UNCUT = 1 << 40

_OUTCOMES: dict[int, Outcome | None] = {RUNNING: None, WON: "win", DRAWN: "draw", LOST: "loss"}


def compiled_tree(
    env: BaseGameEnv, settings: Settings, seed: int, spent: object = None, threads: int = 1
) -> CompiledTree | None:
    """A compiled tree for the game of ``env``; ``None`` if there is no kernel for it.

    ``spent`` is a tree that is no longer needed: its memory is reused where it fits.
    """
    rules = compiled_rules_for(env)
    if rules is None:
        return None
    if isinstance(spent, CompiledTree) and spent.fits(rules, settings, threads):
        tree = spent
    elif threads == 1:
        tree = CompiledTree(rules, settings)
    else:
        from rl_toolkit.algorithms.mcts.tree_team import TreeTeam

        tree = TreeTeam(rules, settings, threads)
    tree.plant(env, seed)
    return tree


class CompiledNode:
    """One record of a compiled tree, as a `SearchNode`."""

    prior: float | None = None  # this search has no network

    def __init__(
        self, nodes: NDArray[Any], record: tuple[int, ...], *, is_root: bool = False
    ) -> None:
        total, _, _, visits, first, tried, moves, move, proof, _ = record
        self._nodes = nodes
        self._first, self._tried, self._moves = first, tried, moves
        self.move_from_parent: int | None = None if is_root else move
        self.visit_count = visits
        self.total_value = total / UNIT
        self.outcome = _OUTCOMES[proof]

    @classmethod
    def root_of(cls, nodes: NDArray[Any]) -> Self:
        """The node of the first record."""
        return cls(nodes, nodes[0].item(), is_root=True)

    @property
    def ended(self) -> bool:
        """Whether the game is over here."""
        return self.outcome is not None and self._moves == 0

    @property
    def _block(self) -> NDArray[Any]:
        return self._nodes[self._first : self._first + self._tried]

    @cached_property
    def children(self) -> dict[int, Self]:
        """The child nodes created so far, by move."""
        nodes = [type(self)(self._nodes, record) for record in self._block.tolist()]
        return {node.move_from_parent: node for node in nodes if node.move_from_parent is not None}

    def is_fully_expanded(self) -> bool:
        """Whether every move to try has a node."""
        return 0 < self._moves == self._tried

    def favourite(self) -> Self | None:
        """The child to play: a proven win, else the most visited one that is not lost."""
        if not self._tried:
            return None
        block = self._block
        promise, proof = block["visits"], block["proof"]
        if proof.any():
            promise = promise + ((proof == WON).astype(np.int64) - (proof == LOST)) * 2**32
        return type(self)(self._nodes, block[promise.argmax()].item())


class CompiledTree:
    """Like `PythonTree`, with nodes as records in one array as large as the memory cap allows.

    The system allocates memory when it is first written to, so a small search uses little.
    """

    node_kind = CompiledNode
    threads = 1

    def __init__(self, rules: CompiledRules, settings: Settings) -> None:
        self.rules = rules
        self.settings = settings
        self.flag: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.node_limit = 1 << 62
        room = int(settings.max_memory_mb * 2**20) // NODE.itemsize
        room = max(room, 2 * rules.spec.num_moves + 8)  # enough to expand the root
        self._nodes = np.zeros(min(room, _MOST_NODES), NODE)
        cells, side = rules.spec.rows * rules.spec.cols, rules.words_per_side
        scratch = kernel.STATE + 2 * side + scratch_words(side, cells, _win_length(rules))
        self._scratch = np.zeros(scratch, dtype=np.uint64)
        self._path = np.zeros(2 * cells + 2, dtype=np.int64)  # passes included
        self._exploration = kernel.exploration_table(settings.c)
        self._evaluation = np.zeros(0, dtype=np.int64)
        self._control = self._controls()
        self._make_kernels()

    def _make_kernels(self) -> None:
        kernel.search.make()
        kernel.keep.make()

    def _set_rules(self, control: NDArray[np.int64]) -> None:
        """Fill in what every search needs to know about the game and its memory."""
        operations = self.rules.operations
        pick = operations.forced_pick if self.settings.tactics else operations.pick
        control[kernel.PLAY] = operations.play.address
        control[kernel.ADVANCE] = operations.advance.address
        control[kernel.PICK] = pick.address
        control[kernel.STATE_WORDS] = 2 * self.rules.words_per_side
        control[kernel.CAPACITY] = len(self._nodes)

    def _controls(self) -> NDArray[np.int64]:
        control = np.zeros(kernel.CONTROLS, dtype=np.int64)
        self._set_rules(control)
        operations, forced = self.rules.operations, self.settings.tactics
        playout = operations.forced_playout if forced else operations.playout
        control[kernel.PLAYOUT] = playout.address
        control[kernel.PLIES] = _UNCUT
        if self.settings.max_depth is not None:
            control[kernel.PLIES] = self.settings.max_depth
            control[kernel.EVALUATE] = operations.evaluate.address
        return control

    def fits(self, rules: CompiledRules, settings: Settings, threads: int) -> bool:
        """Whether the tree can be planted anew for these rules, settings and threads."""
        same = self.rules is rules and self.settings == settings
        return same and self.threads == threads

    def plant(self, env: BaseGameEnv, seed: int) -> None:
        """Start a new tree at the position of ``env``."""
        board = np.asarray(env.board, dtype=np.int8)
        self._state = self.rules.encode(board, env.current_player)
        self._scratch[kernel.CHANCE] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        if self.settings.max_depth is not None:
            self._evaluation = self.rules.evaluation(
                getattr(env, "heuristic_weights", LineWeights((), 1))
            )
        self._nodes[0] = np.zeros((), NODE)
        self._control[kernel.FREE] = 1
        self.reset_counts()

    def reset_counts(self) -> None:
        """Reset the counters; the tree is kept."""
        for number in (kernel.DONE, kernel.MADE, kernel.DEEPEST, kernel.FULL):
            self._control[number] = 0

    @property
    def simulations(self) -> int:
        """Simulations run so far."""
        return int(self._control[kernel.DONE])

    @property
    def nodes(self) -> int:
        """Nodes created so far."""
        return int(self._control[kernel.MADE])

    @property
    def deepest(self) -> int:
        """The greatest depth reached below the root, in plies."""
        return int(self._control[kernel.DEEPEST])

    @property
    def full(self) -> bool:
        """Whether the memory cap prevented a node from being created."""
        return bool(self._control[kernel.FULL])

    @property
    def settled(self) -> bool:
        """Whether the result of the root is proven."""
        return bool(self._nodes["proof"][0] != RUNNING)

    @property
    def root(self) -> CompiledNode:
        """The root in its current state."""
        return self.node_kind.root_of(self._nodes)

    def run(self, simulations: int) -> None:
        """Run ``simulations``, or fewer if the result is proven or a limit is reached."""
        self._control[kernel.SIMULATIONS] = simulations
        self._control[kernel.MOST_MADE] = self.node_limit
        kernel.search(
            self._nodes.view(np.uint64),
            self._control,
            self._state,
            self.rules.geometry,
            self._scratch,
            self._path,
            self._exploration,
            self._evaluation,
            self.flag,
        )

    def advance(self, moves: list[int]) -> bool:
        """Make the node reached by ``moves`` the new root; False if there is no such node."""
        root, state = 0, self._state
        for move in moves:
            record = self._nodes[root]
            first = int(record["first"])
            block = self._nodes["move"][first : first + int(record["tried"])]
            found = np.flatnonzero(block == move)
            if not len(found):
                return False
            root = first + int(found[0])
            state, _ = self.rules.play(state, move)
        if root:
            # Copied to the free end of the array first, so that the cap is never exceeded.
            free = int(self._control[kernel.FREE])
            rest = self._nodes[free:]
            if len(rest) <= 2 * self.rules.spec.num_moves:
                return False  # there is room for hardly any of it
            words = self._nodes.view(np.uint64)
            size = kernel.keep(words, root, rest.view(np.uint64), len(rest), 0)
            self._nodes[:size] = rest[:size]
            self._control[kernel.FREE] = size
            self._state = state
        return True

    def snapshot(self) -> CompiledNode:
        """The root of a copy of the top of the tree, which later searches leave unchanged."""
        room = min(SNAPSHOT_NODES, int(self._control[kernel.FREE]))
        nodes = np.zeros(room, NODE)
        fewest = int(self._nodes["visits"][0] * SNAPSHOT_SHARE) + 1
        words = self._nodes.view(np.uint64)
        size = kernel.keep(words, 0, nodes.view(np.uint64), room, fewest)
        return self.node_kind.root_of(nodes[:size])


def _win_length(rules: CompiledRules) -> int:
    return rules.spec.win_length if isinstance(rules.spec, LineSpec) else 0
