"""`BackgroundTask`: work that one thread does while others watch it, wait for it or stop it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, cast

P = TypeVar("P")
R = TypeVar("R")


class BackgroundTask(Generic[P, R]):
    """One piece of work with its progress and its result.

    ``work`` is called with the task: it may call `report`, and should end soon after ``stop`` is
    set. `start` runs it in a thread of its own; a pool calls `run` in one of its threads.

    >>> task = BackgroundTask[str, int](lambda task: 6 * 7).start()
    >>> task.wait(60), task.result()
    (True, 42)

    Attributes:
        stop: asks the work to end.
        started: whether the work has begun.
        latest: the latest progress reported, ``None`` before the first.
    """

    def __init__(self, work: Callable[[BackgroundTask[P, R]], R]) -> None:
        self.stop = threading.Event()
        self.started = threading.Event()
        self.latest: P | None = None
        self._work = work
        self._created = time.perf_counter()
        self._ended = threading.Event()
        self._result: R | None = None
        self._error: BaseException | None = None

    def start(self, name: str = "task") -> Self:
        """Run the work in a thread of that name, which does not keep the program alive."""
        threading.Thread(target=self.run, name=name, daemon=True).start()
        return self

    def run(self) -> None:
        """Do the work in the calling thread; what it raises is raised by `result`."""
        self.started.set()
        try:
            self._result = self._work(self)
        except BaseException as error:
            self._error = error
        finally:
            self._ended.set()

    def refuse(self, error: BaseException) -> None:
        """End a task that has not been run: `result` raises ``error``."""
        self._error = error
        self._ended.set()

    def report(self, progress: P) -> None:
        """Make ``progress`` the latest; called by the work."""
        self.latest = progress

    @property
    def elapsed(self) -> float:
        """Seconds since the task was made."""
        return time.perf_counter() - self._created

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most this long; whether the task has ended."""
        return self._ended.wait(seconds)

    def result(self) -> R:
        """What the work returned, or what it raised."""
        if self._error is not None:
            raise self._error
        return cast("R", self._result)


#: A task of which only the end matters.
AnyTask = BackgroundTask[Any, Any]
