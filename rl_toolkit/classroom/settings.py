"""``class.toml``: what counts in a class, until when, and what the teacher has decided.

Every mistake in the file is one sentence with its place. The guide for teachers
(docs/guides/teachers.md) shows a file with every entry.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from math import ceil
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rl_toolkit.course import CourseError, companion
from rl_toolkit.labs import Lab, LabError, lab_by_id, read_lab
from rl_toolkit.utils import as_typed, did_you_mean, listed, shown

FILE = "class.toml"

_PERIOD = re.compile(r"\s*(\d+)\s*(minute|hour|day|week)s?\s*")


class ClassError(ValueError):
    """A class, its files or what was asked about it is wrong; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A lab or project of the class.

    Attributes:
        id: the id of the lab, or the letter of the handout.
        lab: the lab; ``None`` for a project.
        points: what can be reached.
        due: when it has to be handed in; ``None`` if it has no deadline.
        required: whether its points count.
        groups: whether a hand-in counts for the whole group.
    """

    id: str
    title: str
    points: float
    lab: Lab | None = None
    due: datetime | None = None
    required: bool = True
    groups: bool = False


@dataclass(frozen=True, slots=True)
class Late:
    """What a late hand-in loses."""

    grace: timedelta = timedelta()
    per_day: float = 0.0
    at_most: float = 100.0
    until: timedelta | None = None

    def kept(self, late: timedelta) -> float | None:
        """The share of the points that stays; ``None`` if the hand-in does not count.

        >>> rule = Late(per_day=10, at_most=50, until=timedelta(days=7))
        >>> rule.kept(timedelta(0)), rule.kept(timedelta(hours=1)), rule.kept(timedelta(days=6))
        (1.0, 0.9, 0.5)
        >>> rule.kept(timedelta(days=8)) is None
        True
        """
        if late <= self.grace:
            return 1.0
        if self.until is not None and late > self.until:
            return None
        days = ceil(late / timedelta(days=1))
        return round(1 - min(self.per_day * days, self.at_most) / 100, 6)


@dataclass(frozen=True, slots=True)
class Extension:
    """A later deadline for one student."""

    student: str
    lab: str
    due: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Override:
    """Points that the teacher gives instead of the checks."""

    student: str
    lab: str
    points: float
    reason: str


@dataclass(frozen=True, slots=True)
class ClassSettings:
    """What a teacher decides about a class: the entries of class.toml, checked."""

    title: str
    zone: tzinfo
    count: Literal["latest", "best"]
    late: Late
    assignments: tuple[Assignment, ...]
    extensions: tuple[Extension, ...] = ()
    overrides: tuple[Override, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """The points of what is required: the denominator of everybody."""
        return sum(each.points for each in self.assignments if each.required)

    def find(self, name: str) -> Assignment | None:
        """The assignment with this id, whatever its capitals."""
        return next((a for a in self.assignments if a.id.lower() == name.strip().lower()), None)

    def named_in(self, text: str) -> Assignment | None:
        """The one assignment whose id is a word of a text: ``L05`` in ``L05 submissions.zip``."""
        words = set(re.split(r"[^a-z0-9]+", text.lower()))
        found = [each for each in self.assignments if each.lab and each.id.lower() in words]
        return found[0] if len(found) == 1 else None

    def due(self, student: str, assignment: Assignment) -> datetime | None:
        """The deadline of a student: the latest extension, or that of the class."""
        later = [e.due for e in self.extensions if (e.student, e.lab) == (student, assignment.id)]
        return max([*later, *([assignment.due] if assignment.due else [])], default=None)

    def override(self, student: str, assignment: Assignment) -> Override | None:
        """The points that the teacher gave; the last of several."""
        given = [o for o in self.overrides if (o.student, o.lab) == (student, assignment.id)]
        return given[-1] if given else None

    def to_text(self, moment: datetime | None) -> str:
        """A time for people, in the zone of the class: ``2027-03-14 23:59``."""
        return "" if moment is None else moment.astimezone(self.zone).strftime("%Y-%m-%d %H:%M")


def new_settings(title: str, labs: Sequence[Lab]) -> str:
    """The text of a class.toml for these labs, to be filled in."""
    if '"' in title or "\\" in title or not title.isprintable():
        raise ClassError("a title has no quotes, backslashes or line breaks")
    entries = "\n".join(
        f'[[lab]]\nid = "{lab.id}"{_own_folder(lab)}      # {lab.title}, {lab.points} points\n'
        "# due = 2027-03-14T23:59:00\n"
        for lab in labs
    )
    return (
        f'title = "{title}"\n'
        '# timezone = "Europe/Berlin"\n'
        'count = "latest"      # of several hand-ins of one lab: "latest" or "best"\n\n'
        "# What a late hand-in loses; `rl-toolkit help teachers` explains every entry.\n"
        "# [late]\n"
        '# grace = "15 minutes"\n'
        "# per_day = 10       # percent of the points for each day that has begun\n"
        "# at_most = 50\n"
        '# until = "7 days"\n\n'
        f"{entries}"
    )


def _own_folder(lab: Lab) -> str:
    return f'\nfolder = "{lab.folder.as_posix()}"' if lab.is_own else ""


def read_settings(folder: Path) -> ClassSettings:
    """The settings in the folder of a class; raises `ClassError`."""
    path = folder / FILE
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise ClassError(
            f"{folder} is not the folder of a class: it has no {FILE}; "
            f"`rl-toolkit class new {as_typed(str(folder))}` makes one"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ClassError(f"{path} cannot be read: {error}") from error
    return settings_from(text, folder)


def settings_from(text: str, folder: Path = Path()) -> ClassSettings:
    """The settings in a text; ``folder`` is where folders of own labs begin."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ClassError(f"{FILE} is not TOML: {error}") from error
    known = ("title", "timezone", "count", "late", "lab", "project", "group")
    reader = _Table(data, "", (*known, "extension", "override"))
    zone = _zone(reader.text("timezone", ""))
    count = reader.text("count", "latest")
    if count not in ("latest", "best"):
        raise ClassError(f'{FILE}: count is "latest" or "best", not {shown(count)}')
    assignments = [_lab(table, zone, folder) for table in reader.tables("lab", _LAB)]
    assignments += [_project(table, zone) for table in reader.tables("project", _PROJECT)]
    ids = [each.id for each in assignments]
    for name in ids:
        if ids.count(name) > 1:
            raise ClassError(f"{FILE}: {name} is there twice")
    if not ids:
        raise ClassError(f'{FILE}: there is no lab; write [[lab]] and below it id = "L05"')
    points = {each.id: each.points for each in assignments}
    return ClassSettings(
        title=reader.text("title", "") or "Class",
        zone=zone,
        count=count,  # type: ignore[arg-type]
        late=_late(reader),
        assignments=tuple(assignments),
        extensions=tuple(
            Extension(
                table.text("student"),
                table.one_of("lab", ids),
                table.moment("due", zone),
                table.text("reason", ""),
            )
            for table in reader.tables("extension", ("student", "lab", "due", "reason"))
        ),
        overrides=tuple(
            Override(
                table.text("student"),
                lab := table.one_of("lab", ids),
                table.number("points", 0, points[lab]),
                table.text("reason"),
            )
            for table in reader.tables("override", ("student", "lab", "points", "reason"))
        ),
        groups=_groups(reader),
    )


