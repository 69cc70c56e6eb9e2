"""Tic-Tac-Toe: the rules, example by example, and all 255,168 games."""

import math
from collections import Counter

import numpy as np
import pytest

from rl_toolkit.envs import (
    GameError,
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    TicTacToe,
)


def play(moves, env=None):
    """Play the moves (names or indices) and give the game."""
    env = env or TicTacToe()
    for move in moves:
        env.step(env.parse_move(move) if isinstance(move, str) else move)
    return env


# --- a game from start to end ----------------------------------------------------------------


def test_a_new_game():
    env = TicTacToe()
    assert env.board.tolist() == [0] * 9
    assert env.board.dtype == np.int8
    assert (env.rows, env.cols, env.board_size, env.win_length) == (3, 3, 3, 3)
    assert env.current_player == 1
    assert (env.winner, env.done, env.move_count, env.last_move) == (None, False, 0, None)
    assert env.winning_line is None
    assert env.get_legal_moves() == env.get_legal_actions() == list(range(9))
    assert env.get_state_value() == env.get_state_hash()


def test_x_wins_on_the_diagonal():
    env = TicTacToe()
    for move in (4, 1, 0, 2):
        board, reward, done, info = env.step(move)
        assert (reward, done, info["winner"], info["winning_line"]) == (0.0, False, None, None)
    board, reward, done, info = env.step(8)
    assert board.tolist() == [1, -1, -1, 0, 1, 0, 0, 0, 1]
    assert (reward, done) == (1.0, True)
    assert info == {"winner": 1, "winning_line": [0, 4, 8], "move_count": 5, "last_move": 8}
    assert env.current_player == 1  # the turn stays with the player who ended the game
    assert env.get_legal_moves() == []
    assert (env.get_result(1), env.get_result(-1)) == (1.0, -1.0)
    assert env.check_win(1)
    assert not env.check_win(-1)


def test_o_wins_and_the_reward_is_still_player_ones():
    env = play(["a1", "b2", "a2", "c1", "c3"])
    _, reward, done, info = env.step(env.parse_move("a3"))
    assert (reward, done, info["winner"], info["winning_line"]) == (-1.0, True, -1, [2, 4, 6])
    assert (env.get_result(1), env.get_result(-1)) == (-1.0, 1.0)


def test_a_draw():
    env = play([0, 4, 8, 1, 7, 6, 2, 5])
    _, reward, done, info = env.step(3)
    assert (reward, done, info["winner"], info["winning_line"]) == (0.0, True, 0, None)
    assert env.get_result(1) == env.get_result(-1) == 0.0
    assert not env.check_win(1)
    assert not env.check_win(-1)


def test_either_player_may_open():
    env = TicTacToe()
    board = env.reset(first_player=-1)
    assert board.tolist() == [0] * 9
    env.step(4)
    assert (env.board[4], env.current_player) == (-1, 1)
    with pytest.raises(ValueError, match="a player is \\+1 or -1, not 0"):
        env.reset(first_player=0)
    assert env.move_count == 1


def test_there_is_no_result_while_the_game_runs():
    env = play([0])
    for player in (1, -1):
        with pytest.raises(ValueError, match="the game is not over"):
            env.get_result(player)
    for nobody in (0, None, True, "X"):
        with pytest.raises(ValueError, match="a player is"):
            env.check_win(nobody)


def test_what_is_handed_out_are_copies():
    env = TicTacToe()
    board = env.reset()
    board[:] = 1
    board, *_ = env.step(0)
    board[:] = -1
    assert env.board.tolist() == [1] + [0] * 8
    twin = env.copy()
    twin.step(1)
    twin.board[8] = 1
    assert env.board.tolist() == [1] + [0] * 8
    assert env.history == [0]


# --- winning lines ------------------------------------------------------------------------------

