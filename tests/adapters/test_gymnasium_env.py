"""A game against an opponent in Gymnasium, checked by Gymnasium's own checker."""

import random
import subprocess
import sys

import numpy as np
import pytest
from course_games import ListOfRows
from markdown_examples import blocks
from paths import ROOT

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from rl_toolkit.adapters.gymnasium_env import ID, GameEnv  # noqa: E402
from rl_toolkit.envs import game_families, make_game  # noqa: E402
from rl_toolkit.players import SpecError  # noqa: E402

GAMES = [family.name for family in game_families()]


@pytest.mark.parametrize("game", GAMES)
def test_the_checker(game):
    check_env(gymnasium.make(ID, game=game, opponent="random", opens="random").unwrapped)


def test_the_checker_on_a_game_without_a_grid():
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    env = gymnasium.make(ID, game="openspiel:hex(board_size=3)", opponent="random").unwrapped
    with pytest.warns(UserWarning, match="observation space m.* value is -?infinity"):
        check_env(env)
    seen, info = env.reset()
    assert seen.shape == env.observation_space.shape == (9, 3, 3)
    assert info["action_mask"].all()


def play(env, seed=None, moves=None, options=None):
    """One episode with random legal moves: the opponent's answers, the reward, who the agent is."""
    rng = random.Random(moves)
    seen, info = env.reset(seed=seed, options=options)
    answers, player, done = [], info["player"], False
    while not done:
        game = env.unwrapped.game
        assert game.current_player == player
        assert np.flatnonzero(info["action_mask"]).tolist() == game.get_legal_moves()
        assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool))
        assert np.array_equal(seen[0], game.board_2d == player)
        move = rng.choice(game.get_legal_moves())
        seen, reward, done, truncated, info = env.step(np.int64(move))
        assert not truncated
        answers.append(info["answer"])
        if not done:
            assert reward == 0
    game = env.unwrapped.game
    assert reward == game.get_result(player)
    assert not info["action_mask"].any()
    return answers, reward, player


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opens", ["agent", "opponent"])
def test_episodes(game, opens):
    env = GameEnv(game, "random", opens)
    _, _, player = play(env, seed=1, moves=2)
    assert player == (1 if opens == "agent" else -1)


def test_seeds_make_the_opponent_repeatable():
    first, second = (GameEnv("connect-four", "random", "random") for _ in range(2))
    one = [play(first, 5, 1), *(play(first, None, k) for k in range(6))]
    two = [play(second, 5, 1), *(play(second, None, k) for k in range(6))]
    assert one == two  # also in the episodes that follow
    assert one != [play(second, 6, 1), *(play(second, None, k) for k in range(6))]
    assert {player for _, _, player in one} == {1, -1}


def test_seeds_make_a_bot_repeatable(tmp_path):
    bot = tmp_path / "my_bot.py"
    bot.write_text("import random\ndef choose(env): return random.choice(env.get_legal_moves())")
    env = GameEnv("tictactoe", opponent=str(bot))
    answers = []
    for _ in range(2):
        _, info = env.reset(seed=7)
        for _ in range(3):  # episodes
            done = False
            while not done:
                action = info["action_mask"].nonzero()[0][0]
                _, _, done, _, info = env.step(action)
                answers.append(info["answer"])
            _, info = env.reset()
    half = len(answers) // 2
    assert answers[:half] == answers[half:]


def test_an_object_of_a_plain_class_is_adapted():
    env = GameEnv(ListOfRows(), opponent="first")
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1] * 9
    assert env.step(4)[4]["answer"] == [0]


def test_a_perfect_opponent_never_loses():
    env = GameEnv("tictactoe", "perfect", "random")
    rewards = [play(env, 1 if not k else None, k)[1] for k in range(5)]
    assert max(rewards) <= 0 < -min(rewards)


def test_who_opens_can_be_chosen_for_an_episode():
    env = GameEnv("tictactoe", "random")
    assert play(env, 1, 1, {"opens": "opponent"})[2] == -1
    assert play(env, 1, 1)[2] == 1
    for wrong in ("me", None):
        with pytest.raises(ValueError, match="opens is agent, opponent or random"):
            env.reset(options={"opens": wrong})
    with pytest.raises(ValueError, match="opens is agent, opponent or random"):
        GameEnv("tictactoe", opens="X")


def test_an_illegal_action_ends_the_episode():
    env = GameEnv("tictactoe", lambda game: game.get_legal_moves()[0])
    env.reset()
    _, _, _, _, info = env.step(4)
    assert info["answer"] == [0]
    seen, reward, terminated, truncated, info = env.step(4)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"] == "b2 is taken by X"
    assert seen[0].sum() == 1
    assert not info["action_mask"].any()
    with pytest.raises(ValueError, match="the episode is over: call reset"):
        env.step(5)


def test_the_opponent_may_be_a_level_an_engine_or_a_function():
    for opponent in ("easy", "minimax:depth=2", lambda game: max(game.get_legal_moves())):
        play(GameEnv("tictactoe", opponent), 1, 1)
    with pytest.raises(SpecError, match="deep-blue"):
        GameEnv("tictactoe", "deep-blue")


def test_passes_are_answered_until_the_agent_is_to_move():
    """On 4 × 4 a side often has to pass; every move of a pass is in the mask."""
    env = GameEnv("reversi-4", "random")
    passes = 0
    for k in range(10):
        answers, _, _ = play(env, k, k)
        passes += sum(16 in answer for answer in answers)
    assert passes > 0


def test_rendering(capsys):
    env = gymnasium.make(ID, game="tictactoe", render_mode="ansi")
    env.reset(seed=1)
    assert "+---+" in env.render()
    human = GameEnv("tictactoe", render_mode="human")
    human.reset(seed=1)
    assert "+---+" in capsys.readouterr().out
    with pytest.raises(ValueError, match="render_mode is ansi, human or None"):
        GameEnv("tictactoe", render_mode="rgb_array")
    with pytest.raises(ValueError, match="make the environment with render_mode"):
        GameEnv("tictactoe").render()


def test_a_game_stays_as_it_was():
    ours = make_game("tictactoe")
    ours.step(4)
    play(GameEnv(ours, "random"), 1, 1)
    assert ours.history == [4]


def in_a_fresh_process(program):
    """What a program prints in a process that has imported nothing yet."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_guides_way_to_make_it_by_its_id_works_in_a_new_program():
    page = (ROOT / "docs" / "reference" / "adapters.md").read_text(encoding="utf-8")
    (block,) = [block.text for block in blocks(page) if "gymnasium.make(" in block.text]
    assert in_a_fresh_process(f"{block}\nprint(env.spec.id)").strip() == ID


#: Every process is a new one, which has only the id.
VECTOR = f"""
import gymnasium
from gymnasium.vector import AsyncVectorEnv

id = "rl_toolkit.adapters.gymnasium_env:{ID}"
made = [lambda: gymnasium.make(id, opponent="random")] * 2
for envs in (
    AsyncVectorEnv(made, context="spawn"),
    gymnasium.make_vec(id, 2, "async", {{"context": "spawn"}}, opponent="random"),
):
    print(envs.reset(seed=1)[0].shape)
    envs.close()
"""


@pytest.mark.full
def test_it_can_be_made_in_the_processes_of_a_vector():
    assert in_a_fresh_process(VECTOR).split("\n") == ["(2, 3, 3, 3)"] * 2 + [""]
