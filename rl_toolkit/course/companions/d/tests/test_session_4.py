"""Handout D, part 4.4 to 4.7: a good player."""

import math

from companion import equal, require, take
from test_session_3 import after


def own(name):
    return take("my_connect_four.py", name, 4)


def test_windows():
    """window_score: own three above own two, mixed windows 0, O's are negative"""
    score = own("window_score")
    three, two = score(list("XXX ")), score(list("XX  "))
    require(three > two > 0, f"XXX_ gives {three} and XX__ {two}: three must be worth more")
    equal(score(list("XXO ")), 0, "window_score of a mixed window")
    require(score(list("OOO ")) < score(list("OO  ")) < 0, "O's windows count against X")
    require(score(list("XXXX")) > 100 * three / 2, "four in a row is worth far more than three")


def test_finite():
    """minimax: wins are large and finite (erratum R40)"""
    value = own("minimax")(after([3, 4, 3, 4, 3, 4]), 2, "X")
    require(math.isfinite(value), f"a win is large and finite, yours is {value}")
    require(value > 1000, f"X wins at d: the value is large, yours is {value}")


def test_takes_wins():
    """best_column takes a win in one, for X and for O, at depth 1 to 3"""
    for depth in (1, 2, 3):
        for moves, player, right in (
            ([3, 4, 3, 4, 3, 4], "X", 3),
            ([3, 4, 3, 4, 3, 4, 0], "O", 4),
            ([0, 6, 1, 6, 2, 5], "X", 3),
        ):
            column = own("best_column")(after(moves), depth, player)
            equal(column, right, f"best_column at depth {depth} after {moves}, {player} to move")


def test_blocks():
    """best_column blocks three in a row, at depth 2"""
    equal(own("best_column")(after([3, 0, 3, 0, 3]), 2, "O"), 3, "best_column, X threatens d4")


def test_lost_position():
    """an open three loses: still a move, not None (erratum R40)"""
    column = own("best_column")(after([2, 0, 3, 0, 4]), 2, "O")
    require(column in range(7), f"every move loses here; best_column returned {column!r}")


def test_all_moves_are_looked_at():
    """a win in the last column is found (erratum R39)"""
    column = own("best_column")(after([6, 0, 6, 0, 6, 1]), 1, "X")
    equal(column, 6, "best_column with a win at g; does a return stand inside the loop?")


def test_against_random():
    """four games against random moves from both seats, depth 2, none lost"""
    import random

    lines = own("winner")
    for number in range(4):
        chance, board, player = random.Random(number), own("create_board")(), "X"
        while lines(board) is None and any(cell == " " for cell in board[0]):
            if (player == "X") == (number % 2 == 0):
                column = own("best_column")(board, 2, player)
            else:
                column = chance.choice(own("available_columns")(board))
            board = own("drop")(board, column, player)
            player = "O" if player == "X" else "X"
        mine = "X" if number % 2 == 0 else "O"
        require(lines(board) in (mine, None), f"{mine} lost a game to random moves (seed {number})")
