"""`write_export`: the files of one form, in the folder ``exports/`` of the class."""

from __future__ import annotations

from pathlib import Path

from rl_toolkit.classroom.class_folder import CANVAS_FILE, EXPORTS, PLATFORM, ClassFolder
from rl_toolkit.classroom.exports import canvas, github, gradescope, moodle, plain
from rl_toolkit.classroom.gradebook import Gradebook, Row
from rl_toolkit.classroom.grading import read_remarks
from rl_toolkit.classroom.reports import class_report, student_html
from rl_toolkit.classroom.roster import read_table
from rl_toolkit.classroom.settings import Assignment, ClassError
from rl_toolkit.utils import as_typed, listed, write_bytes_atomically

#: The forms, each with what it is.
FORMS = {
    "moodle": "grading worksheets and feedback files",
    "canvas": "a gradebook",
    "gradescope": "an autograder for each lab",
    "github": "a workflow for GitHub Classroom for each lab",
    "csv": "a table",
    "json": "everything, for programs",
}
#: The forms that do not say what anybody has reached.
_WITHOUT_POINTS = ("gradescope", "github")


def write_export(
    folder: ClassFolder, book: Gradebook, form: str, only: str | None = None
) -> list[Path]:
    """Write the files of a form into ``exports/``, and return their paths.

    ``only`` is the id of the one assignment to write. Raises `ClassError` if there is no such
    assignment, or no lab for a form that is for labs, if results were changed from outside or lost
    and no `grade` has settled it, or if a form has points and hand-ins are not checked.
    """
    if read_remarks(folder):
        raise ClassError(
            "nothing was exported, as results are missing or were changed; "
            f"`rl-toolkit class grade {as_typed(str(folder.path))}` finds out anew what it can"
        )
    if book.unchecked and form not in _WITHOUT_POINTS:
        raise ClassError(f"nothing was exported: {book.unchecked}")
    assignments = _assignments(folder, only)
    files: dict[str, bytes] = {}
    if form == "csv":
        files["grades.csv"] = f"\ufeff{plain.grades_csv(book)}".encode()
    elif form == "json":
        files["grades.json"] = plain.grades_json(book).encode()
    elif form == "canvas":
        kept = folder.path / PLATFORM / CANVAS_FILE
        table = read_table(kept) if kept.exists() else None
        files["canvas.csv"] = canvas.canvas_csv(book, assignments, table).encode()
    elif form == "moodle":
        files |= _moodle(folder, book, assignments)
    else:
        files |= _for_labs(form, book, assignments)
    written = []
    for name, data in files.items():
        path = folder.path / EXPORTS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes_atomically(path, data)
        if path.name in ("setup.sh", "run_autograder"):
            path.chmod(0o755)
        written.append(path)
    return written


def _assignments(folder: ClassFolder, only: str | None) -> list[Assignment]:
    if only is None:
        return list(folder.settings.assignments)
    known = folder.settings.find(only)
    if known is None:
        ids = listed([each.id for each in folder.settings.assignments])
        raise ClassError(f"{only} is not in class.toml, which has {ids}")
    return [known]


def _moodle(
    folder: ClassFolder, book: Gradebook, assignments: list[Assignment]
) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    missing: list[str] = []
    report = class_report(book)

    def page(row: Row) -> str:
        return student_html(book, report, row)

    for each in assignments:
        kept = folder.worksheet(each.id)
        table = read_table(kept) if kept.exists() else None
        if table is None and not any(moodle.claimed_number(row, each) for row in book.rows):
            missing.append(each.id)
            continue
        files[f"moodle-{each.id}.csv"] = moodle.moodle_worksheet(book, each, table).encode()
        rows = table[1] if table else []
        files[f"moodle-{each.id}-feedback.zip"] = moodle.feedback_zip(book, each, rows, page)
    if not files:
        raise ClassError(
            f"Moodle's grading worksheet of {listed(missing)} is needed: `rl-toolkit class roster "
            f"{as_typed(str(folder.path))} WORKSHEET.csv --lab {missing[0]}`"
        )
    return files


def _for_labs(form: str, book: Gradebook, assignments: list[Assignment]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for each in assignments:
        if each.lab is None:
            continue
        if form == "gradescope":
            made = gradescope.autograder_files(each.lab, book.seed)
            files |= {f"gradescope-{each.id}/{name}": data for name, data in made.items()}
        else:
            text = github.workflow(each.lab, book.seed)
            files[f"github-{each.id}/{github.PATH}"] = text.encode()
    if not files:
        raise ClassError(f"{form} is for labs, and there is none")
    return files
