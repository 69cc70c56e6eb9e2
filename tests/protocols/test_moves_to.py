"""`moves_to`: moves that lead to a position, with or without its history."""

import random

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.protocols.moves_to import moves_to, replays
from rl_toolkit.records import read_position


def random_game(game, plies, seed):
    chance, env = random.Random(seed), make_game(game)
    for _ in range(plies):
        if not env.is_terminal():
            env.step(chance.choice(env.get_legal_moves()))
    return env


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "gomoku-9", "reversi"])
def test_a_game_with_its_history_gives_its_history(game):
    for seed in range(5):
        env = random_game(game, 12, seed)
        assert moves_to(env) == env.history


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "gomoku-9", "gomoku-9-standard"])
def test_pieces_that_stay_are_placed_one_by_one(game):
    for seed in range(5):
        env = random_game(game, 4 + seed, seed)
        bare = make_game(game)
        bare.set_position(env.board, env.current_player)
        assert bare.history == []
        moves = moves_to(bare)
        assert moves is not None
        assert replays(make_game(game), moves, env)


def test_a_position_of_reversi_without_history_has_no_known_moves():
    env = random_game("reversi", 10, 1)
    bare = make_game("reversi")
    bare.set_position(env.board, env.current_player)
    assert moves_to(bare) is None


def test_more_pieces_than_moves_are_not_reached():
    assert moves_to(read_position("tictactoe", "xx1/1o1/3 x")) is None
