"""`Database`: one SQLite file, opened so that several programs can use it at once.

Readers never wait: the file is in WAL mode where the file system allows it (network drives do not;
then it is in DELETE mode, and `Database.remark` says so). A transaction that has ended is on the
disk (``synchronous=FULL``). Each thread has a connection of its own.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from rl_toolkit.library import schema
from rl_toolkit.library.dates import day_number
from rl_toolkit.library.errors import (
    DamagedLibraryError,
    LibraryError,
    NewerLibraryError,
    ReadOnlyLibraryError,
    damaged,
    sqlite_errors,
)
from rl_toolkit.utils.installation import data_folder

#: Seconds that a writer waits for another one.
PATIENCE = 30.0
#: Seconds between two tries of a writer. SQLite itself waits up to 100 ms, in which the next
#: transaction of an import may have begun.
_AGAIN = 0.002
#: Pages of the log after which a writer moves them into the file. An import, which fills the log,
#: does so earlier, between its transactions: a writer of one game should not have to do it.
_LOG, IMPORT_LOG = 16_384, 4_096
#: KiB of pages that a connection keeps.
_CACHE = 32_768
_MAGIC = b"SQLite format 3\0"
_APPLICATION_AT = 68
#: Where the file says in which mode it is, and what it says in WAL mode.
_MODE_AT, _WAL = 18, b"\x02"

#: The environment variable that names the file.
LIBRARY_VARIABLE = "RL_TOOLKIT_LIBRARY"

Migrations = Sequence[Callable[[sqlite3.Connection], None]]


def library_file() -> Path:
    """The file of the user's library; it may not exist yet."""
    if chosen := os.environ.get(LIBRARY_VARIABLE):
        return Path(chosen).expanduser()
    return data_folder() / "library.db"


