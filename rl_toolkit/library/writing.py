"""Saving games: rows of the tables, packs and positions, inside a transaction of the caller."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rl_toolkit.library.entries import Entry, Event
from rl_toolkit.library.kinds import Kind
from rl_toolkit.library.positions.packs import Fresh, fresh_game, write_packs
from rl_toolkit.library.replay import position_hash

#: The numbers of kind, X, O and event.
_Row = tuple[int, int, int, int]
#: What makes two games the same one: kind, twin, the names of X, O and event, and the date. So an
#: engine that a file names is the one that a match has saved.
_Key = tuple[int, int, str, str, str, str | None]


@dataclass(slots=True)
class Inserted:
    """What became of some entries.

    Attributes:
        ids: the numbers of the games that were saved, in their order.
        there: how many were there already, in the same event, and were not saved again.
        twins: how many of those that were saved repeat the moves of a game that was there, in its
            orientation or in another one.
    """

    ids: list[int] = field(default_factory=list)
    there: int = 0
    twins: int = 0


class Writer:
    """Saves entries; it remembers the numbers of names, so a failed transaction needs a new one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._kinds: dict[tuple[str, str], int] = {}
        self._players: dict[tuple[str, bool, str], int] = {}
        self._events: dict[Event, int] = {}
        self._fresh: dict[int, dict[int, Fresh]] = {}
        #: For each source the last game up to which all are its own, ``None`` once another one is.
        self._alone: dict[int, int | None] = {}

    def insert(
        self,
        entries: Sequence[Entry],
        source: int | None = None,
        *,
        once: bool = False,
        on_any_day: bool = False,
    ) -> Inserted:
        """Save games; with ``once`` without those that their event has, as often as it has them.

        Games of the same ``source`` are not compared: a file may hold a game twice. With
        ``on_any_day`` a game is the same one whatever its date is: a run is repeated on another
        day.
        """
        done, rows = Inserted(), [self._row(entry) for entry in entries]
        have = self._earlier(entries, rows, source, on_any_day)
        twins = Counter[tuple[int, int]]()
        for key, count in have.items():
            twins[key[0], key[1]] += count
        (last,) = self._connection.execute(
            "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'game'"
        ).fetchone()
        games, scores, added = [], [], int(time.time())
        loose: list[tuple[int, int]] = []
        tags: list[tuple[str, int]] = []
        kinds: dict[int, Kind] = {}
        for entry, row in zip(entries, rows, strict=True):
            kind, x, o, event = row
            twin, date = entry.twin, entry.date
            if once and have and have[key := _key(entry, kind, on_any_day)] > 0:
                have[key] -= 1
                done.there += 1
                continue
            last += 1
            done.ids.append(last)
            done.twins += bool(twins) and twins[kind, twin] > 0
            games.append(
                (
                    *(last, kind, x, o, entry.result, entry.ended_by or None, event, source, date),
                    *(added, entry.plies, twin, *entry.ratings, *entry.accuracy),
                )
            )
            scores.append((last, entry.moves, entry.extra))
            tags += [(tag, last) for tag in entry.tags]
            if entry.kind.is_packed:
                loose.append((kind, last))
                kinds[kind] = entry.kind
                self._fresh.setdefault(kind, {})[last] = fresh_game(
                    last, entry.cells, entry.result, entry.ratings, date
                )
            else:
                self._write_positions(kind, last, entry)
        write = self._connection.executemany
        write(f"INSERT INTO game VALUES ({', '.join('?' * 16)})", games)
        write("INSERT INTO score VALUES (?, ?, ?)", scores)
        write("INSERT INTO loose VALUES (?, ?)", loose)
        write("INSERT OR IGNORE INTO tag VALUES (?, ?)", tags)
        for number, form in kinds.items():
            write_packs(self._connection, number, form, self._fresh[number])
        return done

    def _earlier(
        self, entries: Sequence[Entry], rows: Sequence[_Row], source: int | None, on_any_day: bool
    ) -> Counter[_Key]:
        """How often each game, or one with the same twin, is there from another source."""
        found = Counter[_Key]()
        if source is not None and self._is_alone(source):
            return found
        kinds = {row[0] for row in rows}
        twins = sorted({entry.twin for entry in entries})
        for at in range(0, len(twins), 500):
            some = twins[at : at + 500]
            query = (
                f"SELECT game.kind, twin, px.name, po.name, event.name, "
                f"{'NULL' if on_any_day else 'date'} FROM game JOIN player AS px ON px.id = game.x "
                "JOIN player AS po ON po.id = game.o JOIN event ON event.id = game.event "
                f"WHERE twin IN ({', '.join('?' * len(some))}) AND (source IS NOT ? OR ?)"
            )
            values = (*some, source, source is None)
            same = self._connection.execute(query, values).fetchall()
            found.update(row for row in same if row[0] in kinds)
        return found

    def _is_alone(self, source: int) -> bool:
        """Whether all games are of this source.

        A batch looks only at the games that came since the one before: looking at all of them for
        each batch would take longer and longer.
        """
        seen = self._alone.get(source, 0)
        if seen is not None:
            query = "SELECT max(id), max(source IS NOT ?) FROM game WHERE id > ?"
            last, others = self._connection.execute(query, (source, seen)).fetchone()
            self._alone[source] = None if others else last or seen
        return self._alone[source] is not None

    def _row(self, entry: Entry) -> _Row:
        (x, o), engines, specs = entry.players, entry.engines, entry.specs
        return (
            self.kind(entry.kind),
            self._player(x, engines[0], specs[0]),
            self._player(o, engines[1], specs[1]),
            self._event(entry.event),
        )

    def kind(self, kind: Kind) -> int:
        """The number of a kind."""
        key = kind.game, kind.start
        number = self._kinds.get(key)
        if number is None:
            number = self._kinds[key] = self._number("kind", game=kind.game, start=kind.start)
        return number

    def _player(self, name: str, engine: bool, spec: str) -> int:
        key = name, engine, spec
        number = self._players.get(key)
        if number is None:
            number = self._number("player", name=name, engine=int(engine), spec=spec)
            self._players[key] = number
        return number

    def _event(self, event: Event) -> int:
        number = self._events.get(event)
        if number is None:
            number = self._events[event] = self._number(
                "event", name=event.name, origin=event.origin, named=int(event.named)
            )
        return number

    def _number(self, table: str, **columns: Any) -> int:
        """The number of the row with these columns, which is made if there is none."""
        where = " AND ".join(f"{name} = ?" for name in columns)
        values = tuple(columns.values())
        find = f"SELECT id FROM {table} WHERE {where}"
        found = self._connection.execute(find, values).fetchone()
        if found is None:
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            made = self._connection.execute(
                f"INSERT INTO {table} ({names}) VALUES ({marks})", values
            )
            return int(made.lastrowid or 0)
        return int(found[0])

    def _write_positions(self, kind: int, game: int, entry: Entry) -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO position VALUES (?, ?, ?, ?)",
            [(kind, word, game, ply) for ply, word in enumerate(position_words(entry))],
        )


def _key(entry: Entry, kind: int, on_any_day: bool) -> _Key:
    x, o = entry.players
    return kind, entry.twin, x, o, entry.event.name, None if on_any_day else entry.date


def position_words(entry: Entry) -> list[int]:
    """The hash of every position of a game, as SQLite keeps it."""
    env = entry.kind.begun.copy()
    words = [signed(position_hash(entry.kind, env))]
    for move in np.frombuffer(entry.moves, entry.kind.move_type).tolist():
        env.step(move)
        words.append(signed(position_hash(entry.kind, env)))
    return words


def signed(word: int) -> int:
    """A word of 64 bits as SQLite keeps it."""
    return word - (1 << 64) if word >= 1 << 63 else word
