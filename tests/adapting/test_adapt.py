"""Plain classes as students type them: `adapt_game` makes games of them or says what is missing."""

import pickle
import random
import re

import numpy as np
import pytest
from course_games import (
    TIC_TAC_TOES,
    FromOneToNine,
    ListOfColumns,
    ListOfRows,
    Mapping,
    MarkGiven,
    NewObjects,
    OneAndTwo,
    PlainConnectFour,
    PlainReversi,
    RewardsOnly,
    TopDown,
)

from rl_toolkit.algorithms.mcts import MCTSNode, MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.envs import (
    AdaptationError,
    ConnectFour,
    GameError,
    GameOverError,
    IllegalMoveError,
    InvalidPositionError,
    Reversi,
    TicTacToe,
    adapt_game,
    as_game,
    own_move,
)
from rl_toolkit.testing import check_game

OTHERS = (PlainConnectFour, TopDown, ListOfColumns, PlainReversi)


def small_connect_four():
    return PlainConnectFour(4, 5, 3)


@pytest.mark.parametrize(
    "plain",
    [*TIC_TAC_TOES, small_connect_four, ListOfColumns, PlainReversi],
    ids=lambda plain: plain.__name__,
)
def test_an_adapted_class_keeps_the_laws(plain):
    check_game(plain, games=1, seed=3)


@pytest.mark.full
@pytest.mark.parametrize("plain", [*TIC_TAC_TOES, *OTHERS], ids=lambda plain: plain.__name__)
def test_an_adapted_class_keeps_the_laws_in_many_games(plain):
    check_game(plain, games=20)


def same_games(adapted, reference, games):
    """Play random games in both; everything that a player sees is the same."""
    rng = random.Random(1)
    for number in range(games):
        one, two = adapted(), reference()
        if number % 2 and "first_player" in adapted.reset.__code__.co_varnames:
            one.reset(first_player=-1)
            two.reset(first_player=-1)
        while True:
            assert one.get_legal_moves() == two.get_legal_moves()
            assert one.board.tolist() == two.board.tolist()
            state = (one.current_player, one.winner, one.done, one.move_count, one.last_move)
            assert state == (
                two.current_player,
                two.winner,
                two.done,
                two.move_count,
                two.last_move,
            )
            if two.done:
                break
            move = rng.choice(two.get_legal_moves())
            assert one.step(move)[1:3] == two.step(move)[1:3]


@pytest.mark.parametrize("plain", TIC_TAC_TOES, ids=lambda plain: plain.__name__)
def test_they_are_all_the_same_game(plain):
    same_games(adapt_game(plain), TicTacToe, games=12)


def test_they_agree_with_the_games_of_the_toolkit():
    same_games(adapt_game(PlainConnectFour), ConnectFour, games=6)
    same_games(adapt_game(PlainReversi), lambda: Reversi(4), games=6)


def test_what_play_has_shown():
    def of(plain):
        traits = adapt_game(plain).traits
        return traits.move_by, traits.row_one_at, traits.pieces, traits.has_heuristic

    assert of(ListOfRows) == ("cell", "top", ("X", "O"), False)
    assert of(Mapping) == ("cell", "top", ("Cross", "Nought"), False)
    assert of(PlainConnectFour) == ("column", "bottom", ("X", "O"), True)
    assert of(TopDown) == ("column", "top", ("X", "O"), False)
    assert of(ListOfColumns) == ("column", "bottom", ("Red", "Yellow"), False)
    assert adapt_game(PlainReversi).traits.passes
    assert adapt_game(PlainReversi)().pass_move == 16
    assert adapt_game(PlainConnectFour)().parse_move("d") == 3
    assert adapt_game(ListOfRows).traits.rules[0].startswith("Rows of text, pairs as moves;")


