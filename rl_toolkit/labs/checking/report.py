"""What a check has found: points by task, and the first failing case of each, as data.

`LabReport.to_dict` is what ``lab check --json``, the page and a teacher's table read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

from rl_toolkit.labs.drawing import board_svg, board_text
from rl_toolkit.labs.model.positions import LabBoard

#: ``open``: it cannot be checked here; ``todo``: the student has not begun.
Status = Literal["right", "wrong", "todo", "open"]
MARKS: dict[Status, str] = {"right": "✓", "wrong": "✗", "todo": "·", "open": "?"}


@dataclass(frozen=True, slots=True)
class Picture:
    """Something drawn, for the terminal and for a page."""

    text: str
    svg: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """The first failing case of a task.

    Attributes:
        sentence: what is wrong, in one sentence.
        mistake: the id of the typical mistake that it was recognised as, "" if none.
        call: the call as the student would type it.
        answer, right: what it answered and should have, for people; "" if there is nothing to say.
        board: the position of the call; ``shows_mover`` if the side to move matters.
        moves: the names of a game's moves.
        traceback: the lines of the exception, cut to the student's files.
        case: the sentence of the case, where ``sentence`` is that of a mistake.
        printed: what the student's code printed in the call.
        costs: the points that are lost; 0 for all points of the task.
    """

    sentence: str
    mistake: str = ""
    call: str = ""
    answer: str = ""
    right: str = ""
    board: LabBoard | None = None
    shows_mover: bool = True
    picture: Picture | None = None
    moves: tuple[str, ...] = ()
    traceback: tuple[str, ...] = ()
    case: str = ""
    printed: str = ""
    costs: int = 0

    def drawn(self) -> Picture | None:
        """The picture of the case: its own, or its board."""
        if self.picture is not None or self.board is None:
            return self.picture
        return Picture(board_text(self.board), board_svg(self.board))

    def to_dict(self) -> dict[str, Any]:
        """The fields as values that JSON can hold."""
        drawn = self.drawn()
        return {
            "sentence": self.sentence,
            "mistake": self.mistake,
            "case": self.case,
            "call": self.call,
            "answer": self.answer,
            "right": self.right,
            "game": self.board.game if self.board else "",
            "position": self.board.text if self.board else "",
            "mover": self.board.mover if self.board and self.shows_mover else None,
            "board": drawn.text if drawn else "",
            "svg": drawn.svg if drawn else "",
            "moves": list(self.moves),
            "traceback": list(self.traceback),
            "printed": self.printed,
        }


@dataclass(frozen=True, slots=True)
class TaskReport:
    """The result of one task; ``say`` is a line of kind words, or why it stays open."""

    number: int
    title: str
    points: int
    status: Status
    failure: Failure | None = None
    say: str = ""
    notes: tuple[str, ...] = ()

    @property
    def reached(self) -> int:
        """The points of a right task, or what a small fault leaves of them."""
        if self.status == "wrong" and self.failure is not None and self.failure.costs:
            return max(0, self.points - self.failure.costs)
        return self.points if self.status == "right" else 0

    def to_dict(self) -> dict[str, Any]:
        """The fields as values that JSON can hold."""
        return {
            "number": self.number,
            "title": self.title,
            "points": self.points,
            "reached": self.reached,
            "status": self.status,
            "say": self.say,
            "notes": list(self.notes),
            "failure": self.failure.to_dict() if self.failure else None,
        }


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """A written question: never graded; the model answer only after one's own."""

    number: int
    text: str
    written: bool
    model: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The fields as values that JSON can hold."""
        return {
            "number": self.number,
            "text": self.text,
            "written": self.written,
            "model": self.model,
            "graded": False,
        }


@dataclass(frozen=True, slots=True)
class LabReport:
    """The result of a check.

    Attributes:
        tasks: those that were checked.
        problem: why nothing could be checked: a syntax error, a missing file.
        seed: repeats the same positions with ``--seed``.
    """

    lab: str
    title: str
    tasks: tuple[TaskReport, ...]
    questions: tuple[QuestionReport, ...] = ()
    problem: Failure | None = None
    seed: int = 0
    seconds: float = field(default=0.0, compare=False)

    @property
    def points(self) -> int:
        """The points that can be reached in the checked tasks."""
        return sum(task.points for task in self.tasks)

    @property
    def reached(self) -> int:
        """The points reached."""
        return sum(task.reached for task in self.tasks)

    @property
    def open_points(self) -> int:
        """The points of tasks that cannot be checked here."""
        return sum(task.points for task in self.tasks if task.status == "open")

    @property
    def all_right(self) -> bool:
        """Whether every checked task is right; an open one is not."""
        return self.problem is None and all(task.status == "right" for task in self.tasks)

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The typical mistakes that were recognised."""
        failures = [task.failure for task in self.tasks if task.failure is not None]
        return tuple(failure.mistake for failure in failures if failure.mistake)

    def to_dict(self) -> dict[str, Any]:
        """The fields as values that JSON can hold."""
        return {
            "lab": self.lab,
            "title": self.title,
            "points": self.points,
            "reached": self.reached,
            "open": self.open_points,
            "all_right": self.all_right,
            "seed": self.seed,
            "problem": self.problem.to_dict() if self.problem else None,
            "tasks": [task.to_dict() for task in self.tasks],
            "questions": [question.to_dict() for question in self.questions],
            "note": "Written answers are not graded by the machine." if self.questions else "",
        }

    def _repr_html_(self) -> str:
        """The report in a notebook."""
        rows = [
            f"<tr><td>{MARKS[task.status]}</td><td>{escape(f'{task.number}. {task.title}')}</td>"
            f"<td>{task.reached} / {task.points}</td><td>{escape(_said(task))}</td></tr>"
            for task in self.tasks
        ]
        failures = [task.failure for task in self.tasks if task.failure]
        first = self.problem or (failures[0] if failures else None)
        heading = escape(f"{self.lab} {self.title}: {self.reached} of {self.points} points")
        return f"<h4>{heading}</h4><table>{''.join(rows)}</table>{_html(first)}"


def _said(task: TaskReport) -> str:
    return task.failure.sentence if task.failure else task.say or " ".join(task.notes)


def _html(failure: Failure | None) -> str:
    if failure is None:
        return ""
    drawn = failure.drawn()
    parts = [f"<p><b>{escape(failure.sentence)}</b></p>"]
    if drawn is not None:
        parts.append(drawn.svg or f"<pre>{escape(drawn.text)}</pre>")
    lines = [
        f"{name}: {text}"
        for name, text in (
            ("call", failure.call),
            ("your answer", failure.answer),
            ("right", failure.right),
            ("moves", " ".join(failure.moves)),
        )
        if text
    ]
    parts.append(f"<pre>{escape(chr(10).join([*lines, *failure.traceback]))}</pre>")
    return "".join(parts)


def by_hand(error: Exception) -> str:
    """What to say of somebody's work if the check failed, and not the work.

    >>> by_hand(KeyError("x"))
    "The check itself failed, look at it by hand (KeyError: 'x')."
    """
    what = f"{type(error).__name__}: {error}"
    return f"The check itself failed, look at it by hand ({what[:300]})."


def storable(result: dict[str, Any]) -> dict[str, Any]:
    """A result as a file can hold it: half of a surrogate pair becomes a question mark."""
    text = json.dumps(result, ensure_ascii=False).encode("utf-8", "replace")
    return dict(json.loads(text))
