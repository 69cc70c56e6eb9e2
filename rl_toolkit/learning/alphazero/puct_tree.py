"""Tree search guided by a network (PUCT), in readable Python: the search of AlphaZero.

For a position the network gives a probability for each move (the *priors*) and predicts the result
(the *value*). The search uses both and needs no playouts:

1. *Selection*: from the root, follow the child with the highest score::

       Q + c · prior · √(visits of the parent) / (1 + visits)

   Q is the mean value of the child's visits; for a child without a visit it is the first-play
   value, the mean value of the parent less `FIRST_PLAY_LESS`.
2. *Evaluation*: at a new position, evaluate it with the network.
3. *Expansion*: all its moves become children together, each with its prior.
4. *Backup*: every node on the path counts the visit and adds the value, from the view of the player
   who moved into that node.

A network evaluates many positions nearly as fast as one, so descents are made in *batches*, and the
network evaluates all their leaves together. Until then a descent counts as a loss for every node on
its path (*virtual loss*), which sends the next one elsewhere. A descent that reaches a leaf already
waiting for evaluation ends the batch.

Proofs are kept apart from estimates, as in `algorithms.mcts.tree`: moves that end the game are
decided immediately, positions proven by their moves need no network, and where there is only one
move to try the descent continues behind it. With *tactics*, in line games, an immediate win is the
only move to try, else the blocks of one.

The *root* differs from the positions below it: they only have to give the value of a move, but here
the best move must be found, even if the network underrates it. So `flatten_priors` flattens the
priors at the root. The move to play is the one with the highest value among those with at least a
share `TRUSTED` of the highest visit count.

`kernels.search.puct` is the same search compiled, and makes the same visits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.mcts import BYTES_PER_NODE, Bonus, MCTSNode, SearchNode, forced_moves
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.learning.alphazero.features import Planes, planes_of
from rl_toolkit.learning.alphazero.inference import GRAIN, Evaluation

#: First-play reduction: how far the first-play value of a move lies below its parent's value.
FIRST_PLAY_LESS = 0.0

#: The share of the highest visit count that a move needs for its value to be trusted.
TRUSTED = 0.25

#: The number of root moves whose priors are flattened: those with the highest priors.
WIDENED = 8

#: Evaluates positions with a network, given the moves to consider.
Evaluator = Callable[[Planes, npt.NDArray[np.bool_]], Evaluation]

_TURNS = 256


@dataclass(frozen=True, slots=True)
class PuctSettings:
    """How a tree is searched; see `AlphaZeroEngine`."""

    cpuct: float = 1.5
    batch: int = 8
    tactics: bool = True
    max_memory_mb: float = 512
    root_prior_power: float = 0.3


def flatten_priors(priors: npt.NDArray[np.float64], power: float) -> npt.NDArray[np.float64]:
    """Flatten the highest priors of one position; the result is in multiples of `GRAIN`.

    Each of the `WIDENED` highest priors is raised to ``power`` and scaled so that their sum stays
    the same: 1 leaves them as they are, 0 makes them equal. In positions with many moves most are
    hopeless, and keep their low priors.

    >>> flatten_priors(np.array([0.81, 0.18, 0.01]), 0.5).round(2).tolist()
    [0.63, 0.3, 0.07]
    """
    best = np.argsort(-priors, kind="stable")[:WIDENED]
    best = best[priors[best] > 0]
    powers = priors[best] ** power
    shares = priors.copy()
    shares[best] = np.rint(powers / powers.sum() * priors[best].sum() / GRAIN) * GRAIN
    return shares


def puct_bonus(c: float) -> Bonus:
    """The exploration term of PUCT: large for a high prior and few visits."""

    def bonus(node: SearchNode, parent_visits: int) -> float:
        return c * math.sqrt(parent_visits) * (node.prior or 0.0) / (1 + node.visit_count)

    return bonus


def turn_of(seed: int) -> int:
    """A number below 256 that decides which of several equally good moves comes first."""
    return int(np.random.SeedSequence(seed).generate_state(1)[0]) % _TURNS


class PuctNode(MCTSNode):
    """A position in a tree guided by a network.

    Attributes:
        prior: the network's prior of the move that led here.
        mean: the mean result for the player who moved here, including virtual losses.
        waits: whether the position is waiting for its evaluation.
    """

    def __init__(
        self, env: BaseGameEnv, parent: Self | None = None, move_from_parent: int | None = None
    ) -> None:
        super().__init__(env, parent, move_from_parent)
        self.prior = None if parent is None else 0.0
        self.mean = 0.0
        self.waits = False

    def expand_all(self, moves: list[int]) -> None:
        """Create a child for each of ``moves``, the only ones to try, and update the proof."""
        self.untried_moves = moves[::-1]
        while self.untried_moves:
            self.expand()
        self.conclude()

    def most_promising(self, c: float) -> Self:
        """The child to visit next; never a proven loss."""
        scale = c * math.sqrt(self.visit_count)
        untried = -self.mean - FIRST_PLAY_LESS

        def score(child: Self) -> float:
            if child.outcome == "draw":
                mean = 0.0
            else:
                mean = child.total_value / child.visit_count if child.visit_count else untried
            return mean + scale * (child.prior or 0.0) / (1 + child.visit_count)

        return max((c for c in self.children.values() if c.outcome != "loss"), key=score)

    def mark(self, visits: int) -> None:
        """Add ``visits`` virtual losses; −1 takes one back."""
        self.visit_count += visits
        self.total_value -= visits

    def back_up(self, result: float) -> None:
        """Replace the virtual losses of a descent by its ``result`` for player +1."""
        for node in self.path():
            node.mark(-1)
        super().back_up(result)
        for node in self.path():
            # In whole grains, as in the compiled search.
            node.mean = math.trunc(node.total_value / GRAIN / node.visit_count) * GRAIN


class PythonPuctTree:
    """A search tree over any `BaseGameEnv`, grown batch by batch.

    Attributes:
        simulations, nodes, deepest: descents made, positions expanded, greatest depth in plies.
        full: whether the memory cap prevented children from being created.
        flag: one number; the search ends soon after it becomes 1.
    """

    def __init__(
        self, env: BaseGameEnv, settings: PuctSettings, evaluate: Evaluator, seed: int
    ) -> None:
        self.settings, self._evaluate = settings, evaluate
        self.flag: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.node_limit = 1 << 62
        self.simulations = self.nodes = self.deepest = 0
        self.full = False
        self.root = PuctNode(env.copy())
        self._turn = turn_of(seed)
        bytes_per_node = BYTES_PER_NODE + len(env.board)
        self._room = max(2 * env.num_moves, int(settings.max_memory_mb * 2**20 / bytes_per_node))

    @property
    def settled(self) -> bool:
        """Whether the result of the root is proven."""
        return self.root.proven_result is not None

    def snapshot(self) -> PuctNode:
        """The root; this tree is never reused, so it stays valid."""
        return self.root

    def run(self, some: int, most: int) -> None:
        """Run whole batches until ``some`` simulations are done; never more than ``most``.

        The batches do not depend on how a search is divided into runs.
        """
        before = self.simulations
        while self.simulations - before < min(some, most) and not self._over():
            waiting = self._collect(most - (self.simulations - before))
            if waiting:
                self._learn(waiting)

    def _over(self) -> bool:
        return self.settled or bool(self.flag[0]) or self.nodes >= self.node_limit

    def _collect(self, most: int) -> list[PuctNode]:
        """Descend until a batch of positions waits for evaluation, or ``most`` times."""
        waiting: list[PuctNode] = []
        descents = 0
        while len(waiting) < self.settings.batch and descents < most and not self._over():
            node = self._descend()
            if node.waits:
                for above in node.path():
                    above.mark(-1)
                break
            descents += 1
            self.simulations += 1
            self.deepest = max(self.deepest, sum(1 for _ in node.path()) - 1)
            if node.proven_result is not None:
                node.back_up(node.proven_result)
            else:
                node.waits = True
                waiting.append(node)
        return waiting

    def _descend(self) -> PuctNode:
        """Descend to a position that is proven, already waiting, or to be evaluated."""
        node = self.root
        node.mark(1)
        while node.proven_result is None and not node.waits:
            if not node.children:
                self.nodes += 1
                self._expand(node)
                if node.proven_result is not None or len(node.children) != 1:
                    break
            node = node.most_promising(self.settings.cpuct)
            node.mark(1)
        return node

    def _expand(self, node: PuctNode) -> None:
        legal = node.env.get_legal_moves()
        forced = sorted(set(forced_moves(node.env))) if self.settings.tactics else []
        moves = forced or legal
        if len(moves) > self._room:
            self.full = True
            return
        self._room -= len(moves)
        start = self._turn * len(moves) // _TURNS
        node.expand_all(moves[start:] + moves[:start])

    def _learn(self, waiting: list[PuctNode]) -> None:
        """Evaluate the waiting positions with the network and back the values up."""
        allowed = np.zeros((len(waiting), self.root.env.num_moves), dtype=bool)
        for row, node in zip(allowed, waiting, strict=True):
            row[list(node.children) or slice(None)] = True
        evaluated = self._evaluate(planes_of([node.env for node in waiting]), allowed)
        for node, priors, value in zip(waiting, evaluated.priors, evaluated.values, strict=True):
            node.waits = False
            if node is self.root:
                priors = flatten_priors(priors, self.settings.root_prior_power)
            for move, child in node.children.items():
                child.prior = float(priors[move])
            node.back_up(float(value) * node.env.current_player)
