"""`Turns`: at most one piece of work at a time for each client."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from flask import current_app

from rl_toolkit.analysis import StopSignal
from rl_toolkit.utils.executors import AnyTask, BackgroundTask
from rl_toolkit.web.api import all_searches, asking_client, client_gone
from rl_toolkit.web.json_fields import BadRequestError
from rl_toolkit.web.searches import ClientGoneError, Gone, Searches
from rl_toolkit.web.serving.fair_queue import Client

R = TypeVar("R")

#: Where the app keeps its `Turns`.
TURNS = "rl_toolkit.turns"


class Turns:
    """The work of each client; a newer one stops the older and takes its place."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_work: dict[Client, AnyTask] = {}

    def run(
        self, searches: Searches, client: Client, work: Callable[[StopSignal], R], gone: Gone
    ) -> R:
        """What ``work`` returns or raises, done in the pool of ``searches``.

        It is stopped if the client leaves or asks for something newer: then `ClientGoneError` or a
        `BadRequestError` of status 409 is raised.
        """

        def done(task: BackgroundTask[None, R]) -> R:
            return work(task.stop)

        with self._lock:
            if gone():  # given up for something newer, which may have begun: it takes no turn
                raise ClientGoneError
            task = searches.pool.submit(client, done)
            older = self._at_work.get(client)
            self._at_work[client] = task
        if older is not None:
            older.stop.set()
        try:
            searches.wait(task, gone)
            return task.result()
        except Exception as error:
            if self._at_work.get(client) is task:
                raise
            raise BadRequestError(
                "this was stopped: the page asked for something newer", 409
            ) from error
        finally:
            with self._lock:
                if self._at_work.get(client) is task:
                    del self._at_work[client]


def in_turn(work: Callable[[StopSignal], R]) -> R:
    """Do the work of the current request in the server's pool, one at a time for its client."""
    turns = current_app.extensions[TURNS]
    assert isinstance(turns, Turns)
    return turns.run(all_searches(), asking_client(), work, client_gone())
