"""A report of a check in the terminal: a line for each task, and the first failing case drawn."""

from __future__ import annotations

from pathlib import Path

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rl_toolkit.cli.ui.screen import PARAGRAPH_WIDTH, Screen
from rl_toolkit.labs.checking import MARKS, Failure, LabReport, TaskReport
from rl_toolkit.utils import as_typed, listed

_STYLES = {"right": "green", "wrong": "red", "todo": "dim", "open": "yellow"}


def show_task(screen: Screen, task: TaskReport) -> None:
    """One line for a task: mark, title, points."""
    title = f"{MARKS[task.status]} Task {task.number}  {task.title} "
    points = f" {task.reached}/{task.points}"
    width = min(screen.width, PARAGRAPH_WIDTH)
    dots = "." * max(3, width - len(title) - len(points))
    line = Text(screen.fit(title), style=_STYLES[task.status])
    screen.say(line.append(dots, "dim").append(points))
    for note in task.notes:
        screen.paragraph(note, "dim", indent=9)
    if task.say and task.status == "open":
        screen.paragraph(task.say, "dim", indent=9)


def show_report(screen: Screen, report: LabReport, folder: Path, *, questions: bool = True) -> None:
    """What follows the lines of the tasks: the first failing case, questions, points.

    Commands that it names are for the lab in ``folder``.
    """
    where = "" if folder == Path(".") else f" {as_typed(str(folder))}"
    first = next((task for task in report.tasks if task.failure is not None), None)
    todo = next((task for task in report.tasks if task.status == "todo"), None)
    if report.problem is not None:
        screen.say()
        show_failure(screen, report.problem)
    elif first is not None and first.failure is not None:
        screen.say()
        screen.say(f"Task {first.number}: {first.title}", "bold")
        show_failure(screen, first.failure)
        _others(
            screen, [task for task in report.tasks if task.failure and task is not first], where
        )
    elif todo is not None:
        screen.say()
        hint = f"`rl-toolkit lab hint {todo.number}{where}` gives an idea."
        screen.paragraph(f"Task {todo.number}: {todo.say} {hint}")
    if questions:
        _questions(screen, report)
    screen.say()
    _total(screen, report)


def _others(screen: Screen, tasks: list[TaskReport], where: str) -> None:
    """The tasks that fail besides the first: a known mistake is said, the rest is only named."""
    plain: list[TaskReport] = []
    for task in tasks:
        if task.failure is not None and task.failure.mistake:
            screen.say()
            screen.paragraph(f"Task {task.number}: {task.failure.sentence}", "red")
        else:
            plain.append(task)
    if plain:
        names = listed(str(task.number) for task in plain)
        which = f"Task {names} fails" if len(plain) == 1 else f"Tasks {names} fail"
        hint = f"`rl-toolkit lab check{where} --task {plain[0].number}` shows how."
        screen.say()
        screen.paragraph(f"{which} too; {hint}", "dim")


def show_failure(screen: Screen, failure: Failure) -> None:
    """One failing case: the sentence, the board, the call, both answers, the traceback."""
    screen.paragraph(failure.sentence, "bold red")
    if failure.case:
        screen.paragraph(failure.case)
    drawn = failure.drawn()
    if drawn is not None:
        screen.say()
        for line in drawn.text.splitlines():
            screen.say(_coloured(screen, "    " + line))
        if failure.board is not None and failure.shows_mover and not failure.moves:
            screen.say(f"    {'X' if failure.board.mover > 0 else 'O'} to move", "dim")
    rows = [
        ("call", failure.call),
        ("your answer", failure.answer),
        ("right", failure.right),
        ("the game", " ".join(failure.moves)),
    ]
    shown = [(name, text) for name, text in rows if text]
    if shown:
        screen.say()
    for name, text in shown:
        styles = {"your answer": "red", "right": "green"}
        row = Table.grid(padding=(0, 2, 0, 0))
        row.add_column(width=13, justify="right", style="dim")
        row.add_column(style=styles.get(name, ""), overflow="fold")
        row.add_row(name, Text(screen.fit(text)))
        screen.say(Padding(row, (0, max(0, screen.width - PARAGRAPH_WIDTH), 0, 0)))
    if failure.printed:
        screen.say()
        screen.say("your program printed", "dim")
        for line in failure.printed.splitlines():
            screen.say(screen.one_line("    " + line))
    if failure.traceback:
        screen.say()
        for line in failure.traceback:
            screen.say(screen.one_line("    " + line, "yellow"))


def _questions(screen: Screen, report: LabReport) -> None:
    if not report.questions or report.problem is not None:
        return
    written = [question for question in report.questions if question.written]
    screen.say()
    count = f"{len(written)} of {len(report.questions)} questions answered in answers.md"
    screen.paragraph(f"{count}. Written answers are not graded by the machine.", "dim")
    for question in written:
        screen.paragraph(f"{question.number}. {question.text}")
        screen.paragraph(f"A model answer: {question.model}", "cyan", indent=9)


def _total(screen: Screen, report: LabReport) -> None:
    style = "bold green" if report.all_right else "bold"
    opened = f" ({report.open_points} open)" if report.open_points else ""
    end = " Well done!" if report.all_right else ""
    text = f"{report.lab} {report.title}: {report.reached} of {report.points} points{opened}.{end}"
    screen.say(text, style)
    if any(task.failure for task in report.tasks):
        screen.say(
            f"Positions are drawn anew for each check; --seed {report.seed} repeats these.", "dim"
        )


def _coloured(screen: Screen, line: str) -> Text:
    text = Text(screen.fit(line))
    text.highlight_regex(r"\bX\b", "cyan")
    text.highlight_regex(r"\bO\b", "yellow")
    return text
