"""Connections under waitress: who may hold how many, how long a request may take to arrive.

A client that sends its request byte by byte, or that opens hundreds of connections, would keep the
others out. A request has to be complete some seconds after its first byte, otherwise its connection
is closed; and one address holds at most half of all connections. Errors that waitress finds are
sentences in JSON, as those of the application are.
"""

from __future__ import annotations

import json
import time
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from rl_toolkit.web.api import OUR_MISTAKE
from rl_toolkit.web.app import HEADERS, SENTENCES
from rl_toolkit.web.serving.limits import ServerLimits


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads that answer requests: a new one when all are busy, up to ``most``."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def add_task(self, task: Any) -> None:
        """Let a thread answer ``task``, or the next one that is free."""
        with self.lock:
            self.queue.append(task)
            self.queue_cv.notify()
            count = len(self.threads)
            idle = count - self.active_count
        if len(self.queue) > idle and count < self._most:
            self.set_thread_count(count + 1)


class Connections:
    """Makes the connections of a server; waitress calls it for every client it has accepted."""

    def __init__(self, limits: ServerLimits, trusted_proxy: str | None = None) -> None:
        self._seconds = limits.request_time
        self._most = limits.connections_of_an_address
        self._trusted_proxy = trusted_proxy

    def __call__(self, server: Any, sock: Any, addr: Any, adj: Any, **where: Any) -> None:
        """Keep the connection, or close it if its address holds too many."""
        others = where["map"].values()
        held = sum(isinstance(one, _Connection) and one.addr[0] == addr[0] for one in others)
        if held >= self._most and addr[0] != self._trusted_proxy:
            sock.close()
        else:
            _Connection(server, sock, addr, adj, **where).seconds = self._seconds


class _Connection(HTTPChannel):  # type: ignore[misc]
    """A connection that is closed if a request does not arrive completely in time."""

    seconds: float

    def readable(self) -> bool:
        """Whether more may be read; waitress asks at least once a second."""
        if self.request is not None and self.requests:  # another one is answered first
            self.request.begun = time.monotonic()
        late = self.request is not None and time.monotonic() - self.request.begun > self.seconds
        if late and super().readable():
            self.will_close = True
        return bool(super().readable())

    class parser_class(HTTPRequestParser):  # type: ignore[misc]  # noqa: N801
        """Reads one request; it is made when the first byte arrives."""

        def __init__(self, adj: Any) -> None:
            super().__init__(adj)
            self.begun = time.monotonic()

    class error_task_class(ErrorTask):  # type: ignore[misc]  # noqa: N801
        """Answers what waitress refuses."""

        def __init__(self, channel: Any, request: Any) -> None:
            request.error = _Refusal(request.error.code, request.error.reason)
            super().__init__(channel, request)


class _Refusal:
    """An error that waitress finds, in the words of the application."""

    def __init__(self, code: int, reason: str) -> None:
        self._code, self._reason = code, reason

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status, headers and body."""
        text = SENTENCES.get(self._code, OUR_MISTAKE)
        headers = [("Content-Type", "application/json"), *HEADERS.items()]
        return f"{self._code} {self._reason}", headers, json.dumps({"error": text}).encode()
