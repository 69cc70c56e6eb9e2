"""Sets of tasks as sheets to print: the tree or table of each, and its solution in sentences."""

from __future__ import annotations

from typing import NamedTuple

from rl_toolkit.envs.hand_trees import HandTree, read_tree
from rl_toolkit.explain.hand_tasks import HAND_TASKS, HandTask, made
from rl_toolkit.explain.tree_tasks import PUZZLES, TASKS, TaskError, WorkedTree
from rl_toolkit.utils import listed, shown

#: The most tasks of a set, and the longest text of one.
MOST_TASKS, MOST_SET = 12, 4_000
_ROW, _SLOT = 74, 62  # of a drawn tree


class DrawnNode(NamedTuple):
    """A node of a tree on paper: its place, that of its parent, and what stands in it."""

    x: float
    y: int
    up: tuple[float, int] | None
    name: str
    value: str
    is_leaf: bool


class Sheet(NamedTuple):
    """One task on paper; it has a drawn tree, or a table with blanks."""

    title: str
    question: str
    nodes: tuple[DrawnNode, ...]
    bands: tuple[str, ...]
    width: int
    hand: HandTask | None
    solution: tuple[str, ...]


def sheets_of(text: str) -> list[Sheet]:
    """The tasks of a set; `TaskError` with a sentence if it cannot be read."""
    items = [item.strip() for item in text[: MOST_SET + 1].split(";") if item.strip()]
    if not items or len(text) > MOST_SET or len(items) > MOST_TASKS:
        raise TaskError(
            f"a set has from 1 to {MOST_TASKS} tasks, such as cuts@textbook;uct@7, separated by "
            "semicolons"
        )
    return [_sheet(item) for item in items]


def _sheet(item: str) -> Sheet:
    name, _, source = item.partition("@")
    name, source = name.strip(), source.strip()
    if name in HAND_TASKS:
        if not (source.isdecimal() and len(source) < 10):
            raise TaskError(f"{name}@ is followed by a whole number, not {shown(source)}")
        task = made(name, int(source))
        solution = tuple(blank.with_label(blank.way) for blank in task.blanks)
        return Sheet(task.title, task.question, (), (), 0, task, solution)
    if name not in TASKS:
        kinds = listed((*TASKS, *HAND_TASKS), "or")
        raise TaskError(f"a task is {kinds}, not {shown(name)}")
    puzzle = next((each for each in PUZZLES if each.name == source), None)
    tree = read_tree(puzzle.tree if puzzle else source)
    task_ = TASKS[name]
    worked = WorkedTree(tree)
    _, remarks = task_.solve(worked)
    nodes, bands, width = _drawn(tree)
    return Sheet(
        task_.title,
        task_.question,
        nodes,
        bands,
        width,
        None,
        tuple(remark.text for remark in remarks if remark.text),
    )


def _drawn(tree: HandTree) -> tuple[tuple[DrawnNode, ...], tuple[str, ...], int]:
    """The nodes laid out tidy, the labels of the rows, and the width of the picture."""
    at: dict[int, float] = {}
    leaves = 0
    for node in reversed(tree.nodes):  # children before their parents, from right to left
        if node.is_leaf:
            leaves += 1
            at[node.number] = -leaves
        else:
            below = [at[child.number] for child in node.children]
            at[node.number] = (below[0] + below[-1]) / 2
    parents = {child.number: node.number for node in tree.nodes for child in node.children}

    def place(number: int) -> tuple[float, int]:
        x = (at[number] + leaves + 0.5) * _SLOT + 60
        return x, tree.nodes[number].depth * _ROW + 34

    nodes = tuple(
        DrawnNode(
            *place(node.number),
            place(parents[node.number]) if node.number else None,
            node.name or "root",
            "" if node.value is None else f"{node.value:g}".replace("-", "−"),
            node.is_leaf,
        )
        for node in tree.nodes
    )
    sides = {node.depth: tree.side(node) for node in tree.nodes if not node.is_leaf}
    bands = tuple(sides.get(depth, "leaves") for depth in range(tree.depth + 1))
    return nodes, bands, leaves * _SLOT + 70
