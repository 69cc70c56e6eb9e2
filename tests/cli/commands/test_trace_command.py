"""`rl-toolkit trace`: a search in sentences or as data, or why it cannot be traced."""

import json

import pytest

from rl_toolkit.algorithms.traces import Trace

POSITION = "xx1/oo1/3 x"


def test_a_search_is_told_in_sentences_of_at_most_80_columns(run):
    ran = run("trace", "tictactoe", POSITION, "--engine", "minimax")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert max(map(len, lines)) < 80
    assert "c1 is X's best so far: 1. α rises to 1." in lines
    assert "  X tries c2. The window is α = 1, β = +∞." in lines
    told = " ".join(ran.out.split())
    assert (
        "Cut: α = 1 ≥ β = 0. X already wins with c1 at the start. Nothing is better for X, so X "
        "need not look here any further: 3 moves (34 positions) left out." in told
    )


def test_json_is_one_document_that_can_be_read_and_saved(run, tmp_path):
    file = tmp_path / "search.json"
    ran = run("trace", "tictactoe", POSITION, "--json", "--save", str(file))
    assert ran.out == file.read_text(encoding="utf-8")
    data = json.loads(ran.out)
    assert list(data)[:5] == ["version", "kind", "game", "position", "engine"]
    assert (data["version"], data["game"], data["position"]) == (1, "tictactoe", POSITION)
    assert data["engine"]["name"] == "minimax"
    assert Trace.from_json(ran.out).answer["value"] == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--engine", "mcts:c=1", "--simulations", "5"], "Simulation 5."),
        (["--engine", "value-iteration"], "Nothing changes any more"),
        (["--engine", "minimax:pruning=off"], "Plain minimax"),
        (["--depth", "2"], "The search looks 2 plies ahead"),
        (["--events", "60"], "are folded."),
    ],
)
def test_other_searches_and_limits(run, arguments, sentence):
    ran = run("trace", "tictactoe", "x2/1o1/2x o", *arguments)
    assert ran.code == 0
    assert sentence in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tictactoe", "--engine", "greedy"], "greedy has no search that can be traced"),
        (["tictactoe", "--engine", "zork"], "neither a level nor an engine"),
        (["tictactoe", "xxx/oo1/3 o"], "the game is over here"),
        (["gomoku"], "limit the depth"),
        (["tictactoe", "--engine", "minimax", "--nodes", "99"], "more than 99 positions"),
    ],
)
def test_what_cannot_be_traced_gets_a_sentence(run, arguments, sentence):
    ran = run("trace", *arguments)
    assert ran.code == 2
    assert not ran.out
    assert sentence in ran.err


def test_a_file_that_cannot_be_written_is_a_failure(run, tmp_path):
    ran = run("trace", "tictactoe", POSITION, "--save", str(tmp_path / "no" / "t.json"))
    assert ran.code == 1
    assert "No such file" in ran.err
