"""Run the tests of a companion on a student's files, in a process of their own."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rl_toolkit.course.folder import companion_of
from rl_toolkit.course.lab_tests import lab_tests
from rl_toolkit.course.model import Companion, CourseError, Session
from rl_toolkit.course.page_tests import page_tests
from rl_toolkit.labs.host import TOO_SLOW
from rl_toolkit.utils import JsonObject
from rl_toolkit.utils.isolation import (
    IsolationError,
    Limits,
    Sandbox,
    TooSlowError,
    WorkerProcess,
)

#: ``todo``: the student has not written it yet. ``open``: it cannot be tested here.
Status = Literal["right", "wrong", "todo", "open"]
#: Processor seconds of a test, and seconds of a clock for the slowest machine.
TEST_SECONDS, _CLOCK = 30.0, 300.0
#: Seconds of a clock in which all tests of a check must have ended.
_CHECK_SECONDS = 1800.0
_WORKER = "rl_toolkit.course.host.worker"
_NO_TIME = f"the whole check took more than {_CHECK_SECONDS / 60:g} minutes"
#: The most files, and the most bytes of one file, that are sent.
_MOST_FILES, _LONGEST_FILE = 80, 1 << 20
#: How a place in the code of a file is written that runs when the file is loaded; what helps.
_WHILE_LOADED = ": <module>"
_GUARD = 'put what plays or serves below `if __name__ == "__main__":`'
_SENT = (".py", ".js", ".html", ".css", ".json", ".txt", ".toml", ".md")


@dataclass(frozen=True, slots=True)
class TestReport:
    """The result of one test.

    Attributes:
        title: what it tests, in a few words. sentence: what is wrong.
        lines: where an exception happened, in the student's files. printed: what was printed.
    """

    __test__ = False

    name: str
    title: str
    status: Status
    sentence: str = ""
    lines: tuple[str, ...] = ()
    printed: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "status": self.status,
            "sentence": self.sentence,
            "lines": list(self.lines),
        }


@dataclass(frozen=True, slots=True)
class SessionReport:
    """The tests of one session, and the files of the session that are missing."""

    session: Session
    tests: tuple[TestReport, ...]
    missing: tuple[str, ...] = ()

    @property
    def right(self) -> int:
        """The tests that pass."""
        return sum(test.status == "right" for test in self.tests)

    @property
    def is_done(self) -> bool:
        """Whether no test fails; one that cannot run here does not count against it."""
        return bool(self.tests) and all(test.status in ("right", "open") for test in self.tests)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing is written yet."""
        return all(test.status == "todo" for test in self.tests)


@dataclass(frozen=True, slots=True)
class CourseReport:
    """What the tests of a companion say about a folder.

    ``places`` says which file was tested as which, if they have other names; ``notes`` how a
    program with names of its own was understood, in sentences.
    """

    companion: Companion
    sessions: tuple[SessionReport, ...]
    places: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @property
    def all_right(self) -> bool:
        """Whether nothing fails in the sessions that the handout asks for, or that were begun."""
        return all(
            each.is_done
            for each in self.sessions
            if not (each.session.is_extra and each.is_untouched)
        )

    @property
    def next(self) -> SessionReport | None:
        """The first session that is not done."""
        return next((each for each in self.sessions if not each.is_done), None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "course": self.companion.id,
            "all_right": self.all_right,
            "notes": list(self.notes),
            "sessions": [
                {
                    "session": each.session.number,
                    "title": each.session.title,
                    "right": each.right,
                    "tests": [test.to_dict() for test in each.tests],
                    "missing": list(each.missing),
                }
                for each in self.sessions
            ],
        }


OnProgress = Callable[[TestReport], object]


def check_course(
    folder: Path,
    *,
    sessions: Sequence[int] = (),
    tests: Sequence[str] = (),
    on_progress: OnProgress | None = None,
) -> CourseReport:
    """Run the tests of a companion on the files in a folder; raises `CourseError`.

    The tests are those of the package, whatever the folder holds; ``tests`` names some of them.
    """
    course = companion_of(folder)
    return run_tests(course, own_files(folder), {}, sessions, tests, on_progress)


