"""Tasks on trees that were typed: values, cuts, order of visits, order of children.

::

    worked.py     a tree with its searches: what every answer is checked against
    values.py     fill in the value of each node
    cuts.py       mark the branches that alpha-beta leaves out
    visits.py     click the leaves in the order in which alpha-beta visits them
    ordering.py   order the children so that as few leaves as possible are visited
    tasks.py      the four tasks under their names
    puzzles.py    trees of the courses, and generated ones

Every answer comes from a trace of the search; the reasons are the trace's own sentences.
"""

from rl_toolkit.explain.tree_tasks.feedback import Feedback, Remark, TaskError
from rl_toolkit.explain.tree_tasks.puzzles import PUZZLES, Puzzle, generated
from rl_toolkit.explain.tree_tasks.tasks import TASKS, TreeTask
from rl_toolkit.explain.tree_tasks.worked import MOST_LEAVES, WorkedTree

__all__ = [
    "MOST_LEAVES",
    "PUZZLES",
    "TASKS",
    "Feedback",
    "Puzzle",
    "Remark",
    "TaskError",
    "TreeTask",
    "WorkedTree",
    "generated",
]
