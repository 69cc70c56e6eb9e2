"""`Companion` and `Session`: a companion as data, read from its folder.

::

    a/
        companion.toml   title, sessions with minutes, files and what goes with them, plan by weeks
        pages/1.md       the text of a session; its head and foot come from companion.toml
        start/           the files with which a student begins: signatures and nothing else
        tests/           the tests, one file for each session
        own.toml         what a program with names of its own must have, and its points
    common/              what every companion has: the helper of the tests, the report
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from rl_toolkit.labs import LabError, lab_by_id
from rl_toolkit.utils import JsonObject, listed, shown

_FOLDER = Path(__file__).resolve().parent / "companions"
#: The letters of the handouts.
LETTERS = "ABCDE"
#: What the report says of its table of points.
_WITH_POINTS = "`rl-toolkit course check FOLDER` gives the 65 points that a program can judge."
_WITHOUT_POINTS = (
    "Handout {} has no points: you are done when the tests are green. The table is that of the\n"
    "lab sheet, handout D, for a teacher who wants points."
)


class CourseError(ValueError):
    """There is no such companion, session or folder; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a companion.

    Attributes:
        minutes: the planned time. files: what the student writes into.
        sections: the sections of the handout.
        commands: what to run, each with what it shows.
        labs, theory, stages: ids of labs, names of theory pages, addresses in the theatre.
        errata: the errata of the handout that belong to it.
        is_extra: whether the handout only suggests it.
        lab_tasks: tasks of labs whose checks take the student's program, too: id and number.
        page_tests: scenes in which a browser looks at the student's page.
    """

    number: int
    title: str
    minutes: int
    goal: str
    sections: str
    files: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]
    labs: tuple[str, ...] = ()
    theory: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    is_extra: bool = False
    lab_tasks: tuple[tuple[str, int], ...] = ()
    page_tests: tuple[str, ...] = ()

    @property
    def test_file(self) -> str:
        """The tests of the session, in the student's folder."""
        return f"tests/test_session_{self.number}.py"


@dataclass(frozen=True, slots=True)
class Companion:
    """The companion to a handout; see the module for its folder.

    Attributes:
        weeks: what to do in which week, sentence by sentence.
        typed: file of ours → where the handout tells the reader to create it.
        memory_mb: the address space that its tests need.
        rubric: the rubric of the handout, "" if it has no points.
        marks: part of the rubric → the tests that give its points, each with its session.
    """

    folder: Path
    id: str
    title: str
    about: str
    needs: str
    sessions: tuple[Session, ...]
    weeks: tuple[tuple[str, str], ...]
    typed: Mapping[str, tuple[str, ...]]
    memory_mb: int = 2048
    rubric: str = ""
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def minutes(self) -> int:
        """The planned minutes of all sessions that the handout asks for."""
        return sum(session.minutes for session in self.sessions if not session.is_extra)

    def session(self, number: int) -> Session:
        """The session of that number; raises `CourseError`."""
        for session in self.sessions:
            if session.number == number:
                return session
        numbers = listed(str(session.number) for session in self.sessions)
        raise CourseError(f"companion {self.id} has no session {number}; it has {numbers}")

    def own_files(self) -> list[JsonObject]:
        """What a program with names of its own must have; see ``own.toml``."""
        return list(_own(self.folder).get("file", []))

    def code(self) -> dict[str, str]:
        """The files that the student writes into, as they begin."""
        return _texts(self.folder / "start")

    def tests(self) -> dict[str, str]:
        """The tests and their helper."""
        own, common = _texts(self.folder / "tests"), _texts(_FOLDER / "common" / "tests")
        return {f"tests/{name}": text for name, text in {**common, **own}.items()}

    def pages(self) -> dict[str, str]:
        """The plan, and a page for each session."""
        sessions = {f"session-{each.number}.md": session_page(self, each) for each in self.sessions}
        return {"plan.md": overview_page(self), **sessions}

    def report(self) -> str:
        """The template of a report, which belongs to the student."""
        text = (_FOLDER / "common" / "report.md").read_text("utf-8")
        points = _WITH_POINTS if self.rubric else _WITHOUT_POINTS.format(self.id)
        title = f"{self.title} (companion {self.id})"
        return text.replace("{title}", title).replace("{points}", points)


def _texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and path.name != ".gitkeep"
    }


@lru_cache(maxsize=1)
def companions() -> tuple[Companion, ...]:
    """All companions in the order of their letters, A to E; each file is read only once."""
    return tuple(_read(_FOLDER / letter.lower()) for letter in LETTERS)


def companion(letter: str) -> Companion:
    """The companion of a letter, in either case; raises `CourseError` if there is none."""
    for each in companions():
        if each.id == letter.strip().upper():
            return each
    raise CourseError(
        f"there is no companion {shown(letter)}; there are {listed(LETTERS)}, and "
        "`rl-toolkit course list` says what they are"
    )


