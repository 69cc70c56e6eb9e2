"""Handout E, 2.2: trees."""

from companion import equal, javascript

TREE = """
class T {
  constructor(x, col = null) { this.x = x; this.col = col; }
  isLeaf() { return !Array.isArray(this.x); }
  getScore() { return this.x; }
  getChildren() { return this.x.map((y, col) => new T(y, col)); }
  getMove() { return this.col === null ? null : { valid: true, row: 0, col: this.col }; }
}
const score = (x, max) => { const v = minMax(new T(x), max); return Array.isArray(v) ? v[1] : v; };
const A=[1,0], B=[-1,0], C=[-1,1], D=[-1,0], E=[1,0], F=[-1,0], G=[1,1], H=[1,1];
const I=[A,B], J=[C,D], K=[E,F], L=[G,H], M=[I,J], N=[K,L], R=[M,N];
"""


def run(code):
    return javascript(["tic-tac-toe.js"], TREE + code)


def test_small_nodes():
    """Blue's nodes A to D: 0, -1, -1, -1"""
    answer = run("answer = [A, B, C, D].map(n => score(n, false));")
    equal(answer, [0, -1, -1, -1], "A to D")


def test_reds_nodes():
    """Red's nodes I to L: 0, -1, 0, 1"""
    equal(run("answer = [I, J, K, L].map(n => score(n, true));"), [0, -1, 0, 1], "I to L")


def test_the_whole_tree():
    """M -1, N 0, the root 0: Red goes right"""
    answer = run("answer = [score(M, false), score(N, false), score(R, true)];")
    equal(answer, [-1, 0, 0], "M, N and the root")


def test_further_trees():
    """[[3,5],[2,9]] is 3, [[6,9,7],[4,8,8],[5,2,9]] is 6"""
    answer = run("answer = [score([[3,5],[2,9]], true), score([[6,9,7],[4,8,8],[5,2,9]], true)];")
    equal(answer, [3, 6], "the values")
