"""The threat behind a zugzwang: named only where it is proven and true."""

import random

import pytest
from connect_four_positions import random_game

from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.analysis import Candidate
from rl_toolkit.envs import ConnectFour, make_game
from rl_toolkit.explain import explain
from rl_toolkit.explain.connect_four import zugzwang_of, zugzwang_sentence
from rl_toolkit.records import from_transcript
from rl_toolkit.utils.position_utils import algebraic_to_index


@pytest.fixture(scope="module")
def decided():
    """Running games decided by zugzwang, of both kinds."""
    chance, found = random.Random(31), []
    while len(found) < 24:
        env = random_game(chance, chance.randrange(18, 34))
        if zugzwang_of(env) is not None:
            found.append(env)
    return found


def test_the_winner_of_a_zugzwang_wins_and_the_cell_completes_four(decided):
    engine = ConnectFourSolver()
    kinds = set()
    for env in decided:
        fact = zugzwang_of(env)
        kinds.add(fact.first)
        score = engine.solve(env)
        assert (score > 0) == (fact.winner == env.current_player)
        assert score != 0
        first = env.current_player * (1 if env.move_count % 2 == 0 else -1)
        assert (fact.winner == first) == fact.first
        assert (fact.cell // env.cols) % 2 == (0 if fact.first else 1)
        assert env.board[fact.cell] == 0
        filled = env.board.copy()
        filled[fact.cell] = fact.winner
        grid = ConnectFour()
        grid.board = filled
        assert grid.check_win(fact.winner)
    assert kinds == {True, False}


def test_an_analysis_names_the_deciding_threat(decided):
    engine, told = ConnectFourSolver(), 0
    for env in decided:
        plain = engine.analyse(env)
        analysis = explain(env, plain)
        for before, candidate in zip(plain.candidates, analysis.candidates, strict=True):
            sentence = zugzwang_sentence(env, before)
            assert (sentence is not None) == ("zugzwang" in candidate.note)
            if sentence is None:
                continue
            told += 1
            assert candidate.note.endswith(sentence)
            kind, _, rest = sentence.partition(" threat on ")
            cell = algebraic_to_index(rest[:2], (6, 7))
            assert (cell // 7) % 2 == (0 if kind == "Odd" else 1)
            wins_first = "first player wins" in sentence
            first_to_move = env.move_count % 2 == 0
            assert (before.value > 0) == (wins_first == first_to_move)
    assert told > 20


def test_nothing_is_said_without_proof_or_against_the_search(decided):
    env = decided[0]
    best = ConnectFourSolver().analyse(env).candidates[0]
    move = best.move
    assert zugzwang_sentence(env, Candidate(move, best.name, 1.0)) is None
    lie = Candidate(move, best.name, 0.0, outcome="draw", proven=True)
    assert zugzwang_sentence(env, lie) is None


def test_games_without_zugzwang():
    assert zugzwang_of(ConnectFour()) is None
    assert zugzwang_of(ConnectFour(5, 5)) is None
    assert zugzwang_of(ConnectFour(9, 9)) is None
    assert zugzwang_of(make_game("tictactoe")) is None
    assert zugzwang_of(from_transcript("connect-four", "1212121")) is None
    assert zugzwang_sentence(make_game("tictactoe"), Candidate(0, "a1", 1.0, "win", True)) is None
