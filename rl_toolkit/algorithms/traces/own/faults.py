"""Where somebody else's minimax goes wrong: each fault at the call that makes it.

A call is judged by what its own calls below it returned, so a fault is named once, where it
happens, and not again in everything above it.
"""

from __future__ import annotations

from math import inf
from typing import Any, Literal, NamedTuple

from rl_toolkit.algorithms.traces.own.calls import WIN, OwnNode, OwnTree
from rl_toolkit.envs import BaseGameEnv

#: ``nothing``: it returned no number. ``leaf``: the end of a game has the wrong sign, or another
#: value in a tree that was typed. ``after-end``, ``not-a-move``: it calls itself after the end, or
#: with a board that is not one move away. ``side``: it takes the wrong player to be on the move.
#: ``window``: it hands down a narrower window than it has. ``cut``: it leaves out moves that could
#: matter. ``choice``: it returns another value than that of its best move. ``memory``: a bound that
#: it remembers is taken for a value. ``early``: a wrong value without a look at a move. ``value``:
#: the value is wrong for another reason.
FaultKind = Literal[
    "nothing",
    "leaf",
    "after-end",
    "not-a-move",
    "side",
    "window",
    "cut",
    "choice",
    "memory",
    "early",
    "value",
]


class Fault(NamedTuple):
    """A fault of a call; ``facts`` are the numbers and moves that sentences about it name."""

    kind: FaultKind
    node: int
    facts: dict[str, Any]

    @property
    def at_entry(self) -> bool:
        """Whether it shows when the node is entered, and not when it is left."""
        return self.kind in ("side", "window")


class Known(NamedTuple):
    """What the calls show of the true value of a node, for X: least and greatest."""

    least: float
    greatest: float


def find_faults(tree: OwnTree, truth: Truth | None) -> tuple[list[Fault], dict[int, Known]]:
    """The faults in the order in which they happen, and what is known of each node.

    With ``truth``, what is known of each node, and values that the search remembers, are compared
    with the true ones; what does not fit and has no other reason is a fault of its own.
    """
    usable = tree.unit is not None or tree.env.traits.free_results
    judge = _Judge(tree, truth if usable else None)
    judge.judge(0, -inf, inf)
    if not judge.faults:
        judge.compare()
    return judge.faults, judge.known


class Truth:
    """The true values of all positions below one, for X; meant for small games and trees."""

    def __init__(self, env: BaseGameEnv) -> None:
        self._env = env.copy()
        self._values: dict[Any, float] = {}
        self._solve()

    def of(self, node: OwnNode) -> float:
        """The true value of a node, as a score for X."""
        return self._values[node.key]

    def _solve(self) -> float:
        env = self._env
        key = env.get_state_hash()
        if key in self._values:
            return self._values[key]
        if env.is_terminal():
            value = float(env.get_result(1)) * (1 if env.traits.free_results else WIN) + 0.0
        else:
            values = []
            mover = env.current_player
            for move in env.get_legal_moves():
                env.step(move)
                values.append(self._solve())
                env.undo()
            value = max(values) if mover == 1 else min(values)
        self._values[key] = value
        return value


