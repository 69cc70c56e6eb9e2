const EMPTY = 0; const X = 1; const O = 2; const own = (() => { const nothing = new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing), apply: () => nothing, construct: () => nothing }); const [document, window, $, jQuery, alert] = [nothing, nothing, nothing, nothing, nothing]; /*source*/
;
  return {
    TicTacToe: typeof TicTacToe === "undefined" ? null : TicTacToe,
    Node: typeof Node === "undefined" ? null : Node,
    minMax: typeof minMax === "undefined" ? null : minMax,
    makeAiMove: typeof makeAiMove === "undefined" ? null : makeAiMove,
  };
})();

// The functions of lab L19 by the classes of handout E: TicTacToe, Move, GameOver, Node.

function need(name) {
  if (!own[name]) throw new Error(`${name} is not written yet`);
  return own[name];
}

// The moves that each game was given, and the board that was set in it, if one was.
const given = new WeakMap();

function newOwn(opener, cells = [], board = null) {
  const made = new (need("TicTacToe"))(opener);
  given.set(made, { opener, cells: [], board });
  for (const [row, col] of cells) moveIn(made, row, col);
  if (board) setIn(made, board);
  return made;
}

function moveIn(made, row, col) {
  given.get(made).cells.push([row, col]);
  return made.makeMove(row, col);
}

// A second game, to which the same has happened; what a function has closed over cannot be copied.
function twinOf(made) {
  const { opener, cells, board } = given.get(made);
  const twin = newOwn(opener);
  for (const [row, col] of cells) {
    try {
      moveIn(twin, row, col);
    } catch (error) {
      // the first game has said so
    }
  }
  if (board) setIn(twin, board);
  return twin;
}

function setIn(made, board) {
  if (!readsMatrix()) {
    throw new Error("the check puts marks into matrix, and your game keeps its marks elsewhere: keep them in matrix");
  }
  board.forEach((marks, row) => marks.forEach((mark, col) => (made.matrix[row][col] = mark)));
}

// Whether a mark in the matrix is one to the game: a cell is taken by it as by a move.
function readsMatrix() {
  const [moved, marked] = [new (need("TicTacToe"))(X), new (need("TicTacToe"))(X)];
  moved.makeMove(0, 0);
  marked.matrix[0][0] = X;
  const isTaken = (made) => made.matrix[0][0] !== EMPTY && !(made.makeMove(0, 0) || {}).valid;
  return isTaken(marked) || !isTaken(moved);
}

// A program may keep more than the matrix, such as whether the game is over: the position is played, and the
// matrix is set only where no game leads to it.
function asOwn(game) {
  if (game.own) return game.own;
  const moves = movesTo(game.board, game.player);
  if (moves) {
    const made = newOwn(moves.opener, moves.cells);
    if (String(made.matrix) === String(game.board)) return made;
  }
  return newOwn(game.player, [], game.board);
}

// Moves that lead to a board without a line before the last of them, and who opens; null if there are none.
function movesTo(board, player) {
  const of = (who) => ALL.filter(([row, col]) => board[row][col] === who);
  const last = ALL.find(([row, col]) => lineOf(board) && !lineOf(board, [row, col]));
  const winner = last && board[last[0]][last[1]];
  const [crosses, noughts] = [of(X), of(O)];
  const more = crosses.length - noughts.length;
  const opener = more > 0 ? X : more < 0 ? O : winner ? other(winner) : player;
  const next = more === 0 ? opener : other(opener);
  if (Math.abs(more) > 1 || (lineOf(board) ? !last || winner === next : next !== player)) return null;
  const turns = { [X]: crosses, [O]: noughts };
  if (last) turns[winner] = [...turns[winner].filter((cell) => cell !== last), last];
  const cells = [];
  for (let turn = opener; turns[turn].length; turn = other(turn)) cells.push(turns[turn].shift());
  return { opener, cells };
}

const ALL = Array.from({ length: 9 }, (_, cell) => [Math.floor(cell / 3), cell % 3]);

// Whether there is a line, with one cell left out.
function lineOf(board, without = null) {
  const mark = (cell) => (without && String(ALL[cell]) === String(without) ? EMPTY : board[ALL[cell][0]][ALL[cell][1]]);
  const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  return lines.some(([a, b, c]) => mark(a) !== EMPTY && mark(a) === mark(b) && mark(a) === mark(c));
}

// Who moves next: a copy of the game makes a move to find out; null if no move is left.
function moverOf(made) {
  for (const [row, col] of ALL) {
    if (made.matrix[row][col] !== EMPTY) continue;
    const move = twinOf(made).makeMove(row, col);
    if (move && move.valid) return move.player;
  }
  return null;
}

function ended(made) {
  const over = made.checkGameOver();
  if (over === undefined || over === null) return null;
  const cells = (over.victoryCells ?? []).map((cell) => (Array.isArray(cell) ? cell : [cell.row, cell.col]));
  return { victor: over.victor ?? null, cells };
}

function other(player) {
  return player === X ? O : X;
}

function newGame(opener) {
  const made = newOwn(opener);
  return { board: made.matrix, player: opener, over: null, own: made };
}

function makeMove(game, row, col) {
  const made = asOwn(game);
  const inside = row >= 0 && row < 3 && col >= 0 && col < 3;
  let move = null;
  try {
    move = moveIn(made, row, col);
  } catch (error) {
    if (inside) throw error; // the handout asserts that a move is on the board
    move = { valid: false, row, col, player: game.player };
  }
  game.board = made.matrix;
  game.over = ended(made);
  game.player = moverOf(made) ?? (move && move.valid ? other(move.player) : game.player);
  return move && { valid: move.valid, row: move.row, col: move.col, player: move.player };
}

function checkGameOver(game) {
  const made = asOwn(game);
  const over = ended(made);
  game.board = made.matrix;
  return over;
}

function clone(game) {
  const made = asOwn(game);
  const copy = made.clone();
  game.board = made.matrix;
  return { board: copy.matrix, player: moverOf(made) ?? game.player, over: null };
}

function getChildren(game) {
  const made = asOwn(game);
  const children = new (need("Node"))(made, null).getChildren();
  game.board = made.matrix;
  return children.map((child) => {
    const { row, col } = child.getMove();
    const after = Object.values(child).find((each) => each && each.matrix) ?? twinOf(made);
    if (!Object.values(child).includes(after)) moveIn(after, row, col); // the game of the child cannot be seen
    return { row, col, game: { board: after.matrix, player: other(game.player), over: null } };
  });
}

// The program of the handout is O; for X its own minMax is asked as the one that maximises.
function makeAiMove(game) {
  const made = asOwn(game);
  const before = made.matrix.map((row) => [...row]);
  if (game.player === O) need("makeAiMove")(made);
  else {
    const [move] = need("minMax")(new (need("Node"))(made, null), true);
    made.makeMove(move.row, move.col);
  }
  game.board = made.matrix;
  for (let cell = 0; cell < 9; cell++) {
    const [row, col] = [Math.floor(cell / 3), cell % 3];
    if (before[row][col] !== made.matrix[row][col]) return { valid: true, row, col, player: made.matrix[row][col] };
  }
  return { valid: false, row: -1, col: -1, player: game.player };
}
