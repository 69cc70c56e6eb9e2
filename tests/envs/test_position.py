"""`Position`: games as values, with two equalities; and the words of a game that make them."""

import pickle
import random

import numpy as np
import pytest
from hex_game import Hex
from hypothesis import given, settings
from hypothesis import strategies as st
from nim_game import Nim
from written_games import NAMES, assert_same, games, play_at_random

import rl_toolkit
from rl_toolkit.envs import (
    BaseGameEnv,
    IllegalMoveError,
    InvalidMoveError,
    Position,
    TicTacToe,
    UnknownGameError,
    make_game,
    register_game,
    registry,
)
from rl_toolkit.envs.hand_trees import HandTreeGame
from rl_toolkit.envs.position import Start, position_key
from rl_toolkit.records import PositionError, RecordError, position_from_text, position_to_text
from rl_toolkit.utils.executors import LocalProcesses

relaxed = settings(deadline=None, max_examples=60)
OUTSIDE = ("nim-4", "nim-7", "hex-3", "plain-row")


class PlainRow:
    """Take turns on a row of five cells; two neighbours win, a full row is a draw. On no base."""

    def __init__(self):
        self.board, self.current_player, self.done, self.winner = [0] * 5, 1, False, None

    def get_legal_moves(self):
        return [] if self.done else [cell for cell in range(5) if self.board[cell] == 0]

    def step(self, move):
        self.board[move] = self.current_player
        if any(self.board[k] == self.board[k + 1] == self.current_player for k in range(4)):
            self.winner = self.current_player
        elif 0 not in self.board:
            self.winner = 0
        self.done = self.winner is not None
        if not self.done:
            self.current_player = -self.current_player


@pytest.fixture(autouse=True, scope="module")
def _outside_games():
    families = dict(registry._FAMILIES)
    for game in (Nim, Hex, PlainRow):
        register_game(game)
    yield
    registry._FAMILIES.clear()
    registry._FAMILIES.update(families)


@st.composite
def all_games(draw):
    """A game of the package or from outside, in progress or over; it may have been set up."""
    name = draw(st.sampled_from([*NAMES, *OUTSIDE]))
    if name in NAMES:
        return draw(games((name,)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return play_at_random(make_game(name), draw(st.integers(0, 12)), rng)


# ---------------------------------------------------------------------------- laws


@relaxed
@given(all_games())
def test_a_position_gives_the_game_back(env):
    position = Position.of(env)
    again = position.env()
    assert type(again) is type(env)
    assert_same(again, env)
    assert (again.current_player, again.move_count) == (env.current_player, env.move_count)
    assert Position.of(again) == position
    assert hash(Position.of(again)) == hash(position)
    assert pickle.loads(pickle.dumps(position)) == position
    assert position.key == position_key(env)


@relaxed
@given(all_games())
def test_reading_back_the_text_is_the_same_board(env):
    position = Position.of(env)
    assert position.text == position_to_text(env)
    read = Position.read(position.game, position.text)
    assert read.key == position.key
    assert read.text == position.text


@relaxed
@given(all_games(), st.integers(0, 70))
def test_more_moves_make_the_position_after_them(env, plies):
    begun = env.start()
    assert begun.history == []
    line = env.history
    part = begun.after(line[:plies])
    assert_same(part.after(line[plies:]), env)
    assert part.history == line[:plies]
    assert Position.of(part).after(*line[plies:]) == Position.of(env)
    assert env.history == line  # none of this has changed it


@relaxed
@given(games(("tictactoe", "gomoku-9", "tictactoe-3x4x3")), st.randoms(use_true_random=False))
def test_moves_in_another_order_lead_to_an_equal_key_and_another_position(env, rng):
    if env.is_terminal() and env.history:
        env.undo()  # the order of a finished game cannot be chosen
    mine, theirs = env.history[::2], env.history[1::2]
    rng.shuffle(mine)
    rng.shuffle(theirs)
    order = [move for pair in zip(mine, [*theirs, None], strict=False) for move in pair]
    moves = order[: len(env.history)]
    one = Position.of(env)
    other = Position(one.game, one.start, moves)
    assert one.key == other.key
    assert (one == other) == (env.history == moves)
    assert one.text == other.text


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=9, max_size=9), st.sampled_from([1, -1]))
def test_boards_that_no_game_reaches_are_positions_too(cells, player):
    env = TicTacToe()
    env.board, env.current_player = np.array(cells), player
    again = Position.of(env).env()
    assert_same(again, env)
    assert again.board.tolist() == cells


def test_the_same_board_in_another_game_has_another_key():
    assert Position("tictactoe").key != Position("tictactoe-3x4x3").key
    assert Position("gomoku-15").key != Position("gomoku-15-standard").key
    assert len({Position("tictactoe"), Position("tictactoe", None, ()), Position("reversi-8")}) == 2


def test_the_usual_start_is_none_and_any_other_is_kept():
    env = make_game("reversi-6")
    assert Position.of(env) == Position("reversi-6")
    env.reset(first_player=-1)
    assert Position.of(env).start == Start(env.board.tobytes(), -1)
    env.set_position(env.board, 1)
    assert Position.of(env) == Position("reversi-6")


