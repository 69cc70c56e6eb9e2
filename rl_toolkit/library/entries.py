"""`Entry`: a game that was checked and can be saved; and the way back to a `GameRecord`.

What the columns of the tables do not hold (other headers, comments, variations, analyses) is saved
as *extra*: the fields of the JSON record (see `extras`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from rl_toolkit.library.extras import packed, unpacked
from rl_toolkit.library.kinds import Kind, kind_of
from rl_toolkit.library.replay import Replayed, replay_games
from rl_toolkit.records import GameRecord

_RATING = re.compile(r"\s*([0-9]{1,5})(?:\.[0-9]*)?\s*", re.ASCII)
_RATINGS = ("black rating", "white rating")
#: The fields of a record that only its JSON form describes.
_RICH = ("analyses", "comments", "notes", "variations")
EVENT, DATE = "event", "date"


@dataclass(frozen=True, slots=True)
class Event:
    """What a game belongs to: a tournament, a match, a file.

    Attributes:
        name: its name.
        origin: what saved the game: ``play``, ``page``, ``match``, ``tournament``, ``self-play``,
            ``import`` or ``python``.
        named: whether the header ``event`` of its games has this name.
    """

    name: str
    origin: str = "python"
    named: bool = False


@dataclass(slots=True)
class Entry:
    """A game that can be saved; its moves are legal and its result agrees with them.

    ``moves`` are bytes of `Kind.move_type`; ``cells`` its row of a pack. ``engines`` says which
    sides are engines, ``specs`` how they are made.
    """

    kind: Kind
    moves: bytes
    plies: int
    twin: int
    cells: np.ndarray[Any, Any]
    players: tuple[str, str]
    result: int | None
    ended_by: str
    event: Event
    date: str | None
    extra: bytes | None
    ratings: tuple[int | None, int | None] = (None, None)
    accuracy: tuple[float | None, float | None] = (None, None)
    engines: tuple[bool, bool] = (False, False)
    specs: tuple[str, str] = ("", "")
    tags: Sequence[str] = field(default=())


def entries_of(
    records: Sequence[GameRecord],
    event: Event,
    *,
    engines: tuple[bool, bool] = (False, False),
    specs: tuple[str, str] = ("", ""),
    accuracy: tuple[float | None, float | None] = (None, None),
    tags: Sequence[str] = (),
) -> list[Entry]:
    """The entries of records, in their order; a record was checked when it was made."""
    found: dict[int, Entry] = {}
    groups: dict[tuple[str, str], list[int]] = {}
    for k, record in enumerate(records):
        groups.setdefault((record.game, record.start), []).append(k)
    for (game, start), numbers in groups.items():
        kind = kind_of(game, start)
        rows = Rows(kind, replay_games(kind, [records[k].moves for k in numbers]))
        for g, k in enumerate(numbers):
            record = records[k]
            entry = entry_of(
                rows,
                g,
                (record.players[0], record.players[1]),
                record.result,
                record.ended_by,
                dict(record.headers),
                event,
                extra_fields(record),
            )
            entry.engines, entry.specs, entry.accuracy = engines, specs, accuracy
            entry.tags = tags
            found[k] = entry
    return [found[k] for k in range(len(records))]


class Rows:
    """A batch of games that was replayed, in the form in which entries are made of it."""

    def __init__(self, kind: Kind, replayed: Replayed) -> None:
        self.kind, self.cells = kind, replayed.cells
        self.plies: list[int] = replayed.plies.tolist()
        self.twins: list[int] = replayed.twins.view(np.int64).tolist()
        self._moves, self._width = replayed.moves.tobytes(), replayed.moves.shape[1]

    def moves(self, row: int) -> bytes:
        """The moves of a game, as they are saved."""
        size = self.kind.move_type.itemsize
        first = row * self._width * size
        return self._moves[first : first + self.plies[row] * size]


def entry_of(
    rows: Rows,
    row: int,
    players: tuple[str, str],
    result: int | None,
    ended_by: str,
    headers: dict[str, str],
    event: Event,
    extra: dict[str, Any],
) -> Entry:
    """The entry of game ``row`` of a batch; ``extra`` has what is not in ``headers``."""
    plies = rows.plies[row]
    named, date = headers.pop(EVENT, None), headers.pop(DATE, None)
    # A header without a text is not what a column without one says.
    headers |= {name: "" for name, text in ((EVENT, named), (DATE, date)) if text == ""}
    ratings: tuple[int | None, int | None] = (None, None)
    if headers:
        extra = {"headers": headers, **extra}
        ratings = _rating(headers.get(_RATINGS[0])), _rating(headers.get(_RATINGS[1]))
    return Entry(
        rows.kind,
        rows.moves(row),
        plies,
        rows.twins[row],
        rows.cells[row, :plies],
        players,
        result,
        ended_by,
        _named_event(named, event.origin) if named else event,
        date or None,
        packed(json.dumps(extra, ensure_ascii=False, separators=(",", ":"))) if extra else None,
        ratings,
    )


@lru_cache(maxsize=1 << 10)
def _named_event(name: str, origin: str) -> Event:
    return Event(name, origin, True)


def extra_fields(record: GameRecord) -> dict[str, Any]:
    """What only the extra of a record holds, without its headers."""
    extra: dict[str, Any] = {"opening": record.opening} if record.opening else {}
    if any(getattr(record, name) for name in _RICH):
        fields = json.loads(record.to_json())
        kept = ("version", *_RICH)
        extra |= {name: fields[name] for name in kept if name in fields}
    return extra


def record_of(
    kind: Kind,
    moves: bytes,
    players: tuple[str, str],
    result: int | None,
    ended_by: str,
    event: Event,
    date: str | None,
    extra: bytes | None,
) -> GameRecord:
    """The record that was saved; raises `RecordError` if the file says what no record can."""
    fields: dict[str, Any] = json.loads(unpacked(extra)) if extra else {}
    headers = fields.pop("headers", {})
    if event.named:
        headers = {EVENT: event.name, **headers}
    if date is not None:
        headers = {**headers, DATE: date}
    numbers = np.frombuffer(moves, kind.move_type).tolist()
    if "version" in fields:
        names = kind.begun.line_names(numbers)
        words = {1: "x", -1: "o", 0: "draw", None: None}
        record: dict[str, Any] = {
            **fields,
            "game": kind.game,
            "start": kind.start,
            "players": dict(zip("xo", players, strict=True)),
            "headers": headers,
            "moves": names,
            "result": words[result],
            "ended_by": ended_by,
        }
        if "opening" in record and record["version"] < 3:
            record["version"] = 3
        return GameRecord.from_json(json.dumps(record, ensure_ascii=False))
    return GameRecord(
        kind.game,
        numbers,
        players,
        result,
        ended_by,
        kind.start,
        headers,
        opening=fields.get("opening", 0),
    )


def _rating(text: str | None) -> int | None:
    found = _RATING.fullmatch(text or "")
    return int(found[1]) if found is not None else None
