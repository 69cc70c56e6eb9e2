"""Who plays, with which time limit and seed."""

from __future__ import annotations

import pytest
from network_makers import uniform_tensors

from rl_toolkit.cli.play.setup import GameSetup
from rl_toolkit.cli.play.sides import HUMAN, make_side
from rl_toolkit.envs import TicTacToe
from rl_toolkit.learning.alphazero.weights import save_weights
from rl_toolkit.records import GameRecord


@pytest.mark.parametrize(
    ("asked", "recorded", "expected"),
    [
        ((None, None), None, (HUMAN, "easy")),
        (("hard", None), None, ("hard", HUMAN)),
        ((None, HUMAN), None, (HUMAN, HUMAN)),
        ((None, None), ("easy", HUMAN), ("easy", HUMAN)),
        ((None, "hard"), (HUMAN, "easy"), (HUMAN, "hard")),
    ],
)
def test_who_sits_where(asked, recorded, expected):
    record = GameRecord("tictactoe", players=recorded) if recorded else None
    assert GameSetup("tictactoe", *asked).side_texts(record) == expected


@pytest.mark.parametrize(
    ("game", "level"),
    [("tictactoe", "easy"), ("connect-four", "medium"), ("reversi", "medium")],
)
def test_the_usual_opponent_can_be_beaten(game, level):
    assert GameSetup(game).side_texts() == (HUMAN, level)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([], "rl-toolkit play tictactoe --o perfect"),
        (["--x", "easy", "--o", "human"], "rl-toolkit play tictactoe --x perfect"),
        (["--o", "perfect"], ""),
        (["--o", "human", "--x", "human"], ""),
    ],
)
def test_the_first_lines_say_how_to_get_the_strongest_opponent(run, asked, said):
    out = run("play", "tictactoe", *asked, stdin="quit\n").out
    assert ("The strongest opponent: " in out) == bool(said)
    assert said in out


def test_a_format_that_cannot_hold_the_game_names_one_that_can(run, tmp_path):
    path = tmp_path / "game.sgf"
    out = run("play", "tictactoe", stdin=f"save {path}\nquit\n").out
    assert "SGF has no form for tictactoe; type save" in " ".join(out.split())
    assert "Game 1" not in out
    assert not path.exists()


@pytest.mark.parametrize(
    ("headers", "asked", "expected"),
    [
        ({"time": "2.5", "seed": "7"}, {}, {"time": "2.5", "seed": "7"}),
        ({"time": "2.5", "seed": "7"}, {"time": 1.0}, {"time": "1.0", "seed": "7"}),
        ({"time": "12:30", "seed": "-1", "event": "tea"}, {}, None),  # headers of another program
        ({"time": "inf"}, {"seed": 3}, {"time": "inf", "seed": "3"}),
    ],
)
def test_clock_and_seed_are_read_from_the_record(headers, asked, expected):
    record = GameRecord("tictactoe", (4,), ("mcts:simulations=5", "human"), headers=headers)
    session = GameSetup("tictactoe", **asked).session(record)
    assert session.headers == (headers if expected is None else expected)
    engine = session.side(1).player
    clock = {"2.5": 2.5, "1.0": 1.0}.get(session.headers["time"])
    assert engine is not None
    assert engine.limit.time == clock


def test_another_game_forgets_what_was_said_of_the_first():
    record = GameRecord("tictactoe", (4,), headers={"event": "tea", "seed": "7"})
    setup = GameSetup("connect-four")
    game = setup.again(setup.session(record))
    assert (game.env.name, game.env.history, game.headers) == ("tictactoe", [], {"seed": "7"})


def test_a_clock_is_added_to_a_level_and_not_put_in_its_place():
    player = make_side("connect-four", "easy", time=3).player
    assert player is not None
    assert (player.limit.depth, player.limit.time) == (2, 3)


def test_a_network_of_ones_own_sits_down_again_and_a_damaged_one_not_at_all(tmp_path):
    path = tmp_path / "My Network.npz"
    save_weights(path, uniform_tensors(TicTacToe()), game="tictactoe", rows=3, cols=3)
    side = make_side("tictactoe", f" AlphaZero:weights={path}")
    assert side.text == f"alphazero:weights={path}"
    assert make_side("tictactoe", side.text).title == side.title
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"My Network.npz: this is not a file of network weights"):
        make_side("tictactoe", side.text)
