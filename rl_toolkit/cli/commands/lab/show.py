"""A report of a check in the terminal: a line for each task, and the first failing case drawn."""

from __future__ import annotations

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.labs.checking import MARKS, Failure, LabReport, TaskReport
from rl_toolkit.utils import listed

_STYLES = {"right": "green", "wrong": "red", "todo": "dim", "open": "yellow"}
_WIDTH = 78


def show_task(screen: Screen, task: TaskReport) -> None:
    """One line for a task: mark, title, points."""
    title = f"{MARKS[task.status]} Task {task.number}  {task.title} "
    points = f" {task.reached}/{task.points}"
    width = min(screen.width, _WIDTH)
    dots = "." * max(3, width - len(title) - len(points))
    line = Text(screen.fit(title), style=_STYLES[task.status])
    screen.say(line.append(dots, "dim").append(points))
    for note in task.notes:
        _indented(screen, note, "dim")
    if task.say and task.status == "open":
        _indented(screen, task.say, "dim")


def show_report(screen: Screen, report: LabReport, *, questions: bool = True) -> None:
    """What follows the lines of the tasks: the first failing case, questions, points."""
    first = next((task for task in report.tasks if task.failure is not None), None)
    todo = next((task for task in report.tasks if task.status == "todo"), None)
    if report.problem is not None:
        screen.say()
        show_failure(screen, report.problem)
    elif first is not None and first.failure is not None:
        screen.say()
        screen.say(f"Task {first.number}: {first.title}", "bold")
        show_failure(screen, first.failure)
        _others(screen, [task for task in report.tasks if task.failure and task is not first])
    elif todo is not None:
        screen.say()
        _wrapped(screen, f"Task {todo.number}: {todo.say}")
    if questions:
        _questions(screen, report)
    screen.say()
    _total(screen, report)


def _others(screen: Screen, tasks: list[TaskReport]) -> None:
    """The tasks that fail besides the first: a known mistake is said, the rest is only named."""
    plain: list[TaskReport] = []
    for task in tasks:
        if task.failure is not None and task.failure.mistake:
            screen.say()
            _wrapped(screen, f"Task {task.number}: {task.failure.sentence}", "red")
        else:
            plain.append(task)
    if plain:
        names = listed(str(task.number) for task in plain)
        which = f"Task {names} fails" if len(plain) == 1 else f"Tasks {names} fail"
        hint = f"`rl-toolkit lab check --task {plain[0].number}` shows how."
        screen.say()
        _wrapped(screen, f"{which} too; {hint}", "dim")


def show_failure(screen: Screen, failure: Failure) -> None:
    """One failing case: the sentence, the board, the call, both answers, the traceback."""
    _wrapped(screen, failure.sentence, "bold red")
    if failure.case:
        _wrapped(screen, failure.case)
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
        screen.say(Padding(row, (0, max(0, screen.width - _WIDTH), 0, 0)))
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
    _wrapped(screen, f"{count}. Written answers are not graded by the machine.", "dim")
    for question in written:
        _wrapped(screen, f"{question.number}. {question.text}")
        _indented(screen, f"A model answer: {question.model}", "cyan")


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


def _wrapped(screen: Screen, text: str, style: str = "") -> None:
    screen.say(Padding(Text(screen.fit(text), style), (0, max(0, screen.width - _WIDTH), 0, 0)))


def _indented(screen: Screen, text: str, style: str) -> None:
    screen.say(Padding(Text(screen.fit(text), style), (0, max(0, screen.width - _WIDTH), 0, 9)))


def _coloured(screen: Screen, line: str) -> Text:
    text = Text(screen.fit(line))
    text.highlight_regex(r"\bX\b", "cyan")
    text.highlight_regex(r"\bO\b", "yellow")
    return text
