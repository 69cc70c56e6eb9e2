"""A gradebook in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.cli.ui.screen import Screen

if TYPE_CHECKING:
    from rl_toolkit.classroom import ClassFolder, Gradebook


def tell_remarks(screen: Screen, the_class: ClassFolder) -> tuple[str, ...]:
    """Say, and return, what was wrong with the results until `class grade` settles it."""
    from rl_toolkit.classroom import read_remarks

    remarks = read_remarks(the_class)
    for remark in remarks:
        screen.tell(remark, "yellow")
    return remarks


def tell_unchecked(screen: Screen, book: Gradebook) -> None:
    """Say why points are missing, if hand-ins have no result."""
    if book.unchecked:
        screen.tell(f"{book.unchecked}.", "yellow")


def show_book(screen: Screen, book: Gradebook) -> None:
    """One line for each student: points, and those of each assignment."""
    ids = [each.id for each in book.settings.assignments]
    of = f"{book.settings.points:g}"
    screen.row(f"{'student':24} {'points':>{7 + len(of)}}  {' '.join(f'{i:>6}' for i in ids)}")
    for row in book.rows:
        cells = []
        for entry in row.entries.values():
            mark = "*" if entry.notes else ""
            cells.append(f"{'–' if entry.points is None else f'{entry.points:g}'}{mark}".rjust(6))
        screen.row(f"{row.person.name:24.24} {row.points:5g} / {of}  {' '.join(cells)}")
    if any(entry.notes for row in book.rows for entry in row.entries.values()):
        screen.say("* late, decided by you, or not graded; the report says why.", "dim")
