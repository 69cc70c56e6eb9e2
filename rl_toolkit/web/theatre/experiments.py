"""Experiments as pages: a table, a chart and two questions each.

``/theatre/experiments`` lists them, ``/theatre/experiments/ID`` has the form of one. ``POST
/api/experiments/ID`` with its settings runs it and streams ``progress``, now and then a ``table``
of what there is, and at the end ``done`` with the same fields; ``POST /api/experiments/stop`` ends
the client's own one, which keeps what it has. The terminal runs the same descriptions.
"""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response, abort, current_app, jsonify, render_template
from flask.blueprints import BlueprintSetupState

from rl_toolkit.experiments import EXPERIMENTS, Experiment, Result, Settings, read_settings
from rl_toolkit.web.api import (
    all_searches,
    asking_client,
    body_fields,
    client_gone,
    event_stream,
)
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.exchange.responses import Json
from rl_toolkit.web.theatre.runs import RUNS, start
from rl_toolkit.web.theatre.turns import Turns

routes = Blueprint("experiments", __name__)


class Related(NamedTuple):
    """A page to look at beside an experiment: its endpoint, and the words of the link."""

    endpoint: str
    words: str


_SEARCH = Related("theatre.search", "Watch alpha-beta cut, step by step")
_TREE = Related("theatre.mcts.page", "Watch a tree grow, simulation by simulation")
_ARMS = Related("theatre.bandits.page", "Pull the arms yourself")

#: Where the same thing can be watched.
RELATED = {
    "node-counts": _SEARCH,
    "depth": _SEARCH,
    "move-order": _SEARCH,
    "mcts-values": _TREE,
    "strength-by-simulations": _TREE,
    "strength-by-c": _TREE,
    "regret": _ARMS,
}


@routes.record_once
def _remember_runs(state: BlueprintSetupState) -> None:
    state.app.extensions[RUNS] = Turns()


def _runs() -> Turns:
    runs = current_app.extensions[RUNS]
    assert isinstance(runs, Turns)
    return runs


def _experiment(experiment_id: str) -> Experiment:
    """The experiment of exactly that id, else a 404."""
    return EXPERIMENTS.get(experiment_id) or abort(404)


@routes.get("/theatre/experiments")
def page() -> str:
    """All experiments."""
    return render_template("theatre/experiments.html", experiments=EXPERIMENTS.values())


@routes.get("/theatre/experiments/<experiment_id>")
def experiment_page(experiment_id: str) -> str:
    """One experiment: its settings, and room for its result."""
    experiment = _experiment(experiment_id)
    ids = list(EXPERIMENTS)
    place = ids.index(experiment.id)
    return render_template(
        "theatre/experiment.html",
        experiment=experiment,
        command=experiment.command({}),
        related=RELATED.get(experiment.id),
        before=EXPERIMENTS[ids[place - 1]] if place else None,
        after=EXPERIMENTS[ids[place + 1]] if place + 1 < len(ids) else None,
    )


@routes.post("/api/experiments/stop")
def stop() -> Response:
    """Stop the client's experiment; it ends with what it has."""
    body_fields().finish()
    return jsonify(stopping=_runs().stop(asking_client()))


@routes.post("/api/experiments/<experiment_id>")
def run(experiment_id: str) -> Response:
    """Run an experiment with the settings in the body, as a stream of events."""
    experiment, fields = _experiment(experiment_id), body_fields()
    given = {setting.name: fields.raw(setting.name) for setting in experiment.settings}
    fields.finish()
    try:
        settings = read_settings(experiment.settings, given, on_page=True)
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    return event_stream(
        start(
            _runs(),
            all_searches(),
            asking_client(),
            experiment,
            settings,
            lambda result: answer_of(result, experiment, settings),
            client_gone(),
        )
    )


def answer_of(result: Result, experiment: Experiment, settings: Settings) -> Json:
    """A result as a page shows it: text in cells, the table as CSV, four pictures."""
    chart = result.chart
    return {
        "title": result.title,
        "head": result.head,
        "rows": result.rows,
        "remarks": list(result.remarks),
        "stopped": result.stopped,
        "command": experiment.command(settings),
        "csv": result.to_csv(),
        "chart": chart.title,
        "svg": {
            "light": chart.to_svg(),
            "dark": chart.to_svg(dark=True),
            "light_narrow": chart.to_svg(narrow=True),
            "dark_narrow": chart.to_svg(dark=True, narrow=True),
        },
    }
