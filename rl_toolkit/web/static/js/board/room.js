/** Makes room for the board before anything else is loaded, so that nothing moves when it comes. */

{
  const board = document.getElementById("board");
  board.style.setProperty("--rows", board.dataset.rows);
  board.style.setProperty("--cols", board.dataset.cols);
}
