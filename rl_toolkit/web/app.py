"""`create_app`: pages, API, and the security headers of both."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack, suppress
from pathlib import Path

from flask import (
    Flask,
    Response,
    abort,
    current_app,
    g,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.json.provider import DefaultJSONProvider
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from rl_toolkit.adapting import is_game_file, load_game
from rl_toolkit.analysis import EngineError, words_for
from rl_toolkit.envs import BaseGameEnv, GameError, GameFamily, game_failure, make_game
from rl_toolkit.envs.registry import family_of, only_these_prefixed, prefixed_family
from rl_toolkit.kernels.compiling.warm_up import WarmUp
from rl_toolkit.players import usual_level
from rl_toolkit.utils import shown
from rl_toolkit.web.api import (
    GAMES,
    OFFERED,
    OUR_MISTAKE,
    SEARCHES,
    WARM_UP,
    api,
    explorer,
    families,
    lines,
    openapi,
    refused,
    sentence,
    threats,
    trees,
)
from rl_toolkit.web.api.opening import FILE_TYPES, most_file_bytes
from rl_toolkit.web.arena.pages import ONLY_HERE, arena
from rl_toolkit.web.exchange.json_fields import Fields
from rl_toolkit.web.exchange.offered import OfferedEngines
from rl_toolkit.web.exchange.requests import player_in
from rl_toolkit.web.learn import figures
from rl_toolkit.web.learn.live import WORKSPACE, live
from rl_toolkit.web.learn.pages import learn
from rl_toolkit.web.learn.workspace import PROGRAM, Workspace
from rl_toolkit.web.library.pages import SHELF
from rl_toolkit.web.library.pages import library as library_pages
from rl_toolkit.web.library.shelf import Shelf
from rl_toolkit.web.puzzles.pages import puzzles
from rl_toolkit.web.serving.compression import compressed
from rl_toolkit.web.serving.host_check import host_name, is_ours
from rl_toolkit.web.serving.limits import ServerLimits
from rl_toolkit.web.serving.searches import Searches
from rl_toolkit.web.serving.streams import REFUSALS, ClientGoneError, Refusal
from rl_toolkit.web.site.sharing import FRAMABLE, sharing
from rl_toolkit.web.site.shell import SECTIONS, section_of, shell
from rl_toolkit.web.theatre.own import OWN, OwnStage
from rl_toolkit.web.theatre.pages import theatre

#: Nothing from other hosts, nothing inline.
_EVERYWHERE = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
)
_POLICY = "; ".join(
    (
        *_EVERYWHERE,
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "frame-ancestors 'none'",
    )
)
#: The pages for frames on other sites, by endpoint. A board asks this server for pictures alone, a
#: figure for nothing. They name no frames: ``*`` does not match pages opened from a file.
_FRAMED_POLICIES = {
    FRAMABLE: "; ".join((*_EVERYWHERE, "img-src 'self'")),
    figures.FRAMABLE: "; ".join((*_EVERYWHERE, "img-src 'self' data:")),
}
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
#: Scripts and style sheets are no documents: they need less, and a page loads dozens of them.
_PART_HEADERS = {
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}
_PARTS = ("text/css", "text/javascript", "application/javascript")
_HOUR = 3600
#: Templates that are not the own one of a game.
_OTHER_TEMPLATES = ("analyse", "base", "embed", "error", "game", "index", "play", "puzzles")
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")

#: One sentence for each error that Flask or waitress finds.
SENTENCES = {
    400: "this request cannot be understood",
    404: "there is nothing at this address",
    405: "this address does not take requests of this method",
    413: "the body of this request is too large",
    414: "this address is too long",
    415: "the body must be sent as application/json",
    431: "the headers of this request are too long",
    501: "the body of this request is coded in a way that this server cannot read",
}


def create_app(
    limits: ServerLimits | None = None,
    names: Collection[str] = (),
    warm_up: WarmUp | None = None,
    engines: Collection[str] = (),
    games: Collection[str] = (),
    lab_folder: Path | None = None,
    own_folder: Path | None = None,
    library: Path | None = None,
    only_here: bool = False,
) -> Flask:
    """The web application; every app has its own pool of searches.

    It answers to ``names``, to ``localhost`` and to addresses in numbers; pages show how far the
    ``warm_up`` is. Requests may name ``engines`` besides those of the toolkit; see
    `exchange.offered`.
    ``games`` get a page each: files such as ``my_game.py:ConnectFour``, whose code runs inside this
    process and must be trusted, and names with a prefix, ``openspiel:hex(board_size=5)``. The pages
    under ``/learn`` show the work in ``lab_folder``, a student's, once its `Workspace` is started.
    The theatre shows the searches in ``own_folder``, or in that file; they run in processes of
    their own. Pages show the games in the file ``library``, and save games there; without one they
    offer no library. ``only_here`` says that no other machine reaches the server: then anybody who
    does may start a tournament. Raises ``ValueError`` for an engine, a game or a folder that cannot
    be used.

    >>> create_app().test_client().get("/api/health").get_json()["status"]
    'ok'
    """
    limits = limits or ServerLimits()
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = limits.body_bytes
    app.config[ONLY_HERE] = only_here
    assert isinstance(app.json, DefaultJSONProvider)
    app.json.sort_keys = False  # answers keep the order in which they are written down
    app.extensions[SEARCHES] = Searches(limits)
    app.extensions[WARM_UP] = warm_up or WarmUp()
    files = [name for name in games if is_game_file(name)]
    for file in files:  # a game that is registered has a page
        load_game(file)
    app.extensions[GAMES] = [prefixed_family(name) for name in games if name not in files]
    offered = OfferedEngines.named(engines)
    student = None if lab_folder is None else Workspace(lab_folder)
    if student is not None:
        import rl_toolkit.labs.engine  # noqa: F401 - registers the engine `lab`

        if student.engine is not None:
            offered = offered.with_engine(PROGRAM, student.engine, student.lab.game)
    app.extensions[OFFERED] = offered
    app.extensions[WORKSPACE] = student
    app.extensions[SHELF] = Shelf(library)
    app.extensions[OWN] = None if own_folder is None else OwnStage(own_folder)
    app.before_request(_refuse_prefixed_games)
    app.teardown_request(_allow_prefixed_games)
    app.before_request(lambda: _reject_foreign_host(names))
    for part in (
        api,
        lines.routes,
        explorer.routes,
        trees.routes,
        threats.routes,
        openapi.routes,
        live,
        learn,
        figures.figures,
        theatre,
        arena,
        library_pages,
        puzzles,
        sharing,
        shell,
    ):
        app.register_blueprint(part)
    _add_pages(app)
    for refusal in (*REFUSALS, ClientGoneError):
        app.register_error_handler(refusal, _refused)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _our_mistake)
    app.after_request(_with_headers)
    return app


def _add_pages(app: Flask) -> None:
    # Families are looked up for each request: games may be registered while the server runs.
    app.context_processor(
        lambda: {
            "families": families(),
            "sections": SECTIONS,
            "section": section_of(request.endpoint),
        }
    )

    @app.get("/<name>")
    def game_page(name: str) -> ResponseReturnValue:
        family = _family(name)
        owner = family_of(request.args.get("game", "").strip().lower())
        if owner is not None and owner != family:  # the address has a game of another page
            query = request.query_string.decode("ascii", "ignore")
            return redirect(f"{url_for('game_page', name=owner.name)}?{query}")
        _prepare_opponent(family)
        # A game may have a template of its own; those that every page is made of are not one.
        own = [] if name in _OTHER_TEMPLATES else [f"{name}.html"]
        return render_template(
            [*own, "game.html"],
            family=family,
            opponent=usual_level(family.name),
            own_opponent=_own_opponent(family),
            compiling=current_app.extensions[WARM_UP].progress is not None,
            legend=words_for(family.traits).legend(),
            board=_board_asked_for(family),
            file_types=FILE_TYPES,
            file_bytes=most_file_bytes(current_app.extensions[SEARCHES].limits),
        )

    @app.get("/sheets/<names>.css")
    def sheets(names: str) -> Response:
        """Several style sheets in one answer: ``base+board``."""
        found = [
            (name, Path(app.static_folder or "") / "css" / f"{name}.css")
            for name in names.split("+")
        ]
        if not all(name.isalpha() and file.is_file() for name, file in found):
            abort(404)
        response = Response(
            "\n".join(file.read_text("utf-8") for _, file in found), mimetype="text/css"
        )
        response.add_etag()
        response.cache_control.no_cache = True
        response.make_conditional(request)
        return response

    @app.get("/favicon.ico")
    def favicon() -> Response:
        # Browsers ask for this address whatever icon the page names.
        return app.send_static_file("icon.svg")

    @app.get("/preview/<name>-<any(light, dark):theme>.svg")
    def preview(name: str, theme: str) -> Response:
        family = _family(name)
        return _picture(family, family.traits.preview, theme)

    @app.get("/rules/<name>-<int:number>-<any(light, dark):theme>.svg")
    def rule_picture(name: str, number: int, theme: str) -> Response:
        family = _family(name)
        pictures = family.traits.pictures
        if not 1 <= number <= len(pictures):
            abort(404)
        return _picture(family, pictures[number - 1], theme)


def _picture(family: GameFamily, moves: str, theme: str) -> Response:
    """The position after ``moves``, which were checked when the game was registered."""
    env = family.make(family.traits.preview_variant)
    assert env is not None
    for move in moves.split():
        env.step(env.parse_move(move))
    picture = env.to_svg("dark" if theme == "dark" else "light")
    response = Response(picture, mimetype="image/svg+xml")
    response.cache_control.max_age = _HOUR
    return response


def _own_opponent(family: GameFamily) -> str:
    """The first engine of this server's own that plays the games of a page; "" if none does."""
    offered: OfferedEngines = current_app.extensions[OFFERED]
    if not offered.specs:
        return ""
    try:
        return offered.opponent(make_game(family.name)) or ""
    except GameError:
        return ""


