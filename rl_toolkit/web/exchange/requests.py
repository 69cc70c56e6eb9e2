"""Questions: the fields of a request turned into a position, a player and a limit.

There are three ways to give a position, each together with the ``game``:

* ``moves``: a list of move numbers or a transcript (``4453``, ``b2a1``), from the start or from
  the position text in ``start``;
* ``position``: position text or a transcript;
* ``board`` and ``player``: cells as numbers, as the courses do.

All of it is checked against the server's limits here, before a search begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rl_toolkit.analysis import EngineError, Limit
from rl_toolkit.envs import BaseGameEnv, GameError, GameFamily, game_families, make_game
from rl_toolkit.players import (
    READABLE,
    EngineKind,
    Player,
    Spec,
    engine_kind,
    is_level,
    is_rating,
    kind_named,
    levels_for,
    make_player,
    readable_player,
    spec_of_rating,
)
from rl_toolkit.records import (
    RecordError,
    TranscriptError,
    from_transcript,
    position_from_text,
    read_position,
)
from rl_toolkit.utils import counted, listed, shown
from rl_toolkit.utils.position_utils import index_to_algebraic
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.offered import OfferedEngines
from rl_toolkit.web.serving.limits import ServerLimits

#: The kinds of engine options that clients may set. Others could name a file, and clients must not
#: make the server read one.
_SAFE_KINDS = ("whole number", "number", "switch", "choice")
#: The largest whole number that JSON keeps.
MOST = 2**53
_LONGEST_QUOTE = 40


@dataclass(frozen=True, slots=True)
class Question:
    """A position and who thinks about it.

    ``play`` asks for the position after the best move, ``top`` for no more than the best moves,
    ``endless`` for a search until the client leaves. ``claims`` asks a bot also for what it says
    about every move, which takes a second search. ``stand_in`` lets another engine answer first if
    this one is not compiled yet.
    """

    env: BaseGameEnv
    player: Player
    play: bool = False
    top: int | None = None
    endless: bool = False
    claims: bool = False
    stand_in: bool = False


def game_in(fields: Fields, limits: ServerLimits) -> BaseGameEnv:
    """The game that ``game``, ``board_size`` and ``win_length`` name, in its starting position."""
    name = fields.text("game", "tictactoe", longest=60)
    size, length = fields.raw("board_size"), fields.whole("win_length", 3, 99)
    try:
        env = make_game(_with_variant(name, size, length))
    except GameError as error:
        # What is wrong with the board says enough without the name of the game.
        board = isinstance(error.__cause__, GameError)
        raise BadRequestError(str(error.__cause__ if board else error)) from error
    if env.traits.has_grid and env.rows * env.cols > limits.cells:
        raise BadRequestError(
            f"{env.name} has {env.rows * env.cols} cells; "
            f"this server takes boards of up to {limits.cells}"
        )
    return env


def _with_variant(name: str, size: Any, length: int | None) -> str:
    """``tictactoe``, 4 and 3 as ``tictactoe-4x4x3``; the first way of writing that its game reads.

    A square board may be written by its side alone, any board by rows and columns.
    """
    if size is None and length is None:
        return name
    family = next((f for f in game_families() if f.name == name.strip().lower()), None)
    if family is None:
        raise BadRequestError("board_size and win_length go with a game named without a variant")
    if size is None:
        usual = make_game(family.name)
        size = [usual.rows, usual.cols]
    sides = size if isinstance(size, list) else [size, size]
    if len(sides) != 2 or not all(type(side) is int and 1 <= side <= 99 for side in sides):
        raise BadRequestError(f"board_size is a side or [rows, columns], not {shown(size)}")
    shape = "{}x{}".format(*sides)
    variants = [shape, str(sides[0])] if sides[0] == sides[1] else [shape]
    if length is not None:
        variants = [f"{shape}x{length}"]
    while len(variants) > 1 and not _reads(family, variants[-1]):
        variants.pop()
    return f"{family.name}-{variants[-1]}"


def _reads(family: GameFamily, variant: str) -> bool:
    try:
        return family.make(variant) is not None
    except ValueError:  # it reads the variant and says what is wrong with it
        return True


def legal_part_in(fields: Fields, limits: ServerLimits) -> tuple[BaseGameEnv, str | None]:
    """The position of a request as far as its moves are legal, and a sentence if not all are.

    The legal part of a board that cannot be is the start.
    """
    try:
        return position_in(fields, limits), None
    except BadRequestError as error:
        cause = error.__cause__
        if fields.has("board") and isinstance(cause, GameError):
            return game_in(fields, limits), f"{cause}."
        if not isinstance(cause, TranscriptError) or cause.reached is None:
            raise
        played = len(cause.reached.history)
        shown_part = "The first move is shown." if played == 1 else ""
        if played > 1:
            shown_part = f"The first {counted(played)} are shown."
        return cause.reached, f"{_illegal(cause, cause.reached)} {shown_part}".rstrip()


def unreadable(game: BaseGameEnv, text: str) -> str:
    """Why ``text`` is neither a position nor moves of ``game``, in one sentence or two."""
    start = text.strip()
    if "/" in start:
        try:
            position_from_text(game, start)
        except RecordError as refused:
            return f"This position cannot be read: {refused}."
    try:
        from_transcript(game, start)
    except TranscriptError as refused:
        if refused.reached is not None and len(refused.reached.history) > len(game.history):
            return _illegal(refused, refused.reached)
    example = f" Example: {game.traits.example}." if game.traits.example else ""
    brief = start if len(start) <= _LONGEST_QUOTE else f"{start[:_LONGEST_QUOTE]}…"
    return f"I cannot read “{brief}” as moves.{example}"


def _illegal(error: TranscriptError, reached: BaseGameEnv) -> str:
    """A sentence such as ``Move 16 (g6) is illegal: it turns no disc.``."""
    reason = re.sub(rf"^{re.escape(error.word)} ", "it ", error.problem)
    return f"Move {len(reached.history) + 1} ({shown(error.word)[1:-1]}) is illegal: {reason}."


def position_in(fields: Fields, limits: ServerLimits) -> BaseGameEnv:
    """The position that a request describes, with its history where moves lead to it."""
    env = game_in(fields, limits)
    fields.declare("board", "player", "position", "moves", "start")
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
            raise BadRequestError(f"move {number}: {error}") from _as_written(error, env, move)
    return env


def _as_written(error: GameError, env: BaseGameEnv, move: int) -> TranscriptError:
    """The refusal of a move that came as a number, as if it had come in a transcript."""
    refused = TranscriptError(str(error))
    refused.reached = env
    refused.word = env.move_name(move) if 0 <= move < env.num_moves else str(move)
    return refused


def play_legal(env: BaseGameEnv, moves: Iterable[object]) -> str | None:
    """Play ``moves`` on ``env`` up to the first illegal one; a sentence about that one, if any."""
    for move in moves:
        if isinstance(move, bool) or not isinstance(move, int) or abs(move) >= MOST:
            return f"Move {len(env.history) + 1} is a whole number, not {shown(move)}."
        try:
            env.step(move)
        except GameError as error:
            return _illegal(_as_written(error, env, move), env)
    return None


def objection(env: BaseGameEnv, cell: int) -> str | None:
    """Why no move ends on ``cell`` now, as a sentence; ``None`` if one does."""
    if any(env.landing_cell(move) == cell for move in env.get_legal_moves()):
        return None
    cells = env.rows * env.cols
    if env.num_moves > cells + (env.pass_move is not None):  # moves are not cells
        return f"{index_to_algebraic(cell, (env.rows, env.cols))}: no move ends here now."
    move = cell % env.cols if env.traits.move_by == "column" else cell
    try:
        env.copy().step(move)
    except GameError as error:
        return f"{error}."  # it may begin with the name of a square, which is not capitalised
    return None


def running(env: BaseGameEnv) -> BaseGameEnv:
    """``env``, if its game is not over."""
    if env.is_terminal():
        raise BadRequestError("the game is over: there is no move to choose")
    return env


def player_in(
    fields: Fields,
    env: BaseGameEnv,
    limits: ServerLimits,
    offered: OfferedEngines,
    *,
    usual: Spec | None = None,
    usual_time: float | None = None,
    endless: bool = False,
) -> Player:
    """Who thinks: ``engine`` (a spec or a name in ``offered``) or ``level``, within all limits.

    ``usual`` is the engine of a request that names none, instead of the game's best level;
    ``usual_time`` the time for an engine without a limit, instead of the server's. An ``endless``
    search has no ``time`` but the server's for such searches. Raises `EngineError` if an engine in
    ``offered`` cannot be made.
    """
    fields.declare("engine", "level")
    if fields.has("engine") and fields.has("level"):
        raise BadRequestError("give an engine or a level, not both")
    text = fields.text("engine", longest=200) or fields.text("level", longest=40)
    if not text:
        is_offered = usual is not None and offered.allows(usual.kind)
        text = str(usual) if is_offered else _best_level(env, offered)
    seed = fields.whole("seed", 0, MOST)
    if endless and fields.has("time"):
        raise BadRequestError("give a time or endless, not both")
    if endless and text in offered.specs:
        raise BadRequestError(f"{text} does not search without an end; give it a time")
    asked = Limit(
        time=fields.seconds("time", limits.time),
        nodes=fields.whole("nodes", 1, MOST),
        depth=fields.whole("depth", 1, 1000),
        simulations=fields.whole("simulations", 1, MOST),
    )
    try:
        if text in offered.specs:
            player = offered.player(text, env, seed)
        else:
            spec = safe_spec(text, env, limits, offered)
            player = make_player(env.name, spec, seed=seed)
    except EngineError:  # not the fault of the client
        raise
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    own = player.limit.time
    if own is not None and own > limits.time:
        raise BadRequestError(f"this server lets an engine think for up to {limits.time:g} seconds")
    player = player.within(asked)
    if endless:
        return player.within(Limit(time=limits.endless_time))
    # A level has its own limits; an engine without one would use all the time it gets.
    unlimited = player.limit == Limit() and not is_level(text)
    most = min(limits.time, usual_time or limits.usual_time) if unlimited else limits.time
    return player.within(Limit(time=most))


def traced_in(
    fields: Fields, env: BaseGameEnv, limits: ServerLimits, offered: OfferedEngines
) -> tuple[object, Limit]:
    """The ``engine`` whose search is traced, as a textbook has it, and its limit."""
    text = fields.text("engine", "minimax", longest=200)
    seed = fields.whole("seed", 0, MOST) or 0
    asked = Limit(
        depth=fields.whole("depth", 1, 1000), simulations=fields.whole("simulations", 1, MOST)
    )
    if text in offered.specs:
        raise BadRequestError(f"{text} has no search that can be traced; use {listed(READABLE)}")
    try:
        player = readable_player(env, safe_spec(text, env, limits, offered), seed=seed)
    except EngineError:  # not the fault of the client
        raise
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    limit = asked.or_else(player.limit)
    if limit.time is not None:
        limit = replace(limit, time=min(limit.time, limits.trace_time))
    return player.engine, limit


def _best_level(env: BaseGameEnv, offered: OfferedEngines) -> str:
    """The best level whose engine this server offers, and that does not take long."""
    levels = list(offered.levels(env))
    return next((name for name in ("perfect", "hard") if name in levels), [*levels, "hard"][-1])


def safe_spec(
    text: str, env: BaseGameEnv, limits: ServerLimits, offered: OfferedEngines
) -> str | Spec:
    """The spec that ``text`` stands for, without files and within the server's memory.

    It is checked before an engine is made, as engines may read their files at once. Text that is
    not a spec stays as it is, and `make_player` refuses it.
    """
    levels = {} if env.traits.free_results else levels_for(env.name)
    spec = levels.get(text.strip().lower(), text)
    if levels and is_rating(text):
        return _safe(spec_of_rating(env.name, float(text)), limits, offered)
    offered.check(spec)
    kind = kind_named(spec)
    if kind is None or not offered.allows(kind.name):
        return text
    return _safe(Spec.read(spec), limits, offered)


def kind_answer(kind: EngineKind, limits: ServerLimits) -> dict[str, Any]:
    """The kind as plain data, with the memory that `_safe` gives it as the usual and the most."""
    most = limits.memory_mb
    options = (
        replace(option, default=most, most=most) if option.name == "memory" else option
        for option in kind.options
    )
    return replace(kind, options=tuple(options)).to_dict()


def _safe(spec: Spec, limits: ServerLimits, offered: OfferedEngines) -> Spec:
    """The spec within the server's memory; raises `BadRequestError` if it names a file."""
    offered.check(spec.text)
    for option in engine_kind(spec.kind).options:
        value = spec[option.name]
        if isinstance(value, Spec):  # a mix is as safe as its two engines
            spec = spec.with_(**{option.name: _safe(value, limits, offered)})
        elif option.name in spec.given and option.kind not in _SAFE_KINDS:
            raise BadRequestError(f"{option.name} cannot be set on this server")
        elif option.name == "memory" and option.name not in spec.given:
            spec = spec.with_(memory=limits.memory_mb)
        elif option.name == "memory" and isinstance(value, int) and value > limits.memory_mb:
            raise BadRequestError(
                f"this server gives an engine up to {limits.memory_mb} megabytes, not {value}"
            )
    return spec
