"""Handout E, 1.1 to 1.3: moves."""

from companion import equal, javascript, require

FILES = ["tic-tac-toe.js"]


def run(code):
    return javascript(FILES, code)


def test_first_move():
    """X opens at (0, 0): the matrix and the Move"""
    answer = run(
        "const g = new TicTacToe(X); const m = g.makeMove(0, 0);"
        "answer = [g.matrix, m.valid, m.row, m.col, m.player];"
    )
    equal(answer, [[[1, 0, 0], [0, 0, 0], [0, 0, 0]], True, 0, 0, 1], "matrix and Move")


def test_alternation():
    """X (1,1), O (0,0), X (2,2)"""
    matrix = run(
        "const g = new TicTacToe(X); g.makeMove(1, 1); g.makeMove(0, 0);"
        "g.makeMove(2, 2); answer = g.matrix;"
    )
    equal(matrix, [[2, 0, 0], [0, 1, 0], [0, 0, 1]], "matrix")


def test_o_opens():
    """O opens if the constructor says so"""
    equal(
        run("const g = new TicTacToe(O); g.makeMove(0, 0); answer = g.matrix[0][0];"),
        2,
        "cell (0, 0)",
    )


def test_same_cell_twice():
    """a taken cell: valid is false, nothing changes, the same player moves"""
    answer = run(
        "const g = new TicTacToe(X); g.makeMove(1, 1); const m = g.makeMove(1, 1);"
        "const n = g.makeMove(0, 0); answer = [m.valid, g.matrix, n.player];"
    )
    equal(answer, [False, [[2, 0, 0], [0, 1, 0], [0, 0, 0]], 2], "valid, matrix, next player")


def test_off_the_board():
    """(3, 0) and (-1, 0): refused, by valid = false or by an exception"""
    answer = run(
        "const g = new TicTacToe(X); answer = [[3, 0], [-1, 0], [0, 3]].map(([r, c]) => {"
        "try { return g.makeMove(r, c).valid; } catch (error) { return false; } });"
    )
    require(answer == [False] * 3, "a cell off the board must be refused")
