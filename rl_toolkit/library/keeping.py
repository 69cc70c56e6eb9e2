"""Games that are saved again: a page saves a game when it ends, and once more with its review.

A page names its game by a *key*, which is the digest of a `source` of its own; ``source.done`` is
then the number of the game. A game that somebody has removed is not saved again.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable

from rl_toolkit.library.database import Database
from rl_toolkit.library.entries import Entry
from rl_toolkit.library.errors import LibraryError
from rl_toolkit.library.kinds import kind_of
from rl_toolkit.library.positions.packs import remove_from_packs
from rl_toolkit.library.writing import Writer


def keep_entry(database: Database, key: str, entry: Entry) -> int | None:
    """Save a game under its key, instead of what was saved under it before; returns its number.

    ``None`` if the game was removed from the library.
    """
    digest = f"{entry.event.origin}:{key}"
    with database.writing() as connection:
        found = connection.execute(
            "SELECT source.id, source.done, game.id FROM source "
            "LEFT JOIN game ON game.id = source.done WHERE digest = ?",
            (digest,),
        ).fetchone()
        if found is not None and found[2] is None:
            return None
        if found is not None and _has_moves(connection, found[1], entry):
            update_game(connection, found[1], entry)
            return int(found[1])
        if found is not None:
            remove_games(connection, [found[1]])
        (number,) = Writer(connection).insert([entry]).ids
        if found is None:
            connection.execute(
                "INSERT INTO source (name, digest, done, finished, added) VALUES (?, ?, ?, 1, ?)",
                (entry.event.origin, digest, number, int(time.time())),
            )
        else:
            connection.execute("UPDATE source SET done = ? WHERE id = ?", (number, found[0]))
        return number


def replace_entry(
    database: Database, number: int, entry: Entry, missing: Callable[[int], LibraryError]
) -> None:
    """Save what was added to a game; its moves stay."""
    with database.writing() as connection:
        query = "SELECT 1 FROM game WHERE id = ?"
        if connection.execute(query, (number,)).fetchone() is None:
            raise missing(number)
        if not _has_moves(connection, number, entry):
            raise LibraryError(f"game {number} has other moves: add this one as a new game")
        update_game(connection, number, entry)


def _has_moves(connection: sqlite3.Connection, number: int, entry: Entry) -> bool:
    row = connection.execute(
        "SELECT kind.game, kind.start, score.moves FROM game JOIN kind ON kind.id = game.kind "
        "JOIN score ON score.game = game.id WHERE game.id = ?",
        (number,),
    ).fetchone()
    return bool(row == (entry.kind.game, entry.kind.start, entry.moves))


def update_game(connection: sqlite3.Connection, number: int, entry: Entry) -> None:
    """Change what is not derived from the moves: extra, accuracy; an accuracy is not forgotten."""
    connection.execute(
        "UPDATE game SET accuracy_x = coalesce(?, accuracy_x), "
        "accuracy_o = coalesce(?, accuracy_o) WHERE id = ?",
        (*entry.accuracy, number),
    )
    connection.execute("UPDATE score SET extra = ? WHERE game = ?", (entry.extra, number))


def remove_games(connection: sqlite3.Connection, ids: Iterable[int]) -> int:
    """Remove games from all tables; returns how many there were."""
    kinds: dict[int, list[int]] = {}
    for number in set(ids):
        row = connection.execute("SELECT kind FROM game WHERE id = ?", (number,)).fetchone()
        if row is not None:
            kinds.setdefault(row[0], []).append(number)
    for kind, numbers in kinds.items():
        game, start = connection.execute(
            "SELECT game, start FROM kind WHERE id = ?", (kind,)
        ).fetchone()
        form, rows = kind_of(game, start), [(number,) for number in numbers]
        if form.is_packed:
            remove_from_packs(connection, kind, numbers, form)
        else:
            connection.executemany("DELETE FROM position WHERE game = ?", rows)
        for table, column in (("tag", "game"), ("score", "game"), ("game", "id")):
            connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", rows)
    return sum(map(len, kinds.values()))
