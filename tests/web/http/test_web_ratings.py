"""Ratings over HTTP: numbers as engines, cards of levels, and mixes without files."""

import pytest
from click.testing import CliRunner
from nim_game import Nim
from stopping import PATIENCE
from web_requests import answer, post, refusal

from rl_toolkit.cli.commands.about.listings import levels
from rl_toolkit.envs import register_game, registry
from rl_toolkit.players.levels import levels_for, ratings_for
from rl_toolkit.players.levels.describe import slow_levels
from rl_toolkit.web import ServerLimits, create_app


@pytest.fixture(scope="module")
def client():
    return create_app(ServerLimits(time=PATIENCE, usual_time=PATIENCE)).test_client()


def test_the_levels_of_a_game_come_with_ratings(client):
    found = client.get("/api/engines?game=tictactoe").get_json()
    rated = ratings_for("tictactoe")
    assert {level: each["rating"] for level, each in found["ratings"].items()} == {
        level: each.rating for level, each in rated.items()
    }
    assert found["strongest"] == rated["perfect"].rating
    assert all("Elo above random play" in found["about"][level] for level in rated)
    assert (found["unit"], found["same"]) == (
        "Elo above random",
        {"hard": "perfect", "expert": "perfect"},
    )
    without = client.get("/api/engines?game=tictactoe-4x4x4").get_json()
    assert (without["ratings"], without["strongest"]) == ({}, None)


def test_the_levels_of_a_slow_game_say_what_they_are(client, monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Nim)
    found = client.get("/api/engines?game=nim-7").get_json()
    assert found["about"]["hard"].startswith("up to 1,000 simulations within 5 s per move")
    assert found["slow"] == slow_levels("nim-7")
    assert found["slow"].startswith("The rules of Nim run in Python, so engines are slow here.")
    listed = CliRunner().invoke(levels, ["nim-7"]).output
    assert "The rules of Nim run in Python" in " ".join(listed.split())
    assert 'id="slow-levels"' in client.get("/nim").text
    for game in ("connect-four", "gomoku", "reversi", "tictactoe"):
        assert client.get(f"/api/engines?game={game}").get_json()["slow"] == ""


@pytest.mark.parametrize("engine", ["250", "mix:strong=minimax:depth=2,weak=random,slips=0.5"])
def test_a_rating_and_a_mix_play_the_same_move_with_the_same_seed(client, engine):
    asked = {"game": "tictactoe", "moves": "b2", "engine": engine}
    moves = [answer(client, "/api/ai-move", **asked, seed=seed)["action"] for seed in (1, 1)]
    assert moves[0] == moves[1] != 4


def test_levels_that_are_mixes_play(client):
    assert levels_for("tictactoe")["beginner"].startswith("mix:")
    found = answer(client, "/api/ai-move", game="tictactoe", moves="b2", level="beginner")
    assert found["action"] in {0, 1, 2, 3, 5, 6, 7, 8}


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"engine": "99999"}, "ratings of tictactoe go from 0 to"),
        ({"engine": "800", "game": "tictactoe-4x4x4"}, "have no ratings; they are beginner"),
        ({"engine": "mix:strong=bot.py"}, "a request cannot name files or programs"),
        ({"engine": "mix:weak=gtp:cmd=ls"}, "a request cannot name files or programs"),
        ({"engine": "mix:strong=alphazero:weights=a.npz"}, "weights cannot be set"),
        ({"engine": "mix:strong=minimax:memory=999999"}, "up to"),
        ({"engine": "mix:slips=often"}, "slips is a number from 0 to 1"),
        ({"engine": 'mix:strong="mix:weak=bot.py"'}, "a request cannot name files or programs"),
    ],
)
def test_ratings_and_mixes_that_are_refused(client, asked, sentence):
    assert sentence in refusal(post(client, "/api/ai-move", **{"game": "tictactoe", **asked}))
