"""`Turns`: at most one piece of work at a time for each client."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from flask import current_app

from rl_toolkit.analysis import StopSignal
from rl_toolkit.utils.executors import AnyTask, BackgroundTask
from rl_toolkit.web.api import all_searches, asking_client, client_gone
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.job_pool import PoolFullError
from rl_toolkit.web.serving.searches import Searches
from rl_toolkit.web.serving.streams import ClientGoneError, Gone

R = TypeVar("R")
T = TypeVar("T", bound=AnyTask)

#: Where the app keeps its `Turns`.
TURNS = "rl_toolkit.turns"

#: Seconds after which a client that was refused should ask again.
_LATER = 5


class Turns:
    """The work of each client that runs or waits now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_work: dict[Client, AnyTask] = {}

    def begin(self, client: Client, submit: Callable[[], T], most: int | None = None) -> T:
        """The task that ``submit`` gives, as the client's turn.

        Without ``most``, it stops and replaces what the client has. With it, it is refused if the
        client has work that runs, by `BadRequestError`, or if ``most`` clients have, by
        `PoolFullError`.
        """
        with self._lock:
            older = self._at_work.get(client)
            if most is not None:
                if older is not None:
                    raise BadRequestError("your other experiment still runs; stop it first", 429)
                if len(self._at_work) >= most:
                    raise PoolFullError(_LATER)
            task = self._at_work[client] = submit()
        if older is not None:
            older.stop.set()
        return task

    def stop(self, client: Client) -> bool:
        """Ask the client's work to stop; whether there is any."""
        with self._lock:
            task = self._at_work.get(client)
        if task is not None:
            task.stop.set()
        return task is not None

    def end(self, client: Client, task: AnyTask) -> bool:
        """Take out a task that has ended; whether it was still the client's turn."""
        with self._lock:
            is_latest = self._at_work.get(client) is task
            if is_latest:
                del self._at_work[client]
        return is_latest

    def run(
        self, searches: Searches, client: Client, work: Callable[[StopSignal], R], gone: Gone
    ) -> R:
        """What ``work`` returns or raises, done in the pool of ``searches``.

        It is stopped if the client leaves or asks for something newer: then `ClientGoneError` or a
        `BadRequestError` of status 409 is raised.
        """

        def submit() -> BackgroundTask[None, R]:
            if gone():  # given up for something newer, which may have begun: it takes no turn
                raise ClientGoneError
            return searches.pool.submit(client, lambda task: work(task.stop))

        task = self.begin(client, submit)
        try:
            searches.wait(task, gone)
            return task.result()
        except Exception as error:
            if self.end(client, task):
                raise
            raise BadRequestError(
                "this was stopped: the page asked for something newer", 409
            ) from error
        finally:
            self.end(client, task)


def in_turn(work: Callable[[StopSignal], R]) -> R:
    """Do the work of the current request in the server's pool, one at a time for its client."""
    turns = current_app.extensions[TURNS]
    assert isinstance(turns, Turns)
    return turns.run(all_searches(), asking_client(), work, client_gone())
