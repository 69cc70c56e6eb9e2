"""Forget one student: everything that the class keeps about them is removed.

What the class does not own it names: entries of class.toml, and downloads that still hold work.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.classroom.class_folder import (
    BOTS,
    EXPORTS,
    KEPT,
    PLATFORM,
    REPORTS,
    SUBMISSIONS,
    ClassFolder,
)
from rl_toolkit.classroom.entrants import bot_files, named_after, retire
from rl_toolkit.classroom.gradebook import Gradebook, WhoIsWho
from rl_toolkit.classroom.grading import handed_in, read_book
from rl_toolkit.classroom.intake import HandIn, hand_ins
from rl_toolkit.classroom.reports import TOURNAMENT, write_class_reports
from rl_toolkit.classroom.roster import FILE as ROSTER
from rl_toolkit.classroom.roster import Person, Roster, is_row_of, plain, read_table
from rl_toolkit.classroom.settings import FILE as SETTINGS
from rl_toolkit.classroom.settings import ClassError
from rl_toolkit.classroom.taking_in import (
    assigned_students,
    claimed_words,
    is_forgotten,
    stored_hand_ins,
    without_foreign_name,
)
from rl_toolkit.labs.grading import Results, job_key
from rl_toolkit.utils import csv_rows, listed, write_text_atomically


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was removed, and what the teacher has to remove.

    Attributes:
        hand_ins: how many hand-ins were removed.
        left: a sentence for each thing that only the teacher can remove.
    """

    hand_ins: int
    left: tuple[str, ...]


def find_student(folder: ClassFolder, book: Gradebook | None, text: str) -> Person:
    """The student with that id or name, or with these words in the name.

    Students without a place on the roster are found through ``book``. Raises `ClassError` if there
    is no such student, or more than one.
    """
    people = {person.id: person for person in folder.roster.people}
    if book is not None:
        people |= {row.person.id: row.person for row in book.rows}
    found = Roster(people.values()).find(text)
    if not found and (words := set(plain(text).split())):
        found = [each for each in people.values() if words <= set(plain(each.name).split())]
    if len(found) == 1:
        return found[0]
    if not found:
        raise ClassError(f"there is no student {text!r} in this class")
    raise ClassError(f"{text!r} may be {listed([each.id for each in found], 'or')}; name the id")


def forget(folder: ClassFolder, text: str) -> Forgotten:
    """Remove a student from results, roster, lists of platforms and reports.

    ``text`` is an id or a name, as in `find_student`, which raises `ClassError`. ``exports/`` is
    removed, and the reports are written anew, or removed while class.toml still names the student.
    """
    try:
        book = read_book(folder)
    except ClassError:
        book = None  # nothing was graded
    person = find_student(folder, book, text)
    left = _in_settings(folder, person)
    with Results(folder.kept) as results:
        removed = _remove_rows(folder, results, person)
        for word in _words(person):
            results.put("forgotten", results.mark_of(word), {})
        if retire(folder, results, person.id):
            shutil.rmtree(folder.path / REPORTS / TOURNAMENT, ignore_errors=True)
        results.compact()
        left += _in_downloads(folder, results, person)
        left += [
            f"{BOTS}/{path.name} still holds their work: remove it."
            for path in bot_files(folder)
            if {plain(word := named_after(path)), word.casefold()} & _words(person)
        ]
        left += [  # it cannot be read, and may be the only copy of the work of others
            f"{KEPT}/{path.name} is damaged and may still hold their work or their name: remove it."
            for path in sorted(folder.kept.glob("*.damaged-*"))
        ]
    _remove_from_lists(folder, person)
    if (folder.path / EXPORTS).is_dir():
        shutil.rmtree(folder.path / EXPORTS)
    if left and left[0].startswith(SETTINGS):
        # The class cannot be graded until class.toml is changed: no page may stay until then.
        shutil.rmtree(folder.path / REPORTS, ignore_errors=True)
        return Forgotten(removed, tuple(left))
    fresh = ClassFolder(folder.path)
    if book is not None:
        write_class_reports(fresh, read_book(fresh))
    return Forgotten(removed, tuple(left))


