"""Handout E, 2.4 and 2.5: the real game as a tree. The human is X, the program O."""

from companion import equal, javascript, require

FILES = ["tic-tac-toe.js"]


def test_clone():
    """clone shares nothing"""
    answer = javascript(
        FILES,
        "const g = new TicTacToe(X); g.makeMove(0, 0); const c = g.clone();"
        "c.makeMove(1, 1); answer = [g.matrix[1][1], c.matrix[1][1]];",
    )
    equal(answer, [0, 2], "cell (1, 1) of the game and of its clone")


def test_children():
    """nine children at the start, eight after a move; the game is left alone"""
    answer = javascript(
        FILES,
        "const g = new TicTacToe(X); const n = new Node(g, null);"
        "const a = n.getChildren().length; g.makeMove(1, 1);"
        "answer = [a, new Node(g, null).getChildren().length, g.matrix[0][0]];",
    )
    equal(answer, [9, 8, 0], "children at the start, after one move, and cell (0, 0)")


def test_takes_a_win():
    """O takes a win: makeAiMove plays on the real game"""
    answer = javascript(
        FILES,
        "const g = new TicTacToe(X);"
        "[[1,0],[0,0],[1,1],[0,1],[2,2]].forEach(([r, c]) => g.makeMove(r, c));"
        "makeAiMove(g); answer = g.matrix[0][2];",
    )
    equal(answer, 2, "cell (0, 2), with which O wins")


def test_blocks():
    """O blocks: called with true instead of false it would play for X (erratum R44)"""
    answer = javascript(
        FILES,
        "const g = new TicTacToe(X);"
        "[[0,0],[1,1],[0,1]].forEach(([r, c]) => g.makeMove(r, c));"
        "makeAiMove(g); answer = g.matrix[0][2];",
    )
    equal(answer, 2, "cell (0, 2), with which X would win. O is the minimiser: minMax(node, false)")


def test_never_loses():
    """as O, after X's corner and every second move of X, O is never beaten"""
    answer = javascript(
        FILES,
        """
const lost = [];
function go(g, moves) {
  const o = g.checkGameOver();
  if (o) { if (o.victor === X) lost.push(moves); return; }
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) {
    const n = g.clone();
    if (!n.makeMove(r, c).valid) continue;
    if (!n.checkGameOver()) makeAiMove(n);
    go(n, moves.concat([[r, c]]));
  }
}
const g = new TicTacToe(X); g.makeMove(0, 0); makeAiMove(g); go(g, [[0, 0]]); answer = lost;
""",
    )
    require(answer == [], f"O loses if X plays {answer[0] if answer else ''}")
