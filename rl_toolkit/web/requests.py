"""What is asked: a request's fields turned into a position, a player and a limit.

A position can be said in three ways, and all of them name the ``game``:

* ``moves``: a list of move numbers or a transcript (``4453``, ``b2a1``), from the start or from
  the position text in ``start``;
* ``position``: position text or a transcript;
* ``board`` and ``player``: cells as numbers, as the courses do.

Everything is checked against the server's limits here, before anything is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, GameError, game_families, make_game
from rl_toolkit.envs.validation import shown
from rl_toolkit.players import (
    LEVELS,
    Player,
    engine_kind,
    engine_kinds,
    levels_for,
    make_player,
)
from rl_toolkit.players.options import split_spec
from rl_toolkit.records import from_transcript, position_from_text, read_position
from rl_toolkit.web.json_fields import BadRequestError, Fields
from rl_toolkit.web.limits import ServerLimits

#: The kinds of engine options that clients may choose. Any other might name a file, and clients
#: must not make the server read one.
_HARMLESS = ("whole number", "number", "switch", "choice")
_MOST = 2**53


@dataclass(frozen=True, slots=True)
class Question:
    """A position and who is to think about it."""

    env: BaseGameEnv
    player: Player


def game_in(fields: Fields, limits: ServerLimits) -> BaseGameEnv:
    """The game that ``game``, ``board_size`` and ``win_length`` name, in its starting position."""
    name = fields.text("game", "tictactoe", longest=60)
    size, length = fields.raw("board_size"), fields.whole("win_length", 3, 99)
    with_variant = _with_variant(name, size, length)
    try:
        env = make_game(with_variant)
    except GameError as error:
        raise BadRequestError(str(error)) from error
    if env.rows * env.cols > limits.cells:
        raise BadRequestError(
            f"{env.name} has {env.rows * env.cols} cells; "
            f"this server takes boards of up to {limits.cells}"
        )
    return env


def _with_variant(name: str, size: Any, length: int | None) -> str:
    """``tictactoe``, 4 and 3 as ``tictactoe-4x4x3``."""
    family = next((f for f in game_families() if f.name == name.strip().lower()), None)
    if size is None and length is None:
        return name
    if family is None:
        raise BadRequestError("board_size and win_length go with a game named without a variant")
    if size is None:
        usual = family.make("")
        assert usual is not None  # every family has a game of its own name
        size = [usual.rows, usual.cols]
    sides = size if isinstance(size, list) else [size, size]
    if len(sides) != 2 or not all(type(side) is int and 1 <= side <= 99 for side in sides):
        raise BadRequestError(f"board_size is a side or [rows, columns], not {shown(size)}")
    rows, cols = sides
    if family.name in ("gomoku", "reversi") and rows == cols and length is None:
        return f"{family.name}-{rows}"
    shape = f"{rows}x{cols}" if length is None else f"{rows}x{cols}x{length}"
    return f"{family.name}-{shape}"


def position_in(fields: Fields, limits: ServerLimits) -> BaseGameEnv:
    """The position that a request describes, with its history where moves lead to it."""
    env = game_in(fields, limits)
    given = [name for name in ("board", "position", "moves") if fields.has(name)]
    if len(given) > 1:
        raise BadRequestError(f"give {given[0]} or {given[1]}, not both")
    try:
        if given == ["board"]:
            return _from_board(env, fields)
        if given == ["position"]:
            return read_position(env, fields.text("position"))
        start = fields.text("start", longest=1000)
        if start:
            env = position_from_text(env, start)
        if given == ["moves"]:
            return _after_moves(env, fields, limits)
        return env
    except ValueError as error:  # GameError and RecordError are ValueErrors with sentences
        raise BadRequestError(str(error)) from error


def _from_board(env: BaseGameEnv, fields: Fields) -> BaseGameEnv:
    cells = fields.raw("board")
    if not isinstance(cells, list):
        raise BadRequestError(f"board is a list of -1, 0 and 1, not {shown(cells)}")
    if any(isinstance(row, list) for row in cells):
        cells = _flattened(cells, env)
    if not all(type(cell) is int and -1 <= cell <= 1 for cell in cells):
        raise BadRequestError("board is a list of -1, 0 and 1")
    player = fields.raw("player")
    if type(player) is not int:
        raise BadRequestError(f"player is 1 or -1, not {shown(player)}")
    env.set_position(cells, player)
    return env


def _flattened(rows: list[Any], env: BaseGameEnv) -> list[Any]:
    """The cells of a board given row by row, which must have the shape of the game's."""
    whole = all(isinstance(row, list) and len(row) == env.cols for row in rows)
    if not whole or len(rows) != env.rows:
        raise BadRequestError(
            f"a board of rows has {env.rows} rows of {env.cols} cells each in {env.name}"
        )
    return [cell for row in rows for cell in row]


