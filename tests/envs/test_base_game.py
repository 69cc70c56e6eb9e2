"""The base of all games: what a game of eight methods gets for nothing."""

import copy
from dataclasses import replace

import numpy as np
import pytest
from broken_games import Poison
from course_games import HandoutTicTacToe

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.envs import (
    BaseGameEnv,
    ConnectFour,
    Gomoku,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    Reversi,
    TicTacToe,
    as_game,
    make_game,
)
from rl_toolkit.envs.validation import as_move, shown
from rl_toolkit.testing import check_game


class Race(BaseGameEnv):
    """Fill a row of cells from the left; one or two cells a move; filling the last one wins.

    The move is how many cells to fill, less one, and a third move (always illegal) has no cell.
    """

    def __init__(self, cells=5):
        super().__init__((1, cells))

    def reset(self, first_player=1):
        self.board = np.zeros(self.cols)
        self.current_player, self.move_count = first_player, 0
        self.winner, self.done, self.last_move = None, False, None
        return self.board.copy()

    def step(self, move):
        move = as_move(move)
        if move not in self.get_legal_moves():
            raise IllegalMoveError(f"{move} cannot be played")
        free = np.flatnonzero(self.board == 0)
        self.board[free[: move + 1]] = self.current_player
        self.last_move = int(free[move])
        self.move_count += 1
        if self.is_terminal():
            self.winner, self.done = self.current_player, True
        else:
            self.current_player = -self.current_player
        return self.board.copy(), float(self.winner or 0), self.done, {}

    def get_legal_moves(self):
        return list(range(min(2, int(np.count_nonzero(self.board == 0)))))

    def is_terminal(self):
        return bool(self.board[-1])

    def check_win(self, player):
        return bool(self.board[-1] == player)

    def get_result(self, player):
        if not self.is_terminal():
            raise ValueError("still running")
        return 1.0 if self.check_win(player) else -1.0

    def copy(self):
        twin = copy.copy(self)
        twin.board = self.board
        return twin

    def get_state_hash(self):
        return self.board.tobytes(), self.current_player


def test_a_game_must_have_a_step_and_say_which_moves_are_legal():
    assert BaseGameEnv.__abstractmethods__ == {"step"}
    with pytest.raises(TypeError, match="abstract"):
        BaseGameEnv(3)
    with pytest.raises(TypeError, match="Silent does not say which moves are legal; give it get_"):

        class Silent(BaseGameEnv):
            def step(self, move):
                """Play it."""


def test_a_new_game_has_its_attributes_before_any_reset():
    env = Race()
    assert (env.rows, env.cols, env.board_size, env.num_moves) == (1, 5, (1, 5), 5)
    assert env.board.tolist() == [0] * 5
    assert env.board.dtype == np.int8
    assert (env.current_player, env.winner, env.done) == (1, None, False)
    assert (env.move_count, env.last_move, env.winning_line) == (0, None, None)
    assert env.name == "race"
    assert env.kernel_spec() is None
    assert [turn.name for turn in env.symmetries()] == ["identity"]


def test_history_and_undo_come_from_the_base():
    env = Race()
    for move in (1, 0, 1):
        env.step(move)
    assert (env.history, env.done, env.winner) == ([1, 0, 1], True, 1)
    assert env.undo() == 1
    assert (env.history, env.done, env.winner, env.last_move) == ([1, 0], False, None, 2)
    assert (env.board.tolist(), env.current_player) == ([1, 1, -1, 0, 0], 1)
    assert [env.undo(), env.undo()] == [0, 1]
    with pytest.raises(IllegalMoveError, match="there is no move to take back"):
        env.undo()
    assert env.board.tolist() == [0] * 5


def test_a_refused_move_is_not_in_the_history():
    env = Race()
    env.step(0)
    for move in (2, 9, True, "0"):
        with pytest.raises(ValueError, match=r"cannot be played|a whole number|not the name"):
            env.step(move)
    assert env.history == [0]
    env.undo()
    assert env.history == []


