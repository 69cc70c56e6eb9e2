"""The addresses under ``/api``: JSON in, JSON or a stream of events out.

Every error is a JSON object with one sentence: ``{"error": "…"}``. The routes only translate:
`web.exchange` reads questions and writes answers, `web.serving.searches` searches.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from logging import Logger

from flask import Blueprint, Response, current_app, jsonify, request

from rl_toolkit import __version__
from rl_toolkit.algorithms import MoveReview, in_hindsight, may_learn, review_move
from rl_toolkit.analysis import Analysis, EngineError
from rl_toolkit.envs import BaseGameEnv, GameFamily, game_failure, game_families, make_game
from rl_toolkit.explain import explain
from rl_toolkit.players import Spec, ratings_for
from rl_toolkit.players.advisers import adviser_spec, as_reviewer, exact_spec, for_analysis
from rl_toolkit.players.claims import claims_about
from rl_toolkit.players.levels import RATING_UNIT, distinct_levels, level_card, slow_levels
from rl_toolkit.records import GameRecord
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.web.api.opening import SMALL_FILE, content_in, game_in_record, opened
from rl_toolkit.web.api.review import move_answer, summary_answer
from rl_toolkit.web.api.tree_view import GameTreeView
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields, read_body
from rl_toolkit.web.exchange.offered import OfferedEngines
from rl_toolkit.web.exchange.requests import Question
from rl_toolkit.web.exchange.responses import (
    Json,
    analysis_answer,
    course_evaluations,
    position_answer,
    tree_answer,
)
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.job_pool import PoolFullError
from rl_toolkit.web.serving.limits import ServerLimits
from rl_toolkit.web.serving.searches import Searches
from rl_toolkit.web.serving.streams import (
    REFUSALS,
    ClientGoneError,
    Event,
    Gone,
    Refusal,
    refusal_event,
)

api = Blueprint("api", __name__, url_prefix="/api")

#: What is said when the fault is not the client's.
OUR_MISTAKE = "something went wrong on the server"
#: Where the app keeps its `Searches`, its `WarmUp`, and its `OfferedEngines`.
SEARCHES, WARM_UP = "rl_toolkit.searches", "rl_toolkit.warm_up"
OFFERED = "rl_toolkit.offered"
#: Where it keeps the families of games of other libraries.
GAMES = "rl_toolkit.games"


def all_searches() -> Searches:
    """The searches of this server."""
    found = current_app.extensions[SEARCHES]
    assert isinstance(found, Searches)
    return found


def server_limits() -> ServerLimits:
    """The bounds of this server."""
    return all_searches().limits


def offered_engines() -> OfferedEngines:
    """The engines that requests may name."""
    found = current_app.extensions[OFFERED]
    assert isinstance(found, OfferedEngines)
    return found


def body_fields() -> Fields:
    """The body of the request, which must say that it is JSON."""
    if request.mimetype != "application/json":
        raise BadRequestError("the body must be sent as application/json", 415)
    return Fields(read_body(request.get_data(cache=False)))


def asking_client() -> Client:
    """The client: its address, and the name that its page has chosen."""
    return Client(request.remote_addr or "", request.headers.get("X-Client", "")[:64])


def client_gone() -> Gone:
    """A function that returns whether the client has left, where the server can know."""
    asked: Gone | None = request.environ.get("waitress.client_disconnected")
    return asked or (lambda: False)


# ----------------------------------------------------------------- who and what is there


def families() -> list[GameFamily]:
    """The registered games, and those of other libraries that this server was started with."""
    return [*game_families(), *current_app.extensions[GAMES]]


@api.get("/health")
def health() -> Response:
    """Whether the server is up, how busy it is, and how far it has compiled."""
    pool = all_searches().pool
    busy = {"running": pool.running, "waiting": pool.waiting, "slots": pool.slots}
    warm_up = current_app.extensions[WARM_UP]
    compiling = warm_up.progress
    return jsonify(
        status="ok",
        version=__version__,
        searches=busy,
        compiling=None if compiling is None else {**compiling._asdict(), "left": warm_up.left},
    )


@api.get("/games")
def games() -> Response:
    """The families of games with their levels, and the limits of this server."""
    listed = []
    for family in families():
        env = make_game(family.name)
        listed.append(
            {
                "name": family.name,
                "title": family.title,
                "variants": family.variants,
                "game": env.name,
                "rows": env.rows,
                "cols": env.cols,
                "win_length": getattr(env, "win_length", None),
                "levels": offered_engines().levels(env),
            }
        )
    return jsonify(games=listed, limits=asdict(server_limits()))


@api.get("/engines")
def engines() -> Response:
    """The engines with their options; for ``?game=`` those that play it, and its levels.

    ``analysis`` is the spec with which an engine values every move, null if it values none;
    ``adviser`` names the engine that knows the game best, ``exact`` says whether it soon proves
    every move from the start; ``about`` says what each level is, ``slow`` is a sentence if they
    may be weaker than that, ``same`` which levels have the engine of another, under whose name
    they are listed; ``ratings`` are those that were measured, in ``unit``, and ``strongest`` is
    the best of them, null if none was.
    """
    env, limits = None, server_limits()
    if "game" in request.args:
        env = requests.game_in(Fields({"game": request.args["game"]}), limits)
    offered = offered_engines()
    advice = None if env is None else adviser_spec(env)
    adviser = advice.kind if advice is not None and offered.allows(advice.kind) else ""
    special = {adviser: advice and advice.text, "random": None, "first": None}
    listed = [
        requests.kind_answer(kind, limits)
        | {"analysis": special.get(kind.name, for_analysis(Spec(kind.name)).text)}
        for kind in offered.playing(env)
    ]
    listed += offered.describe(env)
    levels = None if env is None else offered.levels(env)
    about = {} if env is None else {level: level_card(env.name, level) for level in levels or ()}
    rated = {} if env is None else ratings_for(env.name)
    ratings = {
        level: {"rating": each.rating, "interval": each.interval} for level, each in rated.items()
    }
    same = {} if env is None else distinct_levels(env.name)
    strongest = max((each.rating for each in rated.values()), default=None)
    return jsonify(
        engines=listed,
        levels=levels,
        about=about,
        same={other: level for level, others in same.items() for other in others},
        slow="" if env is None or not levels else slow_levels(env.name),
        unit=RATING_UNIT,
        ratings=ratings,
        strongest=strongest,
        adviser=adviser or None,
        exact=bool(adviser) and env is not None and exact_spec(env) is not None,
    )


@api.post("/position")
def position() -> Response:
    """A position as a board needs it: pieces, legal moves and where they land, moves so far.

    With ``legal_part``, the moves up to the first illegal one are played, and ``problem`` is a
    sentence about that one, or about a board that cannot be: the position is then the start.
    """
    fields = body_fields()
    problem = None
    if fields.switch("legal_part"):
        env, problem = requests.legal_part_in(fields, server_limits())
    else:
        env = requests.position_in(fields, server_limits())
    fields.finish()
    return jsonify({**position_answer(env), "problem": problem})


@api.post("/why-not")
def why_not() -> Response:
    """Why ``cell`` cannot be chosen in a position: a sentence, null if it can."""
    fields = body_fields()
    env = requests.position_in(fields, server_limits())
    cell = fields.whole("cell", 0, env.rows * env.cols - 1)
    if cell is None:
        raise BadRequestError("cell is missing")
    fields.finish()
    return jsonify(reason=requests.objection(env, cell))


# ------------------------------------------------------------------------------ thinking


def _question(
    fields: Fields, *, may_play: bool = False, may_last: bool = False, claims: bool = True
) -> Question:
    """What is asked. A bot says what it claims only to somebody who looks: not while it plays."""
    env = requests.running(requests.position_in(fields, server_limits()))
    endless = may_last and fields.switch("endless")
    player = requests.player_in(fields, env, server_limits(), offered_engines(), endless=endless)
    play = may_play and fields.switch("play")
    stand_in = may_last and fields.switch("stand_in")
    top = fields.whole("top", 1, server_limits().cells)
    fields.finish(ignored=("show_thinking", "tree"))
    claims = claims and not play
    return Question(env, player, play, top, claims=claims, endless=endless, stand_in=stand_in)


@api.post("/ai-move")
def ai_move() -> Response:
    """The move of an engine, with its view of every move if ``show_thinking`` asks for it."""
    fields = body_fields()
    thinking = fields.switch("show_thinking")
    question = _question(fields, claims=thinking)
    analysis = all_searches().answer(asking_client(), question, client_gone())
    evaluations = course_evaluations(question.env, analysis) if thinking else None
    return jsonify(action=analysis.best_move, evaluations=evaluations)


@api.post("/analyse")
def analyse() -> Response:
    """What an engine says of a position: `Analysis.to_json`, and the search tree if asked for.

    With ``play``, ``after`` is the position after the best move, as ``/api/position`` has it.
    """
    fields = body_fields()
    shape = _tree_shape(fields)
    question = _question(fields, may_play=True)
    analysis = all_searches().answer(asking_client(), question, client_gone())
    answer = analysis_answer(question.env, analysis, play=question.play, top=question.top)
    if shape is not None:
        if analysis.tree_source is None:
            own = analysis.engine in offered_engines().specs
            others = "a bot of yours shows the one that it keeps as `root`" if own else "mcts does"
            raise BadRequestError(f"{analysis.engine} keeps no search tree; {others}")
        answer["tree"] = tree_answer(question.env, analysis.tree(*shape))
    return jsonify(answer)


def _tree_shape(fields: Fields) -> tuple[int, int] | None:
    """``{"depth": 3, "top": 5}`` as a pair."""
    shape = fields.raw("tree")
    if shape is None:
        return None
    if not isinstance(shape, dict):
        raise BadRequestError('tree is an object such as {"depth": 3, "top": 5}')
    parts = Fields(shape)
    depth, top = parts.whole("depth", 1, 6), parts.whole("top", 1, 10)
    parts.finish()
    depth, top = depth or 3, top or 5
    most = server_limits().tree_nodes
    while sum(top**ply for ply in range(depth + 1)) > most and depth > 1:
        depth -= 1
    return depth, top


@api.post("/claims")
def claims() -> Response:
    """What a bot claims about the moves of a position, where ``move`` is the one that it played.

    A page asks for it after a move, on no clock. The answer is that of ``/api/analyse`` with the
    fields ``claims`` and, if the bot keeps a tree of its search, ``tree``; null if the engine
    claims nothing.
    """
    fields = body_fields()
    shape = _tree_shape(fields) or (3, 5)
    move = fields.whole("move", 0, requests.MOST)
    question = _question(fields)
    env = question.env
    if move is None or move not in env.get_legal_moves():
        raise BadRequestError("move is the legal move that the bot has played")
    searches = all_searches()
    task: BackgroundTask[None, Analysis | None] = searches.pool.submit(
        asking_client(),
        lambda task: claims_about(question.player, env, move, task.stop, searches.limits.time),
    )
    searches.wait(task, client_gone())
    found = task.result()
    if found is None:
        return jsonify(None)
    answer = analysis_answer(env, explain(env, found), top=question.top)
    if found.tree_source is not None:
        answer["tree"] = tree_answer(env, found.tree(*shape))
    return jsonify(answer)


@api.post("/search")
def search() -> Response:
    """The same as ``/api/analyse`` while the engine thinks, as a stream of server-sent events.

    With ``endless`` it lasts until the client leaves, or until others need the server. With
    ``stand_in`` another engine answers first, if this one is not compiled yet.
    """
    fields = body_fields()
    question = _question(fields, may_play=True, may_last=True)
    return event_stream(all_searches().events(asking_client(), question, client_gone()))


@api.post("/game-tree")
def game_tree() -> Response:
    """The minimax tree below a position: the value of each node, branches that are skipped.

    Values come from the engine that knows the game best. ``levels`` is an older name of ``depth``.
    """
    fields = body_fields()
    env = requests.running(requests.position_in(fields, server_limits()))
    depth = fields.whole("depth", 1, 9) or fields.whole("levels", 1, 9) or 2
    fields.finish(ignored=("levels",))
    player = requests.player_in(
        Fields({}), env, server_limits(), offered_engines(), usual=adviser_spec(env)
    )
    searches = all_searches()
    task = searches.pool.submit(asking_client(), GameTreeView(env, player, depth, server_limits()))
    searches.wait(task, client_gone())
    return jsonify(task.result())


@api.post("/review")
def review() -> Response:
    """A game reviewed move by move, as a stream of server-sent events.

    ``from`` leaves out the moves before that ply; ``result`` is who won a game that was resigned or
    lost on time. Unless an engine is named, it is the one that
    knows the game best.
    """
    fields = body_fields()
    env = requests.position_in(fields, server_limits())
    if not env.history:
        raise BadRequestError("there is no move to review")
    winner = fields.whole("result", -1, 1)
    first_ply = fields.whole("from", 0, len(env.history) - 1) or 0
    begun = BaseGameEnv.after(BaseGameEnv.start(env), env.history[:first_ply])
    limits = server_limits()
    player = requests.player_in(
        fields,
        begun,
        limits,
        offered_engines(),
        usual=adviser_spec(begun),
        usual_time=limits.review_time,
    )
    fields.finish()
    first = Question(begun, as_reviewer(player))
    moves = env.history[first_ply:]
    return event_stream(
        _reviewed(all_searches(), asking_client(), first, moves, winner, client_gone())
    )


def _reviewed(
    searches: Searches,
    client: Client,
    first: Question,
    moves: list[int],
    winner: int | None,
    gone: Gone,
) -> Iterator[Event]:
    """Every move in turn; then those again about which later searches proved more."""
    env, reviewed, analyses = first.env, list[MoveReview](), list[Analysis]()
    before, begun = len(env.history), env.copy()

    def searched() -> Analysis:
        found = searches.answer(client, Question(env.copy(), first.player), gone)
        return replace(found, tree_source=None)  # a tree for each move would fill the memory

    def event_of(index: int) -> Event:
        position = BaseGameEnv.after(begun, moves[:index])
        entry = move_answer(reviewed[index], analyses[index], env, position)
        return Event("move", {**entry, "of": before + len(moves)})

    try:
        for number, move in enumerate(moves, before + 1):
            analyses.append(searched())
            reviewed.append(review_move(env, move, analyses[-1], number))
            yield event_of(len(reviewed) - 1)
            env.step(move)
        later = None
        if not env.done and may_learn(analyses[-1], moves[-1]):
            later = searched()
        for index in reversed(range(len(moves))):
            analysis = analyses[index]
            if later is not None:
                analyses[index] = in_hindsight(analysis, moves[index], later)
            later = analyses[index]
            if later is not analysis:
                number = before + index + 1
                reviewed[index] = review_move(env, moves[index], later, number)
                yield event_of(index)
        yield Event("done", summary_answer(reviewed, env, winner))
    except REFUSALS as error:
        yield refusal_event(error)
    except ClientGoneError:
        return


def event_stream(events: Iterator[Event]) -> Response:
    """A response with the events; when it is closed, so are they."""
    response = Response(_lines(events, current_app.logger), mimetype="text/event-stream")
    response.call_on_close(getattr(events, "close", lambda: None))
    return response


def _lines(events: Iterator[Event], logger: Logger) -> Iterator[str]:
    """The events as text; an error of ours, or of a game's code, ends them with a sentence."""
    try:
        for event in events:
            yield _line(event)
    except Exception as error:
        logger.exception("a stream failed")
        failed = game_failure(error)
        yield _line(Event("error", {"error": OUR_MISTAKE if failed is None else str(failed)}))


