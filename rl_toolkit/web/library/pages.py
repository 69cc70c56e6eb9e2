"""Saved games on the pages: a table with filters, the explorer's counts, a game opened or kept.

A server shows one library, that of the person who started it. Every request is bounded: a page of
games has at most `MOST` of them, and all work goes through the pool of the server's searches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for

from rl_toolkit.envs import BaseGameEnv, GameError, PositionError, UnknownGameError, make_game
from rl_toolkit.envs.registry import family_of
from rl_toolkit.library import (
    Explored,
    Filter,
    GameHead,
    Library,
    LibraryError,
    NoSuchGameError,
    Page,
    Pattern,
)
from rl_toolkit.records import read_position
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.utils.svg import ThemeName
from rl_toolkit.web.api import (
    all_searches,
    asking_client,
    body_fields,
    client_gone,
    sentence,
    server_limits,
)
from rl_toolkit.web.api.explorer import twin_moves
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.looks import look_of
from rl_toolkit.web.exchange.responses import Json
from rl_toolkit.web.library.keeping import kept_game
from rl_toolkit.web.library.shelf import Shelf

#: Where the app keeps its `Shelf`.
SHELF = "rl_toolkit.shelf"
#: Games of one page of results, and games that may be skipped before it.
MOST, FARTHEST = 50, 1_000_000
_LONGEST = 200
_NONE = "this server shows no library; `rl-toolkit web` on your own machine shows yours"
_TEXTS = ("player", "opponent", "side", "engine", "result", "since", "until", "event", "tag")

library = Blueprint("library", __name__)


def shelf() -> Shelf:
    """The shelf of this server."""
    found = current_app.extensions[SHELF]
    assert isinstance(found, Shelf)
    return found


@library.app_errorhandler(LibraryError)
def _failed(error: LibraryError) -> Response:
    """A library that cannot be read or written: the sentence says why."""
    return sentence(str(error), 500)


@library.app_context_processor
def _about() -> Json:
    """Whether pages may offer saved games."""
    return {"has_library": shelf().path is not None}


# ----------------------------------------------------------------------------------- pages


@library.get("/library")
def page() -> str:
    """The games as a table, with filters, and how one's own ended."""
    return render_template("library/library.html", most=MOST)


@library.get("/library/<int:number>.svg")
def picture(number: int) -> Response:
    """The board of a game after ``ply`` moves, or at its end."""
    ply = request.args.get("ply", type=int)
    theme: ThemeName = "dark" if request.args.get("theme") == "dark" else "light"

    def draw(found: Library) -> str:
        record = found.record(number)
        moves = record.moves if ply is None else record.moves[: max(0, ply)]
        return BaseGameEnv.after(record.starting_position(), moves).to_svg(theme)

    response = Response(_asked(draw), mimetype="image/svg+xml")
    response.cache_control.max_age = 60
    return response


# ------------------------------------------------------------------------------------- API


@library.post("/api/library/games")
def games() -> Response:
    """A page of games, the newest first, and the names of all games of the library.

    The fields are those of a filter, ``skip``, ``limit``, and ``position`` or ``pattern`` as text.
    """
    fields = body_fields()
    where = _filter_in(fields)
    limit = fields.whole("limit", 1, MOST) or MOST
    skip = fields.whole("skip", 0, FARTHEST) or 0
    env, shape = _sought(fields, where)
    fields.finish()

    def search(found: Library) -> Json:
        listed = found.search(where, position=env, pattern=shape, limit=limit, skip=skip)
        return {**_listed(listed), "names": found.names(), "read_only": found.read_only}

    answer = _asked(search, otherwise=lambda: {**_listed(Page((), (), 0)), "names": []})
    look = None if not where.game else look_of(make_game(where.game), "rows", "cols", "pieces")
    return jsonify({**answer, "look": look})


@library.post("/api/library/explore")
def explore() -> Response:
    """What was played in a position, move by move, in the games that a ``filter`` lets through."""
    fields = body_fields()
    given = fields.raw("filter")
    if given is not None and not isinstance(given, dict):
        raise BadRequestError("filter is an object such as {}")
    env = requests.position_in(fields, server_limits())
    where = _filter_in(Fields(given or {}), whole=True)
    fields.finish()
    nothing = Explored(0, 0, 0, 0, 0, ())
    explored = _asked(lambda found: found.explore(env, where=where), otherwise=lambda: nothing)
    twins = {} if env.is_terminal() else twin_moves(env)
    answer = explored.to_dict()
    for row, move in zip(answer["moves"], explored.moves, strict=True):
        others = [other for other in twins[move.move] if other != move.move]
        row["name"], row["move"], row["score"] = move.name, move.move, move.score
        row["twins"] = [{"move": other, "name": env.move_name(other)} for other in others]
    return jsonify(answer)


@library.post("/api/library/file")
def file() -> Response:
    """Game ``number`` as the ``text`` of a record, whole."""
    fields = body_fields()
    number = fields.whole("number", 1, requests.MOST)
    fields.finish()
    if number is None:
        raise BadRequestError("number is that of a game of the library")
    return jsonify(text=_asked(lambda found: found.record(number).to_json()))


