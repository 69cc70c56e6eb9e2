const EMPTY = 0;
const X = 1;
const O = 2;

class Move {
  constructor(valid, row, col, player) {
    this.valid = valid;
    this.row = row;
    this.col = col;
    this.player = player;
  }
}

class GameOver {
  constructor(victor, victoryCells) {
    this.victor = victor;
    this.victoryCells = victoryCells;
  }
}

class TicTacToe {
  constructor(opener) {
    this.player = opener;
    this.matrix = [0, 1, 2].map(() => [EMPTY, EMPTY, EMPTY]);
  }

  makeMove(row, col) {
    const inside = row >= 0 && row < 3 && col >= 0 && col < 3;
    if (!inside || this.matrix[row][col] !== EMPTY || this.checkGameOver()) {
      return new Move(false, row, col, this.player);
    }
    const move = new Move(true, row, col, this.player);
    this.matrix[row][col] = this.player;
    this.player = this.player === X ? O : X;
    return move;
  }

  checkGameOver() {
    const lines = [];
    for (let i = 0; i < 3; i++) {
      lines.push([[i, 0], [i, 1], [i, 2]]);
      lines.push([[0, i], [1, i], [2, i]]);
    }
    lines.push([[0, 0], [1, 1], [2, 2]], [[0, 2], [1, 1], [2, 0]]);
    for (const line of lines) {
      const [a, b, c] = line.map(([row, col]) => this.matrix[row][col]);
      if (a !== EMPTY && a === b && b === c) return new GameOver(a, line);
    }
    if (this.matrix.every(row => row.every(cell => cell !== EMPTY))) return new GameOver();
    return undefined;
  }

  clone() {
    const other = new TicTacToe(this.player);
    other.matrix = this.matrix.map(row => row.slice());
    return other;
  }
}

class Node {
  constructor(game, move) {
    this.game = game;
    this.move = move;
  }
  isLeaf() { return this.game.checkGameOver() !== undefined; }
  getScore() {
    const over = this.game.checkGameOver();
    return over.victor === X ? 1 : over.victor === O ? -1 : 0;
  }
  getMove() { return this.move; }
  getChildren() {
    const children = [];
    for (let row = 0; row < 3; row++) {
      for (let col = 0; col < 3; col++) {
        const game = this.game.clone();
        const move = game.makeMove(row, col);
        if (move.valid) children.push(new Node(game, move));
      }
    }
    return children;
  }
}

function minMax(node, maximizing) {
  if (node.isLeaf()) return [null, node.getScore()];
  let best = [null, 0];
  for (const child of node.getChildren()) {
    const score = minMax(child, !maximizing)[1];
    if (best[0] === null || (maximizing ? score > best[1] : score < best[1])) best = [child.getMove(), score];
  }
  return best;
}

function naiveMove(game) {
  for (let row = 0; row < 3; row++) {
    for (let col = 0; col < 3; col++) {
      if (game.makeMove(row, col).valid) return;
    }
  }
}

function makeAiMove(game) {
  const [move] = minMax(new Node(game, null), false);
  return game.makeMove(move.row, move.col);
}
