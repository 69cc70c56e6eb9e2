"""A `GameRecord` as JSON text and back.

::

    {
      "version": 1,
      "game": "connect-four",
      "players": {"x": "Ada", "o": "mcts"},
      "moves": ["d", "d", "e"],
      "result": null
    }

``version``, ``game``, ``moves`` and ``result`` are required; all other fields are omitted if empty.
No other field is accepted: a format with more fields will have another version.

Version 2 adds ``comments`` and ``variations``, version 3 ``opening``, the number of first moves
that no player chose, version 4 ``notes`` (see `tree.notes`), variations after the last move of the
game and variations that stand ``ahead`` of it. A record is written in the lowest version that holds
it, for older programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rl_toolkit.envs import BaseGameEnv, GameError, UnknownGameError, make_game
from rl_toolkit.envs.position import position_from_text
from rl_toolkit.records.checked_json import (
    MAX_BYTES,
    checked_text,
    read_record,
    too_large,
    write_object,
)
from rl_toolkit.records.errors import (
    PositionError,
    RecordError,
    RecordFieldError,
    RecordMoveError,
    RecordSyntaxError,
    RecordVersionError,
)
from rl_toolkit.records.tree import variations_json
from rl_toolkit.utils import JsonObject, PathLike, listed, shown

if TYPE_CHECKING:
    from rl_toolkit.records.game_record import GameRecord

#: The fields that may be omitted, by version.
_FIRST = ("start", "players", "ended_by", "headers", "analyses")
_SECOND = (*_FIRST, "comments", "variations")
_THIRD = (*_SECOND, "opening")
_VERSIONS = {1: _FIRST, 2: _SECOND, 3: _THIRD, 4: (*_THIRD, "notes")}
VERSION = max(_VERSIONS)

_REQUIRED = ("version", "game", "moves", "result")
_RESULTS = {1: "x", -1: "o", 0: "draw", None: None}


def to_json(record: GameRecord) -> str:
    """The record as JSON text, one field per line."""
    begun = record.starting_position()
    fields: JsonObject = {
        "version": _version(record),
        "game": record.game,
        "start": record.start,
        "players": dict(zip("xo", record.players, strict=True)) if any(record.players) else None,
        "headers": record.headers,
        "opening": record.opening,
        "moves": begun.line_names(record.moves),
        "result": _RESULTS[record.result],
        "ended_by": record.ended_by,
        "analyses": record.analyses,
        "comments": variations_json.comments_to_json(record.comments),
        "notes": variations_json.notes_to_json(record.notes, begun),
        "variations": variations_json.to_json(begun, record.moves, record.variations),
    }
    return write_object(
        {name: fields[name] for name in fields if name in _REQUIRED or fields[name]}
    )


def _version(record: GameRecord) -> int:
    """The lowest version that holds the record."""
    if record.notes or variations_json.needs_version_4(record.moves, record.variations):
        return 4
    return 3 if record.opening else 2 if record.comments or record.variations else 1


def fields_from_json(text: str) -> dict[str, Any]:
    """The arguments for `GameRecord`, which checks what depends on the rules of the game."""
    fields = read_record(text)
    _check_names(fields)
    version = fields.pop("version")
    begun = _begun(fields["game"], fields.get("start", ""))
    fields["moves"] = _moves(begun.copy(), fields["moves"])
    fields["result"] = _result(fields["result"])
    if "players" in fields:
        fields["players"] = _players(fields["players"])
    if "comments" in fields:
        fields["comments"] = variations_json.comments_from_json(fields["comments"], "comments")
    if "variations" in fields:
        fields["variations"] = variations_json.from_json(
            begun, fields["moves"], fields["variations"], version
        )
    if "notes" in fields:
        fields["notes"] = variations_json.notes_from_json(fields["notes"], begun, "notes")
    return fields


def game_named(name: object) -> BaseGameEnv:
    """A new game of that name; raises `RecordFieldError` if there is none."""
    try:
        return make_game(checked_text(name, "game"))
    except UnknownGameError as error:
        raise RecordFieldError(str(error), "game") from error


def read_text(path: PathLike) -> str:
    """The text of a file; raises `RecordSyntaxError` if it is too large or not UTF-8."""
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_large()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordSyntaxError("this is not UTF-8 text", f"line {line}") from error


@contextmanager
def errors_named(file_name: str) -> Iterator[None]:
    """Put the name of the file in front of every `RecordError` raised inside the block."""
    try:
        yield
    except RecordError as error:
        raise error.inside(file_name) from error


def _check_names(fields: JsonObject) -> None:
    # The version first: a record of another version may have other fields.
    if "version" not in fields:
        raise RecordFieldError("this field is missing", "version")
    version = fields["version"]
    if type(version) is not int or version not in _VERSIONS:
        known = listed(map(str, _VERSIONS))
        raise RecordVersionError(
            f"this record has version {shown(version)}; only versions {known} can be read",
            "version",
        )
    for name in _REQUIRED:
        if name not in fields:
            raise RecordFieldError("this field is missing", name)
    for name in fields:
        if name not in _REQUIRED + _VERSIONS[version]:
            raise RecordFieldError(f"unknown field {shown(name)}")


def _begun(game: object, start: object) -> BaseGameEnv:
    """The starting position of a record whose fields are not checked yet."""
    text = checked_text(start, "start")
    env = game_named(game)
    try:
        return position_from_text(env, text) if text else env
    except PositionError as error:
        raise RecordFieldError(str(error), "start") from error


def _moves(env: BaseGameEnv, names: object) -> list[int]:
    if not isinstance(names, list):
        raise RecordFieldError(f"this must be a list of move names, not {shown(names)}", "moves")
    if env.names_vary:
        return _moves_in_turn(env, names)
    numbers = {env.move_name(move): move for move in range(env.num_moves)}
    for k, name in enumerate(names):
        if not isinstance(name, str) or name not in numbers:
            example = env.move_name(0)
            raise RecordMoveError(
                f"{shown(name)} is not a move of {env.name}; moves look like {example}",
                f"moves[{k}]",
            )
    return [numbers[name] for name in names]


def _moves_in_turn(env: BaseGameEnv, names: list[Any]) -> list[int]:
    """The moves named one after the other, each in its position."""
    for k, name in enumerate(names):
        try:
            env.step(env.parse_move(name))
        except GameError as error:
            raise RecordMoveError(str(error), f"moves[{k}]") from error
    return env.history


def _result(word: object) -> int | None:
    for result, name in _RESULTS.items():
        if word == name:
            return result
    raise RecordFieldError(f"a result is x, o, draw or null, not {shown(word)}", "result")


def _players(names: object) -> list[object]:
    if not isinstance(names, dict) or set(names) != {"x", "o"}:
        raise RecordFieldError('this must look like {"x": "Ada", "o": "Max"}', "players")
    return [names["x"], names["o"]]
