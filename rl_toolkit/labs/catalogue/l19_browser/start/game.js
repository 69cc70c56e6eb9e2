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
  // TODO 1
  return { valid: false, row: row, col: col, player: game.player };
}

// ---------------------------------------------------------------- Task 2

// null while the game runs. Else {victor, cells}: the winner (X or O) and the three cells
// [row, col] of the line; for a draw victor is null and cells is [].
// Look at game.board only: somebody may have set it up by hand.
function checkGameOver(game) {
  // TODO 2
  return null;
}

// ---------------------------------------------------------------- Task 3

// A second game in the same position. Nothing that happens to it may change the first one.
function clone(game) {
  // TODO 3
  return game;
}

// All positions after one move: a list of {row, col, game}. Empty if the game is over.
// The game itself stays as it is.
function getChildren(game) {
  // TODO 3
  return [];
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
  // TODO 3
  return { valid: false, row: -1, col: -1, player: game.player };
}