class Database:
    """The file of a library.

    Raises `LibraryError` or a subclass for a file that is not a library, is damaged, or was written
    by a newer version.

    Attributes:
        path: the file; it is made if it does not exist.
        read_only: whether it may not be changed: asked for, or somebody else's file, or a file in a
            place where nothing can be written.
        remark: a sentence about how it was opened, "" if there is nothing to say.
    """

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        migrations: Migrations | None = None,
        others: bool | None = None,
    ) -> None:
        self.path = path
        self._migrations = schema.MIGRATIONS if migrations is None else migrations
        self.version = 1 + len(self._migrations)
        self.remark = ""
        self._immutable = False
        self._local = threading.local()
        self._opened: list[tuple[threading.Thread, sqlite3.Connection]] = []
        self._numbers = count()
        self._lock = threading.Lock()
        exists = _is_library(path)
        if not exists and read_only:
            raise LibraryError(f"there is no library {path}")
        foreign = others if others is not None else exists and _is_foreign(path)
        self._protected = foreign or (exists and not _is_writable(path))
        self.read_only = read_only or self._protected
        if self.read_only and not read_only:
            self.remark = f"{path} belongs to somebody else or is write-protected: it is only read"
        with sqlite_errors(path):
            self._prepare(exists)

    # ------------------------------------------------------------------- connections

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of this thread."""
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        stamp = None if found is None else self._local.stamp
        if stamp is not None and stamp != self._stamp():
            with self._lock:  # its owner has changed the file, which SQLite does not look for
                self._opened = [each for each in self._opened if each[1] is not found]
            found = None
        if found is None:
            with sqlite_errors(self.path):
                found = self._connect()
            self._local.connection, self._local.number = found, next(self._numbers)
        return found

    def _connect(self) -> sqlite3.Connection:
        mode, extra, stamp = "ro" if self.read_only else "rwc", "", None
        if self._immutable or self._protected:
            before = self._stamp()  # not later: a program that begins to write must change it
            if self._immutable or self._is_at_rest():
                extra, stamp = "&immutable=1", before
        self._local.stamp = stamp
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}{extra}",
            uri=True,
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=False,  # `close` closes those of other threads
        )
        with self._lock:
            ended = [opened for thread, opened in self._opened if not thread.is_alive()]
            self._opened = [each for each in self._opened if each[0].is_alive()]
            self._opened.append((threading.current_thread(), connection))
        for opened in ended:
            opened.close()
        connection.create_function("day", 1, day_number, deterministic=True)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG}")
        return connection

    def _is_at_rest(self) -> bool:
        """Whether the file is in WAL mode, and no program has begun to write to it.

        SQLite would make a log beside the file even to read it: in somebody else's folder a log
        that its owner cannot use, and none at all in a folder where nothing can be written.
        """
        try:
            with open(self.path, "rb") as file:
                file.seek(_MODE_AT)
                return file.read(1) == _WAL and not self._log().exists()
        except OSError as error:
            raise self._gone(error) from error

    def _gone(self, error: OSError) -> LibraryError:
        return LibraryError(f"{self.path} cannot be opened: {error.strerror}")

    def _log(self) -> Path:
        return Path(f"{os.path.realpath(self.path)}-wal")

    def _stamp(self) -> tuple[int, int, bool]:
        """Changes when another program writes to the file."""
        try:
            now = self.path.stat()
        except OSError as error:
            raise self._gone(error) from error
        return now.st_mtime_ns, now.st_size, self._log().exists()

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            opened, self._opened = self._opened, []
        for _, connection in opened:
            with suppress(sqlite3.Error):
                if not self.read_only:
                    connection.execute("PRAGMA optimize")
            connection.close()
        self._local = threading.local()

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query: no cursor stays open, which would stop checkpoints."""
        with sqlite_errors(self.path):
            return self.connection.execute(statement, values).fetchall()

    def one(self, statement: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of a query, ``None`` if it has none."""
        rows = self.execute(statement, values)
        return rows[0] if rows else None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of the block is saved, or nothing; other writers wait."""
        if self.read_only:
            raise ReadOnlyLibraryError(f"{self.path} cannot be changed: it is read-only")
        connection = self.connection
        with sqlite_errors(self.path):
            self._begin(connection)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    @staticmethod
    def _begin(connection: sqlite3.Connection) -> None:
        """Begin to write, soon after the writer before has ended."""
        ends = time.monotonic() + PATIENCE
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                    if not busy or time.monotonic() > ends:
                        raise
                time.sleep(_AGAIN)
        finally:
            connection.execute(f"PRAGMA busy_timeout = {int(1000 * PATIENCE)}")

    def tidy_log(self) -> None:
        """Move the pages of a long log into the file, as far as no reader needs them."""
        with suppress(OSError):
            if self._log().stat().st_size > IMPORT_LOG * schema.PAGE:
                self.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Several queries about one state of the file; keep it short."""
        connection = self.connection
        with sqlite_errors(self.path):
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")

    def state(self) -> tuple[int, int, int]:
        """Three numbers that change whenever the file does, by this thread or by another program.

        The first is that of the connection: two connections count changes in their own ways.
        """
        connection = self.connection
        with sqlite_errors(self.path):
            (version,) = connection.execute("PRAGMA data_version").fetchone()
        return self._local.number, version, connection.total_changes

    # ----------------------------------------------------------------------- opening

    def _prepare(self, exists: bool) -> None:
        if not exists:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise LibraryError(
                    f"the folder {self.path.parent} cannot be made: {error.strerror}"
                ) from error
        try:
            version = self._version()
        except (sqlite3.OperationalError, LibraryError) as error:
            if not self.read_only or isinstance(error, DamagedLibraryError):
                raise
            # A file in WAL mode in a folder where nothing can be written.
            self.close()
            self._immutable = True
            version = self._version()
        if version > self.version:
            self.close()
            raise NewerLibraryError(
                f"{self.path} was written by a newer version of rl_toolkit (tables of version "
                f"{version}, this one knows {self.version}); install the newer version"
            )
        if self.read_only:
            if version < schema.READABLE:
                self.close()
                raise ReadOnlyLibraryError(
                    f"{self.path} has tables of the older version {version} and may not be changed"
                )
            return
        connection = self.connection
        if version == 0:
            connection.execute(f"PRAGMA page_size = {schema.PAGE}")
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            connection.execute("PRAGMA journal_mode = DELETE")
            self.remark = (
                f"{self.path} is in a place without shared memory, such as a network drive: "
                "programs that read it wait for those that write"
            )
        if version == 0:
            self._create()
        elif version < self.version:
            self._migrate(version)

    def _version(self) -> int:
        connection = self.connection
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return int(version)

    def _create(self) -> None:
        with self.writing() as connection:
            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:  # no one was faster
                schema.create(connection)
                connection.execute(f"PRAGMA user_version = {schema.VERSION}")
        if self.version > schema.VERSION:
            self._migrate(schema.VERSION)

    def _migrate(self, version: int) -> None:
        """Lift the file to this version, each step in one transaction, after a copy was made."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        copy = self.path.with_name(f"{self.path.name}.version-{version}-{stamp}")
        self.connection.execute("VACUUM INTO ?", (str(copy),))
        for number in range(version, self.version):
            with self.writing() as connection:
                now = connection.execute("PRAGMA user_version").fetchone()[0]
                if now == number:  # else another program has done it
                    self._migrations[number - 1](connection)
                    connection.execute(f"PRAGMA user_version = {number + 1}")
        self.remark = f"{self.path} was brought to version {self.version}; a copy is in {copy.name}"


def _is_library(path: Path) -> bool:
    """Whether there is a library; raises `LibraryError` for a file that is something else."""
    try:
        with open(path, "rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise LibraryError(f"{path} cannot be opened: {error.strerror}") from error
    if not head:
        return False
    if not head.startswith(_MAGIC):
        raise LibraryError(f"{path} is not a library of games")
    if len(head) < 100:
        raise damaged(path, "the file is cut off")
    application = int.from_bytes(head[_APPLICATION_AT : _APPLICATION_AT + 4], "big")
    if application == 0:
        return _is_unfinished(path)
    if application != schema.APPLICATION:
        raise LibraryError(f"{path} is an SQLite file of another program, not a library of games")
    return True


def _is_unfinished(path: Path) -> bool:
    """``False`` for a file that another program is just making: it has no tables yet.

    In WAL mode the name of the application may stand in the log alone.
    """
    with sqlite_errors(path):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=30)
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    if tables and application != schema.APPLICATION:
        raise LibraryError(f"{path} is an SQLite file of another program, not a library of games")
    return bool(tables)


def _is_writable(path: Path) -> bool:
    """Whether the file can be changed; SQLite writes a log beside it, so its folder must be."""
    file = os.path.realpath(path)
    return os.access(file, os.W_OK) and os.access(os.path.dirname(file), os.W_OK)


def _is_foreign(path: Path) -> bool:
    """Whether another user owns the file; never on systems without owners."""
    return hasattr(os, "geteuid") and os.stat(path).st_uid != os.geteuid()