def _words(person: Person) -> set[str]:
    """What may stand for a student on a hand-in; others may have the same name or user name."""
    words = {plain(person.name), person.name.casefold(), person.id, person.id.casefold()}
    if person.email:
        user = person.email.casefold().partition("@")[0]
        words |= {person.email.casefold(), user, plain(user)}
    return words


def _in_settings(folder: ClassFolder, person: Person) -> list[str]:
    settings = folder.settings
    named = [each.student for each in settings.extensions]
    named += [each.student for each in settings.overrides]
    named += [student for students in settings.groups.values() for student in students]
    if person.id not in named:
        return []
    return [f"{SETTINGS} names {person.id}: remove these lines, then run `class grade` once more."]


def _remove_rows(folder: ClassFolder, results: Results, person: Person) -> int:
    assigned = assigned_students(results)
    who, rest = folder.who_is_who(assigned), _without(folder, person, assigned)
    mine: list[HandIn] = []
    others: list[HandIn] = []
    for each in stored_hand_ins(results):
        student = who.decide(each)[0]
        has_name = bool(claimed_words(each) & _words(person))
        may_be_other = bool(rest.roster.find(each.claim.name))
        if student == person.id or (has_name and not student and not may_be_other):
            mine.append(each)
            if student:
                mark = results.mark_of(each.key)
                results.put("forgotten", mark, {"student": results.mark_of(person.id)})
            continue
        kept = without_foreign_name(each, rest) if has_name else each
        if kept is not each:  # another student's, handed in under this name
            results.remove("hand-in", each.key)
            results.put("hand-in", kept.key, kept.to_dict())
        others.append(kept)
    jobs = [handed_in(folder, each) for each in others]
    shared = {job_key(job) for job in jobs if job}
    for each in mine:
        results.remove("hand-in", each.key)
        job = handed_in(folder, each)
        if job is not None and job_key(job) not in shared:
            for key, row in results.rows("result").items():
                if row["job"] == job_key(job):
                    results.remove("result", key)
        for name in (each.source, each.entry):
            results.remove("assigned", name)
    for source, student in assigned.items():
        if student == person.id:
            results.remove("assigned", source)
    marks = {plain(person.name), person.name.casefold(), person.id}
    for source, row in results.rows("refused").items():
        if {plain(row["claim"][1]), row["claim"][1].casefold(), row["claim"][2]} & marks:
            results.remove("refused", source)
    return len(mine)


def _without(folder: ClassFolder, person: Person, assigned: Mapping[str, str]) -> WhoIsWho:
    """Who is who once a student has left the roster."""
    others = Roster(each for each in folder.roster.people if each.id != person.id)
    return WhoIsWho(others, folder.participants(), assigned)


def _in_downloads(folder: ClassFolder, results: Results, person: Person) -> list[str]:
    inbox = folder.path / SUBMISSIONS
    if not inbox.is_dir():
        return []
    forgotten = results.rows("forgotten")
    found = hand_ins([inbox], folder.settings, folder.roster)
    # What was assigned to another may have the name of this student on it.
    who = _without(folder, person, {})
    sources = {
        each.source.partition("/")[0]
        for each in found
        if is_forgotten(results, each, forgotten, who)
    }
    return [
        f"{SUBMISSIONS}/{name} still holds their work or their name: remove it."
        for name in sorted(sources)
    ]


def _remove_from_lists(folder: ClassFolder, person: Person) -> None:
    """Write the roster and the lists of platforms without a student."""
    people = [each for each in folder.roster.people if each.id != person.id]
    roster = folder.path / ROSTER
    if people:
        Roster(people).write(roster)
    elif roster.exists():
        roster.unlink()
    for path in sorted((folder.path / PLATFORM).glob("*.csv")):
        columns, rows = read_table(path)
        kept = [row for row in rows if not is_row_of(row, person, Roster(people))]
        cells = [[row[column] for column in columns] for row in kept]
        write_text_atomically(Path(path), csv_rows([columns, *cells]))