def test_a_copy_carries_history_and_then_goes_its_own_way():
    env = Race(7)
    env.step(1)
    twin = env.copy()
    twin.step(0)
    env.step(1)
    assert (env.history, twin.history) == ([1, 1], [1, 0])
    twin.undo()
    twin.undo()
    assert (env.history, twin.history) == ([1, 1], [])
    env.undo()
    assert (env.history, env.board.tolist()) == ([1], [1, 1, 0, 0, 0, 0, 0])


@pytest.mark.parametrize(
    "edit",
    [
        lambda env: setattr(env, "board", [1, 1, 1, 0, 0]),
        lambda env: setattr(env, "current_player", 1),
        lambda env: env.board.__setitem__(2, -1),
        lambda env: env.set_position([1, -1, 0, 0, 0], 1),
        lambda env: env.reset(),
    ],
    ids=["board assigned", "player assigned", "board written", "set_position", "reset"],
)
def test_history_starts_anew_after_an_edit(edit):
    env = Race()
    env.step(1)
    edit(env)
    assert env.history == []
    with pytest.raises(IllegalMoveError):
        env.undo()
    env.step(0)
    assert env.history == [0]


def test_an_assigned_board_becomes_a_flat_int8_copy():
    env = Race()
    given = np.array([[1, -1, 0, 0, 0]])
    env.board = given
    assert (env.board.dtype, env.board.shape) == (np.int8, (5,))
    given[0, 0] = -1
    assert env.board[0] == 1
    assert env.board_2d.tolist() == [[1, -1, 0, 0, 0]]
    env.board_2d[0, 0] = 0
    assert env.board[0] == 1
    for bad in ([0] * 4, [5, 0, 0, 0, 0], None, "board"):
        with pytest.raises(InvalidPositionError):
            env.board = bad
    assert env.board[0] == 1


def test_a_subclass_may_call_the_step_of_its_parent():
    class Loud(Race):
        def step(self, move):
            answer = super().step(move)
            answer[3]["loud"] = True
            return answer

    env = Loud()
    assert env.step(1)[3] == {"loud": True}
    assert env.history == [1]
    assert env.undo() == 1


def test_set_position_of_the_base():
    env = Race()
    env.set_position([1, 1, -1, 0, 0], 1)
    assert (env.winner, env.done, env.move_count, env.get_legal_moves()) == (None, False, 3, [0, 1])
    env.set_position([1, 1, -1, -1, 1], 1)
    assert (env.winner, env.done) == (1, True)
    for board, player in (([0] * 4, 1), ([7] * 5, 1), ([0] * 5, 0), ([0] * 5, None)):
        with pytest.raises(InvalidPositionError):
            env.set_position(board, player)
    assert env.winner == 1

    class BothWin(Race):
        def check_win(self, player):
            return True

    with pytest.raises(InvalidPositionError, match="both players have won"):
        BothWin().set_position([0] * 5, 1)


def test_a_set_position_without_moves_or_winner_is_a_draw():
    class Solitaire(Race):
        def check_win(self, player):
            return False

    env = Solitaire()
    env.set_position([1, -1, 1, -1, 1], -1)
    assert (env.winner, env.done) == (0, True)


def test_names_of_moves_of_the_base():
    env = Race()
    assert [env.move_name(move) for move in range(5)] == ["a1", "b1", "c1", "d1", "e1"]
    assert env.parse_move("b1") == env.parse_move("1") == env.parse_move("1,2") == 1

    class WithPass(Race):
        @property
        def num_moves(self):
            return 6

    assert WithPass().move_name(5) == "5"
    assert WithPass().parse_move("5") == 5
    with pytest.raises(InvalidMoveError, match="is not a move here"):
        WithPass().parse_move("6")


def test_priorities_prefer_the_centre():
    assert Race().move_priorities().tolist() == [0, 12, 16, 12, 0]
    three = TicTacToe().move_priorities()
    assert three.argmax() == 4
    assert three.min() == three[0] == three[2] == three[6] == three[8]
    assert ConnectFour().move_priorities().argmax() == 3
    corners = Reversi().move_priorities()
    assert corners.shape == (65,)
    assert np.flatnonzero(corners == corners.max()).tolist() == [0, 7, 56, 63]
    for env in (Race(), TicTacToe((2, 5)), ConnectFour(), Gomoku(9), Reversi(4)):
        assert env.move_priorities().shape == (env.num_moves,)


