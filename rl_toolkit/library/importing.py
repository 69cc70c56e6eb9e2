"""Import of files: thousands of games a second, each checked, none twice, and resumable.

Games are taken in batches, a transaction each, together with how far their files were read. So an
import that was killed has saved whole batches; the same import again continues after them. A game
that cannot be read is set aside with its file, its number and the reason.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rl_toolkit.library.database import Database
from rl_toolkit.library.entries import Entry, Event, Rows, entries_of, entry_of
from rl_toolkit.library.errors import LibraryError
from rl_toolkit.library.kinds import kind_of
from rl_toolkit.library.replay import UNDECIDED, replay_games
from rl_toolkit.library.writing import Writer
from rl_toolkit.records import FORMATS, RecordError
from rl_toolkit.records.bulk import GameFile, RawGame

#: The games of a transaction. Another writer waits while one is saved.
BATCH = 512
ORIGIN = "import"
_SUFFIXES = {form.suffixes[0] for form in FORMATS.values()}

#: Called with bytes done, bytes in all, and games saved so far.
OnProgress = Callable[[int, int, int], None]


@dataclass(frozen=True, slots=True)
class Refused:
    """A game that was set aside: its file, its number there (0: the whole file), and why."""

    file: str
    number: int
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}, game {self.number}" if self.number else self.file
        return f"{place}: {self.reason}"


@dataclass(slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        added: the number of games that were saved.
        there: games that the same event had already.
        twins: of those that were added, how many repeat the moves of a game that was in the library
            before, in its orientation or in a mirror image.
        files: files that were read.
        known: files that were imported completely before, and were not read again.
        resumed: files that an earlier import had begun.
        refused: games that were set aside, also by earlier imports of these files.
    """

    added: int = 0
    there: int = 0
    twins: int = 0
    files: int = 0
    known: int = 0
    resumed: int = 0
    refused: list[Refused] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "added": self.added,
            "there": self.there,
            "twins": self.twins,
            "files": self.files,
            "known_files": self.known,
            "resumed_files": self.resumed,
            "refused": [
                {"file": each.file, "game": each.number, "reason": each.reason}
                for each in self.refused
            ],
        }


@dataclass(slots=True)
class _Source:
    """A file that is being imported."""

    path: Path
    name: str
    digest: str
    event: Event
    done: int = 0
    finished: bool = False


_Item = tuple[_Source, RawGame | None]


