"""Looking after the file: is everything there, and what can be saved of a damaged one?"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from rl_toolkit.library.database import Database
from rl_toolkit.library.entries import Entry, Event, entries_of, record_of
from rl_toolkit.library.importing import Refused, set_aside
from rl_toolkit.library.kinds import REMOVED, kind_of
from rl_toolkit.library.positions.packs import read_loose, read_packs, write_packs
from rl_toolkit.library.replay import replay_games
from rl_toolkit.library.writing import Writer
from rl_toolkit.records import GameRecord, RecordError, write_games
from rl_toolkit.utils import counted

_CHUNK = 4096


@dataclass(slots=True)
class CheckReport:
    """What a check found.

    Attributes:
        games: the number of games that were looked at.
        problems: a sentence for each problem.
        refused: games that imports set aside.
        is_damaged: whether SQLite itself cannot read the file any more.
        repaired: whether packs and lists were made anew.
    """

    games: int = 0
    problems: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    is_damaged: bool = False
    repaired: bool = False


def check(database: Database, *, repair: bool = False) -> CheckReport:
    """Look at every page of the file, every game, and what was derived from the games.

    With ``repair`` packs and lists that do not agree with the games are made anew.
    """
    report = CheckReport()
    for (line,) in database.execute("PRAGMA integrity_check(20)"):
        if line != "ok":
            report.problems.append(f"SQLite says: {line}")
    if report.problems:
        report.is_damaged = True
        return report
    report.refused = set_aside(database)
    derived = []
    for number, game, start in database.execute("SELECT id, game, start FROM kind ORDER BY id"):
        derived += _check_kind(database, number, game, start, report)
    report.problems += derived
    if derived and repair:
        rebuild(database)
        report.repaired = True
    return report


def _check_kind(
    database: Database, number: int, game: str, start: str, report: CheckReport
) -> list[str]:
    """What is wrong with what was derived from the games of a kind; adds to the report."""
    kind = kind_of(game, start)
    seen: dict[int, bytes] = {}
    last = 0
    while True:
        rows = database.execute(
            "SELECT game.id, score.moves, game.twin FROM game LEFT JOIN score "
            "ON score.game = game.id WHERE game.kind = ? AND game.id > ? ORDER BY game.id LIMIT ?",
            (number, last, _CHUNK),
        )
        if not rows:
            break
        last = rows[-1][0]
        report.games += len(rows)
        whole = [row for row in rows if row[1] is not None]
        report.problems += [
            f"game {row[0]} has no moves any more" for row in rows if row[1] is None
        ]
        replayed = replay_games(kind, [np.frombuffer(row[1], kind.move_type) for row in whole])
        twins = replayed.twins.view(np.int64).tolist()
        for g, (each, _, twin) in enumerate(whole):
            if replayed.bad[g] >= 0:
                report.problems.append(f"game {each} has an illegal move, {replayed.bad[g] + 1}")
            elif twin != twins[g]:
                report.problems.append(f"game {each} has other moves than when it was saved")
            if kind.is_packed:
                seen[each] = replayed.cells[g, : replayed.plies[g]].tobytes()
    if not kind.is_packed:
        return []
    with database.reading() as connection:
        packs = [pack for pack in read_packs(connection, number, (), kind).values() if pack]
        _, loose = read_loose(connection, number, (), kind)
    for pack in [*packs, *([loose] if loose is not None else [])]:
        for row, each in zip(pack.cells, pack.ids.tolist(), strict=True):
            if row[0] != REMOVED and seen.pop(each, None) != row[row != 255].tobytes():
                return [f"the packs of {game} do not agree with its games"]
    return [f"{counted(len(seen), 'game')} of {game} cannot be searched"] if seen else []


def rebuild(database: Database) -> None:
    """Make packs and the lists of loose games anew, from the moves."""
    with database.writing() as connection:
        connection.execute("DELETE FROM pack")
        connection.execute("DELETE FROM loose")
        kinds = connection.execute("SELECT id, game, start FROM kind").fetchall()
        for number, game, start in kinds:
            kind = kind_of(game, start)
            if kind.is_packed:
                connection.execute(
                    "INSERT INTO loose SELECT kind, id FROM game WHERE kind = ?", (number,)
                )
                write_packs(connection, number, kind)


@dataclass(frozen=True, slots=True)
class Rescue:
    """What became of a damaged file.

    Attributes:
        aside: where it is now.
        saved: a file of the games that could be read, ``None`` if there are none.
        games: how many these are; they are in a new library at the old place, too.
        lost: how many could not be read, as far as the file says how many it had.
        attempts, puzzles: rows of the tables of `puzzles` that are in the new library.
    """

    aside: Path
    saved: Path | None
    games: int
    lost: int
    attempts: int = 0
    puzzles: int = 0


def rescue(path: Path) -> Rescue:
    """Set a damaged library aside, and make a new one of what can be read.

    Games keep their tags, engines, accuracy and where they came from. They are also written to a
    file of JSON lines, first of all. Attempts at puzzles and own puzzles are kept.
    """
    stamp = time.strftime("%Y%m%d-%H%M%S")
    records, entries, lost = list[GameRecord](), list[Entry](), 0
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        tags: dict[object, list[str]] = {}
        for name, game in _readable(connection, "tag", "name, game"):
            tags.setdefault(game, []).append(str(name))
        for number in range(1, _last(connection) + 1):
            try:
                row = connection.execute(_WHOLE, (number,)).fetchone()
                if row is None:
                    continue
                record, entry = _read(row, sorted(tags.get(number, ())))
            except (sqlite3.DatabaseError, RecordError, ValueError):
                lost += 1
            else:
                records.append(record)
                entries.append(entry)
        rows = {table: _readable(connection, table, key) for table, key in _KEYS.items()}
    finally:
        connection.close()
    saved = None
    if records:
        saved = path.with_name(f"{path.stem}-rescued-{stamp}.jsonl")
        write_games(saved, records, "jsonl")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    os.replace(path, aside)
    for suffix in ("-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            os.replace(beside, aside.with_name(aside.name + suffix))
    with closing(Database(path)) as fresh, fresh.writing() as new:
        writer = Writer(new)
        for at in range(0, len(entries), _CHUNK):
            writer.insert(entries[at : at + _CHUNK])
        for table, some in rows.items():
            for row in some:
                marks = ", ".join("?" * len(row))
                new.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
    return Rescue(aside, saved, len(records), lost, len(rows["attempt"]), len(rows["puzzle"]))


#: The tables of `puzzles` and the columns that they are read by.
_KEYS = {"attempt": "id", "puzzle": "name"}


def _readable(connection: sqlite3.Connection, table: str, keys: str) -> list[tuple[object, ...]]:
    """The rows of a table from both ends of its order by ``keys``, up to what cannot be read."""
    found: dict[tuple[object, ...], None] = {}
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{key} {order}" for key in keys.split(", "))
        try:
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY {by}"):
                found.setdefault(row)
        except sqlite3.DatabaseError:
            continue
    return list(found)


_WHOLE = (
    "SELECT kind.game, kind.start, px.name, po.name, game.result, game.ended_by, event.name, "
    "event.origin, event.named, game.date, score.moves, score.extra, px.engine, po.engine, "
    "px.spec, po.spec, accuracy_x, accuracy_o FROM game "
    "JOIN score ON score.game = game.id JOIN kind ON kind.id = game.kind "
    "JOIN player AS px ON px.id = game.x JOIN player AS po ON po.id = game.o "
    "JOIN event ON event.id = game.event WHERE game.id = ?"
)


def _last(connection: sqlite3.Connection) -> int:
    for query in (
        "SELECT max(seq) FROM sqlite_sequence WHERE name = 'game'",
        "SELECT max(id) FROM game",
        "SELECT max(game) FROM score",
    ):
        try:
            (last,) = connection.execute(query).fetchone()
        except sqlite3.DatabaseError:
            continue
        if last is not None:
            return int(last)
    return 0


def _read(row: tuple[Any, ...], tags: list[str]) -> tuple[GameRecord, Entry]:
    """The game in a row of `_WHOLE`: as a record that names its event, and as it is saved again."""
    game, start, x, o, result, ended_by, name, origin, named, date, moves, extra, *rest = row
    engine_x, engine_o, spec_x, spec_o, *accuracy = rest
    event = Event(str(name), str(origin), bool(named))
    record = record_of(
        kind_of(str(game), str(start)),
        moves,
        (str(x), str(o)),
        result,
        str(ended_by or ""),
        replace(event, named=bool(named or name)),
        date,
        extra,
    )
    (entry,) = entries_of(
        [record],
        event,
        engines=(bool(engine_x), bool(engine_o)),
        specs=(str(spec_x), str(spec_o)),
        accuracy=(accuracy[0], accuracy[1]),
        tags=tags,
    )
    entry.event = event
    return record, entry
