"""The exceptions of the library.

::

    LibraryError (a ValueError)
    ├── NewerLibraryError     written by a newer version of the toolkit
    ├── DamagedLibraryError   SQLite cannot read it
    ├── ReadOnlyLibraryError  it may be read, not changed
    └── NoSuchGameError       it has no game of that number
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class LibraryError(ValueError):
    """A library that cannot be opened, read or written; the text is a sentence about it."""


class NewerLibraryError(LibraryError):
    """A newer version of the toolkit has written the file; this one leaves it as it is."""


class DamagedLibraryError(LibraryError):
    """The file ``path`` is damaged; `rescue` sets it aside and saves what can be read."""

    def __init__(self, sentence: str, path: Path) -> None:
        super().__init__(sentence)
        self.path = path


class ReadOnlyLibraryError(LibraryError):
    """A change was asked of a library whose file may only be read."""


class NoSuchGameError(LibraryError):
    """A library has no game ``number``."""

    def __init__(self, number: int, path: Path) -> None:
        super().__init__(f"there is no game {number} in {path}")
        self.number = number


def damaged(path: Path, problem: object) -> DamagedLibraryError:
    """The error for a file that SQLite cannot read."""
    return DamagedLibraryError(
        f"{path} is damaged ({problem}); `rl-toolkit library check --repair` sets it aside, "
        "saves what can be read and starts a new library",
        path,
    )


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite raises inside the block into a `LibraryError` with a sentence."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise LibraryError(
                f"another program is writing to {path}; try again in a moment"
            ) from error
        if "full" in text:
            raise LibraryError(
                f"the disk is full, so {path} cannot grow; what was saved before is safe"
            ) from error
        if "readonly" in text:
            raise ReadOnlyLibraryError(f"{path} cannot be changed: it is read-only") from error
        if "malformed" in text or "not a database" in text or "corrupt" in text:
            raise damaged(path, text) from error
        if "unable to open" in text or "I/O" in text:
            raise LibraryError(f"{path} cannot be opened or written: {text}") from error
        raise
