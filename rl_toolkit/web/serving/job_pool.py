"""A bounded pool of searches with a fair queue.

Searches run in a few threads; those without a free thread wait, and clients take turns (see
`fair_queue`). When the queue is full, the newest search of the client with the longest line makes
room; that client itself is refused.

Quick searches have a queue and threads of their own, so that they need not wait for long ones::

    others    ▢▢▢▢▢▢  ──►  the slots, which take quick ones when no other waits
    quick     ▢▢▢     ──►  the quick slots
    yielding  ▢▢      ──►  the slots, while fewer than half of them are taken

A yielding search has no end of its own. It runs while the machine would idle, and is asked to stop
as soon as other searches need half of the slots (there are two slots for each core), or when it has
had its turn and another yielding one waits.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypeVar

from rl_toolkit.utils.executors import AnyTask, BackgroundTask
from rl_toolkit.web.serving.fair_queue import Client, FairQueue

P = TypeVar("P")
R = TypeVar("R")

#: Threads that run quick searches only.
QUICK_SLOTS = 2

#: Seconds that a yielding search has before another yielding one may take its place.
TURN = 10.0

_FIRST_GUESS = 1.0  # seconds that a search takes, before any has been seen


class PoolFullError(Exception):
    """The pool takes no more searches now; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("the server is busy with other searches; try again a little later")
        self.retry_after = retry_after


class YieldingTask(BackgroundTask[P, R]):
    """A task of low priority, which the pool may ask to stop: ``preempted`` says that it has."""

    def __init__(self, work: Callable[[BackgroundTask[P, R]], R]) -> None:
        super().__init__(work)
        self.preempted = False

    def preempt(self) -> None:
        """Ask the work to end, so that another one can run."""
        self.preempted = True
        self.stop.set()