def test_the_heuristic_of_the_base_knows_only_results():
    env = Race(2)
    assert env.evaluate_heuristic(1) == 0.0
    env.step(1)
    assert (env.evaluate_heuristic(1), env.evaluate_heuristic(-1)) == (1.0, -1.0)


def test_drawing(capsys):
    env = Race()
    env.step(1)
    assert "| X | X |" in env.render(mode="ansi")
    env.traits = replace(env.traits, row_one_at="bottom")
    assert env.render(mode="ansi") == "  a b c d e\n1 X X . . ."
    assert env.render() is None
    assert capsys.readouterr().out == "  a b c d e\n1 X X . . .\n"
    assert env.to_svg(theme="dark") != env.to_svg()
    assert env._repr_svg_() == env.to_svg()
    assert repr(env) == "<race: 1 move played, O to move>"


def test_values_are_shown_briefly_and_safely():
    class Rude:
        def __repr__(self):
            raise RuntimeError

    assert shown(3) == "3"
    assert shown("x" * 100).endswith("…")
    assert len(shown("x" * 100)) == 40
    assert shown(Rude()) == "a Rude"
    assert shown(10**5000)


@pytest.mark.parametrize("make", [TicTacToe, ConnectFour, lambda: Gomoku(9), Reversi])
def test_older_names_mean_the_same(make):
    env = make()
    assert env.get_legal_actions() == env.get_legal_moves()
    assert env.get_state_value() == env.get_state_hash()


# ------------------------------------------------------------- listening to games of eight methods


def test_an_assigned_board_is_judged_in_a_game_of_eight_methods():
    game = Poison()
    game.reset()
    game.step(0)
    assert (game.winner, game.done) == (-1, True)
    game.board = np.zeros(5)
    game.current_player = 1
    game.done = False
    assert (game.winner, game.done, game.history) == (None, False, [])
    _, reward, done, info = game.step(3)
    assert (reward, done, info["winner"]) == (0.0, False, None)
    game.board = [1, 0, 0, 0, 0]
    assert (game.winner, game.done) == (-1, True)


def test_assigning_an_equal_board_clears_the_history():
    for game in (Poison(), TicTacToe()):
        game.reset()
        game.step(3)
        game.board = game.board.copy()
        assert game.history == []


class Thoughtful(Poison):
    """Looks ahead on a copy while it moves."""

    def step(self, move):
        trial = self.copy()
        Poison.step(trial, trial.get_legal_moves()[-1])
        trial.undo()
        return super().step(move)


def test_a_game_may_look_ahead_on_a_copy_while_it_moves():
    game = Thoughtful()
    game.reset()
    game.step(4)
    assert game.history == [4]
    assert game.undo() == 4


class Rules:
    """The eight methods, kept apart from the base."""

    reset, step, copy = Poison.reset.__wrapped__, Poison.step.__wrapped__, Poison.copy.__wrapped__
    get_legal_moves, is_terminal = Poison.get_legal_moves, Poison.is_terminal
    check_win, get_result = Poison.check_win, Poison.get_result
    get_state_hash = Poison.get_state_hash


class FromAMixin(Rules, BaseGameEnv):
    def __init__(self):
        super().__init__((1, 5))


def test_rules_may_come_from_a_mixin():
    game = FromAMixin()
    game.reset()
    game.step(2)
    assert game.history == [2]
    assert game.undo() == 2
    assert game.board.tolist() == [0] * 5


class OwnUndo(Poison):
    """Takes moves back without snapshots."""

    def undo(self):
        move = self.last_move
        self.board[move] = 0
        self.current_player = -self.current_player if not self.done else self.current_player
        self.winner, self.done, self.last_move = None, False, None
        self.move_count -= 1
        return move


def test_a_game_with_an_undo_of_its_own_still_has_a_history():
    game = OwnUndo()
    game.reset()
    game.step(3)
    assert game.history == [3]
    assert game.undo() == 3
    assert game.history == []
    with pytest.raises(ValueError, match="no move to take back"):
        game.undo()