def test_names_that_are_taken_begin_with_my():
    plain = type("ConnectFour", (PlainConnectFour,), {})
    assert adapt_game(plain).traits.name == "my-connect-four"
    plain = type("TicTacToe", (ListOfRows,), {})  # an alias
    assert adapt_game(plain).traits.title == "My Tic Tac Toe"


def test_the_constructor_takes_its_arguments():
    env = adapt_game(PlainConnectFour)(4, 5, win_length=3)
    assert (env.rows, env.cols, env.num_moves) == (4, 5, 5)
    for column in "abab":
        env.step(column)
    assert env.step("a")[3]["winner"] == 1
    env.reset()
    assert (env.rows, env.get_legal_moves()) == (4, [0, 1, 2, 3, 4])


def test_a_class_is_adapted_once_and_games_are_left_alone():
    assert adapt_game(ListOfRows) is adapt_game(ListOfRows)
    assert adapt_game(TicTacToe) is TicTacToe
    env = TicTacToe()
    assert adapt_game(env) is env
    assert as_game(env) is env
    assert own_move(env, 4) == 4


def test_an_object_in_use_is_read_as_it_is():
    game = ListOfRows()
    game.step((1, 1))
    game.step((0, 0))
    env = adapt_game(game)
    assert (env.board.tolist(), env.current_player) == ([-1, 0, 0, 0, 1, 0, 0, 0, 0], 1)
    env.step("b1")
    assert game.board[0][1] == " "
    for move in ((0, 1), (0, 2), (2, 1)):
        game.step(move)
    env = adapt_game(game)
    assert (env.winner, env.done, env.get_legal_moves()) == (1, True, [])
    env.reset()
    assert env.get_legal_moves() == list(range(9))


@pytest.mark.parametrize("plain", [*TIC_TAC_TOES], ids=lambda plain: plain.__name__)
def test_positions_can_be_set_up(plain):
    env = adapt_game(plain)()
    env.board = np.array([1, 1, 0, -1, -1, 0, 0, 0, 0])
    assert (env.winner, env.get_legal_moves(), env.history) == (None, [2, 5, 6, 7, 8], [])
    assert env.winning_moves(1) == [2]
    assert env.winning_moves(-1) == [5]
    env.set_position([1, 1, 1, -1, -1, 0, 0, 0, 0], -1)
    assert (env.winner, env.current_player) == (1, -1)
    with pytest.raises(GameOverError):
        env.step(8)
    env.set_position([1, -1, 1, 1, -1, -1, -1, 1, 1], 1)
    assert env.winner == 0


def test_heights_of_columns_are_right_after_a_position_was_set_up():
    env = adapt_game(TopDown)()
    cells = np.zeros(20, dtype=np.int8)
    cells[[15, 10, 16, 5]] = [1, -1, -1, 1]  # three in column a; the bottom row is the last
    env.set_position(cells, 1)
    env.step("a")
    assert env.last_move == 0


def test_objects_that_keep_more_than_their_board():
    """Heights are right after a turn was given, and a board that they contradict is refused."""
    env = adapt_game(TopDown)()
    for column in "aaaab":
        env.step(column)
    assert env.winning_moves(1) == env.winning_moves(-1) == []
    env.current_player = 1
    assert env.get_legal_moves() == [1, 2, 3, 4]
    env.step("b")
    assert env.last_move == 11
    cells = np.zeros(20, dtype=np.int8)
    cells[[15, 10, 5]] = 1  # three moves of one side in a row
    before = env.copy()
    with pytest.raises(InvalidPositionError, match="no order of moves leads to it"):
        env.set_position(cells, -1)
    assert env == before


def test_a_board_that_cannot_be_assigned_says_so():
    class ReadOnly(PlainReversi):
        board = property(PlainReversi.board.fget)

    env = adapt_game(ReadOnly)()
    cells = env.board.copy()
    cells[0] = 1
    before = env.copy()
    with pytest.raises(InvalidPositionError, match="its board cannot be assigned"):
        env.set_position(cells, 1)
    assert env == before


