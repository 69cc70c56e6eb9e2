// Handout E. The model knows nothing of the page.
const EMPTY = 0;
const X = 1;
const O = 2;

class Move {
  constructor(valid, row, col, player) {
    throw new Error("Move is not written yet");
  }
}

class GameOver {
  constructor(victor, victoryCells) {
    throw new Error("GameOver is not written yet");
  }
}

class TicTacToe {
  constructor(opener) {
    throw new Error("TicTacToe is not written yet");
  }

  makeMove(row, col) {
    throw new Error("makeMove is not written yet");
  }

  checkGameOver() {
    throw new Error("checkGameOver is not written yet");
  }

  clone() {
    throw new Error("clone is not written yet");
  }
}

class Node {
  constructor(game, move) {
    throw new Error("Node is not written yet");
  }
}

function minMax(node, maximizing) {
  throw new Error("minMax is not written yet");
}

function naiveMove(game) {
  throw new Error("naiveMove is not written yet");
}

function makeAiMove(game) {
  throw new Error("makeAiMove is not written yet");
}
