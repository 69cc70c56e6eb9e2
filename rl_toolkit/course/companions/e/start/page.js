// Handout E: the view and the controller. The model is tic-tac-toe.js.

class Viz {
  constructor(cellSize) {
    throw new Error("Viz is not written yet");
  }

  // Draw the picture of a move (x.svg or o.svg) into its cell; a move that is not valid is not drawn.
  drawMove(move) {
    throw new Error("drawMove is not written yet");
  }
}

// A click on a cell: make the move, and draw what makeMove returns.
function cellClick(row, col) {
  throw new Error("cellClick is not written yet");
}