class WithSwitch(Poison):
    def step(self, move, *, loud=False):
        return super().step(move)


def test_step_may_take_more_than_the_move():
    game = WithSwitch()
    game.reset()
    game.step(3, loud=True)
    game.step(move=2)
    assert game.history == [3, 2]


def test_copies_share_nothing_a_subclass_adds():
    class Logged(TicTacToe):
        def __init__(self):
            super().__init__()
            self.log = []

    game = Logged()
    twin = copy.copy(game)
    twin.log.append("here")
    twin.step(0)
    assert game.log == []
    assert game.history == []


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "gomoku-9", "reversi-4"])
def test_taking_a_move_back_brings_back_the_last_move_before(game):
    env = make_game(game)
    cells = [env.last_move]
    while not env.is_terminal():
        env.step(env.get_legal_moves()[-1])
        cells.append(env.last_move)
    while env.history:
        assert env.last_move == cells.pop()
        env.undo()
    assert [env.last_move] == cells == [None]


class Corners(BaseGameEnv):
    """X wins on the first cell, O on the second: eight methods and no more."""

    def __init__(self):
        super().__init__(3)
        self.reset()

    def reset(self, first_player=1):
        self.board, self.current_player = np.zeros(9, dtype=np.int8), first_player
        return self.board.copy()

    def step(self, move):
        self.board[move] = self.current_player
        self.current_player = -self.current_player
        return self.board.copy(), 0.0, self.is_terminal(), {}

    def get_legal_moves(self):
        return [] if self.check_win(1) or self.check_win(-1) else [0, 1]

    def is_terminal(self):
        return not self.get_legal_moves()

    def check_win(self, player):
        return self.board[0 if player == 1 else 1] == player

    def get_result(self, player):
        return float(self.winner * player)

    def copy(self):
        twin = Corners()
        twin.board, twin.current_player = self.board, self.current_player
        return twin

    def get_state_hash(self):
        return self.board.tobytes(), self.current_player


@pytest.mark.parametrize("to_move", [1, -1])
def test_where_both_have_won_the_last_mover_counts(to_move):
    env = Corners()
    env.board = [1, -1, 0, 0, 0, 0, 0, 0, 0]
    env.current_player = to_move
    assert env.winner == -to_move
    assert env.done


# ------------------------------------------------------------------------ games as Python objects


def test_print_shows_the_board():
    env = ConnectFour(4, 4, 3)
    env.step("b")
    assert str(env) == "  a b c d\n4 . . . .\n3 . . . .\n2 . . . .\n1 . X . ."
    assert str(TicTacToe()) == TicTacToe().render(mode="ansi")
    assert repr(env) == "<connect-four-4x4x3: 1 move played, Yellow (O) to move>"


def test_games_are_equal_if_their_positions_are():
    one, other = TicTacToe(), TicTacToe()
    assert one == other
    one.step("b2")
    assert one != other
    other.board, other.current_player = one.board, -1
    assert (one == other, one.history == other.history) == (True, False)
    assert other != ConnectFour(3, 3, 3)
    assert TicTacToe(4, 3) != TicTacToe(4, 4)
    assert one != "tictactoe"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
    assert {one.get_state_hash()} == {other.get_state_hash()}


@pytest.mark.parametrize(
    ("game", "name", "move"),
    [
        ("tictactoe", "b2", 4),
        ("tictactoe", " C3 ", 8),
        ("tictactoe", "2,3", 5),
        ("connect-four", "d", 3),
        ("connect-four", "d1", 3),
        ("gomoku", "h8", 112),
        ("reversi", "f5", 37),
        ("race", "b1", 1),
    ],
)
def test_step_takes_names(game, name, move):
    env = Race() if game == "race" else make_game(game)
    twin = env.copy()
    env.step(name)
    twin.step(move)
    assert env == twin
    assert env.history == [move]


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "reversi", "race"])
@pytest.mark.parametrize("text", ["4", " 3", "٣", "", "z9", "b2 c3", "no"])
def test_step_refuses_digits_and_other_text(game, text):
    env = Race() if game == "race" else make_game(game)
    before = env.copy()
    with pytest.raises(InvalidMoveError):
        env.step(text)
    assert env == before
    assert env.history == []
    if text == "4":
        with pytest.raises(InvalidMoveError, match="is not the name of a move; use a name such as"):
            env.step(text)


