"""A term of a class: downloads of Moodle week by week, and the grades that they must give.

The labs are copies of the template, whose check takes milliseconds. What a student reaches, how
late it is and what counts is kept here as plain numbers, apart from the code under test.
"""

from __future__ import annotations

import csv
import io
import random
import shutil
import zipfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rl_toolkit.labs.folder.template import TEMPLATE

RIGHT = (TEMPLATE / "solution" / "winner.py").read_text("utf-8")
WRONG = "def winner(board):\n    return None\n"
#: Code → its points of 10; every one ends, whatever it tries.
CODES = {
    RIGHT: 10,
    RIGHT.replace("board", "cells"): 10,
    WRONG: 0,
    "import os\nos._exit(0)\n": 0,
    "raise SystemExit\n": 0,
    "def winner(board:\n": 0,
}
DUE = datetime(2027, 3, 14, 23, 59, tzinfo=UTC)
RULES = """\
title = "A term"
timezone = "UTC"
count = "{count}"

[late]
grace = "10 minutes"
per_day = 10
at_most = 50
until = "7 days"

"""


@dataclass
class Term:
    """What was made, and the points that must come out: student → lab → points or None."""

    folder: Path
    labs: list[str]
    students: list[str]
    points: dict[str, dict[str, float | None]] = field(default_factory=dict)

    def totals(self) -> dict[str, float]:
        """Student → points."""
        return {
            student: round(sum(each or 0 for each in labs.values()), 1)
            for student, labs in self.points.items()
        }


