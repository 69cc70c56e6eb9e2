"""Puzzles: trees of the courses in a good order, and generated ones with a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from rl_toolkit.envs.hand_trees import HandTree, tree_of
from rl_toolkit.explain.tree_tasks.feedback import TaskError
from rl_toolkit.explain.tree_tasks.ordering import BestOrder
from rl_toolkit.explain.tree_tasks.worked import MOST_LEAVES, WorkedTree

#: Names of the levels of generated trees, from 1.
LEVELS = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A tree with a task; ``about`` says in one sentence what is learned."""

    name: str
    title: str
    tree: str
    task: str
    about: str


#: The tree of the courses, where MAX is called Red and MIN Blue: 1 if MAX wins, −1 if MIN wins.
_RED_AND_BLUE = (
    "Root:(M:(I:(A:(1 0) B:(-1 0)) J:(C:(-1 1) D:(-1 0))) "
    "N:(K:(E:(1 0) F:(-1 0)) L:(G:(1 1) H:(1 1))))"
)
_BLUE_TO_MOVE = "min N:(K:(E:(1 0) F:(-1 0)) L:(G:(1 1) H:(1 1)))"

PUZZLES: tuple[Puzzle, ...] = (
    Puzzle(
        "two-branches",
        "Two branches",
        "(3 5) (2 9)",
        "values",
        "The smallest tree in which both sides have a choice.",
    ),
    Puzzle(
        "first-cut",
        "The first cut",
        "(3 5) (2 9)",
        "cuts",
        "One leaf need not be looked at.",
    ),
    Puzzle(
        "textbook",
        "The textbook tree",
        "(3 12 8) (2 4 6) (14 5 2)",
        "cuts",
        "The tree of many textbooks: three moves with three replies each.",
    ),
    Puzzle(
        "early-ends",
        "Games that end early",
        "0 (1 -1) ((1 1) (0 -1))",
        "values",
        "Leaves on different levels, and two equally good moves.",
    ),
    Puzzle(
        "three-by-three",
        "Good moves first",
        "(6 9 7) (4 8 8) (5 2 9)",
        "visits",
        "The best branch comes first, so five of nine leaves are enough.",
    ),
    Puzzle(
        "worst-first",
        "Bad moves first",
        "(5 2 9) (8 8 4) (9 7 6)",
        "order",
        "The same leaves in the worst order: all nine are visited, until you help.",
    ),
    Puzzle(
        "blue-to-move",
        "MIN to move",
        _BLUE_TO_MOVE,
        "values",
        "MIN is at the root: which way does it go, and how does the game end?",
    ),
    Puzzle(
        "red-and-blue",
        "Fifteen nodes",
        _RED_AND_BLUE,
        "values",
        "Above the leaves are fifteen nodes. 1 is a win for MAX, −1 for MIN, 0 a draw.",
    ),
    Puzzle(
        "three-plies",
        "Three plies",
        "((4 6) (7 9)) ((1 2) (0 8)) ((5 3) (6 6))",
        "visits",
        "Now MAX nodes cut too: a look at 7 is enough.",
    ),
    Puzzle(
        "far-bound",
        "A bound from far above",
        "5 (((4 9) 3) 7) (6 (8 1))",
        "cuts",
        "The bound that cuts may be set three plies higher.",
    ),
    Puzzle(
        "red-and-blue-cuts",
        "Fifteen nodes, pruned",
        _RED_AND_BLUE,
        "cuts",
        "25 of 31 nodes are visited. Which are not?",
    ),
    Puzzle(
        "red-and-blue-order",
        "Fifteen nodes, in order",
        _RED_AND_BLUE,
        "order",
        "A better order does with far fewer leaves.",
    ),
)

#: By level: plies, children of a node, the range of leaves, the chance that a branch ends early.
_SHAPES = ((2, (2, 3), (1, 9), 0.0), (3, (2, 3), (-9, 15), 0.1), (4, (2, 3), (-20, 20), 0.15))


def generated(level: int, task: str, seed: int) -> HandTree:
    """A tree of that level (1 to 3) for a task; the same seed gives the same tree.

    A tree whose branches are to be cut has cuts, and one to be ordered can be improved. Raises
    `TaskError` for another level.
    """
    if not 1 <= level <= len(LEVELS):
        raise TaskError(f"levels run from 1 to {len(LEVELS)}")
    rng = random.Random(f"{level} {task} {seed}")
    plies, children, leaves, early = _SHAPES[level - 1]
    while True:
        bush = _bush(rng, plies, children, leaves, early, is_root=True)
        tree = tree_of(bush, max_first=rng.random() < 0.7)
        if not 4 <= len(tree.leaves) <= MOST_LEAVES - 5:
            continue
        worked = WorkedTree(tree)
        if task == "order" and len(worked.visited_leaves) <= BestOrder(worked).least:
            continue
        if task in ("cuts", "visits", "windows", "bounds") and len(worked.cuts) < min(level, 2):
            continue
        return tree


def _bush(
    rng: random.Random,
    plies: int,
    children: tuple[int, int],
    leaves: tuple[int, int],
    early: float,
    *,
    is_root: bool = False,
) -> Any:
    if plies == 0 or (not is_root and rng.random() < early):
        return rng.randint(*leaves)
    count = rng.randint(*children)
    return [_bush(rng, plies - 1, children, leaves, early) for _ in range(count)]