def _after_moves(env: BaseGameEnv, fields: Fields, limits: ServerLimits) -> BaseGameEnv:
    if isinstance(fields.raw("moves"), str):
        return from_transcript(env, fields.text("moves"))
    for number, move in enumerate(fields.wholes("moves", limits.moves), 1):
        try:
            env.step(move)
        except GameError as error:
            raise BadRequestError(f"move {number}: {error}") from error
    return env


def running(env: BaseGameEnv) -> BaseGameEnv:
    """``env``, if there is something to think about."""
    if env.is_terminal():
        raise BadRequestError("the game is over: there is no move to choose")
    return env


def player_in(
    fields: Fields,
    env: BaseGameEnv,
    limits: ServerLimits,
    *,
    usual: str = "",
    usual_time: float | None = None,
) -> Player:
    """Who thinks: ``engine`` (a spec) or ``level``, within all limits.

    ``usual`` is for a request that names nobody, else the best level of the game; ``usual_time``
    for an engine without any limit, else the server's own.
    """
    if fields.has("engine") and fields.has("level"):
        raise BadRequestError("give an engine or a level, not both")
    text = fields.text("engine", longest=200) or fields.text("level", longest=40) or usual
    if not text:
        levels = levels_for(env.name)
        text = "perfect" if "perfect" in levels else "hard"
    seed = fields.whole("seed", 0, _MOST)
    asked = Limit(
        time=fields.seconds("time", limits.time),
        nodes=fields.whole("nodes", 1, _MOST),
        depth=fields.whole("depth", 1, 1000),
        simulations=fields.whole("simulations", 1, _MOST),
    )
    try:
        player = make_player(env.name, _safe_spec(text, env, limits), seed=seed)
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    own = player.limit.time
    if own is not None and own > limits.time:
        raise BadRequestError(f"this server lets an engine think for up to {limits.time:g} seconds")
    player = player.within(asked)
    # A level knows how long it takes; an engine without any limit would take all it can get.
    unlimited = player.limit == Limit() and text.strip().lower() not in LEVELS
    most = min(limits.time, usual_time or limits.usual_time) if unlimited else limits.time
    return player.within(Limit(time=most))


def _safe_spec(text: str, env: BaseGameEnv, limits: ServerLimits) -> str:
    """The spec that ``text`` stands for, without files and within the server's memory.

    It is looked at before anything is made of it, as an engine may read its files at once. What is
    no spec stays as it is, for `make_player` to say so.
    """
    spec = levels_for(env.name).get(text.strip().lower(), text)
    name, chosen = split_spec(spec)
    if name not in {kind.name for kind in engine_kinds()}:
        return text
    for option in engine_kind(name).options:
        if option.name in chosen and option.kind not in _HARMLESS:
            raise BadRequestError(f"{option.name} cannot be chosen on this server")
        if option.name == "memory":
            wanted = option.read(chosen.setdefault("memory", str(limits.memory_mb)))
            if isinstance(wanted, int) and wanted > limits.memory_mb:
                raise BadRequestError(
                    f"this server gives an engine up to {limits.memory_mb} megabytes, not {wanted}"
                )
    options = ",".join(f"{option}={value}" for option, value in chosen.items())
    return f"{name}:{options}" if options else name
