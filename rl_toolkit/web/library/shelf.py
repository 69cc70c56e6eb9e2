"""`Shelf`: the library of a server, opened when somebody first asks for a game of it."""

from __future__ import annotations

import threading
from pathlib import Path

from rl_toolkit.library import Library


class Shelf:
    """The library that a server shows.

    Asking makes no file: until the first game is saved there is none, and no game in it.

    Attributes:
        path: the file, ``None`` if this server shows no library.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._library: Library | None = None
        self._file = 0  # which file was opened: a damaged one may have been set aside since

    def opened(self, *, make: bool = False) -> Library | None:
        """The library, ``None`` if there is no file; with ``make`` the file is made.

        Raises `LibraryError` if it cannot be opened.
        """
        if self.path is None:
            return None
        with self._lock:
            now = self._number()
            if now == 0 and not make:
                return None
            if self._library is None or now != self._file:
                self._library = Library(self.path)
                self._file = self._number()
            return self._library

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._library is not None:
                self._library.close()
            self._library = None

    def _number(self) -> int:
        """The number that the system gives to the file, 0 if there is none or it is empty."""
        assert self.path is not None
        try:
            about = self.path.stat()
        except OSError:
            return 0
        return about.st_ino or 1 if about.st_size else 0
