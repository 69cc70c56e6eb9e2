"""Tree search led by a network (PUCT), to read: what AlphaZero does when it thinks.

A network looks at a position and says two things: which moves look good (*priors*), and how the
game will end (a *value*). The search puts them to use. There are no random games:

1. *Walk down*: from the root, follow the child with the highest score::

       Q + c · prior · √(visits of the parent) / (1 + visits)

   Q is the mean of what came out below the child so far; for a child nobody has been to, what the
   position above it is thought worth, less `FIRST_PLAY_LESS`.
2. *Ask*: at a position never reached before, ask the network.
3. *Expand*: all its moves become children at once, each with its prior.
4. *Back up*: every node on the way counts the visit and adds the value, seen by the player who
   moved into that node.

Networks answer for many positions nearly as fast as for one, so walks are made in *batches* and
the network is asked about all their ends together. Until the answer is there a walk counts as a
loss for everybody on its way (*virtual loss*), which sends the next one elsewhere. A walk that ends
where another one waits already ends the batch.

What is certain is kept apart, as in `algorithms.mcts.tree`: moves that end the game are decided at
once, positions whose moves prove them need no network, and where only one move is to be tried the
walk goes on behind it. With *tactics*, in games of lines, a win at once is the only move to try,
else those that stop one.

The *root* is another matter than the positions below it: those only tell what a move is worth, here
the best one is looked for, and a good move that the network underrates must not go unseen. So
`flatten_priors` makes the root's priors more alike. The move to play is the one whose visits came
to most, of those with at least a share of `TRUSTED` of the most visits.

`kernels.search.puct` is the same search compiled, and makes the same visits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.mcts.report import Bonus, SearchNode
from rl_toolkit.algorithms.mcts.tree import BYTES_PER_NODE, MCTSNode, forced_moves
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.learning.alphazero.features import Planes, planes_of
from rl_toolkit.learning.alphazero.inference import GRAIN, Evaluation

#: How much less than the position above it a move is thought worth that nobody has been to.
FIRST_PLAY_LESS = 0.0

#: The share of the most visits that a move needs for its value to be trusted.
TRUSTED = 0.25

#: How many moves at the root get more alike priors: those that the network likes best.
WIDENED = 8

#: Asks a network about positions, of which only some moves are considered.
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


def flatten_priors(priors: npt.NDArray[np.float64], trust: float) -> npt.NDArray[np.float64]:
    """The priors of one position, the highest of them more alike, in multiples of `GRAIN`.

    Each of the `WIDENED` highest becomes its power ``trust``, and they share among them what they
    had before: 1 leaves all as it is, 0 makes them equal. Where there are many moves most of them
    are hopeless, and keep their low priors.

    >>> flatten_priors(np.array([0.81, 0.18, 0.01]), 0.5).round(2).tolist()
    [0.63, 0.3, 0.07]
    """
    best = np.argsort(-priors, kind="stable")[:WIDENED]
    best = best[priors[best] > 0]
    powers = priors[best] ** trust
    shares = priors.copy()
    shares[best] = np.rint(powers / powers.sum() * priors[best].sum() / GRAIN) * GRAIN
    return shares


def puct_bonus(c: float) -> Bonus:
    """What speaks for looking again: a high prior, and few visits so far."""

    def bonus(node: SearchNode, parent_visits: int) -> float:
        return c * math.sqrt(parent_visits) * (node.prior or 0.0) / (1 + node.visit_count)

    return bonus


def turn_of(seed: int) -> int:
    """Where the moves of every position begin when some are equally good: a number below 256."""
    return int(np.random.SeedSequence(seed).generate_state(1)[0]) % _TURNS


class PuctNode(MCTSNode):
    """A position in a tree led by a network.

    Attributes:
        prior: what the network thinks of the move that led here, among its siblings.
        mean: of all results so far, for who moved here; virtual losses of other walks included.
        waits: whether the network has been asked about this position and has not answered yet.
    """

    def __init__(
        self, env: BaseGameEnv, parent: Self | None = None, move_from_parent: int | None = None
    ) -> None:
        super().__init__(env, parent, move_from_parent)
        self.prior = None if parent is None else 0.0
        self.mean = 0.0
        self.waits = False

    def expand_all(self, moves: list[int]) -> None:
        """Make a child of each of ``moves``, the only ones to try; see what that proves."""
        self.untried_moves = moves[::-1]
        while self.untried_moves:
            self.expand()
        self.conclude()

    def most_promising(self, c: float) -> Self:
        """The child to walk to; never one that is proven lost."""
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
        """Count so many visits of which nothing is known as lost; −1 takes one back."""
        self.visit_count += visits
        self.total_value -= visits

    def back_up(self, result: float) -> None:
        """Put a result, player +1's, in the place of the virtual losses of a walk."""
        for node in self.path():
            node.mark(-1)
        super().back_up(result)
        for node in self.path():
            # In whole grains, as the compiled search counts.
            node.mean = math.trunc(node.total_value / GRAIN / node.visit_count) * GRAIN


class PythonPuctTree:
    """A search tree over any `BaseGameEnv`, grown batch by batch.

    Attributes:
        simulations, nodes, deepest: walks made, positions reached first, plies below the root.
        full: whether the memory cap kept children from being made.
        flag: one number; the search ends soon after it turns 1.
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
        """Whether there is nothing left to find out."""
        return self.root.proven_result is not None

    def snapshot(self) -> PuctNode:
        """The root, for whoever wants to look at the tree later."""
        return self.root

    def run(self, some: int, most: int) -> None:
        """Run whole batches until ``some`` simulations are done; never more than ``most``.

        Batches are the same however a search is cut into runs.
        """
        before = self.simulations
        while self.simulations - before < min(some, most) and not self._over():
            waiting = self._collect(most - (self.simulations - before))
            if waiting:
                self._learn(waiting)

    def _over(self) -> bool:
        return self.settled or bool(self.flag[0]) or self.nodes >= self.node_limit

    def _collect(self, most: int) -> list[PuctNode]:
        """Walk until enough positions wait for the network, or ``most`` walks are made."""
        waiting: list[PuctNode] = []
        walks = 0
        while len(waiting) < self.settings.batch and walks < most and not self._over():
            node = self._walk()
            if node.waits:
                for above in node.path():
                    above.mark(-1)
                break
            walks += 1
            self.simulations += 1
            self.deepest = max(self.deepest, sum(1 for _ in node.path()) - 1)
            if node.proven_result is not None:
                node.back_up(node.proven_result)
            else:
                node.waits = True
                waiting.append(node)
        return waiting

    def _walk(self) -> PuctNode:
        """Go down to a position that is decided, waits already, or is to be evaluated."""
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
        """Ask the network about the positions that wait, and carry up what it says."""
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
