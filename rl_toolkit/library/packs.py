"""Packs: the cells of 4,096 games of a kind as one matrix, which a search reads from end to end.

They are derived: a game is either in a pack or in the table of loose games, and both can be made
again from the moves. A game that is removed leaves its row in the pack, with `REMOVED` in front.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.library.entries import day_number
from rl_toolkit.library.kinds import NO_MOVE, REMOVED, Kind
from rl_toolkit.library.replay import replay_games

#: The games of a pack.
GAMES = 4096

#: The head of a game in the file; in memory it is a row of the same five numbers.
_HEAD = np.dtype(
    [("id", "<u4"), ("result", "i1"), ("rating_x", "<u2"), ("rating_o", "<u2"), ("day", "<u4")]
)
ID, RESULT, RATING_X, RATING_O, DAY = range(5)
_UNDECIDED = 2

#: The columns that `pack_of` needs of a game.
COLUMNS = "game.id, score.moves, game.result, game.rating_x, game.rating_o, game.date"


@dataclass(frozen=True, slots=True)
class Pack:
    """Games of a kind: ``cells`` has a row for each, ``heads`` id, result, ratings and day."""

    cells: NDArray[np.unsignedinteger]
    heads: NDArray[np.int32]

    @property
    def ids(self) -> NDArray[np.int32]:
        """The numbers of the games, ascending."""
        return self.heads[:, ID]


def pack_of(kind: Kind, rows: Sequence[tuple[Any, ...]]) -> Pack:
    """The pack of games whose columns are `COLUMNS`."""
    moves = [np.frombuffer(row[1], kind.move_type) for row in rows]
    replayed = replay_games(kind, moves)
    width = max(1, replayed.cells.shape[1])
    cells = np.full((len(rows), width), NO_MOVE, kind.cell_type)
    cells[:, : replayed.cells.shape[1]] = replayed.cells
    heads = np.zeros((len(rows), 5), np.int32)
    for g, (number, _, result, rating_x, rating_o, date) in enumerate(rows):
        heads[g] = (
            number,
            _UNDECIDED if result is None else result,
            rating_x or 0,
            rating_o or 0,
            day_number(date),
        )
    return Pack(cells, heads)


def read_packs(
    connection: sqlite3.Connection, kind: int, known: Collection[int], form: Kind
) -> dict[int, Pack | None]:
    """The packs of a kind by number, oldest games first; ``None`` for those that are known."""
    listed = connection.execute("SELECT id FROM pack WHERE kind = ? ORDER BY last", (kind,))
    found: dict[int, Pack | None] = {number: None for (number,) in listed.fetchall()}
    for number in found:
        if number not in known:
            query = "SELECT games, width, cells, heads FROM pack WHERE id = ?"
            games, width, cells, heads = connection.execute(query, (number,)).fetchone()
            matrix = np.frombuffer(bytearray(cells), form.cell_type).reshape(games, width)
            found[number] = Pack(matrix, _numbers(heads))
    return found


def _numbers(heads: bytes) -> NDArray[np.int32]:
    head = np.frombuffer(heads, _HEAD)
    rows = np.empty((len(head), 5), np.int32)
    for k, name in enumerate(_HEAD.names or ()):
        rows[:, k] = head[name]
    return rows


def read_loose(
    connection: sqlite3.Connection, kind: int, known: Collection[int], form: Kind
) -> tuple[list[int], Pack | None]:
    """The games of a kind that are in no pack, and a pack of those that are not known."""
    listed = connection.execute("SELECT game FROM loose WHERE kind = ? ORDER BY game", (kind,))
    ids = [number for (number,) in listed.fetchall()]
    new = [number for number in ids if number not in known]
    rows: list[tuple[Any, ...]] = []
    for at in range(0, len(new), 500):
        some = new[at : at + 500]
        query = (
            f"SELECT {COLUMNS} FROM game JOIN score ON score.game = game.id "
            f"WHERE game.id IN ({', '.join('?' * len(some))}) ORDER BY game.id"
        )
        rows += connection.execute(query, some).fetchall()
    return ids, pack_of(form, rows) if rows else None


def joined(packs: Sequence[Pack]) -> Pack:
    """Several packs of a kind as one."""
    width = max(pack.cells.shape[1] for pack in packs)
    parts = []
    for pack in packs:
        part = np.full((len(pack.cells), width), NO_MOVE, pack.cells.dtype)
        part[:, : pack.cells.shape[1]] = pack.cells
        parts.append(part)
    return Pack(np.concatenate(parts), np.concatenate([pack.heads for pack in packs]))


def write_packs(connection: sqlite3.Connection, kind: int, form: Kind) -> int:
    """Move loose games into packs while there are enough for one; returns the number of packs."""
    made = 0
    while True:
        query = (
            f"SELECT {COLUMNS} FROM (SELECT game AS id FROM loose WHERE kind = ? ORDER BY game "
            "LIMIT ?) AS first JOIN game ON game.id = first.id "
            "JOIN score ON score.game = first.id ORDER BY game.id"
        )
        (loose,) = connection.execute(
            "SELECT count(*) FROM loose WHERE kind = ?", (kind,)
        ).fetchone()
        if loose < GAMES:
            return made
        rows = connection.execute(query, (kind, GAMES)).fetchall()
        pack = pack_of(form, rows)
        head = np.empty(len(rows), _HEAD)
        for k, name in enumerate(_HEAD.names or ()):
            head[name] = pack.heads[:, k]
        last = rows[-1][0]
        connection.execute(
            "INSERT INTO pack (kind, games, last, width, cells, heads) VALUES (?, ?, ?, ?, ?, ?)",
            (kind, len(rows), last, pack.cells.shape[1], pack.cells.tobytes(), head.tobytes()),
        )
        connection.execute("DELETE FROM loose WHERE kind = ? AND game <= ?", (kind, last))
        made += 1


def remove_from_packs(
    connection: sqlite3.Connection, kind: int, games: Sequence[int], form: Kind
) -> None:
    """Mark the rows of games that were removed; a loose game leaves its list.

    A pack that changes gets a new number, so that no reader takes it for the old one.
    """
    query = (
        "SELECT id, width, cells, heads, last FROM pack WHERE kind = ? AND last >= ? "
        "ORDER BY last LIMIT 1"
    )
    waiting = sorted(games)
    connection.executemany(
        "DELETE FROM loose WHERE kind = ? AND game = ?", [(kind, game) for game in waiting]
    )
    while waiting:
        found = connection.execute(query, (kind, waiting[0])).fetchone()
        if found is None:
            return
        number, width, cells, heads, last = found
        ids = np.frombuffer(heads, _HEAD)["id"]
        rows = np.flatnonzero(np.isin(ids, [game for game in waiting if game <= last]))
        waiting = [game for game in waiting if game > last]
        if len(rows):
            matrix = np.frombuffer(bytearray(cells), form.cell_type).reshape(len(ids), width)
            matrix[rows, 0] = REMOVED
            connection.execute(
                "INSERT INTO pack (kind, games, last, width, cells, heads) "
                "SELECT kind, games, last, width, ?, heads FROM pack WHERE id = ?",
                (matrix.tobytes(), number),
            )
            connection.execute("DELETE FROM pack WHERE id = ?", (number,))
