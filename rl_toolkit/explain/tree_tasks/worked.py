"""`WorkedTree`: a tree with the recorded searches that answers are checked against."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import Trace, events, steps_of, trace_search
from rl_toolkit.envs.hand_trees import HandNode, HandTree, HandTreeGame, number_text, read_tree
from rl_toolkit.explain.traces import tell
from rl_toolkit.explain.tree_tasks.feedback import TaskError

#: The largest tree that is drawn to be worked on.
MOST_LEAVES, MOST_DEEP = 25, 8


class Visit(NamedTuple):
    """How a node was entered: the window as people read it, and the number of the event."""

    alpha: str
    beta: str
    event: int


class WorkedTree:
    """A tree, its values by plain minimax, and what alpha-beta from left to right does with it.

    `TaskError` if the tree is too large to work on.
    """

    def __init__(self, tree: str | HandTree) -> None:
        self.tree = tree if isinstance(tree, HandTree) else read_tree(tree)
        if len(self.tree.leaves) > MOST_LEAVES or self.tree.depth > MOST_DEEP:
            raise TaskError(
                f"a tree to work on has at most {MOST_LEAVES} leaves and {MOST_DEEP} plies; "
                "larger ones can be watched on stage"
            )
        self.nodes = self.tree.nodes
        self.parent = {child.number: node for node in self.nodes for child in node.children}

    @cached_property
    def trace(self) -> Trace:
        """Alpha-beta from left to right, without a table."""
        return trace_search(HandTreeGame(self.tree), MinimaxSolver(use_memoization=False))

    @cached_property
    def values(self) -> dict[int, float]:
        """The value of every node, by plain minimax."""
        solver = MinimaxSolver(use_pruning=False, use_memoization=False)
        data = trace_search(HandTreeGame(self.tree), solver).data
        scores = data["values"]
        lo: list[int] = data["nodes"]["lo"]
        return {
            max(number, 0): round(scores[place] / 1000, 2) + 0.0
            for number, place in zip(data["nodes"]["move"], lo, strict=True)
        }

    @cached_property
    def sentences(self) -> dict[int, str]:
        """The sentence of each event of alpha-beta."""
        return {line.event: line.text for line in tell(self.trace) if line.event >= 0}

    @cached_property
    def visits(self) -> dict[int, Visit]:
        """The nodes that alpha-beta visits, in this order."""
        data = self.trace.data
        places = [float(value) for value in data["values"]]
        text = dict(zip(places, data["texts"], strict=True))
        moves = data["nodes"]["move"]
        return {
            max(moves[step.node], 0): Visit(text[step.alpha], text[step.beta], step.number)
            for step in steps_of(data)
            if step.kind in events.ENTRIES
        }

    @cached_property
    def returned(self) -> dict[int, str]:
        """What each inner node that is visited hands up: a number, or a bound such as ``≤ 2``."""
        data = self.trace.data
        places = [float(value) for value in data["values"]]
        nodes, found = data["nodes"], {}
        for step in steps_of(data):
            if step.kind == events.RETURN:
                assert step.value is not None
                low, high = nodes["lo"][step.node], nodes["hi"][step.node]
                at = places.index(step.value)
                sign = "" if low == high else "≤ " if at == high else "≥ "
                found[max(nodes["move"][step.node], 0)] = sign + data["texts"][at]
        return found

    @cached_property
    def cuts(self) -> dict[int, int]:
        """Every child that is left out → the event of the cut."""
        cuts = self.trace.data["cuts"]
        return {move: int(event) for event, cut in cuts.items() for move in cut["left"]}

    @cached_property
    def unseen(self) -> dict[int, int]:
        """Every node that is not visited → the event of the cut above it."""
        return {
            node.number: event
            for top, event in self.cuts.items()
            for node in self.nodes[top].walk()
        }

    @property
    def visited_leaves(self) -> list[int]:
        """The leaves that alpha-beta visits, in this order."""
        return [number for number in self.visits if self.nodes[number].is_leaf]

    def name(self, number: int) -> str:
        """The name of a node; ``the root`` if it has none."""
        return self.tree.label(self.nodes[number])

    def is_max(self, node: HandNode) -> bool:
        """Whether MAX moves at the node."""
        return self.tree.is_max(node)

    def check_number(self, number: object, *, leaf: bool | None = None) -> int:
        """A node's number; `TaskError` if there is no such node, or it is of the other kind."""
        is_number = isinstance(number, int) and not isinstance(number, bool)
        if not (is_number and 0 <= number < len(self.nodes)):  # type: ignore[operator]
            raise TaskError(f"nodes have numbers from 0 to {len(self.nodes) - 1}")
        assert isinstance(number, int)
        if leaf is not None and self.nodes[number].is_leaf != leaf:
            kind = "a leaf" if self.nodes[number].is_leaf else "not a leaf"
            raise TaskError(f"{self.name(number)} is {kind}")
        return number


def shown_value(value: float) -> str:
    """A value for people: ``−3``."""
    return number_text(value).replace("-", "−")


def capital(text: str) -> str:
    """The text with a capital letter, for the start of a sentence."""
    return text[:1].upper() + text[1:]


def leaves_text(count: int) -> str:
    """``1 leaf``, ``5 leaves``."""
    return "1 leaf" if count == 1 else f"{count} leaves"
