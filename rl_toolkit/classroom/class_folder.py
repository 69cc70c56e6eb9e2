"""`ClassFolder`: the folder of a class, and what is where in it.

::

    class.toml      what counts, and until when       submissions/   downloads, as they are
    roster.csv      who is in the class               reports/       for you and for students
    platform/       lists of Moodle and Canvas,       exports/       what goes back
                    filled in by exports              .class/        hand-ins and results, sealed
    bots/           bots for the tournament
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rl_toolkit.classroom.gradebook import WhoIsWho
from rl_toolkit.classroom.roster import (
    FILE as ROSTER,
)
from rl_toolkit.classroom.roster import (
    Participant,
    Roster,
    is_canvas_gradebook,
    is_worksheet,
    participants,
    read_roster,
    read_table,
    roster_from,
)
from rl_toolkit.classroom.settings import (
    FILE as SETTINGS,
)
from rl_toolkit.classroom.settings import ClassError, ClassSettings, new_settings, read_settings
from rl_toolkit.labs import Lab
from rl_toolkit.utils import write_bytes_atomically, write_text_atomically

SUBMISSIONS, REPORTS, EXPORTS, PLATFORM, KEPT = (
    "submissions",
    "reports",
    "exports",
    "platform",
    ".class",
)
BOTS = "bots"
CANVAS_FILE = "canvas.csv"


class ClassFolder:
    """The folder of a class, with what class.toml and the roster say when the object is made.

    Raises `ClassError` if ``path`` has no class.toml, if one of the two files is wrong, or if
    class.toml names a student whom the roster does not have.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings: ClassSettings = read_settings(path)
        there = (path / ROSTER).exists()
        self.roster = read_roster(path / ROSTER) if there else Roster()
        self._check_names()

    def _check_names(self) -> None:
        """Refuse names in class.toml that the roster does not have."""
        if not self.roster.people:
            return
        settings = self.settings
        named = [("extension", each.student) for each in settings.extensions]
        named += [("override", each.student) for each in settings.overrides]
        named += [("group", s) for students in settings.groups.values() for s in students]
        for where, student in named:
            if self.roster.person(student) is None:
                raise ClassError(
                    f"{SETTINGS}, {where}: there is no student with the id {student!r} on the "
                    f"roster; {ROSTER} has the ids"
                )

    @property
    def kept(self) -> Path:
        """Where hand-ins and results are."""
        return self.path / KEPT

    def worksheet(self, assignment: str) -> Path:
        """Where the grading worksheet of an assignment is kept."""
        return self.path / PLATFORM / f"moodle-{assignment}.csv"

    def participants(self) -> Mapping[str, Sequence[Participant]]:
        """Assignment → the rows of its worksheet, for those that have one."""
        found = {}
        for each in self.settings.assignments:
            path = self.worksheet(each.id)
            if path.exists():
                found[each.id] = participants(read_table(path)[1], self.settings.zone)
        return found

    def who_is_who(self, assigned: Mapping[str, str]) -> WhoIsWho:
        """What decides to whom a hand-in belongs."""
        return WhoIsWho(self.roster, self.participants(), assigned)

    def take_roster(self, file: Path, assignment: str | None = None) -> list[str]:
        """Take a list of students over; what was done, as sentences.

        A worksheet of Moodle for an assignment is kept for its times, its numbers and the export;
        it makes the roster only if there is none.
        """
        columns, rows = read_table(file)
        said = []
        worksheet = is_worksheet(columns)
        if assignment is not None and not worksheet:
            raise ClassError(
                f"{file} is not a grading worksheet of Moodle (with Identifier, Grade and Last "
                "modified (grade), in English); --lab is for these"
            )
        if worksheet and assignment is not None:
            known = self.settings.find(assignment)
            if known is None:
                raise ClassError(f"{assignment} is not in {SETTINGS}")
            self._keep(self.worksheet(known.id), file)
            times = sum(p.time is not None for p in participants(rows, self.settings.zone))
            said.append(
                f"The worksheet of {known.id} is kept: {times} of {len(rows)} rows have a time of "
                "handing in. `class export` fills it."
            )
        if assignment is None or not self.roster.people:
            roster = roster_from(columns, rows, str(file))
            roster.write(self.path / ROSTER)
            self.roster = roster
            said.append(f"{len(roster)} students are on the roster, {ROSTER}.")
        if is_canvas_gradebook(columns):
            self._keep(self.path / PLATFORM / CANVAS_FILE, file)
            said.append("The gradebook of Canvas is kept; `class export` fills it.")
        return said

    def _keep(self, path: Path, file: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes_atomically(path, file.read_bytes())


def new_class(path: Path, title: str, labs: Sequence[Lab]) -> list[str]:
    """Make the folder of a class, and return the names of what was written in it.

    Raises `ClassError` if ``path`` is a file, or the folder of a class already.
    """
    if path.exists() and not path.is_dir():
        raise ClassError(f"{path} is a file; name a folder")
    if (path / SETTINGS).exists():
        raise ClassError(f"{path} is the folder of a class already")
    text = new_settings(title, labs)
    (path / SUBMISSIONS).mkdir(parents=True, exist_ok=True)
    write_text_atomically(path / SETTINGS, text)
    return [SETTINGS, f"{SUBMISSIONS}/"]
