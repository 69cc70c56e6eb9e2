"""Tasks to compute by hand: one simulation of UCT, a choice of PUCT, a sweep of value iteration.

Each is made from a seed and has blanks with one right number or word; what is right comes from the
formulas that the searches use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.explain.hand_tasks.blanks import Blank, HandTask, judged
    from rl_toolkit.explain.hand_tasks.making import HAND_TASKS, made

__all__ = [
    "HAND_TASKS",  # The kinds of tasks under their names, each with its title
    "Blank",  # A place to fill in: its label, what is right, a hint, and the way there
    "HandTask",  # A question, a table of what is given, and blanks
    "judged",  # What is said of what was filled in: by blank whether it is right, and why
    "made",  # The task of that kind and seed; the same seed gives the same task
]
__getattr__, __dir__ = front_door(__name__)