# ---------------------------------------------------------------- classes that leave methods out


@pytest.fixture
def handout():
    return HandoutTicTacToe()


def test_a_class_of_five_methods_keeps_the_laws():
    check_game(HandoutTicTacToe, games=2)
    check_game(lambda: HandoutTicTacToe(4, 3), games=1)


def test_scenarios_of_the_handout(handout):
    assert handout.get_legal_actions() == handout.get_legal_moves() == list(range(9))
    for cell in (0, 3, 1, 4):
        handout.step(cell)
    board, reward, done, info = handout.step(2)
    assert (reward, done, info["winner"], info["winning_line"]) == (1.0, True, 1, [0, 1, 2])
    assert (handout.is_terminal(), handout.check_win(1), handout.get_result(-1)) == (True, True, -1)
    assert (handout.move_count, handout.last_move, handout.current_player) == (5, 2, 1)
    board = handout.reset()
    assert not np.shares_memory(board, handout.board)
    for cell in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        answer = handout.step(cell)
    assert (answer[1], answer[2], handout.winner) == (0.0, True, 0)
    assert handout.undo() == 8
    assert handout.get_legal_moves() == [8]
    assert handout.get_state_hash() == handout.copy().get_state_hash()


def test_refusals_of_the_handouts_class(handout):
    handout.step(4)
    before = handout.copy()
    for move, sentence in (
        (4, "Cell is taken"),  # its own words
        (-1, "-1 is not a legal move here"),  # would have marked c3
        (9, "9 is not a legal move here"),
        (True, "a move is a whole number"),
    ):
        with pytest.raises(ValueError, match=sentence):
            handout.step(move)
        assert handout == before


@pytest.mark.parametrize(
    ("board", "player", "winner"),
    [
        ([1, 1, 1, -1, -1, 0, 0, 0, 0], -1, 1),
        ([1, 1, 1, -1, -1, 0, 0, 0, 0], 1, 1),
        ([-1, 1, 1, -1, 1, 0, -1, 0, 0], 1, -1),
        ([1, -1, 1, 1, -1, -1, -1, 1, 1], -1, 0),
        ([1, 1, 0, -1, -1, 0, 0, 0, 0], 1, None),
        ([0] * 9, -1, None),
    ],
)
def test_an_assigned_board_is_judged_by_play(handout, board, player, winner):
    handout.board, handout.current_player, handout.done = np.array(board), player, False
    assert (handout.winner, handout.done) == (winner, winner is not None)
    assert handout.history == []
    assert bool(handout.get_legal_moves()) == (winner is None)


def test_solvers_play_the_handouts_class(handout):
    solver = MinimaxSolver()
    handout.step(0)
    assert solver._minimax(handout) == 0
    assert solver.nodes_evaluated == 1118
    handout.reset()
    handout.board = [1, 1, 0, -1, -1, 0, 0, 0, 0]
    assert solver.get_best_action(handout) == 2
    assert MCTSSolver(50, seed=1).search(handout) == 2


class TwoMethods(BaseGameEnv):
    """Three in a row on a strip of five: only ``step`` and the moves, and no call of the base."""

    def __init__(self, marks=3):
        self.marks = marks
        self.board = np.zeros(5, dtype=int)
        self.reset()

    def step(self, move):
        self.board[move] = self.current_player
        mine = "".join("x" if cell == self.current_player else "." for cell in self.board)
        if "x" * self.marks in mine:
            self.winner = self.current_player
        else:
            self.current_player *= -1

    def get_legal_moves(self):
        return np.flatnonzero(self.board == 0)[::-1]


def test_two_methods_are_enough():
    check_game(TwoMethods, games=4)
    env = TwoMethods(marks=2)
    assert (env.rows, env.cols, env.board_size) == (1, 5, (1, 5))
    for move in (0, 4, 1):
        answer = env.step(move)
    assert answer[1:3] == (1.0, True)
    assert answer[3]["winner"] == 1
    env.reset()
    assert (env.marks, env.history, env.board.tolist()) == (2, [], [0] * 5)


