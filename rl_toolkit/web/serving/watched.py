"""`Watched`: a state of the server that pages watch while it changes, as a stream of events."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from rl_toolkit.web.json_fields import BadRequestError
from rl_toolkit.web.responses import Json
from rl_toolkit.web.searches import Event, Gone

#: Seconds without a change after which a page gets a sign of life.
_HEARTBEAT = 1.0

#: Given the number of the last state seen and a time in seconds: the next state and its number.
Wait = Callable[[int, float], tuple[int, Json]]


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
    """The events of one page.

    Not a generator: closing it gives the place back even before it has begun.
    """

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
