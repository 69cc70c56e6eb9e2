"""Mark the branches that alpha-beta leaves out, searching from left to right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rl_toolkit.explain.tree_tasks.feedback import Feedback, Remark
from rl_toolkit.explain.tree_tasks.worked import WorkedTree, capital, leaves_text
from rl_toolkit.utils import counted

QUESTION = (
    "Alpha-beta searches from left to right, with α = −∞ and β = +∞ at the root. "
    "Mark the branches that it leaves out."
)


def check_cuts(worked: WorkedTree, answer: Iterable[int]) -> Feedback:
    """Check the branches, each by the number of its uppermost node that is not visited."""
    marked = {worked.check_number(number) for number in answer}
    covered = {node.number for top in marked for node in worked.nodes[top].walk()}
    remarks = _once(worked, [_remark(worked, number, covered) for number in sorted(marked)])
    missing = [top for top in worked.cuts if top not in covered]
    wrong = [remark for remark in remarks if remark.mark == "wrong"]
    if not wrong and not missing and covered == set(worked.unseen):
        return Feedback(True, f"Right: {_saving(worked)}.", tuple(remarks))
    parts = []
    right = len([remark for remark in remarks if remark.mark == "right"])
    parts += [f"{right} right"] if right else []
    parts += [f"{len(wrong)} not cut"] if wrong else []
    if missing:
        more = "more " if marked else ""
        parts.append(f"{_branches(len(missing))} {more}to find")
    return Feedback(False, f"{capital(', '.join(parts) or 'Not yet')}.", tuple(remarks))


def _remark(worked: WorkedTree, number: int, covered: set[int]) -> Remark:
    name = worked.name(number)
    if number == 0:
        return Remark(0, "wrong", "The search begins at the root, so it is visited.")
    parent = worked.parent[number]
    if number in worked.cuts:
        return Remark(number, "right", f"{name}. {worked.sentences[worked.cuts[number]]}")
    if number in worked.unseen:
        if parent.number in covered:
            return Remark(number, "right", f"{name} is left out with {parent.name}.")
        return Remark(
            number, "wrong", f"{name} is not visited, but the cut is above: {parent.name} is not."
        )
    alpha, beta, _ = worked.visits[number]
    side = worked.tree.side(parent)
    return Remark(
        number,
        "wrong",
        f"{name} is visited: when {side} comes to it, α = {alpha} and β = {beta}. "
        "α is below β, so nothing is cut.",
    )


def _once(worked: WorkedTree, remarks: list[Remark]) -> list[Remark]:
    """The remarks, but a sentence about cuts only once.

    One cut may leave out several branches, and cuts at several nodes may have the same reason.
    """
    told: dict[str, int] = {}  # a sentence → the event of the cut that it was told of
    cuts = []
    for remark in remarks:
        event = worked.cuts.get(remark.node, -1)
        sentence = worked.sentences.get(event, "")
        if sentence and sentence in told:
            text = "is left out by the same cut"
            if told[sentence] != event:
                where = worked.tree.label(worked.parent[remark.node])
                text = f"is left out by the cut at {where}, which has the same reason"
            remark = replace(remark, text=f"{worked.name(remark.node)} {text}.")
        elif sentence:
            told[sentence] = event
        cuts.append(remark)
    return cuts


def hint_cuts(worked: WorkedTree, answer: Iterable[int]) -> Remark:
    """Where to look for the next cut: the window after the child that causes it."""
    marked = {worked.check_number(number) for number in answer}
    covered = {node.number for top in marked for node in worked.nodes[top].walk()}
    for number in sorted(marked):
        if number not in worked.unseen:
            return _remark(worked, number, covered)
    for top, event in worked.cuts.items():
        if top not in covered:
            parent = worked.parent[top]
            before = worked.sentences[event - 1]
            text = f"Look at {worked.tree.label(parent)}. {before} What are α and β there?"
            return Remark(parent.number, "wait", text)
    return Remark(-1, "right", "All cuts are marked." if worked.cuts else "Nothing is cut here.")


def solve_cuts(worked: WorkedTree) -> tuple[list[int], tuple[Remark, ...]]:
    """The branches that are left out, each with the sentence of its cut."""
    remarks = tuple(_once(worked, [_remark(worked, top, set()) for top in worked.cuts]))
    nothing = (Remark(-1, "right", "Nothing is cut here."),)
    return list(worked.cuts), remarks or nothing


def _saving(worked: WorkedTree) -> str:
    leaves, seen = len(worked.tree.leaves), len(worked.visited_leaves)
    if not worked.cuts:
        return f"nothing is cut, all {leaves_text(leaves)} are visited"
    return f"{_branches(len(worked.cuts))} cut, {seen} of {leaves} leaves visited"


def _branches(count: int) -> str:
    return counted(count, "branch").replace("branchs", "branches")
