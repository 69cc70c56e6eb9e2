"""Back to Canvas: a gradebook CSV with a column for each assignment.

``Student``, ``ID``, ``SIS User ID``, ``SIS Login ID`` and ``Section`` name the student; the row
``Points Possible`` comes second. Gradebooks that were exported from Canvas, as they lie in public
repositories in November 2026, look like this; the file was not tried in a Canvas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rl_toolkit.classroom.gradebook import Gradebook, Row
from rl_toolkit.classroom.settings import Assignment
from rl_toolkit.utils import csv_rows

_WHO = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def canvas_csv(
    book: Gradebook,
    assignments: Sequence[Assignment],
    table: tuple[Sequence[str], Sequence[Mapping[str, str]]] | None,
) -> str:
    """The gradebook; an assignment has the column that Canvas gave it, if its name has the id."""
    columns = table[0] if table else []
    given = {row.get("ID", "").strip(): row for row in table[1]} if table else {}
    heads = [_column(columns, each) for each in assignments]
    rows: list[list[object]] = [[*_WHO, *heads]]
    points = [f"{each.points:g}" for each in assignments]
    rows.append(["    Points Possible", "", "", "", "", *points])
    for row in book.rows:
        who = given.get(row.person.id) or _who(row)
        grades = [row.entries[each.id].points for each in assignments]
        cells = ["" if grade is None else f"{grade:g}" for grade in grades]
        rows.append([*(who.get(column, "") for column in _WHO), *cells])
    return csv_rows(rows)


def _column(columns: Sequence[str], assignment: Assignment) -> str:
    """``Lab 5: Minimax L05 (4711)``, as Canvas calls it; else the id and title."""
    for column in columns:
        if assignment.id.lower() in column.lower().replace("(", " ").replace(":", " ").split():
            return column
    return f"{assignment.id} {assignment.title}"


def _who(row: Row) -> dict[str, str]:
    first, _, last = row.person.name.rpartition(" ")
    name = f"{last}, {first}" if first else last
    claims = [attempt.checked.hand_in.claim for e in row.entries.values() for attempt in e.attempts]
    number = next((claim.number for claim in claims if claim.platform == "canvas"), "")
    person = row.person
    return {
        "Student": name,
        "ID": number,
        "SIS User ID": "" if person.id == number else person.id,
        "SIS Login ID": person.email,
    }
