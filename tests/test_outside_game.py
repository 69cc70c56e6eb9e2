"""A game that the package does not have gets everything, with one call: `register_game(Hex)`."""

import json

import pytest
from hex_game import Hex

from rl_toolkit.analysis import Limit
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.self_play import SelfPlay, self_play
from rl_toolkit.envs import GameTraits, make_game, register_game, registry
from rl_toolkit.explain import explain
from rl_toolkit.players import SpecError, levels_for, make_engine, make_player
from rl_toolkit.players.advisers import adviser
from rl_toolkit.records import GameRecord, from_transcript, position_from_text, position_to_text
from rl_toolkit.testing import check_game
from rl_toolkit.utils import plugins
from rl_toolkit.utils.executors import LocalProcesses


@pytest.fixture(autouse=True)
def _hex(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    monkeypatch.setattr(plugins, "_loaded", dict(plugins._loaded))
    register_game(Hex)


def test_it_keeps_the_laws():
    check_game(Hex, games=3)
    check_game(lambda: make_game("hex-3"), games=5)


def test_its_levels_search_by_playouts_as_it_has_no_heuristic():
    specs = levels_for("hex")
    assert list(specs) == ["beginner", "easy", "medium", "hard", "expert"]
    assert not any(spec.startswith("minimax") for spec in specs.values())
    assert make_player("hex-3", "hard", seed=1).analyse(make_game("hex-3")).best_move == 4
    assert adviser(make_game("hex")).name == "mcts"


def test_a_game_may_bring_levels_of_its_own():
    class OwnLevels(Hex):
        traits = GameTraits(levels={"easy": "random", "hard": "mcts:simulations=10"})

    register_game(OwnLevels)
    assert levels_for("own-levels") == {"easy": "random", "hard": "mcts:simulations=10"}
    assert make_player("own-levels", "hard").spec.text == "mcts:simulations=10"


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ({"godlike": "random"}, "Wrong: 'godlike' is not a level; levels are beginner"),
        ({"easy": "deep-blue"}, "Wrong, level easy: there is no engine 'deep-blue'"),
        ({"easy": "reversi"}, "Wrong, level easy: reversi does not play wrong"),
    ],
)
def test_levels_of_its_own_are_checked_when_first_asked(levels, sentence):
    register_game(type("Wrong", (Hex,), {"traits": GameTraits(levels=levels)}))
    with pytest.raises(SpecError, match=sentence):
        levels_for("wrong")


def test_records_positions_and_sentences():
    env = from_transcript("hex-3", "b2a1c1a2a3")
    assert (env.winner, env.winning_line) == (1, [2, 4, 6])
    assert GameRecord.from_json(GameRecord.from_env(env).to_json()).replay().winner == 1
    env = from_transcript("hex-3", "b2a1c1a2")
    assert position_to_text(position_from_text("hex-3", position_to_text(env))) == "o1x/ox1/3 x"
    explained = explain(env, make_engine("greedy").analyse(env))
    assert explained.best.note.startswith("Completes c1, b2 and ")
    assert make_engine("minimax").analyse(env, Limit(depth=3)).outcome == "win"


def test_workers_know_it():
    """Spawned processes start with the package alone, and load what registered the game."""
    result = play_match(
        Match("hex-3", ("random:seed=1", "greedy"), pairs=2, seed=2), executor=LocalProcesses(1)
    )
    assert len(result.games) == 4
    games = self_play(SelfPlay("hex-3", "random", games=2, seed=1), executor=LocalProcesses(1))
    assert len(list(games)) == 2


def test_the_command_line(run, tmp_path):
    assert "hex" in run("games").out
    assert "mcts" in run("levels", "hex").out
    played = run("play", "hex-3", "--x", "human", "--o", "random", stdin="b2\nresign\n")
    assert played.code == 0, played.err
    analysed = run("analyse", "hex-3", "b2a1c1a2", "--engine", "minimax", "--json")
    assert json.loads(analysed.out)["best"] in (6, 7)
    matched = run("match", "random", "greedy", "--game", "hex-3", "--games", "2", "--json")
    assert matched.code == 0, matched.err
    kept = tmp_path / "games.jsonl"
    made = run("self-play", "random", "--game", "hex-3", "--games", "1", "--save", str(kept))
    assert made.code == 0, made.err
    saved = tmp_path / "game.json"
    GameRecord.from_env(from_transcript("hex-3", "b2a1c1a2a3")).save(saved)
    shown = run("game", "show", str(saved))
    assert "c1" in shown.out, shown.err
    reviewed = run("game", "review", str(saved), "--engine", "mcts:simulations=200")
    assert reviewed.code == 0, reviewed.err


def test_the_pages():
    from rl_toolkit.web import create_app

    client = create_app().test_client()
    assert "Hex" in client.get("/").text
    assert client.get("/hex").status_code == 200
    assert client.get("/preview/hex-light.svg").status_code == 200
    asked = {"game": "hex-3", "moves": "b2a1c1a2", "engine": "minimax", "show_thinking": True}
    answer = client.post("/api/ai-move", json=asked)
    assert answer.get_json()["action"] in (6, 7), answer.get_json()
