"""Handout E, 2.3: a naive player."""

from companion import equal, javascript


def test_first_free_cell():
    """naiveMove plays the first free cell, row by row"""
    answer = javascript(
        ["tic-tac-toe.js"],
        "const g = new TicTacToe(X); g.makeMove(0, 0);"
        "naiveMove(g); g.makeMove(1, 1); naiveMove(g); answer = g.matrix;",
    )
    equal(answer, [[1, 2, 2], [0, 1, 0], [0, 0, 0]], "matrix after two naive moves")


def test_not_after_the_end():
    """naiveMove does nothing when the game is over"""
    answer = javascript(
        ["tic-tac-toe.js"],
        "const g = new TicTacToe(X);"
        "[[0,0],[1,0],[0,1],[1,1],[0,2]].forEach(([r, c]) => g.makeMove(r, c));"
        "naiveMove(g); answer = g.matrix;",
    )
    equal(answer, [[1, 1, 1], [2, 2, 0], [0, 0, 0]], "matrix after the end")
