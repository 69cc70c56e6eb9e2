"""``POST /api/trace``: the search of an engine as data, with its sentences.

The body names a position as everywhere (see `web.exchange.requests`), or a ``tree`` in the notation
of `envs.hand_trees`; an ``engine`` that can be traced, and ``depth``, ``simulations`` or ``seed``.
The answer has three parts:

``trace``
    the document of `algorithms.traces`.
``told``
    its sentences in columns: ``text`` are places in ``texts``, ``event`` and ``depth`` are those of
    `explain.traces.Line`. With ``sentences`` false it is null.
``leaves``
    of a tree that was typed, by the number of each move: the name, the value of a leaf as people
    read it (empty for an inner node), and the moves below; left out for other games.
``look``
    how the board is drawn: ``style`` and ``row_one_at`` of the game's traits, its ``title``.

A trace is bounded in events, bytes, positions and time by the server's limits: what is too large is
folded or refused with a sentence.
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import count
from typing import Any

from flask import Blueprint, Response, jsonify

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import (
    ESTIMATE,
    Trace,
    TraceBounds,
    TraceError,
    trace_search,
    without_heuristic,
)
from rl_toolkit.analysis import Limit, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.hand_trees import (
    MOST_TEXT,
    HandTree,
    HandTreeGame,
    TreeNotationError,
    number_text,
)
from rl_toolkit.explain.traces import tell
from rl_toolkit.web.api import body_fields, offered_engines, server_limits
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.looks import look_of
from rl_toolkit.web.serving.limits import ServerLimits
from rl_toolkit.web.theatre.own import is_own, own_trace
from rl_toolkit.web.theatre.turns import in_turn

routes = Blueprint("traces", __name__)

#: The events of a trace whose depth is chosen here.
FITTING = 2_500


@routes.post("/api/trace")
def trace() -> Response:
    """A search, event by event."""
    fields, limits = body_fields(), server_limits()
    env = requests.running(position_in(fields, limits))
    if is_own(fields.raw("engine")):
        return own_trace(fields, env, trace_bounds(limits))
    engine, limit = requests.traced_in(fields, env, limits, offered_engines())
    wants_sentences = fields.switch("sentences", default=True)
    fits, has_heuristic = fields.switch("fit"), fields.switch("heuristic", default=True)
    if fits and limit.depth is not None:
        raise BadRequestError("give a depth or fit, not both")
    if fits and not isinstance(engine, MinimaxSolver):
        raise BadRequestError("fit chooses a depth, so it goes with minimax")
    fields.finish()
    searched = env if has_heuristic else without_heuristic(env)
    bounds = trace_bounds(limits)
    recorded = _fitting if fits and not env.traits.free_results else trace_search
    try:
        found = in_turn(lambda stop: recorded(searched, engine, limit, bounds=bounds, stop=stop))
    except TraceError as error:
        raise BadRequestError(str(error)) from error
    except TypeError as error:
        raise BadRequestError(str(error)) from error
    return jsonify(
        trace=found.data,
        told=_told(found) if wants_sentences else None,
        look=trace_look(env),
        **({"leaves": _leaves(env.tree)} if isinstance(env, HandTreeGame) else {}),
    )


def position_in(fields: Fields, limits: ServerLimits) -> BaseGameEnv:
    """The position to be searched; the root of a ``tree`` that was typed, where there is one."""
    fields.declare("tree")
    if not fields.has("tree"):
        return requests.position_in(fields, limits)
    if fields.has("game"):
        raise BadRequestError("give tree or game, not both")
    try:
        return HandTreeGame(fields.text("tree", longest=MOST_TEXT))
    except TreeNotationError as error:
        raise BadRequestError(str(error)) from error


def _fitting(
    env: BaseGameEnv, engine: object, limit: Limit, *, bounds: TraceBounds, stop: StopSignal
) -> Trace:
    """The deepest search that is told completely in few events."""
    few = replace(bounds, events=min(FITTING, bounds.events), nodes=min(FITTING, bounds.nodes))
    ends = time.monotonic() + (bounds.seconds or 0)
    best: Trace | None = None
    for depth in count(1):
        if bounds.seconds is not None:
            few = replace(few, seconds=max(1e-3, ends - time.monotonic()))
        try:
            found = trace_search(env, engine, replace(limit, depth=depth), bounds=few, stop=stop)
        except TraceError:
            if best is None:
                raise
            return best
        if best is not None and found.data.get("folded"):
            return best
        if ESTIMATE not in found.data["events"]["kind"]:  # every line ended before the depth limit
            return trace_search(
                env, engine, limit, bounds=replace(bounds, seconds=few.seconds), stop=stop
            )
        told, before = _events(found), 1 if best is None else _events(best)
        if told * told / before > FITTING:  # one ply more would be too many
            return found
        best = found
    raise AssertionError


def _events(trace: Trace) -> int:
    return len(trace.data["events"]["kind"])


def trace_bounds(limits: ServerLimits) -> TraceBounds:
    """How large a trace over HTTP may become."""
    return TraceBounds(
        events=limits.trace_events,
        bytes=limits.trace_bytes,
        nodes=limits.trace_nodes,
        seconds=min(limits.trace_time, limits.time),
    )


def trace_look(env: BaseGameEnv) -> dict[str, Any]:
    """How the game of a trace is drawn."""
    return look_of(env, "title", "has_grid", "free_results")


def _leaves(tree: HandTree) -> dict[int, tuple[str, str, list[int]]]:
    """All of a tree, also what the search leaves out; a move has the number of its node."""
    return {
        node.number: (
            node.name,
            "" if node.value is None else number_text(node.value).replace("-", "−"),
            [child.number for child in node.children],
        )
        for node in tree.nodes[1:]
    }


def _told(trace: Trace) -> dict[str, list[Any]]:
    places: dict[str, int] = {}
    lines = list(tell(trace))
    text = [places.setdefault(line.text, len(places)) for line in lines]
    return {
        "texts": list(places),
        "text": text,
        "event": [line.event for line in lines],
        "depth": [line.depth for line in lines],
    }
