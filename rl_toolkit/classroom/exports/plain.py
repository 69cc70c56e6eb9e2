"""The gradebook as a table and as JSON, for whatever reads these."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rl_toolkit.classroom.gradebook import Gradebook, Row, late_words
from rl_toolkit.classroom.intake import HandIn
from rl_toolkit.utils import csv_rows


def grades_csv(book: Gradebook) -> str:
    """A row for each student, and one for each entry that counts for none."""
    ids = [each.id for each in book.settings.assignments]
    heads = ["id", "name", "email", "group", "points", "of"]
    heads += [f"{each.id} ({each.points:g})" for each in book.settings.assignments]
    rows: list[Iterable[object]] = [[*heads, "late", "missing", "notes", "files"]]
    rows += [_row(book, row, ids) for row in book.rows]
    for each in book.undecided:
        rows.append(_loose(book, each.hand_in, f"not counted: {each.doubt}"))
    for refused in book.refused:
        rows.append(_loose(book, refused, f"not graded: {refused.problem}"))
    return csv_rows(rows)


def _loose(book: Gradebook, each: HandIn, why: str) -> list[object]:
    """The row of something that counts for no student."""
    blank = [""] * (len(book.settings.assignments) + 6)
    return ["", each.claim.name, *blank, why, each.source]


def _row(book: Gradebook, row: Row, ids: list[str]) -> Iterable[object]:
    person = row.person
    yield from (person.id, person.name, person.email, person.group)
    yield from (_number(row.points), _number(book.settings.points))
    entries = [row.entries[each] for each in ids]
    yield from ("" if entry.points is None else _number(entry.points) for entry in entries)
    late = [
        f"{entry.assignment.id} {late_words(entry.counted.late)}"
        for entry in entries
        if entry.counted and entry.counted.late is not None
    ]
    yield "; ".join(late)
    yield " ".join(row.missing)
    yield "; ".join(f"{e.assignment.id} {note}" for e in entries for note in e.notes)
    yield "; ".join(e.counted.checked.hand_in.source for e in entries if e.counted)


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else value


def grades_json(book: Gradebook) -> str:
    """The text of a JSON object with all that counts: settings, assignments, students, points.

    Hand-ins whose student is not known, and files that were refused, are listed with the reason.
    """
    settings = book.settings
    data = {
        "format": "rl_toolkit class",
        "version": 1,
        "title": settings.title,
        "points": _number(settings.points),
        "seed": book.seed,
        "protected": not book.protection,
        "assignments": [
            {
                "id": each.id,
                "title": each.title,
                "points": _number(each.points),
                "required": each.required,
                "due": each.due.isoformat() if each.due else None,
            }
            for each in settings.assignments
        ],
        "students": [_student(row) for row in book.rows],
        "undecided": [
            {"source": each.hand_in.source, "assignment": each.hand_in.work, "why": each.doubt}
            for each in book.undecided
        ],
        "refused": [{"source": each.source, "why": each.problem} for each in book.refused],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _student(row: Row) -> dict[str, object]:
    person = row.person
    return {
        "id": person.id,
        "name": person.name,
        "email": person.email,
        "group": person.group,
        "points": _number(row.points),
        "grades": {
            name: {
                "points": None if entry.points is None else _number(entry.points),
                "checks": entry.counted.checked.reached if entry.counted else None,
                "attempts": len(entry.attempts),
                "late": late_words(entry.counted.late)
                if entry.counted and entry.counted.late is not None
                else "",
                "override": entry.override.reason if entry.override else "",
                "mistakes": entry.counted.checked.graded.mistakes
                if entry.counted and entry.counted.checked.graded
                else [],
            }
            for name, entry in row.entries.items()
        },
    }
