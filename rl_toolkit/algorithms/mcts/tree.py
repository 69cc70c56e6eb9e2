"""Monte-Carlo tree search to read: a tree of positions, and the four steps of a simulation.

1. *Select*: from the root, follow the child with the highest UCT score down to a node with a move
   not tried yet.
2. *Expand*: try one, which makes a new node.
3. *Play out*: from there on move at random until the game ends.
4. *Back up*: every node on the way counts the visit and adds the result, each **as the player
   sees it who moved into that node**. Who that is the node knows; depth has no say in it.

Two things are added to the textbook. What is certain is kept apart from what is estimated: a
finished game proves its result, one winning reply proves a position, and so do all replies
together (MCTS-Solver). And with *tactics*, in games of lines, a move that wins at once is taken and
a threat to win at once is answered, in the tree and in playouts.

`kernels.search.mcts` is the same search compiled.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.mcts.report import exploration, promise
from rl_toolkit.analysis import Outcome, outcome_of
from rl_toolkit.envs import BaseGameEnv

#: Estimate of what one node takes, its copy of the game included; cells come on top.
BYTES_PER_NODE = 3000


@dataclass(frozen=True, slots=True)
class Settings:
    """How a tree is searched; see `MCTSSolver`."""

    c: float = 1.41
    max_depth: int | None = None
    tactics: bool = True
    max_memory_mb: float = 512


class MCTSNode:
    """A position in the search tree.

    Attributes:
        env: the position; ``parent`` the node above and ``move_from_parent`` the move between.
        mover: the player who made that move, whose view ``total_value`` takes.
        children: the nodes made so far, by move.
        untried_moves: the moves that have no node yet; `expand` takes the last one.
        visit_count: simulations that went through here; ``total_value`` adds up their results.
        proven_result: what the game comes to with best play, for player +1, once that is certain.
    """

    prior: float | None = None  # there is no network here

    def __init__(
        self,
        env: BaseGameEnv,
        parent: Self | None = None,
        move_from_parent: int | None = None,
    ) -> None:
        self.env = env
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
        """Mean result for the mover, plus a bonus for what has been looked at seldom."""
        if self.visit_count == 0:
            return inf
        mean = self.total_value / self.visit_count
        if self.parent is None:
            return mean
        return mean + exploration(self.visit_count, self.parent.visit_count, c)

    def is_fully_expanded(self) -> bool:
        """Whether every move to try has its node."""
        return not self.untried_moves

    def best_child(self, c: float = 1.41) -> Self:
        """The child to look at next: the highest UCT score, proven losses only if all are."""
        if not self.children:
            raise ValueError("this node has no children yet")
        return max(
            self.children.values(), key=lambda child: (child.outcome != "loss", child.uct_score(c))
        )

    def favourite(self) -> Self | None:
        """The child to play: a proven win, else the most visited one that is not lost."""
        return max(self.children.values(), key=promise, default=None)

    def expand(self) -> Self:
        """Try one more move: its node is made and returned."""
        if not self.untried_moves:
            raise ValueError("every move of this node has been tried")
        move = self.untried_moves.pop()
        env = self.env.copy()
        env.step(move)
        child = self.children[move] = type(self)(env, self, move)
        return child

    def conclude(self) -> None:
        """See whether the children prove this position."""
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
        """Count a simulation here and all the way up; ``result`` is player +1's."""
        for node in self.path():
            node.conclude()
            if node.proven_result is not None:
                result = node.proven_result  # the truth goes up, whatever this playout came to
            node.visit_count += 1
            node.total_value += result * node.mover

    def path(self) -> Iterator[Self]:
        """This node and all above it."""
        node: Self | None = self
        while node is not None:
            yield node
            node = node.parent


def forced_moves(env: BaseGameEnv) -> list[int]:
    """In a game of lines the moves that win at once, else those that stop such a win; or none."""
    if not env.wins_by_lines:
        return []
    player = env.current_player
    return env.winning_moves(player) or env.winning_moves(-player)


class PythonTree:
    """A search tree over any `BaseGameEnv`, grown simulation by simulation.

    Attributes:
        simulations, nodes, deepest: simulations run, nodes made, plies reached below the root.
        full: whether the memory cap kept a node from being made.
        flag: one number; the search ends soon after it turns 1.
    """

    def __init__(self, env: BaseGameEnv, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.flag: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.node_limit = 1 << 62
        self._random = random.Random(seed)
        bytes_per_node = BYTES_PER_NODE + len(env.board)
        self._room = max(env.num_moves + 1, int(settings.max_memory_mb * 2**20 / bytes_per_node))
        self.root = self._prepared(MCTSNode(env.copy()))
        self.reset_counts()

    def reset_counts(self) -> None:
        """Begin to count anew; the tree stays."""
        self.simulations = self.nodes = self.deepest = 0
        self.full = False
        self._kept = _size(self.root)

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to find out."""
        return self.root.proven_result is not None

    def run(self, simulations: int) -> None:
        """Run so many simulations, or fewer where the result is certain or a limit is reached."""
        for _ in range(simulations):
            if self.settled or self.flag[0] or self.nodes >= self.node_limit:
                return
            self._simulate()

    def advance(self, moves: list[int]) -> bool:
        """Make the node ``moves`` below the root the new root; whether there is such a node."""
        node = self.root
        for move in moves:
            if move not in node.children:
                return False
            node = node.children[move]
        self.root = _replanted(node)
        return True

    def snapshot(self) -> MCTSNode:
        """The root, for whoever wants to look at the tree later."""
        return self.root

    def _simulate(self) -> None:
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
            result = self._play_out(node.env.copy())
        if result is None:  # stopped on the way: as if this simulation had not begun
            return
        node.back_up(result)
        self.simulations += 1
        self.deepest = max(self.deepest, depth)

    def _prepared(self, node: MCTSNode) -> MCTSNode:
        """A new node with its moves in random order, tactics considered."""
        if self.settings.tactics and not node.ended:
            node.untried_moves = forced_moves(node.env) or node.untried_moves
        self._random.shuffle(node.untried_moves)
        return node

    def _play_out(self, env: BaseGameEnv) -> float | None:
        """Player +1's result of a random game from here on, or a guess where it is cut."""
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


def _size(node: MCTSNode) -> int:
    """Nodes of the tree below ``node``, itself included."""
    count, waiting = 0, [node]
    while waiting:
        count += 1
        waiting.extend(waiting.pop().children.values())
    return count


def _replanted(node: MCTSNode) -> MCTSNode:
    """A copy of the tree below ``node``; whoever looks at the old one still can."""
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
