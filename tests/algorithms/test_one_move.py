"""One move ahead: machine code finds the same candidates as the Python rules."""

import random
from dataclasses import replace

import pytest

from rl_toolkit.algorithms.by_game.compiled_rules import compiled_rules_for
from rl_toolkit.algorithms.simple import GreedyEngine
from rl_toolkit.algorithms.simple.one_move import CompiledLook, PythonLook, look_at
from rl_toolkit.algorithms.traces.blind_games import without_heuristic
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.records import position_from_text

GAMES = {
    "tictactoe": 20,
    "tictactoe-6x6x4": 10,
    "connect-four": 20,
    "gomoku-6x6x4": 8,
    "gomoku-7": 10,
    "gomoku-7-standard": 10,
    "gomoku-17": 1,
    "reversi-4": 20,
    "reversi-6": 20,
    "reversi-8": 20,
}


def near_the_end(name, rng):
    """A position one to four moves before the end of a random game: much is decided there."""
    env = make_game(name)
    while not env.is_terminal():
        env.step(rng.choice(env.get_legal_moves()))
    for _ in range(rng.randrange(1, 5)):
        env.undo()
    return env


@pytest.mark.parametrize("name", GAMES)
def test_machine_code_finds_the_candidates_of_python(name):
    rng, proven = random.Random(name), 0
    for _ in range(GAMES[name]):
        env = near_the_end(name, rng)
        python, compiled = PythonLook(env), CompiledLook(env, compiled_rules_for(env))
        for move in env.get_legal_moves():
            for check in (True, False):
                expected = python.at(move, check_replies=check)
                assert compiled.at(move, check_replies=check) == expected
                proven += expected.proven
    assert proven


@pytest.mark.parametrize("enemy_threat", [None, 900])
def test_other_weights_count_in_both(enemy_threat):
    env = near_the_end("gomoku-9", random.Random(3))
    env.heuristic_weights = replace(
        env.heuristic_weights, windows=(70, 5), enemy_threat=enemy_threat, centre=2
    )
    python, compiled = PythonLook(env), CompiledLook(env, compiled_rules_for(env))
    for move in env.get_legal_moves():
        expected = python.at(move, check_replies=True)
        assert compiled.at(move, check_replies=True) == expected


def test_a_loss_names_the_first_reply_that_wins():
    env = position_from_text("gomoku-9", "9/9/9/1xxxx4/9/9/9/9/ooo6 o")
    lost = CompiledLook(env, compiled_rules_for(env)).at(80, check_replies=True)
    assert (lost.outcome, lost.distance) == ("loss", 2)
    assert [env.move_name(move) for move in lost.line] == ["i9", "a6"]


def test_machine_code_is_for_games_with_many_moves_and_a_heuristic_of_their_own():
    class Careful(Gomoku):
        def evaluate_heuristic(self, player):
            return 0.25

    assert isinstance(look_at(make_game("gomoku-9")), CompiledLook)
    assert isinstance(look_at(make_game("reversi-6")), CompiledLook)
    assert isinstance(look_at(make_game("connect-four")), PythonLook)
    assert isinstance(look_at(without_heuristic(make_game("gomoku-9"))), PythonLook)
    assert isinstance(look_at(Careful(9)), PythonLook)
    assert {c.value for c in GreedyEngine().analyse(Careful(9)).candidates} == {0.25}


def test_weights_that_are_not_whole_numbers_are_not_cut_off():
    env = make_game("gomoku-9")
    env.step(40)
    env.heuristic_weights = replace(env.heuristic_weights, windows=(70.5, 5.25, 0.5, 0.5))
    assert compiled_rules_for(env) is None
    assert isinstance(look_at(env), PythonLook)
