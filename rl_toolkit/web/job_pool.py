"""A bounded pool of searches with a fair queue.

Searches run in a few threads; those without a free thread wait, and clients take turns (see
`fair_queue`). When the queue is full, the newest search of the client with the longest line makes
room; that client itself is refused.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from rl_toolkit.utils import AnyTask, BackgroundTask
from rl_toolkit.web.fair_queue import Client, FairQueue

P = TypeVar("P")
R = TypeVar("R")

_FIRST_GUESS = 1.0  # seconds that a search takes, before any has been seen


class PoolFullError(Exception):
    """The pool takes no more searches now; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("the server is busy with other searches; try again a little later")
        self.retry_after = retry_after


class SearchPool:
    """Runs at most ``slots`` tasks at a time and keeps at most ``queue`` waiting."""

    def __init__(self, slots: int, queue: int) -> None:
        self.slots, self.queue = slots, queue
        self._line: FairQueue[AnyTask] = FairQueue()
        self._changed = threading.Condition()
        self._threads = 0
        self._running = 0
        self._mean_seconds = _FIRST_GUESS

    @property
    def running(self) -> int:
        """Tasks at work now."""
        return self._running

    @property
    def waiting(self) -> int:
        """Tasks in the queue now."""
        with self._changed:
            return len(self._line)

    def submit(
        self, client: Client, work: Callable[[BackgroundTask[P, R]], R]
    ) -> BackgroundTask[P, R]:
        """Queue the work as a task, or raise `PoolFullError`."""
        task = BackgroundTask(work)
        with self._changed:
            self._forget_stopped()
            if self._running + len(self._line) >= self.slots + self.queue:
                self._make_room_for(client)
            self._line.push(client, task)
            if self._threads < self.slots and self._running + len(self._line) > self._threads:
                self._threads += 1
                threading.Thread(
                    target=self._serve, name=f"search {self._threads}", daemon=True
                ).start()
            self._changed.notify()
        return task

    def place_in_line(self, task: AnyTask) -> int:
        """How many tasks will be taken before this one; 0 for one that is not waiting."""
        with self._changed:
            order = self._line.order()
            return order.index(task) if task in order else 0

    def retry_after(self) -> int:
        """Seconds after which a client should ask again."""
        return max(1, min(60, math.ceil(self._mean_seconds * (1 + self.queue / self.slots) / 2)))

    # ------------------------------------------------------------------ inside

    def _forget_stopped(self) -> None:
        for task in self._line.drop(lambda task: task.stop.is_set()):
            task.refuse(PoolFullError(1))

    def _make_room_for(self, client: Client) -> None:
        leaving = self._line.make_room(client)
        if leaving is None:
            raise PoolFullError(self.retry_after())
        leaving.refuse(PoolFullError(self.retry_after()))

    def _serve(self) -> None:
        while True:
            with self._changed:
                while (task := self._next()) is None:
                    self._changed.wait()
                self._running += 1
            begun = time.monotonic()
            task.run()
            with self._changed:
                self._running -= 1
                self._mean_seconds += 0.1 * (time.monotonic() - begun - self._mean_seconds)

    def _next(self) -> AnyTask | None:
        self._forget_stopped()
        return self._line.pop()
