"""Journals: long runs that survive ``kill -9``, because finished pieces are written to a file.

Every piece is handed to the system before it counts, so a killed run loses none. Waiting until it
is on the disk would take longer than many a game. That is begun a second later at most, also while
nothing new is added, and at the end: a machine that loses its power loses about a second of work.

The first line describes the run; every other line is one finished piece::

    {"format": "rl_toolkit match", "version": 1, "game": "connect-four", …}
    {"pair": 0, "games": [ … ]}
    {"pair": 1, "gam                       ← cut off by a crash: removed when the run resumes

The next run with the same description reads the file and does the rest. The file of a different run
is rejected and left unchanged, except where a change makes its lines obsolete (an engine has a new
network, or new code): then they are set aside as ``FILE.old``, and the run starts from the
beginning. No file is overwritten: the next ones are ``FILE.old2``, ``FILE.old3``, …
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import shutil
import threading
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Self

from rl_toolkit.utils import atomic_writer

VERSION = 1

#: Seconds after which a line is sent to the disk at the latest.
_SYNC_EVERY = 1.0

Line = dict[str, Any]


#: How every journal begins.
_BEGINNING = b'{"format": "rl_toolkit '


class JournalError(ValueError):
    """A file is not a journal, is damaged, or belongs to a different run."""


class Journal:
    """The file of one run; ``done`` holds the lines that it had when it was opened.

    Args:
        path: the file; created, with its folder, if it does not exist.
        kind: the kind of run.
        work: the description of the run; a journal with different ``work`` is rejected.
        outdated_by: names in ``work``; a journal that differs only in these is set aside.
        room: bytes of the whole file at the end, about; ``OSError`` if its disk does not have what
            is missing of them.

    Raises `JournalError` for a file that is not the journal of this work.

    Attributes:
        done: the finished pieces.
        set_aside: the file to which obsolete lines were moved; ``None`` if there were none.
        outdated: the names in ``work`` that made them obsolete.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        kind: str,
        work: Line,
        outdated_by: Collection[str] = (),
        room: int = 0,
    ) -> None:
        self.path = Path(path)
        self.set_aside: Path | None = None
        self.outdated: set[str] = set()
        self._outdated_by = set(outdated_by)
        self._synced = -_SYNC_EVERY
        self._guard = threading.Lock()
        self._timer: threading.Timer | None = None
        self._problem: OSError | None = None
        head = {"format": f"rl_toolkit {kind}", "version": VERSION, **work}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._check_room(room)
        if self.path.exists() and not (self.path.is_file() or self.path.is_dir()):
            raise JournalError(f"{self.path} is not a regular file; choose another file")
        self._file = open(self.path, "a+b")  # noqa: SIM115 - closed by `close`
        try:
            self._lock()
            self.done = self._resume(json.loads(json.dumps(head)))
        except BaseException:
            self._file.close()
            raise

    def _check_room(self, room: int) -> None:
        missing = room - (self.path.stat().st_size if self.path.is_file() else 0)
        if (free := shutil.disk_usage(self.path.parent).free) < missing:
            raise OSError(
                errno.ENOSPC,
                f"the disk has {free / 1e6:.1f} MB left, "
                f"and about {missing / 1e6:.1f} MB are needed",
                str(self.path),
            )

    def _lock(self) -> None:
        """Lock the file against a second run, on systems with ``fcntl``."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise JournalError(f"another run is writing to {self.path}") from error

    def _resume(self, head: Line) -> list[Line]:
        """Return the finished pieces in the file, and cut off an unfinished line."""
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        lines = list(self._parsed(whole))
        if not lines:
            if whole or not _bytes_of(head).startswith(data):
                raise JournalError(f"{self.path} is not a journal and is not overwritten")
            self._file.truncate(0)
            self.add(head)
            return []
        kept = lines.pop(0)
        if kept.get("format") != head["format"]:
            raise JournalError(f"{self.path} is not an {head['format']} and is not overwritten")
        other = {name for name in {**head, **kept} if kept.get(name) != head.get(name)}
        for name in {**head, **kept}:
            if name in other - self._outdated_by:
                there, here = (_shown(name, version.get(name)) for version in (kept, head))
                raise JournalError(
                    f"{self.path} belongs to a different run ({name} {there}, not {here}); "
                    "choose another file"
                )
        if other:
            self.outdated = other
            self.set_aside = self._free_name()
            with atomic_writer(self.set_aside) as file:
                file.write(whole)
            self._file.truncate(0)
            self.add(head)
            return []
        self._file.truncate(len(whole))
        return lines

    def _free_name(self) -> Path:
        """A file name that is not in use, for lines to set aside."""
        names = itertools.chain(["old"], (f"old{number}" for number in itertools.count(2)))
        paths = (self.path.with_name(f"{self.path.name}.{name}") for name in names)
        return next(path for path in paths if not path.exists())

    def _parsed(self, data: bytes) -> Iterator[Line]:
        for number, text in enumerate(data.splitlines(), 1):
            try:
                line = json.loads(text)
            except ValueError:
                line = None
            if not isinstance(line, dict):
                raise JournalError(
                    f"{self.path}: line {number} cannot be read; move this file away, "
                    "then the same command begins again"
                )
            yield line

    def add(self, line: Line) -> None:
        """Append a finished piece; if the run is killed after this, it is in the file.

        Raises ``OSError`` if it, or an earlier one, cannot be written.
        """
        data = _bytes_of(line)
        with self._guard:
            self._raise_problem()
            self._file.write(data)
            self._file.flush()
            left = self._synced + _SYNC_EVERY - time.monotonic()
            if left <= 0:
                self._sync()
            elif self._timer is None:
                self._timer = threading.Timer(left, self._sync_later)
                self._timer.daemon = True
                self._timer.start()

    def _sync_later(self) -> None:
        """Do what `add` has left for later; a failure is raised by the next `add` or `close`."""
        with self._guard:
            self._timer = None
            if self._file.closed:
                return
            try:
                self._sync()
            except OSError as error:
                self._problem = error

    def _raise_problem(self) -> None:
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem

    def _sync(self) -> None:
        """Wait until everything is on the disk."""
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def close(self) -> None:
        """Close the file, with everything on the disk."""
        with self._guard:
            if self._timer is not None:
                self._timer.cancel()
            if self._file.closed:
                return
            try:
                self._raise_problem()
                self._sync()
            finally:
                self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


def is_journal(path: Path) -> bool:
    """Whether there is a file with the work of a run, which must not be overwritten."""
    try:
        with path.open("rb") as file:
            return file.read(len(_BEGINNING)) == _BEGINNING
    except OSError:
        return False


def described_run(path: Path) -> Line | None:
    """The description of the run in a file; ``None`` if there is no such file."""
    if not is_journal(path):
        return None
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    return head if isinstance(head, dict) else None


def _bytes_of(line: Line) -> bytes:
    return json.dumps(line, allow_nan=False).encode() + b"\n"


def _shown(name: str, value: object) -> str:
    between = " against " if name in ("engines", "specs") else " "
    return between.join(map(str, value)) if isinstance(value, list) else str(value)