def after_lateness(reached: float, late: timedelta) -> float | None:
    """The rules above, by hand."""
    if late <= timedelta(minutes=10):
        return reached
    if late > timedelta(days=7):
        return None
    days = -(-late // timedelta(days=1))
    return round(reached * (1 - min(days * 0.1, 0.5)), 1)


def name_of(number: int) -> str:
    """A name that no other number has, with letters that must survive."""
    first = ("Ada", "José", "Zoë", "Łukasz", "Mei", "Anna-Lena", "O'Neill", "Øyvind")[number % 8]
    return f"{first} Student{number:03}"


def write_term(folder: Path, students: int, labs: int, *, count: str = "latest", seed=1) -> Term:
    """Make the folder of a class with its downloads, everything but graded."""
    rng = random.Random(seed)
    root = folder / "class"
    (root / "submissions").mkdir(parents=True)
    (root / "platform").mkdir()
    ids = [f"MY{number:02}" for number in range(1, labs + 1)]
    toml = RULES.format(count=count)
    for lab in ids:
        own = folder / lab
        shutil.copytree(TEMPLATE, own)
        text = (own / "lab.toml").read_text("utf-8")
        (own / "lab.toml").write_text(text.replace('id = "MY01"', f'id = "{lab}"'), "utf-8")
        groups = "groups = true\n" if lab == ids[-1] and labs > 1 else ""
        toml += f'[[lab]]\nid = "{lab}"\nfolder = "../{lab}"\ndue = {DUE.isoformat()}\n{groups}\n'
    people = [str(5000 + number) for number in range(students)]
    term = Term(root, ids, people)
    roster = io.StringIO()
    table = csv.writer(roster)
    table.writerow(["First name", "Last name", "ID number", "Email address", "Groups"])
    team = {}
    for number, student in enumerate(people):
        first, last = name_of(number).split(" ")
        team[student] = f"Team {number // 3}"
        table.writerow([first, last, student, f"s{number}@example.org", team[student]])
    (folder / "participants.csv").write_text(roster.getvalue(), "utf-8-sig")
    extended, overridden = people[0], people[1 % students]
    toml += (
        f'[[extension]]\nstudent = "{extended}"\nlab = "{ids[0]}"\n'
        f'due = {(DUE + timedelta(days=3)).isoformat()}\nreason = "ill"\n\n'
        f'[[override]]\nstudent = "{overridden}"\nlab = "{ids[0]}"\npoints = 7\n'
        'reason = "shown in person"\n'
    )
    (root / "class.toml").write_text(toml, "utf-8")
    for lab in ids:
        _write_lab(term, folder, lab, rng, team, count)
    handed = _kept[(str(root), extended, ids[0])]
    term.points[extended][ids[0]] = _counting(handed, DUE + timedelta(days=3), count)
    term.points[overridden][ids[0]] = 7
    return term


_kept: dict[tuple[str, str, str], list[tuple[float, datetime]]] = {}


def _counting(handed: list[tuple[float, datetime]], due: datetime, count: str) -> float | None:
    valued = [after_lateness(reached, time - due) for reached, time in handed]
    counting = [value for value in valued if value is not None]
    if not counting:
        return None
    return max(counting) if count == "best" else counting[-1]


def _write_lab(
    term: Term, folder: Path, lab: str, rng: random.Random, team: dict[str, str], count: str
) -> None:
    """Two downloads of a lab, each with its worksheet; in the second some have handed in again."""
    is_group = lab == term.labs[-1] and len(term.labs) > 1
    by_team: dict[str, list[tuple[float, datetime]]] = {}
    first, second = _Download(lab), _Download(lab)
    for number, student in enumerate(term.students):
        participant = 900 + 7 * number + 1000 * term.labs.index(lab)
        time = DUE + timedelta(minutes=rng.choice([-300, -60, -1, 5, 60, 1500, 5000, 20000]))
        code = rng.choice(list(CODES))
        kind = rng.choice(["plain", "plain", "hand-made", "missing", "flat", "pdf"])
        if is_group and number % 3 != 0:
            kind = "missing"  # one of each team hands in
        if number == 0 and lab == term.labs[0]:
            kind, time, code = "plain", DUE + timedelta(days=2), RIGHT
        # Right and in time, then handed in again, late: the first one keeps its time.
        is_eager = number == 2 and lab == term.labs[0]
        if is_eager:
            kind, time, code = "plain", DUE - timedelta(hours=1), RIGHT
        handed = first.add(number, participant, kind, code, time)
        again = rng.random() < 0.3 or is_eager
        if number and kind != "missing" and again:
            time += timedelta(minutes=3000 if is_eager else rng.choice([30, 3000]))
            handed += second.add(number, participant, "plain", RIGHT + "# better\n", time)
        else:
            second.add(number, participant, kind, code, time)
        _kept[(str(term.folder), student, lab)] = handed
        by_team.setdefault(team[student], []).extend(handed)
        term.points.setdefault(student, {})[lab] = _counting(handed, DUE, count)
    if is_group:
        for student in term.students:
            term.points[student][lab] = _counting(by_team[team[student]], DUE, count)
    for week, download in (("1", first), ("2", second)):
        (folder / week).mkdir(exist_ok=True)
        (folder / week / f"{lab} week {week}.zip").write_bytes(download.zip())
        (folder / week / f"worksheet-{lab}.csv").write_text(download.sheet(), "utf-8-sig")


class _Download:
    """A download of Moodle, and its grading worksheet."""

    _HEADS = (
        *("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"),
        *("Grade can be changed", "Last modified (submission)", "Last modified (grade)"),
        "Feedback comments",
    )

    def __init__(self, lab: str) -> None:
        self.lab = lab
        self._files: dict[str, str | bytes] = {}
        self._rows: list[list[str]] = []

    def add(
        self, number: int, participant: int, kind: str, code: str, time: datetime
    ) -> list[tuple[float, datetime]]:
        """Add what a student handed in; the points and the time, or nothing."""
        name, is_there = name_of(number), kind != "missing"
        head = f"{name}_{participant}_assignsubmission_file_"
        packed: dict[str, tuple[str, str | bytes]] = {
            "plain": (f"{head}/winner.py", code),
            "hand-made": (f"{head}/Archiv.zip", _hand_made(code)),
            "flat": (f"{head}winner.py", code),
            "pdf": (f"{head}/essay.pdf", "no code"),
        }
        if is_there:
            path, data = packed[kind]
            self._files[path] = data
        stamp = time.strftime("%A, %d %B %Y, %I:%M %p") if is_there else "-"
        status = "Submitted for grading" if is_there else "No submission"
        mail = f"s{number}@example.org"
        who = [f"Participant {participant}", name, mail, status]
        self._rows.append([*who, "", "10", "Yes", stamp, "-", ""])
        return [(float(CODES.get(code, 10)), time)] if kind not in ("missing", "pdf") else []

    def zip(self) -> bytes:
        """The download."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for path, data in self._files.items():
                archive.writestr(path, data)
        return buffer.getvalue()

    def sheet(self) -> str:
        """The worksheet."""
        text = io.StringIO()
        csv.writer(text).writerows([self._HEADS, *self._rows])
        return text.getvalue()


def _hand_made(code: str) -> bytes:
    """A zip as macOS makes it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("lab/", "")
        archive.writestr("lab/winner.py", code)
        archive.writestr("lab/.DS_Store", b"\0\1")
        archive.writestr("__MACOSX/lab/._winner.py", b"\0\5")
    return buffer.getvalue()
