"""The experiments that clients have started: one at a time for each, and few in all.

An experiment runs in the pool of the searches, and leaves at least half of it to them. Its client
watches it as a stream of events. It can be asked to stop, and then keeps what it has; if the client
leaves, it ends.
"""

from __future__ import annotations

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
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.exchange.responses import Json
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.searches import Searches
from rl_toolkit.web.serving.streams import Event, Gone, TaskStream
from rl_toolkit.web.theatre.turns import Turns

#: Where the app keeps the `Turns` of experiments.
RUNS = "rl_toolkit.runs"

#: Seconds between two messages of progress, and between two tables.
_BETWEEN, _TABLES = 0.15, 0.7


#: Why an experiment was stopped that nobody stopped.
_LATE = "This server lets an experiment run for {}; the terminal has no such limit."


class State(NamedTuple):
    """How far an experiment is, and its latest table."""

    progress: Progress | None
    table: Json | None


RunTask = BackgroundTask[State, Json]


def start(
    turns: Turns,
    searches: Searches,
    client: Client,
    experiment: Experiment,
    settings: Settings,
    answer: Callable[[Result], Json],
    gone: Gone,
) -> Iterator[Event]:
    """Start an experiment for a client and give its events, up to ``done``.

    `BadRequestError` if this client has one that runs, `PoolFullError` if too many others have.
    """

    def work(task: RunTask) -> Json:
        return _measured(task, experiment, settings, answer)

    most = max(1, searches.limits.slots // 2)
    task = turns.begin(client, lambda: searches.pool.submit(client, work), most)
    clock = _Clock(task, searches.limits.experiment_time)

    def check() -> None:
        searches.check(task, gone)
        clock.check()

    def end() -> Event:
        table = task.result()
        if clock.is_over and table["stopped"]:
            late = _LATE.format(duration(clock.seconds))
            table = {**table, "stopped": f"{table['stopped']} {late}"}
        return Event("done", table)

    return TaskStream(
        task,
        searches.pool,
        check=check,
        news=_News(task),
        end=end,
        closed=lambda: turns.end(client, task),
    )


class _Clock:
    """Stops a task ``seconds`` after its work has begun."""

    def __init__(self, task: RunTask, seconds: float) -> None:
        self._task, self.seconds = task, seconds
        self._begun: float | None = None
        self.is_over = False

    def check(self) -> None:
        now = time.monotonic()
        if self._begun is None and self._task.started.is_set():
            self._begun = now
        if self._begun is not None and now - self._begun > self.seconds:
            self.is_over = True
            self._task.stop.set()


class _News:
    """Tables and progress of an experiment, not too often."""

    def __init__(self, task: RunTask) -> None:
        self._task = task
        self._seen = State(None, None)
        self._spoken = time.monotonic()

    def __call__(self) -> Event | None:
        progress, table = self._task.latest or self._seen
        now = time.monotonic()
        if table is not None and table is not self._seen.table:
            self._seen, self._spoken = self._seen._replace(table=table), now
            return Event("table", table)
        if progress and progress != self._seen.progress and now - self._spoken > _BETWEEN:
            self._seen, self._spoken = self._seen._replace(progress=progress), now
            return Event("progress", progress._asdict())
        return None


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