def _read(folder: Path) -> Companion:
    data = tomllib.loads((folder / "companion.toml").read_text("utf-8"))
    return Companion(
        folder,
        data["id"],
        data["title"],
        data["about"],
        data["needs"],
        tuple(_session(number, each) for number, each in enumerate(data["session"], 1)),
        tuple((each["when"], each["what"]) for each in data["week"]),
        {name: tuple(paths) for name, paths in data.get("typed", {}).items()},
        data.get("memory_mb", 2048),
        _own(folder).get("rubric", ""),
        {part: tuple(tests) for part, tests in _own(folder).get("marks", {}).items()},
    )


def _own(folder: Path) -> JsonObject:
    path = folder / "own.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def _session(number: int, data: Mapping[str, Any]) -> Session:
    return Session(
        number,
        data["title"],
        data["minutes"],
        data["goal"],
        data["sections"],
        tuple(data["files"]),
        tuple((command, shows) for command, shows in data.get("commands", [])),
        tuple(data.get("labs", ())),
        tuple(data.get("theory", ())),
        tuple(data.get("stages", ())),
        tuple(data.get("errata", ())),
        data.get("extra", False),
        tuple((lab, number) for lab, number in data.get("lab_tasks", ())),
        tuple(data.get("page_tests", ())),
    )


# ------------------------------------------------------------------------- pages


def session_page(companion: Companion, session: Session) -> str:
    """The text of a session's page in Markdown, as `start_course` writes it into the folder."""
    head = [
        f"**Goal:** {session.goal}",
        f"**Planned:** {session.minutes} minutes · **Handout {companion.id}:** {session.sections}",
        f"**Write into:** {listed(f'`{name}`' for name in session.files)}",
    ]
    body = (companion.folder / "pages" / f"{session.number}.md").read_text("utf-8").strip()
    extra = " (extra)" if session.is_extra else ""
    parts = [
        f"# {companion.id}, session {session.number}: {session.title}{extra}",
        "  \n".join(head),
        body,
        _commands(session),
        _with_it(session),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _commands(session: Session) -> str:
    rows = [(f"rl-toolkit course check --session {session.number}", "the tests of this session")]
    rows += session.commands
    lines = [f"* `{command}`: {shows}" for command, shows in rows]
    return "\n".join(["## Run", "", *lines])


def _with_it(session: Session) -> str:
    lines = [f"* Lab {_lab_title(name)}: `rl-toolkit lab start {name}`" for name in session.labs]
    lines += [
        f"* Theory: `/learn/{name}` on the page (`rl-toolkit web --open`)"
        for name in session.theory
    ]
    lines += [f"* On stage: `{address}`" for address in session.stages]
    if session.errata:
        lines.append(f"* Errata {listed(session.errata)}: `/learn/errata` has a program for each")
    return "\n".join(["## Goes with it", "", *lines]) if lines else ""


def _lab_title(name: str) -> str:
    try:
        return f"{name} {lab_by_id(name).title}"
    except LabError:
        return name


def overview_page(companion: Companion) -> str:
    """The plan of a companion as the text of a Markdown page: sessions, minutes, weeks."""
    rows = [
        f"| {each.number} | {each.title}{' (extra)' if each.is_extra else ''} | {each.minutes} "
        f"| {', '.join(f'`{name}`' for name in each.files)} |"
        for each in companion.sessions
    ]
    weeks = [f"* **{when}**: {what}" for when, what in companion.weeks]
    return "\n".join(
        [
            f"# Companion {companion.id}: {companion.title}",
            "",
            companion.about,
            "",
            f"**Needs:** {companion.needs}",
            "",
            "| session | | minutes | you write |",
            "|---|---|---|---|",
            *rows,
            "",
            f"Together {companion.minutes} minutes without the extras.",
            "",
            "## Week by week",
            "",
            *weeks,
            "",
            "## How it works",
            "",
            "Your files have names of their own (`my_…`), so that no test can meet the classes of",
            "the toolkit by accident. Write one session after the other:",
            "",
            "    rl-toolkit course status          what is there, what is right, what comes next",
            "    rl-toolkit course check           all tests; exit code 0 only if all are right",
            "    rl-toolkit course web             your own page, with the API of the courses",
            "    rl-toolkit course stage           your own search in the theatre, with its faults",
            f"    rl-toolkit course show {companion.id} 1        a page of this companion",
            "",
            "`pytest` runs the same tests. `rl-toolkit course start` in this folder writes what is",
            "missing and renews pages and tests that you have not changed. `report.md` is the",
            "template of a report, with the points of the lab sheet.",
            "",
        ]
    )
