"""The addresses under ``/api/lab``: the student's folder that this server was started for.

``POST /api/lab/events`` streams the state, ``/api/lab/check`` checks again, ``/api/lab/hint`` gives
a hint. No request names a file.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from flask import Blueprint, Response, current_app, jsonify

from rl_toolkit.labs import LabError
from rl_toolkit.web.api import body_fields, client_gone, event_stream
from rl_toolkit.web.json_fields import BadRequestError
from rl_toolkit.web.learn.workspace import Workspace
from rl_toolkit.web.searches import Event, Gone

#: Where the app keeps its `Workspace`, and how many pages are watching it.
WORKSPACE, WATCHERS = "rl_toolkit.workspace", "rl_toolkit.watchers"
#: The most pages that watch at the same time: each one holds a thread of the server.
MOST_WATCHERS = 8
#: Seconds without news after which a page hears a sign of life.
_HEARTBEAT = 1.0

live = Blueprint("live", __name__, url_prefix="/api/lab")


def workspace() -> Workspace | None:
    """The student's folder of this server."""
    found = current_app.extensions[WORKSPACE]
    return found if isinstance(found, Workspace) else None


def _needed() -> Workspace:
    found = workspace()
    if found is None:
        raise BadRequestError(
            "this server was not started for the folder of a lab; `rl-toolkit lab web DIR` is", 404
        )
    return found


@live.post("/events")
def events() -> Response:
    """The state of the folder, now and whenever it changes, as server-sent events."""
    body_fields().finish()
    found, places = _needed(), current_app.extensions[WATCHERS]
    assert isinstance(places, threading.Semaphore)
    if not places.acquire(blocking=False):
        raise BadRequestError("too many pages watch this folder; close one of them", 429)
    return event_stream(_States(found, client_gone(), places))


class _States(Iterator[Event]):
    """The states of a folder until the client leaves.

    Not a generator: closing it gives the place back even before it has begun.
    """

    def __init__(self, found: Workspace, gone: Gone, places: threading.Semaphore) -> None:
        self._found, self._gone, self._places = found, gone, places
        self._seen, self._is_open = -1, True

    def __next__(self) -> Event:
        if self._gone() or not self._is_open:
            raise StopIteration
        version, state = self._found.wait(self._seen, _HEARTBEAT)
        if version == self._seen:
            return Event()
        self._seen = version
        return Event("state", state)

    def close(self) -> None:
        """Give the place back, once."""
        if self._is_open:
            self._is_open = False
            self._places.release()


@live.post("/check")
def check() -> Response:
    """Check again, with positions drawn anew; the result comes with the events."""
    body_fields().finish()
    _needed().check_again()
    return jsonify(checking=True)


@live.post("/hint")
def hint() -> Response:
    """Give the next hint for ``task`` and count it, as the terminal does."""
    fields = body_fields()
    found = _needed()
    task = fields.whole("task", 1, 99)
    fields.finish()
    if task is None:
        raise BadRequestError("task is missing")
    try:
        found.hint(task)
    except LabError as error:
        raise BadRequestError(str(error)) from error
    except OSError as error:
        reason = error.strerror or "the progress cannot be written"
        raise BadRequestError(f"the hint cannot be counted: {reason}", 409) from error
    _, state = found.wait(-1, 0)
    return jsonify(hints=state["hints"][str(task)])
