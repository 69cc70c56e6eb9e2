"""The HTML of a class: an index for the teacher, and a report for each student.

Every page stands alone: no script, no link to the network. Whatever comes from a student is
escaped; pictures are embedded as images, in which nothing runs. The page of a student names no
other student, so it can be given back.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rl_toolkit.envs import make_game
from rl_toolkit.labs.checking.report import MARKS
from rl_toolkit.labs.grading.jobs import Graded
from rl_toolkit.labs.grading.remarks import short
from rl_toolkit.labs.grading.run import ClassReport, Student
from rl_toolkit.labs.grading.similarity import MOST_PAIRS
from rl_toolkit.labs.grading.table import alike_words, tournament_words
from rl_toolkit.labs.grading.tournament import Row, Standings
from rl_toolkit.utils import counted
from rl_toolkit.utils.reports import render_report


def page_names(students: Iterable[str]) -> dict[str, str]:
    """Name of a student → file name; two names never share one.

    >>> page_names(["Ada L.", "../x"])
    {'Ada L.': 'ada-l-ddd52c.html', '../x': 'x-d6b96a.html'}
    """
    return {name: f"{_slug(name)}-{_mark(name)}.html" for name in students}


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40] or "student"


def _mark(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:6]


# ------------------------------------------------------------------------------- the index


def index_page(
    report: ClassReport,
    links: Mapping[str, str],
    *,
    template: str = "class.html",
    answers_page: str = "",
    **more: Any,
) -> str:
    """The table, typical mistakes, likenesses and tournaments; ``links`` go to the students.

    ``more`` are values for a template that extends this one.
    """
    labs = ", ".join(f"{lab.id} {lab.title}" for lab in report.labs)

    def notes(student: Student) -> list[str]:
        alike = alike_words(report, student)
        remarks = [short(student.remarks)] if student.remarks else []
        return [*student.problems, *([f"Alike: {alike}."] if alike else []), *remarks]

    # A single lab has no column: its points are the points.
    alone = len(report.labs) == 1 and report.rubric is None
    return render_report(
        template,
        report=report,
        links=links,
        answers_page=answers_page,
        title=report.rubric.title if report.rubric else labs or "No lab",
        columns=[] if alone else list(report.labs),
        answers=_answers,
        notes=notes,
        mistakes=_mistakes(report),
        tournaments=[_tournament(standings) for standings in report.standings],
        most_pairs=MOST_PAIRS,
        **more,
    )


def answers_page(report: ClassReport) -> str:
    """All written answers, question by question; "" if no lab has questions."""
    asked = []
    for lab in report.labs:
        for question in lab.questions:
            key = str(question.number)
            written = [
                (student.name, student.graded[lab.id].result["answers"][key])
                for student in report.students
                if lab.id in student.graded and key in student.graded[lab.id].result["answers"]
            ]
            asked.append((lab, question, written))
    return render_report("answers.html", asked=asked) if asked else ""


def _answers(student: Student) -> str:
    """``2 / 3``: written answers of all that are asked for."""
    graded = student.graded.values()
    written = sum(len(work.result["answers"]) for work in graded)
    return f"{written} / {sum(len(work.lab.questions) for work in graded)}"


def _mistakes(report: ClassReport) -> list[tuple[int, str, str]]:
    """What to talk about in class: how many made a typical mistake, the lab, and the mistake."""
    by_student = {
        (student.typed_name, lab, mistake)
        for student in report.students
        for lab, graded in student.graded.items()
        for mistake in graded.mistakes
    }
    made = Counter((lab, mistake) for _, lab, mistake in by_student)
    says = {(lab.id, entry.id): entry.says for lab in report.labs for entry in lab.mistakes}
    most_first = sorted(made.items(), key=lambda each: (-each[1], each[0]))
    return [(count, lab, says.get((lab, name), name)) for (lab, name), count in most_first[:30]]


def _tournament(standings: Standings) -> dict[str, Any]:
    left = standings.of_rounds - standings.rounds
    cut = f" {left} of {standings.of_rounds} rounds were not played." if left > 0 else ""
    openings = f": {standings.openings}" if standings.openings else "."
    bots = [row for row in standings.rows if row.lab]

    def place(row: Row) -> str:
        """Levels, which play along, have no place."""
        return str(sum(_rank(bot) > _rank(row) for bot in bots) + 1) if row.lab else ""

    return {
        "standings": standings,
        "title": f"Tournament: {make_game(standings.game).traits.title}",
        "words": f"Every match is two games from the opening of its round, sides swapped{openings} "
        f"Accuracy: 100 % lost nothing against exact play, 0 % as much as random moves.{cut}",
        "places": [(place(row), row) for row in standings.rows],
        "absent": [f"{name} ({lab}): {reason}" for name, lab, reason in standings.absent],
        "unplayed": [f"{one} and {two}: {why}" for one, two, why in standings.unplayed[:20]],
    }


def _rank(row: Row) -> tuple[float, float]:
    return row.points, row.accuracy or 0.0


# ----------------------------------------------------------------------------- a student


def student_page(
    report: ClassReport, student: Student, *, template: str = "student.html", **more: Any
) -> str:
    """Points, failing cases drawn, and model answers beside the student's own; for the student."""
    rubric = report.rubric.items if report.rubric and student.marks else []
    return render_report(
        template,
        report=report,
        student=student,
        rubric=list(zip(rubric, student.marks, strict=True)) if rubric else [],
        summary=_summary,
        says=_says,
        marks=MARKS,
        played=tournament_words(report, student),
        **more,
    )


def _summary(graded: Graded) -> str:
    """``7 of 10 points, 2 open, 1 hint taken, checked 3 times by the student.``."""
    checks = min(graded.handed_in.progress.checks, 100_000)
    parts = [
        f"{graded.reached} of {graded.lab.points} points",
        f"{graded.open} open" if graded.open else "",
        f"{counted(graded.hints, 'hint')} taken",
        f"checked {counted(checks, 'time')} by the student" if checks else "",
    ]
    return f"{', '.join(filter(None, parts))}."


def _says(task: Mapping[str, Any]) -> list[str]:
    """The sentences below a task."""
    failure = task.get("failure")
    shown = [task["say"]] if task["say"] and task["status"] != "right" else []
    return [*task["notes"], *shown, *([failure["sentence"]] if failure else [])]
