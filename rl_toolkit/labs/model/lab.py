"""`Lab`: a lab as data, read from its folder.

::

    l05_minimax/
        lab.toml       title, tasks with points and hints, questions, typical mistakes, signatures
        sheet.md       what the student reads
        start/         the files that the student begins with
        check.py       the checks, which run in our process
        pictures.py    draws the pictures of the sheet
        probe.py       helpers of the checks in the student's process, if there are any
        fingerprints.json   how the typical mistakes answer (`rl-toolkit lab verify --update`)

Code that several labs give to students stands once, in ``catalogue/given/``: the line
``# given: NAME`` in a file of ``start/`` stands for that of ``given/NAME.py``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rl_toolkit.labs.model.names import (
    ARGUMENT_KINDS,
    DERIVED_KINDS,
    RETURN_KINDS,
    BoardNames,
    NamesError,
    Signature,
    board_names,
)
from rl_toolkit.labs.model.positions import start_of
from rl_toolkit.utils import listed, shown

#: What a task may need that is not installed everywhere.
REQUIREMENTS = ("browser", "jax")
STAGES = ("idea", "place", "nearly the line")


class LabError(ValueError):
    """There is no such lab, or its folder is not one; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a lab.

    Attributes:
        functions: what the student writes in it, by the names on the sheet.
        hints: three of them: the idea, the place, nearly the line.
        requires: ``browser`` or ``jax``, if it cannot be checked without.
    """

    number: int
    title: str
    points: int
    functions: tuple[str, ...]
    hints: tuple[str, ...]
    requires: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its model answer, which is shown after the student has written one."""

    number: int
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A typical mistake: the task in which it is made, and what the student then reads.

    A ``slow`` one takes seconds to check, because a browser has to be started for example.
    """

    id: str
    task: int
    says: str
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Lab:
    """A lab; see the module for its folder.

    Attributes:
        unchanged: what a function that the student has not touched means: ``todo``, or ``check`` in
            a lab that begins with broken code.
        bot: the function that answers a position with a move, if the lab has one.
        page: what to look at on the web page.
        may_import: what the student's code may import besides the standard library, NumPy and its
            own files: packages, and modules of this one.
    """

    folder: Path
    id: str
    title: str
    minutes: int
    goal: str
    game: str
    files: tuple[str, ...]
    functions: Mapping[str, Signature]
    tasks: tuple[Task, ...]
    questions: tuple[Question, ...]
    mistakes: tuple[Mistake, ...]
    sources: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    page: str = ""
    bot: str = ""
    unchanged: str = "todo"
    may_import: tuple[str, ...] = ()
    board: BoardNames = field(default_factory=BoardNames)

    @property
    def points(self) -> int:
        """The points of all tasks."""
        return sum(task.points for task in self.tasks)

    @property
    def code_file(self) -> str:
        """The file in which Python functions are looked for, as a message names it."""
        return next((name for name in self.files if name.endswith(".py")), self.files[0])

    @property
    def is_own(self) -> bool:
        """Whether it is a teacher's own lab, outside the package."""
        return not self.folder.is_relative_to(CATALOGUE)

    def task(self, number: int) -> Task:
        """The task of that number; raises `LabError`."""
        for task in self.tasks:
            if task.number == number:
                return task
        numbers = listed(str(task.number) for task in self.tasks)
        raise LabError(f"{self.id} has no task {number}; its tasks are {numbers}")

    def start_files(self) -> dict[str, str]:
        """The files with which a student begins: name → text."""
        start = self.folder / "start"
        return {
            path.relative_to(start).as_posix(): _with_given_code(path.read_text("utf-8"))
            for path in sorted(start.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }

    def sheet(self) -> str:
        """The text of the sheet, in Markdown."""
        return (self.folder / "sheet.md").read_text("utf-8")

    def to_dict(self) -> dict[str, Any]:
        """What a list of labs says about it."""
        return {
            "id": self.id,
            "title": self.title,
            "goal": self.goal,
            "minutes": self.minutes,
            "points": self.points,
            "sources": list(self.sources),
            "needs": list(self.needs),
            "next": list(self.next),
            "topics": list(self.topics),
            "tasks": [
                {"number": task.number, "title": task.title, "points": task.points}
                for task in self.tasks
            ],
        }


#: The folder of the labs of the package.
CATALOGUE = Path(__file__).resolve().parent.parent / "catalogue"


#: A line that stands for given code, and the line above that code in its own file.
_GIVEN = re.compile(r"^# given: (\w+)$", re.MULTILINE)
_GIVEN_BEGINS = re.compile(r"^# -+ given\n+", re.MULTILINE)


def _with_given_code(text: str) -> str:
    def code(line: re.Match[str]) -> str:
        file = (CATALOGUE / "given" / f"{line[1]}.py").read_text("utf-8")
        return _GIVEN_BEGINS.split(file, maxsplit=1)[1].rstrip()

    return _GIVEN.sub(code, text)


def read_lab(folder: Path) -> Lab:
    """The lab in a folder; raises `LabError` if its ``lab.toml`` is missing or wrong."""
    try:
        data = tomllib.loads((folder / "lab.toml").read_text("utf-8"))
    except FileNotFoundError:
        raise LabError(f"{folder} is not a lab: it has no lab.toml") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LabError(f"{folder / 'lab.toml'} cannot be read: {error}") from error
    try:
        return _Reader(data).lab(folder.resolve())
    except (LabError, NamesError) as error:
        raise LabError(f"{folder / 'lab.toml'}: {error}") from error


class _Reader:
    """Reads the tables of a lab.toml; every refusal names the place."""

    def __init__(self, data: Mapping[str, Any], where: str = "") -> None:
        self._data, self._where = data, where

    def lab(self, folder: Path) -> Lab:
        files = self._texts("files") or (self._text("file"),)
        functions = {
            name: _Reader(table, f"functions.{name}").signature()
            for name, table in self._tables("functions").items()
        }
        tasks = tuple(table.task() for table in self._list("task"))
        lab = Lab(
            folder=folder,
            id=self._text("id"),
            title=self._text("title"),
            minutes=self._number("minutes"),
            goal=self._text("goal"),
            game=self._text("game", "tictactoe"),
            files=files,
            functions=functions,
            tasks=tasks,
            questions=tuple(table.question() for table in self._list("question")),
            mistakes=tuple(table.mistake() for table in self._list("mistake")),
            sources=self._texts("sources"),
            errata=self._texts("errata"),
            needs=self._texts("needs"),
            next=self._texts("next"),
            topics=self._texts("topics"),
            page=self._text("page", ""),
            bot=self._text("bot", ""),
            unchanged=self._text("unchanged", "todo"),
            may_import=self._texts("may_import"),
            board=self._board(self._text("game", "tictactoe")),
        )
        _check_parts(lab)
        return lab

    def _board(self, game: str) -> BoardNames:
        try:
            row_one = start_of(game).traits.row_one_at
        except ValueError as error:
            raise LabError(str(error)) from error
        fields = self._tables("names").get("board", {})
        return board_names(fields, BoardNames(row_one=row_one))

    def signature(self) -> Signature:
        takes, returns = self._texts("takes"), self._text("returns", "plain")
        for kind in takes:
            if kind not in (*ARGUMENT_KINDS, *DERIVED_KINDS):
                known = listed((*ARGUMENT_KINDS, *DERIVED_KINDS))
                raise LabError(
                    f"{self._where}: {kind!r} is not a kind of argument; there are {known}"
                )
        if returns not in RETURN_KINDS:
            raise LabError(f"{self._where}: returns is one of {listed(RETURN_KINDS, 'or')}")
        return Signature(takes, returns)

    def task(self) -> Task:
        requires = self._text("requires", "")
        if requires and requires not in REQUIREMENTS:
            raise LabError(f"{self._where}: requires is {listed(REQUIREMENTS, 'or')}")
        return Task(
            self._number("number"),
            self._text("title"),
            self._number("points"),
            self._texts("functions"),
            self._texts("hints"),
            requires,
        )

    def question(self) -> Question:
        return Question(self._number("number"), self._text("text"), self._text("answer"))

    def mistake(self) -> Mistake:
        slow = self._data.get("slow", False)
        if not isinstance(slow, bool):
            raise LabError(self._place(f"slow must be true or false, not {shown(slow)}"))
        return Mistake(self._text("id"), self._number("task"), self._text("says"), slow)

    def _text(self, name: str, default: str | None = None) -> str:
        value = self._data.get(name, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise LabError(self._place(f"{name} must be a text, not {shown(value)}"))
        return value.strip()

    def _texts(self, name: str) -> tuple[str, ...]:
        value = self._data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise LabError(self._place(f"{name} must be a list of texts"))
        return tuple(item.strip() for item in value)

    def _number(self, name: str) -> int:
        value = self._data.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise LabError(self._place(f"{name} must be a whole number, not {shown(value)}"))
        return value

    def _tables(self, name: str) -> Mapping[str, Any]:
        value = self._data.get(name, {})
        if not isinstance(value, dict) or not all(isinstance(v, dict) for v in value.values()):
            raise LabError(self._place(f"[{name}.…] must be tables"))
        return value

    def _list(self, name: str) -> list[_Reader]:
        value = self._data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise LabError(self._place(f"[[{name}]] must be a list of tables"))
        return [_Reader(item, f"{name} {number}") for number, item in enumerate(value, 1)]

    def _place(self, problem: str) -> str:
        return f"{self._where}: {problem}" if self._where else problem


def _check_parts(lab: Lab) -> None:
    """Refuse a lab whose parts do not fit together."""
    numbers = [task.number for task in lab.tasks]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        raise LabError("the tasks must be numbered 1, 2, 3, …")
    for task in lab.tasks:
        if len(task.hints) != len(STAGES):
            raise LabError(f"task {task.number} must have three hints: {listed(STAGES)}")
    for mistake in lab.mistakes:
        if mistake.task not in numbers:
            raise LabError(f"mistake {mistake.id}: there is no task {mistake.task}")
    if len({mistake.id for mistake in lab.mistakes}) < len(lab.mistakes):
        raise LabError("two mistakes have the same id")
    if lab.unchanged not in ("todo", "check"):
        raise LabError("unchanged is todo or check")
    if lab.bot and lab.bot not in lab.functions:
        raise LabError(f"bot: {lab.bot} is not one of the functions")
