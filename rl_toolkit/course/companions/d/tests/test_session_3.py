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
    require(board == before, "drop changes the board that it is given: copy each of its rows")
    equal(own("drop")(once, 3, "O")[4][3], "O", "row 4, column 3 after the second disc")


def test_full_column():
    """a full column is not available; one with a free cell is"""
    for count in (1, 5):
        columns = own("available_columns")(after([0] * count))
        equal(columns, list(range(7)), f"available_columns with {count} of six discs in column 0")
    columns = own("available_columns")(after([0] * 6))
    equal(columns, [1, 2, 3, 4, 5, 6], "available_columns with column 0 full")


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
    for cells in (
        ((5, 5), (5, 6), (4, 0), (4, 1)),
        ((5, 5), (4, 6), (3, 0), (2, 1)),
        ((1, 0), (0, 1), (5, 2), (4, 3)),
        ((1, 3), (0, 3), (5, 3), (4, 3)),
    ):
        board = own("create_board")()
        for row, column in cells:
            board[row][column] = "X"
        names = ", ".join("abcdefg"[column] + str(6 - row) for row, column in cells)
        equal(own("winner")(board), None, f"winner with X on {names} only")


def test_draw():
    """42 discs without a line are a draw"""
    moves = []
    for a, b in ((0, 1), (2, 3), (4, 5)):
        moves += [a, b] * 3 + [b, a] * 3
    equal(bool(own("is_draw")(after(moves + [6] * 6))), True, "is_draw of the full board")
    equal(bool(own("is_draw")(after([3]))), False, "is_draw after one disc")