class _Judge:
    def __init__(self, tree: OwnTree, truth: Truth | None) -> None:
        self._tree, self._truth = tree, truth
        self.faults: list[Fault] = []
        self.known: dict[int, Known] = {}
        self._estimates: set[int] = set()  # nodes whose value rests on an estimate
        # A move that is searched twice: first with a null window, which is narrower on purpose.
        self._searches_again = any(
            len({tree.nodes[child].move for child in node.children}) < len(node.children)
            for node in tree.nodes.values()
        )

    def _blame(self, kind: FaultKind, number: int, **facts: Any) -> None:
        self.faults.append(Fault(kind, number, facts))

    def judge(self, number: int, alpha: float, beta: float) -> None:
        """Judge a call and those below it; alpha and beta are what its caller really has."""
        tree, node = self._tree, self._tree.nodes[number]
        narrower = node.alpha > alpha or node.beta < beta
        if tree.prunes and narrower and node.moves and not self._searches_again:
            self._blame("window", number, alpha=alpha, beta=beta)
        if node.moves and self._is_wrong_side(node):
            self._blame("side", number)
        low, high = node.alpha, node.beta
        best: float | None = None
        for child in node.children:
            self.judge(child, low, high)
            value = tree.nodes[child].value
            better = best is None or (value > best if tree.is_max(node) else value < best)
            best = value if better else best
            if tree.prunes and tree.is_max(node):
                low = max(low, value)
            elif tree.prunes:
                high = min(high, value)
        self.known[number] = self._known(number, node)
        if node.call.value is None:
            self._blame("nothing", number)
        elif node.stray:
            self._blame("after-end" if node.result is not None else "not-a-move", number)
        elif node.result is not None:
            self._judge_end(number, node)
        elif node.children:
            self._judge_choice(number, node, best, low, high)
        else:
            self._judge_rest(number, node)

    def _is_wrong_side(self, node: OwnNode) -> bool:
        says, mover = node.call.is_max, node.call.mover
        return (says is not None and says != (node.side == 1)) or (
            mover is not None and mover != node.side
        )

    def _judge_end(self, number: int, node: OwnNode) -> None:
        assert node.result is not None
        free = self._tree.env.traits.free_results
        right = node.value == node.result if free else _sign(node.value) == _sign(node.result)
        if not right:
            self._blame("leaf", number, right=node.result)

    def _judge_choice(
        self, number: int, node: OwnNode, best: float | None, low: float, high: float
    ) -> None:
        tree = self._tree
        assert best is not None
        left = node.moves[len(node.children) :] if self._in_order(node) else []
        tried = {tree.nodes[child].move for child in node.children}
        left = left or [move for move in node.moves if move not in tried]
        sure = not tree.env.traits.free_results and best == (WIN if tree.is_max(node) else -WIN)
        if left and low < high and not sure:
            self._blame("cut", number, alpha=low, beta=high, left=left, best=best)
            return
        # A bound of its window instead of a value beyond it is right, too.
        clipped = min(max(best, node.alpha), node.beta)
        if node.value in (best, clipped):
            return
        if tree.unit is None and _sign(node.value) == _sign(best):
            return  # a value that changes with the distance
        self._blame("choice", number, best=best)

    def _in_order(self, node: OwnNode) -> bool:
        moves = [self._tree.nodes[child].move for child in node.children]
        return moves == node.moves[: len(moves)]

    def _judge_rest(self, number: int, node: OwnNode) -> None:
        """A node in the middle of a game without calls below it: remembered, or estimated."""
        if node.twin < 0 or node.twin in self._estimates:
            self._estimates.add(number)
        if self._truth is None or node.twin in self._estimates:
            return
        value, truth = node.value, self._truth.of(node)
        is_bound = (value >= node.beta and truth >= value) or (
            value <= node.alpha and truth <= value
        )
        if value == truth or is_bound:
            return
        known = self.known.get(node.twin)
        if known is not None and known.least != known.greatest:
            self._blame("memory", number, truth=truth, twin=node.twin)
        else:
            self._blame("early", number, truth=truth)

    # ------------------------------------------------------------------ what is known

    def _known(self, number: int, node: OwnNode) -> Known:
        value = node.value
        if node.twin >= 0:
            if self._tree.nodes[node.twin].value == value:
                return self.known[node.twin]
            if value >= node.beta:
                return Known(value, inf)
            return Known(-inf, value) if value <= node.alpha else Known(value, value)
        if not node.children:
            return Known(value, value)
        if any(child in self._estimates for child in node.children):
            self._estimates.add(number)
        parts = [self.known[child] for child in node.children]
        every = len({self._tree.nodes[child].move for child in node.children}) == len(node.moves)
        if node.side == 1:
            least = max(part.least for part in parts)
            greatest = max(part.greatest for part in parts) if every else inf
        else:
            least = min(part.least for part in parts) if every else -inf
            greatest = min(part.greatest for part in parts)
        if not self._tree.env.traits.free_results:  # nothing is better than the best result
            if least >= WIN:
                greatest = least
            if greatest <= -WIN:
                least = greatest
        # A search may return the bound of its window instead: say what that value shows.
        if value not in (least, greatest):
            least, greatest = (value, inf) if value <= least else (-inf, value)
        return Known(least, greatest)

    def compare(self) -> None:
        """Blame the first node that is left with a wrong value."""
        for number, known in self.known.items():
            if self._truth is None or number in self._estimates:
                continue
            truth = self._truth.of(self._tree.nodes[number])
            if not known.least <= truth <= known.greatest:
                self._blame("value", number, truth=truth)
                return


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
