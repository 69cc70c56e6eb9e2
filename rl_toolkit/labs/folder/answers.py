"""answers.md: written questions. They are never graded; the model answer follows one's own."""

from __future__ import annotations

import re

from rl_toolkit.labs.checking.report import QuestionReport
from rl_toolkit.labs.model.lab import Lab

_HEADING = re.compile(r"^## Question ([0-9]{1,4})\s*$", re.MULTILINE)
_PLACEHOLDER = "(Your answer.)"
#: The fewest words that are an answer.
FEWEST_WORDS = 4


def answers_text(lab: Lab) -> str:
    """The answers.md of a new folder."""
    parts = [
        f"# {lab.id} {lab.title}: written answers",
        "Write below each question. Nobody grades this by machine; once you have written an answer,"
        "\n`rl-toolkit lab check` shows a model answer to compare with.",
    ]
    for question in lab.questions:
        parts.append(f"## Question {question.number}\n\n> {question.text}\n\n{_PLACEHOLDER}")
    return "\n\n".join(parts) + "\n"


def written_answers(text: str) -> dict[int, str]:
    """The student's answers by the number of the question; only those that were written."""
    answers: dict[int, str] = {}
    parts = _HEADING.split(text)
    for number, body in zip(parts[1::2], parts[2::2], strict=True):
        lines = [line for line in body.splitlines() if not line.lstrip().startswith(">")]
        written = "\n".join(lines).replace(_PLACEHOLDER, "").strip()
        if len(written.split()) >= FEWEST_WORDS:
            answers[int(number)] = written
    return answers


def question_reports(lab: Lab, text: str) -> tuple[QuestionReport, ...]:
    """The questions of a lab, each with its model answer where the student has written one."""
    written = written_answers(text)
    return tuple(
        QuestionReport(
            question.number,
            question.text,
            question.number in written,
            question.answer if question.number in written else "",
        )
        for question in lab.questions
    )
