"""Back to Moodle: the grading worksheet filled in, and a zip with feedback files.

The columns are those that Moodle's importer looks for: Identifier, Grade, Last modified (grade) and
Feedback comments (mod/assign/feedback/offline/importgradeslib.php). A feedback file lies in a
folder ``NAME_NUMBER_assignsubmission_file_`` (mod/assign/feedback/file/importziplib.php). Both were
read in November 2026 in the public repository; the files were not tried in a Moodle.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence

from rl_toolkit.classroom.gradebook import Entry, Gradebook, Row
from rl_toolkit.classroom.roster import Person, Roster, participant_number
from rl_toolkit.classroom.settings import Assignment
from rl_toolkit.utils import csv_rows

_COLUMNS = (
    "Identifier",
    "Full name",
    "Email address",
    "Status",
    "Grade",
    "Maximum Grade",
    "Grade can be changed",
    "Last modified (submission)",
    "Last modified (grade)",
    "Feedback comments",
)
#: Every entry has this time, so that equal grades give equal bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


def moodle_worksheet(
    book: Gradebook,
    assignment: Assignment,
    table: tuple[Sequence[str], Sequence[Mapping[str, str]]] | None,
) -> str:
    """The worksheet: the one that was downloaded, with grades and comments.

    Without one, a new one with the students whose numbers a download of Moodle told.
    """
    roster = Roster(row.person for row in book.rows)
    rows = {row.person.id: row for row in book.rows}
    if table is None:
        columns: Sequence[str] = _COLUMNS
        numbers = {row.person.id: claimed_number(row, assignment) for row in book.rows}
        filled = [
            _new_row(rows[one], assignment, number) for one, number in numbers.items() if number
        ]
    else:
        columns = table[0]
        filled = []
        for given in table[1]:
            person = _person(roster, given)
            entry = rows[person.id].entries[assignment.id] if person else None
            filled.append({**given, **(_grade(entry) if entry else {})})
    cells = [[row.get(column, "") for column in columns] for row in filled]
    return "\ufeff" + csv_rows([columns, *cells])


def _person(roster: Roster, row: Mapping[str, str]) -> Person | None:
    for column in ("Email address", "ID number", "Full name"):
        found = roster.find(row[column]) if row.get(column, "").strip() else []
        if len(found) == 1:
            return found[0]
    return None


def _grade(entry: Entry) -> dict[str, str]:
    points = "" if entry.points is None else f"{entry.points:g}"
    return {"Grade": points, "Feedback comments": comment(entry)}


def comment(entry: Entry) -> str:
    """A few sentences for the student."""
    attempt = entry.counted
    notes = [f"{note[:1].upper()}{note[1:]}." for note in entry.notes]
    if attempt is None:
        return " ".join(notes) or "Nothing was handed in."
    said = [f"{attempt.checked.reached:g} of {entry.assignment.points:g} points by the checks."]
    graded = attempt.checked.graded
    if graded is not None and graded.problem:
        said.append(graded.problem)
    if graded is not None:
        for task in graded.report["tasks"]:
            if task.get("failure"):
                said.append(f"Task {task['number']}: {task['failure']['sentence']}")
    return " ".join([*said, *notes])[:2000]


def claimed_number(row: Row, assignment: Assignment) -> str:
    """The number of a student in an assignment, as the download of Moodle has it; "" if none.

    Moodle counts participants anew for each assignment, so no other number will do.
    """
    claims = [attempt.checked.hand_in.claim for attempt in row.entries[assignment.id].attempts]
    return next((claim.number for claim in claims if claim.platform == "moodle"), "")


def _new_row(row: Row, assignment: Assignment, number: str) -> dict[str, str]:
    entry = row.entries[assignment.id]
    return {
        "Identifier": f"Participant {number}",
        "Full name": row.person.name,
        "Email address": row.person.email,
        "Status": "Submitted for grading" if entry.attempts else "No submission",
        "Maximum Grade": f"{assignment.points:g}",
        "Grade can be changed": "Yes",
        "Last modified (submission)": "-",
        "Last modified (grade)": "-",
        **_grade(entry),
    }


def feedback_zip(
    book: Gradebook,
    assignment: Assignment,
    rows: Sequence[Mapping[str, str]],
    page: Callable[[Row], str],
) -> bytes:
    """A page for each student with a hand-in, understood or not, or points.

    Moodle takes these as feedback files.
    """
    roster = Roster(row.person for row in book.rows)
    by_id = {row.person.id: row for row in book.rows}
    numbers = {}
    for given in rows:
        person = _person(roster, given)
        if person is not None:
            numbers[person.id] = participant_number(given)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for student, row in by_id.items():
            number = numbers.get(student) or claimed_number(row, assignment)
            entry = row.entries[assignment.id]
            if not number or not (entry.attempts or entry.override or entry.refused):
                continue
            name = re.sub(r'[\\/:*?"<>|_]', " ", row.person.name).strip()
            file = f"{name}_{number}_assignsubmission_file_/{assignment.id}-report.html"
            info = zipfile.ZipInfo(file, _TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o100644 << 16
            archive.writestr(info, page(row).encode())
    return buffer.getvalue()
