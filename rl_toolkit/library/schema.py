"""The tables of a library, and how a file of an older version becomes one of this version.

::

    kind ─┬─ game ─── score        heads and moves apart: counting games reads no moves
          │   │ │ └── tag
          │   │ └──── player, event, source
          ├─ pack, loose           derived: the cells of 4,096 games; games that are in no pack yet
          └─ position              for games whose pieces move: the hash of every position
    puzzle, attempt                puzzles of one's own, and every attempt at a puzzle

``score.moves`` is the truth; packs, the list of loose games and positions can be made again from it
(`Library.check`). A version of the tables is ``user_version``; `MIGRATIONS` lifts a file from one
version to the next.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

#: ``PRAGMA application_id``, which says that a file is a library: the letters RLLB.
APPLICATION = 0x524C4C42
VERSION = 3
#: A file since this version is read as it is where it may not be changed.
READABLE = 2
PAGE = 8192

TABLES = """
CREATE TABLE kind (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, start TEXT NOT NULL, UNIQUE (game, start));
CREATE TABLE player (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, engine INTEGER NOT NULL,
    spec TEXT NOT NULL DEFAULT '', UNIQUE (name, engine, spec));
CREATE TABLE event (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, origin TEXT NOT NULL, named INTEGER NOT NULL,
    UNIQUE (name, origin, named));
CREATE TABLE source (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
    done INTEGER NOT NULL, finished INTEGER NOT NULL, added INTEGER NOT NULL);
CREATE TABLE refused (
    source INTEGER NOT NULL, number INTEGER NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (source, number)) WITHOUT ROWID;
CREATE TABLE game (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL,
    x INTEGER NOT NULL, o INTEGER NOT NULL, result INTEGER, ended_by TEXT,
    event INTEGER NOT NULL, source INTEGER, date TEXT, added INTEGER NOT NULL,
    plies INTEGER NOT NULL, twin INTEGER NOT NULL,
    rating_x INTEGER, rating_o INTEGER, accuracy_x REAL, accuracy_o REAL);
CREATE INDEX game_x ON game (x);
CREATE INDEX game_o ON game (o);
CREATE INDEX game_event ON game (event);
CREATE INDEX game_twin ON game (twin);
CREATE TABLE score (game INTEGER PRIMARY KEY, moves BLOB NOT NULL, extra BLOB);
CREATE TABLE tag (
    name TEXT NOT NULL, game INTEGER NOT NULL, PRIMARY KEY (name, game)) WITHOUT ROWID;
CREATE INDEX tag_game ON tag (game);
CREATE TABLE loose (
    kind INTEGER NOT NULL, game INTEGER NOT NULL, PRIMARY KEY (kind, game)) WITHOUT ROWID;
CREATE TABLE pack (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, games INTEGER NOT NULL,
    last INTEGER NOT NULL, width INTEGER NOT NULL, cells BLOB NOT NULL, heads BLOB NOT NULL,
    ratings BLOB);
CREATE INDEX pack_kind ON pack (kind, last);
CREATE TABLE position (
    kind INTEGER NOT NULL, hash INTEGER NOT NULL, game INTEGER NOT NULL, ply INTEGER NOT NULL,
    PRIMARY KEY (kind, hash, game, ply)) WITHOUT ROWID;
"""

#: Since version 2; the layer `puzzles` reads and writes them.
PUZZLE_TABLES = """
CREATE TABLE puzzle (
    name TEXT PRIMARY KEY, line TEXT NOT NULL, added REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY, puzzle TEXT NOT NULL, kind TEXT NOT NULL, rating INTEGER NOT NULL,
    time REAL NOT NULL, solved INTEGER NOT NULL, seconds REAL NOT NULL, hints INTEGER NOT NULL,
    mode TEXT NOT NULL, UNIQUE (puzzle, time));
"""


def add_puzzles(connection: sqlite3.Connection) -> None:
    """From version 1 to 2: tables for puzzles."""
    _execute(connection, PUZZLE_TABLES)


def shorten(connection: sqlite3.Connection) -> None:
    """From version 2 to 3: extras of known shapes, and packs without numbers (`extras`, `packs`).

    The longer forms can still be read, so what a file has stays as it is.
    """


#: Entry i lifts a file from version i + 1 to i + 2, inside a transaction that the caller opens.
MIGRATIONS: list[Callable[[sqlite3.Connection], None]] = [add_puzzles, shorten]


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, inside a transaction that the caller opens."""
    _execute(connection, TABLES)
    _execute(connection, PUZZLE_TABLES)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _execute(connection: sqlite3.Connection, statements: str) -> None:
    """One by one: ``executescript`` would end the transaction."""
    for statement in statements.split(";\n"):
        if statement.strip():
            connection.execute(statement)
