"""Long work that survives ``kill -9``: what is done stands in a file, a line each.

The first line says what the work is; every other line is one finished piece::

    {"format": "rl_toolkit match", "version": 1, "game": "connect-four", …}
    {"pair": 0, "games": [ … ]}
    {"pair": 1, "gam                       ← cut off by a crash: removed when work goes on

The next run of the same work reads what is there and does the rest. A file of other work is
refused and left as it is; only where the work says that a change makes its old lines worthless (an
engine got a new network) are they set aside, as ``FILE.old``, and the work begins anew. No file is
overwritten by that: the next ones are ``FILE.old2``, ``FILE.old3``, …
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rl_toolkit.utils.atomic_file import atomic_writer

VERSION = 1

Line = dict[str, Any]


class JournalError(ValueError):
    """A file that is no journal, is damaged, or belongs to other work; the message says which."""


class Journal:
    """The file of one piece of work; ``done`` holds the lines that were there when it was opened.

    Args:
        path: the file; made, with its folder, where there is none.
        kind: what sort of work this is.
        work: what exactly is done; a journal with other ``work`` is refused.
        outdated_by: names in ``work``; a journal that differs in nothing else is set aside.

    Attributes:
        set_aside: where the lines of such a journal were put; ``None`` if there was none.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        kind: str,
        work: Line,
        outdated_by: Collection[str] = (),
    ) -> None:
        self.path = Path(path)
        self.set_aside: Path | None = None
        self._outdated_by = set(outdated_by)
        head = {"format": f"rl_toolkit {kind}", "version": VERSION, **work}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(self.path, "a+b")  # noqa: SIM115 - closed by `close`
        try:
            self._lock()
            self.done = self._resume(json.loads(json.dumps(head)))
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        """Keep a second run away, where the system has such locks; they end with the process."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise JournalError(f"another run is writing to {self.path} just now") from error

    def _resume(self, head: Line) -> list[Line]:
        """Read what is there, and cut off what was not finished."""
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        lines = list(self._parsed(whole))
        if not lines:
            if whole or len(data) > len(json.dumps(head)):
                raise JournalError(f"{self.path} is something else and is not overwritten")
            self._file.truncate(0)
            self.add(head)
            return []
        found = lines.pop(0)
        if found.get("format") != head["format"]:
            raise JournalError(f"{self.path} is no {head['format']} and is not overwritten")
        other = {name for name in {**head, **found} if found.get(name) != head.get(name)}
        for name in {**head, **found}:
            if name in other - self._outdated_by:
                raise JournalError(
                    f"{self.path} belongs to other work: its {name} is {found.get(name)!r}, not "
                    f"{head.get(name)!r}; finish that, or name another file"
                )
        if other:
            self.set_aside = self._free_name()
            with atomic_writer(self.set_aside) as file:
                file.write(whole)
            self._file.truncate(0)
            self.add(head)
            return []
        self._file.truncate(len(whole))
        return lines

    def _free_name(self) -> Path:
        """Where lines can be set aside."""
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
                raise JournalError(f"{self.path}: line {number} cannot be read")
            yield line

    def add(self, line: Line) -> None:
        """Write a finished piece; it is on the disk when this returns."""
        self._file.write(json.dumps(line, allow_nan=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
