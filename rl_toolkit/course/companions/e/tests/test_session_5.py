"""Handout E, 2.4 and 2.5: the real game as a tree. The human is X, the program O."""

from companion import equal, javascript, require

FILES = ["tic-tac-toe.js"]
TREE = """
class T {
  constructor(x, col = null) { this.x = x; this.col = col; }
  isLeaf() { return !Array.isArray(this.x); }
  getScore() { return this.x; }
  getChildren() { return this.x.map((y, col) => new T(y, col)); }
  getMove() { return this.col === null ? null : { valid: true, row: 0, col: this.col }; }
}
const best = (x, max) => {
  const v = minMax(new T(x), max);
  return Array.isArray(v) ? [v[0] ? v[0].col : null, v[1]] : v;
};
"""


def test_move_and_score():
    """minMax returns [move, score]: the move of the first best child (erratum R43)"""
    answer = javascript(
        FILES,
        TREE + "answer = [best([[3,5],[2,9]], true), best([[6,9],[4,8],[5,2]], false),"
        "best([0,[1,-1],[[1,1],[0,-1]]], true)];",
    )
    what = "column and score of [[3,5],[2,9]] for Red, of [[6,9],[4,8],[5,2]] for Blue, and of "
    what += "[0,[1,-1],[[1,1],[0,-1]]], where the first of equal ones counts"
    equal(answer, [[0, 3], [2, 5], [0, 0]], what)


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
const lost = []; let ended = 0;
function go(g, moves) {
  const o = g.checkGameOver();
  if (o) { ended++; if (o.victor === X) lost.push(moves); return; }
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) {
    const n = g.clone();
    if (!n.makeMove(r, c).valid) continue;
    if (!n.checkGameOver()) makeAiMove(n);
    go(n, moves.concat([[r, c]]));
  }
}
const g = new TicTacToe(X); g.makeMove(0, 0); makeAiMove(g); go(g, [[0, 0]]);
answer = [lost, ended];
""",
    )
    lost, ended = answer
    require(lost == [], f"O loses if X plays {lost[0] if lost else ''}")
    require(ended > 20, f"only {ended} games come to an end: does a clone share its rows?")
