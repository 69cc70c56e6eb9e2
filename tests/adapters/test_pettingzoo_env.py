"""Every registered game in PettingZoo, checked by PettingZoo's own tests."""

import pickle
import random
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")

from pettingzoo.test import api_test, render_test, seed_test

from rl_toolkit.adapters.pettingzoo_env import env as make_env
from rl_toolkit.adapters.pettingzoo_env import raw_env
from rl_toolkit.envs import game_families, make_game

GAMES = [family.name for family in game_families()]
#: The games of PettingZoo have the same dict of observation and mask; it excuses them by name.
dict_observation = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)


@dict_observation
@pytest.mark.parametrize("game", GAMES)
def test_the_api(game, capsys):
    api_test(make_env(game), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_seeds(game):
    seed_test(lambda: make_env(game), num_cycles=40)


def test_rendering(capsys):
    tests = {"ansi": lambda text: isinstance(text, str) and "+---+" in text}
    render_test(lambda render_mode: make_env("tictactoe", render_mode), tests)
    assert "+---+" in capsys.readouterr().out
    with pytest.raises(ValueError, match="render_mode is ansi, human or None, not 'rgb_array'"):
        make_env("tictactoe", "rgb_array")
    env = raw_env("tictactoe")
    env.reset()
    with pytest.raises(ValueError, match="make the environment with render_mode"):
        env.render()


@pytest.mark.parametrize("game", [*GAMES, "connect-four-4x4x3", "reversi-4"])
def test_random_games_are_those_of_the_game(game):
    """Agents, masks, planes, terminations and rewards follow from our game with the same moves."""
    rng, ours = random.Random(1), make_game(game)
    env = make_env(game)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        player = {"player_0": 1, "player_1": -1}[agent]
        assert np.array_equal(seen["observation"][0], ours.board_2d == player)
        assert np.array_equal(seen["observation"][1], ours.board_2d == -player)
        assert terminated == ours.is_terminal()
        assert not truncated
        if terminated:
            assert reward == ours.get_result(player)
            assert not seen["action_mask"].any()
            env.step(None)
            continue
        assert reward == 0
        assert ours.current_player == player
        assert seen["observation"][2].all()
        assert np.flatnonzero(seen["action_mask"]).tolist() == ours.get_legal_moves()
        other = env.observe("player_1" if player == 1 else "player_0")
        assert not other["action_mask"].any()
        assert not other["observation"][2].any()
        move = rng.choice(ours.get_legal_moves())
        ours.step(move)
        env.step(np.int64(move))
    assert ours.is_terminal()
    assert not env.agents


def test_an_illegal_move_loses_and_raises_without_wrappers(caplog):
    env = make_env("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)
    assert "Illegal move made" in caplog.text
    assert env.rewards == {"player_0": 0, "player_1": -1}
    raw = raw_env("tictactoe")
    raw.reset()
    raw.step(4)
    with pytest.raises(ValueError, match="b2 is taken by X"):
        raw.step(4)
    assert raw.agent_selection == "player_1"
    assert raw.game.history == [4]


def test_a_game_in_progress_starts_anew_and_stays_as_it_was():
    ours = make_game("tictactoe-4")
    ours.step(3)
    env = raw_env(ours)
    env.reset()
    env.step(0)
    assert env.game.history == [0]
    assert ours.history == [3]
    assert pickle.loads(pickle.dumps(env)).game.history == [0]


def test_games_with_turns_in_a_row():
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    env = raw_env("openspiel:dots_and_boxes")
    env.reset()
    rng, order = random.Random(3), []
    while not env.terminations[env.agent_selection]:
        order.append(env.agent_selection)
        env.step(rng.choice(env.game.get_legal_moves()))
    assert any(one == next_one for one, next_one in pairwise(order))
    assert sum(env.rewards.values()) == 0
