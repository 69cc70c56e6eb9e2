class Viz {
  constructor(cellSize) {
    document.getElementById("board").style.gridTemplateColumns = `repeat(3, ${cellSize}px)`;
  }

  drawMove(move) {
    if (!move.valid) return;
    const picture = document.createElement("img");
    picture.src = move.player === X ? "x.svg" : "o.svg";
    picture.alt = move.player === X ? "X" : "O";
    document.getElementById(`cell-${move.row}-${move.col}`).append(picture);
  }

  drawGameOver(over) {
    for (const [row, col] of over.victoryCells ?? []) {
      document.getElementById(`cell-${row}-${col}`).style.background = "#F7DC6F";
    }
    const words = over.victor === undefined ? "Draw." : over.victor === X ? "X wins." : "O wins.";
    document.getElementById("status").textContent = words;
  }
}

const game = new TicTacToe(Math.random() < 0.5 ? X : O);
const cells = [];
for (let row = 0; row < 3; row++) {
  for (let col = 0; col < 3; col++) {
    const cell = document.createElement("div");
    cell.id = `cell-${row}-${col}`;
    cell.className = "cell";
    cell.onclick = () => cellClick(row, col);
    cells.push(cell);
  }
}
document.getElementById("board").append(...cells);
const viz = new Viz(100);

function after(move) {
  viz.drawMove(move);
  const over = game.checkGameOver();
  if (over) viz.drawGameOver(over);
  return over;
}

function cellClick(row, col) {
  const move = game.makeMove(row, col);
  if (move.valid && !after(move)) after(makeAiMove(game));
}

if (game.player === O) after(makeAiMove(game));