def _prepare_opponent(family: GameFamily) -> None:
    """Let the usual opponent be prepared first, while this server compiles everything."""
    if not current_app.extensions[WARM_UP].is_running:
        return
    env, searches = make_game(family.name), current_app.extensions[SEARCHES]
    level = Fields({"level": usual_level(family.name)})
    with suppress(ValueError, EngineError):  # this server does not offer it
        player = player_in(level, env, searches.limits, current_app.extensions[OFFERED])
        searches.first_answers.begin(player, env)


def _board_asked_for(family: GameFamily) -> BaseGameEnv:
    """An empty board of the size in the address, so that the page has room for it at once."""
    try:
        return make_game(request.args.get("game", family.name)[:60])
    except GameError:  # the page will say so
        return make_game(family.name)


def _refuse_prefixed_games() -> None:
    """Let no request name a game of another library, except those of this server."""
    g.names = ExitStack()
    g.names.enter_context(
        only_these_prefixed([family.name for family in current_app.extensions[GAMES]])
    )


def _allow_prefixed_games(error: BaseException | None) -> None:
    if "names" in g:
        g.names.close()


def _family(name: str) -> GameFamily:
    """The family of exactly that name, else a 404."""
    return next((family for family in families() if family.name == name), None) or abort(404)


def _reject_foreign_host(names: Collection[str]) -> Response | None:
    """A refusal for requests to a host that this server does not answer for."""
    host = request.headers.get("Host", "")
    if is_ours(host, names):
        return None
    return sentence(f"this server does not answer to the name {shown(host_name(host))}", 421)


