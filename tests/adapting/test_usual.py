"""Plain classes in the usual form run on their own attributes; others are translated."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from course_games import PlainConnectFour, TopDown

from rl_toolkit.adapting import AdaptedGame, number_of_move, own_object, plain_class
from rl_toolkit.adapting.usual import UsualForm
from rl_toolkit.envs import IllegalMoveError, TicTacToe, adapt_game
from rl_toolkit.testing import check_game


def test_a_class_in_the_usual_form_is_only_put_on_the_base():
    env = adapt_game(PlainConnectFour)()
    assert isinstance(env, UsualForm)
    assert isinstance(env, PlainConnectFour)
    assert plain_class(env) is PlainConnectFour
    assert env.step("d")[0][3] == 1
    assert (env._find_lowest_row(3), env.history, env.undo()) == (1, [3], 3)
    check_game(PlainConnectFour, games=1, seed=5)


def test_what_a_class_keeps_besides_its_board_needs_a_translation():
    assert isinstance(adapt_game(TopDown)(), AdaptedGame)


class Forgetful(PlainConnectFour):
    """Counts something else as the number of moves."""

    def step(self, col):
        answer = super().step(col)
        self.move_count += 1
        return answer

    def is_terminal(self):
        return self.winner is not None


class Turned(PlainConnectFour):
    """Has a history of its own, which the base would hide."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.history = []


class OtherResult(PlainConnectFour):
    """Gives results for the other side."""

    def get_result(self, player):
        return -super().get_result(player)


@pytest.mark.parametrize("plain", [Forgetful, Turned, OtherResult])
def test_a_class_that_means_something_else_is_translated(plain):
    assert not isinstance(adapt_game(plain)(), UsualForm)


def test_positions_are_set_up_by_play():
    env = adapt_game(PlainConnectFour)(4, 5, 3)
    cells = np.zeros(20, dtype=np.int8)
    cells[[0, 1, 5]] = 1, -1, 1
    env.board, env.current_player = cells, -1
    assert (env.winner, env.move_count, env.history) == (None, 3, [])
    env.step("b")
    assert env.step("a")[2]


def test_refusals_are_those_of_other_adapted_games():
    env = adapt_game(PlainConnectFour)()
    for _ in range(6):
        env.step(0)
    with pytest.raises(IllegalMoveError, match=r"^a is not a legal move here$"):
        env.step(0)
    with pytest.raises(IllegalMoveError, match=r"^7 is not a legal move here$"):
        env.step(7)
    assert env.history == [0] * 6


def test_games_pickle_with_their_history():
    env = adapt_game(PlainConnectFour)()
    for column in "ddc":
        env.step(column)
    twin = pickle.loads(pickle.dumps(env))
    assert twin == env
    assert (twin.history, twin.undo(), type(twin)) == ([3, 3, 2], 2, type(env))


def test_objects_of_the_class_itself():
    env = adapt_game(PlainConnectFour)()
    env.step(3)
    env.step(3)
    thing = own_object(env)
    assert type(thing) is PlainConnectFour
    assert (thing.move_count, thing.last_move, thing.current_player) == (2, 10, 1)
    thing.step(3)
    assert (env.move_count, env.board[17]) == (2, 0)
    other = adapt_game(TopDown)()
    other.step("a")
    assert type(own_object(other)) is TopDown
    ours = TicTacToe()
    assert own_object(ours) == ours
    assert (plain_class(ours), number_of_move(ours, 4)) == (None, 4)


class WithNotes(PlainConnectFour):
    """Keeps notes that its moves do not change."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.notes, self.weights = {"seen": []}, (1, [2])


def test_copies_share_nothing_that_can_change():
    env = adapt_game(WithNotes)()
    assert isinstance(env, UsualForm)
    env.step(3)
    for twin in (env.copy(), own_object(env)):
        twin.notes["seen"].append(1)
        twin.weights[1].append(3)
        assert (env.notes, env.weights) == ({"seen": []}, (1, [2]))


def test_truth_values_and_fractions_are_not_moves():
    env = adapt_game(TopDown)()
    own = env.own_move(1)
    assert number_of_move(env, own) == 1
    for wrong in (True, 1.0, np.True_, np.float64(1)):
        assert number_of_move(env, wrong) is wrong
