"""Results: sealed rows that a later run trusts, and what happens to those that were changed."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
from types import SimpleNamespace

import pytest

from rl_toolkit.labs.grading import results as module
from rl_toolkit.labs.grading.keys import ResultsError, key_file, user_key
from rl_toolkit.labs.grading.results import Results, protection, take_over
from rl_toolkit.utils.isolation import KINDS


def opened(folder, statement=None, values=()):
    """The results after somebody without the key has changed the file."""
    if statement is not None:
        with sqlite3.connect(folder / "results.db") as connection:
            connection.execute(statement, values)
        connection.close()
    with Results(folder) as results:
        return results.rows("result"), results.remarks


@pytest.fixture
def folder(tmp_path):
    with Results(tmp_path / "kept") as results:
        results.put("result", "Ada", {"reached": 10})
        results.put("result", "Ada", {"reached": 100})
        results.put("result", "Bob", {"reached": 30})
        results.put("seed", "", {"seed": 7})
    return tmp_path / "kept"


def test_rows_come_back_and_the_key_is_the_users_alone(folder):
    rows, remarks = opened(folder)
    assert rows == {"Ada": {"reached": 100}, "Bob": {"reached": 30}}
    assert remarks == []
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
    key_file().chmod(0o644)
    assert len(user_key()) == 32
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
    assert not list(folder.glob("*key*"))


@pytest.mark.parametrize(
    ("statement", "left", "words"),
    [
        (
            "UPDATE row SET data = '{\"reached\": 10}' WHERE key = 'Ada'",
            {"Bob"},
            "1 row of",
        ),
        ("UPDATE row SET key = 'Eve' WHERE key = 'Ada'", {"Bob"}, "1 row of"),
        ("UPDATE row SET seal = 'text' WHERE key = 'Ada'", {"Bob"}, "1 row of"),
        ("UPDATE row SET data = x'ff' WHERE key = 'Ada'", {"Bob"}, "1 row of"),
        ("DELETE FROM row WHERE key = 'Ada'", {"Bob"}, "rows (result) were removed or added"),
        ("INSERT INTO row VALUES ('result', 'Eve', '{}', x'00')", {"Ada", "Bob"}, "1 row of"),
        ("DELETE FROM total", {"Ada", "Bob"}, "rows (result, seed) were removed or added"),
    ],
)
def test_what_was_changed_from_outside_is_dropped_and_said_until_it_is_settled(
    folder, statement, left, words
):
    rows, remarks = opened(folder, statement)
    assert rows.keys() == left
    assert len(remarks) == 1
    assert words in remarks[0]
    assert "changed from outside" in remarks[0]
    assert opened(folder) == (rows, remarks)
    with Results(folder) as results:
        results.settle()
        assert results.remarks == remarks  # the run that settles says it, too
    assert opened(folder) == (rows, [])


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["DELETE FROM row WHERE kind = 'result'", "DELETE FROM total WHERE kind = 'result'"], ""),
        (["DELETE FROM row", "DELETE FROM total"], ""),
        (  # the total of a kind without rows stands for another kind
            [
                "DELETE FROM row WHERE kind = 'result'",
                "DELETE FROM total WHERE kind = 'result'",
                "UPDATE total SET kind = 'result' WHERE kind = 'gone'",
            ],
            " (result)",
        ),
        (  # the total of one kind stands for that of all
            [
                "DELETE FROM row WHERE kind = 'result'",
                "DELETE FROM total WHERE kind IN ('result', '')",
                "INSERT INTO total SELECT '', seals, seal FROM total WHERE kind = 'seed'",
            ],
            "",
        ),
    ],
)
def test_rows_do_not_disappear_together_with_their_total(folder, statements, words):
    with Results(folder) as results:
        results.put("gone", "", {})
        results.remove("gone", "")
    with sqlite3.connect(folder / "results.db") as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    rows, (remark,) = opened(folder)
    assert rows == {}
    assert f"kept/results.db had been changed from outside: rows{words} were removed" in remark


def test_totals_of_an_earlier_version_are_taken_over(folder):
    with Results(folder) as results:
        totals = results._connection.execute("SELECT kind, seals FROM total").fetchall()
        former = [
            (kind, seals, results._seal("total", "", seals.hex())) for kind, seals in totals if kind
        ]
        results._connection.execute("DELETE FROM total")
        results._connection.executemany("INSERT INTO total VALUES (?, ?, ?)", former)
    rows, remarks = opened(folder)
    assert rows.keys() == {"Ada", "Bob"}
    assert remarks == []
    with Results(folder) as results:
        results._connection.execute("DELETE FROM total")
        results._connection.executemany("INSERT INTO total VALUES (?, ?, ?)", former)
    assert "rows (result) were removed" in opened(folder, "DELETE FROM row WHERE key = 'Ada'")[1][0]


@pytest.mark.parametrize("tables", [False, True])
def test_an_emptied_file_is_not_taken_for_a_new_one(folder, tables):
    if tables:
        with sqlite3.connect(folder / "results.db") as connection:
            connection.execute("DROP TABLE row")
            connection.execute("DROP TABLE total")
        connection.close()
    else:
        (folder / "results.db").write_bytes(b"")
    said = ["kept/results.db is empty; grading reads and checks everything anew."]
    assert opened(folder) == opened(folder) == ({}, said)


def test_what_is_changed_while_the_file_is_open_is_not_read(folder):
    with Results(folder) as results:
        with sqlite3.connect(folder / "results.db") as connection:
            connection.execute("UPDATE row SET data = '{}' WHERE key = 'Ada'")
        connection.close()
        assert results.rows("result").keys() == {"Bob"}
        assert results.remarks == []
        results.check()
        assert "1 row of" in results.remarks[0]
        assert opened(folder)[1] == results.remarks


def test_another_key_is_refused_and_the_file_stays(folder):
    key = key_file().read_text()
    before = (folder / "results.db").read_bytes()
    key_file().write_text("ab" * 32)
    with pytest.raises(ResultsError, match=r"was sealed with another key. Copy .*grading\.key"):
        Results(folder)
    assert (folder / "results.db").read_bytes() == before
    key_file().write_text("short")
    with pytest.raises(ResultsError, match="cannot be read"):
        Results(folder)
    key_file().write_text(key)
    assert len(opened(folder)[0]) == 2


@pytest.mark.parametrize("damage", ["head", "pages", "text"])
def test_a_damaged_file_is_set_aside_and_work_goes_on(folder, damage):
    file = folder / "results.db"
    data = bytearray(file.read_bytes())
    if damage == "head":
        data[:16] = bytes(16)
    elif damage == "pages":
        data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(b"hello" if damage == "text" else data)
    damaged = file.read_bytes()
    rows, remarks = opened(folder)
    assert rows == {}
    assert "It was set aside as results.db.damaged-1" in remarks[0]
    assert (folder / "results.db.damaged-1").read_bytes() == damaged
    assert opened(folder) == ({}, remarks)  # every later run says it, too


def test_a_file_of_another_program_is_not_touched(tmp_path):
    with sqlite3.connect(tmp_path / "results.db") as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(ResultsError, match="another program"):
        Results(tmp_path)


def test_removed_rows_leave_nothing_behind(folder):
    with Results(folder) as results:
        results.put("result", "Eve", {"name": "Evelyn Unlikely"})
        results.remove("result", "Eve")
        results.remove("result", "Nobody")
        results.compact()
        assert results.mark_of("Eve") == results.mark_of("Eve") != results.mark_of("Ada")
    assert b"Evelyn" not in (folder / "results.db").read_bytes()
    assert opened(folder)[1] == []


def test_the_journal_of_an_earlier_version_is_taken_over_once(tmp_path):
    former = tmp_path / "results.jsonl"
    head = {"format": "rl_toolkit grading", "version": 1}
    lines = [head, {"seed": 7}, {"key": "a", "seed": 7, "result": {"reached": 3}}]
    former.write_text("".join(json.dumps(line) + "\n" for line in lines))
    shutil.copy(former, tmp_path / "again")
    with Results(tmp_path) as results:
        assert take_over(results, former.name, "grading") == lines[1:]
        assert "taken over" in results.remarks[0]
    assert not former.exists()
    shutil.copy(tmp_path / "again", former)  # only foreign code would do this
    with Results(tmp_path) as results:
        assert take_over(results, former.name, "grading") == []
        assert "is not read" in results.remarks[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_sandbox_protects_results_and_limits_alone_do_not(monkeypatch, kind):
    monkeypatch.setattr(module, "in_force", lambda: SimpleNamespace(kind=kind))
    assert ("not protected" in protection()) == (kind == "limits")