@library.post("/api/library/insight")
def insight() -> Response:
    """How the player of a filter plays, the visitor if it names none; ``plots`` can be drawn."""
    fields = body_fields()
    where = _filter_in(fields)
    fields.finish()
    seen = _asked(lambda found: found.insight(where), otherwise=lambda: None)
    if seen is None:
        return jsonify(games=0, plots=[])
    return jsonify({**seen.to_dict(), "plots": list(seen.plots())})


@library.get("/library/insight-<any(opponent, side, opening, length, accuracy, mistakes):name>.svg")
def plot(name: str) -> Response:
    """A picture of an insight; the address has the fields of the filter, and ``theme``."""
    given: Json = dict(request.args)
    dark, narrow = given.pop("theme", "") == "dark", given.pop("size", "") == "narrow"
    fields = Fields({**given, "mine": given.get("mine") == "true"})
    where = _filter_in(fields)
    fields.finish()
    seen = _asked(lambda found: found.insight(where).plots().get(name), otherwise=lambda: None)
    if seen is None:
        raise BadRequestError("no game of the library shows that", 404)
    return Response(seen.to_svg(dark=dark, narrow=narrow), mimetype="image/svg+xml")


@library.post("/api/library/keep")
def keep() -> Response:
    """Save a game that somebody has played on a page; ``number`` is null if it was removed."""
    fields = body_fields()
    game = kept_game(fields, server_limits())
    fields.finish()
    return jsonify(number=_asked(game.save, make=True))


# --------------------------------------------------------------------------------- helpers


def _asked(
    question: Callable[[Library], Any],
    *,
    make: bool = False,
    otherwise: Callable[[], Any] | None = None,
) -> Any:
    """The answer of the library; ``otherwise`` where it has no game yet."""
    if shelf().path is None:
        raise BadRequestError(_NONE, 404)

    def work(task: BackgroundTask[None, Any]) -> Any:
        found = kept.opened(make=make)
        if found is None and otherwise is not None:
            return otherwise()
        if found is None:
            raise BadRequestError("no game is in the library yet", 404)
        try:
            return question(found)
        except NoSuchGameError as error:  # without the place of the file: a visitor may ask
            raise BadRequestError(f"there is no game {error.number} in the library", 404) from error
        except UnknownGameError as error:  # saved by a program that has more games than this one
            raise LibraryError(str(error)) from error

    kept, searches = shelf(), all_searches()
    task = searches.pool.submit(asking_client(), work, quick=True)
    searches.wait(task, client_gone())
    return task.result()


def _filter_in(fields: Fields, *, whole: bool = False) -> Filter:
    """The filter that the fields describe; with ``whole`` there may be no other fields."""
    texts: dict[str, Any] = {name: fields.text(name, longest=_LONGEST).strip() for name in _TEXTS}
    game = "" if whole else fields.text("game", longest=60)
    mine = fields.switch("mine")
    if whole:
        fields.finish()
    try:
        return Filter(game=game, mine=mine, **texts)
    except (LibraryError, GameError) as error:
        raise BadRequestError(str(error)) from error


def _sought(fields: Fields, where: Filter) -> tuple[BaseGameEnv | None, Pattern | None]:
    """The position or the pattern that games are searched for."""
    position = fields.text("position", longest=4000).strip()
    pattern = fields.text("pattern", longest=4000).strip()
    if (position or pattern) and not where.game:
        raise BadRequestError("a position or a pattern needs the name of its game")
    try:
        if where.game:
            requests.game_in(Fields({"game": where.game}), server_limits())
        env = read_position(where.game, position) if position else None
        return env, Pattern.read(where.game, pattern) if pattern else None
    except (PositionError, ValueError) as error:
        raise BadRequestError(str(error)) from error


def _listed(found: Page) -> Json:
    rows = [
        _row(head, found.plies[k] if found.plies else None) for k, head in enumerate(found.heads)
    ]
    return {"total": found.total, "games": rows}


def _row(head: GameHead, ply: int | None) -> Json:
    """A game as the table shows it; ``address`` opens it, null if this server has no such game."""
    family = family_of(head.game)
    pieces = ("X", "O") if family is None else family.traits.pieces
    ends = {1: f"{pieces[0]} won", -1: f"{pieces[1]} won", 0: "draw", None: "undecided"}
    at: Json = {} if ply is None else {"ply": ply}
    return {
        **head.to_dict(),
        **at,
        "title": head.game if family is None else family.title,
        "style": None if family is None else family.traits.style,
        "sides": [name or pieces[k] for k, name in enumerate(head.players)],
        "ended": ends[head.result],
        "address": None
        if family is None
        else url_for(
            "game_page", name=family.name, game=head.game, library=head.id, mode="analyse", **at
        ),
        "picture": url_for("library.picture", number=head.id, **at),
    }