LINES = [
    *([3 * row, 3 * row + 1, 3 * row + 2] for row in range(3)),
    *([col, col + 3, col + 6] for col in range(3)),
    [0, 4, 8],
    [2, 4, 6],
]


@pytest.mark.parametrize("player", [1, -1])
@pytest.mark.parametrize("line", LINES, ids=str)
def test_every_line_wins_with_any_of_its_cells_last(line, player):
    for last in line:
        env = TicTacToe()
        env.reset(first_player=player)
        others = [cell for cell in range(9) if cell not in line]
        # Two other cells cannot make a line, so the opponent cannot be first.
        for own, other in zip([cell for cell in line if cell != last], others, strict=False):
            env.step(own)
            env.step(other)
        assert not env.done
        _, reward, done, info = env.step(last)
        assert (reward, done, info["winning_line"]) == (float(player), True, line)
        assert env.winning_line == line
        assert env.winning_lines == [line]


def test_one_move_may_complete_two_lines():
    env = TicTacToe()
    env.set_position([1, 1, 0, -1, -1, 1, -1, -1, 1], player=1)
    _, reward, _, info = env.step(2)
    assert reward == 1.0
    assert env.winning_lines == [[0, 1, 2], [2, 5, 8]]
    assert info["winning_line"] == env.winning_line == [0, 1, 2]


def test_a_row_longer_than_needed_wins_and_is_shown_whole():
    env = TicTacToe((1, 6), 3)
    env.set_position([1, 1, 0, 1, -1, -1], player=1)
    env.step(2)
    assert env.winning_line == [0, 1, 2, 3]


def test_lines_do_not_wrap_around_the_edge():
    env = TicTacToe()
    env.set_position([0, 1, 1, 1, -1, -1, 0, 0, 0], player=-1)
    assert env.winner is None


# --- boards of other sizes ---------------------------------------------------------------------


def test_other_boards():
    env = TicTacToe((3, 4), 3)
    assert (env.rows, env.cols, env.board_size, env.win_length) == (3, 4, (3, 4), 3)
    assert env.get_legal_moves() == list(range(12))
    assert env.move_name(11) == "d3"
    assert play([3, 0, 6, 1, 9], TicTacToe((3, 4), 3)).winning_line == [3, 6, 9]
    assert TicTacToe((4, 4)).board_size == 4
    assert TicTacToe(5).win_length == 5
    assert TicTacToe((4, 6)).win_length == 4
    assert TicTacToe((1, 5)).win_length == 3


@pytest.mark.parametrize(
    ("size", "length", "sentence"),
    [
        (3, 2, "on a 3 × 3 board you need 3 in a row, not 2"),
        (3, 4, "you need 3 in a row"),
        ((3, 5), 6, "you need 3 to 5 in a row"),
        (3, 0, "you need 3 in a row"),
        (3, -3, "you need 3 in a row"),
        (3, 3.0, "win_length is a whole number, not 3.0"),
        (3, True, "win_length is a whole number, not True"),
        (3, "3", "win_length is a whole number"),
        (2, None, "2×2 is too small for three in a row"),
        (0, None, "a board has 1 to 99 rows and 1 to 26 columns"),
        (-1, None, "a board has 1 to 99 rows"),
        (27, None, "not 27 rows and 27 columns"),
        (10**40, None, "a board has 1 to 99 rows"),
        (True, None, "board_size is a whole number or a pair"),
        (3.0, None, "board_size is a whole number or a pair"),
        ("3", None, "board_size is a whole number or a pair"),
        ((3,), None, "board_size is a whole number or a pair"),
        ((3, 3, 3), None, "board_size is a whole number or a pair"),
        ((3, None), None, "board_size is a whole number or a pair"),
        (None, None, "board_size is a whole number or a pair"),
    ],
)
def test_boards_that_cannot_be(size, length, sentence):
    with pytest.raises(ValueError, match=sentence):
        TicTacToe(size, length)


# --- refused moves -----------------------------------------------------------------------------

