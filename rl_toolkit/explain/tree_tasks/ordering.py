"""Order the children of every node so that alpha-beta visits as few leaves as possible.

The least is known without trying all orders. To be sure that the root is worth v, a search must
show that MAX gets at least v and that MIN holds MAX to v. Each of the two needs some leaves: one
move is enough for the side that shows it, every reply of the other side must be looked at. Two such
sets of leaves have exactly one leaf in common. Alpha-beta visits just these leaves if every node
tries first the move that its side shows something with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import inf

from rl_toolkit.envs.hand_trees import HandNode, HandTree
from rl_toolkit.explain.tree_tasks.feedback import Feedback, Remark, TaskError
from rl_toolkit.explain.tree_tasks.worked import WorkedTree, leaves_text, shown_value

QUESTION = (
    "Alpha-beta searches from left to right. Order the children of the nodes so that it visits as "
    "few leaves as possible."
)

#: The children of each node in their new order, by the number of the node.
Order = Mapping[int, Sequence[int]]


class BestOrder:
    """How few leaves alpha-beta can do with in a tree, and an order for that."""

    def __init__(self, worked: WorkedTree) -> None:
        self._worked = worked
        self.value = worked.values[0]
        self._needed: dict[tuple[int, int], float] = {}

    def needed(self, node: HandNode, side: int) -> float:
        """The leaves with which ``side`` shows that it gets the root's value or better here.

        Infinite if that is not so. Side 1 is MAX, −1 is MIN.
        """
        key = node.number, side
        if key not in self._needed:
            if node.value is not None:
                shows = (node.value - self.value) * side >= 0
                self._needed[key] = 1.0 if shows else inf
            else:
                below = [self.needed(child, side) for child in node.children]
                own_move = self._worked.is_max(node) == (side == 1)
                self._needed[key] = min(below) if own_move else sum(below)
        return self._needed[key]

    @cached_property
    def least(self) -> int:
        """The fewest leaves that alpha-beta can visit in any order."""
        root = self._worked.tree.root
        return int(self.needed(root, 1) + self.needed(root, -1)) - 1

    def parts(self) -> tuple[int, int]:
        """The leaves that MAX needs, and those that MIN needs."""
        root = self._worked.tree.root
        return int(self.needed(root, 1)), int(self.needed(root, -1))

    def first_child(self, node: HandNode) -> HandNode:
        """The child to try first: the one with which the mover shows most cheaply what it gets.

        The first child where the mover cannot show anything.
        """
        side = 1 if self._worked.is_max(node) else -1
        return min(node.children, key=lambda child: self.needed(child, side))

    def order(self) -> dict[int, list[int]]:
        """An order in which alpha-beta visits the fewest leaves; the rest stays as it is."""
        ordered = {}
        for node in self._worked.nodes:
            if not node.is_leaf:
                first = self.first_child(node)
                rest = [child.number for child in node.children if child is not first]
                ordered[node.number] = [first.number, *rest]
        return ordered


def check_order(worked: WorkedTree, answer: Order) -> Feedback:
    """Check an order of children; nodes that are not named stay as they are."""
    after = WorkedTree(reordered(worked, answer))
    best = BestOrder(worked)
    seen, least = len(after.visited_leaves), best.least
    before = len(worked.visited_leaves)
    change = "" if seen == before else f" (it was {before})"
    if seen == least:
        mine, theirs = best.parts()
        return Feedback(
            True,
            f"{leaves_text(seen)} visited{change}: no order does with fewer. {leaves_text(mine)} "
            f"show that MAX gets {shown_value(best.value)}, {leaves_text(theirs)} that MIN allows "
            "no more, and one leaf belongs to both.",
        )
    return Feedback(
        False,
        f"{leaves_text(seen)} visited{change}; {least} are enough.",
        (_better(worked, answer, after, best),),
    )


def reordered(worked: WorkedTree, answer: Order) -> HandTree:
    """The tree with its children in the new order; all nodes keep their names."""
    for number, children in answer.items():
        node = worked.nodes[worked.check_number(number, leaf=False)]
        if sorted(children) != [child.number for child in node.children]:
            raise TaskError(f"the order of {worked.name(number)} must have each child once")
    return worked.tree.with_order(answer)


def cut_in_order(worked: WorkedTree, answer: Order) -> list[int]:
    """The branches that alpha-beta leaves out in the new order, by their numbers in the old one."""
    numbers = {node.name: node.number for node in worked.nodes}
    after = WorkedTree(reordered(worked, answer))
    return [numbers[after.nodes[top].name] for top in after.cuts]


def _better(worked: WorkedTree, answer: Order, after: WorkedTree, best: BestOrder) -> Remark:
    """A node in the new order that tries the wrong child first, and why.

    The first one where another child in front saves a leaf at once; if there is none, the first
    one of all, with a word on that.
    """
    seen, first_found = len(after.visited_leaves), None
    for node, first, good in _wrong_first(worked, after, best):
        now = answer.get(node.number) or [child.number for child in node.children]
        moved = [good.number, *(number for number in now if number != good.number)]
        trial = WorkedTree(reordered(worked, {**answer, node.number: moved}))
        text = _reason(worked, best, node, first, good)
        if len(trial.visited_leaves) < seen:
            return Remark(node.number, "wrong", text)
        first_found = first_found or Remark(
            node.number,
            "wrong",
            f"{text} That alone saves no leaf yet: the nodes below need a good order, too.",
        )
    assert first_found, "every node tries its best child first, and yet fewer leaves are enough"
    return first_found


def _wrong_first(
    worked: WorkedTree, after: WorkedTree, best: BestOrder
) -> Iterator[tuple[HandNode, HandNode, HandNode]]:
    """The nodes in order of their visits that try one child first, and the better child."""
    numbers = {node.name: node.number for node in worked.nodes}
    for visited in after.visits:
        node = worked.nodes[numbers[after.nodes[visited].name]]
        if node.is_leaf:
            continue
        side = 1 if worked.is_max(node) else -1
        first = worked.nodes[numbers[after.nodes[visited].children[0].name]]
        good = best.first_child(node)
        if best.needed(first, side) > best.needed(good, side):
            yield node, first, good


def _reason(
    worked: WorkedTree, best: BestOrder, node: HandNode, first: HandNode, good: HandNode
) -> str:
    """Why the mover of a node should try ``good`` before ``first``."""
    side = 1 if worked.is_max(node) else -1
    limit = f"{shown_value(best.value)} or {'more' if side == 1 else 'less'}"
    what = f"MAX gets {limit}" if side == 1 else f"MAX gets only {limit}"
    cost = leaves_text(int(best.needed(good, side)))
    if best.needed(first, side) == inf:
        why = f"with {first.name} it is not so, with {good.name} it is ({cost})"
    else:
        dear = leaves_text(int(best.needed(first, side)))
        why = f"{first.name} needs {dear} to show it, {good.name} only {cost}"
    mover, where = worked.tree.side(node), worked.tree.label(node)
    return f"At {where} {mover} tries {first.name} first. It wants to show that {what}: {why}."


def hint_order(worked: WorkedTree, answer: Order) -> Remark:
    """The first node that tries the wrong child first."""
    feedback = check_order(worked, answer)
    if feedback.solved:
        return Remark(-1, "right", "No order does with fewer leaves.")
    return Remark(feedback.remarks[0].node, "wait", feedback.remarks[0].text)


def solve_order(worked: WorkedTree) -> tuple[dict[int, list[int]], tuple[Remark, ...]]:
    """An order with the fewest leaves, and why there are no fewer."""
    order = BestOrder(worked).order()
    return order, (Remark(-1, "right", check_order(worked, order).summary),)
