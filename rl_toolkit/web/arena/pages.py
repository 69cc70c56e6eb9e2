"""The page ``/arena`` and the addresses under ``/api/arena``.

Everybody may read. ``start`` and ``stop`` need ``token``; no request names a file or an engine that
is not a level of this server.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import asdict

from flask import Blueprint, Response, current_app, jsonify, render_template
from flask.blueprints import BlueprintSetupState

from rl_toolkit.web.api import OFFERED, body_fields, client_gone, event_stream
from rl_toolkit.web.arena.hall import Hall, HallBusyError
from rl_toolkit.web.arena.plans import BOUNDS, games_offered, plan_in
from rl_toolkit.web.json_fields import BadRequestError, Fields
from rl_toolkit.web.offered import OfferedEngines
from rl_toolkit.web.searches import Event, Gone

#: Where the app keeps its `Hall`, and the places of those who watch.
HALL, PLACES = "rl_toolkit.hall", "rl_toolkit.hall_places"
#: The most pages that watch at the same time: each one holds a thread of the server.
MOST_WATCHERS = 12
#: Seconds without news after which a page hears a sign of life, and between two states.
_HEARTBEAT, _PACE = 1.0, 0.1

arena = Blueprint("arena", __name__)


@arena.record_once
def _open_hall(state: BlueprintSetupState) -> None:
    state.app.extensions[HALL] = Hall()
    state.app.extensions[PLACES] = threading.BoundedSemaphore(MOST_WATCHERS)


def _hall() -> Hall:
    found = current_app.extensions[HALL]
    assert isinstance(found, Hall)
    return found


def _offered() -> OfferedEngines:
    found = current_app.extensions[OFFERED]
    assert isinstance(found, OfferedEngines)
    return found


@arena.get("/arena")
def page() -> str:
    """Watch the tournament of this server, and start one with the token."""
    return render_template("arena/arena.html", bounds=BOUNDS)


@arena.get("/api/arena/games")
def offers() -> Response:
    """The games and levels that can be chosen, and the bounds."""
    return jsonify(games=games_offered(_offered()), bounds=asdict(BOUNDS))


@arena.post("/api/arena/events")
def events() -> Response:
    """The state of the hall, now and whenever it changes, as server-sent events."""
    body_fields().finish()
    places = current_app.extensions[PLACES]
    assert isinstance(places, threading.Semaphore)
    if not places.acquire(blocking=False):
        raise BadRequestError("too many pages watch the arena; close one of them", 429)
    return event_stream(_States(_hall(), client_gone(), places))


class _States(Iterator[Event]):
    """The states of the hall until the client leaves; each has only the games that are new.

    Not a generator: closing it gives the place back even before it has begun.
    """

    def __init__(self, hall: Hall, gone: Gone, places: threading.Semaphore) -> None:
        self._hall, self._gone, self._places = hall, gone, places
        self._seen, self._games, self._is_open = -1, (0, 0), True

    def __next__(self) -> Event:
        if self._gone() or not self._is_open:
            raise StopIteration
        if self._seen >= 0:
            time.sleep(_PACE)
        version, state = self._hall.wait(self._seen, self._games, _HEARTBEAT)
        if version == self._seen:
            return Event()
        self._seen = version
        if now := state["now"]:
            self._games = (now["number"], now["since"] + len(now["games"]))
        return Event("state", state)

    def close(self) -> None:
        """Give the place back, once."""
        if self._is_open:
            self._is_open = False
            self._places.release()


@arena.post("/api/arena/start")
def start() -> Response:
    """Begin a tournament; its number."""
    fields = body_fields()
    hall = _admitted(fields)
    plan = plan_in(fields, _offered())
    fields.finish()
    try:
        return jsonify(number=hall.start(plan))
    except HallBusyError as busy:
        raise BadRequestError(str(busy), 409) from busy


@arena.post("/api/arena/stop")
def stop() -> Response:
    """End the tournament that is played; its table stays."""
    fields = body_fields()
    hall = _admitted(fields)
    fields.finish()
    return jsonify(stopped=hall.stop())


def _admitted(fields: Fields) -> Hall:
    """The hall, for those who know its token."""
    hall = _hall()
    if not hall.knows(fields.text("token", longest=100).strip()):
        raise BadRequestError(
            "this needs the token that the terminal showed when the server was started", 403
        )
    return hall
