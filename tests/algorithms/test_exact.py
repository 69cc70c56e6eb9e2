"""The engine ``exact``, which finds the solver of each game."""

import pytest

from rl_toolkit.algorithms.by_game.exact import ExactEngine, exact_engine
from rl_toolkit.analysis import Engine
from rl_toolkit.envs import ConnectFour, make_game
from rl_toolkit.records import from_transcript


def test_a_game_with_a_solver():
    engine = ExactEngine()
    assert isinstance(engine, Engine)
    env = from_transcript("connect-four", "4455")
    assert engine.analyse(env).candidates[0].score == 18
    assert engine.solver_for(env) is engine.solver_for(ConnectFour())
    assert engine.analyse(ConnectFour(4, 4)).outcome == "draw"


def test_options_reach_the_solver():
    env = from_transcript("connect-four", "4455")
    assert ExactEngine(weak=True).analyse(env).candidates[0].score is None
    assert exact_engine(env, seed=5).analyse(env).seed == 5


def test_a_game_without_a_solver_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match=r"gomoku-15 has no exact solver; .*connect-four"):
        ExactEngine().analyse(make_game("gomoku"))