class SearchPool:
    """Runs at most ``slots`` tasks at a time and keeps at most ``queue`` waiting.

    Beside these, `QUICK_SLOTS` run quick tasks, of which as many again may wait.
    """

    def __init__(self, slots: int, queue: int) -> None:
        self.slots, self.queue = slots, queue
        self._line: FairQueue[AnyTask] = FairQueue()
        self._quick_line: FairQueue[AnyTask] = FairQueue()
        self._yielding_line: FairQueue[AnyTask] = FairQueue()
        self._yielding: dict[YieldingTask[Any, Any], float] = {}  # those that run, and since when
        self._places: dict[AnyTask, int] | None = None
        self._changed = threading.Condition()
        self._threads = self._quick_threads = 0
        self._running = self._quick_running = 0  # by the threads that run them
        self._mean_seconds = _FIRST_GUESS

    @property
    def running(self) -> int:
        """Tasks at work now."""
        return self._running + self._quick_running

    @property
    def waiting(self) -> int:
        """Tasks in the queue now."""
        with self._changed:
            return sum(map(len, self._lines))

    @property
    def _lines(self) -> tuple[FairQueue[AnyTask], ...]:
        return self._line, self._quick_line, self._yielding_line

    def submit(
        self, client: Client, work: Callable[[BackgroundTask[P, R]], R], *, quick: bool = False
    ) -> BackgroundTask[P, R]:
        """Queue the work as a task, or raise `PoolFullError`; ``quick`` says that it is short.

        What the request may not name, the work may not either: it runs in the same context.
        """
        context = copy_context()
        task: BackgroundTask[P, R] = BackgroundTask(lambda task: context.run(work, task))
        line = self._quick_line if quick else self._line
        with self._changed:
            self._forget_stopped()
            free = self.slots - self._running
            if quick:
                free += QUICK_SLOTS - self._quick_running
            if len(line) - free >= self.queue:
                self._make_room_for(client, line)
            self._push(client, task, line)
            self._make_way()
        return task

    def submit_yielding(
        self, client: Client, work: Callable[[BackgroundTask[P, R]], R]
    ) -> YieldingTask[P, R]:
        """Queue the work as a task that runs while no other needs its place; or `PoolFullError`."""
        context = copy_context()
        task: YieldingTask[P, R] = YieldingTask(lambda task: context.run(work, task))
        with self._changed:
            self._forget_stopped()
            if len(self._yielding_line) >= self.queue:
                self._make_room_for(client, self._yielding_line)
            self._push(client, task, self._yielding_line)
        return task

    def take_turns(self) -> None:
        """Preempt yielding tasks that have had their turn, as many as other yielding ones wait."""
        with self._changed:
            self._forget_stopped()
            now = time.monotonic()
            over = [task for task, begun in self._yielding.items() if now - begun >= TURN]
            for task in over[: len(self._yielding_line)]:
                if not task.stop.is_set():
                    task.preempt()

    def place_in_line(self, task: AnyTask) -> int:
        """How many tasks will be taken before this one; 0 for one that is not waiting."""
        with self._changed:
            if self._places is None:
                self._places = {
                    each: n for line in self._lines for n, each in enumerate(line.order())
                }
            return self._places.get(task, 0)

    def retry_after(self) -> int:
        """Seconds after which a client should ask again."""
        return max(1, min(60, math.ceil(self._mean_seconds * (1 + self.queue / self.slots) / 2)))

    # ------------------------------------------------------------------ inside

    def _forget_stopped(self) -> None:
        for line in self._lines:
            for task in line.drop(lambda task: task.stop.is_set()):
                self._places = None
                task.refuse(PoolFullError(1))

    def _push(self, client: Client, task: AnyTask, line: FairQueue[AnyTask]) -> None:
        line.push(client, task)
        self._places = None
        self._start_threads()
        self._changed.notify_all()

    @property
    def _room(self) -> int:
        """Tasks at work or waiting beyond which no yielding one runs."""
        return max(1, self.slots // 2)

    def _make_way(self) -> None:
        """Preempt as many yielding tasks as others need places, those that run longest first."""
        told = sum(task.stop.is_set() for task in self._yielding)
        busy = self.running - told + len(self._line) + len(self._quick_line)
        for task in list(self._yielding):
            if busy <= self._room:
                break
            if not task.stop.is_set():
                task.preempt()
                busy -= 1

    def _make_room_for(self, client: Client, line: FairQueue[AnyTask]) -> None:
        leaving = line.make_room(client)
        if leaving is None:
            raise PoolFullError(self.retry_after())
        leaving.refuse(PoolFullError(self.retry_after()))

    def _start_threads(self) -> None:
        """Start a thread if those that idle are fewer than the tasks that wait for them."""
        idle, quick_idle = self._threads - self._running, self._quick_threads - self._quick_running
        if self._threads < self.slots and sum(map(len, self._lines)) > idle:
            self._threads += 1
            name = f"search {self._threads}"
            threading.Thread(target=self._serve, name=name, daemon=True).start()
        elif self._quick_threads < QUICK_SLOTS and len(self._quick_line) > quick_idle:
            self._quick_threads += 1
            name = f"quick search {self._quick_threads}"
            threading.Thread(target=self._serve_quick, name=name, daemon=True).start()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while (task := self._next(self._line, self._quick_line) or self._spare()) is None:
                    self._changed.wait()
                self._running += 1
                begun = time.monotonic()
                if isinstance(task, YieldingTask):
                    self._yielding[task] = begun
            task.run()
            with self._changed:
                self._running -= 1
                if isinstance(task, YieldingTask):
                    del self._yielding[task]
                else:
                    self._mean_seconds += 0.1 * (time.monotonic() - begun - self._mean_seconds)
                self._changed.notify_all()  # there may be room for a yielding one now

    def _serve_quick(self) -> None:
        while True:
            with self._changed:
                while (task := self._next(self._quick_line)) is None:
                    self._changed.wait()
                self._quick_running += 1
            task.run()
            with self._changed:
                self._quick_running -= 1
                self._changed.notify_all()

    def _spare(self) -> AnyTask | None:
        """A yielding task, if there is room for one."""
        return self._next(self._yielding_line) if self.running < self._room else None

    def _next(self, *lines: FairQueue[AnyTask]) -> AnyTask | None:
        self._forget_stopped()
        self._places = None
        return next((task for line in lines if (task := line.pop()) is not None), None)