def test_a_position_does_not_change_and_takes_any_whole_numbers():
    position = Position("tictactoe", moves=[np.int64(4), 0])
    assert position.moves == (4, 0)
    assert {type(move) for move in position.moves} == {int}
    with pytest.raises(AttributeError):
        position.game = "reversi"
    with pytest.raises(InvalidMoveError):
        Position("tictactoe", moves=("b2",))
    game = position.env()
    game.step(8)
    assert position.moves == (4, 0)


def test_workers_get_positions_and_send_them_back():
    positions = [Position("tictactoe").after(4, move) for move in (0, 1, 2)]
    positions.append(Position.read("connect-four", "7/7/7/7/7/3x3 o").after(3))
    answers = dict(LocalProcesses(2).map(after_first_move, positions))
    assert [answers[number] for number in range(4)] == list(map(after_first_move, positions))


def after_first_move(position):
    return Position.of(position.env().after(position.env().get_legal_moves()[:1]))


def test_it_is_a_name_of_the_package():
    assert rl_toolkit.Position is Position


# ------------------------------------------------------------------------ refusals


def test_a_game_that_is_not_registered_is_refused():
    class Typed(TicTacToe):
        """Typed in a notebook."""

        @property
        def name(self):
            return "typed"

    with pytest.raises(UnknownGameError, match=r"'typed' has no Position, .* register_game\(Typed"):
        Position.of(Typed())
    assert position_key(Typed()) == ("typed", TicTacToe().get_state_hash())


def test_a_game_that_is_another_one_in_the_registry_is_refused():
    class Misere(TicTacToe):
        """Three in a row loses, under the name of the usual game."""

    with pytest.raises(UnknownGameError, match=r"'tictactoe' has no Position, .* another game"):
        Position.of(Misere())


def test_a_tree_that_was_typed_is_not_registered():
    with pytest.raises(UnknownGameError, match="'tree' has no Position"):
        Position.of(HandTreeGame("(3 12 8) (2 4 6) (14 5 2)"))


def test_a_hash_that_cannot_be_a_key_is_named():
    class Arrays(TicTacToe):
        """Its hash is the board."""

        def get_state_hash(self):
            return self.board

    with pytest.raises(TypeError, match=r"get_state_hash of tictactoe returned .* cannot be a key"):
        position_key(Arrays())


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (Position("checkers"), "there is no game 'checkers'"),
        (Position("tictactoe").after(4, 4), "b2 is taken by X"),
        (Position("tictactoe", Start(b"\0" * 4, 1)), "4"),
        (Position("nim-4", Start(b"\0" * 4, 1)), "nim-4 has no grid"),
    ],
)
def test_a_position_that_does_not_exist_is_refused_when_a_game_is_made(position, sentence):
    with pytest.raises(ValueError, match=sentence):
        position.env()


def test_text_that_is_not_a_position_is_refused():
    with pytest.raises(PositionError, match="is not a position"):
        Position.read("tictactoe", "b2")
    assert issubclass(PositionError, RecordError)
    with pytest.raises(PositionError, match=r"^move 2: 'take-9' is not a move here") as refused:
        position_from_text("nim-7", "take-1 take-9")
    assert refused.value.where == "move 2"


# ---------------------------------------------------------------- words of a game


def test_an_illegal_move_is_refused_and_the_game_stays_as_it_was():
    env = make_game("connect-four").after([3])
    with pytest.raises(IllegalMoveError, match="column d is full"):
        env.after([3] * 6)
    assert env.history == [3]


def test_winning_cells_are_those_of_all_lines_once():
    env = make_game("tictactoe")
    assert env.winning_cells == []
    env.board, env.current_player = np.array([1, 1, 1, -1, -1, 1, -1, -1, 1]), 1
    assert env.winning_lines == [[0, 1, 2], [2, 5, 8]]
    assert env.winning_cells == [0, 1, 2, 5, 8]


def test_a_class_that_keeps_one_line_has_its_cells():
    class OneLine(BaseGameEnv):
        def __init__(self):
            super().__init__(3)

        def get_legal_moves(self):
            return [0]

        def step(self, move):
            self.board[0], self.winner, self.done = 1, 1, True
            self.winning_line = [5, 0, 1]
            return self.board.copy(), 1.0, True, {}

    env = OneLine()
    assert env.winning_cells == []
    env.step(0)
    assert env.winning_cells == [0, 1, 5]


@pytest.mark.parametrize("base", [TicTacToe, BaseGameEnv])
def test_a_class_may_keep_its_winning_cells_itself(base):
    class Keeping(base):
        def __init__(self):
            super().__init__(3)
            self.winning_cells = None

        def get_legal_moves(self):
            return [0, 1]

        def step(self, move):
            self.winning_cells = [7, 8]
            return self.board.copy(), 0.0, False, {}

    env = Keeping()
    assert env.winning_cells == []
    env.step(0)
    assert env.winning_cells == env.copy().winning_cells == [7, 8]
