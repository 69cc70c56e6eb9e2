"""Points for a project by the rubric of its handout, as far as a program can judge.

The tests of a companion give the points of some parts; the others are left to the teacher, with
what can be counted as evidence. No total is invented.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rl_toolkit.course.checking import CourseReport, TestReport
from rl_toolkit.course.model import CourseError
from rl_toolkit.labs.grading import Part, advice, find_rubric, style_of
from rl_toolkit.utils import counted

REPORT = "report.md"


@dataclass(frozen=True, slots=True)
class PartGrade:
    """A part of the rubric for one project.

    Attributes:
        reached: the points that the tests give, ``None`` if the teacher judges.
        says: what fails, or the evidence for the teacher, sentence by sentence.
    """

    item: str
    part: Part
    reached: float | None
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grade:
    """The points of a project: those that the tests give, and those left to the teacher.

    ``parts`` has one entry for each part of the rubric, in its order.
    """

    parts: tuple[PartGrade, ...]

    @property
    def reached(self) -> float:
        """The points that the tests give."""
        return round(sum(part.reached or 0.0 for part in self.parts), 1)

    @property
    def judged(self) -> int:
        """The points that a program can judge."""
        return sum(part.part.points for part in self.parts if part.reached is not None)

    @property
    def left(self) -> int:
        """The points that the teacher judges."""
        return sum(part.part.points for part in self.parts if part.reached is None)

    def sentence(self) -> str:
        """``52 of the 65 points that a program can judge; 35 are for the teacher``."""
        return (
            f"{self.reached:g} of the {self.judged} points that a program can judge; "
            f"{self.left} are for the teacher"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "reached": self.reached,
            "judged": self.judged,
            "left": self.left,
            "parts": [
                {
                    "item": each.item,
                    "part": each.part.title,
                    "points": each.part.points,
                    "reached": each.reached,
                    "says": list(each.says),
                }
                for each in self.parts
            ],
        }


def is_graded(report: CourseReport) -> bool:
    """Whether the handout of a report has a rubric, so that `grade_project` gives points."""
    return bool(report.companion.rubric)


def grade_project(report: CourseReport, files: Mapping[str, str]) -> Grade:
    """The points of a complete report by the rubric of its handout; raises `CourseError`.

    ``files`` are all texts that were handed in, the report among them.
    """
    course = report.companion
    if not course.rubric:
        raise CourseError(f"handout {course.id} has no points")
    tests = {
        f"{session.session.number} {test.name}": test
        for session in report.sessions
        for test in session.tests
    }
    parts: list[PartGrade] = []
    for item in find_rubric(course.rubric).items:
        for part in item.parts:
            found = [tests[name] for name in course.marks.get(part.title, ()) if name in tests]
            if part.tasks:
                parts.append(_by_tests(item.title, part, found))
            else:
                template = course.report()
                parts.append(_for_the_teacher(item.title, part, found, files, template))
    return Grade(tuple(parts))


def _by_tests(item: str, part: Part, tests: list[TestReport]) -> PartGrade:
    right = sum(test.status == "right" for test in tests)
    share = right / len(tests) if tests else 0.0
    says = [f"{test.title}: {test.sentence}" for test in tests if test.status != "right"]
    return PartGrade(item, part, round(part.points * share, 1), tuple(says))


def _for_the_teacher(
    item: str, part: Part, tests: list[TestReport], files: Mapping[str, str], template: str
) -> PartGrade:
    says = [f"The teacher judges: {part.look}"]
    if part.advice:
        code = {name: text for name, text in files.items() if name.endswith(".py")}
        points, reasons = advice(style_of(code).to_dict(), part.advice)
        says += [f"Counting proposes {points} of {part.advice}; it is not added.", *reasons[:6]]
    for test in tests:
        state = "passed" if test.status == "right" else test.sentence or "failed"
        says.append(f"Evidence: {test.title}: {state}.")
    if part.shows == REPORT:
        reports = [n for n in files if Path(n).stem.lower() in ("report", "rapport", "readme")]
        words = [_length(n, files[n], template) for n in reports]
        says += words or ["There is no report."]
    return PartGrade(item, part, None, tuple(says))


def _length(name: str, text: str, template: str) -> str:
    """How long a report is, and what of the template it still has."""
    if text == template:
        return f"{name} is the template as it began."
    open_lines = {line for line in template.splitlines() if line.startswith("[")}
    left = sum(line in open_lines for line in text.splitlines())
    more = f"; {counted(left, 'line')} in brackets not replaced" if left else ""
    return f"{name} has {counted(len(text.split()), 'word')}{more}."
