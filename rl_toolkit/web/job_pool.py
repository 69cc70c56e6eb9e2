"""A bounded pool of searches with a fair queue.

Searches run in a few threads; those that find no free one wait, and clients take turns (see
`fair_queue`). When the queue is full, the newest search of the greediest client makes room; the
greediest client itself is refused.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

from rl_toolkit.web.fair_queue import Client, FairQueue

T = TypeVar("T")

_FIRST_GUESS = 1.0  # seconds that a search takes, before any has been seen


class PoolFullError(Exception):
    """Nothing more can be taken in now; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("the server is busy with other searches; try again a little later")
        self.retry_after = retry_after


class Job(Generic[T]):
    """One search on its way through the pool.

    ``stop`` asks it to end; whoever waits calls `wait` and then `result`.
    """

    def __init__(self, work: Callable[[threading.Event], T]) -> None:
        self.stop = threading.Event()
        self.started = threading.Event()
        self._work = work
        self._done = threading.Event()
        self._result: T | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Do the work in the calling thread and keep what came of it."""
        self.started.set()
        try:
            self._result = self._work(self.stop)
        except BaseException as error:  # told to whoever waits
            self._error = error
        finally:
            self._done.set()

    def refuse(self, error: BaseException) -> None:
        """End the job without having run it."""
        self._error = error
        self._done.set()

    def wait(self, seconds: float) -> bool:
        """Wait up to so long; whether the job has ended."""
        return self._done.wait(seconds)

    def result(self) -> T:
        """What the work returned, or what it raised."""
        if self._error is not None:
            raise self._error
        return cast("T", self._result)


class SearchPool:
    """Runs at most ``slots`` jobs at a time and keeps at most ``queue`` waiting."""

    def __init__(self, slots: int, queue: int) -> None:
        self.slots, self.queue = slots, queue
        self._line: FairQueue[Job[Any]] = FairQueue()
        self._changed = threading.Condition()
        self._threads = 0
        self._running = 0
        self._mean_seconds = _FIRST_GUESS

    @property
    def running(self) -> int:
        """Jobs at work now."""
        return self._running

    @property
    def waiting(self) -> int:
        """Jobs in the queue now."""
        with self._changed:
            return len(self._line)

    def submit(self, client: Client, work: Callable[[threading.Event], T]) -> Job[T]:
        """Take the job in, or raise `PoolFullError`; ``work`` gets the job's stop event."""
        job: Job[T] = Job(work)
        with self._changed:
            self._forget_stopped()
            if self._running + len(self._line) >= self.slots + self.queue:
                self._make_room_for(client)
            self._line.push(client, job)
            if self._threads < self.slots and self._running + len(self._line) > self._threads:
                self._threads += 1
                threading.Thread(
                    target=self._serve, name=f"search {self._threads}", daemon=True
                ).start()
            self._changed.notify()
        return job

    def place_in_line(self, job: Job[T]) -> int:
        """How many jobs will be taken before this one; 0 for one that is not waiting."""
        with self._changed:
            order = self._line.order()
            return order.index(job) if job in order else 0

    def retry_after(self) -> int:
        """Seconds after which asking again makes sense."""
        return max(1, min(60, math.ceil(self._mean_seconds * (1 + self.queue / self.slots) / 2)))

    # ------------------------------------------------------------------ inside

    def _forget_stopped(self) -> None:
        for job in self._line.drop(lambda job: job.stop.is_set()):
            job.refuse(PoolFullError(1))

    def _make_room_for(self, client: Client) -> None:
        leaving = self._line.make_room(client)
        if leaving is None:
            raise PoolFullError(self.retry_after())
        leaving.refuse(PoolFullError(self.retry_after()))

    def _serve(self) -> None:
        while True:
            with self._changed:
                while (job := self._next()) is None:
                    self._changed.wait()
                self._running += 1
            begun = time.monotonic()
            job.run()
            with self._changed:
                self._running -= 1
                self._mean_seconds += 0.1 * (time.monotonic() - begun - self._mean_seconds)

    def _next(self) -> Job[Any] | None:
        self._forget_stopped()
        return self._line.pop()
