"""Who did what: an account of the tasks that the workers of an executor have done.

Every executor keeps one, over all its calls of ``map``. Seconds are those that a worker spent on
its tasks, measured by the worker; a task lost with its worker was done again by another one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(slots=True)
class WorkerAccount:
    """What one worker did; ``lost`` are the tasks on which it died, or a worker in its place."""

    worker: str
    machine: str
    tasks: int = 0
    seconds: float = 0.0
    lost: int = 0


class WorkAccount:
    """The tasks, seconds and losses of all workers.

    >>> account = WorkAccount()
    >>> account.did("worker 1", "here", 0.5)
    >>> account.did("worker 2", "here", 1.5)
    >>> account.lost("worker 2", "here")
    >>> account.tasks, account.seconds, account.losses
    (2, 2.0, 1)
    >>> [(each.worker, each.tasks, each.lost) for each in account.workers]
    [('worker 1', 1, 0), ('worker 2', 1, 1)]
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin a new account."""
        self._workers: dict[tuple[str, str], WorkerAccount] = {}
        self.elapsed = 0.0
        """Seconds spent in ``map``."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the seconds of a ``map``."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.elapsed += time.perf_counter() - begun

    def did(self, worker: str, machine: str, seconds: float) -> None:
        """Add a task that is done."""
        each = self._of(worker, machine)
        each.tasks += 1
        each.seconds += seconds

    def lost(self, worker: str, machine: str) -> None:
        """Add a task that was lost with its worker."""
        self._of(worker, machine).lost += 1

    def _of(self, worker: str, machine: str) -> WorkerAccount:
        return self._workers.setdefault((machine, worker), WorkerAccount(worker, machine))

    @property
    def workers(self) -> list[WorkerAccount]:
        """The workers that did or lost something, by machine and name."""
        return [
            worker
            for _, worker in sorted(self._workers.items(), key=lambda item: _in_order(item[0]))
        ]

    @property
    def tasks(self) -> int:
        """The tasks that are done."""
        return sum(worker.tasks for worker in self._workers.values())

    @property
    def seconds(self) -> float:
        """The seconds that all workers together spent on tasks."""
        return sum(worker.seconds for worker in self._workers.values())

    @property
    def losses(self) -> int:
        """The tasks that were lost with their workers."""
        return sum(worker.lost for worker in self._workers.values())

    def by_machine(self) -> list[WorkerAccount]:
        """A row for each machine instead of each worker; ``worker`` says how many there were."""
        rows: dict[str, WorkerAccount] = {}
        counts: dict[str, int] = {}
        for worker in self.workers:
            row = rows.setdefault(worker.machine, WorkerAccount("", worker.machine))
            counts[worker.machine] = counts.get(worker.machine, 0) + (worker.tasks > 0)
            row.tasks += worker.tasks
            row.seconds += worker.seconds
            row.lost += worker.lost
            row.worker = f"{counts[worker.machine]} workers"
        return list(rows.values())

    def to_dict(self) -> dict[str, Any]:
        """The account as plain data."""
        return {
            "tasks": self.tasks,
            "seconds": round(self.seconds, 3),
            "elapsed": round(self.elapsed, 3),
            "lost": self.losses,
            "workers": [
                {**asdict(worker), "seconds": round(worker.seconds, 3)} for worker in self.workers
            ],
        }


def _in_order(key: tuple[str, str]) -> tuple[str, int, str]:
    """``worker 10`` after ``worker 9``."""
    machine, worker = key
    return machine, len(worker), worker