@dataclass(frozen=True, slots=True)
class OwnProgram:
    """A program with names of its own; see `course.own`.

    Attributes:
        wanted: what the companion asks for, as its ``own.toml`` has it.
        names: names.toml. cells: the code cells of notebooks, by file.
    """

    wanted: Sequence[JsonObject]
    names: JsonObject
    cells: Mapping[str, Sequence[str]]


def check_own(
    course: Companion,
    files: Mapping[str, str],
    program: OwnProgram,
    sessions: Sequence[int] = (),
    on_progress: OnProgress | None = None,
) -> CourseReport:
    """Run the tests of a companion on a program with names of its own."""
    python = {name: text for name, text in files.items() if name.endswith(".py")}
    return run_tests(course, python, {}, sessions, (), on_progress, program)


def run_tests(
    course: Companion,
    files: Mapping[str, str],
    places: Mapping[str, str],
    sessions: Sequence[int],
    only: Sequence[str],
    tell: OnProgress | None,
    own: OwnProgram | None = None,
) -> CourseReport:
    """Run the tests of a companion on files: ``places`` says where they lie, by their own name."""
    chosen = [course.session(number) for number in sessions] or list(course.sessions)
    sent = {**files, **course.tests()}
    reports: list[SessionReport] = []
    notes: list[str] = []
    with _Host(course, sent, places, own) as host:
        for session in chosen:
            listed = [each for each in host.tests() if each[0] == session.test_file]
            results: list[TestReport] = []
            for file, name, title in listed:
                if only and name not in only:
                    continue
                results.append(host.run(file, name, title))
                if tell is not None:
                    tell(results[-1])
            seen = () if own else page_tests(course, session, files, only)
            for checked in (*lab_tests(course, session, files, only), *seen):
                results.append(TestReport(*checked))
                if tell is not None:
                    tell(results[-1])
            missing = [n for n in session.files if n not in files and n not in places]
            reports.append(SessionReport(session, tuple(results), () if own else tuple(missing)))
        notes = host.notes()
    return CourseReport(course, tuple(reports), dict(places), tuple(notes))


def own_files(folder: Path) -> dict[str, str]:
    """The student's files; raises `CourseError` if there are too many."""
    if not folder.is_dir():
        raise CourseError(f"there is no folder {folder}")
    files: dict[str, str] = {}
    for at, folders, names in os.walk(folder):
        here = Path(at)
        top = here == folder
        folders[:] = sorted(each for each in folders if not _is_left_out(here / each, top=top))
        for path in (here / name for name in sorted(names)):
            if path.name.startswith(".") or path.suffix not in _SENT:
                continue
            if len(files) >= _MOST_FILES:
                raise CourseError(
                    f"{folder} holds more than {_MOST_FILES} files of code: name the folder of one "
                    "project"
                )
            if path.is_file() and path.stat().st_size <= _LONGEST_FILE:
                name = path.relative_to(folder).as_posix()
                files[name] = path.read_text("utf-8", errors="replace")
    return files


def _is_left_out(folder: Path, *, top: bool) -> bool:
    """Whether what lies in a folder is not the student's: hidden, a cache, an environment."""
    if folder.name.startswith((".", "__pycache__")) or folder.name == "node_modules":
        return True
    return (top and folder.name in ("tests", "venv")) or (folder / "pyvenv.cfg").is_file()


