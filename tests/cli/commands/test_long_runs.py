"""Matches, self-play, gradings and experiments: engines that fail, changed code, CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest

from rl_toolkit.analysis import EngineError
from rl_toolkit.cli.long_runs import tell_work
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.players import EngineKind, register_engine, registry
from rl_toolkit.utils.executors.account import WorkAccount


class Failing:
    """Raises an error whatever it is asked."""

    name = "failing"

    def __init__(self, seed=None):
        pass

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        raise EngineError("failing", "is asleep")


@pytest.fixture
def _failing(monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    register_engine(EngineKind("failing", "fails", Failing))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_failing")
@pytest.mark.parametrize(
    "asked",
    [
        ("self-play", "tictactoe", "failing", "--games", "1", "--save", "g.jsonl"),
        ("accuracy", "tictactoe", "failing", "--positions", "20"),
        ("experiment", "vs-random", "tictactoe", "--engine", "failing", "--games", "1"),
        ("experiment", "never-loses", "--engine", "failing"),
    ],
    ids=lambda asked: "-".join(asked[:2]),
)
def test_an_engine_that_fails_is_a_failure_and_a_sentence(run, asked):
    ran = run(*asked)
    assert ran.code == 1
    last = ran.err.splitlines()[-1]
    assert last.startswith("Error: failing is asleep")
    assert "Example:" not in ran.err  # what was typed is right


@pytest.mark.usefixtures("_failing")
def test_what_was_measured_before_a_failure_is_written(run):
    ran = run("accuracy", "tictactoe", "first", "failing", "--positions", "20", "--csv")
    assert ran.code == 1
    assert {row["engine"] for row in csv.DictReader(io.StringIO(ran.out))} == {"first"}


def test_accuracy_as_csv_has_a_row_for_each_engine_and_stage(run):
    asked = ("accuracy", "tictactoe", "first", "perfect", "first", "--positions", "20")
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").out)))
    told = [json.loads(line) for line in run(*asked, "--json").out.splitlines()]
    assert [(row["engine"], row["stage"]) for row in rows] == [
        (each["engine"], stage) for each in told for stage in [*each["by_stage"], "all"]
    ]
    whole = [row for row in rows if row["stage"] == "all"]
    for row, each in zip(whole, told, strict=True):
        overall = each["overall"]
        assert (int(row["positions"]), row["game"]) == (20, "tictactoe")
        assert float(row["keeps"]) == overall["keeps"]["share"]
        assert float(row["best_low"]) == overall["best"]["low"]
        assert int(row["matter"]) == overall["matters"]["of"]
    stones = run(*asked[:3], "--positions", "20", "--csv", "--by-stones").out
    assert ",5 stones," in stones


def test_self_play_asks_what_to_do_with_games_of_other_code(run, tmp_path):
    saved = tmp_path / "games.jsonl"
    asked = ("self-play", "tictactoe", "first", "--games", "2", "--save", str(saved), "--json")
    assert run(*asked).code == 0
    head, *lines = saved.read_text(encoding="utf-8").splitlines()
    older = [json.dumps({**json.loads(line), "code": "older"}) for line in lines]
    saved.write_text("\n".join([head, *older, ""]), encoding="utf-8")
    refused = run(*asked)
    assert refused.code == 2
    assert "the code of first has changed since 2 games" in refused.err
    assert "(--if-changed replay or keep)" in refused.err
    assert run(*asked, "--if-changed", "keep").code == 0
    assert len(saved.read_text(encoding="utf-8").splitlines()) == 3
    assert run(*asked, "--if-changed", "replay").code == 0
    assert run(*asked).code == 0  # the games of this code are there now


# ------------------------------------------------------------------ who did what


@pytest.mark.parametrize(
    ("asked", "tasks"),
    [
        (("tournament", "tictactoe", "first", "random", "--games", "4", "--accuracy", "0"), 4),
        (("match", "tictactoe", "first", "random", "--games", "2"), 2),
        (("self-play", "tictactoe", "first", "--games", "3", "--save", "g.jsonl"), 3),
    ],
    ids=lambda asked: asked[0] if isinstance(asked, tuple) else "",
)
def test_json_has_an_account_of_the_work(run, tmp_path, monkeypatch, asked, tasks):
    monkeypatch.chdir(tmp_path)
    ran = run(*asked, "--json")
    work = json.loads(ran.out)["work"]
    assert (work["tasks"], work["lost"]) == (tasks, 0)
    (alone,) = work["workers"]
    assert (alone["worker"], alone["tasks"]) == ("this process", tasks)
    assert "of work in" not in ran.err


def test_the_work_of_each_engine_is_in_its_own_line(run):
    asked = ("accuracy", "tictactoe", "first", "perfect", "--positions", "20", "--json")
    first, second = (json.loads(line)["work"]["tasks"] for line in run(*asked).out.splitlines())
    assert first >= second >= 1  # the first line has the exact scores, too, unless they were known


def told(account, capsys):
    tell_work(Screen(), account)
    return capsys.readouterr().err.splitlines()


def test_the_account_says_who_did_what_and_what_was_lost(capsys):
    account = WorkAccount()
    account.did("worker 1", "here", 70.0)
    assert told(account, capsys) == []  # one worker did it all
    account.did("worker 2", "here", 30.0)
    account.lost("worker 2", "here")
    account.elapsed = 80.0
    assert told(account, capsys) == [
        "2 tasks, 1 min 40 s of work in 1 min 20 s (1.2 workers busy on average):",
        "  worker 1: 1 task, 1 min 10 s",
        "  worker 2: 1 task, 30.0 s; 1 lost with its worker",
    ]
    for number in range(20):
        account.did(f"worker {number}", "north", 1.0)
    lines = told(account, capsys)
    assert [line.partition(":")[0].strip() for line in lines[1:]] == [
        "2 workers of here",
        "20 workers of north",
    ]
