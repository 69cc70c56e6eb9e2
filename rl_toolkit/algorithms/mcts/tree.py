"""Monte Carlo tree search in readable Python: the tree and the four steps of a simulation.

1. *Selection*: from the root, follow the child with the highest UCT score down to a node with an
   untried move.
2. *Expansion*: try one such move and add its node.
3. *Simulation*, or playout: from there, play random moves until the game ends.
4. *Backup*: every node on the path counts the visit and adds the result **from the view of the
   player who moved into that node**. The node knows who that is; its depth does not matter.

Two things go beyond the textbook. Proofs are kept apart from estimates: a finished game proves its
result, one winning reply proves a position, and so do all replies together (MCTS-Solver). And with
*tactics*, in line games, immediate wins are taken and immediate threats are blocked, in the tree
and in playouts.

`kernels.search.mcts` is the same search compiled.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.adapting import as_game
from rl_toolkit.algorithms.mcts.report import exploration, promise
from rl_toolkit.analysis import Outcome, outcome_of
from rl_toolkit.envs import BaseGameEnv

#: Estimated size of one node with its copy of the game, plus one byte per cell.
BYTES_PER_NODE = 3000


@dataclass(frozen=True, slots=True)
class Settings:
    """How a tree is searched; see `MCTSSolver`."""

    c: float = 1.41
    max_depth: int | None = None
    tactics: bool = True
    max_memory_mb: float = 512
    proofs: bool = True


class MCTSNode:
    """A position in the search tree.

    Attributes:
        env: a copy of the position; ``parent`` is the node above, ``move_from_parent`` the move
            between.
        mover: the player who made that move; ``total_value`` is from this player's view.
        children: the child nodes created so far, by move.
        untried_moves: the moves without a node; `expand` takes the last one.
        visit_count: simulations through this node; ``total_value`` is the sum of their results.
        proven_result: the result with best play for player +1, once it is proven.
    """

    prior: float | None = None  # this search has no network

    def __init__(
        self,
        env: BaseGameEnv,
        parent: Self | None = None,
        move_from_parent: int | None = None,
    ) -> None:
        env = as_game(env)
        self.env = env.copy()
        self.parent = parent
        self.move_from_parent = move_from_parent
        self.mover = -env.current_player if parent is None else parent.env.current_player
        self.children: dict[int, Self] = {}
        self.untried_moves = env.get_legal_moves()
        self.visit_count = 0
        self.total_value = 0.0
        self.ended = env.is_terminal()
        self.proven_result: float | None = env.get_result(1) if self.ended else None

    @property
    def outcome(self) -> Outcome | None:
        """The proven result for the player who moved here."""
        if self.proven_result is None:
            return None
        return outcome_of(self.proven_result * self.mover)

    def uct_score(self, c: float = 1.41) -> float:
        """Mean result for the mover plus the exploration term; infinite without a visit."""
        if self.visit_count == 0:
            return inf
        mean = self.total_value / self.visit_count
        if self.parent is None:
            return mean
        return mean + exploration(self.visit_count, self.parent.visit_count, c)

    def is_fully_expanded(self) -> bool:
        """Whether every move to try has a node."""
        return not self.untried_moves

    def best_child(self, c: float = 1.41) -> Self:
        """The child to visit next: the highest UCT score, avoiding proven losses.

        `ValueError` for a node without children.
        """
        if not self.children:
            raise ValueError("this node has no children yet")
        return max(
            self.children.values(), key=lambda child: (child.outcome != "loss", child.uct_score(c))
        )

    def favourite(self) -> Self | None:
        """The child to play: a proven win, else the most visited one that is not lost."""
        return max(self.children.values(), key=promise, default=None)

    def expand(self) -> Self:
        """Create the node of one more move and return it.

        `ValueError` if every move has been tried.
        """
        if not self.untried_moves:
            raise ValueError("every move of this node has been tried")
        move = self.untried_moves.pop()
        env = self.env.copy()
        env.step(move)
        child = self.children[move] = type(self)(env, self, move)
        return child

    def conclude(self) -> None:
        """Prove the result of this position if its children do."""
        if self.proven_result is not None:
            return
        player = self.env.current_player
        results = [child.proven_result for child in self.children.values()]
        if player in results:
            self.proven_result = float(player)
        elif self.is_fully_expanded():
            known = [result for result in results if result is not None]
            if known and len(known) == len(results):
                self.proven_result = player * max(player * result for result in known) + 0.0

    def back_up(self, result: float) -> None:
        """Count a simulation in this node and all its ancestors; ``result`` is for player +1."""
        for node in self.path():
            node.conclude()
            if node.proven_result is not None:
                result = node.proven_result  # a proof overrides the playout from here up
            node.visit_count += 1
            node.total_value += result * node.mover

    def path(self) -> Iterator[Self]:
        """Yield this node and its ancestors up to the root."""
        node: Self | None = self
        while node is not None:
            yield node
            node = node.parent


class PlainNode(MCTSNode):
    """A node of UCT as textbooks have it: only the end of a game is certain, the rest are means."""

    def best_child(self, c: float = 1.41) -> Self:
        """The child with the highest UCT score."""
        return max(self.children.values(), key=lambda child: child.uct_score(c))

    def favourite(self) -> Self | None:
        """The most visited child."""
        return max(self.children.values(), key=lambda child: child.visit_count, default=None)

    def conclude(self) -> None:
        """Leave the result open, whatever is known of the children."""


def forced_moves(env: BaseGameEnv) -> list[int]:
    """In a line game, the immediately winning moves, else the blocks of such a win; else none."""
    if not env.wins_by_lines:
        return []
    player = env.current_player
    return env.winning_moves(player) or env.winning_moves(-player)


class PythonTree:
    """A search tree over any `BaseGameEnv`, grown simulation by simulation.

    A subclass may replace `_simulate`, the playout, and `node_class`; a subclass of `MCTSSolver`
    names it as its ``tree_class``.

    Attributes:
        playout: plays from a position and returns the result for player +1: `_simulate`, unless
            the solver has its own.
        backup: counts a simulation, given the last node and the result for player +1;
            ``None`` for `MCTSNode.back_up`.
        simulations, nodes, deepest: simulations run, nodes created, greatest depth in plies.
        full: whether the memory cap prevented a node from being created.
        flag: one number; the search ends soon after it becomes 1.
    """

    node_class: type[MCTSNode] = MCTSNode
    threads = 1

    def __init__(self, env: BaseGameEnv, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.flag: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.node_limit = 1 << 62
        self._random = random.Random(seed)
        bytes_per_node = BYTES_PER_NODE + len(env.board)
        self._room = max(env.num_moves + 1, int(settings.max_memory_mb * 2**20 / bytes_per_node))
        self.playout: Callable[[BaseGameEnv], float | None] = self._simulate
        self.backup: Callable[[MCTSNode, float], object] | None = None
        node_class = self.node_class
        if not settings.proofs and node_class is MCTSNode:
            node_class = PlainNode
        self.root = self._prepared(node_class(env))
        self.reset_counts()

    def reset_counts(self) -> None:
        """Reset the counters; the tree is kept."""
        self.simulations = self.nodes = self.deepest = 0
        self.full = False
        self._kept = _size(self.root)

    @property
    def settled(self) -> bool:
        """Whether the result of the root is proven."""
        return self.root.proven_result is not None

    def run(self, simulations: int) -> None:
        """Run ``simulations``, or fewer if the result is proven or a limit is reached."""
        for _ in range(simulations):
            if self.settled or self.flag[0] or self.nodes >= self.node_limit:
                return
            self._grow()

    def advance(self, moves: list[int]) -> bool:
        """Make the node reached by ``moves`` the new root; False if there is no such node."""
        node = self.root
        for move in moves:
            if move not in node.children:
                return False
            node = node.children[move]
        self.root = _replanted(node)
        return True

    def snapshot(self) -> MCTSNode:
        """The root; `advance` copies the tree, so it stays valid."""
        return self.root

    def _grow(self) -> None:
        """Select a node, expand it, play out from there and back up the result."""
        node, depth = self.root, 0
        while node.proven_result is None:
            if node.untried_moves and self._kept + self.nodes < self._room:
                node = self._prepared(node.expand())
                self.nodes += 1
                depth += 1
                break
            self.full |= bool(node.untried_moves)
            if not node.children:
                break
            node = node.best_child(self.settings.c)
            depth += 1
        result = node.proven_result
        if result is None:
            result = self.playout(node.env.copy())
            if result is None and self.flag[0]:  # stopped in mid-playout: discard this simulation
                return
            result = _checked(result)
        if self.backup is None:
            node.back_up(result)
        else:
            self.backup(node, result)
        self.simulations += 1
        self.deepest = max(self.deepest, depth)

    def _prepared(self, node: MCTSNode) -> MCTSNode:
        """Shuffle the moves of a new node, reduced to the forced ones with tactics."""
        if self.settings.tactics and not node.ended:
            node.untried_moves = forced_moves(node.env) or node.untried_moves
        self._random.shuffle(node.untried_moves)
        return node

    def _simulate(self, env: BaseGameEnv) -> float | None:
        """The result of a random playout for player +1, or the heuristic where it is cut off.

        ``env`` is played to its end. ``None`` if the search was stopped meanwhile.
        """
        plies = 0
        while not env.is_terminal():
            if self.flag[0]:
                return None
            if plies == self.settings.max_depth:
                return env.evaluate_heuristic(1)
            forced = forced_moves(env) if self.settings.tactics else []
            env.step(self._random.choice(forced or env.get_legal_moves()))
            plies += 1
        return env.get_result(1)


def _checked(result: float | None) -> float:
    """The result of a playout; `TypeError` or `ValueError` if it cannot be one."""
    wanted = "_simulate must return a result from -1 to 1 for player +1"
    if not isinstance(result, (int, float, np.integer, np.floating)):
        raise TypeError(f"{wanted}, not {result!r}")
    if not -1 <= result <= 1:
        raise ValueError(f"{wanted}, not {result!r}")
    return float(result)


def _size(node: MCTSNode) -> int:
    """The number of nodes in the subtree of ``node``, itself included."""
    count, waiting = 0, [node]
    while waiting:
        count += 1
        waiting.extend(waiting.pop().children.values())
    return count


def _replanted(node: MCTSNode) -> MCTSNode:
    """A copy of the subtree of ``node``, which leaves the old tree as it is."""
    root = copy.copy(node)
    root.parent = root.move_from_parent = None
    waiting = [root]
    while waiting:
        parent = waiting.pop()
        parent.untried_moves = list(parent.untried_moves)
        parent.children = {move: copy.copy(child) for move, child in parent.children.items()}
        for child in parent.children.values():
            child.parent = parent
            waiting.append(child)
    return root