class _Host:
    """The process with the student's files; a new one after each that ended."""

    def __init__(
        self,
        course: Companion,
        files: Mapping[str, str],
        places: Mapping[str, str],
        own: OwnProgram | None = None,
    ) -> None:
        self._loading = {"files": dict(files), "places": dict(places), "node": _node()}
        if own is not None:
            wanted = [dict(each) for each in own.wanted]
            cells = {name: list(texts) for name, texts in own.cells.items()}
            self._loading["own"] = {"wanted": wanted, "names": dict(own.names), "cells": cells}
        self._limits = Limits(memory_mb=course.memory_mb, cpu_seconds=600)
        self._deadline = time.monotonic() + _CHECK_SECONDS
        self._worker: WorkerProcess | None = None
        self._tests: list[list[str]] = []

    def __enter__(self) -> _Host:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def tests(self) -> list[list[str]]:
        """File, name and title of every test."""
        self._running()
        return self._tests

    def notes(self) -> list[str]:
        """How a program with names of its own was understood."""
        if "own" not in self._loading:
            return []
        try:
            return [str(note) for note in self._running().ask({"notes": True}, _CLOCK)["notes"]]
        except (IsolationError, CourseError):
            self._end()
            return []

    def run(self, file: str, name: str, title: str) -> TestReport:
        """The result of one test."""
        question = {"run": {"file": file, "test": name, "seconds": TEST_SECONDS}}
        left = self._deadline - time.monotonic()
        if left <= 0:
            return TestReport(name, title, "wrong", _NO_TIME)
        try:
            answer = self._running().ask(question, min(_CLOCK, left))
        except IsolationError as error:
            self._end()
            return TestReport(name, title, "wrong", _how_it_ended(error))
        if answer.get("ok") is True:
            return TestReport(name, title, "right")
        raised = answer.get("raised")
        raised = raised if isinstance(raised, dict) else {"kind": "", "message": "no answer"}
        if raised.get("kind") in ("OutOfTime", "Idle"):
            self._end()
        status, sentence = _verdict(raised)
        lines = () if status == "todo" else tuple(map(str, raised.get("lines", ())))
        return TestReport(name, title, status, sentence, lines, str(answer.get("printed", "")))

    def _running(self) -> WorkerProcess:
        if self._worker is None:
            try:
                self._worker = WorkerProcess(_WORKER, self._limits, Sandbox())
                self._tests = self._worker.ask({"load": self._loading}, _CLOCK)["tests"]
            except IsolationError as error:
                self._end()
                raise CourseError(f"the tests cannot run: your program {error}") from error
        return self._worker

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None


def _verdict(raised: JsonObject) -> tuple[Status, str]:
    """The status and the sentence of a test that did not pass."""
    kind, message = str(raised.get("kind", "")), str(raised.get("message", ""))
    function = str(raised.get("function", ""))
    match kind:
        case "NotYet":
            return "todo", message
        case "OpenTest":
            return "open", message
        case "NotImplementedError":
            return "todo", f"{function or 'a function'} is not written yet"
        case "Wrong" | "AssertionError":
            return "wrong", message or "an assertion of yours failed"
        case "OutOfTime":
            return "wrong", f"it was still running after {TEST_SECONDS:g} s: a loop without end?"
        case "Idle" if function.endswith(_WHILE_LOADED):
            return "wrong", f"{_file_of(function)} waits while it is loaded: {_GUARD}"
        case "Idle":
            return "wrong", "it does nothing for seconds: does it sleep, or wait for input?"
        case "RecursionError":
            return "wrong", f"{function} calls itself again and again: which call is the last one?"
        case "EndOfInputError" | "EOFError" if function.endswith(_WHILE_LOADED):
            return "wrong", f"{_file_of(function)} asks for input while it is loaded: {_GUARD}"
        case "EndOfInputError" | "EOFError":
            return "wrong", f"{function or 'your file'} asks for input, and a test types nothing"
        case "SyntaxError" | "IndentationError" | "TabError":
            return "wrong", f"Python cannot read your file: {message}"
        case "SystemExit":
            return "wrong", f"{function or 'your file'} ends the program"
    where = f"{function} stopped with " if function else ""
    return "wrong", f"{where}{kind}: {message}" if message else f"{where}{kind}"


def _file_of(function: str) -> str:
    return function.removesuffix(_WHILE_LOADED)


def _how_it_ended(error: IsolationError) -> str:
    if isinstance(error, TooSlowError) or getattr(error, "code", 0) in TOO_SLOW:
        return f"it was still running after {TEST_SECONDS:g} s: is there a loop without end?"
    return f"your program {error}"


def _node() -> str:
    """A program that runs JavaScript, "" if there is none: Node.js, or the one of playwright."""
    path = shutil.which("node")
    if path is None:
        import importlib.util

        spec = importlib.util.find_spec("playwright")
        bundled = Path(spec.origin).parent / "driver" / "node" if spec and spec.origin else None
        path = str(bundled) if bundled is not None and bundled.is_file() else None
    return path or ""
