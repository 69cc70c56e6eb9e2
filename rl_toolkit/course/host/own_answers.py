"""Ask a student's own solver, or their own server, as a page does."""

from __future__ import annotations

import inspect
import math
import random
from types import ModuleType
from typing import Any

import numpy as np

from rl_toolkit.course.host.own_mcts import arguments_of, ask_of, made, position_for
from rl_toolkit.envs import make_game
from rl_toolkit.utils import JsonObject

#: The characters of a text that are kept.
_LONGEST_TEXT = 300


def answered(module: ModuleType, what: JsonObject) -> JsonObject:
    """The move of the student's solver, and with ``thinking`` what it says of every move.

    Both come from searches with the same seed, so they belong together.
    """
    env = make_game(what["game"])
    env.set_position(what["board"], what["player"])
    cls = getattr(module, what["owner"])
    evaluations: Any = None
    solver = made(cls, what["simulations"])
    move = ask_of(solver)(position_for(env, what["own_games"]), **arguments_of(ask_of(solver), env))
    tell = getattr(solver, "get_candidate_evaluations", None)
    if what["thinking"] and callable(tell):
        random.seed(what["seed"])
        np.random.seed(what["seed"])
        solver = made(cls, what["simulations"])
        tell = solver.get_candidate_evaluations
        found = tell(position_for(env, what["own_games"]), **arguments_of(tell, env))
        evaluations = {str(key): _plain(value) for key, value in dict(found).items()}
    return {"action": _plain(move), "evaluations": evaluations}


def requested(module: ModuleType, what: JsonObject) -> JsonObject:
    """What the student's own server answers; status 404 if it has no such address.

    An exception of the server comes out, with its line, instead of the status 500.
    """
    app = getattr(module, "app", None)
    client = getattr(app, "test_client", None)
    if client is None:
        return {"status": 404, "data": None}
    if isinstance(settings := getattr(app, "config", None), dict):
        settings["PROPAGATE_EXCEPTIONS"] = True
    answer = client().open(what["path"], method="POST", json=what["body"])
    return {"status": int(answer.status_code), "data": _plain(answer.get_json(silent=True))}


def _plain(value: Any, depth: int = 0) -> Any:
    """Plain data; an infinite score is null, as JSON has none."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, str):
        return value if value is None else value[:_LONGEST_TEXT]
    if depth < 4 and isinstance(value, dict):
        return {str(key): _plain(each, depth + 1) for key, each in value.items()}
    if depth < 4 and isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(each, depth + 1) for each in value]
    return str(value)[:_LONGEST_TEXT] if not inspect.isclass(value) else value.__name__
