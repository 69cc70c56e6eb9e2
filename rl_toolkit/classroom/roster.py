"""`Roster`: who is in a class. Lists of Moodle, Canvas and plain tables are understood.

A roster decides to whom a hand-in belongs. A name is compared without capitals, accents and the
order of its words; an id or an e-mail address without capitals.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import pairwise
from pathlib import Path

from rl_toolkit.classroom.settings import ClassError
from rl_toolkit.utils import counted, csv_rows, listed, write_text_atomically

FILE = "roster.csv"
_MOST_BYTES = 8 << 20
_COLUMNS = ("id", "name", "email", "group")
#: The names of columns that stand for a field, without capitals; the first that is filled counts.
_NAMES = {
    "id": ("id", "student id", "id number", "matriculation", "number"),
    "name": ("name", "full name", "student", "student name"),
    "email": ("email", "email address", "e-mail", "e-mail address", "mail"),
    "group": ("group", "groups", "team"),
}
_FIRST, _LAST = ("first name", "given name"), ("surname", "last name", "family name")
#: Further columns of Canvas that stand for one student.
_OF_CANVAS = ("sis user id", "sis login id")
#: How Moodle writes times into its worksheets.
_TIMES = ("%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p", "%d %B %Y, %I:%M %p")


@dataclass(frozen=True, slots=True)
class Person:
    """A student of the roster; the id is unique."""

    id: str
    name: str
    email: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Participant:
    """A row of a Moodle grading worksheet: the number of a student in one assignment.

    Attributes:
        number: what Moodle calls ``Participant 1007``. time: when the work was last changed.
    """

    number: str
    name: str
    email: str
    time: datetime | None


class Roster:
    """The students of a class."""

    def __init__(self, people: Iterable[Person] = ()) -> None:
        self.people = tuple(people)
        self._by_word: dict[str, list[Person]] = {}
        for person in self.people:
            words = {person.id.casefold(), plain(person.name), *_run_together(person.name)}
            if person.email:
                words |= {person.email.casefold(), person.email.casefold().partition("@")[0]}
            for word in words - {""}:
                self._by_word.setdefault(word, []).append(person)

    def __len__(self) -> int:
        return len(self.people)

    def person(self, id: str) -> Person | None:  # noqa: A002 - the word of the roster
        """The student with this id."""
        return next((each for each in self.people if each.id == id), None)

    def find(self, text: str) -> list[Person]:
        """The students that an id, a name, an e-mail address or a user name can mean."""
        for word in (text.strip().casefold(), plain(text)):
            if found := self._by_word.get(word):
                exact = [person for person in found if person.id.casefold() == word]
                return exact or found
        return []

    def write(self, path: Path) -> None:
        """Write the roster as a plain table."""
        rows = [[getattr(each, name) for name in _COLUMNS] for each in self.people]
        write_text_atomically(path, csv_rows([_COLUMNS, *rows]))


def plain(name: str) -> str:
    """A name for comparing.

    >>> plain("Núñez, José") == plain("jose NUNEZ")
    True
    """
    last, comma, first = name.partition(",")
    text = unicodedata.normalize("NFKD", f"{first} {last}" if comma else name)
    bare = "".join(char for char in text if not unicodedata.combining(char))
    return " ".join(sorted(re.sub(r"[\W_]+", " ", bare.casefold()).split()))


def _run_together(name: str) -> set[str]:
    """A name as Canvas writes it into the names of files: ``lovelaceada``."""
    last, comma, first = name.partition(",")
    words = re.sub(r"[^\w\s]", "", f"{first} {last}" if comma else name).split()
    together = {"".join(words[at:] + words[:at]) for at in range(len(words))}
    bare = {unicodedata.normalize("NFKD", each) for each in together}
    stripped = {"".join(c for c in each if not unicodedata.combining(c)) for each in bare}
    return {each.casefold() for each in together | stripped}


# ------------------------------------------------------------------------------------- reading


def read_table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """The columns and rows of a CSV, with commas, semicolons or tabs; raises `ClassError`."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ClassError(f"{path} is larger than {_MOST_BYTES >> 20} MB")
        data = path.read_bytes()
    except OSError as error:
        raise ClassError(f"{path} cannot be read: {error.strerror}") from error
    return table_from(data, str(path))


def table_from(data: bytes, name: str) -> tuple[list[str], list[dict[str, str]]]:
    """As `read_table`, from bytes."""
    for encoding in ("utf-16", "utf-8-sig", "cp1252"):
        if encoding == "utf-16" and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            continue
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise ClassError(f"{name} is not text")
    head = text.partition("\n")[0]
    mark = max(",;\t", key=head.count)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
    if not rows or len(rows[0]) < 1 or "\0" in text:
        raise ClassError(f"{name} is not a table with commas (CSV)")
    columns = [cell.strip() for cell in rows[0]]
    full = [row for row in rows[1:] if any(cell.strip() for cell in row)]
    padded = [row + [""] * (len(columns) - len(row)) for row in full]
    return columns, [dict(zip(columns, row, strict=False)) for row in padded]


