"""What can be shared of a game: pictures, a replay, a code to scan, and a page for other sites.

An address names the game as the pages do: ``game``, ``start`` and ``moves``, or ``line``, the moves
as numbers (``3.1.5``), and ``ply``, the number of moves that are shown. All of it is read-only and
made from the address alone.
"""

from __future__ import annotations

import re
from io import BytesIO

from flask import Blueprint, Response, jsonify, render_template, request, url_for

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import (
    FORMATS,
    GameFormat,
    GameRecord,
    RecordError,
    position_to_text,
    replay_svg,
    to_transcript,
)
from rl_toolkit.utils.board_viz import render_board_svg
from rl_toolkit.utils.svg import ThemeName
from rl_toolkit.web.api import body_fields, server_limits
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.requests import position_in
from rl_toolkit.web.exchange.responses import Json

sharing = Blueprint("sharing", __name__)

#: The endpoint that other sites may show in a frame, as they may `figures.FRAMABLE`.
FRAMABLE = "sharing.embed"
_HOUR = 3600
#: The longest text of a code; one with more squares is hard to scan from a screen.
_LONGEST_CODE = 1000
_FASTEST, _SLOWEST = 0.1, 10.0
_LINE = re.compile(r"\d{1,6}(\.\d{1,6})*")
_MARKS = re.compile(r"\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?){0,99}", re.ASCII)


@sharing.get("/picture.svg")
def picture() -> Response:
    """The position as a picture, in the ``theme`` light or dark, with ``marks`` on its board."""
    env, theme = _asked("marks")
    marks = request.args.get("marks", "")
    drawn = marks and env.traits.has_grid
    return _svg(_marked(env, theme, marks) if drawn else env.to_svg(theme))


@sharing.get("/replay.svg")
def replay() -> Response:
    """The moves one after the other as a picture, each shown for ``seconds``."""
    env, theme = _asked("seconds")
    try:
        seconds = float(request.args.get("seconds", "1"))
    except ValueError:
        seconds = 0.0
    if not _FASTEST <= seconds <= _SLOWEST:
        raise BadRequestError(f"seconds is a number from {_FASTEST:g} to {_SLOWEST:g}")
    return _svg(replay_svg(env, theme, seconds=seconds))


@sharing.get("/qr.svg")
def code() -> Response:
    """``text``, such as a link, as a code to scan."""
    import segno  # only this address needs it

    text = request.args.get("text", "")
    if not 0 < len(text.encode()) <= _LONGEST_CODE:
        raise BadRequestError(f"text is what the code says, up to {_LONGEST_CODE} bytes")
    drawn = BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, scale=4, dark="#000", light="#fff", omitsize=True
    )
    return _svg(drawn.getvalue().decode())


@sharing.get("/embed")
def embed() -> str:
    """A page with the board and the moves, for a frame on another site."""
    env, _ = _asked()
    ply = len(env.history)
    whole, _ = _asked(ply=None)
    args = request.args
    game: Json = {name: args[name] for name in ("game", "start", "moves") if name in args}
    return render_template(
        "embed.html",
        env=whole,
        ply=ply,
        names=whole.history_names(),
        picture=url_for("sharing.picture", **game),
        theme=request.args.get("theme"),
        link=url_for("game_page", name=whole.traits.name, **game),
    )


@sharing.post("/api/texts")
def texts() -> Response:
    """The game as text: ``moves``, ``names``, ``position``, and the ``board`` as letters.

    ``formats`` has the name and title of each format of text files that can hold it.
    """
    fields = body_fields()
    env = position_in(fields, server_limits())
    fields.finish()
    answer: Json = {
        "moves": to_transcript(env) if env.history else "",
        "names": " ".join(env.history_names()),
        "position": position_to_text(env),
        "board": env.render(mode="ansi"),
        "formats": [
            {"name": form.name, "title": form.title}
            for form in FORMATS.values()
            if form.is_text and _holds(form, GameRecord.from_env(env))
        ],
    }
    return jsonify(answer)


def _holds(form: GameFormat, record: GameRecord) -> bool:
    try:
        form.write([record])
    except RecordError:
        return False
    return True


def _asked(*more: str, ply: str | None = "ply") -> tuple[BaseGameEnv, ThemeName]:
    """The position and the theme that the address names; ``more`` are fields of this address."""
    args = request.args
    game: Json = {name: args[name] for name in ("game", "start", "moves") if args.get(name)}
    fields = {"game", "start", "moves", "line", "ply", "theme", *more}
    if args.get("line"):
        if "moves" in game or not _LINE.fullmatch(args["line"]):
            raise BadRequestError("line is the numbers of moves, such as 3.1.5, in place of moves")
        game["moves"] = [int(number) for number in args["line"].split(".")]
    if unknown := sorted(set(args) - fields):
        raise BadRequestError(f"there is no field {unknown[0]!r} here: {', '.join(sorted(fields))}")
    env = position_in(Fields(game), server_limits())
    if ply is not None and "ply" in args:
        if not args["ply"].isdecimal() or int(args["ply"]) > len(env.history):
            raise BadRequestError(f"ply is a number of moves from 0 to {len(env.history)}")
        env = BaseGameEnv.after(BaseGameEnv.start(env), env.history[: int(args["ply"])])
    theme = args.get("theme", "light")
    if theme not in ("light", "dark"):
        raise BadRequestError(f"theme is light or dark, not {theme!r}")
    return env, "dark" if theme == "dark" else "light"


def _marked(env: BaseGameEnv, theme: ThemeName, text: str) -> str:
    """The picture with rings and arrows: ``10,0-2`` is a ring on cell 10 and an arrow."""
    if not _MARKS.fullmatch(text):
        raise BadRequestError("marks are up to 100 cells and pairs of cells, such as 10,0-2")
    pairs = [(part.split("-")[0], part.split("-")[-1]) for part in text.split(",")]
    marks = [(int(start), int(end)) for start, end in pairs]
    last = env.rows * env.cols - 1
    if any(max(mark) > last for mark in marks):
        raise BadRequestError(f"marks are in cells from 0 to {last}")
    return render_board_svg(
        env.board_2d,
        style=env.traits.style,
        colours=env.traits.piece_colours,
        row_one_at=env.traits.row_one_at,
        last_move=env.last_move,
        winning_line=env.winning_line,
        marks=marks,
        theme=theme,
    )


def _svg(text: str) -> Response:
    response = Response(text, mimetype="image/svg+xml")
    response.cache_control.max_age = _HOUR
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # made of the address alone
    return response
