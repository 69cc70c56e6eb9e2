"""`Workspace`: one student's folder, checked whenever a file is saved.

The folder is named when the server is started; no request can name another one. One check runs at
a time, in a thread of its own; the student's code runs in its own process. A check that the next
save has overtaken ends after the task at hand.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rl_toolkit.labs import LabError
from rl_toolkit.labs.checking import Failure, LabReport, TaskReport, check_folder
from rl_toolkit.labs.folder import (
    FolderWatch,
    Progress,
    after_check,
    lab_of,
    read_progress,
    take_hint,
    write_progress,
)
from rl_toolkit.players import Spec
from rl_toolkit.web.serving.streams import Watched

#: Seconds between two looks at the files.
LOOK = 0.2
#: Seconds for which nothing may change before a check begins: editors save in steps.
_SETTLE = 0.05
#: The name of the student's program among the engines of the server.
PROGRAM = "my program"
#: Processor seconds of the student's program for a move, as long as any engine of a server has.
MOVE_SECONDS = 30
#: The most pages that watch a folder at the same time.
MOST_PAGES = 8

Json = dict[str, Any]


class _OvertakenError(Exception):
    """The check that runs is of no interest any more."""


class Workspace:
    """A student's folder and the result of its last check; raises `LabError` if it is not one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.lab = lab_of(self.folder)
        self._watch = FolderWatch(self.folder)
        self.watched = Watched(MOST_PAGES)
        self._files = threading.Lock()  # the progress is read, changed and written
        self._again, self._closed = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._state: Json = {
            "checking": True,
            "checks": 0,
            "tasks": [_waiting(task.number, task.title, task.points) for task in self.lab.tasks],
            "problem": None,
            "questions": [],
            "seed": None,
        } | self._kept(self._progress())

    # ------------------------------------------------------------------ what requests use

    @property
    def engine(self) -> Spec | None:
        """The student's program, ``None`` if the lab has no player."""
        if not self.lab.bot:
            return None
        return Spec("lab").with_(folder=str(self.folder), time=MOVE_SECONDS)

    def wait(self, seen: int, seconds: float) -> tuple[int, Json]:
        """The state as soon as its number is not ``seen``, or after some seconds as it is."""
        with self.watched:
            return self.watched.wait_past(seen, seconds), self._state

    def check_again(self) -> None:
        """Check once more, with positions drawn anew."""
        self._again.set()

    def hint(self, task: int) -> None:
        """Give the next hint for a task; raises `LabError` or ``OSError``."""
        with self._files:
            take_hint(self.lab, self.folder, task)
            kept = self._kept(self._progress())
        self._tell(**kept)

    # ------------------------------------------------------------------ the thread

    def start(self) -> None:
        """Begin to watch and check."""
        self._thread = threading.Thread(target=self._run, name="lab check", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; a check that runs ends after the task at hand."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join(10)

    def _run(self) -> None:
        while not self._closed.is_set():
            if self._has_news():
                try:
                    self._check()
                except _OvertakenError:
                    continue
                except Exception as error:  # the page lives on, whatever happens
                    self._failed(error)
            self._closed.wait(LOOK)

    def _has_news(self) -> bool:
        asked = self._again.is_set()
        self._again.clear()
        changed = self._watch.changed()
        while changed and not self._closed.wait(_SETTLE) and self._watch.changed():
            pass
        return changed or asked

    def _check(self) -> None:
        self._tell(checking=True, tasks=[task | {"old": True} for task in self._state["tasks"]])
        report = check_folder(self.folder, self._hear)
        with self._files:
            progress = after_check(self._progress(), report, self.lab.points)
            kept = self._kept(progress)
            try:
                write_progress(self.folder, progress)
            except OSError as error:
                kept["kept"] = f"The progress could not be kept: {error.strerror or error}."
        self._tell(**_result(report), **kept, checks=self._state["checks"] + 1, checking=False)

    def _hear(self, task: TaskReport) -> None:
        """Show a task as soon as it is checked; end a check that has been overtaken."""
        if self._closed.is_set():
            raise _OvertakenError
        if self._watch.changed():
            self._again.set()
            raise _OvertakenError
        checked = task.to_dict() | {"old": False}
        tasks = [checked if old["number"] == task.number else old for old in self._state["tasks"]]
        self._tell(tasks=tasks)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, LabError):
            sentence = str(error)
        elif isinstance(error, OSError):
            sentence = f"The folder cannot be read: {error.strerror or error}."
        else:
            logging.getLogger(__name__).exception("a check failed")
            sentence = "The check itself failed; the terminal says why. Your work is as it was."
        self._tell(checking=False, problem=Failure(sentence).to_dict())

    # ------------------------------------------------------------------ the state

    def _progress(self) -> Progress:
        try:
            return read_progress(self.folder)
        except OSError:
            return Progress()

    def _kept(self, progress: Progress) -> Json:
        """What the folder keeps: hints taken, the most points, how often it was checked."""
        hints = {
            str(task.number): list(task.hints[: progress.hints.get(task.number, 0)])
            for task in self.lab.tasks
        }
        return {"hints": hints, "progress": progress.to_dict(), "kept": ""}

    def _tell(self, **news: Any) -> None:
        with self.watched:
            self._state = {**self._state, **news}
            self.watched.tell()


def _result(report: LabReport) -> Mapping[str, Any]:
    data = report.to_dict()
    tasks = [task | {"old": False} for task in data["tasks"]]
    return {"tasks": tasks} | {name: data[name] for name in ("problem", "questions", "seed")}


def _waiting(number: int, title: str, points: int) -> Json:
    """A task that has not been checked yet."""
    task = TaskReport(number, title, points, "todo")
    return task.to_dict() | {"old": True}
