"""Click the leaves in the order in which alpha-beta visits them."""

from __future__ import annotations

from collections.abc import Sequence

from rl_toolkit.explain.tree_tasks.feedback import Feedback, Remark
from rl_toolkit.explain.tree_tasks.worked import WorkedTree, leaves_text

QUESTION = (
    "Alpha-beta searches from left to right. Click the leaves in the order in which it visits "
    "them, and skip those that it leaves out."
)


def check_visits(worked: WorkedTree, answer: Sequence[int]) -> Feedback:
    """Check the leaves in the order given; what follows the first mistake is not judged."""
    given = [worked.check_number(number, leaf=True) for number in answer]
    truth = worked.visited_leaves
    remarks: list[Remark] = []
    for place, number in enumerate(given):
        if place < len(truth) and number == truth[place]:
            remarks.append(Remark(number, "right", ""))
            continue
        remarks.append(Remark(number, "wrong", _reason(worked, given[:place], number)))
        so_far = f"{leaves_text(place)} right, then a mistake." if place else "Not the first leaf."
        return Feedback(False, so_far, tuple(remarks))
    if len(given) < len(truth):
        so_far = f"Right so far: {leaves_text(len(given))}." if given else "Click the first leaf."
        more = " The search goes on." if given else ""
        return Feedback(False, so_far + more, tuple(remarks))
    total = len(worked.tree.leaves)
    return Feedback(True, f"Right: {len(truth)} of {total} leaves are visited.", tuple(remarks))


def _reason(worked: WorkedTree, before: list[int], number: int) -> str:
    name = worked.name(number)
    if number in before:
        return f"{name} was visited already."
    if number in worked.unseen:
        return f"{name} is never visited. {worked.sentences[worked.unseen[number]]}"
    last = f"after {worked.name(before[-1])}" if before else "at first"
    return f"{name} comes later: {last} there is a leaf further to the left."


def hint_visits(worked: WorkedTree, answer: Sequence[int]) -> Remark:
    """What the search does between the last right leaf and the next one."""
    truth = worked.visited_leaves
    place = 0
    while place < min(len(answer), len(truth)) and answer[place] == truth[place]:
        place += 1
    if place < len(answer):
        number = worked.check_number(answer[place], leaf=True)
        return Remark(number, "wrong", _reason(worked, list(answer[:place]), number))
    if place == len(truth):
        return Remark(-1, "right", "No leaf is left to visit.")
    first = worked.visits[truth[place - 1]].event + 1 if place else 0
    told = [worked.sentences[event] for event in range(first, worked.visits[truth[place]].event)]
    return Remark(-1, "wait", " ".join(told[-4:]) or "The search begins on the left.")


def solve_visits(worked: WorkedTree) -> tuple[list[int], tuple[Remark, ...]]:
    """The leaves in order, and the sentences of the cuts."""
    said = dict.fromkeys(worked.cuts.values())
    remarks = tuple(Remark(-1, "right", worked.sentences[event]) for event in said)
    return worked.visited_leaves, remarks
