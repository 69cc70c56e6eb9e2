"""The pages of a class: for the teacher, for each student, and of the tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rl_toolkit.arena.tournaments import Loss, TournamentReport
from rl_toolkit.arena.tournaments.report_html import board_html, player_html, report_html
from rl_toolkit.classroom.class_folder import REPORTS, ClassFolder
from rl_toolkit.classroom.exports.plain import grades_csv
from rl_toolkit.classroom.gradebook import Entry, Gradebook, Row
from rl_toolkit.envs import make_game
from rl_toolkit.labs.grading import (
    CSV,
    INDEX,
    ClassReport,
    Graded,
    HandedIn,
    Student,
    answers_page,
    index_page,
    like_pairs,
    page_names,
    student_page,
)
from rl_toolkit.utils import counted, listed, write_text_atomically

STUDENTS, ANSWERS = "students", "answers.html"
#: The pages of a tournament, below those of the class.
TOURNAMENT, BOARD, PLAYERS = "tournament", "board.html", "players"
#: Seconds after which the table for a projector loads itself again while games are played.
_REFRESH = 5


def display_names(book: Gradebook) -> dict[str, str]:
    """Id → the name on the pages: with the id where two have one name."""
    names = Counter(row.person.name for row in book.rows)
    return {
        row.person.id: row.person.name
        if names[row.person.name] == 1
        else f"{row.person.name} ({row.person.id})"
        for row in book.rows
    }


def class_report(book: Gradebook) -> ClassReport:
    """The class as the pages of labs take it: what counts, and what is alike."""
    names = display_names(book)
    students = []
    works: dict[str, tuple[Graded, list[str]]] = {}  # a group hands in once
    for row in book.rows:
        graded = _graded(row, names[row.person.id])
        if graded:
            students.append(Student(names[row.person.id], graded))
        for entry in row.entries.values():
            if entry.counted and entry.counted.checked.graded:
                key = entry.counted.checked.hand_in.key
                mine = graded[entry.assignment.id]
                works.setdefault(key, (mine, []))[1].append(names[row.person.id])
    for each in book.undecided:
        if each.graded:
            works[each.hand_in.key] = (each.graded, [each.hand_in.source])
    together = [
        Graded(replace(graded.handed_in, student=listed(senders)), graded.result)
        for graded, senders in works.values()
    ]
    return ClassReport(
        labs=[each.lab for each in book.settings.assignments if each.lab is not None],
        students=students,
        refused=[HandedIn("", each.source, 0.0, problem=each.problem) for each in book.refused],
        pairs=like_pairs(together),
        standings=[],
        rubric=None,
        notes=book.notes,
        seed=book.seed,
        protection=book.protection,
        of=book.settings.points,
    )


def _graded(row: Row, name: str) -> dict[str, Graded]:
    graded: dict[str, Graded] = {}
    for lab, entry in row.entries.items():
        if entry.counted and entry.counted.checked.graded:
            found = entry.counted.checked.graded
            graded[lab] = Graded(replace(found.handed_in, student=name), found.result)
    return graded


def student_html(book: Gradebook, report: ClassReport, row: Row) -> str:
    """The page of one student, which names no other."""
    name = display_names(book)[row.person.id]
    student = next((s for s in report.students if s.name == name), Student(name, {}))
    settings = book.settings

    def handed_in(entry: Entry) -> str:
        if entry.counted is None:
            return ""
        return settings.to_text(entry.counted.time) or "yes"

    return student_page(
        report,
        student,
        template="gradebook_student.html",
        row=row,
        title=settings.title,
        moment=settings.to_text,
        handed_in=handed_in,
    )


def write_class_reports(folder: ClassFolder, book: Gradebook) -> Path:
    """Write all pages anew, and return the path of the index.

    Pages of students who are not in ``book`` are removed.
    """
    out = folder.path / REPORTS
    report = class_report(book)
    names = display_names(book)
    files = page_names(names[row.person.id] for row in book.rows)
    (out / STUDENTS).mkdir(parents=True, exist_ok=True)
    links = {name: f"{STUDENTS}/{file}" for name, file in files.items()}
    pages: dict[Path, str] = {
        out / links[names[row.person.id]]: student_html(book, report, row) for row in book.rows
    }
    answers = answers_page(report)
    if answers:
        pages[out / ANSWERS] = answers
    pages[out / CSV] = "\ufeff" + grades_csv(book)
    pages[out / INDEX] = _index(book, report, links, ANSWERS if answers else "")
    for path, content in pages.items():
        write_text_atomically(path, content)
    for stray in set((out / STUDENTS).glob("*.html")) - pages.keys():
        stray.unlink()
    return out / INDEX


def _index(book: Gradebook, report: ClassReport, links: Mapping[str, str], answers: str) -> str:
    optional = [each.id for each in book.settings.assignments if not each.required]
    remarks = [
        f"{row.person.name}, {entry.assignment.id}: {note}"
        for row in book.rows
        for entry in row.entries.values()
        for note in entry.notes
    ]
    missing = sum(bool(row.missing) for row in book.rows)
    headcount = counted(len(book.rows), "student")
    if missing:
        headcount += f", {missing} with something missing"
    return index_page(
        report,
        links,
        template="gradebook.html",
        answers_page=answers,
        book=book,
        names=display_names(book),
        headcount=headcount,
        optional=listed(optional) if optional else "",
        remarks=remarks,
    )


# ------------------------------------------------------------------------------ the tournament


def tournament_board(folder: ClassFolder) -> Path:
    """The path of the tournament's table for a projector; the file may not exist yet."""
    return folder.path / REPORTS / TOURNAMENT / BOARD


def write_tournament_board(
    folder: ClassFolder, report: TournamentReport, *, others: Collection[str], is_over: bool
) -> None:
    """Write the table for a projector, which loads itself again until the tournament is over.

    ``others`` are engines that play along.
    """
    path = tournament_board(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    title = f"{folder.settings.title}: {make_game(report.result.plan.game).traits.title}"
    page = board_html(report, title=title, aside=others, refresh=0 if is_over else _REFRESH)
    write_text_atomically(path, page)


def write_tournament_reports(
    folder: ClassFolder,
    report: TournamentReport,
    lost: Mapping[str, Sequence[Loss]],
    others: Collection[str] = (),
) -> Path:
    """Write all pages of a tournament anew, one for each player; return the path of the index.

    ``lost`` has the games that each player lost; ``others`` are engines that play along.
    """
    out = folder.path / REPORTS / TOURNAMENT
    (out / PLAYERS).mkdir(parents=True, exist_ok=True)
    players = [row.name for row in report.rows]
    files = page_names(report.called(player) for player in players)
    links = {player: f"{PLAYERS}/{files[report.called(player)]}" for player in players}
    pages = {
        out / links[player]: player_html(report, player, lost.get(player, ()), f"../{INDEX}")
        for player in players
    }
    pages[out / INDEX] = report_html(report, links)
    for path, content in pages.items():
        write_text_atomically(path, content)
    for stray in set((out / PLAYERS).glob("*.html")) - pages.keys():
        stray.unlink()
    write_tournament_board(folder, report, others=others, is_over=True)
    return out / INDEX
