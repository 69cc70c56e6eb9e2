"""Handout C, section 3: the engine."""

from companion import LINES, NotYet, equal, require, take


def own(name):
    return take("my_game.py", name, 1)


def board(text):
    return [" " if mark == "." else mark for mark in text]


def test_empty_board():
    """create_board: nine blanks"""
    equal(own("create_board")(), [" "] * 9, "create_board()")


def test_lines():
    """eight WIN_LINES"""
    lines = [sorted(line) for line in own("WIN_LINES")]
    if not lines:
        raise NotYet("my_game.py has no WIN_LINES yet: session 1 writes them")
    equal(sorted(lines), sorted(map(list, LINES)), "WIN_LINES")


def test_winner():
    """check_winner: rows, columns, diagonals; three blanks are no line"""
    for text, right in (
        ("XXX.O.O..", "X"),
        ("OX.OX.O.X", "O"),
        ("X.O.X.O.X", "X"),
        ("X.O.O.O.X", "O"),
        (".........", None),
        ("XOXXOOOXX", None),
    ):
        equal(own("check_winner")(board(text)), right, f"check_winner({text!r})")


def test_moves():
    """get_available_moves: the numbers of the blanks"""
    equal(own("get_available_moves")(board("X.O.X....")), [1, 3, 5, 6, 7, 8], "blanks of X.O.X....")


def test_terminal():
    """is_terminal: a win, or no blanks"""
    for text, right in (("XXX.O.O..", True), ("XOXXOOOXX", True), ("X........", False)):
        equal(bool(own("is_terminal")(board(text))), right, f"is_terminal({text!r})")


def test_make_move():
    """make_move returns a new list and leaves the old one alone"""
    before = board("X........")
    equal(own("make_move")(before, 4, "O"), board("X...O...."), "make_move(board, 4, 'O')")
    require(before == board("X........"), "make_move changed the board that it was given: copy it")
