"""A rating as a side of a game in the terminal, and as an engine of other commands."""

import json

import pytest

from rl_toolkit.cli.play.sides import make_side, names_a_side
from rl_toolkit.players.kinds.mixing import Mix


def test_a_number_is_a_side_that_is_shown_as_elo():
    side = make_side("tictactoe", " 250 ", seed=1)
    assert (side.text, side.title, side.is_human) == ("250", "250 Elo above random", False)
    assert 0 < Mix.of(side.player.spec).slips < 1
    assert names_a_side("250")
    assert not names_a_side("-250")


def test_two_ratings_play_a_game_and_a_match(run):
    shown = run("play", "tictactoe", "--x", "100", "--o", "600", "--seed", "1")
    assert shown.code == 0
    assert "X: 100 Elo above random · O: 600 Elo above random" in shown.out
    match = run("match", "tictactoe", "100", "600", "--games", "2", "--json")
    assert json.loads(match.out)["engines"] == ["100", "600"]


@pytest.mark.parametrize("command", [["play"], ["match"]])
def test_a_rating_that_nobody_has_is_refused_with_the_range(run, command):
    sides = ["--o", "9000"] if command == ["play"] else ["easy", "9000"]
    refused = run(*command, "tictactoe", *sides)
    assert refused.code == 2
    assert "ratings of tictactoe go from 0 to" in refused.err
