"""Gomoku: five in a row on a large board, freestyle and standard."""

import numpy as np
import pytest

from rl_toolkit.envs import Gomoku, IllegalMoveError, InvalidMoveError, InvalidPositionError


def with_stones(env, black=(), white=(), player=1):
    """Put stones on named squares."""
    board = np.zeros(env.rows * env.cols, dtype=np.int8)
    board[[env.parse_move(name) for name in black]] = 1
    board[[env.parse_move(name) for name in white]] = -1
    env.board, env.current_player = board, player
    return env


def test_a_new_game():
    env = Gomoku()
    assert (env.rows, env.cols, env.board_size, env.win_length) == (15, 15, 15, 5)
    assert (env.rule, env.name) == ("freestyle", "gomoku-15")
    assert len(env.get_legal_moves()) == env.num_moves == 225


def test_a1_is_bottom_left_and_h8_the_centre():
    env = Gomoku()
    assert (env.parse_move("a1"), env.parse_move("h8"), env.parse_move("o15")) == (0, 112, 224)
    env.step(env.parse_move("a1"))
    lines = env.render(mode="ansi").splitlines()
    assert lines[0].split() == list("abcdefghijklmno")
    assert lines[1].split() == ["15", *["."] * 15]
    assert lines[-1].split() == ["1", "X", *["."] * 14]


@pytest.mark.parametrize(("right", "up"), [(1, 0), (0, 1), (1, 1), (-1, 1)])
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_five_in_every_direction(rule, right, up):
    """Each five through the centre wins whichever of its stones comes last."""
    env = Gomoku(9, rule=rule)
    cells = sorted((4 + i * up) * 9 + 4 + i * right for i in range(-2, 3))
    for last in cells:
        env.board = [1 if cell in cells and cell != last else 0 for cell in range(81)]
        env.current_player = 1
        assert env.winner is None
        _, reward, done, info = env.step(last)
        assert (reward, done, info["winning_line"]) == (1.0, True, cells)
        assert env.check_win(1)
        assert not env.check_win(-1)


def test_six_win_in_freestyle_only():
    black, white = ["c5", "d5", "e5", "g5", "h5"], ["a1", "a3", "a5", "a7", "a9"]
    free = with_stones(Gomoku(9), black, white)
    free.step(free.parse_move("f5"))
    assert free.winner == 1
    assert free.winning_line == [free.parse_move(f"{letter}5") for letter in "cdefgh"]

    standard = with_stones(Gomoku(9, rule="standard"), black, white)
    _, reward, done, info = standard.step(standard.parse_move("f5"))
    assert (reward, done, info["winning_line"]) == (0.0, False, None)
    assert not standard.check_win(1)
    assert standard.current_player == -1


def test_a_five_wins_beside_an_overline():
    """In the standard game one stone makes six in a row and five in a column: the five counts."""
    row, column = ["c5", "d5", "e5", "g5", "h5"], ["f3", "f4", "f6", "f7"]
    env = with_stones(Gomoku(9, rule="standard"), row + column)
    env.step(env.parse_move("f5"))
    assert env.winning_lines == [[env.parse_move(f"f{number}") for number in range(3, 8)]]

    env = with_stones(Gomoku(9), row + column)
    env.step(env.parse_move("f5"))
    assert [len(line) for line in env.winning_lines] == [6, 5]


def test_two_fives_at_once():
    row, diagonal = ["d5", "e5", "g5", "h5"], ["d3", "e4", "g6", "h7"]
    env = with_stones(Gomoku(9, rule="standard"), row + diagonal)
    env.step(env.parse_move("f5"))
    assert len(env.winning_lines) == 2
    assert env.winning_line == [env.parse_move(f"{letter}5") for letter in "defgh"]


def test_four_are_not_enough_and_lines_do_not_wrap():
    env = with_stones(Gomoku(9), ["f1", "g1", "h1", "i1", "a2"])
    assert env.winner is None
    env = with_stones(Gomoku(9), white=["f1", "g1", "h1", "i1", "e1"])
    assert env.winner == -1


def test_another_length():
    env = Gomoku(9, 6)
    assert env.name == "gomoku-9x9x6"
    with_stones(env, ["a1", "b1", "c1", "d1", "e1"])
    assert env.winner is None
    env.step(env.parse_move("f1"))
    assert env.winner == 1


def test_a_full_board_is_a_draw():
    """Rows in pairs, shifted: no five in any direction."""
    pattern = [[1, 1, -1, -1, 1, 1, -1, -1, 1], [-1, -1, 1, 1, -1, -1, 1, 1, -1]]
    board = np.array([pattern[row % 2] for row in range(9)]).ravel()
    env = Gomoku(9)
    last = 80
    free = board.copy()
    free[last] = 0
    env.board, env.current_player = free, int(board[last])
    assert not env.done
    _, reward, done, info = env.step(last)
    assert (reward, done, info["winner"]) == (0.0, True, 0)