NOT_MOVES = [True, False, np.True_, 4.0, np.float64(4), math.nan, None, [4], (4,), b"4"]


@pytest.mark.parametrize("move", NOT_MOVES, ids=repr)
def test_what_is_no_whole_number_is_no_move(move):
    env = play([0])
    with pytest.raises(InvalidMoveError, match="a move is a whole number, not"):
        env.step(move)
    assert (env.board.tolist(), env.current_player, env.history) == ([1] + [0] * 8, -1, [0])


@pytest.mark.parametrize("text", ["4", " 4", "d4", "", "x"])
def test_a_move_as_text_is_a_name(text):
    env = play([0])
    with pytest.raises(InvalidMoveError, match=r"is not the name of a move|is not a move here"):
        env.step(text)
    assert env.history == [0]
    env.step("b2")
    assert env.history == [0, 4]


@pytest.mark.parametrize(
    "move",
    [-1, 9, 100, 10**30, -(10**30), 10**5000, np.int8(-1)],
    ids=lambda move: f"{float(min(max(move, -1e9), 1e9)):g}",
)
def test_moves_off_the_board(move):
    env = play([0])
    with pytest.raises(IllegalMoveError, match="is off the board: cells run from 0 to 8"):
        env.step(move)
    assert (env.board.tolist(), env.current_player, env.history) == ([1] + [0] * 8, -1, [0])


def test_a_taken_cell_and_a_finished_game():
    env = play([4])
    with pytest.raises(IllegalMoveError, match=r"^b2 is taken by X$"):
        env.step(4)
    env.step(0)
    with pytest.raises(IllegalMoveError, match=r"^a1 is taken by O$"):
        env.step(0)
    env = play([0, 3, 1, 4, 2])
    with pytest.raises(GameOverError, match="the game is over"):
        env.step(8)
    assert env.history == [0, 3, 1, 4, 2]
    for error in (InvalidMoveError, IllegalMoveError, GameOverError, InvalidPositionError):
        assert issubclass(error, GameError)
        assert issubclass(error, ValueError)


def test_numpy_integers_are_integers():
    env = TicTacToe()
    for move in (np.int64(0), np.int8(1), np.uint8(2)):
        env.step(move)
    assert env.history == [0, 1, 2]
    assert all(type(move) is int for move in env.history)


# --- course code assigns ------------------------------------------------------------------------


def test_an_assigned_board_is_the_truth():
    env = play([8, 7, 6])
    env.board = np.array([1, 1, 0, -1, -1, 0, 0, 0, 0])
    env.current_player = 1
    env.done = False
    assert env.board.dtype == np.int8
    assert env.get_legal_moves() == [2, 5, 6, 7, 8]
    assert (env.history, env.move_count, env.last_move) == ([], 4, None)
    with pytest.raises(IllegalMoveError, match="no move to take back"):
        env.undo()
    _, reward, done, _ = env.step(2)
    assert (reward, done, env.history) == (1.0, True, [2])


def test_assigning_over_a_finished_game_and_back():
    env = play([0, 3, 1, 4, 2])
    assert env.done
    env.board = [0] * 9
    env.done = False
    assert (env.done, env.winner, env.winning_line) == (False, None, None)
    env.board = [[1, 1, 1], [-1, -1, 0], [0, 0, 0]]
    assert (env.done, env.winner, env.winning_line) == (True, 1, [0, 1, 2])
    env.done, env.winner, env.winning_line = False, None, None
    env.move_count, env.last_move = 0, 8
    assert (env.done, env.winner, env.winning_line) == (True, 1, [0, 1, 2])
    assert (env.move_count, env.last_move) == (5, None)


def test_writing_into_the_board_changes_the_position():
    env = TicTacToe()
    before = env.get_state_hash()
    env.board[0] = env.board[1] = 1
    env.board[3:5] = -1
    assert env.get_state_hash() != before
    assert (env.move_count, env.done, env.history) == (4, False, [])
    env.board[2] = 1
    assert (env.winner, env.done, env.winning_line) == (1, True, [0, 1, 2])
    env.board[2] = 0
    assert env.get_legal_moves() == [2, 5, 6, 7, 8]


