// Session 4: what the page computes. It does not touch the page, so that it can be tested.
// A board is a list of 42 cells, 1, -1 or 0; row 0 is the bottom, cell = 7 * row + column.

// The cell on which a piece lands in a column, 0 to 6; null if the column is full.
function cellOf(board, column) {
  throw new Error("cellOf is not written yet");
}

// The evaluations of your search as rows, most visited first:
// {move, name, visits, share, value, uct, best}. name is a to g, share is visits / all visits.
function rowsOf(evaluations) {
  throw new Error("rowsOf is not written yet");
}

// How many simulations to ask for next: twice as many, at most 3200.
function nextCount(count) {
  throw new Error("nextCount is not written yet");
}
