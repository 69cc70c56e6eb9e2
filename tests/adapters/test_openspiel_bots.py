"""Our engines as OpenSpiel's bots, and our rules against OpenSpiel's."""

import random

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from rl_toolkit.adapters.openspiel.bot import EngineBot, game_for  # noqa: E402
from rl_toolkit.envs import make_game  # noqa: E402

THREE = ["tic_tac_toe", "connect_four", "othello"]


def play(game, bots, seed=1):
    """The returns of a game, played by OpenSpiel's own function."""
    state = pyspiel.load_game(game).new_initial_state()
    return pyspiel.evaluate_bots(state, bots, seed)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("tic_tac_toe", "tictactoe"),
        ("connect_four", "connect-four"),
        ("connect_four(rows=5,columns=6,x_in_row=4)", "connect-four-5x6x4"),
        ("othello", "reversi-8"),
        ("hex(board_size=4)", "openspiel:hex(board_size=4)"),
    ],
)
def test_the_game_that_it_thinks_on(game, name):
    assert game_for(pyspiel.load_game(game)).name == name


@pytest.mark.parametrize(
    "game", [*THREE, "connect_four(rows=5,columns=6,x_in_row=4)", "breakthrough(rows=5,columns=4)"]
)
def test_random_games_agree(game):
    """Legal moves, board, side to move and result are the same in both implementations."""
    rng = random.Random(7)
    for _ in range(5):
        env, state = game_for(pyspiel.load_game(game)), pyspiel.load_game(game).new_initial_state()
        while not state.is_terminal():
            assert env.get_legal_moves() == state.legal_actions(), state
            assert env.current_player == (1, -1)[state.current_player()]
            if env.traits.has_grid:
                assert np.array_equal(env.board, theirs(state, env))
            move = rng.choice(state.legal_actions())
            env.step(move)
            state.apply_action(move)
        assert env.is_terminal()
        assert env.get_result(1) == np.sign(state.returns()[0])


def theirs(state, env):
    """The board of OpenSpiel's text, row 1 first, in our numbers."""
    lines = [line for line in str(state).splitlines() if set(line) & set(".-xo")]
    if env.traits.style == "flips":
        lines = [line[2:-2] for line in lines if line[0].isdigit()]
    cells = [[{"x": 1, "o": -1}.get(c, 0) for c in line if c in ".-xo"] for line in lines]
    return np.array(cells if env.traits.row_one_at == "top" else cells[::-1]).reshape(-1)


def test_perfect_play_in_tic_tac_toe():
    """Two perfect bots draw; against OpenSpiel's random bot a perfect one never loses."""
    assert play("tic_tac_toe", [EngineBot("perfect"), EngineBot("perfect")]) == [0, 0]
    for seed in range(2):
        bots = [EngineBot("perfect"), pyspiel.make_uniform_random_bot(1, seed)]
        assert play("tic_tac_toe", bots, seed)[0] >= 0
        bots = [pyspiel.make_uniform_random_bot(0, seed), EngineBot("perfect")]
        assert play("tic_tac_toe", bots, seed)[1] >= 0


@pytest.mark.parametrize("game", ["connect_four", "othello", "hex(board_size=4)"])
def test_they_beat_a_random_bot(game):
    engine = "mcts:simulations=100,seed=2" if "hex" in game else "hard"
    bots = [EngineBot(engine), pyspiel.make_uniform_random_bot(1, 3)]
    assert play(game, bots) == [1, -1]


def test_they_play_against_the_bots_of_the_library():
    game = pyspiel.load_game("connect_four")
    theirs = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 20, 10, True, 42, False
    )
    returns = play("connect_four", [theirs, EngineBot("minimax:depth=4")])
    assert returns[1] == 1  # 20 simulations against four plies


def test_the_same_seed_plays_the_same_game():
    def moves(seed):
        bots = [EngineBot("random", seed), EngineBot("random", seed + 1)]
        state = pyspiel.load_game("connect_four").new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        return state.history()

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in (1, 5, 9)}) > 1


def test_a_bot_plays_on_from_any_state_and_changes_games():
    bot = EngineBot("minimax:depth=3")
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for move in (0, 3, 1, 4):
        state.apply_action(move)
    bot.restart_at(state)
    assert bot.step(state) == 2
    assert bot.last_analysis.best.outcome == "win"
    earlier = pyspiel.load_game("tic_tac_toe").new_initial_state()
    assert bot.step(earlier) in range(9)  # another game, without a restart
    assert bot.step(pyspiel.load_game("connect_four").new_initial_state()) in range(7)
    assert make_game("tictactoe").history == []
