"""`Library`: the games of a person in one file, to be asked, changed and exported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from rl_toolkit.envs import BaseGameEnv, Position
from rl_toolkit.library.database import Database, library_file
from rl_toolkit.library.entries import Event, entries_of, record_of
from rl_toolkit.library.errors import LibraryError, NoSuchGameError
from rl_toolkit.library.filters import (
    HEAD_COLUMNS,
    HEAD_TABLES,
    Filter,
    GameHead,
    KindStats,
    Page,
    head_of,
    with_game,
)
from rl_toolkit.library.importing import Importer, ImportReport, OnProgress, import_records
from rl_toolkit.library.insight import Insight, insight
from rl_toolkit.library.keeping import keep_entry, remove_games, replace_entry
from rl_toolkit.library.kinds import kind_of
from rl_toolkit.library.maintenance import CheckReport, check
from rl_toolkit.library.positions.explorer import Explored
from rl_toolkit.library.positions.searching import Found, Searcher
from rl_toolkit.library.positions.targets import Pattern
from rl_toolkit.library.writing import Writer
from rl_toolkit.records import GameRecord
from rl_toolkit.utils import PathLike

#: Games of a page of results.
PAGE = 50
_CHUNK = 500


class Library:
    """Games in one SQLite file, which several programs may use at once.

    Args:
        path: the file; by default the one that ``RL_TOOLKIT_LIBRARY`` names, or ``library.db`` in
            the user's folder of data. It is made if it does not exist.
        read_only: open it without the right to change it. Somebody else's file is always opened in
            that way.

    Raises `LibraryError` or one of its subclasses, with a sentence.

    >>> library = Library(":memory:")
    >>> number = library.add(GameRecord("tictactoe", (4, 0, 8), players=("Ada", "Max")))
    >>> library.search(Filter(player="ada")).heads[0].players
    ('Ada', 'Max')
    >>> library.explore("tictactoe", "3/1x1/3 o").moves[0].name
    'a1'
    >>> library.close()
    """

    def __init__(self, path: PathLike | None = None, *, read_only: bool = False) -> None:
        self._folder: Any = None
        if path == ":memory:":  # for examples: a file that goes away with the library
            import tempfile

            self._folder = tempfile.TemporaryDirectory(prefix="rl_toolkit-")
            path = Path(self._folder.name) / "library.db"
        self._database = Database(
            Path(path).expanduser() if path is not None else library_file(), read_only=read_only
        )
        self._searcher = Searcher(self._database)

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    @property
    def read_only(self) -> bool:
        """Whether it may not be changed."""
        return self._database.read_only

    @property
    def remark(self) -> str:
        """A sentence about how the file was opened, "" if there is nothing to say."""
        return self._database.remark

    def close(self) -> None:
        """Close the file."""
        self._database.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        found = self._database.one("SELECT count(*) FROM game")
        return int(found[0]) if found else 0

    # ------------------------------------------------------------------------ saving

    def add(
        self,
        record: GameRecord,
        *,
        event: str = "",
        origin: str = "python",
        engines: tuple[bool, bool] = (False, False),
        specs: tuple[str, str] = ("", ""),
        accuracy: tuple[float | None, float | None] = (None, None),
        tags: Sequence[str] = (),
    ) -> int:
        """Save a game; returns its number.

        ``engines`` says which sides are engines and ``specs`` how these are made. The header
        ``event`` of the record, if it has one, is the event.
        """
        entries = entries_of(
            [record],
            Event(event, origin),
            engines=engines,
            specs=specs,
            accuracy=accuracy,
            tags=_checked_tags(tags),
        )
        with self._database.writing() as connection:
            return Writer(connection).insert(entries).ids[0]

    def add_run(
        self,
        records: Sequence[GameRecord],
        event: str,
        *,
        origin: str = "python",
        engines: tuple[bool, bool] = (True, True),
        tags: Sequence[str] = (),
    ) -> int:
        """Save the games of a run, without those that this event has; returns how many are new.

        So a run that is resumed, or repeated with the same seed, is saved once.
        """
        return import_records(
            self._database, records, Event(event, origin), engines=engines, tags=_checked_tags(tags)
        )[0]

    def keep(
        self,
        record: GameRecord,
        key: str,
        *,
        event: str = "",
        origin: str = "python",
        engines: tuple[bool, bool] = (False, False),
        accuracy: tuple[float | None, float | None] = (None, None),
    ) -> int | None:
        """Save a game that its program may save again, and knows by ``key``; returns its number.

        What was saved under the key before is replaced. ``None`` if somebody has removed the game.
        """
        event_of = Event(event, origin)
        (entry,) = entries_of([record], event_of, engines=engines, accuracy=accuracy)
        return keep_entry(self._database, key, entry)

    def annotate(
        self,
        number: int,
        record: GameRecord,
        *,
        accuracy: tuple[float | None, float | None] = (None, None),
    ) -> None:
        """Save the comments, variations and reviews of ``record``, and its accuracy, with a game.

        Raises `LibraryError` if there is no such game, or if it has other moves.
        """
        (entry,) = entries_of([record], Event(""), accuracy=accuracy)
        replace_entry(self._database, number, entry, self._missing)

    def import_files(
        self,
        paths: Iterable[PathLike],
        *,
        game: str | None = None,
        event: str = "",
        tags: Sequence[str] = (),
        on_progress: OnProgress = lambda done, total, games: None,
    ) -> ImportReport:
        """Save all games of files, and of files in folders.

        ``game`` says which game it is where a file does not. Games without the header ``event``
        belong to ``event``, or to the name of their file. Run it again to continue an import that
        was stopped; a file that was imported is not imported again.
        """
        importer = Importer(self._database, game, event, _checked_tags(tags), on_progress)
        report = importer.run([Path(path) for path in paths])
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return report

    # ----------------------------------------------------------------------- reading

    def record(self, number: int, *, with_event: bool = False) -> GameRecord:
        """The game of that number, whole; raises `LibraryError` if there is none.

        ``with_event`` adds its event as a header where the record had none: a file of such games
        adds nothing to a library that has them.
        """
        row = self._database.one(
            "SELECT kind.game, kind.start, px.name, po.name, game.result, game.ended_by, "
            "event.name, event.origin, event.named, game.date, score.moves, score.extra "
            f"FROM {HEAD_TABLES} JOIN score ON score.game = game.id WHERE game.id = ?",
            (number,),
        )
        if row is None:
            raise self._missing(number)
        game, start, x, o, result, ended_by, name, origin, named, date, moves, extra = row
        event = Event(name, origin, bool(named or (with_event and name)))
        return record_of(
            kind_of(game, start), moves, (x, o), result, ended_by or "", event, date, extra
        )

    def head(self, number: int) -> GameHead:
        """What a list shows of a game; raises `LibraryError` if there is none."""
        heads = self._heads([number])
        if not heads:
            raise self._missing(number)
        return heads[0]

    def twins(self, number: int) -> list[int]:
        """The numbers of other games with the same moves, or with a mirror image of them."""
        rows = self._database.execute(
            "SELECT other.id FROM game JOIN game AS other ON other.twin = game.twin "
            "AND other.kind = game.kind AND other.id != game.id WHERE game.id = ? "
            "ORDER BY other.id",
            (number,),
        )
        return [other for (other,) in rows]

    def search(
        self,
        where: Filter | None = None,
        *,
        position: Position | BaseGameEnv | None = None,
        pattern: Pattern | None = None,
        limit: int = PAGE,
        skip: int = 0,
    ) -> Page:
        """The games that fit a filter, and have a position or a pattern; the newest first."""
        if position is not None and pattern is not None:
            raise LibraryError("games are searched for a position or for a pattern, not for both")
        where = Filter() if where is None else where
        if position is None and pattern is None:
            return self._listed(where, limit, skip)
        ids, plies = self._found(where, position, pattern)
        some = ids[skip : skip + limit].tolist()
        return Page(tuple(self._heads(some)), tuple(plies[skip : skip + limit].tolist()), len(ids))

    def _found(
        self, where: Filter, position: Position | BaseGameEnv | None, pattern: Pattern | None
    ) -> Found:
        if pattern is not None:
            return self._searcher.matching(pattern, where)
        env = position.env() if isinstance(position, Position) else position
        assert env is not None
        return self._searcher.having(env, where)

    def ids(
        self,
        where: Filter | None = None,
        *,
        position: Position | BaseGameEnv | None = None,
        pattern: Pattern | None = None,
    ) -> list[int]:
        """The numbers of all games that `search` would find, the newest first."""
        where = Filter() if where is None else where
        if position is not None or pattern is not None:
            return [int(number) for number in self._found(where, position, pattern)[0]]
        condition, values = with_game(where)
        rows = self._database.execute(
            f"SELECT id FROM game WHERE {condition} ORDER BY id DESC", values
        )
        return [number for (number,) in rows]

    def records(self, ids: Iterable[int], *, with_event: bool = False) -> Iterator[GameRecord]:
        """The games of these numbers, one after the other."""
        for number in ids:
            yield self.record(number, with_event=with_event)

    def explore(
        self, game: str | Position | BaseGameEnv, position: str = "", where: Filter | None = None
    ) -> Explored:
        """What was played in a position: a `Position`, a game at hand, or a name and a text."""
        from rl_toolkit.records import read_position

        if isinstance(game, Position):
            env = game.env()
        else:
            env = game if isinstance(game, BaseGameEnv) else read_position(game, position)
        return self._searcher.explore(env, where)

    def stats(self, where: Filter | None = None) -> list[KindStats]:
        """How many games of each name there are, the most frequent first."""
        condition, values = with_game(Filter() if where is None else where)
        rows = self._database.execute(
            "SELECT kind.game, count(*), sum(result = 1), sum(result = 0), sum(result = -1), "
            f"avg(plies) FROM game JOIN kind ON kind.id = game.kind WHERE {condition} "
            "GROUP BY kind.game ORDER BY count(*) DESC, kind.game",
            values,
        )
        return [
            KindStats(game, count, x or 0, drawn or 0, o or 0, plies)
            for game, count, x, drawn, o, plies in rows
        ]

    def names(self) -> list[str]:
        """The names of the games that the library has had games of, sorted."""
        return [
            name for (name,) in self._database.execute("SELECT DISTINCT game FROM kind ORDER BY 1")
        ]

    def events(self) -> list[tuple[str, str, int]]:
        """Name and origin of each event, with the number of its games, the newest first."""
        return [
            (name, origin, count)
            for name, origin, count, _ in self._database.execute(
                "SELECT event.name, event.origin, count(*), max(game.id) FROM game "
                "JOIN event ON event.id = game.event GROUP BY event.name, event.origin "
                "ORDER BY max(game.id) DESC"
            )
        ]

    def insight(self, where: Filter | None = None) -> Insight:
        """How somebody plays: results, accuracy over time, kinds of mistakes.

        It is about the player of the filter; without one about the games that a person played here
        against engines. The newest 5,000 games are looked at.
        """
        where = Filter() if where is None else where
        return insight(self._database, where if where.player else replace(where, mine=True))

    # ---------------------------------------------------------------------- changing

    def remove(self, ids: Iterable[int]) -> int:
        """Remove games; returns how many there were."""
        with self._database.writing() as connection:
            return remove_games(connection, ids)

    def tag(self, ids: Iterable[int], *tags: str) -> None:
        """Give tags to games; raises `LibraryError` for a number that does not exist."""
        wanted = _checked_tags(tags)
        with self._database.writing() as connection:
            for number in ids:
                query = "SELECT 1 FROM game WHERE id = ?"
                if connection.execute(query, (number,)).fetchone() is None:
                    raise self._missing(number)
                connection.executemany(
                    "INSERT OR IGNORE INTO tag VALUES (?, ?)", [(tag, number) for tag in wanted]
                )

    def untag(self, ids: Iterable[int], *tags: str) -> None:
        """Take tags away from games."""
        with self._database.writing() as connection:
            connection.executemany(
                "DELETE FROM tag WHERE name = ? AND game = ?",
                [(tag, number) for number in ids for tag in tags],
            )

    def check(self, *, repair: bool = False) -> CheckReport:
        """Look at the file, at every game, and at what was derived from the games.

        With ``repair`` what was derived is made anew where it does not agree with the games.
        """
        return check(self._database, repair=repair)

    # ----------------------------------------------------------------------- helpers

    def _listed(self, where: Filter, limit: int, skip: int) -> Page:
        condition, values = with_game(where)
        rows = self._database.execute(
            f"SELECT id FROM game WHERE {condition} ORDER BY id DESC LIMIT ? OFFSET ?",
            [*values, limit, skip],
        )
        total = self._database.one(f"SELECT count(*) FROM game WHERE {condition}", values)
        heads = self._heads([number for (number,) in rows])
        return Page(tuple(heads), (), total[0] if total else 0)

    def _heads(self, ids: Sequence[int]) -> list[GameHead]:
        found: dict[int, GameHead] = {}
        for at in range(0, len(ids), _CHUNK):
            some = list(ids[at : at + _CHUNK])
            marks = ", ".join("?" * len(some))
            query = f"SELECT {HEAD_COLUMNS} FROM {HEAD_TABLES} WHERE game.id IN ({marks})"
            for row in self._database.execute(query, some):
                found[row[0]] = head_of(row)
            query = f"SELECT game, name FROM tag WHERE game IN ({marks}) ORDER BY name"
            for number, name in self._database.execute(query, some):
                head = found[number]
                found[number] = replace(head, tags=(*head.tags, name))
        return [found[number] for number in ids if number in found]

    def _missing(self, number: int) -> NoSuchGameError:
        return NoSuchGameError(number, self.path)


def _checked_tags(tags: Sequence[str]) -> list[str]:
    for tag in tags:
        if not tag or tag != tag.strip() or "," in tag:
            raise LibraryError(f"a tag is a word or some words without a comma, not {tag!r}")
    return list(tags)