def test_assigning_the_player_clears_the_history():
    env = play([0, 1])
    env.current_player = -1
    assert env.history == []
    env.step(4)
    assert env.board[4] == -1
    with pytest.raises(InvalidPositionError, match="a player is"):
        env.current_player = 0


def test_a_board_by_hand_that_shows_two_winners_goes_to_the_last_mover():
    env = TicTacToe()
    env.board = [1, 1, 1, -1, -1, -1, 0, 0, 0]
    env.current_player = 1
    assert (env.winner, env.winning_lines) == (-1, [[3, 4, 5]])
    assert env.check_win(1)
    assert env.check_win(-1)


@pytest.mark.parametrize(
    ("board", "player", "sentence"),
    [
        ([0] * 8, 1, "^the board must have 9 cells, not 8$"),
        ([0] * 10, 1, "^the board must have 9 cells, not 10$"),
        ([2] + [0] * 8, 1, "^cell 0 holds 2; only -1, 0 and 1 are allowed$"),
        ([0] * 8 + [math.nan], 1, "^cell 8 holds nan; only -1, 0 and 1 are allowed$"),
        ([0] * 8 + [0.5], 1, "^cell 8 holds 0.5"),
        (["X"] * 9, 1, "^a board is a sequence of -1, 0 and 1, not "),
        (None, 1, "^a board is a sequence of -1, 0 and 1, not None$"),
        ([[1, 0], [0]], 1, "^a board is a sequence"),
        ([True] * 9, 1, "^a board is a sequence"),
        ([0] * 9, 0, "^a player is \\+1 or -1, not 0$"),
        ([0] * 9, True, "^a player is \\+1 or -1, not True$"),
        ([0] * 9, 1.0, "^a player is \\+1 or -1, not 1.0$"),
        ([1, 1] + [0] * 7, -1, "^players alternate, so 2 X and 0 O is not possible$"),
        ([1, -1, -1, -1] + [0] * 5, 1, "^players alternate, so 1 X and 3 O"),
        ([1, 1, 1, -1, -1, -1, 0, 0, 0], 1, "^both players have won on this board$"),
        ([1, 1, 1, -1, -1, 0, -1, -1, 0], 1, "^X has won, but O has moved since$"),
        ([-1, -1, -1, 1, 1, 0, 1, 1, 0], 1, "^O has won, but X has moved since$"),
    ],
)
def test_positions_that_cannot_be_set_up(board, player, sentence):
    env = play([0, 4])
    with pytest.raises(InvalidPositionError, match=sentence):
        env.set_position(board, player)
    assert (env.history, env.current_player) == ([0, 4], 1)


def test_set_position_takes_either_opener():
    env = TicTacToe()
    for board in ([1] + [0] * 8, [-1] + [0] * 8, [0] * 9):
        for player in (1, -1):
            env.set_position(np.array(board), player)
            assert (env.board.tolist(), env.current_player) == (board, player)
    env.set_position([1, -1, 1, 1, -1, -1, -1, 1, 1], 1)
    assert (env.winner, env.done, env.move_count) == (0, True, 9)


# --- names and drawings -------------------------------------------------------------------------


def test_names_of_moves():
    env = TicTacToe()
    assert [env.move_name(move) for move in (0, 2, 4, 6, 8)] == ["a1", "c1", "b2", "a3", "c3"]
    for text in ("b2", "B2", " b2 ", "4", "2,2", "2 , 2"):
        assert env.parse_move(text) == 4
    for text in ("", "d1", "a4", "a0", "9", "-1", "0,1", "4,1", "b", "2;2", "²", "1" * 400):
        with pytest.raises(
            InvalidMoveError, match="is not a move here; use a1-c3, 0-8, or row col"
        ):
            env.parse_move(text)
    for text in (4, None, True, b"b2"):
        with pytest.raises(InvalidMoveError, match="the name of a move is text"):
            env.parse_move(text)
    for move in (9, -1):
        with pytest.raises(InvalidMoveError, match="is not a move: moves run from 0 to 8"):
            env.move_name(move)


