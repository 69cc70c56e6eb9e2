"""Names that depend on the position: a move has the name of its own position everywhere."""

import pytest
from breakthrough_game import Breakthrough

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import ConnectFour, Reversi, TicTacToe, register_game, registry
from rl_toolkit.players import make_engine
from rl_toolkit.records import GameRecord, from_transcript, to_transcript
from rl_toolkit.testing import check_game

MOVES = [34, 33, 33, 44, 44]
NAMES = ["d2d3", "c4d3", "c2d3", "d5c4", "d3c4"]


@pytest.fixture
def env(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Breakthrough)
    game = Breakthrough()
    for move in MOVES:
        game.step(move)
    return game


def test_the_game_keeps_all_laws():
    check_game(Breakthrough, games=1)


def test_moves_played_and_lines_have_the_names_of_their_positions(env):
    assert env.history_names() == NAMES
    assert Breakthrough().line_names(MOVES) == NAMES
    assert env.history == MOVES
    other = Breakthrough()
    other.reset(first_player=-1)
    assert other.line_names([25, 34]) == ["a4a3", "d2d3"]


def test_a_move_that_cannot_be_played_is_named_and_left_out():
    assert Breakthrough().line_names([28, 0, 28]) == ["b2b3", "-a1", "b4b3"]


def test_files_and_transcripts_read_what_they_write(env):
    record = GameRecord.from_env(env)
    assert f'"moves": {NAMES}'.replace("'", '"') in record.to_json()
    assert GameRecord.from_json(record.to_json()) == record
    assert to_transcript(env) == " ".join(NAMES)
    assert from_transcript("breakthrough", to_transcript(env)).history == MOVES
    begun = Breakthrough()
    begun.set_position(env.board, env.current_player)
    begun.step("b5c4")
    later = GameRecord.from_env(begun)
    assert GameRecord.from_json(later.to_json()).moves == later.moves


def test_lines_and_trees_of_engines(env):
    analysis = make_engine("minimax:depth=2").analyse(env, Limit(depth=2))
    assert "a4a3 c4b5" in str(analysis)
    view = make_engine("mcts:simulations=60,seed=1").analyse(env).tree(2, 4)
    assert {child.name for child in view.children} <= {
        env.move_name(move) for move in env.get_legal_moves()
    }
    for child in view.children:
        after = env.copy()
        after.step(child.move)
        for reply in child.children:
            assert reply.name == after.move_name(reply.move)
            assert reply.name != env.move_name(reply.move)


@pytest.mark.parametrize("game", [TicTacToe, ConnectFour, Reversi])
def test_names_that_are_the_same_everywhere_cost_no_playing(game, monkeypatch):
    monkeypatch.setattr(game, "step", lambda env, move: pytest.fail("it was played"))
    assert game().line_names([1, 2]) == [game().move_name(1), game().move_name(2)]
