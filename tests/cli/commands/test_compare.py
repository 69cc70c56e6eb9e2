"""`rl-toolkit compare`: several engines beside the exact results."""

from __future__ import annotations

import csv
import io
import json

import pytest

from rl_toolkit.analysis import EngineError
from rl_toolkit.players import EngineKind, register_engine, registry
from rl_toolkit.players.notation import split_engines


class Failing:
    """Answers nothing: it raises ``error``."""

    def __init__(self, name, error):
        self.name, self._error = name, error

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        raise self._error


@pytest.fixture
def failing(monkeypatch):
    """Two engines that fail: one says why, as bots and programs do, and one does not."""
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    errors = {"tired": EngineError("tired", "is asleep"), "broken": ZeroDivisionError("nothing")}
    for name, error in errors.items():
        register_engine(EngineKind(name, "fails", lambda n=name, e=error: Failing(n, e)))


def test_compare_puts_the_exact_results_beside_the_engines(run):
    ran = run("compare", "tictactoe", "xx1/oo1/3 x", "--engines", "greedy,random", "--seed", "1")
    head = next(line for line in ran.out.splitlines() if line.startswith("move"))
    assert head.split() == ["move", "greedy", "random", "exact"]
    rows = {line.split()[0]: line for line in ran.out.splitlines() if line[:2] in ("c1", "c3")}
    assert rows["c1"].count("wins in 1 move ⭐") == 2  # greedy sees it, and it is true
    assert rows["c1"].split("⭐")[1].strip().startswith("?")  # random has no opinion
    assert rows["c3"].rstrip().endswith("loses in 1 move")


def test_compare_shows_no_engine_twice(run):
    ran = run("compare", "tictactoe", "b2", "--engines", "minimax,greedy")
    head = next(line for line in ran.out.splitlines() if line.startswith("move"))
    assert head.split() == ["move", "greedy", "minimax"]  # exact would be minimax once more


def test_compare_has_no_exact_column_where_no_engine_is_exact(run):
    ran = run("compare", "gomoku-9", "--engines", "greedy", "--json")
    assert set(json.loads(ran.out)) == {"greedy"}


def test_compare_shows_the_best_few_moves_and_those_that_are_played(run):
    asked = ("compare", "gomoku-9", "--engines", "random,greedy", "--seed", "1")
    for arguments, top in (((), 10), (("--top", "3"), 3)):
        ran = run(*asked, *arguments)
        rows = ran.out.partition("\nmove")[2].partition("\n… and ")[0].splitlines()[1:]
        assert len(rows) in (top, top + 1)  # the move at random may be one of the others
        assert any("⭐" in row for row in rows)
        assert f"… and {81 - len(rows)} more; use a larger --top" in ran.out
    assert len(json.loads(run(*asked, "--json").out)["greedy"]["candidates"]) == 81


def test_engines_are_told_apart_though_their_options_have_commas():
    assert split_engines("a:b=1,c=2,d, e:f=3") == ["a:b=1,c=2", "d", "e:f=3"]
    assert split_engines("") == []


def test_forty_columns_have_marks_in_place_of_phrases(run, monkeypatch):
    asked = (
        "compare",
        "tictactoe",
        "b2b1",
        "--engines",
        "greedy,mcts:simulations=99,minimax:depth=9",
    )
    monkeypatch.setenv("COLUMNS", "40")
    narrow = run(*asked).out
    monkeypatch.setenv("COLUMNS", "100")
    assert "wins in 3 moves" in run(*asked).out
    assert "W3" in narrow
    assert "wins in" not in narrow
    assert max(map(len, narrow.splitlines())) <= 40


def rows_of(out):
    lines = out.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("move"))
    return [line.split() for line in lines[begin : begin + 4]]


@pytest.mark.usefixtures("failing")
def test_an_engine_that_fails_has_dashes_and_the_others_answer(run):
    ran = run("compare", "gomoku-9", "--engines", "tired,greedy,broken", "--top", "3")
    assert ran.code == 0
    head, *rows = rows_of(ran.out)
    assert head == ["move", "tired", "greedy", "broken"]
    assert all(row[1] == "–" and row[-1] == "–" and "≈" in row for row in rows)
    assert "tired: no answer · tired is asleep" in ran.out
    assert "broken: no answer · broken raised ZeroDivisionError: nothing" in ran.out
    assert "Traceback" not in ran.err
    found = json.loads(run("compare", "gomoku-9", "--engines", "tired,greedy", "--json").out)
    assert found["tired"] == {"error": "tired is asleep"}
    assert len(found["greedy"]["candidates"]) == 81


@pytest.mark.usefixtures("failing")
def test_compare_fails_if_no_engine_answers(run):
    ran = run("compare", "gomoku-9", "--engines", "tired,broken")
    assert ran.code == 1
    assert "tired: no answer" in ran.out
    assert "move " not in ran.out
    assert ran.err.endswith("Error: no engine answered.\n")
    # The exact engine was not asked for, so its answer is no success of theirs.
    ran = run("compare", "tictactoe", "b2", "--engines", "broken")
    assert ran.code == 1
    assert rows_of(ran.out)[1] == ["a1", "–", "draw", "⭐"]
    assert ran.err.endswith("Error: broken did not answer.\n")


@pytest.mark.usefixtures("failing")
def test_compare_writes_a_row_of_csv_for_each_engine_and_move(run):
    asked = ("compare", "tictactoe", "xx1/oo1/3 x", "--engines", "greedy,tired,mcts", "--seed", "1")
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--simulations", "50", "--csv").out)))
    assert [row["engine"] for row in rows] == [
        *["greedy"] * 5,
        "tired",
        *["mcts"] * 5,
        *["exact"] * 5,
    ]
    best = rows[0]
    assert (best["move"], best["rank"], best["best"], best["value"]) == ("c1", "1", "True", "1.0")
    assert (rows[5]["error"], rows[5]["move"]) == ("tired is asleep", "")
    assert sum(int(row["visits"]) for row in rows[6:11]) > 0
    assert [row["outcome"] for row in rows[11:]] == ["win", "draw", "loss", "loss", "loss"]
