"""`Runs`: the experiments that clients have started; one at a time for each, and few in all.

An experiment runs in the pool of the searches, and leaves at least half of it to them. Its client
watches it as a stream of events. It can be asked to stop, and then keeps what it has; if the client
leaves, it ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rl_toolkit.analysis import EngineError
from rl_toolkit.arena import EngineFailedError
from rl_toolkit.experiments import (
    Experiment,
    NothingMeasuredError,
    Progress,
    Result,
    Settings,
    SoFar,
    run_experiment,
)
from rl_toolkit.utils import duration
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.web.json_fields import BadRequestError
from rl_toolkit.web.responses import Json
from rl_toolkit.web.searches import REFUSALS, Event, Gone, Searches, refusal_event
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.job_pool import PoolFullError

#: Where the app keeps its `Runs`.
RUNS = "rl_toolkit.runs"

#: Seconds between two looks at an experiment, two messages of progress, and two tables.
_TICK, _BETWEEN, _TABLES = 0.04, 0.15, 0.7
#: Seconds after which a stream without news sends a sign of life, and a busy server is asked again.
_HEARTBEAT, _LATER = 1.0, 5


#: Why an experiment was stopped that nobody stopped.
_LATE = "This server lets an experiment run for {}; the terminal has no such limit."


class State(NamedTuple):
    """How far an experiment is, and its latest table."""

    progress: Progress | None
    table: Json | None


RunTask = BackgroundTask[State, Json]


class Runs:
    """The experiments that run now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_work: dict[Client, RunTask] = {}

    def start(
        self,
        searches: Searches,
        client: Client,
        experiment: Experiment,
        settings: Settings,
        answer: Callable[[Result], Json],
        gone: Gone,
    ) -> Iterator[Event]:
        """Start an experiment for a client and give its events.

        `BadRequestError` if this client has one that runs, `PoolFullError` if too many others have.
        """

        def work(task: RunTask) -> Json:
            return _measured(task, experiment, settings, answer)

        with self._lock:
            if client in self._at_work:
                raise BadRequestError("your other experiment still runs; stop it first", 429)
            if len(self._at_work) >= max(1, searches.limits.slots // 2):
                raise PoolFullError(_LATER)
            task: RunTask = searches.pool.submit(client, work)
            self._at_work[client] = task
        return _Watching(self, client, task, searches, gone)

    def stop(self, client: Client) -> bool:
        """Ask the client's experiment to stop; whether there is one."""
        with self._lock:
            task = self._at_work.get(client)
        if task is not None:
            task.stop.set()
        return task is not None

    def forget(self, client: Client, task: RunTask) -> None:
        """Take out what has ended, and end what nobody watches any more."""
        task.stop.set()
        with self._lock:
            if self._at_work.get(client) is task:
                del self._at_work[client]


def _measured(
    task: RunTask, experiment: Experiment, settings: Settings, answer: Callable[[Result], Json]
) -> Json:
    """Run the experiment in a thread of the pool, with a table now and then."""
    state = State(None, None)
    drawn = time.monotonic()

    def on_progress(progress: Progress) -> None:
        nonlocal state
        state = state._replace(progress=progress)
        task.report(state)

    def on_found(so_far: SoFar) -> None:
        nonlocal state, drawn
        if time.monotonic() - drawn > _TABLES:
            state = state._replace(table=answer(so_far()))
            drawn = time.monotonic()  # after drawing, which takes time itself
            task.report(state)

    try:
        return answer(
            run_experiment(
                experiment, settings, on_progress=on_progress, on_found=on_found, stop=task.stop
            )
        )
    except EngineFailedError as failed:  # a ValueError, but not the fault of the client
        raise EngineError(failed.engine, failed.reason, failed.position) from failed
    except NothingMeasuredError as nothing:
        raise BadRequestError(f"{nothing}"[0].upper() + f"{nothing}."[1:]) from nothing
    except ValueError as refused:
        raise BadRequestError(str(refused)) from refused


class _Watching(Iterator[Event]):
    """The events of one experiment: ``queued``, ``progress``, ``table``, and ``done``.

    Not a generator: closing it ends the experiment even before the first event was asked for.
    """

    def __init__(
        self, runs: Runs, client: Client, task: RunTask, searches: Searches, gone: Gone
    ) -> None:
        self._runs, self._client, self._task = runs, client, task
        self._searches, self._gone = searches, gone
        self._seen = State(None, None)
        self._spoken = time.monotonic()
        self._begun: float | None = None
        self._late = False
        self._place = -1
        self._over = False

    def __next__(self) -> Event:
        if self._over:
            raise StopIteration
        while not self._task.wait(_TICK):
            if self._gone():
                self.close()
                raise StopIteration
            self._watch_clock()
            event = self._news()
            if event is not None:
                self._spoken = time.monotonic()
                return event
        self.close()
        return self._end()

    def close(self) -> None:
        """Nobody watches any more."""
        self._over = True
        self._runs.forget(self._client, self._task)

    def _watch_clock(self) -> None:
        """Stop what has run for too long, and what has waited too long for its turn."""
        limits, now = self._searches.limits, time.monotonic()
        if self._begun is None and self._task.started.is_set():
            self._begun = now
        too_long = self._task.elapsed > limits.patience
        if self._begun is not None:
            too_long = now - self._begun > limits.experiment_time
            self._late = too_long
        if too_long:
            self._task.stop.set()

    def _news(self) -> Event | None:
        quiet = time.monotonic() - self._spoken
        if not self._task.started.is_set():
            place = self._searches.pool.place_in_line(self._task)
            if place != self._place:
                self._place = place
                return Event("queued", {"ahead": place})
        latest = self._task.latest or self._seen
        if latest.table is not self._seen.table and latest.table is not None:
            self._seen = self._seen._replace(table=latest.table)
            return Event("table", latest.table)
        if quiet > _BETWEEN and latest.progress != self._seen.progress and latest.progress:
            self._seen = self._seen._replace(progress=latest.progress)
            return Event("progress", latest.progress._asdict())
        return Event() if quiet > _HEARTBEAT else None

    def _end(self) -> Event:
        try:
            found = self._task.result()
            if self._late and found["stopped"]:
                most = duration(self._searches.limits.experiment_time)
                found = {**found, "stopped": f"{found['stopped']} {_LATE.format(most)}"}
            return Event("done", found)
        except REFUSALS as error:
            return refusal_event(error)