def test_render(capsys):
    env = play([0, 4])
    text = env.render(mode="ansi")
    assert capsys.readouterr().out == ""
    assert text.splitlines()[:3] == ["    a   b   c", "  +---+---+---+", "1 | X |   |   |"]
    assert env.render() is None
    assert capsys.readouterr().out == text + "\n"
    with pytest.raises(ValueError, match="render mode is 'human' or 'ansi', not 'loud'"):
        env.render(mode="loud")
    assert env._repr_svg_().startswith("<svg")
    assert repr(env) == "<tictactoe: 2 moves played, X to move>"
    assert repr(play([0, 3, 1, 4, 2])) == "<tictactoe: 5 moves played, over>"


# --- heuristic ----------------------------------------------------------------------------------


def heuristic_by_hand(env, player):
    """100 for a line that lacks one piece, 10 for two, the opponent's negative, / (100 × 9)."""
    score = 0
    for line in LINES:
        cells = [int(env.board[cell]) for cell in line]
        for side, sign in ((player, 1), (-player, -1)):
            if -side not in cells:
                score += sign * {2: 100, 1: 10}.get(cells.count(side), 0)
    return max(-1.0, min(1.0, score / 900))


def test_the_heuristic_weighs_open_lines():
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(100):
        env = TicTacToe()
        while not env.done:
            for player in (1, -1):
                value = env.evaluate_heuristic(player)
                assert value == pytest.approx(heuristic_by_hand(env, player))
                assert value == -env.evaluate_heuristic(-player)
                seen.add(value)
            env.step(int(rng.choice(env.get_legal_moves())))
        assert env.evaluate_heuristic(1) == env.get_result(1)
    assert len(seen) > 20


# --- everything -------------------------------------------------------------------------------


def test_all_games():
    """The whole tree, walked with step and undo; what lies below a position is counted once."""
    nodes, games, lengths = Counter(), Counter(), Counter()
    positions = {}
    env = TicTacToe()

    def visit():
        """How many nodes and games there are from here on, by ply, winner and length."""
        key = env.get_state_hash()
        if key not in positions:
            counts = Counter({("node", env.move_count): 1})
            if env.done:
                counts["won by", env.winner] += 1
                counts["length", env.move_count] += 1
            for move in env.get_legal_moves():
                env.step(move)
                counts += visit()
                env.undo()
            positions[key] = (env.move_count, env.done, counts)
        return positions[key][2]

    total = visit()
    for (what, which), count in total.items():
        {"node": nodes, "won by": games, "length": lengths}[what][which] = count
    assert [nodes[ply] for ply in range(10)] == [
        1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872,
    ]  # fmt: skip
    assert nodes.total() == 549_946
    assert games.total() == 255_168
    assert (games[1], games[-1], games[0]) == (131_184, 77_904, 46_080)
    assert [lengths[ply] for ply in range(5, 10)] == [1440, 5328, 47952, 72576, 127872]

    by_ply = Counter(ply for ply, _, _ in positions.values())
    assert [by_ply[ply] for ply in range(10)] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert len(positions) == 5478
    assert sum(done for _, done, _ in positions.values()) == 958

    turns = env.symmetries()
    classes, final = set(), set()
    for key, (_, done, _) in positions.items():
        board = np.frombuffer(key[:9], dtype=np.int8)
        image = min(turn.apply_to_board(board).tobytes() for turn in turns)
        classes.add(image)
        if done:
            final.add(image)
    assert (len(classes), len(final)) == (765, 138)
