"""The gradebook: from hand-ins and results to points, by the rules of class.toml.

Everything here is a function of its arguments: the same class gives the same grades.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from rl_toolkit.classroom.intake import HandIn
from rl_toolkit.classroom.platforms import Claim
from rl_toolkit.classroom.roster import Participant, Person, Roster, plain
from rl_toolkit.classroom.settings import Assignment, ClassSettings, Override
from rl_toolkit.labs.grading import Graded
from rl_toolkit.utils import as_typed, counted, listed

#: What a platform that says "late" and not how late is taken for.
_A_DAY = timedelta(days=1)
#: Assigned to a file that is of nobody.
NOBODY = "none"


@dataclass(frozen=True, slots=True)
class Checked:
    """A hand-in with its result.

    Attributes:
        student: the id of the student, "" if nothing decides who it is; ``doubt`` then says why.
        graded: the submission of a lab with its report; ``None`` for projects and what is waiting.
        reached: the points of the checks; ``None`` if it was not checked.
        words: what to say about the result.
    """

    hand_in: HandIn
    student: str = ""
    doubt: str = ""
    graded: Graded | None = None
    reached: float | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A hand-in as it counts for one student.

    Attributes:
        time: when it was handed in, ``None`` if nothing says so.
        late: how late it is; ``None`` if it is in time or has no time.
        points: after what lateness takes; ``None`` if it does not count, and ``why`` says so.
    """

    checked: Checked
    time: datetime | None
    late: timedelta | None
    points: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One student and one assignment.

    Attributes:
        attempts: oldest first. counted: the one that counts.
        override: the points of the teacher, which then count.
        refused: why work of this student, perhaps for this assignment, could not be graded.
    """

    assignment: Assignment
    attempts: tuple[Attempt, ...] = ()
    counted: Attempt | None = None
    override: Override | None = None
    due: datetime | None = None
    refused: tuple[str, ...] = ()

    @property
    def points(self) -> float | None:
        """The points that count; ``None`` if there is nothing."""
        if self.override is not None:
            return self.override.points
        return self.counted.points if self.counted else None

    @property
    def notes(self) -> list[str]:
        """What a reader has to know about the points."""
        notes = []
        attempt = self.counted
        if attempt is not None and attempt.late is not None:
            kept = attempt.checked.reached or 0
            lost = f", {kept - (attempt.points or 0):g} of {kept:g} points less"
            notes.append(f"late: {late_words(attempt.late)}{lost if kept else ''}")
        if self.override is not None:
            given = "no hand-in"
            if attempt is not None:
                given = f"{attempt.points:g} by the checks"
            notes.append(f"points by the teacher ({given}): {self.override.reason}")
        if attempt is None and self.attempts:
            notes.append(self.attempts[-1].why or "not counted")
        if not self.attempts:
            notes += [f"a hand-in could not be graded: {why}" for why in self.refused]
        return notes


@dataclass(frozen=True, slots=True)
class Row:
    """One student with all assignments."""

    person: Person
    entries: Mapping[str, Entry]

    @property
    def points(self) -> float:
        """The points of what is required."""
        required = (e for e in self.entries.values() if e.assignment.required)
        return round(sum(entry.points or 0 for entry in required), 1)

    @property
    def missing(self) -> list[str]:
        """What is required and was not handed in."""
        return [
            entry.assignment.id
            for entry in self.entries.values()
            if entry.assignment.required and entry.points is None
        ]


@dataclass(frozen=True, slots=True)
class Gradebook:
    """The class.

    Attributes:
        undecided: hand-ins that count for no student, with the reason.
        refused: what could not be understood. others: labs that are not in class.toml.
        notes: what the teacher should know.
        unchecked: why hand-ins have no result, as a sentence; "" if all have one.
        passed_over: the sources of hand-ins of students who were forgotten. For the terminal only:
            a source may have the name of such a student, and reports are kept.
    """

    settings: ClassSettings
    rows: tuple[Row, ...]
    undecided: tuple[Checked, ...] = ()
    refused: tuple[HandIn, ...] = ()
    others: tuple[HandIn, ...] = ()
    notes: tuple[str, ...] = ()
    unchecked: str = ""
    passed_over: tuple[str, ...] = ()
    seed: int = 0
    protection: str = ""
    reused: int = 0

    @property
    def is_settled(self) -> bool:
        """Whether everything was understood and belongs to somebody."""
        return not self.undecided and not self.refused


# ------------------------------------------------------------------------------------- who it is


@dataclass(frozen=True, slots=True)
class WhoIsWho:
    """What decides to whom a hand-in belongs.

    Attributes:
        worksheets: assignment → the participants in Moodle's worksheet.
        assigned: source → id, as the teacher decided.
    """

    roster: Roster
    worksheets: Mapping[str, Sequence[Participant]] = field(default_factory=dict)
    assigned: Mapping[str, str] = field(default_factory=dict)

    def decide(self, each: HandIn) -> tuple[str, str]:
        """The id of the student, or "" and the reason."""
        if chosen := self.chosen(each):
            return (chosen, "") if chosen != NOBODY else ("", "")
        claim = each.claim
        if not self.roster.people:
            return (_id_without_roster(claim), "")
        found = self._by_worksheet(each) or self._by_number(claim) or self._by_name(claim.name)
        ids = sorted({person.id for person in found})
        if len(ids) == 1:
            return (ids[0], "")
        hint = f"--assign {as_typed(f'{each.source}=ID')} says who it is"
        if not ids:
            return ("", f"{claim.name or 'its sender'} is not on the roster; {hint}")
        return ("", f"{claim.name} may be {listed(ids, 'or')}; {hint}")

    def chosen(self, each: HandIn) -> str:
        """What the teacher assigned it to: an id or `NOBODY`; "" if it was not assigned."""
        return self.assigned.get(each.source) or self.assigned.get(each.entry, "")

    def time_of(self, each: HandIn) -> datetime | None:
        """When it was handed in: as it was known when it was taken in, else what Moodle says."""
        said = self._participant(each)
        return each.time or (said.time if said else None)

    def is_confirmed(self, each: HandIn) -> bool:
        """Whether more than the upload says who it is: a zip can be made to look like a download.

        The teacher said it, the platform's own list has the number, or it was a folder on the disk.
        """
        if self.chosen(each):
            return True
        if each.claim.platform == "folder":
            return ".zip/" not in each.source.lower()
        return self._participant(each) is not None or bool(self._by_number(each.claim))

    def _participant(self, each: HandIn) -> Participant | None:
        if each.claim.platform != "moodle":
            return None
        sheet = self.worksheets.get(each.work, ())
        return next((p for p in sheet if p.number == each.claim.number), None)

    def _by_worksheet(self, each: HandIn) -> list[Person]:
        said = self._participant(each)
        if said is None:
            return []
        return (self.roster.find(said.email) if said.email else []) or self._by_name(said.name)

    def _by_number(self, claim: Claim) -> list[Person]:
        if claim.platform != "canvas":  # Moodle's numbers differ from one assignment to the next
            return []
        person = self.roster.person(claim.number)
        return [person] if person else []

    def _by_name(self, name: str) -> list[Person]:
        if found := self.roster.find(name):
            return found
        # Repositories of GitHub Classroom are called assignment-user; a name like Anna-Lena Meyer
        # must not stand for Lena Meyer.
        parts = [name] if " " in name else name.split("-")
        for at in range(1, len(parts)):
            if found := self.roster.find("-".join(parts[at:])):
                return found
        teams = {plain(p.group) for p in self.roster.people if p.group}
        if (team := plain(name)) in teams:
            return [p for p in self.roster.people if plain(p.group) == team][:1]
        return []


def _id_without_roster(claim: Claim) -> str:
    return " ".join(claim.name.split()) or "nameless"


# ---------------------------------------------------------------------------------- the gradebook


def make_rows(
    settings: ClassSettings,
    who: WhoIsWho,
    checked: Iterable[Checked],
    refused: Iterable[HandIn] = (),
) -> tuple[tuple[Row, ...], tuple[Checked, ...]]:
    """The rows of the students, and the hand-ins that count for none of them.

    ``refused`` is what could not be understood: a student's page says so.
    """
    decided, undecided = _decided(list(checked), who)
    people = {person.id: person for person in who.roster.people}
    for each in decided:
        name = each.hand_in.claim.name
        people.setdefault(each.student, Person(each.student, name or each.student))
    group_of = _groups(settings, people.values())
    by_student: dict[tuple[str, str], list[Checked]] = {}
    for each in decided:
        by_student.setdefault((each.student, each.hand_in.work), []).append(each)
    problems: dict[str, list[HandIn]] = {}
    for one in refused:
        problems.setdefault(who.decide(one)[0], []).append(one)
    rows = []
    for person in sorted(people.values(), key=lambda person: (person.name.casefold(), person.id)):
        entries = {}
        for assignment in settings.assignments:
            team = [person.id]
            if assignment.groups:
                team = group_of.get(person.id, team)
            mine = [one for member in team for one in by_student.get((member, assignment.id), [])]
            why = [
                one.problem
                for member in team
                for one in problems.get(member, [])
                if one.work in ("", assignment.id)
            ]
            entry = _entry(settings, who, person.id, assignment, mine)
            entries[assignment.id] = replace(entry, refused=tuple(why))
        rows.append(Row(person, entries))
    return tuple(rows), tuple(undecided)


def _decided(checked: list[Checked], who: WhoIsWho) -> tuple[list[Checked], list[Checked]]:
    """Hand-ins with a student, and those without: several files under one name are in doubt."""
    sure = [each for each in checked if each.student]
    unsure = [each for each in checked if each.doubt]
    #: By student and assignment: the loose files, those that only the sender names, and the rest.
    loose: dict[tuple[str, str], set[str]] = {}
    senders: dict[tuple[str, str], set[str]] = {}
    strong: dict[tuple[str, str], set[str]] = {}
    for each in sure:
        key, entry = (each.student, each.hand_in.work), each.hand_in.entry
        (senders if _is_weak(each, who) else strong).setdefault(key, set()).add(entry)
        if each.hand_in.claim.platform == "file":
            loose.setdefault(key, set()).add(entry)
    decided = []
    for each in sure:
        key = (each.student, each.hand_in.work)
        if _is_weak(each, who):
            others = senders[key] | strong.get(key, set())
        else:
            others = set() if who.is_confirmed(each.hand_in) else loose.get(key, set())
        others -= {each.hand_in.entry}
        if not others:
            decided.append(each)
            continue
        there = listed(sorted(others))
        typed = as_typed(f"{each.hand_in.entry}=ID")
        why = (
            f"{there} {'has' if len(others) < 2 else 'have'} the same name for "
            f"{each.hand_in.work}; --assign {typed} says whose it is"
        )
        unsure.append(Checked(each.hand_in, "", why, each.graded, each.reached, each.words))
    return decided, sorted(unsure, key=lambda each: each.hand_in.source)


def _is_weak(each: Checked, who: WhoIsWho) -> bool:
    """Whether only the sender says who it is."""
    return each.hand_in.claim.platform == "file" and not who.chosen(each.hand_in)


def _groups(settings: ClassSettings, people: Iterable[Person]) -> dict[str, list[str]]:
    """Student → the students of the same group; class.toml before the roster."""
    teams: dict[str, list[str]] = {}
    for students in settings.groups.values():
        for student in students:
            teams[student] = list(students)
    by_name: dict[str, list[str]] = {}
    for person in people:
        if person.group and person.id not in teams:
            by_name.setdefault(person.group, []).append(person.id)
    return teams | {member: team for team in by_name.values() for member in team}


def _entry(
    settings: ClassSettings,
    who: WhoIsWho,
    student: str,
    assignment: Assignment,
    checked: Sequence[Checked],
) -> Entry:
    due = settings.due(student, assignment)
    latest = datetime.max.replace(tzinfo=UTC)

    def order(each: Checked) -> tuple[datetime, int]:
        # What has no time was taken in later than what has one, or tells nothing else.
        return (who.time_of(each.hand_in) or latest, each.hand_in.number)

    attempts = tuple(
        _attempt(settings, each, who.time_of(each.hand_in), due)
        for each in sorted(checked, key=order)
    )
    counting = [attempt for attempt in attempts if attempt.points is not None]
    counted = counting[-1] if counting else None
    if settings.count == "best" and counting:
        counted = max(counting, key=lambda attempt: attempt.points or 0)
    override = settings.override(student, assignment)
    return Entry(assignment, attempts, counted, override, due)


def _attempt(
    settings: ClassSettings, checked: Checked, time: datetime | None, due: datetime | None
) -> Attempt:
    late: timedelta | None = None
    if time is not None and due is not None and time > due:
        late = time - due
    elif time is None and due is not None and checked.hand_in.claim.late:
        late = _A_DAY
    kept = settings.late.kept(late) if late is not None else 1.0
    if late is not None and late <= settings.late.grace:
        late = None
    if checked.reached is None:
        return Attempt(checked, time, late, None, checked.words or "not checked")
    if kept is None:
        assert late is not None
        return Attempt(checked, time, late, None, f"too late to count: {late_words(late)}")
    return Attempt(checked, time, late, round(checked.reached * kept, 1))


def late_words(late: timedelta) -> str:
    """``2 days``, ``1 day and 10 hours``, ``3 hours``, ``12 minutes``."""
    minutes = int(late.total_seconds() // 60)
    if minutes >= 1440:
        days, hours = counted(minutes // 1440, "day"), minutes % 1440 // 60
        return f"{days} and {counted(hours, 'hour')}" if hours else days
    return counted(minutes // 60, "hour") if minutes >= 60 else counted(max(minutes, 1), "minute")


def history(row: Row) -> list[dict[str, Any]]:
    """A dictionary for each hand-in of a student, by assignment and then oldest first.

    ``counts`` is whether its points are those of the assignment; ``why`` is the reason if not.
    """
    events = [
        {
            "assignment": entry.assignment.id,
            "time": attempt.time,
            "source": attempt.checked.hand_in.source,
            "reached": attempt.checked.reached,
            "points": attempt.points,
            "late": late_words(attempt.late) if attempt.late is not None else "",
            "counts": attempt is entry.counted and entry.override is None,
            "why": attempt.why,
            "number": attempt.checked.hand_in.number,
        }
        for entry in row.entries.values()
        for attempt in entry.attempts
    ]
    return sorted(events, key=lambda event: (event["assignment"], event["number"]))
