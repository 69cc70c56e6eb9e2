"""``class show`` and ``class export``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.commands.classroom.table import show_book, tell_remarks, tell_unchecked
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.ui.screen import Screen

if TYPE_CHECKING:
    from rl_toolkit.classroom import Gradebook

CLASS = click.argument("folder", metavar="CLASS", type=click.Path(path_type=Path))


@click.command(short_help="Show the grades, or what one student handed in.")
@CLASS
@click.argument("student", required=False)
@json_option("the grades as one object")
@examples(
    "rl-toolkit class show cs101",
    'rl-toolkit class show cs101 "Ada Lovelace"',
    "rl-toolkit class show cs101 --json",
)
def show(folder: Path, student: str | None, as_json: bool) -> None:
    """Show the grades of a class, or everything that one STUDENT (id or name) handed in.

    The rules are those of class.toml as it is now; nothing is checked.
    """
    from rl_toolkit.classroom import ClassError, ClassFolder, find_student, grades_json, read_book
    from rl_toolkit.labs.grading import ResultsError
    from rl_toolkit.utils import counted

    screen = Screen()
    with report_errors(ClassError, ResultsError):
        the_class = ClassFolder(folder)
        tell_remarks(screen, the_class)
        book = read_book(the_class)
        tell_unchecked(screen, book)
        if student is None and as_json:
            screen.line(grades_json(book).rstrip())
            return
        if student is None:
            show_book(screen, book)
            if not book.is_settled:
                open_ones = counted(len(book.undecided) + len(book.refused), "hand-in")
                screen.tell(f"To be decided or not understood: {open_ones}. The report says why.")
            return
        person = find_student(the_class, book, student)
    _history(screen, book, person.id, as_json)


def _history(screen: Screen, book: Gradebook, student: str, as_json: bool) -> None:
    from rl_toolkit.classroom import history

    row = next(each for each in book.rows if each.person.id == student)
    events = history(row)
    if as_json:
        data = [{**e, "time": e["time"].isoformat() if e["time"] else None} for e in events]
        person = {"id": row.person.id, "name": row.person.name, "points": row.points}
        screen.json({**person, "of": book.settings.points, "hand_ins": data})
        return
    of = f"{book.settings.points:g}"
    screen.say(f"{row.person.name} ({row.person.id}): {row.points:g} of {of} points")
    for entry in row.entries.values():
        points = "–" if entry.points is None else f"{entry.points:g}"
        screen.say(f"{entry.assignment.id}: {points} of {entry.assignment.points:g}")
        for event in (e for e in events if e["assignment"] == entry.assignment.id):
            time = book.settings.to_text(event["time"]) or "no time"
            parts = [] if event["reached"] is None else [f"{event['reached']:g} by the checks"]
            parts += [event["why"]] if event["why"] else []
            parts += [f"late by {event['late']}"] if event["late"] and not event["why"] else []
            counts = " (counts)" if event["counts"] else ""
            screen.say(f"  {time}  {', '.join(parts)}{counts}  {event['source']}")
        for note in entry.notes:
            screen.say(f"  {note}")


@click.command(short_help="Write grades for Moodle, Canvas and others.")
@CLASS
@click.argument("form", metavar="FORM")
@click.option("--lab", metavar="ID", help="Only this lab.")
@examples(
    "rl-toolkit class export cs101 moodle --lab L05",
    "rl-toolkit class export cs101 canvas",
    "rl-toolkit class export cs101 gradescope",
)
def export(folder: Path, form: str, lab: str | None) -> None:
    """Write grades into CLASS/exports: moodle, canvas, gradescope, github, csv or json.

    moodle fills the grading worksheets that `class roster --lab` took, and packs the students'
    pages as feedback files. canvas fills the gradebook that `class roster` took. gradescope and
    github write what runs the checks there. Names that a spreadsheet would take for formulas begin
    with a quote.
    """
    from rl_toolkit.classroom import FORMS, ClassError, ClassFolder, read_book, write_export
    from rl_toolkit.labs.grading import ResultsError
    from rl_toolkit.utils import did_you_mean, listed

    screen = Screen()
    if form not in FORMS:
        meant = did_you_mean(form, FORMS)
        hint = f"did you mean {meant}?" if meant else f"there is {listed(FORMS)}"
        raise refuse(f"there is no form {form!r}; {hint}")
    with report_errors(ClassError, ResultsError):
        the_class = ClassFolder(folder)
        tell_remarks(screen, the_class)
        for path in write_export(the_class, read_book(the_class), form, lab):
            screen.line(str(path))