@pytest.mark.parametrize("size", range(5, 21))
def test_every_size_can_be_made(size):
    for rule in ("freestyle", "standard"):
        env = Gomoku(size, rule=rule)
        assert len(env.board) == size * size
        assert env.name.startswith(f"gomoku-{size}")
        assert env.name.endswith("-standard") == (rule == "standard")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"board_size": 4}, r"^Gomoku is played on a square board of 5 to 20 rows, not 4$"),
        ({"board_size": 21}, r"^Gomoku is played on a square board of 5 to 20 rows, not 21$"),
        ({"board_size": (9, 13)}, "Gomoku is played on a square board"),
        ({"board_size": True}, "board_size is a whole number or a pair"),
        ({"board_size": None}, "board_size is a whole number or a pair"),
        ({"rule": "renju"}, r"^rule is 'freestyle' or 'standard', not 'renju'$"),
        ({"win_length": 2}, "you need 3 to 15 in a row"),
        ({"win_length": 16}, "you need 3 to 15 in a row"),
        ({"win_length": 5.0}, "win_length is a whole number"),
    ],
)
def test_games_that_cannot_be(arguments, sentence):
    with pytest.raises(InvalidPositionError, match=sentence):
        Gomoku(**arguments)


def test_refused_moves():
    env = Gomoku(9)
    env.step(40)
    for move, error, sentence in [
        (40, IllegalMoveError, r"^e5 is taken by Black \(X\)$"),
        (81, IllegalMoveError, "cell 81 is off the board: cells run from 0 to 80"),
        (-1, IllegalMoveError, "off the board"),
        (40.0, InvalidMoveError, "a whole number, not 40.0"),
        (True, InvalidMoveError, "a whole number, not True"),
    ]:
        with pytest.raises(error, match=sentence):
            env.step(move)
    assert env.history == [40]


def test_positions_that_cannot_be_set_up():
    env = Gomoku(9)
    row = [1] * 5 + [0] * 4
    for board, sentence in [
        ([0] * 80, "must have 81 cells"),
        ([1, 1] + [0] * 79, r"players alternate, so 2 Black \(X\) and 0 White \(O\)"),
        (row + [-1] * 5 + [0] * 67, "both players have won"),
        (
            row + [-1, -1, 0, -1, -1, 0, -1, 0, -1] + [0] * 63,
            r"Black \(X\) has won, but White \(O\) has moved since",
        ),
    ]:
        with pytest.raises(InvalidPositionError, match=sentence):
            env.set_position(board, 1)
    # Six in a row do not win in the standard game, so the other side may have moved since.
    env = Gomoku(9, rule="standard")
    env.set_position([1] * 6 + [0] * 3 + [-1, -1, 0] * 3 + [0] * 9 + [-1] + [0] * 53, 1)
    assert env.winner is None


def heuristic_by_hand(env, player):
    """Patterns, window by window: see the weights in gomoku.py."""
    side, score = env.rows, 0
    for start in range(side * side):
        row, col = divmod(start, side)
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for length in (5, 6):
                end_row, end_col = row + (length - 1) * up, col + (length - 1) * right
                if not (0 <= end_row < side and 0 <= end_col < side):
                    continue
                cells = [int(env.board[start + i * (up * side + right)]) for i in range(length)]
                for who, sign in ((player, 1), (-player, -1)):
                    if -who in cells:
                        continue
                    if length == 5:
                        score += sign * {1: 400, 2: 50, 3: 10, 4: 8}.get(cells.count(0), 0)
                    elif cells[0] == cells[-1] == 0:
                        score += sign * {0: 4000, 1: 300, 2: 40}.get(cells[1:-1].count(0), 0)
    return max(-1.0, min(1.0, score / 10_000))


def test_the_heuristic_counts_patterns():
    rng = np.random.default_rng(7)
    env = Gomoku(9)
    for _ in range(3):
        env.reset()
        while not env.done:
            value = env.evaluate_heuristic(1)
            assert value == pytest.approx(heuristic_by_hand(env, 1))
            assert env.evaluate_heuristic(-1) == -value
            env.step(int(rng.choice(env.get_legal_moves())))
        assert env.evaluate_heuristic(1) == env.get_result(1)


def test_an_open_four_is_worth_more_than_a_closed_one():
    open_four = with_stones(Gomoku(9), ["c5", "d5", "e5", "f5"])
    closed = with_stones(Gomoku(9), ["c5", "d5", "e5", "f5"], ["b5"])
    assert open_four.evaluate_heuristic(1) > closed.evaluate_heuristic(1) > 0
