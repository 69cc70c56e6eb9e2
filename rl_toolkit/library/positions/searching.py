"""Questions about positions: which games have one, or a pattern, and what was played there."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.position import position_key
from rl_toolkit.library.database import Database
from rl_toolkit.library.dates import day_number
from rl_toolkit.library.errors import LibraryError
from rl_toolkit.library.filters import Filter
from rl_toolkit.library.kinds import Kind, kind_of, to_move
from rl_toolkit.library.positions.explorer import (
    DRAWN,
    GAMES,
    LAST,
    O_WON,
    RATED,
    RATINGS,
    X_WON,
    Explored,
    MoveTable,
)
from rl_toolkit.library.positions.packs import Pack
from rl_toolkit.library.positions.plain import TooManyGamesError
from rl_toolkit.library.positions.scanning import Hits, Scan, Shelves
from rl_toolkit.library.positions.targets import Pattern, PatternTables, Target
from rl_toolkit.library.positions.windows import can_match
from rl_toolkit.library.replay import position_hash
from rl_toolkit.library.writing import signed

T = TypeVar("T")

#: The most games of a kind that are unfolded in memory, 0.6 GB of Reversi; others are replayed.
UNFOLDED = 1 << 20
#: The beginnings of games that are replayed without compiled code before it is loaded after all.
_FEW = 100
#: The games that are replayed for a pattern before it is loaded after all: it takes as long.
_REPLAYED = 1 << 17

#: Games with a position: their numbers and the plies, the newest game first.
Found = tuple[NDArray[np.int64], NDArray[np.int64]]


class _Memory(Generic[T]):
    """The latest answers, by question and state of the file."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._answers: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, work: Callable[[], T]) -> T:
        """The answer to ``key``, found by ``work`` if it is not remembered."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
        answer = work()
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return answer


class Searcher:
    """Answers questions about the positions of a library; its packs stay in memory.

    With ``plainly`` it uses no compiled code: slow, and for tests. ``unfolded`` is the most games
    of a kind that take eight times the memory, so that patterns are found at once.
    """

    def __init__(
        self, database: Database, *, plainly: bool = False, unfolded: int = UNFOLDED
    ) -> None:
        self._database, self._plainly, self._unfolded = database, plainly, unfolded
        self._shelves = Shelves(database)
        self._explored: _Memory[Explored] = _Memory(512)
        self._lists: _Memory[Found] = _Memory(4)  # people turn pages
        self._asked = set[int]()  # kinds of which a pattern was asked for
        self._unfolding = threading.Lock()

    def having(self, env: BaseGameEnv, where: Filter | None = None) -> Found:
        """The games that have a position, in any orientation, and at which ply."""
        key = "having", _key(env), where, self._database.state()
        return self._lists.get(key, lambda: self._having(env, where))

    def _having(self, env: BaseGameEnv, where: Filter | None) -> Found:
        wanted = self._wanted(where)
        found: list[Found] = []
        for number, kind in self._kinds(env.name):
            if kind.is_packed:
                found += self._games_with(kind, *self._look(number, kind, env, wanted))
            else:
                rows = np.array(self._rows(number, kind, env, wanted), np.int64).reshape(-1, 2)
                found.append((rows[:, 0], rows[:, 1]))
        return _newest(found)

    @staticmethod
    def _is_light() -> bool:
        """Whether no compiled code was loaded yet."""
        return "rl_toolkit.kernels.jit" not in sys.modules

    def _games_with(
        self, kind: Kind, packs: list[Pack], target: Target, wanted: NDArray[np.bool_] | None
    ) -> list[Found]:
        """The games of packs that have a position."""
        if self._is_light():
            try:
                light = Scan(kind, plainly=True, most=_FEW)
                return _located(light.find(packs, target, wanted))
            except TooManyGamesError:
                pass
        return _located(self._scan(kind).find(packs, target, wanted))

    def matching(self, pattern: Pattern, where: Filter | None = None) -> Found:
        """The games that come to have a pattern, in any orientation, and when first."""
        key = "matching", pattern, where, self._database.state()
        return self._lists.get(key, lambda: self._matching(pattern, where))

    def _matching(self, pattern: Pattern, where: Filter | None) -> Found:
        wanted = self._wanted(where)
        found = []
        for number, kind in self._kinds(pattern.game):
            if not kind.is_packed:
                raise LibraryError(
                    f"patterns are found in games whose pieces stay, and those of {kind.game} move"
                )
            packs = self._shelves.packs(number, kind)
            found += self._games_matching(number, kind, packs, pattern.tables(kind), wanted)
        return _newest(found)

    def _games_matching(
        self,
        number: int,
        kind: Kind,
        packs: list[Pack],
        tables: PatternTables,
        wanted: NDArray[np.bool_] | None,
    ) -> list[Found]:
        """The games of packs that come to have a pattern."""
        again = self._is_asked_again(number)
        if self._is_light() and not again and can_match(kind):
            try:
                light = Scan(kind, plainly=True, most=_REPLAYED)
                return _located(light.match(packs, tables, wanted))
            except TooManyGamesError:
                pass
        scan = self._scan(kind)
        if kind.flips and again:
            with self._unfolding:
                scan.unfold(list(_first_games(packs, self._unfolded)))
        return _located(scan.match(packs, tables, wanted))

    def _is_asked_again(self, number: int) -> bool:
        """Whether this is not the first pattern of a kind: a command on a terminal asks once."""
        if number in self._asked:
            return True
        self._asked.add(number)
        return False

    def explore(self, env: BaseGameEnv, where: Filter | None = None) -> Explored:
        """What was played in a position."""
        key = _key(env), where, self._database.state()
        return self._explored.get(key, lambda: self._explore(env, where))

    def _explore(self, env: BaseGameEnv, where: Filter | None) -> Explored:
        wanted, table = self._wanted(where), MoveTable(env)
        counts, mover = table.counts(), to_move(env)
        for number, kind in self._kinds(env.name):
            if kind.is_packed:
                scan, rows = self._scan(kind), table.rows(kind)
                for pack, hits in scan.find(*self._look(number, kind, env, wanted)):
                    if len(hits.rows):
                        scan.tally(pack, hits, rows, mover, counts)
            else:
                for game, ply in self._rows(number, kind, env, wanted):
                    self._count(game, ply, kind, env, table, counts)
        return table.answer(counts)

    # ------------------------------------------------------------------------- packs

    def _scan(self, kind: Kind) -> Scan:
        return Scan(kind, plainly=self._plainly)

    def _look(
        self, number: int, kind: Kind, env: BaseGameEnv, wanted: NDArray[np.bool_] | None
    ) -> tuple[list[Pack], Target, NDArray[np.bool_] | None]:
        return self._shelves.packs(number, kind), Target(kind, env), wanted

    def _kinds(self, game: str) -> Iterator[tuple[int, Kind]]:
        for number, start in self._database.execute(
            "SELECT id, start FROM kind WHERE game = ? ORDER BY id", (game,)
        ):
            yield number, kind_of(game, start)

    def _wanted(self, where: Filter | None) -> NDArray[np.bool_] | None:
        """For each number of a game whether it is asked for, ``None`` if all are."""
        if not where:
            return None
        condition, values = where.condition()
        rows = self._database.execute(f"SELECT id FROM game WHERE {condition}", values)
        ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
        wanted = np.zeros(int(ids.max(initial=0)) + 1, np.bool_)
        wanted[ids] = True
        return wanted

    # -------------------------------------------------------- games whose pieces move

    def _rows(
        self, number: int, kind: Kind, env: BaseGameEnv, wanted: NDArray[np.bool_] | None
    ) -> list[tuple[int, int]]:
        """Game and ply of each position with the same hash; a game counts once."""
        word = signed(position_hash(kind, env))
        rows = self._database.execute(
            "SELECT game, min(ply) FROM position WHERE kind = ? AND hash = ? GROUP BY game",
            (number, word),
        )
        return [
            (game, ply)
            for game, ply in rows
            if wanted is None or (game < len(wanted) and wanted[game])
        ]

    def _count(
        self,
        game: int,
        ply: int,
        kind: Kind,
        env: BaseGameEnv,
        table: MoveTable,
        counts: NDArray[np.int64],
    ) -> None:
        found = self._database.one(
            "SELECT score.moves, result, rating_x, rating_o, date FROM game "
            "JOIN score ON score.game = game.id WHERE game.id = ?",
            (game,),
        )
        if found is None:
            return
        data, result, rating_x, rating_o, date = found
        moves = np.frombuffer(data, kind.move_type).tolist()
        row = counts[-1]
        if ply < len(moves):
            reached = BaseGameEnv.after(kind.begun.copy(), moves[:ply])
            board, here = np.asarray(reached.board), np.asarray(env.board)
            carrying = next(
                (
                    symmetry
                    for symmetry in kind.symmetries
                    if not env.traits.has_grid or (symmetry.apply_to_board(board) == here).all()
                ),
                None,
            )
            if carrying is None:  # another position with the same hash
                return
            row = counts[table.row_of[carrying.apply_to_move(moves[ply])]]
        row[GAMES] += 1
        if result is not None:
            row[{1: X_WON, 0: DRAWN, -1: O_WON}[result]] += 1
        rating = rating_x if env.current_player == 1 else rating_o
        if rating:
            row[RATINGS] += rating
            row[RATED] += 1
        row[LAST] = max(int(row[LAST]), day_number(date))


def _key(env: BaseGameEnv) -> Hashable:
    return position_key(env), () if env.traits.has_grid else tuple(env.history)


def _located(found: Iterator[tuple[Pack, Hits]]) -> list[Found]:
    """The numbers of games and plies of the hits in packs."""
    return [
        (pack.ids[hits.rows].astype(np.int64), hits.plies) for pack, hits in found if len(hits.rows)
    ]


def _first_games(packs: list[Pack], most: int) -> Iterator[Pack]:
    """The first packs that have no more games than that together."""
    for pack in packs:
        most -= len(pack.cells)
        if most < 0:
            return
        yield pack


def _newest(found: list[Found]) -> Found:
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    ids = np.concatenate([pair[0] for pair in found])
    plies = np.concatenate([pair[1] for pair in found])
    order = np.argsort(-ids, kind="stable")
    return ids[order], plies[order]
