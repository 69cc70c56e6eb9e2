"""The workbench: trees to work on, checked by the server.

``POST /api/workbench/tree`` sets up a task. The body has a ``tree`` in the notation of
`envs.hand_trees` and a ``task``, or the name of a ``puzzle``, or a ``level`` and a ``seed`` for a
new tree. The answer has the tree as ``nodes`` that a page can draw, and the ``question``.

``POST /api/workbench/check`` judges an ``answer`` to the ``task`` on a ``tree``. ``ask`` is what is
wanted: ``check``, a ``hint``, or the ``solution``. Remarks are about nodes; see
`explain.tree_tasks`.

``POST /api/workbench/hand`` sets up a task to compute by hand (`explain.hand_tasks`) from its
``kind`` and ``seed``, or judges what was filled in: ``ask`` is ``task``, ``check`` or ``solution``.

A *set* of tasks is text: items separated by semicolons, each ``task@puzzle``, ``task@tree`` or
``kind@seed``. ``/theatre/workbench?set=…`` works through it, ``/theatre/workbench/sheet?set=…`` is
the same to print, with ``solutions`` behind the questions.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from rl_toolkit.envs.hand_trees import MOST_TEXT, HandTree, TreeNotationError, read_tree, size_of
from rl_toolkit.explain.hand_tasks import HAND_TASKS, HandTask, judged, made
from rl_toolkit.explain.tree_tasks import (
    LEVELS,
    PUZZLES,
    TASKS,
    Puzzle,
    Remark,
    TaskError,
    TreeTask,
    WorkedTree,
    cut_in_order,
    generated,
)
from rl_toolkit.utils import listed, shown
from rl_toolkit.web.api import body_fields
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.theatre.sheets import Sheet, sheets_of

routes = Blueprint("workbench", __name__)

_MOST_SEED = 10**9
_ASKS = ("check", "hint", "solution")


@routes.get("/theatre/workbench")
def page() -> str:
    """The page; its script reads ``tree``, ``task`` and ``puzzle`` in the address."""
    return render_template(
        "theatre/workbench.html",
        puzzles=PUZZLES,
        tasks=TASKS.values(),
        levels=LEVELS,
        by_hand={kind: title for kind, (title, _) in HAND_TASKS.items()},
    )


@routes.get("/theatre/workbench/sheet")
def sheet() -> tuple[str, int]:
    """A set of tasks to print; with ``solutions`` they follow on pages of their own."""
    text, problem = request.args.get("set", ""), ""
    found: list[Sheet] = []
    try:
        found = sheets_of(text)
    except (TreeNotationError, TaskError) as error:
        problem = str(error)
    page = render_template(
        "theatre/sheet.html",
        sheets=found,
        problem=problem,
        solutions="solutions" in request.args,
        set=text,
    )
    return page, 400 if problem else 200


@routes.post("/api/workbench/hand")
def hand() -> Response:
    """A task to compute by hand, what is said of an answer, or the solution."""
    fields = body_fields()
    kind, seed = fields.text("kind", longest=20), fields.whole("seed", 0, _MOST_SEED) or 0
    ask, answer = fields.text("ask", "task"), fields.raw("answer")
    fields.finish()
    if kind not in HAND_TASKS:
        raise BadRequestError(f"kind is {listed(HAND_TASKS, 'or')}, not {shown(kind)}")
    task = made(kind, seed)
    if ask == "task":
        return jsonify(_asked(task))
    if ask == "solution":
        return jsonify(
            answer={blank.name: blank.written for blank in task.blanks},
            said={blank.name: ["right", blank.with_label(blank.way)] for blank in task.blanks},
        )
    if ask != "check":
        raise BadRequestError(f"ask is task, check or solution, not {shown(ask)}")
    is_text = isinstance(answer, dict) and all(isinstance(t, str) for t in answer.values())
    if not is_text or len(answer) > 50:
        raise BadRequestError("the answer has a text for the name of each blank")
    said = judged(task, answer)
    solved = [mark for mark, _ in said.values()] == ["right"] * len(task.blanks)
    return jsonify(said=said, solved=solved)


def _asked(task: HandTask) -> dict[str, Any]:
    return {
        "kind": task.kind,
        "seed": task.seed,
        "title": task.title,
        "question": task.question,
        "head": task.head,
        "rows": task.rows,
        "blanks": [{"name": blank.name, "label": blank.label} for blank in task.blanks],
    }


@routes.post("/api/workbench/tree")
def tree() -> Response:
    """A tree to draw, and what is asked about it."""
    fields = body_fields()
    fields.declare("tree", "puzzle", "level", "seed", "task")
    puzzle = _puzzle_in(fields)
    task = _task_in(fields, puzzle.task if puzzle else "values")
    level = fields.whole("level", 1, len(LEVELS))
    try:
        if puzzle:
            found = read_tree(puzzle.tree)
        elif level is not None:
            found = generated(level, task.name, fields.whole("seed", 0, _MOST_SEED) or 0)
        else:
            found = read_tree(fields.text("tree", longest=MOST_TEXT))
        fields.finish()
        worked = WorkedTree(found)
    except (TreeNotationError, TaskError) as error:
        raise BadRequestError(str(error)) from error
    return jsonify(
        tree=found.text,
        task=task.name,
        question=task.question,
        title=puzzle.title if puzzle else "",
        about=puzzle.about if puzzle and puzzle.task == task.name else "",
        size=size_of(found),
        nodes=_nodes(worked.tree),
    )


@routes.post("/api/workbench/check")
def check() -> Response:
    """What is said about an answer, a hint, or the solution."""
    fields = body_fields()
    text, task = fields.text("tree", longest=MOST_TEXT), _task_in(fields)
    ask, answer = fields.text("ask", "check"), fields.raw("answer")
    fields.finish()
    if ask not in _ASKS:
        raise BadRequestError(f"ask is {listed(_ASKS, 'or')}, not {shown(ask)}")
    try:
        worked = WorkedTree(text)
        if ask == "solution":
            solution, remarks = task.solve(worked)
            cut = cut_in_order(worked, solution) if task.name == "order" else None
            return jsonify(answer=solution, remarks=_remarks(remarks), cut=cut)
        given = task.read(answer)
        if ask == "hint":
            return jsonify(remarks=_remarks((task.hint(worked, given),)))
        feedback = task.check(worked, given)
        cut = cut_in_order(worked, given) if task.name == "order" else None
    except (TreeNotationError, TaskError) as error:
        raise BadRequestError(str(error)) from error
    return jsonify(
        solved=feedback.solved,
        summary=feedback.summary,
        remarks=_remarks(feedback.remarks),
        cut=cut,
    )


def _puzzle_in(fields: Fields) -> Puzzle | None:
    name = fields.text("puzzle", longest=60)
    if not name:
        return None
    puzzle = next((puzzle for puzzle in PUZZLES if puzzle.name == name), None)
    if puzzle is None:
        raise BadRequestError(f"there is no puzzle {shown(name)}")
    return puzzle


def _task_in(fields: Fields, usual: str = "") -> TreeTask:
    name = fields.text("task", usual, longest=60)
    if name not in TASKS:
        raise BadRequestError(f"task is {listed(TASKS, 'or')}, not {shown(name)}")
    return TASKS[name]


def _nodes(tree: HandTree) -> list[dict[str, Any]]:
    parents = {child.number: node.number for node in tree.nodes for child in node.children}
    return [
        {
            "number": node.number,
            "name": node.name,
            "parent": parents.get(node.number, -1),
            "depth": node.depth,
            "side": "" if node.is_leaf else tree.side(node),
            "value": node.value,
        }
        for node in tree.nodes
    ]


def _remarks(remarks: tuple[Remark, ...]) -> list[dict[str, Any]]:
    return [{"node": one.node, "mark": one.mark, "text": one.text} for one in remarks]
