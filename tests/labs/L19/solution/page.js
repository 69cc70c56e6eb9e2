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
  const board = document.getElementById("board");
  board.replaceChildren();
  board.style.display = "grid";
  board.style.gridTemplateColumns = `auto repeat(${n}, 1fr)`;
  board.style.gridTemplateRows = `auto repeat(${n}, auto)`;
  const place = (id, name, text, line, column) => {
    const element = document.createElement("div");
    element.id = id;
    element.className = name;
    element.textContent = text;
    element.style.gridRow = line;
    element.style.gridColumn = column;
    board.append(element);
    return element;
  };
  for (let i = 0; i < n; i++) {
    place(`col-${i}`, "label", String.fromCharCode(97 + i), 1, i + 2);
    place(`row-${i}`, "label", i + 1, i + 2, 1);
  }
  for (let row = 0; row < n; row++) {
    for (let col = 0; col < n; col++) {
      const cell = place(`cell-${row}-${col}`, "cell", "", row + 2, col + 2);
      cell.onclick = () => cellClick(row, col);
    }
  }
}

// ---------------------------------------------------------------- Task 5

// Draw a move: the text "X" or "O" in its cell. A move that is not valid is not drawn.
function drawMove(move) {
  if (move.valid) {
    const cell = document.getElementById(`cell-${move.row}-${move.col}`);
    cell.textContent = move.player === X ? "X" : "O";
  }
}

// The human clicks a cell: make the move, draw it, let the program answer, draw that.
// Nothing happens if the move is not valid. At the end, mark the winning cells with the class "win".
function cellClick(row, col) {
  const move = makeMove(game, row, col);
  if (!move.valid) {
    return;
  }
  drawMove(move);
  if (!game.over) {
    drawMove(makeAiMove(game));
  }
  if (game.over) {
    for (const [r, c] of game.over.cells) {
      document.getElementById(`cell-${r}-${c}`).classList.add("win");
    }
  }
  showStatus();
}

// A new game on an empty board. If O opens, the program moves at once.
function startGame(opener) {
  game = newGame(opener);
  renderBoard(3);
  if (opener === O) {
    drawMove(makeAiMove(game));
  }
  showStatus();
}

// ---------------------------------------------------------------- given

function showStatus() {
  const over = game.over;
  const text = !over ? "Your move." : over.victor === null ? "Draw." : over.victor === X ? "You win!" : "The program wins.";
  document.getElementById("status").textContent = text;
}

document.getElementById("again").onclick = () => startGame(Math.random() < 0.5 ? X : O);
startGame(Math.random() < 0.5 ? X : O);