class OwnEnd(TwoMethods):
    """Says who has won by methods, and keeps no attributes."""

    def step(self, move):
        self.board[move] = self.current_player
        if not self.is_terminal():
            self.current_player *= -1

    def is_terminal(self):
        return bool(self.board[2]) or bool(self.board.all())

    def get_result(self, player):
        if not self.is_terminal():
            raise ValueError("not yet")
        return float(self.board[2] * player)


def test_the_methods_that_are_there_decide():
    env = OwnEnd()
    env.step(0)
    env.step(2)
    assert (env.winner, env.done, env.current_player, env.check_win(-1)) == (-1, True, -1, True)
    check_game(OwnEnd, games=3)


# ----------------------------------------------------------------------------- start and after


@pytest.mark.parametrize("make", [Race, TicTacToe, ConnectFour, HandoutTicTacToe, TwoMethods])
def test_start_and_after(make):
    env = make()
    moves = env.get_legal_moves()[:2]
    there = env.after(moves)
    assert (there.history, env.history) == (moves, [])
    assert there == env.after(iter(moves))
    begun = there.start()
    assert (begun.history, begun == env, there.history) == ([], True, moves)
    with pytest.raises(ValueError, match=r".+"):
        env.after([moves[0], -5])
    assert env.history == []


def test_the_start_is_the_board_that_was_set_up():
    env = TicTacToe()
    env.set_position([1, -1, 0, 0, 0, 0, 0, 0, 0], 1)
    there = env.after([4, 8])
    assert there.start() == env
    assert there.start().history == []


# --------------------------------------------------------------------------- recorded once


def test_many_moves_are_taken_back_in_any_order():
    env = HandoutTicTacToe()
    for move in (4, 0, 8, 2):
        env.step(move)
    positions = [env.copy()]
    for move in (8, 0):
        env.undo()
        env.undo()
        assert env.after([move]).undo() == move
        positions.append(env.copy())
    assert [game.history for game in positions] == [[4, 0, 8, 2], [4, 0], []]
    assert [game.undo() for game in positions[:2]] == [2, 0]


def test_a_subclass_has_the_gaps_of_its_parent():
    class NoCopy(Race):
        copy = BaseGameEnv.copy

    class Child(NoCopy):
        pass

    assert NoCopy._has_gaps
    assert Child._has_gaps
    assert not Race._has_gaps
    check_game(Child, games=2)


def test_a_default_reset_makes_the_same_game_again():
    class Sized(HandoutTicTacToe):
        def __init__(self, side):
            super().__init__(side)
            self.extra = side

        reset = BaseGameEnv.reset

    env = Sized(4)
    env.step(5)
    env.reset(-1)
    assert (env.board.tolist(), env.current_player, env.extra) == ([0] * 16, -1, 4)


def test_a_reset_that_calls_the_constructor():
    class Again(Race):
        def reset(self, first_player=1):
            self.__init__(self.cols)
            self.current_player = first_player
            return self.board.copy()

    env = Again(5)
    for move in (1, 1, 0):
        env.step(move)
    assert env.winner == 1
    env.reset()
    assert (env.winner, env.done, env.move_count, env.history) == (None, False, 0, [])


def test_a_class_with_other_players_keeps_its_own_form():
    class OneAndTwoFlat(HandoutTicTacToe):
        def step(self, action):
            self.board[action] = self.current_player
            if self._find_line(self.current_player):
                self.done, self.winner = True, self.current_player
            self.current_player = 3 - self.current_player

    env = OneAndTwoFlat()
    for action in (0, 3, 1, 4, 2):
        env.step(action)
    assert (env.winner, env.current_player, env.board.tolist()[:5]) == (1, 2, [1, 1, 1, 2, 2])
    assert (as_game(env).winner, as_game(OneAndTwoFlat()).get_legal_moves()) == (1, list(range(9)))


def test_a_copy_has_a_winning_line_of_its_own():
    env = HandoutTicTacToe().after([0, 3, 1, 4, 2])
    env.copy().winning_line.append(9)
    assert env.winning_line == [0, 1, 2]
