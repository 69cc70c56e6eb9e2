"""Games as lines of JSON: records one a line, and the files that long runs save.

=========================  =====================================================================
records                    every line is a record, as `record_json` describes it
``rl_toolkit match``       a first line that describes the match, then a line for each pair
``rl_toolkit tournament``  the same for many players; each line names the two of its pair
``rl_toolkit self-play``   a first line that describes the run, then a line for each game
=========================  =====================================================================

The last line of a saved match or run may be cut off: it is then left out, as it is when the run
resumes. A pair or a game that was played again counts once, as it was played last. Engines are
names only; nothing is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rl_toolkit.envs import make_game
from rl_toolkit.envs.position import position_from_text
from rl_toolkit.records.errors import (
    OtherGameError,
    RecordError,
    RecordFieldError,
    RecordSyntaxError,
    RecordVersionError,
)
from rl_toolkit.records.formats.file_results import ADJUDICATED, outcome
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.record_json import game_named
from rl_toolkit.records.tree.variations import play_along
from rl_toolkit.utils import JsonError, JsonObject, listed, read_object, shown

VERSION = 1


def looks_like_json_lines(data: bytes) -> bool:
    """Whether the first line is an object of its own: a description, or one record of several."""
    first, _, rest = data.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    if not (first.startswith(b"{") and first.rstrip().endswith(b"}")):
        return False
    return b'"format"' in first or rest.strip() != b""


def read_json_lines(data: bytes | str, game: str | None = None) -> list[GameRecord]:
    """The games in the lines; if ``game`` is given, all must be games of it.

    Raises `RecordError` with the number of the line.
    """
    return list(iter_json_lines(data, game))


def iter_json_lines(data: bytes | str, game: str | None = None) -> Iterator[GameRecord]:
    """The games that `read_json_lines` reads; records are read when their turn comes.

    A saved match or run is read whole first, as a later line may replace an earlier one.
    """
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordSyntaxError("this is not UTF-8 text") from error
    records: Iterable[GameRecord]
    if "format" not in head_of(text):
        lines = enumerate(text.split("\n"), 1)
        records = (record_in(line, number) for number, line in lines if line.strip())
    else:
        records = [saved.record() for saved in saved_games(text)]
    number = 0
    for number, record in enumerate(records, 1):
        if game is not None and record.game != make_game(game).name:
            raise OtherGameError(
                f"this is a game of {record.game}, not of {game}", f"game {number}"
            )
        yield record
    if not number:
        raise RecordSyntaxError("there is no game in this file")


def head_of(text: str) -> JsonObject:
    """The first line, which describes a saved run if it has the field ``format``."""
    first = text.partition("\n")[0]
    return _object(first, 1) if first.strip() else {}


def saved_games(text: str) -> list[SavedGame]:
    """The games of a saved match or run, not checked yet; a later line replaces an earlier one."""
    head, lines = head_of(text), text.split("\n")
    kind = head["format"]
    if not isinstance(kind, str) or kind not in _KINDS:
        known = listed(_KINDS)
        raise RecordFieldError(f"{shown(kind)} is not read: {known} are", "line 1: format")
    if type(head.get("version")) is not int or head["version"] != VERSION:
        raise RecordVersionError(
            f"this file has version {shown(head.get('version'))}; version {VERSION} is read",
            "line 1: version",
        )
    whole = lines[1:-1]  # what follows the last line end is empty, or cut off
    return _KINDS[kind](head, whole)


def write_json_lines(records: Iterable[GameRecord]) -> str:
    """The records, one a line."""
    # Each field of a record is one line, and line ends inside texts are escaped.
    return "".join(
        " ".join(part.strip() for part in record.to_json().strip().split("\n")) + "\n"
        for record in records
    )


def _object(line: str, number: int) -> JsonObject:
    try:
        return read_object(line)
    except JsonError as error:
        raise RecordSyntaxError(error.problem, f"line {number}") from error


def record_in(text: str, number: int) -> GameRecord:
    """The record in line ``number``; raises `RecordError` with that number."""
    try:
        return GameRecord.from_json(text)
    except RecordError as error:
        raise error.inside(f"line {number}") from error


# ------------------------------------------------------------------ saved matches and runs


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game of a saved match or tournament, as its line has it."""

    game: str
    engines: list[str]
    pair: int
    entry: JsonObject
    where: str

    def fields(self) -> tuple[int, dict[str, str], str, tuple[str, str]]:
        """Its result for X, headers, what ended it if the moves do not, and players."""
        entry, where, engines = self.entry, self.where, self.engines
        if not isinstance(entry, dict):
            raise RecordFieldError(f"a game is an object, not {shown(entry)}", where)
        first, result = _field(entry, "first", int, where), _field(entry, "result", int, where)
        if first not in (0, 1) or result not in (-1, 0, 1):
            raise RecordFieldError("first is 0 or 1, and result is 1, 0 or -1", where)
        headers, reason = {"pair": str(self.pair + 1)}, ADJUDICATED
        if "forfeit" in entry:
            forfeit = _field(entry, "forfeit", dict, where)
            loser = _field(forfeit, "engine", int, f"{where}.forfeit")
            if loser not in (0, 1):
                raise RecordFieldError("engine is 0 or 1", f"{where}.forfeit")
            reason = _field(forfeit, "by", str, where) if "by" in forfeit else "forfeit"
            headers[reason] = f"{engines[loser]} {_field(forfeit, 'reason', str, where)}"
        if "adjudication" in entry:
            proof = _field(entry, "adjudication", dict, where)
            by, plies = (
                _field(proof, name, kind, where) for name, kind in (("by", str), ("plies", int))
            )
            headers["adjudication"] = f"by {by}, {plies} plies before the end"
        players = engines[first], engines[1 - first]
        return (result if first == 0 else -result), headers, reason, players

    def record(self) -> GameRecord:
        """The game, replayed; raises `RecordError`."""
        entry, where = self.entry, self.where
        said, headers, reason, players = self.fields()
        start = _field(entry, "start", str, where) if "start" in entry else ""
        env = position_from_text(self.game, start) if start else make_game(self.game)
        opening = play_along(env, _field(entry, "opening", list, where), f"{where}.opening")
        play_along(env, _field(entry, "moves", list, where), f"{where}.moves")
        winner, ended_by = outcome(env, said, reason, where)
        return GameRecord.from_env(
            env,
            players=players,
            result=winner,
            ended_by=ended_by,
            headers=headers,
            opening=len(opening),
        )


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game of saved self-play: the text of its record."""

    text: str
    number: int

    def record(self) -> GameRecord:
        """The record; raises `RecordError` with the number of its line."""
        return record_in(self.text, self.number)


SavedGame = MatchGame | SelfPlayGame


def _match_games(head: JsonObject, lines: list[str]) -> list[SavedGame]:
    game = game_named(head.get("game")).name
    engines = _two_names(head, "engines", "line 1")
    pairs: dict[int, list[SavedGame]] = {}
    for number, text in enumerate(lines, 2):
        line, where = _object(text, number), f"line {number}"
        pairs[_field(line, "pair", int, where)] = _pair_games(game, engines, line, where)
    return [saved for pair in sorted(pairs) for saved in pairs[pair]]


def _tournament_games(head: JsonObject, lines: list[str]) -> list[SavedGame]:
    game = game_named(head.get("game")).name
    pairs: dict[tuple[str, str, int], list[SavedGame]] = {}
    for number, text in enumerate(lines, 2):
        line, where = _object(text, number), f"line {number}"
        one, other = players = _two_names(line, "players", where)
        pair = _field(line, "pair", int, where)
        pairs[one, other, pair] = _pair_games(game, players, line, where)
    return [saved for games in pairs.values() for saved in games]


def _two_names(fields: JsonObject, name: str, where: str) -> list[str]:
    names: list[str] = _field(fields, name, list, where)
    if len(names) != 2 or not all(isinstance(entry, str) for entry in names):
        raise RecordFieldError("this must be the names of two engines", f"{where}: {name}")
    return names


def _pair_games(game: str, engines: list[str], line: JsonObject, where: str) -> list[SavedGame]:
    pair, played = _field(line, "pair", int, where), _field(line, "games", list, where)
    return [
        MatchGame(game, engines, pair, entry, f"{where}: games[{k}]")
        for k, entry in enumerate(played)
    ]


def _self_play_games(head: JsonObject, lines: list[str]) -> list[SavedGame]:
    games: dict[int, SavedGame] = {}
    for number, text in enumerate(lines, 2):
        line, where = _object(text, number), f"line {number}"
        games[_field(line, "game_number", int, where)] = SelfPlayGame(
            _field(line, "record", str, where), number
        )
    return [games[number] for number in sorted(games)]


def _field(fields: JsonObject, name: str, kind: type, where: str = "") -> Any:
    place = f"{where}: {name}" if where else name
    if name not in fields:
        raise RecordFieldError("this field is missing", place)
    if type(fields[name]) is not kind:
        words = {list: "a list", int: "a whole number", str: "text", dict: "an object"}
        raise RecordFieldError(f"this must be {words[kind]}, not {shown(fields[name])}", place)
    return fields[name]


_KINDS: dict[str, Callable[[JsonObject, list[str]], list[SavedGame]]] = {
    "rl_toolkit match": _match_games,
    "rl_toolkit tournament": _tournament_games,
    "rl_toolkit self-play": _self_play_games,
}
