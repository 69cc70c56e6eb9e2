"""``/api/threat``: what the other side would play if it were its turn again."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from rl_toolkit.analysis import Limit, words_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Spec, make_player
from rl_toolkit.players.advisers import adviser_spec, exact_spec
from rl_toolkit.web.api import (
    all_searches,
    asking_client,
    body_fields,
    client_gone,
    offered_engines,
    server_limits,
)
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.requests import Question
from rl_toolkit.web.exchange.responses import line_on_board

routes = Blueprint("threats", __name__, url_prefix="/api")

#: Seconds for the search: a threat that is hard to find is not what people mean by the word.
_SECONDS = 0.5


@routes.post("/threat")
def threat() -> Response:
    """The other side's best line after a pass, with its worth; null and a ``reason`` if none."""
    fields = body_fields()
    env = requests.running(requests.position_in(fields, server_limits()))
    fields.finish()
    passed = after_pass(env)
    if passed is None:
        reason = "In this position the other side cannot move twice in a row."
        return jsonify(threat=None, reason=reason)
    question = Question(passed, make_player(passed.name, _spec(passed)).within(_limit()))
    analysis = all_searches().answer(asking_client(), question, client_gone())
    best, words = analysis.best, words_for(passed)
    found = {
        "move": best.move,
        "name": best.name,
        "player": passed.current_player,
        "line": line_on_board(passed, best),
        "value": best.value,
        "proven": best.proven,
        "mark": words.mark(best),
        "text": words.full(best, passed.current_player),
        "note": best.note,
    }
    return jsonify(threat=found, reason=None)


def after_pass(env: BaseGameEnv) -> BaseGameEnv | None:
    """The board with the other side to move; ``None`` where that is not a position to play on.

    Nothing is checked but the rules of moving: no game reaches most of these boards.
    """
    if not env.traits.has_grid:
        return None
    game = env.copy()
    game.current_player = -env.current_player
    if game.current_player == env.current_player or game.is_terminal():
        return None
    moves = game.get_legal_moves()
    return game if moves and moves != [game.pass_move] else None


def _spec(env: BaseGameEnv) -> Spec:
    """The engine that knows the game best, unless it solves it: solvers know real positions."""
    best, offered = adviser_spec(env), offered_engines()
    return best if exact_spec(env) is None and offered.allows(best.kind) else Spec("minimax")


def _limit() -> Limit:
    return Limit(time=min(_SECONDS, server_limits().time))
