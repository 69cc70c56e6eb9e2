"""Connect Four: gravity, lines, the constructed draw, and what course code does to the board."""

import math

import numpy as np
import pytest

from rl_toolkit.envs import (
    ConnectFour,
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
)


def play(columns, env=None):
    """Drop pieces into columns given as letters: ``play("ddc")``."""
    env = env or ConnectFour()
    for letter in columns:
        env.step("abcdefghijklmnopqrstuvwxyz".index(letter))
    return env


# --- board and gravity -------------------------------------------------------------------------


def test_a_new_game():
    env = ConnectFour()
    assert (env.rows, env.cols, env.board_size, env.win_length) == (6, 7, 42, 4)
    assert env.board.tolist() == [0] * 42
    assert env.get_legal_moves() == [0, 1, 2, 3, 4, 5, 6]
    assert env.num_moves == 7
    assert env.name == "connect-four"


def test_pieces_fall_and_row_0_is_the_bottom():
    env = ConnectFour()
    board, reward, done, info = env.step(3)
    assert (board[3], reward, done) == (1, 0.0, False)
    assert env.last_move == info["last_move"] == 3
    env.step(3)
    assert env.board[10] == -1
    assert env.last_move == 10  # the cell, not the column
    env.step(0)
    assert (env.board[0], env.last_move, env.history) == (1, 0, [3, 3, 0])


def test_the_landing_row_and_a_full_column():
    env = ConnectFour()
    for row in range(6):
        assert env._find_lowest_row(2) == row
        assert 2 in env.get_legal_moves()
        env.step(2)
    assert env._find_lowest_row(2) is None
    assert env.get_legal_moves() == [0, 1, 3, 4, 5, 6]
    with pytest.raises(IllegalMoveError, match=r"^column c is full$"):
        env.step(2)
    assert env.move_count == 6


def test_render_shows_the_top_row_first():
    text = play("ddg").render(mode="ansi")
    assert text.splitlines() == [
        "  a b c d e f g",
        "6 . . . . . . .",
        "5 . . . . . . .",
        "4 . . . . . . .",
        "3 . . . . . . .",
        "2 . . . O . . .",
        "1 . . . X . . X",
    ]


# --- winning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "winner", "line"),
    [
        ("aabbccd", 1, [0, 1, 2, 3]),
        ("gafbecd", 1, [3, 4, 5, 6]),
        ("dcdcdcd", 1, [3, 10, 17, 24]),
        ("gdcdcdcd", -1, [3, 10, 17, 24]),
        ("abbccdcddgd", 1, [0, 8, 16, 24]),  # up and to the right
        ("gffeededdad", 1, [6, 12, 18, 24]),  # up and to the left
    ],
)
def test_four_in_every_direction(columns, winner, line):
    env = play(columns[:-1])
    assert (env.winner, env.winning_line) == (None, None)
    play(columns[-1], env)
    assert (env.winner, env.winning_line) == (winner, line)
    assert env.get_result(winner) == 1.0
    assert env.get_result(-winner) == -1.0
    assert env.current_player == winner
    assert env.get_legal_moves() == []


def test_every_window_of_four_wins():
    """Each of the 69 lines wins alone on a board, and not without one of its cells."""
    env = ConnectFour()
    windows = [
        [(row + i * down) * 7 + col + i * right for i in range(4)]
        for row in range(6)
        for col in range(7)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + 3 * down < 6 and 0 <= col + 3 * right < 7
    ]
    assert len(windows) == 69
    for window in windows:
        env.board = [-1 if cell in window else 0 for cell in range(42)]
        assert (env.winner, env.winning_line) == (-1, sorted(window))
        for gap in window:
            env.board[:] = 0
            env.board[[cell for cell in window if cell != gap]] = 1
            assert env.winner is None


def test_six_in_a_row_and_two_lines_at_once():
    env = ConnectFour()
    env.set_position(_board("X X X . X X .", "O O . . O O ."), player=1)
    env.step(3)
    assert env.winning_lines == [[0, 1, 2, 3, 4, 5]]

    env = play("fcgffgeggggcec")
    env.step(3)  # d1 completes the bottom row and a diagonal
    assert env.winning_lines == [[3, 4, 5, 6], [3, 11, 19, 27]]
    assert env.winning_line == [3, 4, 5, 6]


