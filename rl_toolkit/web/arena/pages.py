"""The page ``/arena`` and the addresses under ``/api/arena``.

Everybody may read. ``start`` and ``stop`` need ``token``, unless only this machine reaches the
server; no request names a file or a program: bots are those that the server was started with.
"""

from __future__ import annotations

from dataclasses import asdict

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request
from flask.blueprints import BlueprintSetupState

from rl_toolkit.web.api import OFFERED, SEARCHES, body_fields, client_gone, event_stream
from rl_toolkit.web.arena.hall import Hall, HallBusyError
from rl_toolkit.web.arena.plans import BOUNDS, games_offered, plan_in
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.offered import OfferedEngines

#: Where the app keeps its `Hall`.
HALL = "rl_toolkit.hall"
#: What the app is configured with: whether only this machine reaches the server.
ONLY_HERE = "RL_TOOLKIT_ONLY_HERE"
#: A report needs no script and loads nothing.
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
#: Seconds between two states that a page gets.
_PACE = 0.1

arena = Blueprint("arena", __name__)


@arena.record_once
def _open_hall(state: BlueprintSetupState) -> None:
    state.app.extensions[HALL] = Hall(needs_token=not state.app.config.get(ONLY_HERE, False))


def _hall() -> Hall:
    hall = current_app.extensions[HALL]
    assert isinstance(hall, Hall)
    return hall


def _offered() -> OfferedEngines:
    offered = current_app.extensions[OFFERED]
    assert isinstance(offered, OfferedEngines)
    return offered


@arena.get("/arena")
def page() -> str:
    """Watch the tournament of this server, and start one with the token."""
    return render_template("arena/arena.html", bounds=BOUNDS, needs_token=_hall().needs_token)


@arena.get("/api/arena/games")
def offers() -> Response:
    """The games and levels that can be chosen, and the bounds."""
    return jsonify(games=games_offered(_offered()), bounds=asdict(BOUNDS))


@arena.get("/arena/<int:number>/player")
def player(number: int) -> Response:
    """The page of a player of the last tournament: who beat it, and how."""
    found = _hall().page_of(number, request.args.get("name", ""))
    if found is None:
        abort(404)
    response = Response(found, mimetype="text/html")
    response.headers["Content-Security-Policy"] = _REPORT_POLICY
    return response


@arena.post("/api/arena/events")
def events() -> Response:
    """The state of the hall, now and whenever it changes, as server-sent events."""
    body_fields().finish()
    hall = _hall()
    return event_stream(hall.watched.states(hall.visit(), client_gone(), pace=_PACE))


@arena.post("/api/arena/start")
def start() -> Response:
    """Begin a tournament; its number."""
    fields = body_fields()
    hall = _admitted(fields)
    plan = plan_in(fields, _offered(), current_app.extensions[SEARCHES].limits)
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
