"""`Results`: what a class has handed in and reached, in one SQLite file whose rows are sealed.

::

    row     kind, key, data (JSON), seal      seal = HMAC-SHA-256 (key of the user; kind, key, data)
    total   kind, seals added up, seal        a row that was removed is missing in the sum;
                                              kind "" is the sum of all rows

The key is in the user's data folder, readable for the user alone, and never beside the results. A
row that was changed, or put there by somebody who does not have the key, is dropped. Who runs as
the same user can read the key, unless a sandbox keeps foreign code away from both: `protection`
says whether one does.

A file that SQLite cannot read is set aside, and the work begins anew. What was wrong is kept as
sentences (rows of the kind `remark`), until a run that finds everything out anew settles it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from rl_toolkit.arena.runs import Journal, JournalError
from rl_toolkit.labs.grading.keys import ResultsError, key_file, user_key
from rl_toolkit.utils import counted
from rl_toolkit.utils.isolation import IsolationError, Kind, in_force

#: The file in the folder of what a later run needs, and those that earlier versions wrote.
FILE, FORMER, FORMER_PROJECTS = "results.db", "results.jsonl", "projects.jsonl"
#: ``PRAGMA application_id``: the letters RLCL.
_APPLICATION = 0x524C434C
#: Seconds that a writer waits for another one.
_PATIENCE = 30.0
_TABLES = (
    "CREATE TABLE row (kind TEXT NOT NULL, key TEXT NOT NULL, data TEXT NOT NULL, "
    "seal BLOB NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID",
    "CREATE TABLE total (kind TEXT PRIMARY KEY, seals BLOB NOT NULL, seal BLOB NOT NULL) "
    "WITHOUT ROWID",
)
_SPACE = 1 << 256
#: The kind of the total of all rows, and that of the sentences in `Results.remarks`.
_ALL, _REMARK = "", "remark"

Data = dict[str, Any]
#: Kind, key, data and seal, as they are in the file: of any type, if it was changed.
_Row = tuple[Any, Any, Any, Any]
#: Kind, seals added up and seal.
_Total = tuple[Any, Any, Any]


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
        remarks: what was wrong, now or in earlier runs, as sentences; the work continues all the
            same. A sentence comes again until `settle`.

    Raises `ResultsError` if the file cannot be opened.
    """

    def __init__(self, folder: Path, key: bytes | None = None) -> None:
        self.path = folder / FILE
        #: The file in sentences, which a later run may say in another folder.
        self._called = f"{folder.name}/{FILE}"
        self.remarks: list[str] = []
        self._key = user_key() if key is None else key
        folder.mkdir(parents=True, exist_ok=True)
        is_new = not self.path.exists()
        try:
            self._connection = self._open(is_new)
        except sqlite3.OperationalError as error:
            raise ResultsError(f"{self.path} cannot be opened: {error}") from error
        except sqlite3.DatabaseError as error:
            aside = _set_aside(self.path)
            self._connection = self._open(True)
            self._remark(
                f"{self._called} is damaged ({error}). It was set aside as {aside.name}; grading "
                "reads and checks everything anew."
            )
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
            if self._is_sealed((kind, key, data, seal))
        }

    def put(self, kind: str, key: str, data: Mapping[str, Any]) -> None:
        """Add a row, or replace the one with that key; it is on the disk when this returns."""
        text = json.dumps(data, sort_keys=True, ensure_ascii=False)
        seal = self._seal(kind, key, text)
        with self._writing(kind) as sums:
            sums.change(self._seal_of(kind, key), seal)
            self._connection.execute(
                "INSERT OR REPLACE INTO row VALUES (?, ?, ?, ?)", (kind, key, text, seal)
            )

    def remove(self, kind: str, key: str) -> None:
        """Remove a row, if there is one, so that nothing of it stays in the file."""
        with self._writing(kind) as sums:
            sums.change(self._seal_of(kind, key), None)
            self._connection.execute("DELETE FROM row WHERE kind = ? AND key = ?", (kind, key))

    def settle(self) -> None:
        """Keep none of the sentences for later runs: what was wrong has been found out anew."""
        for key in self.rows(_REMARK):
            self.remove(_REMARK, key)

    def compact(self) -> None:
        """Write the file anew without the room of what was removed."""
        self._connection.execute("VACUUM")

    def mark_of(self, text: str) -> str:
        """A mark that stands for a text and does not tell it without the key of the user."""
        return hmac.new(self._key, f"mark {text}".encode(), hashlib.sha256).hexdigest()[:32]

    # --------------------------------------------------------------------- opening

    def _open(self, is_new: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if _has_tables(connection) and application != _APPLICATION:
                raise ResultsError(f"{self.path} is an SQLite file of another program")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            self._connection = connection
            was_empty = self._make_tables()
            self._refuse_other_key()
            self._renew_totals()
            self.remarks = [row["sentence"] for row in self.rows(_REMARK).values()]
            self.check()
            if was_empty and not is_new:
                self._remark(f"{self._called} is empty; grading reads and checks everything anew.")
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_tables(self) -> bool:
        """Make the tables; whether there were none."""
        if _has_tables(self._connection):
            return False
        with self._transaction():
            if _has_tables(self._connection):  # another process was first
                return False
            self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            for table in _TABLES:
                self._connection.execute(table)
            self._write_total(_ALL, 0)
        return True

    def _refuse_other_key(self) -> None:
        rows, totals = self._all()
        if rows and not any(map(self._is_sealed, rows)) and not any(map(self._is_ours, totals)):
            raise ResultsError(
                f"{self.path} was sealed with another key. Copy {key_file()} from the machine "
                "that made it, or move the file away: everything is then read and checked anew"
            )

    def _renew_totals(self) -> None:
        """Seal the totals of an earlier version, which had none of all rows."""
        totals = self._all()[1]
        if not totals or not all(self._is_ours(total, former=True) for total in totals):
            return
        sums = {kind: int.from_bytes(seals) for kind, seals, _ in totals}
        with self._transaction():
            for kind, total in {**sums, _ALL: sum(sums.values()) % _SPACE}.items():
                self._write_total(kind, total)

    def check(self) -> None:
        """Drop the rows whose seal is wrong, and say in ``remarks`` what was changed.

        Foreign code may have run since the file was opened.
        """
        if not any(self._differences()[1:]):
            return
        with self._transaction():
            sums, wrong, differing = self._differences()  # nobody else writes now
            for kind, key, _, _ in wrong:
                self._connection.execute("DELETE FROM row WHERE kind = ? AND key = ?", (kind, key))
            self._connection.execute("DELETE FROM total")
            for kind, total in sums.items():
                self._write_total(kind, total)
            if wrong or differing:
                self._remark_on(wrong, differing)

    def _differences(self) -> tuple[dict[str, int], list[_Row], set[str]]:
        """The right totals, the rows whose seal is wrong, and the kinds whose total is wrong."""
        rows, totals = self._all()
        wrong = [row for row in rows if not self._is_sealed(row)]
        sums = _sums(row for row in rows if self._is_sealed(row))
        said = {total[0]: int.from_bytes(total[1]) for total in totals if self._is_ours(total)}
        differing = {kind for kind in {*sums, *said} if sums.get(kind, 0) != said.get(kind)}
        differing |= {str(kind) for kind, _, _ in totals if kind not in said}
        return sums, wrong, differing

    def _all(self) -> tuple[list[_Row], list[_Total]]:
        """All rows and totals as they are at one moment, whoever else writes."""
        with self._transaction("DEFERRED"):
            rows = self._connection.execute("SELECT kind, key, data, seal FROM row").fetchall()
            totals = self._connection.execute("SELECT kind, seals, seal FROM total").fetchall()
        return rows, totals

    def _remark_on(self, wrong: Sequence[_Row], differing: set[str]) -> None:
        anew = "Grading finds out anew what it can; look at the hand-ins and at your decisions."
        changed = sorted({str(kind) for kind, _, _, _ in wrong})
        missing = sorted(differing - {_ALL, *changed})
        if wrong:
            rows = f"{counted(len(wrong), 'row')} of {self._called} ({', '.join(changed)})"
            were = "was" if len(wrong) == 1 else "were"
            self._remark(f"{rows} had been changed from outside and {were} dropped. {anew}")
        if missing or not wrong:
            kinds = f"rows ({', '.join(missing)})" if missing else "rows"
            self._remark(
                f"{self._called} had been changed from outside: {kinds} were removed or added. "
                f"{anew}"
            )

    def _remark(self, sentence: str) -> None:
        """Say a sentence now and in later runs."""
        if sentence not in self.remarks:
            self.remarks.append(sentence)
        self.put(_REMARK, sentence, {"sentence": sentence})

    # --------------------------------------------------------------------- sealing

    def _seal(self, kind: str, key: str, data: str) -> bytes:
        text = json.dumps([kind, key, data]).encode()
        return hmac.new(self._key, text, hashlib.sha256).digest()

    def _seal_of(self, kind: str, key: str) -> bytes | None:
        found = self._connection.execute(
            "SELECT seal FROM row WHERE kind = ? AND key = ?", (kind, key)
        ).fetchone()
        return found[0] if found else None

    def _is_sealed(self, row: _Row) -> bool:
        *texts, seal = row
        return all(isinstance(each, str) for each in texts) and _same(seal, self._seal(*texts))

    def _is_ours(self, total: _Total, former: bool = False) -> bool:
        kind, seals, seal = total
        if not isinstance(kind, str) or not isinstance(seals, bytes):
            return False
        # The seals of an earlier version did not tell the kind.
        what = ("total", "") if former else ("total of", kind)
        return _same(seal, self._seal(*what, seals.hex()))

    def _write_total(self, kind: str, total: int) -> None:
        seals = total.to_bytes(32)
        seal = self._seal("total of", kind, seals.hex())
        self._connection.execute(
            "INSERT OR REPLACE INTO total VALUES (?, ?, ?)", (kind, seals, seal)
        )

    @contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        if self._connection.in_transaction:
            yield
            return
        self._connection.execute(f"BEGIN {kind}")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _writing(self, kind: str) -> Iterator[_Change]:
        with self._transaction():
            change = _Change()
            yield change
            for each in (kind, _ALL):
                found = self._connection.execute(
                    "SELECT seals FROM total WHERE kind = ?", (each,)
                ).fetchone()
                before = int.from_bytes(found[0]) if found else 0
                self._write_total(each, (before + change.gain) % _SPACE)


class _Change:
    """What a sum of seals gains, while a row changes."""

    gain = 0

    def change(self, old: bytes | None, new: bytes | None) -> None:
        """Take a seal out of the sum, and another one into it."""
        self.gain += int.from_bytes(new or b"") - int.from_bytes(old or b"")


def _sums(rows: Iterable[_Row]) -> dict[str, int]:
    """The sum of the seals by kind, and that of all rows."""
    sums = {_ALL: 0}
    for kind, _, _, seal in rows:
        for each in (kind, _ALL):
            sums[each] = (sums.get(each, 0) + int.from_bytes(seal)) % _SPACE
    return sums


def _has_tables(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


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