def _board(*rows):
    """A 6×7 board from its lower rows, the lowest first."""
    cells = [{"X": 1, "O": -1, ".": 0}[cell] for row in rows for cell in row.split()]
    return cells + [0] * (42 - len(cells))


def test_the_recipe_that_fills_column_after_column_is_no_draw():
    """X stands at the bottom of every column, so d1 wins long before the board is full."""
    env = play("aaaaaa" + "bbbbbb" + "cccccc")
    assert not env.done
    env.step(3)
    assert (env.winner, env.winning_line, env.move_count) == (1, [0, 1, 2, 3], 19)


def test_a_row_at_the_bottom_ends_the_game_before_any_diagonal():
    """A "diagonal" exercise that lets O collect b1 to e1 is over when O has them."""
    env = play("abgcgdg")
    env.step(4)
    assert (env.winner, env.winning_line) == (-1, [1, 2, 3, 4])
    with pytest.raises(GameOverError, match="the game is over"):
        env.step(0)


def test_a_constructed_draw():
    """Columns in pairs that begin alike: X X O O X X at the bottom, so no line ever gets long.

    A single piece in column g before the second and the third pair changes who begins them.
    """
    moves = "aaaaaabbbbbb" + "g" + "ccccccdddddd" + "g" + "eeeeeeffffff" + "ggg"
    env = play(moves)
    assert not env.done
    _, reward, done, info = env.step(6)
    assert (reward, done, info["winner"], info["winning_line"]) == (0.0, True, 0, None)
    assert env.board_2d[0].tolist() == [1, 1, -1, -1, 1, 1, 1]
    assert np.count_nonzero(env.board) == env.move_count == 42
    assert env.get_result(1) == env.get_result(-1) == 0.0
    env.undo()
    assert env.get_legal_moves() == [6]


# --- refused moves ------------------------------------------------------------------------------


@pytest.mark.parametrize("move", [-1, 7, 41, 10**30, np.int8(-7)])
def test_columns_off_the_board(move):
    env = play("d")
    with pytest.raises(IllegalMoveError, match="is off the board: columns run from 0 to 6"):
        env.step(move)
    assert env.history == [3]


@pytest.mark.parametrize("move", [True, 3.0, math.nan, "4", None, [3]])
def test_what_is_no_whole_number_is_no_move(move):
    env = play("d")
    with pytest.raises(
        InvalidMoveError, match=r"a move is a whole number|is not the name of a move"
    ):
        env.step(move)
    assert env.history == [3]


# --- names ---------------------------------------------------------------------------------------


def test_columns_are_letters_or_numbers_from_1():
    env = play("dd")
    assert [env.move_name(move) for move in range(7)] == list("abcdefg")
    for text in ("d", "D", " d ", "4", "d3"):  # d3 is where the piece would fall
        assert env.parse_move(text) == 3
    assert (env.parse_move("1"), env.parse_move("7"), env.parse_move("a1")) == (0, 6, 0)
    for text in ("", "h", "0", "8", "-1", "dd", "4,1", "①", None, 3, "h1"):
        with pytest.raises(InvalidMoveError, match="moves are columns, a-g or 1-7"):
            env.parse_move(text)
    for move in (-1, 7):
        with pytest.raises(InvalidMoveError, match="is not a column: columns run from 0 to 6"):
            env.move_name(move)


def test_a_square_must_be_where_the_piece_falls():
    env = play("dd")
    for text in ("d1", "d4", "d0"):
        with pytest.raises(InvalidMoveError, match="it would land on d3"):
            env.parse_move(text)
    env = play("dddddd")
    with pytest.raises(InvalidMoveError, match="cannot land on 'd6' now: column d is full"):
        env.parse_move("d6")


# --- course code assigns -------------------------------------------------------------------------


def test_an_assigned_board_is_the_truth():
    env = play("abc")
    env.board = np.array(_board("X X X . O O O"))
    env.current_player = -1
    env.done = False
    assert (env.history, env.move_count) == ([], 6)
    assert env._find_lowest_row(0) == 1
    _, reward, _, info = env.step(3)
    assert (reward, info["winning_line"]) == (-1.0, [3, 4, 5, 6])