def read_roster(path: Path) -> Roster:
    """The roster in a CSV of Moodle, Canvas or a plain one; raises `ClassError`."""
    columns, rows = read_table(path)
    return roster_from(columns, rows, str(path))


def roster_from(columns: Sequence[str], rows: Sequence[Mapping[str, str]], file: str) -> Roster:
    """As `read_roster`, from columns and rows."""
    fields = {field: _columns(columns, names) for field, names in _NAMES.items()}
    first, last = _columns(columns, _FIRST), _columns(columns, _LAST)
    if not fields["name"] and not (first and last):
        raise ClassError(
            f"{file} has no column with names; its columns are {listed(columns)}, and a roster "
            "has id, name, email and group, or the columns of Moodle or Canvas in English"
        )
    people = []
    for row in rows:
        parts = [*(row[c] for c in first[:1]), *(row[c] for c in last[:1])]
        name = _filled(row, fields["name"]) or " ".join(filter(None, map(str.strip, parts)))
        if not name or name.strip().lower() in ("points possible", "student, test"):
            continue  # rows of Canvas that are not students
        name = _in_order(name)
        email = _filled(row, fields["email"])
        number = _filled(row, fields["id"]) or email or participant_number(row) or name
        people.append(Person(_clean(number), name, _clean(email), _filled(row, fields["group"])))
    _check(people, file)
    return Roster(people)


def _check(people: Sequence[Person], file: str) -> None:
    if not people:
        raise ClassError(f"{file} has no students")
    ids = sorted(person.id for person in people)
    double = sorted({one for one, two in pairwise(ids) if one == two})
    if double:
        raise ClassError(
            f"{file} has {counted(len(double), 'id')} twice: {listed(double[:5])}; an id stands "
            "for one student"
        )


def _columns(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    lower = {column.lower(): column for column in reversed(columns)}
    return [lower[name] for name in names if name in lower]


def _filled(row: Mapping[str, str], columns: Sequence[str]) -> str:
    return next((_clean(row[column]) for column in columns if row[column].strip()), "")


def _clean(text: str) -> str:
    plain_text = "".join(char if char.isprintable() else " " for char in text)
    cell = " ".join(plain_text.split())
    # A cell that was written so that no spreadsheet takes it for a formula.
    return cell[1:] if cell[:1] == "'" and cell[1:2] in ("=", "+", "-", "@") else cell


def _in_order(name: str) -> str:
    """``Lovelace, Ada`` → ``Ada Lovelace``."""
    last, comma, first = name.partition(",")
    return _clean(f"{first} {last}" if comma else name)


def is_row_of(row: Mapping[str, str], person: Person, others: Roster) -> bool:
    """Whether a row of a list is about a student of the roster: by id or e-mail, else by name.

    ``others`` are the other students: a row with the id or e-mail of one is not about this one.
    """
    columns = [*row]
    named = _columns(columns, (*_NAMES["id"], *_NAMES["email"], *_OF_CANVAS))
    said = {_clean(row[column]).casefold() for column in named} - {""}
    if said & {person.id.casefold(), person.email.casefold()}:
        return True
    if any(said & {each.id.casefold(), each.email.casefold()} for each in others.people):
        return False
    parts = [row[c] for names in (_FIRST, _LAST) for c in _columns(columns, names)[:1]]
    name = _filled(row, _columns(columns, _NAMES["name"])) or " ".join(parts)
    return plain(name) == plain(person.name)


def participant_number(row: Mapping[str, str]) -> str:
    """The number in the first column of a Moodle worksheet (``Participant 1007``)."""
    found = re.search(r"(\d+)\s*$", row.get("Identifier", ""))
    return found[1] if found else ""


def is_worksheet(columns: Sequence[str]) -> bool:
    """Whether a table is a grading worksheet of Moodle."""
    return {"Identifier", "Grade", "Last modified (grade)"} <= set(columns)


def is_canvas_gradebook(columns: Sequence[str]) -> bool:
    """Whether a table is a gradebook of Canvas."""
    return {"Student", "ID", "Section"} <= set(columns)


def participants(rows: Sequence[Mapping[str, str]], zone: tzinfo) -> list[Participant]:
    """The rows of a grading worksheet."""
    return [
        Participant(
            participant_number(row),
            _in_order(row.get("Full name", "")),
            _clean(row.get("Email address", "")),
            moodle_time(row.get("Last modified (submission)", ""), zone),
        )
        for row in rows
    ]


def moodle_time(text: str, zone: tzinfo) -> datetime | None:
    """A time as Moodle writes it in English; ``None`` if it is not one.

    >>> from datetime import UTC
    >>> moodle_time("Wednesday, 10 June 2026, 2:14 PM", UTC).isoformat()
    '2026-06-10T14:14:00+00:00'
    """
    for form in _TIMES:
        try:
            return datetime.strptime(" ".join(text.split()), form).replace(tzinfo=zone)
        except ValueError:
            continue
    return None
