"""The conformance suite: every built-in game keeps the laws, and each law can be broken."""

import re

import numpy as np
import pytest
from broken_games import BROKEN, Poison, RewardOfTheMover, Unsized

from rl_toolkit.envs import make_game, register_game, registry
from rl_toolkit.testing import LAWS, ConformanceError, check_game

# --- games that keep the laws ------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _unsized_is_registered_here_only(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Unsized)


def test_a_game_of_eight_methods_passes():
    check_game(Poison)


#: Each family on a small board: the usual one, narrow ones, one with a rule of its own.
SMALL = {
    "tictactoe": 4,
    "tictactoe-1x5x3": 3,
    "connect-four-5x4x3": 3,
    "connect-four-1x6x3": 3,
    "gomoku-9-standard": 1,
    "reversi-4": 3,
}
LARGE = {
    "tictactoe-3x4x3": 3,
    "tictactoe-4x4x4": 3,
    "tictactoe-12x11x5": 1,
    "connect-four": 4,
    "connect-four-4x4x4": 3,
    "connect-four-9x10x4": 1,
    "gomoku-9": 1,
    "gomoku-13x13x6": 1,
    "gomoku-15": 1,
    "reversi-6": 3,
    "reversi": 2,
}


@pytest.mark.parametrize(("name", "games"), SMALL.items())
def test_the_built_in_games_pass(name, games):
    check_game(lambda: make_game(name), games=games, seed=5)


@pytest.mark.full
@pytest.mark.parametrize(("name", "games"), (SMALL | LARGE).items())
def test_the_built_in_games_pass_in_many_games(name, games):
    check_game(lambda: make_game(name), games=10 * games, seed=6)


def test_a_game_in_which_only_one_side_opens_may_leave_the_parameter_out():
    class WhiteOpens(Poison):
        def reset(self):
            return super().reset(1)

    check_game(WhiteOpens, games=4)


def test_the_same_seed_plays_the_same_games():
    def games_played(seed):
        played = []

        class Listening(Poison):
            def step(self, move):
                played.append(move)
                return super().step(move)

        check_game(Listening, games=2, seed=seed)
        return played

    assert games_played(3) == games_played(3)
    assert games_played(3) != games_played(4)


# --- games that break them, one by one -----------------------------------------------------------


@pytest.mark.parametrize(("game", "law"), BROKEN.items(), ids=lambda value: str(value))
def test_a_broken_law_is_named(game, law, capsys):
    with pytest.raises(ConformanceError) as caught:
        check_game(game)
    assert caught.value.law == law, str(caught.value)
    assert f"{game.__name__} breaks the law {law!r}: {LAWS[law]}" in str(caught.value)
    assert capsys.readouterr().out == ""


def test_each_law_can_be_broken():
    assert set(BROKEN.values()) == set(LAWS)


def test_the_error_says_how_to_get_there_and_what_differs():
    with pytest.raises(ConformanceError) as caught:
        check_game(RewardOfTheMover)
    error = caught.value
    assert isinstance(error, AssertionError)
    text = str(error)
    assert f"after the moves {error.moves} with player" in text
    assert re.search(r"reward after 0, for \+1\n +expected: -?1.0\n +found: +-?1.0", text)

    # The moves are a recipe: playing them leads to a position where the law is broken.
    env = RewardOfTheMover()
    env.reset(1 if "player +1 to open" in text else -1)
    for move in error.moves:
        env.step(move)
    mover = env.current_player
    _, reward, _, info = env.step(0)
    assert info["winner"] == -mover
    assert reward != info["winner"]


def test_a_crash_inside_the_game_is_reported_with_its_cause():
    class Crashing(Poison):
        def check_win(self, player):
            if np.count_nonzero(self.board) == 2:
                raise KeyError("lost")
            return super().check_win(player)

    with pytest.raises(ConformanceError, match="the game raised KeyError: 'lost'") as caught:
        check_game(Crashing)
    assert isinstance(caught.value.__cause__, KeyError)
