"""Tree search on stage: one simulation at a time, by playouts or with a network.

``POST /api/simulations`` names a position as everywhere (see `web.exchange.requests`), an
``engine`` (``mcts`` or ``alphazero``), the constant ``c``, a ``playout`` (`PLAYOUTS`; not for
``alphazero``), a ``seed``, and how many ``simulations``. The answer has these parts:

``tree``
    the document of `algorithms.traces.mcts`, with every simulation folded. Left out if the request
    says ``"tree": false``: then no more simulations run than the window needs. The same request
    always runs the same simulations, so windows of one search fit together.
``window``
    ``count`` simulations from number ``first`` in full, with their ``sentences`` step by step.
``told``
    the sentences before the first and after the last simulation.
``look``
    how the board is drawn, as in ``/api/trace``.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from rl_toolkit.algorithms.traces import Simulation, Trace, TraceError, trace_search
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.traces import tell_ends, tell_steps
from rl_toolkit.players import Spec
from rl_toolkit.utils import listed, shown
from rl_toolkit.web.api import body_fields, families, offered_engines, server_limits
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.theatre.own import PREFIX, is_own, own_simulations, searches_here
from rl_toolkit.web.theatre.traces import trace_bounds, trace_look
from rl_toolkit.web.theatre.turns import in_turn

routes = Blueprint("mcts", __name__)

#: The simulations of one search, and of one window.
MOST_SIMULATIONS, MOST_IN_WINDOW = 3000, 60
#: The events of one window; with more, fewer simulations are in it.
WINDOW_EVENTS = 6000
USUAL_SIMULATIONS = 200
LARGEST_C = 10.0

#: What a simulation ends with: the options of the engine, and the words on the page.
PLAYOUTS: dict[str, tuple[dict[str, Any], str]] = {
    "random": ({"tactics": False}, "Random moves"),
    "tactics": ({"tactics": True}, "Take wins, block threats"),
    "short": ({"tactics": False, "playout_depth": 4}, "4 moves, then an estimate"),
    "none": ({"tactics": False, "playout_depth": 0}, "None: an estimate at once"),
}
#: The constant of each engine, its usual value, and options that make the search a textbook's.
ENGINES: dict[str, tuple[str, float, dict[str, Any]]] = {
    "mcts": ("c", 1.41, {}),
    "alphazero": ("cpuct", 1.5, {"batch": 1, "tactics": False, "root_prior_power": 1}),
}


@routes.get("/theatre/mcts")
def page() -> str:
    """The page; its script reads position and options in the address."""
    return render_template(
        "theatre/mcts.html",
        games=families(),
        playouts={name: words for name, (_, words) in PLAYOUTS.items()},
        constants={name: usual for name, (_, usual, _) in ENGINES.items()},
        most=MOST_SIMULATIONS,
        in_window=MOST_IN_WINDOW,
        usual=USUAL_SIMULATIONS,
        own=[(PREFIX + each.id, each.title) for each in searches_here("mcts")],
    )


@routes.post("/api/simulations")
def simulations() -> Response:
    """A tree search, with a window of simulations in full."""
    fields, limits = body_fields(), server_limits()
    env = requests.running(requests.position_in(fields, limits))
    if is_own(fields.raw("engine")):
        bounds = trace_bounds(limits)
        return own_simulations(
            fields, env, bounds, MOST_SIMULATIONS, USUAL_SIMULATIONS, MOST_IN_WINDOW
        )
    spec = _engine_in(fields, env)
    asked = fields.whole("simulations", 1, MOST_SIMULATIONS) or USUAL_SIMULATIONS
    first = fields.whole("first", 0, MOST_SIMULATIONS - 1) or 0
    count = fields.whole("count", 1, MOST_IN_WINDOW) or MOST_IN_WINDOW
    wants_tree = fields.switch("tree", default=True)
    seed = fields.raw("seed")
    fields.finish()
    if not wants_tree:
        asked = min(asked, first + count)
    chosen = Fields({"engine": spec, "seed": seed, "simulations": asked})
    engine, limit = requests.traced_in(chosen, env, limits, offered_engines())
    most = trace_bounds(limits)
    bounds = replace(most, first=first, events=min(most.events, WINDOW_EVENTS))
    try:
        found = in_turn(lambda stop: trace_search(env, engine, limit, bounds=bounds, stop=stop))
    except (TraceError, TypeError) as error:
        raise BadRequestError(str(error)) from error
    start, end = tell_ends(found)
    return jsonify(
        told={"start": start, "end": end},
        tree=_folded(found) if wants_tree else None,
        window=_window(found, first, count),
        look=trace_look(env),
    )


def _engine_in(fields: Fields, env: BaseGameEnv) -> str:
    """The spec of the engine that the fields describe, as text."""
    if env.traits.free_results:
        raise BadRequestError(
            "the results of this game are not 1, 0 and -1, so playouts cannot be averaged here"
        )
    name = fields.text("engine", "mcts", longest=20)
    if name not in ENGINES:
        raise BadRequestError(f"engine is {' or '.join(ENGINES)}, not {shown(name)}")
    constant, usual, textbook = ENGINES[name]
    c = fields.raw("c")
    if c is None:
        c = usual
    is_number = isinstance(c, (int, float)) and not isinstance(c, bool) and math.isfinite(c)
    if not is_number or not 0 <= c <= LARGEST_C:
        raise BadRequestError(f"c is a number from 0 to {LARGEST_C:g}, not {shown(c)}")
    fields.declare("playout", "proofs")
    if name == "mcts":
        playout = fields.text("playout", "random", longest=20)
        if playout not in PLAYOUTS:
            raise BadRequestError(f"playout is one of {listed(PLAYOUTS)}, not {shown(playout)}")
        textbook = PLAYOUTS[playout][0] | {"proofs": fields.switch("proofs")}
    return str(Spec(name).with_(**{constant: float(c)}, **textbook))


def _folded(trace: Trace) -> dict[str, Any]:
    folded = [Simulation(*fields).folded.row() for fields in trace.data["simulations"]]
    return {**trace.data, "notes": [], "simulations": folded}


def _window(trace: Trace, first: int, count: int) -> dict[str, Any]:
    """The simulations from ``first`` that are told in full, and the sentences of their steps."""
    found = []
    for fields in trace.data["simulations"][first : first + count]:
        if Simulation(*fields).terms is None:
            break
        found.append(fields)
    return {
        "first": first,
        "simulations": found,
        "sentences": tell_steps(trace, first, len(found)),
        "names": trace.data["names"],
    }
