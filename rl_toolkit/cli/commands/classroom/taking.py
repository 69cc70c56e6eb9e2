"""``class new``, ``roster``, ``grade`` and ``forget``."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import (
    check_isolation,
    confirm,
    grading_executor,
    refuse,
    report_errors,
)
from rl_toolkit.cli.commands.classroom.table import show_book, tell_remarks
from rl_toolkit.cli.options import examples, grading_workers_option, repeated_seed_option
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils import as_typed

if TYPE_CHECKING:
    from rl_toolkit.classroom import Gradebook

CLASS = click.argument("folder", metavar="CLASS", type=click.Path(path_type=Path))


@click.command(short_help="Make the folder of a class.")
@CLASS
@click.option("--title", help="The title of the class.  [default: the name of the folder]")
@click.option("--lab", "names", metavar="ID|FOLDER", multiple=True, help="A lab; may be repeated.")
@examples(
    "rl-toolkit class new cs101 --lab L05 --lab L07",
    'rl-toolkit class new spring --title "Search in games" --lab L05 --lab my_lab',
)
def new(folder: Path, title: str | None, names: tuple[str, ...]) -> None:
    """Make the folder of a class, with a class.toml to fill in.

    A lab is named by its id, or by its folder if it is one of yours.
    """
    from rl_toolkit.classroom import ClassError, new_class
    from rl_toolkit.labs import find_lab

    screen = Screen()
    with report_errors(ClassError):
        labs = [find_lab(name) for name in names]
        if not labs:
            raise refuse("name the labs of the class: --lab L05; `rl-toolkit lab list` shows them")
        written = new_class(folder, title or folder.resolve().name, labs)
    screen.say(f"{folder} has {' and '.join(written)}. Set deadlines in class.toml, then:")
    typed = as_typed(str(folder))
    screen.say(f"  rl-toolkit class roster {typed} FILE.csv   (who is in the class)")
    screen.say(f"  rl-toolkit class grade {typed}   (what lies in {folder / 'submissions'})")


@click.command(short_help="Read who is in a class, from Moodle, Canvas or a table.")
@CLASS
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--lab", metavar="ID", help="FILE is Moodle's grading worksheet of this lab.")
@examples(
    "rl-toolkit class roster cs101 participants.csv",
    "rl-toolkit class roster cs101 worksheet.csv --lab L05",
)
def roster(folder: Path, file: Path, lab: str | None) -> None:
    """Read who is in a class from FILE: a CSV of Moodle, of Canvas, or a plain one.

    A plain one has the columns id, name, email and group. With --lab a grading worksheet of Moodle
    brings the times of handing in, and `class export` fills it.
    """
    from rl_toolkit.classroom import ClassError, ClassFolder

    screen = Screen()
    with report_errors(ClassError):
        for sentence in ClassFolder(folder).take_roster(file, lab):
            screen.say(sentence)


@click.command(short_help="Take in what was handed in, check it, write reports.")
@CLASS
@click.argument("downloads", metavar="[DOWNLOAD]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--lab", metavar="ID", help="Take everything that is new for this lab.")
@click.option(
    "--assign", metavar="FILE=ID", multiple=True, help="FILE is of this student; may be repeated."
)
@grading_workers_option
@repeated_seed_option("another class")
@examples(
    "rl-toolkit class grade cs101",
    "rl-toolkit class grade cs101 ~/Downloads/minimax-submissions.zip --lab L05",
    "rl-toolkit class grade cs101 --assign mallory.zip=1012",
)
def grade(
    folder: Path,
    downloads: tuple[Path, ...],
    lab: str | None,
    assign: tuple[str, ...],
    workers: int | None,
    seed: int | None,
) -> None:
    """Take in CLASS/submissions and every DOWNLOAD, check what is new, and write reports.

    A download of Moodle or Canvas is taken as it is; so are folders, zips, repositories, notebooks
    and single files. What was taken in stays in the class, also if the download is removed. Run the
    same command to resume. The exit code is 1 if something was not understood or belongs to no
    student; the others are graded.
    """
    check_isolation()
    from rl_toolkit.classroom import ClassError, ClassFolder, write_class_reports
    from rl_toolkit.classroom import grade as grade_now
    from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
    from rl_toolkit.labs.grading import ResultsError

    screen = Screen()
    with report_errors(ClassError, ResultsError):
        the_class = ClassFolder(folder)
        pairs = dict(_assigned(text) for text in assign)
        told = tell_remarks(screen, the_class)
        with resumable(screen, f"results are in {folder}"), ProgressReporter(screen) as bar:
            book = grade_now(
                the_class,
                downloads,
                only=lab,
                assign=pairs,
                seed=seed,
                executor=grading_executor(workers),
                on_progress=lambda step, done, total: bar.update(step, done, total),
            )
            index = write_class_reports(the_class, book)
    show_book(screen, book)
    _tell(screen, book, told)
    screen.say(f"{index} has it all.")
    if not book.is_settled:
        raise click.exceptions.Exit(1)


def _assigned(text: str) -> tuple[str, str]:
    file, equals, student = text.rpartition("=")
    if not equals or not file.strip() or not student.strip():
        raise refuse(f"--assign {text!r}: write FILE=ID, or FILE=none to leave it out")
    return file.strip(), student.strip()


def _tell(screen: Screen, book: Gradebook, told: Collection[str]) -> None:
    for note in book.notes:
        if note not in told:
            screen.tell(note)
    for each in book.undecided:
        screen.tell(f"{each.hand_in.source} counts for no student: {each.doubt}.")
    for refused in book.refused:
        screen.tell(f"{refused.source} was not graded: {refused.problem}.")
    for source in book.passed_over:
        screen.tell(
            f"{source} was passed over: its student was removed by `class forget`. Remove it; or, "
            f"if it is of another student, --assign {as_typed(f'{source}=ID')} says so."
        )
    if book.protection:
        screen.tell(book.protection)


@click.command(short_help="Remove one student.")
@CLASS
@click.argument("student")
@click.option("--yes", is_flag=True, help="Do not ask.")
@examples(
    "rl-toolkit class forget cs101 1007", 'rl-toolkit class forget cs101 "Ada Lovelace" --yes'
)
def forget(folder: Path, student: str, yes: bool) -> None:
    """Remove a STUDENT (id or name) from a class: hand-ins, results, roster and pages.

    The folder exports/ is removed as a whole. What the class does not own, such as a download that
    still holds their work, is named.
    """
    from rl_toolkit.classroom import ClassError, ClassFolder, find_student, read_book
    from rl_toolkit.classroom import forget as forget_now
    from rl_toolkit.labs.grading import ResultsError
    from rl_toolkit.utils import counted

    screen = Screen()
    with report_errors(ClassError, ResultsError):
        the_class = ClassFolder(folder)
        tell_remarks(screen, the_class)
        try:
            book = read_book(the_class)
        except ClassError:
            book = None
        person = find_student(the_class, book, student)
        if not yes:
            confirm(f"Remove {person.name} ({person.id}) for good?", "Nothing was removed.")
        gone = forget_now(the_class, person.id)
    what = counted(gone.hand_ins, "hand-in")
    screen.say(f"Removed: {what} with results, the row on the roster, the page, and exports/.")
    for sentence in gone.left:
        screen.say(sentence)