def _refused(error: Refusal | ClientGoneError) -> Response:
    """A refusal, as JSON for a program and as a page for a reader."""
    response = refused(error)
    if not request.path.startswith("/api/"):
        text, status = response.get_json()["error"], response.status_code
        response.set_data(render_template("error.html", text=text, status=status))
        response.mimetype = "text/html"
    return response


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    text = SENTENCES.get(status, error.description or "this request cannot be answered")
    if request.path.startswith("/api/"):
        response = sentence(text, status)
    else:
        page = render_template("error.html", text=text, status=status, section=None)
        response = Response(page, status)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _our_mistake(error: Exception) -> Response:
    """An error of ours, or of a game's code: the log gets the traceback, the client a sentence."""
    current_app.logger.exception("a request failed")
    failed = game_failure(error)
    return sentence(OUR_MISTAKE, 500) if failed is None else sentence(str(failed), 502)


def _with_headers(response: Response) -> Response:
    is_shown = response.status_code == 200
    framed = _FRAMED_POLICIES.get(request.endpoint or "") if is_shown else None
    if framed is not None:
        response.headers["Content-Security-Policy"] = framed
    is_part = response.mimetype in _PARTS
    for name, value in (_PART_HEADERS if is_part else HEADERS).items():
        response.headers.setdefault(name, value)
    if framed is not None:
        del response.headers["X-Frame-Options"]
    if is_part:
        for name in ("Content-Disposition", "Accept-Ranges", "Last-Modified"):
            response.headers.pop(name, None)
    # Over plain http browsers ignore this one and complain, except on this machine.
    if not (is_part or request.is_secure or host_name(request.host) in _THIS_MACHINE):
        del response.headers["Cross-Origin-Opener-Policy"]
    if response.mimetype in ("application/json", "text/event-stream", "text/html"):
        response.headers.setdefault("Cache-Control", "no-store")
    return compressed(request, response)
