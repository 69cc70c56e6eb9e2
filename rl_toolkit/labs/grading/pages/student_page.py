"""The report of one student: points, failing cases drawn, written answers beside model answers.

It names no other student, so it can be given back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rl_toolkit.labs.checking.report import MARKS
from rl_toolkit.labs.grading.jobs import Graded
from rl_toolkit.labs.grading.pages.layout import bullets, number, page, picture, table, text
from rl_toolkit.labs.grading.run import ClassReport, Student
from rl_toolkit.labs.grading.table import tournament_words
from rl_toolkit.utils import counted

_FILL = '<span class="fill">&nbsp;</span>'
#: The most characters of a file that are shown.
_MOST_CODE = 60_000


def student_page(report: ClassReport, student: Student) -> str:
    """The page of a student."""
    opened = f", {number(student.open)} open" if student.open else ""
    parts = [
        f"<h1>{text(student.name)}</h1>",
        f'<p><span class="big">{number(student.reached)}</span> of {report.points} points given by '
        f"the checks{opened}. Written answers and what is marked "
        '<span class="open">for you to judge</span> get their points from the teacher.</p>',
    ]
    if not student.counts:
        parts.append('<p class="wrong">Not counted: another submission has the same name.</p>')
    if student.marks and report.rubric is not None:
        parts.append(_rubric(report, student))
    for lab in report.labs:
        each = student.graded.get(lab.id)
        if each is not None:
            parts += _lab(each)
        elif report.rubric is not None and lab.id in report.rubric.labs:
            parts.append(f"<h2>{text(lab.id)} {text(lab.title)}</h2><p>Not handed in.</p>")
    played = tournament_words(report, student)
    if played:
        parts.append(f"<h2>Tournament</h2>{bullets(played)}")
    parts.append(
        f'<p class="soft">All students were checked with the same positions (seed {report.seed}). '
        "The machine does not judge explanations, style, or why a depth was chosen.</p>"
    )
    return page(f"{student.name}: report", "\n".join(parts))


def _rubric(report: ClassReport, student: Student) -> str:
    assert report.rubric is not None
    rows: list[str] = []
    for item, marks in zip(report.rubric.items, student.marks, strict=True):
        rows.append(
            f'<tr><td class="name" colspan="2">{text(item.title)}</td>'
            f'<td class="n"><b>{item.points}</b></td></tr>'
        )
        for marked in marks:
            given = _FILL if marked.reached is None else number(marked.reached)
            if marked.reached is not None and marked.open:
                given += f" + {_FILL}"
            says = bullets(marked.says)
            kind = "open" if marked.reached is None else ""
            rows.append(
                f'<tr><td><span class="{kind}">{text(marked.part.title)}</span>{says}</td>'
                f'<td class="n">{given}</td><td class="n">{marked.part.points}</td></tr>'
            )
    total = f"{number(student.reached)} + {_FILL}" if student.open else number(student.reached)
    rows.append(
        f'<tr><td class="name">Together</td><td class="n"><b>{total}</b></td>'
        f'<td class="n"><b>{report.rubric.points}</b></td></tr>'
    )
    heading = f"<h2>{text(report.rubric.title)}</h2>"
    return heading + table("Rubric", ["Rubric", "points", "of"], rows, (1, 2))


def _lab(each: Graded) -> list[str]:
    lab, progress = each.lab, each.handed_in.progress
    told = [f"{each.reached} of {lab.points} points"]
    if each.open:
        told.append(f"{each.open} open")
    told.append(f"{counted(each.hints, 'hint')} taken")
    if progress.checks:
        told.append(f"checked {counted(min(progress.checks, 100_000), 'time')} by the student")
    parts = [
        f"<h2>{text(lab.id)} {text(lab.title)}</h2>",
        f"<p>{text(', '.join(told))}. "
        f'<span class="soft">Hints and checks are as the student’s folder tells them.</span></p>',
    ]
    if each.problem:
        loading = each.report.get("problem")
        said = _case(loading) if loading else f"<p>{text(each.problem)}</p>"
        parts.append(
            f'<div class="card"><h3 class="wrong">Nothing could be checked</h3>{said}</div>'
        )
    if each.report["tasks"] and not each.problem:
        rows = list(map(_task, each.report["tasks"]))
        parts.append(table(f"Tasks of {lab.id}", ["Task", "points", "of"], rows, (1, 2)))
    for task in each.report["tasks"]:
        if task.get("failure"):
            heading = f"Task {task['number']}: {task['title']}"
            case = _case(task["failure"])
            parts.append(f'<div class="card"><h3>{text(heading)}</h3>{case}</div>')
    parts += _questions(each)
    parts += [
        f"<details><summary>{text(name)}</summary><pre>{text(code, _MOST_CODE)}</pre></details>"
        for name, code in sorted(each.handed_in.files.items())
        if name in lab.files or name.endswith(".py") or name == "report.md"
    ]
    return parts


def _task(task: Mapping[str, Any]) -> str:
    status = task["status"]
    says = [*task["notes"], *([task["say"]] if task["say"] and status != "right" else [])]
    failure = task.get("failure")
    if failure:
        says.append(failure["sentence"])
    said = "".join(f'<br><span class="soft">{text(each)}</span>' for each in says)
    mark = f'<span class="{status}">{MARKS[status]}</span>'
    return (
        f"<tr><td>{mark} {task['number']}. {text(task['title'])}{said}</td>"
        f'<td class="n">{task["reached"]}</td><td class="n">{task["points"]}</td></tr>'
    )


def _case(failure: Mapping[str, Any]) -> str:
    """The first failing case, with its board."""
    mover = {1: "X to move", -1: "O to move"}.get(failure.get("mover") or 0, "")
    rows = [
        ("position", " ".join(filter(None, (failure.get("position", ""), mover and f"({mover})")))),
        ("call", failure["call"]),
        ("answer", failure["answer"]),
        ("right", failure["right"]),
        ("moves", " ".join(failure["moves"])),
    ]
    told = "".join(f"<dt>{name}</dt><dd>{text(said)}</dd>" for name, said in rows if said)
    drawn = ""
    if failure.get("svg"):
        drawn = picture(failure["svg"], failure.get("board") or "the board")
    elif failure.get("board"):
        drawn = f"<pre>{text(failure['board'])}</pre>"
    lines = "\n".join(failure["traceback"])
    trace = f"<pre>{text(lines)}</pre>" if lines else ""
    case = f'<p class="soft">{text(failure["case"])}</p>' if failure.get("case") else ""
    return (
        f'<div class="case">{drawn}<div><p class="wrong"><b>{text(failure["sentence"])}</b></p>'
        f"{case}<dl>{told}</dl>{trace}</div></div>"
    )


def _questions(each: Graded) -> list[str]:
    """Every question, the student's answer, and the model answer for the teacher."""
    if not each.lab.questions:
        return []
    parts = ['<h3>Written answers <span class="open">for you to judge</span></h3>']
    for question in each.lab.questions:
        written = each.result["answers"].get(str(question.number))
        own = f'<p class="own">{text(written, 8000)}</p>' if written else "<p><i>None.</i></p>"
        parts.append(
            f'<div class="card"><h3>{question.number}. {text(question.text)}</h3><div class="two">'
            f'<div><div class="label">Student</div>{own}</div>'
            f'<div><div class="label">Model answer</div><p>{text(question.answer)}</p></div>'
            f"</div><p>Points: {_FILL}</p></div>"
        )
    return parts
