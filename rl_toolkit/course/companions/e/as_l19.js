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

function asOwn(game) {
  const made = game.own ?? new (need("TicTacToe"))(game.player);
  if (!game.own) made.matrix = game.board.map((row) => [...row]);
  return made;
}

// Who moves next, found by a move on a copy that nobody sees; null if no move is left.
function moverOf(made) {
  for (let cell = 0; cell < 9; cell++) {
    const copy = Object.assign(Object.create(Object.getPrototypeOf(made)), made);
    copy.matrix = made.matrix.map((row) => [...row]);
    if (copy.matrix[Math.floor(cell / 3)][cell % 3] !== EMPTY) continue;
    const move = copy.makeMove(Math.floor(cell / 3), cell % 3);
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
  const made = new (need("TicTacToe"))(opener);
  return { board: made.matrix, player: opener, over: null, own: made };
}

function makeMove(game, row, col) {
  const made = asOwn(game);
  const inside = row >= 0 && row < 3 && col >= 0 && col < 3;
  let move = null;
  try {
    move = made.makeMove(row, col);
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
  return { board: copy.matrix, player: moverOf(copy) ?? game.player, over: null };
}

function getChildren(game) {
  const made = asOwn(game);
  const children = new (need("Node"))(made, null).getChildren();
  game.board = made.matrix;
  return children.map((child) => {
    const { row, col } = child.getMove();
    const after = Object.values(child).find((each) => each instanceof own.TicTacToe);
    return { row, col, game: { board: after ? after.matrix : null, player: other(game.player), over: null } };
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
