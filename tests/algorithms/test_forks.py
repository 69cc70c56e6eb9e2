"""Forks: exactly the wins in three plies and the losses in four, by brute force."""

import pytest
from brute_force import BruteForce, all_positions, random_positions

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.simple.tactics import fork_results
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import ConnectFour, Gomoku, make_game
from rl_toolkit.records import position_from_text, read_position


def check(env, oracle):
    found = fork_results(env)
    for move in env.get_legal_moves():
        verdict = oracle.after(env, move)
        claimed = (found[move].result, len(found[move].line)) if move in found else None
        assert claimed == (verdict if verdict in ((1, 3), (-1, 4)) else None), (env.board, move)
        if move in found:
            check_line(env, found[move])


def check_line(env, plain):
    game = env.copy()
    for move in plain.line:
        assert not game.is_terminal()
        game.step(move)
    assert game.is_terminal()
    assert game.get_result(env.current_player) == plain.result


@pytest.mark.full
def test_every_position_of_three_in_a_row():
    oracle = BruteForce()
    for env in all_positions("tictactoe"):
        check(env, oracle)


@pytest.mark.parametrize(
    ("game", "empty", "count"),
    [
        ("tictactoe", 8, 200),
        ("tictactoe-4x4x3", 8, 20),
        ("tictactoe-4x5x4", 7, 15),
        ("tictactoe-5x5x4", 7, 15),
    ],
)
def test_random_positions(game, empty, count):
    oracle = BruteForce()
    for env in random_positions(game, empty, count, seed=5):
        check(env, oracle)


@pytest.mark.parametrize("env", [ConnectFour(), Gomoku(9, rule="standard"), make_game("reversi-6")])
def test_other_games_are_left_alone(env):
    assert fork_results(env) == {}


def test_an_open_three_must_be_answered():
    """White has an open three (i7 i8 i9): every move that does not answer it loses."""
    env = read_position("gomoku-15", "h8 i9 g7 i7 f6 i8")
    analysis = MinimaxSolver.strong().analyse(env, Limit(nodes=1))
    lost = {c.name for c in analysis.candidates if c.proven and c.outcome == "loss"}
    assert {c.distance for c in analysis.candidates if c.name in lost} == {4}
    assert "a1" in lost
    assert analysis.best.name not in lost
    shallow = MinimaxSolver.strong().analyse(env, Limit(depth=3))
    assert not any(candidate.proven for candidate in shallow.candidates)
    answers = {c.name for c in analysis.candidates} - lost
    assert {"i6", "i10"} <= answers
    assert len(answers) < 25
    results = fork_results(env)
    for candidate in analysis.candidates:
        if candidate.name in lost:
            check_line(env, results[candidate.move])


def test_forks_are_a_switch():
    env = position_from_text("tictactoe", "x2/1o1/2x o")
    proven = [
        sum(c.proven for c in MinimaxSolver.strong(**how).analyse(env, Limit(nodes=1)).candidates)
        for how in ({}, {"use_threats": False}, {"max_depth": 3}, {"max_depth": 4})
    ]
    assert proven == [2, 0, 0, 2]