def test_adapted_games_pickle():
    env = adapt_game(OneAndTwo)()
    env.step("b2")
    again = pickle.loads(pickle.dumps(env))
    assert again == env
    assert again.undo() == 4


def test_prints_of_the_class_are_not_seen(capsys):
    env = adapt_game(FromOneToNine)()
    for move in (0, 3, 1, 4, 2):
        env.step(move)
    assert env.winner == 1
    with pytest.raises(IllegalMoveError):
        adapt_game(FromOneToNine)().step(9)
    assert capsys.readouterr().out == ""


# ------------------------------------------------------------------------------------- solvers


@pytest.mark.parametrize(
    ("game", "moves", "win"),
    [
        (ListOfRows, [(0, 0), (1, 0), (0, 1), (1, 1)], (0, 2)),
        (OneAndTwo, [(0, 0), (1, 0), (0, 1), (1, 1)], (0, 2)),
        (FromOneToNine, [1, 4, 2, 5], 3),
        (RewardsOnly, [0, 3, 1, 4], 2),
        (PlainConnectFour, [3, 4, 3, 4, 3, 4], 3),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_solvers_answer_in_the_words_of_the_class(game, moves, win):
    env = game()
    play = next(getattr(env, name) for name in ("step", "make_move", "play") if hasattr(env, name))
    for move in moves:
        play(*move) if game is OneAndTwo else play(move)
        if game is FromOneToNine:
            env.switch_player()
    assert MinimaxSolver(max_depth=3).get_best_action(env) == win
    table = MinimaxSolver(max_depth=3).get_candidate_evaluations(env)
    assert (table[win]["value"], table[win]["is_best"]) == (1.0, True)
    assert MCTSSolver(60, seed=1).search(env) == win
    assert MCTSSolver(60, seed=1).get_candidate_evaluations(env)[win]["is_best"]
    assert MCTSNode(env).env.current_player == 1
    assert MinimaxSolver(max_depth=3).analyse(env).best.outcome == "win"


def test_minimax_solves_a_plain_class():
    solver = MinimaxSolver()
    assert solver._minimax(NewObjects().step(0)) == 0
    assert solver.nodes_evaluated == 1118


def test_a_class_is_not_a_game_in_progress():
    with pytest.raises(TypeError, match=r"needs a game in progress: ListOfRows\(\)"):
        MinimaxSolver().get_best_action(ListOfRows)
    check_game(NewObjects(), games=1)
    check_game(lambda: MarkGiven(), games=1)
    with pytest.raises(TypeError, match="check_game takes a function"):
        check_game(3)


# ------------------------------------------------------------------------- what cannot be derived


class Nothing:
    """Not a game at all."""


class SharedBoard(ListOfRows):
    """Its board belongs to the class."""

    shared = [" "] * 9

    def __init__(self):
        super().__init__()
        self.winner = None

    board = property(lambda self: self.shared, lambda self, value: None)

    def get_legal_moves(self):
        return [k for k in range(9) if self.shared[k] == " "]

    def step(self, move):
        self.shared[move] = self.current_player
        self.current_player = "O" if self.current_player == "X" else "X"


class NoWinner(MarkGiven):
    check_win = None


class StuckTurn(ListOfRows):
    def step(self, move):
        super().step(move)
        self.current_player = "X"


class PlaysBoth(ListOfRows):
    def step(self, move):
        super().step(move)
        if self.get_legal_moves():
            super().step(self.get_legal_moves()[0])


class Dice(ListOfRows):
    rng = random.Random(1)

    def step(self, move):
        super().step(self.rng.choice(self.get_legal_moves()))


class Heaps(ListOfRows):
    def __init__(self):
        super().__init__()
        self.board = [3, 4, 5, 6]


class SamePieces(ListOfRows):
    def step(self, move):
        turn = self.current_player
        super().step(move)
        self.board[move[0]][move[1]] = "#"
        assert turn


class Asks(ListOfRows):
    def step(self, move):
        input("Your move? ")


class Refuses(ListOfRows):
    def step(self, move):
        return False


class Breaks(ListOfRows):
    def step(self, move):
        return self.board[99]


class NeedsArguments(ListOfRows):
    def __init__(self, name):
        super().__init__()


class WonAtOnce(ListOfRows):
    winner = property(lambda self: "X", lambda self, value: None)


class Chess(ListOfRows):
    """Moves from one place to another."""

    def get_legal_moves(self):
        return [("a", (r, c)) for r in range(3) for c in range(3) if self.board[r][c] == " "]

    def step(self, move):
        super().step((0, 0) if self.board[0][0] == " " else move[1])


class Pawns:
    """Three pawns each: a step forward, or (``captures``) diagonally onto a piece."""

    captures = True

    def __init__(self):
        self.board, self.turn = ["bbb", "   ", "www"], "w"

    def legal_moves(self):
        forward, found = -1 if self.turn == "w" else 1, []
        for row, col in [(r, c) for r in range(3) for c in range(3)]:
            for aside in (0, 1, -1):
                there = (row + forward, col + aside)
                if self.board[row][col] == self.turn and {*there} <= {0, 1, 2}:
                    target = self.board[there[0]][there[1]]
                    if (target == " ") == (aside == 0 or not self.captures) and target != self.turn:
                        found.append(((row, col), there))
        return found

    def play(self, move):
        rows = [list(row) for row in self.board]
        (row, col), (to_row, to_col) = move
        rows[row][col], rows[to_row][to_col] = " ", self.turn
        self.board = ["".join(each) for each in rows]
        self.turn = "b" if self.turn == "w" else "w"

    def winner(self):
        return "w" if "w" in self.board[0] else "b" if "b" in self.board[2] else None


class SlidingPawns(Pawns):
    captures = False

    def legal_moves(self):
        found = super().legal_moves()
        return [m for m in found if m[0][1] == m[1][1]] if self.board[1] == "   " else found


class FlatColumns:
    """Columns on a flat board whose sides are written nowhere, with a test of moves."""

    def __init__(self):
        self.cells, self.winner = [0] * 20, None

    def is_valid_move(self, column):
        return 0 <= column < 5 and self.cells[column] == 0

    def drop_piece(self, column, player):
        cell = max(cell for cell in range(column, 20, 5) if self.cells[cell] == 0)
        self.cells[cell] = player
        if cell < 5:
            self.winner = player


def test_the_sides_of_a_flat_board_follow_from_its_columns():
    env = adapt_game(FlatColumns)()
    assert (env.rows, env.cols, env.traits.move_by) == (4, 5, "column")
    check_game(FlatColumns, games=2)


@pytest.mark.parametrize(
    ("plain", "sentences"),
    [
        (Pawns, ["changes pieces and puts none on an empty cell; such moves need a class on"]),
        (SlidingPawns, ["lead to the same cell; moves from one cell to another need a class"]),
        (Nothing, ["it has no attribute `board`", "which moves are legal", "no method step(self"]),
        (SharedBoard, ["all its objects share one board: make it in __init__, as self.board"]),
        (NoWinner, ["it does not say who has won: add an attribute `winner`"]),
        (StuckTurn, ["after a move current_player is still 'X': let step pass the turn"]),
        (PlaysBoth, ["step((0, 0)) put down pieces of both players; a step is one player's move"]),
        (Dice, ["step((0, 0)) does not always do the same"]),
        (Heaps, ["its board holds 3, 4, 5, 6, …: a board has empty cells and the pieces of two"]),
        (SamePieces, ["both players put down '#', so their pieces look the same"]),
        (Asks, ["it asks for input while it is played"]),
        (Refuses, ["step((0, 0)) put no piece on its board and returned False"]),
        (Breaks, ["step((0, 0)) raised IndexError: list index out of range"]),
        (NeedsArguments, ["NeedsArguments() cannot be called without arguments"]),
        (WonAtOnce, ["it says that the game is won before the first move"]),
        (Chess, ["its moves, such as ('a', (0, 0)), could not be read: a move is a cell"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_be_derived_is_said(plain, sentences):
    with pytest.raises(AdaptationError) as caught:
        adapt_game(plain)
    text = str(caught.value)
    assert text.startswith(f"{plain.__name__} cannot be played yet: ")
    assert len(caught.value.problems) == len(sentences)
    for sentence in sentences:
        assert sentence in text


def test_objects_of_a_class_that_needs_arguments_are_adapted():
    class Named(PlainConnectFour):
        def __init__(self, name):
            super().__init__(4, 4, 3)
            self.name = name

        def reset(self):
            self.__init__(self.name)

        def copy(self):
            other = Named(self.name)
            other.__dict__.update(self.__dict__, board=self.board.copy())
            return other

    env = adapt_game(Named("mine"))
    env.step("b")
    assert env.board.tolist().index(1) == 1


def test_objects_of_another_size_are_adapted_without_a_reset():
    game = PlainConnectFour(4, 5, win_length=3)
    for column in (0, 1, 0, 1):
        game.step(column)
    env = adapt_game(game)
    assert (env.rows, env.cols, env.move_count) == (4, 5, 4)
    assert MinimaxSolver(max_depth=2).get_best_action(game) == 0
    env.step(0)
    assert env.winner == 1
    env.reset()
    for column in (0, 1, 0, 1, 0):
        env.step(column)
    assert env.winner == 1  # three win here, also after a reset
    env.set_position([1, -1, 0, 0, 0, 1, -1, 0, 0, 0, *[0] * 10], 1)
    assert env.winning_moves(1) == [0]

    class Other(ListOfRows):
        def __init__(self, length=3):
            super().__init__()
            self.board = [[" "] * length for _ in range(3)]

    with pytest.raises(AdaptationError, match=r"another board than Other\(\): add a method reset"):
        adapt_game(Other(5))

    class Tuples(NewObjects):
        """Its constructor takes the board, which is not a size."""

        def __init__(self, board=(".",) * 9, to_move="x"):
            super().__init__(board, to_move)

        def step(self, k):
            after = (*self.board[:k], self.to_move, *self.board[k + 1 :])
            return Tuples(after, "o" if self.to_move == "x" else "x")

    env = adapt_game(Tuples().step(4))
    assert env.board.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert env.reset().tolist() == [0] * 9


def test_errors_of_the_class_are_told_in_a_sentence():
    class Late(ListOfRows):
        def step(self, move):
            if sum(row.count(" ") for row in self.board) == 9 and self.armed:
                raise KeyError("boom")
            super().step(move)

        armed = False

    env = adapt_game(Late)()
    Late.armed = True
    with pytest.raises(GameError, match=re.escape("Late.step((0, 0)) raised KeyError: 'boom'")):
        env.step(0)
    assert env.history == []


def test_a_copy_that_forgets_is_replaced_by_a_deep_copy():
    class Forgetful(OneAndTwo):
        def clone(self):
            other = super().clone()
            other.turn = 1
            return other

    same_games(adapt_game(Forgetful), TicTacToe, games=2)


def test_a_class_whose_turn_cannot_be_given_is_always_opened_by_the_same_side():
    class Counting(MarkGiven):
        """The turn follows from the number of pieces."""

        @property
        def current_player(self):
            return "XO"[sum(cell != " " for cell in self.board) % 2]

        def make_move(self, position):
            super().make_move(position, self.current_player)

    check_game(Counting, games=1)
    env = adapt_game(Counting)()
    assert env.reset().tolist() == [0] * 9
    with pytest.raises(TypeError):
        env.reset(first_player=-1)
    with pytest.raises(InvalidPositionError):
        env.set_position([0] * 9, -1)
    assert env.winning_moves(-1) == []
