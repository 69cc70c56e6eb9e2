"""JSON lines in bulk: records without analyses, comments and variations, and saved matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from rl_toolkit.envs import GameError, make_game
from rl_toolkit.records.bulk.raw_game import Ending, RawGame
from rl_toolkit.records.errors import OtherGameError, RecordError, RecordSyntaxError
from rl_toolkit.records.formats import json_lines
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.utils import JsonError, JsonObject, read_object

_RESULTS = {"x": 1, "o": -1, "draw": 0, None: None}
_FIELDS = {"version", "game", "players", "moves", "result", "ended_by", "headers", "opening"}


class _Record(RawGame):
    """A record, which has to say exactly what its moves lead to."""

    __slots__ = ()

    def ending(self, over: bool, winner: int | None, stones: tuple[int, int]) -> Ending | None:
        """``None`` where the constructor of a record would refuse the result."""
        right = self.said == winner and not self.reason
        if not over:
            right = (self.said is None) == (not self.reason)
        return (self.said, self.reason, dict(self.headers)) if right else None


def raw_json_lines(data: bytes | str, game: str | None = None) -> Iterator[RawGame]:
    """The games in the lines; a saved match or run is read whole first."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordSyntaxError("this is not UTF-8 text") from error
    first = text.partition("\n")[0]
    if '"format"' in first and "format" in json_lines.head_of(text):
        yield from _saved_run(text, game)
        return
    number = at = 0
    for line_number, line in enumerate(text.split("\n"), 1):
        at += len(line) + 1
        if line.strip():
            number += 1
            raw = _Record(number, _reader(line, line_number, number, game), at / len(text))
            _fill(raw, line, game)
            yield raw
    if not number:
        raise RecordSyntaxError("there is no game in this file")


def _reader(line: str, line_number: int, number: int, game: str | None) -> Callable[[], GameRecord]:
    def read() -> GameRecord:
        record = json_lines.record_in(line, line_number)
        if game is not None and record.game != make_game(game).name:
            raise OtherGameError(
                f"this is a game of {record.game}, not of {game}", f"game {number}"
            )
        return record

    return read


def _fill(raw: RawGame, line: str, game: str | None) -> None:
    """Fill the fields of a game; leave them empty where the usual reader has to look."""
    try:
        fields = read_object(line)
    except JsonError:
        return
    if not fields.keys() <= _FIELDS or not {"version", "game", "moves", "result"} <= fields.keys():
        return
    kind = _kind(fields["game"]) if isinstance(fields["game"], str) else None
    if kind is None or (game is not None and kind[0] != make_game(game).name):
        return
    full_name, numbers = kind
    headers, players = fields.get("headers", {}), fields.get("players", {"x": "", "o": ""})
    moves, opening, result = fields["moves"], fields.get("opening", 0), fields["result"]
    right = (
        type(fields["version"]) is int
        and (3 if "opening" in fields else 1) <= fields["version"] <= 4
        and isinstance(moves, list)
        and type(opening) is int
        and 0 <= opening <= len(moves)
        and _is_text_map(headers)
        and _is_text_map(players)
        and players.keys() == {"x", "o"}
        and isinstance(fields.get("ended_by", ""), str)
        and (result is None or isinstance(result, str))
        and result in _RESULTS
    )
    if not right:
        return
    try:
        played = [numbers[name] for name in moves]
    except (KeyError, TypeError):
        return
    raw.game, raw.moves, raw.headers, raw.opening = full_name, played, headers, opening
    raw.players = players["x"], players["o"]
    raw.said, raw.reason = _RESULTS[result], fields.get("ended_by", "")


def _is_text_map(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


@lru_cache(maxsize=64)
def _kind(name: str) -> tuple[str, dict[str, int]] | None:
    """The full name of a game and its moves by their names; ``None`` if these vary."""
    try:
        env = make_game(name)
    except GameError:
        return None
    if env.names_vary:
        return None
    return env.name, {env.move_name(move): move for move in range(env.num_moves)}


def _saved_run(text: str, game: str | None) -> Iterator[RawGame]:
    """The games of a saved match, tournament or self-play."""
    parts = json_lines.saved_games(text)
    wanted = None if game is None else make_game(game).name
    for number, part in enumerate(parts, 1):
        raw = RawGame(number, _checked(part, number, wanted), number / len(parts))
        if isinstance(part, json_lines.MatchGame):
            _fill_match(raw, part, wanted)
        raw.by_engines = True
        yield raw


def _checked(part: Any, number: int, wanted: str | None) -> Callable[[], GameRecord]:
    def read() -> GameRecord:
        record: GameRecord = part.record()
        if wanted is not None and record.game != wanted:
            raise OtherGameError(
                f"this is a game of {record.game}, not of {wanted}", f"game {number}"
            )
        return record

    return read


def _fill_match(raw: RawGame, part: json_lines.MatchGame, wanted: str | None) -> None:
    entry: JsonObject = part.entry
    try:
        if (part.game != wanted and wanted is not None) or "start" in entry:
            return
        said, headers, reason, players = part.fields()
        moves = [*entry["opening"], *entry["moves"]]
    except (RecordError, KeyError, TypeError):
        return
    if all(type(move) is int for move in moves):
        raw.game, raw.moves, raw.opening = part.game, moves, len(entry["opening"])
        raw.said, raw.reason, raw.headers, raw.players = said, reason, headers, players