_LAB = ("id", "folder", "due", "required", "groups")
_PROJECT = ("handout", "due", "points", "required", "groups")


def _lab(table: _Table, zone: tzinfo, folder: Path) -> Assignment:
    own, name = table.text("folder", ""), table.text("id")
    try:
        lab = read_lab(folder / own) if own else lab_by_id(name)
    except LabError as error:
        raise ClassError(f"{FILE}, {table.where}: {error}") from error
    if lab.id.lower() != name.lower() and own:
        raise ClassError(f"{FILE}, {table.where}: the lab in {own} is {lab.id}, not {name}")
    return Assignment(
        lab.id,
        lab.title,
        lab.points,
        lab,
        table.moment("due", zone) if "due" in table.data else None,
        table.flag("required", True),
        table.flag("groups", False),
    )


def _project(table: _Table, zone: tzinfo) -> Assignment:
    try:
        course = companion(table.text("handout"))
    except CourseError as error:
        raise ClassError(f"{FILE}, {table.where}: {error}") from error
    return Assignment(
        course.id,
        f"Handout {course.id}",
        table.number("points", 1, 100_000) if "points" in table.data else 100,
        None,
        table.moment("due", zone) if "due" in table.data else None,
        table.flag("required", True),
        table.flag("groups", False),
    )


