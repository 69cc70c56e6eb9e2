"""Handout D, part 4.1 to 4.3: Connect Four."""

import copy

from companion import equal, require, take


def own(name):
    return take("my_connect_four.py", name, 3)


def after(moves):
    board, player = own("create_board")(), "X"
    for column in moves:
        board = own("drop")(board, column, player)
        player = "O" if player == "X" else "X"
    return board


def test_empty_board():
    """six rows of seven blanks, each row a list of its own"""
    board = own("create_board")()
    equal(board, [[" "] * 7] * 6, "create_board()")
    require(len({id(row) for row in board}) == 6, "[[' '] * 7] * 6 holds one row six times")


def test_drop():
    """a disc lands in the lowest free cell; the old board stays as it is"""
    board = own("create_board")()
    before = copy.deepcopy(board)
    once = own("drop")(board, 3, "X")
    equal(once[5][3], "X", "row 5 (the bottom), column 3")
    equal(board, before, "the board that was passed in")
    equal(own("drop")(once, 3, "O")[4][3], "O", "row 4, column 3 after the second disc")


def test_full_column():
    """a full column is not available"""
    equal(own("available_columns")(after([0] * 6)), [1, 2, 3, 4, 5, 6], "available_columns")


def test_wins():
    """across, up and both diagonals; O too"""
    falling = [6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3]
    for moves, right in (
        ([0, 0, 1, 1, 2, 2, 3], "X"),
        ([3, 4, 3, 4, 3, 4, 3], "X"),
        ([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3], "X"),
        (falling, "X"),
        ([6, 0, 6, 1, 5, 2, 5, 3], "O"),
        ([], None),
    ):
        equal(own("winner")(after(moves)), right, f"winner after the columns {moves}")


def test_edges():
    """windows do not wrap round an edge"""
    board = own("create_board")()
    board[5][5] = board[5][6] = board[4][0] = board[4][1] = "X"
    equal(own("winner")(board), None, "winner with f1, g1, a2, b2")


def test_draw():
    """42 discs without a line are a draw"""
    moves = []
    for a, b in ((0, 1), (2, 3), (4, 5)):
        moves += [a, b] * 3 + [b, a] * 3
    equal(bool(own("is_draw")(after(moves + [6] * 6))), True, "is_draw of the full board")
    equal(bool(own("is_draw")(after([3]))), False, "is_draw after one disc")
