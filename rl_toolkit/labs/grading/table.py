"""The table of a class as CSV, for a spreadsheet: one row for each student."""

from __future__ import annotations

from collections.abc import Iterable

from rl_toolkit.labs.grading.run import ClassReport, Student
from rl_toolkit.utils import csv_rows


def class_csv(report: ClassReport) -> str:
    """The CSV; what is open has an empty cell to fill in."""
    rows: list[Iterable[object]] = [_heading(report)]
    rows += [_row(report, student) for student in report.students]
    for refused in report.refused:
        width = len(_heading(report)) - 3
        rows.append(
            [refused.student, *([""] * width), refused.source, f"not graded: {refused.problem}"]
        )
    return csv_rows(map(_printable, row) for row in rows)


def _printable(cell: object) -> object:
    """A cell without characters that a terminal would obey."""
    if not isinstance(cell, str):
        return cell
    return "".join(char if char.isprintable() else " " for char in cell)


def _heading(report: ClassReport) -> list[str]:
    cells = ["student", "points", "of", "open"]
    for lab in report.labs:
        cells += [f"{lab.id} ({lab.points})"]
    if report.rubric is not None:
        for item in report.rubric.items:
            cells += [f"{part.title} ({part.points})" for part in item.parts]
    cells += ["hints", "answers written", "mistakes", "alike", "tournament", "remarks"]
    return [*cells, "files", "problem"]


def _row(report: ClassReport, student: Student) -> Iterable[object]:
    reached = _number(student.reached) if student.counts else ""
    yield from (student.name, reached, report.points, _number(student.open))
    for lab in report.labs:
        each = student.graded.get(lab.id)
        yield "" if each is None else each.reached
    for item in student.marks:
        for marked in item:
            yield "" if marked.reached is None else _number(marked.reached)
    graded = student.graded.values()
    yield sum(work.hints for work in graded)
    yield sum(len(work.result["answers"]) for work in graded)
    yield "; ".join(f"{work.lab.id} {name}" for work in graded for name in work.mistakes)
    yield alike_words(report, student)
    yield "; ".join(tournament_words(report, student))
    yield " ".join(student.remarks)
    yield "; ".join(work.handed_in.source for work in graded)
    yield " ".join(student.problems)


def alike_words(report: ClassReport, student: Student, most: int = 3) -> str:
    """With whom the work of a student is alike: ``L05 Bob 93 %``, most alike first."""
    words = []
    for like in report.pairs:
        if student.name in (like.first, like.second):
            other = like.second if like.first == student.name else like.first
            words.append(f"{like.lab} {other} {like.pair.percent} %")
    more = [f"and {len(words) - most} more"] if len(words) > most else []
    return "; ".join([*words[:most], *more])


def tournament_words(report: ClassReport, student: Student) -> list[str]:
    """The results of a student's bots: ``L05: 12 points in 16 games, …``."""
    keys = {work.handed_in.key for work in student.graded.values()}
    return [
        f"{row.lab}: {row.sentence()}"
        for table in report.standings
        for row in table.rows
        if row.key in keys and row.lab
    ]


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else value
