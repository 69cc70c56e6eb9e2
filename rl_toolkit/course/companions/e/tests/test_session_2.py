"""Handout E, 1.5: the end of a game."""

from companion import equal, javascript

FILES = ["tic-tac-toe.js"]
CHECK = """
const g = new TicTacToe(X);
(%s).forEach((marks, r) => marks.forEach((mark, c) => { g.matrix[r][c] = mark; }));
const o = g.checkGameOver();
answer = o === undefined || o === null ? "running"
  : [o.victor === undefined ? null : o.victor,
     o.victoryCells === undefined ? null
       : o.victoryCells.map(c => Array.isArray(c) ? c : [c.row, c.col])];
"""


def ended(matrix):
    answer = javascript(FILES, CHECK % matrix)
    if answer != "running" and answer[1]:
        answer[1] = sorted(answer[1])
    return answer


def line(cells, player):
    return [[player if [row, col] in cells else 0 for col in range(3)] for row in range(3)]


def test_lines():
    """X's column 0 and rows, O's columns 1 and 2, X's and O's diagonals"""
    cases = [([[r, 0] for r in range(3)], 1), ([[r, 1] for r in range(3)], 2)]
    cases += [([[r, 2] for r in range(3)], 2)]
    cases += [([[row, c] for c in range(3)], 1) for row in range(3)]
    cases += [([[0, 0], [1, 1], [2, 2]], 1), ([[0, 2], [1, 1], [2, 0]], 2)]
    for cells, player in cases:
        equal(ended(line(cells, player)), [player, cells], f"victor and cells of {cells}")


def test_draw():
    """oxo/xxo/oox: over, victor and cells undefined"""
    equal(ended([[2, 1, 2], [1, 1, 2], [2, 2, 1]]), [None, None], "victor and cells of a draw")


def test_running():
    """an empty board is not over"""
    equal(ended([[0] * 3] * 3), "running", "checkGameOver at the start")


def test_no_move_after_the_end():
    """no move after the end"""
    answer = javascript(
        FILES,
        "const g = new TicTacToe(X);"
        "[[0,0],[1,0],[0,1],[1,1],[0,2]].forEach(([r, c]) => g.makeMove(r, c));"
        "const m = g.makeMove(2, 2); answer = [m.valid, g.matrix[2][2]];",
    )
    equal(answer, [False, 0], "valid and cell (2, 2) after X has won")
