"""Games as tables for spreadsheets and data frames: one row for each game, or for each move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rl_toolkit.envs.position import position_to_text
from rl_toolkit.records.formats.transcripts import to_transcript
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.utils import csv_rows

Row = Mapping[str, Any]

GAME_COLUMNS = (
    "number",
    "game",
    "x",
    "o",
    "result",
    "ended_by",
    "moves",
    "opening",
    "event",
    "date",
    "start",
    "transcript",
)
MOVE_COLUMNS = (
    "number",
    "game",
    "ply",
    "player",
    "move",
    "opening",
    "position",
    "value",
    "best",
    "comment",
)

_RESULTS = {1: "x", -1: "o", 0: "draw", None: ""}


def game_rows(records: Iterable[GameRecord]) -> Iterator[Row]:
    """A row for each game, with the columns `GAME_COLUMNS`.

    ``moves`` is their number, ``opening`` that of the first ones, which no player chose.
    """
    for number, record in enumerate(records, 1):
        yield {
            "number": number,
            "game": record.game,
            "x": record.players[0],
            "o": record.players[1],
            "result": _RESULTS[record.result],
            "ended_by": record.ended_by,
            "moves": len(record.moves),
            "opening": record.opening or "",
            "event": record.headers.get("event", ""),
            "date": record.headers.get("date", ""),
            "start": record.start,
            "transcript": to_transcript(record),
        }


def move_rows(records: Iterable[GameRecord]) -> Iterator[Row]:
    """A row for each move, with the columns `MOVE_COLUMNS`.

    ``opening`` marks moves that no player chose; ``position`` is the one before the move; ``value``
    and ``best`` are those of the analysis made then, if there is one.
    """
    for number, record in enumerate(records, 1):
        env = record.starting_position()
        for ply, move in enumerate(record.moves, 1):
            analysis = (record.analyses[ply - 1] if record.analyses else None) or {}
            yield {
                "number": number,
                "game": record.game,
                "ply": ply,
                "player": "x" if env.current_player == 1 else "o",
                "move": env.move_name(move),
                "opening": "yes" if ply <= record.opening else "",
                "position": position_to_text(env),
                "value": _plain(analysis.get("value")),
                "best": _plain(analysis.get("best")),
                "comment": record.comments.get(ply, ""),
            }
            env.step(move)


def csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """The rows as CSV with a heading; ``None`` is an empty cell."""
    return csv_rows([columns, *([row.get(column) for column in columns] for row in rows)])


def csv_of_games(records: Iterable[GameRecord]) -> str:
    """The text of a CSV table with a heading and a row for each game; see `GAME_COLUMNS`."""
    return csv_text(GAME_COLUMNS, game_rows(records))


def csv_of_moves(records: Iterable[GameRecord]) -> str:
    """The text of a CSV table with a heading and a row for each move; see `MOVE_COLUMNS`."""
    return csv_text(MOVE_COLUMNS, move_rows(records))


def _plain(value: object) -> object:
    """A number or text of an analysis; nothing for anything else."""
    return value if isinstance(value, (int, float, str)) else ""