def _late(reader: _Table) -> Late:
    if "late" not in reader.data:
        return Late()
    if not isinstance(reader.data["late"], dict):
        raise ClassError(f"{FILE}: late is a table; write [late]")
    table = _Table(reader.data["late"], "late", ("grace", "per_day", "at_most", "until"))
    return Late(
        table.period("grace") or timedelta(),
        table.number("per_day", 0, 100) if "per_day" in table.data else 0.0,
        table.number("at_most", 0, 100) if "at_most" in table.data else 100.0,
        table.period("until"),
    )


def _groups(reader: _Table) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    members: dict[str, str] = {}
    for table in reader.tables("group", ("name", "students")):
        name = table.text("name")
        students = table.data.get("students")
        if not isinstance(students, list) or not all(isinstance(s, str) for s in students):
            raise ClassError(f"{FILE}, {table.where}: students is a list of ids in quotes")
        if name in groups:
            raise ClassError(f"{FILE}: there are two groups {shown(name)}")
        for student in students:
            if student in members:
                raise ClassError(
                    f"{FILE}: {student} is in {members[student]} and in {name}; a student is in "
                    "one group"
                )
            members[student] = name
        groups[name] = tuple(students)
    return groups


def _zone(name: str) -> tzinfo:
    if not name:
        return _ThisMachine()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ClassError(
            f"{FILE}: there is no timezone {shown(name)}; write one like Europe/Berlin"
        ) from None


class _ThisMachine(tzinfo):
    """The zone of this machine: the offset of each moment, not that of today's season."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        """The offset of a moment of this zone."""
        there = (moment or datetime.now()).replace(tzinfo=None)
        return there.astimezone().utcoffset() or timedelta()

    def dst(self, moment: datetime | None) -> timedelta | None:
        """Not known apart from the offset."""
        return None

    def tzname(self, moment: datetime | None) -> str:
        """``CET`` or ``CEST``, as the system says."""
        return (moment or datetime.now()).replace(tzinfo=None).astimezone().tzname() or ""

    def fromutc(self, moment: datetime) -> datetime:
        """A moment of UTC in this zone."""
        return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


class _Table:
    """A table of the file; every refusal names its place."""

    def __init__(self, data: Mapping[str, Any], where: str, known: Sequence[str]) -> None:
        self.data, self.where = data, where
        for name in data:
            if name not in known:
                meant = did_you_mean(name, known)
                hint = f"did you mean {meant}?" if meant else f"there is {listed(known)}"
                raise ClassError(self._say(f"there is no entry {shown(name)}; {hint}"))

    def _say(self, problem: str) -> str:
        return f"{FILE}, {self.where}: {problem}" if self.where else f"{FILE}: {problem}"

    def tables(self, name: str, known: Sequence[str]) -> list[_Table]:
        value = self.data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise ClassError(self._say(f"{name} is a list of tables; write [[{name}]]"))
        return [_Table(each, f"{name} {number}", known) for number, each in enumerate(value, 1)]

    def text(self, name: str, default: str | None = None) -> str:
        value = self.data.get(name, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            why = "is missing" if value is None else f"is a text in quotes, not {shown(value)}"
            raise ClassError(self._say(f"{name} {why}"))
        return value.strip()

    def one_of(self, name: str, ids: Sequence[str]) -> str:
        value = self.text(name)
        for known in ids:
            if known.lower() == value.lower():
                return known
        raise ClassError(self._say(f"{shown(value)} is not a lab of this class: {listed(ids)}"))

    def number(self, name: str, least: float, most: float) -> float:
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ClassError(self._say(f"{name} is a number, not {shown(value)}"))
        if not least <= value <= most:
            raise ClassError(self._say(f"{name} is a number from {least:g} to {most:g}"))
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.data.get(name, default)
        if not isinstance(value, bool):
            raise ClassError(self._say(f"{name} is true or false, not {shown(value)}"))
        return value

    def moment(self, name: str, zone: tzinfo) -> datetime:
        value = self.data.get(name)
        if isinstance(value, date) and not isinstance(value, datetime):
            value = datetime.combine(value, time(23, 59, 59))
        if not isinstance(value, datetime):
            raise ClassError(
                self._say(f"{name} is a time without quotes, like 2027-03-14T23:59:00")
            )
        return value if value.tzinfo else value.replace(tzinfo=zone)

    def period(self, name: str) -> timedelta | None:
        if name not in self.data:
            return None
        value = self.data[name]
        match = _PERIOD.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise ClassError(self._say(f'{name} is a period like "15 minutes" or "7 days"'))
        return timedelta(**{f"{match[2]}s": int(match[1])})
