"""Streams of events for pages: `TaskStream` follows one task of the pool, `Watched` a state.

Both send a sign of life when there has been no news for a second, end when the client leaves, and
are iterators rather than generators: closing one has its effect even before its first event.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rl_toolkit.analysis import EngineError
from rl_toolkit.utils.executors import AnyTask
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.exchange.responses import Json
from rl_toolkit.web.serving.job_pool import PoolFullError, SearchPool

#: Seconds between two looks at a task; a client who leaves is noticed after one.
TICK = 0.04
#: Seconds without news after which a page gets a sign of life.
_HEARTBEAT = 1.0

#: Whether the client has left.
Gone = Callable[[], bool]
#: Given the number of the last state seen and a time in seconds: the next state and its number.
Wait = Callable[[int, float], tuple[int, Json]]


class ClientGoneError(Exception):
    """The client has left before the answer was ready."""


@dataclass(frozen=True, slots=True)
class Event:
    """One message of a stream; an empty name is a sign of life."""

    name: str = ""
    data: Json | None = None


#: What may be wrong with a request, with an engine, or with the time at which it comes.
Refusal = BadRequestError | EngineError | PoolFullError
REFUSALS = (BadRequestError, EngineError, PoolFullError)


def refusal_event(error: Refusal) -> Event:
    """The last event of a stream that ends with an error."""
    data: Json = {"error": str(error)}
    if isinstance(error, PoolFullError):
        data["retry_after"] = error.retry_after
    elif isinstance(error, BadRequestError):
        data["refused"] = True
    return Event("error", data)


def tick(task: AnyTask, pool: SearchPool) -> float:
    """Seconds until the next look at a task: many that wait in line are looked at less often."""
    return TICK if task.started.is_set() else max(TICK, pool.waiting / 1000)


class TaskStream(Iterator[Event]):
    """The events of one task: ``queued`` while it waits, its news, and its end.

    Args:
        check: called at every look; raises `ClientGoneError` to end the stream, or a refusal to end
            it with an error.
        news: what is new since it was asked last, ``None`` for nothing.
        end: the last event, after the task has ended; may raise a refusal.
        closed: called when the stream has ended or was closed, once.
    """

    def __init__(
        self,
        task: AnyTask,
        pool: SearchPool,
        *,
        check: Callable[[], None],
        news: Callable[[], Event | None],
        end: Callable[[], Event],
        closed: Callable[[], object] = lambda: None,
    ) -> None:
        self._task, self._pool = task, pool
        self._check, self._news, self._end, self._closed = check, news, end, closed
        self._spoken = time.monotonic()
        self._ahead = -1
        self._is_open = True

    def __next__(self) -> Event:
        if not self._is_open:
            raise StopIteration
        try:
            while not self._task.wait(tick(self._task, self._pool)):
                self._check()
                event = self._news() or self._place() or self._sign_of_life()
                if event is not None:
                    self._spoken = time.monotonic()
                    return event
            self.close()
            return self._end()
        except ClientGoneError:
            self.close()
            raise StopIteration from None
        except REFUSALS as error:
            self.close()
            return refusal_event(error)

    def close(self) -> None:
        """Stop the task: its client does not watch it any more."""
        if self._is_open:
            self._is_open = False
            self._task.stop.set()
            self._closed()

    def _place(self) -> Event | None:
        """The number of tasks ahead of one that waits, when it has changed."""
        if self._task.started.is_set():
            return None
        before, self._ahead = self._ahead, self._pool.place_in_line(self._task)
        return Event("queued", {"ahead": self._ahead}) if self._ahead != before else None

    def _sign_of_life(self) -> Event | None:
        return Event() if time.monotonic() - self._spoken > _HEARTBEAT else None


class Watched(threading.Condition):
    """The lock of a state, the number of its changes, and the places of the pages that watch it.

    Each page that watches holds a thread of the server; hence the places are few.
    """

    def __init__(self, most_pages: int) -> None:
        super().__init__()
        self.version = 0
        self.most_pages = most_pages
        self._places = threading.BoundedSemaphore(most_pages)

    def tell(self) -> None:
        """Count a change, and wake those who wait for it."""
        with self:
            self.version += 1
            self.notify_all()

    def wait_past(self, seen: int, seconds: float) -> int:
        """The number of the latest change, as soon as it is not ``seen`` or the time is over.

        The caller holds the lock.
        """
        self.wait_for(lambda: self.version != seen, seconds)
        return self.version

    def states(self, wait: Wait, gone: Gone, *, pace: float = 0.0) -> Iterator[Event]:
        """The state now and after each change, until the client leaves; closing it ends it.

        Two states are at least ``pace`` seconds apart. `BadRequestError` of status 429 if all
        places are taken.
        """
        if not self._places.acquire(blocking=False):
            raise BadRequestError("too many pages watch this already; close one of them", 429)
        return _States(wait, gone, pace, self._places)


class _States(Iterator[Event]):
    """The events of one page that watches a state."""

    def __init__(
        self, wait: Wait, gone: Gone, pace: float, places: threading.BoundedSemaphore
    ) -> None:
        self._wait, self._gone, self._pace, self._places = wait, gone, pace, places
        self._seen, self._is_open = -1, True

    def __next__(self) -> Event:
        if self._gone() or not self._is_open:
            raise StopIteration
        if self._seen >= 0:
            time.sleep(self._pace)
        version, state = self._wait(self._seen, _HEARTBEAT)
        if version == self._seen:
            return Event()
        self._seen = version
        return Event("state", state)

    def close(self) -> None:
        """Give the place back, once."""
        if self._is_open:
            self._is_open = False
            self._places.release()