def test_writing_into_the_board_ends_and_reopens_the_game():
    env = ConnectFour()
    env.board[0:4] = 1
    assert (env.winner, env.done, env.get_legal_moves()) == (1, True, [])
    env.board[3] = 0
    assert (env.winner, env.done) == (None, False)
    assert env.get_legal_moves() == list(range(7))


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ([0] * 41, r"^the board must have 42 cells, not 41$"),
        (
            _board("X X"),
            r"^players alternate, so 2 Red \(X\) and 0 Yellow \(O\) is not possible$",
        ),
        ([0] * 7 + [1] + [0] * 34, r"^the piece on a2 floats: the cell below it is empty$"),
        (_board("X . O . . . .", ". . . X . . O"), r"^the piece on d2 floats"),
        (_board("X X X X . . .", "O O O O . . ."), r"^both players have won on this board$"),
        (
            _board("X X X X . O O", "O O O . . . ."),
            r"^Red \(X\) has won, but Yellow \(O\) has moved since$",
        ),
    ],
)
def test_positions_that_cannot_be_set_up(board, sentence):
    env = play("dc")
    with pytest.raises(InvalidPositionError, match=sentence):
        env.set_position(board, 1)
    assert env.history == [3, 2]


def test_a_position_that_was_won_can_be_set_up():
    env = ConnectFour()
    env.set_position(_board("X X X X . . .", "O O O . . . ."), -1)
    assert (env.winner, env.done, env.winning_line, env.move_count) == (1, True, [0, 1, 2, 3], 7)


# --- other sizes -------------------------------------------------------------------------------


def test_other_sizes():
    env = ConnectFour(rows=4, cols=5, win_length=3)
    assert (env.board_size, env.name) == (20, "connect-four-4x5x3")
    assert play("aabbc", env).winning_line == [0, 1, 2]
    assert ConnectFour(4, 10).win_length == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((6, 7, 2), "you need 3 to 7 in a row"),
        ((6, 7, 8), "you need 3 to 7 in a row"),
        ((3, 3, 4), "you need 3 in a row"),
        ((0, 7), "a board has 1 to 99 rows"),
        ((6, 27), "1 to 26 columns"),
        ((6.0, 7), "board_size is a whole number or a pair"),
    ],
)
def test_boards_that_cannot_be(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        ConnectFour(*arguments)


# --- heuristic --------------------------------------------------------------------------------


def heuristic_by_hand(env, player):
    """The contract, cell by cell: windows of four, then the centre column."""
    score = 0
    for row in range(env.rows):
        for col in range(env.cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_col = row + 3 * down, col + 3 * right
                if not (0 <= last_row < env.rows and 0 <= last_col < env.cols):
                    continue
                window = [
                    env.board[(row + i * down) * env.cols + col + i * right] for i in range(4)
                ]
                own, enemy = window.count(player), window.count(-player)
                if enemy == 0:
                    score += {3: 100, 2: 10}.get(own, 0)
                if own == 0:
                    score -= {3: 100, 2: 10}.get(enemy, 0)
        # An even number of columns has two in the centre.
        for centre in {(env.cols - 1) // 2, env.cols // 2}:
            score += 3 * int(env.board[row * env.cols + centre]) * player
    return max(-1.0, min(1.0, score / (100 * env.rows * env.cols)))


@pytest.mark.parametrize("shape", [(6, 7), (5, 6), (8, 4)])
def test_the_heuristic_is_the_one_of_the_contract(shape):
    rng = np.random.default_rng(3)
    for _ in range(8):
        env = ConnectFour(*shape)
        while not env.done:
            value = env.evaluate_heuristic(1)
            assert value == pytest.approx(heuristic_by_hand(env, 1))
            assert env.evaluate_heuristic(-1) == -value
            env.step(int(rng.choice(env.get_legal_moves())))
        assert env.evaluate_heuristic(1) == env.get_result(1)


def test_known_values_of_the_heuristic():
    env = ConnectFour()
    assert env.evaluate_heuristic(1) == 0.0
    assert play("d").evaluate_heuristic(1) == pytest.approx(3 / 4200)
    assert play("dade").evaluate_heuristic(-1) == -play("dade").evaluate_heuristic(1)


def test_a_careful_player_weighs_threats_more():
    env = play("agbgc")  # X threatens d1
    plain = env.evaluate_heuristic(-1)
    assert env.careful().evaluate_heuristic(-1) == pytest.approx(plain - 20 / 4200)
    assert env.copy().evaluate_heuristic(-1) == env.evaluate_heuristic(-1)
