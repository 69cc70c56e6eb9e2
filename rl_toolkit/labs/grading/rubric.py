"""Points by rubric, as data: what the checks give, and what is left open for the teacher.

The rubrics of the package are in ``rubrics/``; a teacher's own is a file of the same form. What
the machine cannot judge is never given points by it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rl_toolkit.labs.grading.jobs import Graded
from rl_toolkit.labs.grading.style import advice
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.lab import LabError
from rl_toolkit.utils import counted, listed, shown

RUBRICS = Path(__file__).resolve().parent / "rubrics"


class RubricError(ValueError):
    """There is no such rubric, or it is not one; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an item; see ``rubrics/python_lab.toml`` for the fields."""

    title: str
    points: int
    tasks: tuple[tuple[str, int], ...] = ()
    look: str = ""
    advice: int = 0
    shows: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a rubric."""

    title: str
    parts: tuple[Part, ...]

    @property
    def points(self) -> int:
        """The points of its parts."""
        return sum(part.points for part in self.parts)


@dataclass(frozen=True, slots=True)
class Rubric:
    """A rubric: items with points, 100 together or not."""

    id: str
    title: str
    items: tuple[Item, ...]

    @property
    def points(self) -> int:
        """The points of all items."""
        return sum(item.points for item in self.items)

    @property
    def labs(self) -> set[str]:
        """The labs whose tasks it counts."""
        return {lab for item in self.items for part in item.parts for lab, _ in part.tasks}


@dataclass(frozen=True, slots=True)
class Marked:
    """A part of a rubric for one student.

    Attributes:
        reached: the points given by the checks; ``None`` if the part is left open.
        open: points that the machine does not judge, or could not check here.
        says: why, sentence by sentence.
    """

    part: Part
    reached: float | None
    open: float
    says: tuple[str, ...] = ()


def rubrics() -> list[Rubric]:
    """The rubrics of the package."""
    return [read_rubric(path) for path in sorted(RUBRICS.glob("*.toml"))]


def find_rubric(name: str) -> Rubric:
    """A rubric of the package by its id, or a file; raises `RubricError`."""
    for rubric in rubrics():
        if rubric.id == name:
            return rubric
    path = Path(name)
    if path.suffix == ".toml" and path.is_file():
        return read_rubric(path)
    known = listed(rubric.id for rubric in rubrics())
    raise RubricError(f"there is no rubric {shown(name)}; there is {known}, or name a .toml file")


def fitting_rubric(labs: Iterable[str]) -> Rubric | None:
    """The rubric of the package all of whose labs were handed in, ``None`` if there is none."""
    there = set(labs)
    return next((rubric for rubric in rubrics() if rubric.labs and rubric.labs <= there), None)


def read_rubric(path: Path) -> Rubric:
    """The rubric in a file; raises `RubricError`."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        items = tuple(
            Item(_text(item, "title"), tuple(_part(part) for part in item["part"]))
            for item in data["item"]
        )
        rubric = Rubric(_text(data, "id"), _text(data, "title"), items)
    except KeyError as error:
        raise RubricError(f"{path}: {error} is missing") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise RubricError(f"{path}: {error}") from error
    if not rubric.items or rubric.points <= 0:
        raise RubricError(f"{path}: it has no points")
    return rubric


def _part(data: Mapping[str, Any]) -> Part:
    tasks = tuple(_task(name) for name in data.get("tasks", []))
    numbers = [data["points"], data.get("advice", 0)]
    if any(
        isinstance(number, bool) or not isinstance(number, int) or number < 0 for number in numbers
    ):
        raise ValueError("points and advice are whole numbers")
    part = Part(
        _text(data, "title"),
        data["points"],
        tasks,
        str(data.get("look", "")),
        data.get("advice", 0),
        str(data.get("shows", "")),
    )
    if bool(part.tasks) == bool(part.look):
        raise ValueError(f"{part.title!r} has either tasks or look")
    return part


def _text(data: Mapping[str, Any], name: str) -> str:
    if not isinstance(data[name], str) or not data[name].strip():
        raise ValueError(f"{name} must be a text")
    return str(data[name]).strip()


def _task(name: str) -> tuple[str, int]:
    lab, _, number = name.rpartition(".")
    if not lab or not number.isdecimal():
        raise ValueError(f"{name!r} is not a task; write L05.3")
    return lab, int(number)


# ------------------------------------------------------------------------- marking


def mark(
    rubric: Rubric, graded: Mapping[str, Graded], strength: Mapping[str, str] | None = None
) -> list[list[Marked]]:
    """The parts of every item for one student; ``graded`` are their submissions by lab.

    ``strength`` are sentences about the student's bots in the tournament, by lab.
    """
    return [
        [
            _by_tasks(part, graded) if part.tasks else _by_teacher(part, graded, strength or {})
            for part in item.parts
        ]
        for item in rubric.items
    ]


def _by_tasks(part: Part, graded: Mapping[str, Graded]) -> Marked:
    right = total = left = 0
    says: list[str] = []
    for lab, number in part.tasks:
        each = graded.get(lab)
        if each is None:
            total += _points_of(lab, number)
            says.append(f"{lab} was not handed in.")
            continue
        task = each.lab.task(number)
        checked = {t["number"]: t for t in each.report["tasks"]}.get(number)
        status = "wrong" if checked is None else checked["status"]
        total += task.points
        right += task.points if status == "right" else 0
        left += task.points if status == "open" else 0
        if status != "right":
            says.append(f"{lab} task {number} ({task.title}): {_WORDS[status]}.")
    share = part.points / max(1, total)
    return Marked(part, round(share * right, 1), round(share * left, 1), tuple(dict.fromkeys(says)))


def _points_of(lab: str, number: int) -> int:
    """The points of a task that a student did not hand in."""
    try:
        return lab_by_id(lab).task(number).points
    except LabError:  # a lab outside the package
        return 1


_WORDS = {
    "wrong": "not right",
    "todo": "not written",
    "open": "left open, it could not be checked here",
}


def _by_teacher(part: Part, graded: Mapping[str, Graded], strength: Mapping[str, str]) -> Marked:
    says = [f"The teacher judges: {part.look}"]
    if part.advice:
        proposals = {lab: advice(work.result["style"], part.advice) for lab, work in graded.items()}
        if proposals:
            proposed = round(sum(points for points, _ in proposals.values()) / len(proposals))
            says.append(f"Counting proposes {proposed} of {part.advice}; it is not added.")
            reasons = [
                f"{lab}: {line}" for lab, (_, length) in proposals.items() for line in length
            ]
            says += reasons[:8]
    kind, _, lab = part.shows.partition(" ")
    if kind == "tournament":
        says.append(strength.get(lab, f"No bot of {lab} played in the tournament."))
    elif part.shows:
        texts = [work.handed_in.files.get(part.shows) for work in graded.values()]
        words = [len(text.split()) for text in texts if text is not None]
        length = f"{part.shows} has {counted(max(words), 'word')}." if words else ""
        says.append(length or f"There is no {part.shows}.")
    return Marked(part, None, float(part.points), tuple(dict.fromkeys(says)))
