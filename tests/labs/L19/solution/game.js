// The model: the rules of the game and the opponent. It knows nothing about the page.
//
//   game.board    three rows of three cells, EMPTY, X or O;  game.board[0][0] is a1, top left
//   game.player   who is to move, X or O
//   game.over     null while the game runs, else the answer of checkGameOver

const EMPTY = 0;
const X = 1;
const O = 2;

function newGame(opener) {
  const board = [
    [EMPTY, EMPTY, EMPTY],
    [EMPTY, EMPTY, EMPTY],
    [EMPTY, EMPTY, EMPTY],
  ];
  return { board: board, player: opener, over: null };
}

function other(player) {
  return player === X ? O : X;
}

// ---------------------------------------------------------------- Task 1

// Make a move for game.player. Returns a record of it: {valid, row, col, player}.
// A move is not valid if the cell is off the board or taken, or if the game is over.
// Then valid is false and NOTHING changes. After a valid move:
// the mark is on the board, game.over is what checkGameOver says, and the other player is to move.
function makeMove(game, row, col) {
  const player = game.player;
  const onBoard = row >= 0 && row < 3 && col >= 0 && col < 3;
  if (game.over || !onBoard || game.board[row][col] !== EMPTY) {
    return { valid: false, row: row, col: col, player: player };
  }
  game.board[row][col] = player;
  game.over = checkGameOver(game);
  game.player = other(player);
  return { valid: true, row: row, col: col, player: player };
}

// ---------------------------------------------------------------- Task 2

// null while the game runs. Else {victor, cells}: the winner (X or O) and the three cells
// [row, col] of the line; for a draw victor is null and cells is [].
// Look at game.board only: somebody may have set it up by hand.
function checkGameOver(game) {
  const lines = [];
  for (let i = 0; i < 3; i++) {
    lines.push([[i, 0], [i, 1], [i, 2]]);
    lines.push([[0, i], [1, i], [2, i]]);
  }
  lines.push([[0, 0], [1, 1], [2, 2]]);
  lines.push([[0, 2], [1, 1], [2, 0]]);
  for (const cells of lines) {
    const [first, second, third] = cells.map(([row, col]) => game.board[row][col]);
    if (first !== EMPTY && first === second && second === third) {
      return { victor: first, cells: cells };
    }
  }
  if (game.board.flat().includes(EMPTY)) {
    return null;
  }
  return { victor: null, cells: [] };
}

// ---------------------------------------------------------------- Task 3

// A second game in the same position. Nothing that happens to it may change the first one.
function clone(game) {
  return { board: game.board.map((row) => [...row]), player: game.player, over: game.over };
}

// All positions after one move: a list of {row, col, game}. Empty if the game is over.
// The game itself stays as it is.
function getChildren(game) {
  const children = [];
  for (let row = 0; row < 3; row++) {
    for (let col = 0; col < 3; col++) {
      const after = clone(game);
      if (makeMove(after, row, col).valid) {
        children.push({ row: row, col: col, game: after });
      }
    }
  }
  return children;
}

// The value of a position for X (given): 1, 0 or -1. maximizing: whether X is to move.
function minMax(game, maximizing) {
  const key = game.board.flat().join("") + maximizing;
  if (!known.has(key)) {
    const over = checkGameOver(game);
    if (over) {
      known.set(key, over.victor === X ? 1 : over.victor === O ? -1 : 0);
    } else {
      const values = getChildren(game).map((child) => minMax(child.game, !maximizing));
      known.set(key, maximizing ? Math.max(...values) : Math.min(...values));
    }
  }
  return known.get(key);
}

const known = new Map();

// Make the best move for game.player, on the real game. Returns the record of makeMove.
function makeAiMove(game) {
  let best = null;
  let bestValue = -Infinity;
  for (const child of getChildren(game)) {
    const value = minMax(child.game, child.game.player === X) * (game.player === X ? 1 : -1);
    if (value > bestValue) {
      best = child;
      bestValue = value;
    }
  }
  return makeMove(game, best.row, best.col);
}