def files_in(paths: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """The files of games among ``paths`` and in folders, and the folders that have none.

    Raises `OSError` if a path is missing.
    """
    found, empty = list[Path](), list[Path]()
    for path in paths:
        if path.is_dir():
            inside = (each for each in path.rglob("*") if each.suffix.lower() in _SUFFIXES)
            files = sorted(each for each in inside if each.is_file())
            found += files
            empty += [] if files else [path]
        else:
            os.stat(path)
            found.append(path)
    return found, empty


def set_aside(database: Database, source: int | None = None) -> list[Refused]:
    """The games that imports have set aside, of one source or of all."""
    rows = database.execute(
        "SELECT name, number, reason FROM refused JOIN source ON source.id = source "
        "WHERE ? IS NULL OR source = ? ORDER BY source, number",
        (source, source),
    )
    return [Refused(*row) for row in rows]


class Importer:
    """Imports files into a library."""

    def __init__(
        self,
        database: Database,
        game: str | None = None,
        event: str = "",
        tags: Sequence[str] = (),
        on_progress: OnProgress = lambda done, total, games: None,
    ) -> None:
        self._database, self._game, self._event, self._tags = database, game, event, tags
        self._tell = on_progress
        self.report = ImportReport()
        self._waiting: list[_Item] = []
        self._writer: Writer | None = None

    def run(self, paths: Iterable[Path]) -> ImportReport:
        """Import files and folders."""
        files, empty = files_in(paths)
        known = ", ".join(sorted(_SUFFIXES))
        self.report.refused += [
            Refused(str(path), 0, f"there is no file of games in this folder ({known})")
            for path in empty
        ]
        sizes = [path.stat().st_size for path in files]
        total, before = sum(sizes), 0
        for path, size in zip(files, sizes, strict=True):
            for item in self._items(path):
                self._waiting.append(item)
                if len(self._waiting) >= BATCH:
                    self._save()
                    self._database.tidy_log()
                    share = item[1].share if item[1] is not None else 1.0
                    self._tell(before + int(share * size), total, self.report.added)
            before += size
            if before < total:
                self._tell(before, total, self.report.added)
        self._save()
        self._tell(total, total, self.report.added)
        return self.report

    def _items(self, path: Path) -> Iterator[_Item]:
        """The games of a file that were not imported before, and ``None`` after the last one."""
        name = path.name
        try:
            file = GameFile(path)
        except RecordError as error:
            self.report.refused.append(Refused(name, 0, str(error)))
            return
        # A file that does not name its game is another source once somebody names it.
        digest = f"{file.digest}:{self._game}" if self._game else file.digest
        source = _Source(path, name, digest, Event(self._event or path.stem, ORIGIN))
        found = self._database.one(
            "SELECT done, finished, id FROM source WHERE digest = ?", (source.digest,)
        )
        if found is not None:
            self.report.refused += set_aside(self._database, found[2])
        if found is not None and found[1]:
            self.report.known += 1
            return
        if found is not None:
            source.done = found[0]
            self.report.resumed += source.done > 0
        self.report.files += 1
        try:
            for raw in file.games(self._game):
                if raw.number > source.done:
                    yield source, raw
        except RecordError as error:
            self.report.refused.append(Refused(name, 0, str(error)))
        else:
            source.finished = True
        yield source, None

    def _save(self) -> None:
        """Check the games that wait, and save them in one transaction."""
        items, self._waiting = self._waiting, []
        if not items:
            return
        entries, refused = self._checked(items)
        report = self.report
        by_source: dict[str, list[int]] = {}
        for k, (source, _) in enumerate(items):
            by_source.setdefault(source.digest, []).append(k)
        with self._database.writing() as connection:
            writer = self._writer = self._writer or Writer(connection)
            for numbers in by_source.values():
                source = items[numbers[0]][0]
                number, done = _source_row(connection, source)
                # Another program may have imported some of them meanwhile.
                chosen = [
                    (k, raw)
                    for k in numbers
                    if (raw := items[k][1]) is not None and raw.number > done
                ]
                saved = writer.insert(
                    [entries[k] for k, _ in chosen if k in entries], number, once=True
                )
                report.added += len(saved.ids)
                report.there += saved.there
                report.twins += saved.twins
                bad = [(number, raw.number, refused[k]) for k, raw in chosen if k in refused]
                connection.executemany("INSERT OR REPLACE INTO refused VALUES (?, ?, ?)", bad)
                report.refused += [Refused(source.name, place, why) for _, place, why in bad]
                last = max((raw.number for _, raw in chosen), default=done)
                over = source.finished and items[numbers[-1]][1] is None
                connection.execute(
                    "UPDATE source SET done = max(done, ?), finished = max(finished, ?) "
                    "WHERE id = ?",
                    (last, int(over), number),
                )

    def _checked(self, items: Sequence[_Item]) -> tuple[dict[int, Entry], dict[int, str]]:
        """The entries of games, by their place, and the reasons against the others."""
        entries: dict[int, Entry] = {}
        refused: dict[int, str] = {}
        groups: dict[tuple[str, str, bool], list[int]] = {}
        slow: list[int] = []
        for k, (_, raw) in enumerate(items):
            if raw is None:
                continue
            if raw.game:
                groups.setdefault((raw.game, raw.start, raw.lacks_passes), []).append(k)
            else:
                slow.append(k)
        for (game, start, lacks_passes), numbers in groups.items():
            kind = kind_of(game, start)
            games = [_raw(items[k]) for k in numbers]
            replayed = replay_games(kind, [raw.moves for raw in games], add_passes=lacks_passes)
            bad, winners = replayed.bad.tolist(), replayed.winner.tolist()
            stones, rows = replayed.stones.tolist(), Rows(kind, replayed)
            for g, (k, raw) in enumerate(zip(numbers, games, strict=True)):
                over = winners[g] != UNDECIDED
                ending = (
                    raw.ending(over, winners[g] if over else None, (stones[g][0], stones[g][1]))
                    if bad[g] < 0
                    else None
                )
                if ending is None:
                    slow.append(k)
                    continue
                result, ended_by, headers = ending
                extra = {"opening": raw.opening} if raw.opening else {}
                entry = entry_of(
                    rows,
                    g,
                    raw.players,
                    result,
                    ended_by,
                    headers,
                    items[k][0].event,
                    extra,
                )
                entry.tags = self._tags
                if raw.by_engines:
                    entry.engines = True, True
                entries[k] = entry
        for k in sorted(slow):
            raw = _raw(items[k])
            try:
                record = raw.read()
            except RecordError as error:
                place = f"game {raw.number}"  # which the report names, too
                refused[k] = str(error).removeprefix(f"{place}: ")
                continue
            (entries[k],) = entries_of(
                [record],
                items[k][0].event,
                engines=(raw.by_engines, raw.by_engines),
                tags=self._tags,
            )
        return entries, refused


def _raw(item: _Item) -> RawGame:
    assert item[1] is not None
    return item[1]


def _source_row(connection: Any, source: _Source) -> tuple[int, int]:
    """The number of a source, which is made if it is new, and how far it was imported."""
    query = "SELECT id, done FROM source WHERE digest = ?"
    found = connection.execute(query, (source.digest,)).fetchone()
    if found is None:
        made = connection.execute(
            "INSERT INTO source (name, digest, done, finished, added) VALUES (?, ?, 0, 0, ?)",
            (source.name, source.digest, int(time.time())),
        )
        return int(made.lastrowid), 0
    return found[0], found[1]


def import_records(
    database: Database,
    records: Sequence[Any],
    event: Event,
    *,
    engines: tuple[bool, bool] = (True, True),
    tags: Sequence[str] = (),
) -> tuple[int, int]:
    """Save games of a run without those that it saved before: how many, and how many were there."""
    if not event.name:
        raise LibraryError("games of a run need the name of an event")
    entries = entries_of(records, event, engines=engines, tags=tags)
    with database.writing() as connection:
        saved = Writer(connection).insert(entries, once=True, on_any_day=True)
    return len(saved.ids), saved.there
