"""`TASKS`: the tasks on trees under their names, with answers read from JSON."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rl_toolkit.explain.tree_tasks import cuts, ordering, values, visits, windows
from rl_toolkit.explain.tree_tasks.feedback import Feedback, Remark, TaskError
from rl_toolkit.explain.tree_tasks.worked import WorkedTree
from rl_toolkit.utils import shown


@dataclass(frozen=True, slots=True)
class TreeTask:
    """A task on a tree.

    Attributes:
        name: its name in requests and addresses.
        title: what a list calls it.
        question: what is asked, in one or two sentences.
        read: makes an answer from JSON; `TaskError` if it is not one.
        check, hint, solve: judge an answer, give the next step, give the answer with its reasons.
    """

    name: str
    title: str
    question: str
    read: Callable[[object], Any]
    check: Callable[[WorkedTree, Any], Feedback]
    hint: Callable[[WorkedTree, Any], Remark]
    solve: Callable[[WorkedTree], tuple[Any, tuple[Remark, ...]]]


def _wholes(given: object) -> list[int]:
    if not isinstance(given, list) or len(given) > 500:
        raise TaskError(f"the answer is a list of nodes, not {shown(given)}")
    if any(isinstance(number, bool) or not isinstance(number, int) for number in given):
        raise TaskError("the answer is a list of nodes by their numbers")
    return given


def _by_node(given: object) -> dict[int, object]:
    if not isinstance(given, dict) or len(given) > 500:
        raise TaskError(f"the answer is an object with a node in each key, not {shown(given)}")
    if not all(isinstance(key, str) and key.isdecimal() and len(key) < 6 for key in given):
        raise TaskError("the keys of the answer are the numbers of nodes")
    return {int(key): value for key, value in given.items()}


def _numbers(given: object) -> dict[int, float]:
    answer: dict[int, float] = {}
    for number, value in _by_node(given).items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TaskError(f"a value is a number, not {shown(value)}")
        if not math.isfinite(value):
            raise TaskError("a value is a finite number")
        answer[number] = float(value) + 0.0
    return answer


def _orders(given: object) -> dict[int, list[int]]:
    return {number: _wholes(children) for number, children in _by_node(given).items()}


TASKS: dict[str, TreeTask] = {
    task.name: task
    for task in (
        TreeTask(
            "values",
            "Values of the nodes",
            values.QUESTION,
            _numbers,
            values.check_values,
            values.hint_values,
            values.solve_values,
        ),
        TreeTask(
            "cuts",
            "Branches that are cut",
            cuts.QUESTION,
            _wholes,
            cuts.check_cuts,
            cuts.hint_cuts,
            cuts.solve_cuts,
        ),
        TreeTask(
            "visits",
            "Order of the visits",
            visits.QUESTION,
            _wholes,
            visits.check_visits,
            visits.hint_visits,
            visits.solve_visits,
        ),
        TreeTask(
            "windows",
            "α and β at each node",
            windows.WINDOWS,
            windows.read_texts,
            windows.windows.check,
            windows.windows.hint,
            windows.windows.solve,
        ),
        TreeTask(
            "bounds",
            "What comes back",
            windows.BOUNDS,
            windows.read_texts,
            windows.bounds.check,
            windows.bounds.hint,
            windows.bounds.solve,
        ),
        TreeTask(
            "order",
            "Order for most cuts",
            ordering.QUESTION,
            _orders,
            ordering.check_order,
            ordering.hint_order,
            ordering.solve_order,
        ),
    )
}
