"""The checks of a lab as tests of a companion, on a program in the shape of the handout.

A companion says with a script such as ``as_l19.js`` how the names of the handout map to those of
the lab; in it ``/*source*/`` stands for the student's script.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from rl_toolkit.course.model import Companion, Session
from rl_toolkit.labs import LabError, check_work, lab_by_id, work_from

#: The seed of the checks: the same program gets the same verdict.
_SEED = 1
_SOURCE = "/*source*/"


class LabTest(NamedTuple):
    """The result of one task of a lab, with the fields of `TestReport`."""

    name: str
    title: str
    status: Literal["right", "wrong", "todo", "open"]
    sentence: str = ""
    lines: tuple[str, ...] = ()


def lab_tests(
    course: Companion, session: Session, files: Mapping[str, str], only: Sequence[str]
) -> list[LabTest]:
    """The tasks of labs that belong to a session, checked; ``only`` names some of them."""
    return [
        _checked(course, session, files, lab_id, number)
        for lab_id, number in session.lab_tasks
        if not only or f"{lab_id}_task_{number}" in only
    ]


def _checked(
    course: Companion, session: Session, files: Mapping[str, str], lab_id: str, number: int
) -> LabTest:
    lab, theirs = lab_by_id(lab_id), session.files[0]
    name = f"{lab_id}_task_{number}"
    title = f"lab {lab_id}, task {number}: {lab.task(number).title.lower()}"
    if theirs not in files:
        return LabTest(name, title, "todo", f"there is no {theirs} yet")
    mapping = (course.folder / f"as_{lab_id.lower()}.js").read_text("utf-8")
    text, own = mapping.replace(_SOURCE, files[theirs]), lab.files[0]
    try:
        work = work_from(lab, {**lab.start_files(), own: text})
        report = check_work(lab, work, tasks=[number], seed=_SEED)
    except LabError as error:
        return LabTest(name, title, "wrong", str(error))
    if not report.tasks:
        problem = report.problem.sentence if report.problem is not None else "it cannot be loaded"
        return LabTest(name, title, "wrong", problem.replace(own, theirs))
    task = report.tasks[0]
    if task.failure is None:
        return LabTest(name, title, task.status, task.say if task.status == "open" else "")
    failure = task.failure
    sentence = failure.sentence.replace(own, theirs)
    if "not written yet" in sentence or "is not defined" in sentence:
        return LabTest(name, title, "todo", f"{theirs} is not finished: {sentence}")
    drawn = failure.drawn()
    lines = [f"{failure.call}: {failure.answer}".rstrip(": ")] if failure.call else []
    lines += drawn.text.splitlines() if drawn is not None else []
    return LabTest(name, title, "wrong", sentence.rstrip("."), tuple(lines))
