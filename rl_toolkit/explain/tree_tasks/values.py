"""Fill in the value of each node: MAX takes the largest child, MIN the smallest."""

from __future__ import annotations

from collections.abc import Mapping

from rl_toolkit.envs.hand_trees import HandNode
from rl_toolkit.explain.tree_tasks.feedback import Feedback, Mark, Remark
from rl_toolkit.explain.tree_tasks.worked import WorkedTree, capital, shown_value
from rl_toolkit.utils import listed

QUESTION = "Fill in the value of every node. MAX takes the largest child, MIN the smallest."


def check_values(worked: WorkedTree, answer: Mapping[int, float]) -> Feedback:
    """Check the values of inner nodes, by number; those not filled in are not judged."""
    inner = [node for node in worked.nodes if not node.is_leaf]
    given = {worked.check_number(number, leaf=False): answer[number] for number in answer}
    right = {number for number, value in given.items() if value == worked.values[number]}
    remarks = [_remark(worked, node, given, right) for node in inner if node.number in given]
    left = len(inner) - len(given)
    if len(right) == len(inner):
        root = worked.tree.root
        value = shown_value(worked.values[0])
        summary = f"All values are right. {capital(worked.tree.label(root))} is worth {value}."
        return Feedback(True, summary, tuple(remarks))
    wrong = len(given) - len(right)
    parts = [f"{len(right)} right"]
    parts += [f"{wrong} not right"] if wrong else []
    parts += [f"{left} to do"] if left else []
    return Feedback(False, f"{', '.join(parts)}.", tuple(remarks))


def _remark(
    worked: WorkedTree, node: HandNode, given: Mapping[int, float], right: set[int]
) -> Remark:
    name = capital(worked.tree.label(node))
    side, kind = _choice(worked, node)
    value = given[node.number]
    unknown = [c for c in node.children if not c.is_leaf and c.number not in right]
    if node.number in right:
        if unknown:
            return Remark(node.number, "right", f"{name}: {shown_value(value)} is right.")
        return Remark(node.number, "right", f"{name}: {_because(worked, node)}.")
    mark: Mark = "wrong"
    if unknown:
        mine = [
            child.value if child.value is not None else given.get(child.number)
            for child in node.children
        ]
        names = listed(child.name for child in unknown)
        known = [number for number in mine if number is not None]
        best = max if worked.is_max(node) else min
        if len(known) == len(mine) and best(known) == value:
            follows = f"{shown_value(value)} follows from your values below"
            return Remark(node.number, mark, f"{name}: {follows}; look at {names} first.")
        return Remark(node.number, mark, f"{name}: not {shown_value(value)}. Find {names} first.")
    values = [worked.values[child.number] for child in node.children]
    all_of = listed(map(shown_value, values))
    other = min(values) if worked.is_max(node) else max(values)
    if value not in values:
        text = f"the value of a node is the value of one of its children, here {all_of}"
    elif value == other:
        wrong_kind = "smallest" if worked.is_max(node) else "largest"
        text = f"{side} moves here and takes the {kind} of {all_of}, not the {wrong_kind}"
    else:
        text = f"{side} moves here and takes the {kind} of {all_of}"
    return Remark(node.number, mark, f"{name}: {text}.")


def hint_values(worked: WorkedTree, answer: Mapping[int, float]) -> Remark:
    """The next node whose children are all known, and what to do with it."""
    right = {n for n, value in answer.items() if worked.values.get(n) == value}
    for node in reversed(worked.nodes):
        ready = all(child.is_leaf or child.number in right for child in node.children)
        if not node.is_leaf and node.number not in right and ready:
            side, kind = _choice(worked, node)
            values = listed(shown_value(worked.values[child.number]) for child in node.children)
            text = f"Look at {worked.tree.label(node)}: its children are worth {values}."
            return Remark(node.number, "wait", f"{text} {side} takes the {kind}.")
    return Remark(-1, "right", "All values are right.")


def solve_values(worked: WorkedTree) -> tuple[dict[int, float], tuple[Remark, ...]]:
    """All values, with a reason each, from the leaves up."""
    inner = [node for node in reversed(worked.nodes) if not node.is_leaf]
    remarks = tuple(
        Remark(
            node.number, "right", f"{capital(worked.tree.label(node))}: {_because(worked, node)}."
        )
        for node in inner
    )
    return {node.number: worked.values[node.number] for node in inner}, remarks


def _because(worked: WorkedTree, node: HandNode) -> str:
    side, kind = _choice(worked, node)
    values = [worked.values[child.number] for child in node.children]
    best = shown_value(worked.values[node.number])
    if len(values) == 1:
        return f"there is only one move, worth {best}"
    return f"{side} takes the {kind} of {listed(map(shown_value, values))}, which is {best}"


def _choice(worked: WorkedTree, node: HandNode) -> tuple[str, str]:
    return ("MAX", "largest") if worked.is_max(node) else ("MIN", "smallest")
