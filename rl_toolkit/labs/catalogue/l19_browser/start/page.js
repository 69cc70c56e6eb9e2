// The view and the controller: what is drawn, and what a click does.
// The human plays X, the program plays O.

let game = newGame(X);

// ---------------------------------------------------------------- Task 4

// Fill the element with the id "board" for n rows and n columns: ONE grid for labels and cells.
//
//   the grid has n + 1 columns and n + 1 rows; the first ones are for the labels
//   column labels: id "col-0", "col-1", ..., class "label", text a, b, c, ...
//   row labels:    id "row-0", "row-1", ..., class "label", text 1, 2, 3, ... from the top
//   cells:         id "cell-0-0" (row 0, column 0), ..., class "cell"; a click calls cellClick
function renderBoard(n) {
  // TODO 4
  return undefined;
}

// ---------------------------------------------------------------- Task 5

// Draw a move: the text "X" or "O" in its cell. A move that is not valid is not drawn.
function drawMove(move) {
  // TODO 5
  return undefined;
}

// The human clicks a cell: make the move, draw it, let the program answer, draw that.
// Nothing happens if the move is not valid. At the end, mark the winning cells with the class "win".
function cellClick(row, col) {
  // TODO 5
  return undefined;
}

// A new game on an empty board. If O opens, the program moves at once.
function startGame(opener) {
  // TODO 5
  return undefined;
}

// ---------------------------------------------------------------- given

function showStatus() {
  const over = game.over;
  const text = !over ? "Your move." : over.victor === null ? "Draw." : over.victor === X ? "You win!" : "The program wins.";
  document.getElementById("status").textContent = text;
}

document.getElementById("again").onclick = () => startGame(Math.random() < 0.5 ? X : O);
startGame(Math.random() < 0.5 ? X : O);
