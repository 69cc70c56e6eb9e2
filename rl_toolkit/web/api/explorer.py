"""``/api/explorer``: what the shipped book says of every move, without a search.

Moves that are mirror images of each other are one entry with its ``twins``. Another source of
games, such as a library, adds its counts to the same entries.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from rl_toolkit.algorithms import BookPage, book_page
from rl_toolkit.analysis import Analysis, words_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.web.api import (
    all_searches,
    asking_client,
    body_fields,
    client_gone,
    server_limits,
)
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.responses import Json

routes = Blueprint("explorer", __name__, url_prefix="/api")


@routes.post("/explorer")
def explorer() -> Response:
    """The moves of a position that are in the book, best first; none where there is no book."""
    fields = body_fields()
    env = requests.running(requests.position_in(fields, server_limits()))
    fields.finish()
    searches = all_searches()
    task: BackgroundTask[None, Json] = searches.pool.submit(
        asking_client(), lambda task: explorer_answer(env), quick=True
    )
    searches.wait(task, client_gone())
    return jsonify(task.result())


def explorer_answer(env: BaseGameEnv) -> Json:
    """The page of the book for a position; ``value`` and ``score`` are for the side to move."""
    page = book_page(env)
    if page is None:
        return {"source": None, "about": "", "exact": False, "complete": False, "moves": []}
    return {
        "source": "book",
        "about": page.about,
        "exact": page.exact,
        "complete": len(page.candidates) == len(env.get_legal_moves()),
        "moves": _entries(env, page),
    }


def _entries(env: BaseGameEnv, page: BookPage) -> list[Json]:
    analysis = Analysis.of(env, "book", list(page.candidates))
    words, best = words_for(env, analysis), analysis.best_moves
    complete = len(page.candidates) == len(env.get_legal_moves())
    twins = twin_moves(env)
    listed, seen = [], set[int]()
    for candidate in analysis.candidates:
        if candidate.move in seen:
            continue
        seen.update(twins[candidate.move])
        listed.append(
            {
                "move": candidate.move,
                "name": candidate.name,
                "twins": [
                    {"move": move, "name": env.move_name(move)}
                    for move in twins[candidate.move]
                    if move != candidate.move
                ],
                "mark": words.mark(candidate),
                "text": candidate.note or words.short(candidate),
                "value": candidate.value,
                "score": candidate.score,
                "outcome": candidate.outcome if candidate.proven else None,
                "distance": candidate.distance,
                "proven": candidate.proven,
                "best": complete and candidate.move in best,
            }
        )
    return listed


def twin_moves(env: BaseGameEnv) -> dict[int, list[int]]:
    """Each legal move with its mirror images in this position, in order; itself among them."""
    kept = [s for s in env.symmetries() if (s.apply_to_board(env.board) == env.board).all()]
    return {move: sorted({s.apply_to_move(move) for s in kept}) for move in env.get_legal_moves()}
