"""`Results`: what a class has handed in and reached, in one SQLite file whose rows are sealed.

::

    row     kind, key, data (JSON), seal      seal = HMAC-SHA-256 (key of the user; kind, key, data)
    total   kind, seals added up, seal        a row that was removed is missing in the sum

The key is in the user's data folder, readable for the user alone, and never beside the results. A
row that was changed, or put there by somebody who does not have the key, is dropped and said; what
it told is found out anew. Who runs as the same user can read the key, unless a sandbox keeps
foreign code away from both: `protection` says whether one does.

A file that SQLite cannot read is set aside, and the work begins anew.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from rl_toolkit.arena.runs import Journal, JournalError
from rl_toolkit.utils import counted
from rl_toolkit.utils.installation import data_folder
from rl_toolkit.utils.isolation import IsolationError, Kind, in_force

#: The file in the folder of what a later run needs, and those that earlier versions wrote.
FILE, FORMER, FORMER_PROJECTS = "results.db", "results.jsonl", "projects.jsonl"
#: ``PRAGMA application_id``: the letters RLCL.
_APPLICATION = 0x524C434C
_KEY_FILE = "grading.key"
#: Seconds that a writer waits for another one.
_PATIENCE = 30.0
_TABLES = """
CREATE TABLE IF NOT EXISTS row (
    kind TEXT NOT NULL, key TEXT NOT NULL, data TEXT NOT NULL, seal BLOB NOT NULL,
    PRIMARY KEY (kind, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS total (
    kind TEXT PRIMARY KEY, seals BLOB NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID;
"""
_SPACE = 1 << 256

Data = dict[str, Any]


class ResultsError(ValueError):
    """The results cannot be opened; the message is a sentence."""


def protection() -> str:
    """Why results are not protected from the code that is graded, "" if they are.

    Every kind of sandbox hides the files of the user, and so the key and the results; limits alone
    hide nothing.
    """
    try:
        kind: Kind = in_force().kind
    except IsolationError:  # said where the code is to run
        kind = "limits"
    if kind != "limits":
        return ""
    return (
        "Results are not protected: there is no sandbox, so the code of a submission runs with the "
        "rights of the user who grades. It can read the key and change the results. "
        "`rl-toolkit doctor` says why there is none."
    )


class Results:
    """The sealed rows of one class; use it in a ``with`` block.

    Args:
        folder: where the file is; it is made if it does not exist.
        key: the key of the seals; by default that of the user.

    Attributes:
        remarks: what was wrong on opening, as sentences; nothing of it stops the work.
    """

    def __init__(self, folder: Path, key: bytes | None = None) -> None:
        self.path = folder / FILE
        self.remarks: list[str] = []
        self._key = user_key() if key is None else key
        folder.mkdir(parents=True, exist_ok=True)
        is_new = not self.path.exists()
        try:
            self._connection = self._open()
        except sqlite3.OperationalError as error:
            raise ResultsError(f"{self.path} cannot be opened: {error}") from error
        except sqlite3.DatabaseError as error:
            aside = _set_aside(self.path)
            self.remarks.append(
                f"{self.path} is damaged ({error}). It was set aside as {aside.name}; everything "
                "is read and checked anew."
            )
            self._connection = self._open()
        if is_new:
            # Only what is here now can be of an earlier version; see `take_over`.
            for name in (FORMER, FORMER_PROJECTS):
                if (folder / name).exists():
                    self.put("former", name, {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # ------------------------------------------------------------------------ rows

    def rows(self, kind: str) -> dict[str, Data]:
        """The rows of a kind by key, in the order of their keys; none whose seal is wrong."""
        found = self._connection.execute(
            "SELECT key, data, seal FROM row WHERE kind = ? ORDER BY key", (kind,)
        )
        return {
            key: json.loads(data)
            for key, data, seal in found
            if _same(seal, self._seal(kind, key, data))
        }

    def put(self, kind: str, key: str, data: Mapping[str, Any]) -> None:
        """Add a row, or replace the one with that key; it is on the disk when this returns."""
        text = json.dumps(data, sort_keys=True, ensure_ascii=False)
        seal = self._seal(kind, key, text)
        with self._writing(kind) as total:
            total.change(self._seal_of(kind, key), seal)
            self._connection.execute(
                "INSERT OR REPLACE INTO row VALUES (?, ?, ?, ?)", (kind, key, text, seal)
            )

    def remove(self, kind: str, key: str) -> None:
        """Remove a row, if there is one, so that nothing of it stays in the file."""
        with self._writing(kind) as total:
            total.change(self._seal_of(kind, key), None)
            self._connection.execute("DELETE FROM row WHERE kind = ? AND key = ?", (kind, key))

    def compact(self) -> None:
        """Write the file anew without the room of what was removed."""
        self._connection.execute("VACUUM")

    def mark_of(self, text: str) -> str:
        """A mark that stands for a text and does not tell it without the key of the user."""
        return hmac.new(self._key, f"mark {text}".encode(), hashlib.sha256).hexdigest()[:32]

    # --------------------------------------------------------------------- opening

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables and application != _APPLICATION:
                raise ResultsError(f"{self.path} is an SQLite file of another program")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            if not tables:
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.executescript(_TABLES)
            self._connection = connection
            self._refuse_other_key()
            self.check()
        except BaseException:
            connection.close()
            raise
        return connection

    def _refuse_other_key(self) -> None:
        rows = self._connection.execute("SELECT kind, key, data, seal FROM row").fetchall()
        totals = self._connection.execute("SELECT seals, seal FROM total").fetchall()
        ours = any(_same(seal, self._seal(*row)) for *row, seal in rows)
        if rows and not ours and not any(map(self._is_ours, totals)):
            raise ResultsError(
                f"{self.path} was sealed with another key. Copy {key_file()} from the machine "
                "that made it, or move the file away: everything is then read and checked anew"
            )

    def check(self) -> None:
        """Drop the rows whose seal is wrong, and say in ``remarks`` what was changed.

        Foreign code may have run since the file was opened.
        """
        rows = self._connection.execute("SELECT kind, key, data, seal FROM row").fetchall()
        totals = {
            kind: (seals, seal)
            for kind, seals, seal in self._connection.execute("SELECT * FROM total")
        }
        wrong = [
            (kind, key)
            for kind, key, data, seal in rows
            if not _same(seal, self._seal(kind, key, data))
        ]
        sums: dict[str, int] = {}
        for kind, _, _, seal in rows:
            sums[kind] = (sums.get(kind, 0) + int.from_bytes(seal, "big")) % _SPACE
        missing = [
            kind
            for kind, (seals, seal) in totals.items()
            if not self._is_ours((seals, seal)) or int.from_bytes(seals, "big") != sums.get(kind, 0)
        ]
        missing += [kind for kind in sums if kind not in totals]
        if not wrong and not missing:
            return
        with self._transaction():
            for kind, key in wrong:
                self._connection.execute("DELETE FROM row WHERE kind = ? AND key = ?", (kind, key))
            for kind in {*totals, *sums}:
                self._write_total(kind, self._sum_of(kind))
        if wrong:
            what = f"{counted(len(wrong), 'row')} of {self.path} had been changed from outside"
            self.remarks.append(f"{what}: dropped, and found out anew.")
        else:
            self.remarks.append(
                f"{self.path} had been changed from outside: rows ({', '.join(sorted(missing))}) "
                "were removed or added. What is missing is found out anew; look at the hand-ins."
            )

    def _sum_of(self, kind: str) -> int:
        seals = self._connection.execute("SELECT seal FROM row WHERE kind = ?", (kind,))
        return sum(int.from_bytes(seal, "big") for (seal,) in seals) % _SPACE

    # --------------------------------------------------------------------- sealing

    def _seal(self, kind: str, key: str, data: str) -> bytes:
        text = json.dumps([kind, key, data]).encode()
        return hmac.new(self._key, text, hashlib.sha256).digest()

    def _seal_of(self, kind: str, key: str) -> bytes | None:
        found = self._connection.execute(
            "SELECT seal FROM row WHERE kind = ? AND key = ?", (kind, key)
        ).fetchone()
        return found[0] if found else None

    def _is_ours(self, total: tuple[bytes, bytes]) -> bool:
        seals, seal = total
        return _same(seal, self._seal("total", "", bytes(seals).hex()))

    def _write_total(self, kind: str, total: int) -> None:
        seals = total.to_bytes(32, "big")
        seal = self._seal("total", "", seals.hex())
        self._connection.execute(
            "INSERT OR REPLACE INTO total VALUES (?, ?, ?)", (kind, seals, seal)
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _writing(self, kind: str) -> Iterator[_Total]:
        with self._transaction():
            found = self._connection.execute(
                "SELECT seals FROM total WHERE kind = ?", (kind,)
            ).fetchone()
            total = _Total(int.from_bytes(found[0], "big") if found else 0)
            yield total
            self._write_total(kind, total.value)


class _Total:
    """The sum of the seals of a kind, while a row changes."""

    def __init__(self, value: int) -> None:
        self.value = value

    def change(self, old: bytes | None, new: bytes | None) -> None:
        """Take a seal out of the sum, and another one into it."""
        before, after = (int.from_bytes(seal or b"", "big") for seal in (old, new))
        self.value = (self.value - before + after) % _SPACE


def _same(one: object, other: bytes) -> bool:
    return isinstance(one, bytes) and hmac.compare_digest(one, other)


def _set_aside(path: Path) -> Path:
    """Rename a file to the first free name beside it."""
    for number in range(1, 10_000):
        aside = path.with_name(f"{path.name}.damaged-{number}")
        if not aside.exists():
            path.rename(aside)
            return aside
    raise ResultsError(f"{path} is damaged, and there are many like it; move them away")


# ----------------------------------------------------------------------------------- the key


def key_file() -> Path:
    """Where the key of the user is."""
    return data_folder() / _KEY_FILE


def user_key() -> bytes:
    """The key of the user, made when it is first needed; raises `ResultsError`."""
    path = key_file()
    with suppress(FileExistsError):
        path.parent.mkdir(parents=True, exist_ok=True)
        made = path.with_name(f"{path.name}.{os.getpid()}")
        handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(handle, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(32) + "\n")
            os.link(made, path)  # whole, or not at all; fails if it is there
        finally:
            made.unlink()
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except (ValueError, OSError) as error:
        raise ResultsError(f"{path} cannot be read: {error}") from error
    if len(key) != 32:
        raise ResultsError(f"{path} is not a key; move it away, and a new one is made")
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(0o600)
    return key


# ------------------------------------------------------------------- what earlier versions wrote


def take_over(results: Results, name: str, kind: str) -> list[Data]:
    """The lines of the journal that an earlier version wrote beside the results, once.

    A journal that came after the results is not read: only foreign code would put one there. One
    that cannot be read is left out. What was read or cannot be read is renamed.
    """
    former = results.path.with_name(name)
    if not former.exists():
        return []
    if name not in results.rows("former"):
        results.remarks.append(f"{former} is not read: the results are in {results.path.name}.")
        return []
    results.remove("former", name)
    try:
        with Journal(former, kind, {}) as journal:
            lines = list(journal.done)
    except JournalError as error:
        aside = _set_aside(former)
        results.remarks.append(f"{error}. It was set aside as {aside.name}.")
        return []
    former.rename(former.with_name(f"{former.name}.imported"))
    if lines:
        results.remarks.append(f"Results of an earlier version were taken over from {former}.")
    return lines
