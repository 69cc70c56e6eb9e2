"""Packs: the cells of 4,096 games of a kind as one matrix, which a search reads from end to end.

They are derived: a game is either in a pack or in the table of loose games, and both can be made
again from the moves. A game that is removed leaves its row in the pack, with `REMOVED` in front.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.library.dates import day_number
from rl_toolkit.library.kinds import NO_MOVE, NO_STONE, REMOVED, Kind
from rl_toolkit.library.replay import replay_games

if TYPE_CHECKING:  # it loads Numba
    from rl_toolkit.library.positions.timelines import Timelines

#: The games of a pack.
GAMES = 4096

#: The head of a game in the file. A pack of successive numbers has none of them, its last one says
#: them all. The ratings of X and O are apart, which a pack without them leaves out.
_HEAD = np.dtype([("result", "i1"), ("day", "<u4")])
_NUMBERED = np.dtype([("id", "<u4"), *_HEAD.descr])
_RATINGS = np.dtype("<u2")
#: The columns of a head in memory.
ID, RESULT, RATING_X, RATING_O, DAY = range(5)
_UNDECIDED = 2

#: The columns that `pack_of` needs of a game.
COLUMNS = "game.id, score.moves, game.result, game.rating_x, game.rating_o, game.date"


@dataclass(slots=True)
class Pack:
    """Games of a kind: ``cells`` has a row for each, ``heads`` id, result, ratings and day.

    ``timelines`` is what `scanning.Scan.unfold` has made of the games, if it has.
    """

    cells: NDArray[np.unsignedinteger]
    heads: NDArray[np.int32]
    timelines: Timelines | None = None

    @property
    def ids(self) -> NDArray[np.int32]:
        """The numbers of the games, ascending."""
        return self.heads[:, ID]


#: A game on its way into a pack: its cells and its head.
Fresh = tuple[NDArray[np.unsignedinteger], tuple[int, int, int, int, int]]


def fresh_game(
    number: int,
    cells: NDArray[np.unsignedinteger],
    result: int | None,
    ratings: tuple[int | None, int | None],
    date: str | None,
) -> Fresh:
    """What a pack holds of a game."""
    ended = _UNDECIDED if result is None else result
    return cells, (number, ended, ratings[0] or 0, ratings[1] or 0, day_number(date))


def pack_of(kind: Kind, rows: Sequence[tuple[Any, ...]]) -> Pack:
    """The pack of games whose columns are `COLUMNS`."""
    cells_of = _cells_of(kind, [np.frombuffer(row[1], kind.move_type) for row in rows])
    return _stacked(
        kind,
        [
            fresh_game(number, cells, result, (rating_x, rating_o), date)
            for cells, (number, _, result, rating_x, rating_o, date) in zip(
                cells_of, rows, strict=True
            )
        ],
    )


def _cells_of(
    kind: Kind, games: Sequence[NDArray[np.unsignedinteger]]
) -> Sequence[NDArray[np.unsignedinteger]]:
    """The cells of saved games. Where a move names its cell, no game has to be replayed."""
    if kind.begun.traits.move_by != "cell":
        return list(replay_games(kind, games).cells)
    found = []
    for moves in games:
        cells = moves.astype(kind.cell_type) + kind.cell_type.type(kind.shift)
        cells[moves == kind.begun.pass_move] = NO_STONE
        found.append(cells)
    return found


def _stacked(kind: Kind, games: Sequence[Fresh]) -> Pack:
    width = max(1, *(len(cells) for cells, _ in games))
    matrix = np.full((len(games), width), NO_MOVE, kind.cell_type)
    for row, (cells, _) in zip(matrix, games, strict=True):
        row[: len(cells)] = cells
    return Pack(matrix, np.array([head for _, head in games], np.int32))


def read_packs(
    connection: sqlite3.Connection, kind: int, known: Collection[int], form: Kind
) -> dict[int, Pack | None]:
    """The packs of a kind by number, oldest games first; ``None`` for those that are known."""
    listed = connection.execute("SELECT id FROM pack WHERE kind = ? ORDER BY last", (kind,))
    found: dict[int, Pack | None] = {number: None for (number,) in listed.fetchall()}
    for number in found:
        if number not in known:
            query = "SELECT games, last, width, cells, heads, ratings FROM pack WHERE id = ?"
            row = connection.execute(query, (number,)).fetchone()
            games, last, width, cells, heads, ratings = row
            matrix = np.frombuffer(bytearray(cells), form.cell_type).reshape(games, width)
            found[number] = Pack(matrix, _numbers(games, last, heads, ratings))
    return found


def _head(games: int, heads: bytes) -> np.ndarray[Any, Any]:
    return np.frombuffer(heads, _HEAD if len(heads) == games * _HEAD.itemsize else _NUMBERED)


def _ids(games: int, last: int, heads: bytes) -> NDArray[np.integer]:
    """The numbers of the games of a pack."""
    head = _head(games, heads)
    return head["id"] if head.dtype == _NUMBERED else np.arange(last - games + 1, last + 1)


def _numbers(games: int, last: int, heads: bytes, ratings: bytes | None) -> NDArray[np.int32]:
    head = _head(games, heads)
    rows = np.zeros((games, 5), np.int32)
    rows[:, ID] = _ids(games, last, heads)
    rows[:, RESULT], rows[:, DAY] = head["result"], head["day"]
    if ratings is not None:
        rows[:, RATING_X : RATING_O + 1] = np.frombuffer(ratings, _RATINGS).reshape(-1, 2)
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


def write_packs(
    connection: sqlite3.Connection, kind: int, form: Kind, fresh: dict[int, Fresh] | None = None
) -> int:
    """Move loose games into packs while there are enough for one; returns the number of packs.

    Games in ``fresh`` need not be read and replayed again; those that are packed leave it.
    """
    fresh, made = {} if fresh is None else fresh, 0
    first = "SELECT game FROM loose WHERE kind = ? ORDER BY game LIMIT ?"
    counted = "SELECT count(*) FROM loose WHERE kind = ?"
    (left,) = connection.execute(counted, (kind,)).fetchone()
    while left >= GAMES:
        ids = [number for (number,) in connection.execute(first, (kind, GAMES)).fetchall()]
        left -= GAMES
        if all(number in fresh for number in ids):
            pack = _stacked(form, [fresh.pop(number) for number in ids])
        else:
            query = (
                f"SELECT {COLUMNS} FROM ({first}) AS first JOIN game ON game.id = first.game "
                "JOIN score ON score.game = first.game ORDER BY game.id"
            )
            pack = pack_of(form, connection.execute(query, (kind, GAMES)).fetchall())
        successive = ids[-1] - ids[0] == len(ids) - 1
        head = np.empty(len(ids), _HEAD if successive else _NUMBERED)
        head["result"], head["day"] = pack.heads[:, [RESULT, DAY]].T
        if not successive:
            head["id"] = pack.ids
        ratings = pack.heads[:, RATING_X : RATING_O + 1]
        connection.execute(
            "INSERT INTO pack (kind, games, last, width, cells, heads, ratings) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                *(kind, len(ids), ids[-1], pack.cells.shape[1]),
                *(pack.cells.tobytes(), head.tobytes()),
                ratings.astype(_RATINGS).tobytes() if ratings.any() else None,
            ),
        )
        connection.execute("DELETE FROM loose WHERE kind = ? AND game <= ?", (kind, ids[-1]))
        made += 1
    return made


def remove_from_packs(
    connection: sqlite3.Connection, kind: int, games: Sequence[int], form: Kind
) -> None:
    """Mark the rows of games that were removed; a loose game leaves its list.

    A pack that changes gets a new number, so that no reader takes it for the old one.
    """
    query = (
        "SELECT id, games, width, cells, heads, last FROM pack WHERE kind = ? AND last >= ? "
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
        number, size, width, cells, heads, last = found
        ids = _ids(size, last, heads)
        rows = np.flatnonzero(np.isin(ids, [game for game in waiting if game <= last]))
        waiting = [game for game in waiting if game > last]
        if len(rows):
            matrix = np.frombuffer(bytearray(cells), form.cell_type).reshape(len(ids), width)
            matrix[rows, 0] = REMOVED
            connection.execute(
                "INSERT INTO pack (kind, games, last, width, cells, heads, ratings) "
                "SELECT kind, games, last, width, ?, heads, ratings FROM pack WHERE id = ?",
                (matrix.tobytes(), number),
            )
            connection.execute("DELETE FROM pack WHERE id = ?", (number,))
