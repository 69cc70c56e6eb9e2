"""`PuzzleStore`: one's attempts and puzzles, in the file of the library; exported and erased."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, Self

from rl_toolkit.library import Database, library_file
from rl_toolkit.puzzles.attempts import Attempt, Review
from rl_toolkit.puzzles.puzzle import Puzzle, PuzzleError
from rl_toolkit.utils import JsonError, read_object, shown

FORMAT, VERSION = "rl_toolkit puzzle progress", 1
_COLUMNS = "puzzle, kind, rating, time, solved, seconds, hints, mode"


class PuzzleStore:
    """The attempts and puzzles of a person; raises `LibraryError` if the file cannot be used.

    Asking makes no file: the first attempt or puzzle that is saved does.

    Args:
        path: the file of a library; by default the user's own.

    Attributes:
        path: the file; it may not exist yet.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = library_file() if path is None else path
        self._opened: Database | None = None
        self._unsaved: list[Attempt] = []
        self._rows("SELECT 1")  # a file that cannot be used is refused at once

    @property
    def remark(self) -> str:
        """A sentence about how the file was opened, "" if there is nothing to say."""
        return "" if self._opened is None else self._opened.remark

    @property
    def read_only(self) -> bool:
        """Whether nothing can be saved in the file."""
        return self._opened is not None and self._opened.read_only

    def _database(self) -> Database:
        """The file, which is made if there is none."""
        if self._opened is None:
            self._opened = Database(self.path)
        return self._opened

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query, none while there is no file."""
        return self._database().execute(query) if self._exists() else []

    def _exists(self) -> bool:
        return self._opened is not None or self.path.exists()

    def close(self) -> None:
        """Close the file."""
        self._unsaved.clear()
        if self._opened is not None:
            self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --------------------------------------------------------------------------- attempts

    def attempts(self) -> list[Attempt]:
        """All attempts, the oldest first, and those that `note` could not save."""
        rows = self._rows(f"SELECT {_COLUMNS} FROM attempt ORDER BY time, id")
        return [
            Attempt(puzzle, kind, rating, time, bool(solved), seconds, hints, mode)
            for puzzle, kind, rating, time, solved, seconds, hints, mode in rows
        ] + self._unsaved

    def note(self, attempts: Sequence[Attempt]) -> None:
        """Save attempts; in a library that is only read, remember them until `close`."""
        if self.read_only:
            self._unsaved += attempts
        else:
            self.add(attempts)

    def add(self, attempts: Iterable[Attempt]) -> int:
        """Save attempts, without those that are there; returns how many are new."""
        new, before = [astuple(each) for each in attempts], self._count()
        if not new:
            return 0
        with self._database().writing() as connection:
            connection.executemany(
                f"INSERT OR IGNORE INTO attempt ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", new
            )
        return self._count() - before

    def _count(self) -> int:
        return sum(number for (number,) in self._rows("SELECT count(*) FROM attempt"))

    # ---------------------------------------------------------------------------- puzzles

    def puzzles(self) -> dict[str, tuple[Puzzle, float]]:
        """Own puzzles by name, each with the time from which on it is due."""
        rows = self._rows("SELECT name, line, added FROM puzzle ORDER BY added, name")
        found = {}
        for name, line, added in rows:
            found[name] = Puzzle.read(name.rpartition("/")[0], line), float(added)
        return found

    def keep(self, puzzles: Sequence[Puzzle], now: float) -> int:
        """Save puzzles of one's own, without those that are there; returns how many are new."""
        if not puzzles:
            return 0
        before = len(self.puzzles())
        with self._database().writing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO puzzle (name, line, added) VALUES (?, ?, ?)",
                [(each.name, each.to_text(), now) for each in puzzles],
            )
        return len(self.puzzles()) - before

    def reviews(self) -> list[Review]:
        """Own puzzles as reviews that are due since they were found."""
        return [
            Review(name, puzzle.kind, puzzle.rating, added)
            for name, (puzzle, added) in self.puzzles().items()
        ]

    # ------------------------------------------------------------------ export and erasure

    def to_json(self) -> str:
        """Everything, as the page writes it, too."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "attempts": [each.to_dict() for each in self.attempts()],
            "puzzles": [
                {"name": name, "line": puzzle.to_text(), "added": added}
                for name, (puzzle, added) in self.puzzles().items()
            ],
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"

    def read(self, text: str) -> tuple[int, int]:
        """Add what a file holds; returns how many attempts and puzzles are new.

        Raises `PuzzleError` for a file of another kind, and then adds nothing.
        """
        attempts, puzzles = read_progress(text)
        added = self.add(attempts)
        return added, sum(self.keep([puzzle], time) for puzzle, time in puzzles)

    def erase(self) -> int:
        """Remove all attempts and own puzzles; returns how many attempts there were."""
        if not self._exists():
            return 0
        count = self._count()
        with self._database().writing() as connection:
            connection.execute("DELETE FROM attempt")
            connection.execute("DELETE FROM puzzle")
        return count


def read_progress(text: str) -> tuple[list[Attempt], list[tuple[Puzzle, float]]]:
    """The attempts in the text of a file, and its puzzles, each with the time it was added.

    Raises `PuzzleError` for text of another format, and for an attempt or puzzle that is wrong.
    """
    try:
        data = read_object(text)
    except JsonError as error:
        raise PuzzleError(f"this is not a file of progress: {error}") from error
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise PuzzleError(f"this is not a file of the format {FORMAT!r}, version {VERSION}")
    attempts, puzzles = data.get("attempts"), data.get("puzzles", [])
    if not isinstance(attempts, list) or not isinstance(puzzles, list):
        raise PuzzleError("attempts and puzzles are lists")
    found = []
    for each in puzzles:
        if not isinstance(each, dict) or not isinstance(each.get("added"), (int, float)):
            raise PuzzleError(f"this is not a puzzle: {shown(each)}")
        game = str(each.get("name", "")).rpartition("/")[0]
        found.append((Puzzle.read(game, str(each.get("line", ""))).checked(), each["added"]))
    return [Attempt.from_dict(each) for each in attempts], found
