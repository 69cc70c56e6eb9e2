"""Tasks on trees that were typed: values, cuts, windows, bounds, order of visits and children.

::

    worked.py     a tree with its searches: what every answer is checked against
    values.py     fill in the value of each node
    cuts.py       mark the branches that alpha-beta leaves out
    visits.py     click the leaves in the order in which alpha-beta visits them
    ordering.py   order the children so that as few leaves as possible are visited
    windows.py    write α and β at each node, or what each node hands up
    tasks.py      the six tasks under their names
    puzzles.py    trees of the courses, and generated ones

Every answer comes from a trace of the search; the reasons are the trace's own sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.explain.tree_tasks.feedback import Feedback, Remark, TaskError
    from rl_toolkit.explain.tree_tasks.ordering import cut_in_order
    from rl_toolkit.explain.tree_tasks.puzzles import LEVELS, PUZZLES, Puzzle, generated
    from rl_toolkit.explain.tree_tasks.tasks import TASKS, TreeTask
    from rl_toolkit.explain.tree_tasks.worked import MOST_LEAVES, WorkedTree

__all__ = [
    "LEVELS",  # Names of the levels of generated trees, from 1
    "MOST_LEAVES",  # The most leaves of a tree that can be worked on
    "PUZZLES",  # The puzzles of the courses, by name
    "TASKS",  # The tasks on a tree, by name
    "Feedback",  # What is said about an answer
    "Puzzle",  # A tree with a task; ``about`` says in one sentence what is learned
    "Remark",  # A sentence about one node; −1 for the whole tree
    "TaskError",  # An answer that cannot be checked, or a tree that is too large to work on
    "TreeTask",  # A task on a tree
    # A tree, its values by plain minimax, and what alpha-beta from left to right does with
    # it
    "WorkedTree",
    # The branches that alpha-beta leaves out in the new order, by their numbers in the old
    # one
    "cut_in_order",
    "generated",  # A tree of that level (1 to 3) for a task; the same seed gives the same tree
]
__getattr__, __dir__ = front_door(__name__)
