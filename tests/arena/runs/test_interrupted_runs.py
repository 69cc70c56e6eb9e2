"""Ctrl-C in the middle of a match or an experiment: what was played by then is shown."""

import json

import pytest
from stopping import register_tired

from rl_toolkit.players import registry


@pytest.fixture(autouse=True)
def _interrupting(monkeypatch):
    """The engine ``tired``: plays at random; Ctrl-C is pressed in its 30th move."""
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    register_tired()


MATCH = ("match", "tired", "random", "--game", "tictactoe", "--games", "100", "--openings", "start")


def test_a_match_without_a_file_shows_the_score_so_far(run):
    ran = run(*MATCH)
    assert ran.code == 130
    assert " of 100 games" in ran.out
    assert "tired scores" in ran.out


def test_a_match_with_a_file_shows_it_too_and_resumes(run, tmp_path):
    saved = str(tmp_path / "match.jsonl")
    ran = run(*MATCH, "--save", saved, "--json")
    stopped = json.loads(ran.out)
    assert (ran.code, stopped["complete"]) == (130, False)
    assert 0 < stopped["games"] < 100
    assert "run the same command to resume" in " ".join(ran.err.split())
    whole = json.loads(run(*MATCH, "--save", saved, "--json").out)
    assert (whole["games"], whole["complete"]) == (100, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("vs-random", "--games", "50"),
        ("strength-by-simulations", "--game", "tictactoe", "--simulations", "1,2"),
        ("never-loses",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_experiment_shows_what_was_played(run, arguments):
    engine = "--opponent" if arguments[0] == "strength-by-simulations" else "--engine"
    ran = run("experiment", *arguments, engine, "tired", "--json")
    assert ran.code == 130
    assert json.loads(ran.out)["complete"] is False
    assert "Stopped after " in ran.err


def test_node_counts_show_the_searches_that_were_finished(run, monkeypatch):
    from rl_toolkit.algorithms.minimax import MinimaxSolver

    searched = MinimaxSolver._minimax
    calls = iter(range(100))

    def interrupted(self, *arguments, **options):
        if next(calls) == 3:
            raise KeyboardInterrupt
        return searched(self, *arguments, **options)

    monkeypatch.setattr(MinimaxSolver, "_minimax", interrupted)
    ran = run("experiment", "node-counts", "--depth", "3", "--json")
    assert ran.code == 130
    assert list(json.loads(ran.out)["nodes"]) == ["plain minimax", "+ alpha-beta"]
    assert "Stopped after 2 of 5 searches." in ran.err


def test_finished_runs_are_complete(run):
    ran = run("experiment", "vs-random", "--games", "2", "--engine", "greedy", "--json")
    assert (ran.code, json.loads(ran.out)["complete"]) == (0, True)
