"""The addresses under ``/api/lab``: the student's folder that this server was started for.

``POST /api/lab/events`` streams the state, ``/api/lab/check`` checks again, ``/api/lab/hint`` gives
a hint. No request names a file.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify

from rl_toolkit.labs import LabError
from rl_toolkit.web.api import body_fields, client_gone, event_stream
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.learn.workspace import Workspace

#: Where the app keeps its `Workspace`.
WORKSPACE = "rl_toolkit.workspace"

live = Blueprint("live", __name__, url_prefix="/api/lab")


def workspace() -> Workspace | None:
    """The student's folder of this server."""
    student = current_app.extensions[WORKSPACE]
    return student if isinstance(student, Workspace) else None


def _needed() -> Workspace:
    student = workspace()
    if student is None:
        raise BadRequestError(
            "this server was not started for the folder of a lab; `rl-toolkit lab web DIR` is", 404
        )
    return student


@live.post("/events")
def events() -> Response:
    """The state of the folder, now and whenever it changes, as server-sent events."""
    body_fields().finish()
    student = _needed()
    return event_stream(student.watched.states(student.wait, client_gone()))


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
    student = _needed()
    task = fields.whole("task", 1, 99)
    fields.finish()
    if task is None:
        raise BadRequestError("task is missing")
    try:
        student.hint(task)
    except LabError as error:
        raise BadRequestError(str(error)) from error
    except OSError as error:
        reason = error.strerror or "the progress cannot be written"
        raise BadRequestError(f"the hint cannot be counted: {reason}", 409) from error
    _, state = student.wait(-1, 0)
    return jsonify(hints=state["hints"][str(task)])