def _line(event: Event) -> str:
    if not event.name:
        return ": still there\n\n"
    return f"event: {event.name}\ndata: {json.dumps(event.data, allow_nan=False)}\n\n"


# ------------------------------------------------------------------------------- records


@api.post("/record")
def write_record() -> Response:
    """The game as a record, ready to be saved as a file, with ``headers`` and ``comments``."""
    fields = body_fields()
    env = requests.position_in(fields, server_limits())
    players = fields.raw("players")
    result, ended_by = fields.whole("result", -1, 1), fields.text("ended_by", longest=40)
    opening = fields.whole("opening", 0, len(env.history)) or 0
    headers, comments = fields.raw("headers"), fields.raw("comments") or {}
    fields.finish()
    if not (isinstance(comments, dict) and all(map(str.isdecimal, comments))):
        raise BadRequestError('comments are texts by ply, such as {"3": "a good move"}')
    try:
        record = GameRecord.from_env(
            env,
            players=players or ("", ""),
            result=result,
            ended_by=ended_by,
            opening=opening,
            headers=headers,
            comments={int(ply): text for ply, text in comments.items()},
        )
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    return Response(record.to_json(), mimetype="application/json")


@api.post("/record/open")
def read_record() -> Response:
    """The game in a file, ``text`` or ``data``; of a file of many the one of that ``number``.

    Without a number, a file of many is answered with a list of its games.
    """
    fields = body_fields()
    content = content_in(fields, server_limits())
    asked = requests.game_in(fields, server_limits())
    number = fields.whole("number", 1, 10**6)
    fields.finish()
    searches, limits = all_searches(), server_limits()
    task: BackgroundTask[None, Json] = searches.pool.submit(
        asking_client(),
        lambda task: opened(content, asked, number, limits, game_in_record),
        quick=len(content) < SMALL_FILE,
    )
    searches.wait(task, client_gone())
    return jsonify(task.result())


# -------------------------------------------------------------------------------- errors


def sentence(error: str, status: int, **headers: str) -> Response:
    """An error as JSON."""
    response = jsonify(error=error)
    response.status_code = status
    response.headers.update(headers)
    return response


def refused(error: Refusal | ClientGoneError) -> Response:
    """The answer to a request that is refused, whatever part of the server does it."""
    if isinstance(error, BadRequestError):
        return sentence(str(error), error.status)
    if isinstance(error, EngineError):  # the request was right, and so is the server
        return sentence(str(error), 502)
    if isinstance(error, PoolFullError):
        return sentence(str(error), 503, **{"Retry-After": str(error.retry_after)})
    return sentence("the client has gone", 499)  # this is not sent
