"""`OwnProcess`: the student's files in a process of their own, asked for recordings and moves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rl_toolkit.analysis import StopSignal
from rl_toolkit.course.model import CourseError
from rl_toolkit.course.searches.finding import code_files, own_games
from rl_toolkit.utils import JsonObject
from rl_toolkit.utils.isolation import (
    IsolationError,
    Limits,
    Sandbox,
    TooSlowError,
    WorkerProcess,
)

_WORKER = "rl_toolkit.course.host.own_code"
#: Processor seconds of a question, and seconds of a clock for the slowest machine.
SECONDS, _CLOCK = 30.0, 240.0
_LIMITS = Limits(memory_mb=2048, cpu_seconds=600)


class OwnCodeError(CourseError):
    """The student's code raised an exception or did not end; the message says what and where."""


class OwnProcess:
    """A process with the files of a folder, as they were when it began. Use it in a ``with``."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)
        self._worker: WorkerProcess | None = None
        self._games = [list(game) for game in own_games(self._files)]

    @classmethod
    def of_folder(cls, folder: Path) -> OwnProcess:
        """A process with the files of a folder, or with those beside a file."""
        return cls(code_files(folder))

    def __enter__(self) -> OwnProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the process; the next question begins a new one."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def ask(self, kind: str, stop: StopSignal | None = None, **what: Any) -> JsonObject:
        """The answer to a question; raises `OwnCodeError`, also if ``stop`` ends it."""
        try:
            if self._worker is None:
                self._worker = WorkerProcess(_WORKER, _LIMITS, Sandbox())
                self._worker.ask({"load": {"files": self._files}}, _CLOCK)
            asked = {"seconds": SECONDS, "own_games": self._games, **what}
            answer = self._worker.ask({kind: asked}, _CLOCK, stop=stop)
        except IsolationError as error:
            self.end()
            slow = isinstance(error, TooSlowError)
            text = "your program runs on and on" if slow else f"your program {error}"
            raise OwnCodeError(text) from error
        raised = answer.get("raised")
        if raised is None:
            return answer
        self.end()
        raise OwnCodeError(_sentence(raised, what.get("file", "your file")))


def _sentence(raised: JsonObject, file: str) -> str:
    kind, message = str(raised.get("kind", "")), str(raised.get("message", ""))
    places = [str(line) for line in raised.get("lines", ()) if ", line " in str(line)]
    where = f" ({places[-1].strip()})" if places else ""
    match kind:
        case "NotImplementedError":
            return f"{file} is not finished yet: a function is not written{where}"
        case "OutOfTime":
            return f"{file} was still running after {SECONDS:g} s: fewer simulations or plies help"
        case "NotReadableError" | "NotReadable":
            return message
        case "Idle":
            return f"{file} does nothing for seconds: does it sleep, or wait for input?"
    return f"{file} stopped with {kind}: {message}{where}" if message else f"{file} stopped: {kind}"
