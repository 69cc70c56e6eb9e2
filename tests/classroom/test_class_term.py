"""A term of a class, from Moodle's lists to grades: twice the same, and after being killed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys

import class_term
import pytest

from rl_toolkit.classroom import ClassFolder, grade, read_book, write_class_reports, write_export
from rl_toolkit.utils.executors import LocalProcesses
from rl_toolkit.utils.isolation import settle


def prepared(folder, students, labs, **options):
    """A term with its roster taken in."""
    term = class_term.write_term(folder, students, labs, **options)
    ClassFolder(term.folder).take_roster(folder / "participants.csv")
    return term


def graded(term, folder, **options):
    """The gradebook after both weeks."""
    for week in ("1", "2"):
        the_class = receive(term, folder, week)
        book = grade(the_class, seed=7, **options)
    return book


def receive(term, folder, week):
    """The class after the downloads and worksheets of a week have come."""
    the_class = ClassFolder(term.folder)
    for lab in term.labs:
        the_class.take_roster(folder / week / f"worksheet-{lab}.csv", lab)
        file = folder / week / f"{lab} week {week}.zip"
        shutil.copy(file, term.folder / "submissions" / file.name)
    return the_class


def points_of(book):
    return {
        row.person.id: {lab: entry.points for lab, entry in row.entries.items()}
        for row in book.rows
    }


def exported(the_class, book):
    """The bytes of what depends on grades alone."""
    names = [write_export(the_class, book, form) for form in ("csv", "json", "canvas", "moodle")]
    files = [path for paths in names for path in paths if path.suffix != ".zip"]
    return {path.name: path.read_bytes() for path in files}


def test_twenty_students_and_two_labs_twice(tmp_path):
    term = prepared(tmp_path, 20, 2, count="best")
    book = graded(term, tmp_path)
    assert points_of(book) == term.points
    assert {row.person.id: row.points for row in book.rows} == term.totals()
    assert book.settings.points == 20
    assert not book.undecided
    assert all("only essay.pdf" in refused.problem for refused in book.refused)
    the_class = ClassFolder(term.folder)
    write_class_reports(the_class, book)
    first = exported(the_class, book)
    again = grade(the_class)
    assert again.reused == sum(len(entry.attempts) for entry in own_entries(again))
    assert exported(the_class, again) == first
    for download in (term.folder / "submissions").iterdir():
        download.unlink()  # what was taken in stays in the class
    assert points_of(grade(the_class)) == points_of(read_book(the_class)) == term.points
    settle()


def own_entries(book):
    """The entries of those who handed in themselves, not by their group."""
    for row in book.rows:
        for entry in row.entries.values():
            if all(a.checked.student == row.person.id for a in entry.attempts):
                yield entry


@pytest.mark.full
@pytest.mark.parametrize("count", ["latest", "best"])
def test_a_hundred_and_twenty_students_and_six_labs_twice(tmp_path, count):
    books = []
    for part in ("one", "two"):
        (tmp_path / part).mkdir()
        term = prepared(tmp_path / part, 120, 6, count=count)
        books.append(graded(term, tmp_path / part, executor=LocalProcesses(2)))
        assert points_of(books[-1]) == term.points
    the_class = ClassFolder(term.folder)
    assert exported(the_class, books[1]) == exported(the_class, books[0])


@pytest.mark.full
def test_twenty_kills_at_random_moments_change_nothing(tmp_path):
    term = prepared(tmp_path, 40, 3)
    command = [sys.executable, "-m", "rl_toolkit", "class", "grade", str(term.folder)]
    rng = random.Random(4)
    for week in ("1", "2"):
        receive(term, tmp_path, week)
        for _ in range(10):
            process = subprocess.Popen(
                [*command, "--workers", "1", "--seed", "7"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                process.wait(rng.uniform(0.3, 4.0))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        book = grade(ClassFolder(term.folder), seed=7)
    assert points_of(book) == term.points
    assert not any("changed from outside" in note or "damaged" in note for note in book.notes)
