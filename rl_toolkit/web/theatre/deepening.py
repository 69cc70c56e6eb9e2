"""Iterative deepening on stage: ``POST /api/deepening``, and its page.

The body names a position as everywhere, the greatest ``depth``, and whether each search orders its
moves by the last one (``ordering``). The answer has a trace for each depth in ``searches``, a
sentence for each in ``told`` and one on the price at its end, and how many positions the last depth
visits ``at_once``.
"""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, jsonify, render_template

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import TraceError, trace_deepening
from rl_toolkit.explain.traces import tell_deepening
from rl_toolkit.web.api import body_fields, families, server_limits
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.theatre.traces import trace_bounds, trace_look
from rl_toolkit.web.theatre.turns import in_turn

routes = Blueprint("deepening", __name__)

MOST_DEPTH, USUAL_DEPTH = 9, 5
#: The events of one depth; deeper searches are left out.
_EVENTS = 8_000


@routes.get("/theatre/deepening")
def page() -> str:
    """The page; its script reads game, position, depth and ordering in the address."""
    return render_template(
        "theatre/deepening.html", games=families(), most=MOST_DEPTH, usual=USUAL_DEPTH
    )


@routes.post("/api/deepening")
def deepening() -> Response:
    """Searches to depth 1, 2, …, each with what the last one learned."""
    fields, limits = body_fields(), server_limits()
    env = requests.running(requests.position_in(fields, limits))
    depth = fields.whole("depth", 1, MOST_DEPTH) or USUAL_DEPTH
    ordering = fields.switch("ordering", default=True)
    fields.finish()
    bounds = trace_bounds(limits)
    bounds = replace(bounds, events=min(_EVENTS, bounds.events))
    solver = MinimaxSolver(use_ordering=ordering)
    try:
        found = in_turn(lambda stop: trace_deepening(env, solver, depth, bounds, stop))
    except TraceError as error:
        raise BadRequestError(str(error)) from error
    return jsonify(
        searches=[trace.data for trace in found.searches],
        told=tell_deepening(found),
        at_once=found.at_once,
        look=trace_look(env),
    )
