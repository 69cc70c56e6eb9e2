/** Tic-Tac-Toe for searches. Cells 0 … 8 are a1 b1 c1 a2 …, as in `rl_toolkit.envs.TicTacToe`. */

import { checkTurn, Pieces, sidesOf } from "./pieces.js";

export const NAMES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
const ALL = 0b111111111;
const LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100];
/** By set of cells, 1 where it has three in a row. */
export const ROWS = Uint8Array.from({ length: ALL + 1 }, (_, cells) => Number(LINES.some((line) => (cells & line) === line)));

/** `[x, o, side]` of a position such as `x1o/1x1/2o x`. */
export function readPosition(text) {
  const [rows, side = "x"] = text.trim().split(/\s+/);
  const cells = rows.replaceAll("/", "").replace(/\d/g, (digit) => ".".repeat(Number(digit)));
  if (cells.length !== 9 || /[^xo.]/.test(cells) || !/^[xo]$/.test(side)) throw new SyntaxError(`“${text}” is not a position of Tic-Tac-Toe`);
  return sidesOf(cells, side);
}

/** `[x, o, side]` of a position in which somebody can move. */
export function readOpenPosition(text) {
  const game = new TicTacToe(text);
  if (game.result !== null) throw new SyntaxError("the game is over in this position");
  checkTurn(game.more, game.side);
  return [game.x, game.o, game.side];
}

/** A position as text; `readPosition` reads it. */
export function writePosition(x, o, side) {
  const cells = NAMES.map((_, cell) => ((x >> cell) & 1 ? "x" : (o >> cell) & 1 ? "o" : "1"));
  const rows = [0, 3, 6].map((from) => cells.slice(from, from + 3).join("").replace(/1+/g, (empty) => empty.length));
  return `${rows.join("/")} ${side > 0 ? "x" : "o"}`;
}

/** For every symmetry of the board, in the order of `rl_toolkit.envs`, where each cell goes. */
const SYMMETRIES = [
  (row, col) => [row, col],
  (row, col) => [row, 2 - col],
  (row, col) => [2 - row, col],
  (row, col) => [2 - row, 2 - col],
  (row, col) => [col, row],
  (row, col) => [2 - col, 2 - row],
  (row, col) => [col, 2 - row],
  (row, col) => [2 - col, row],
].map((from) => {
  const goes = [];
  for (let cell = 0; cell < 9; cell++) {
    const [row, col] = from(Math.floor(cell / 3), cell % 3);
    goes[row * 3 + col] = cell;
  }
  return goes;
});

/** The least image of a board as nine digits (1 an X, 2 an O), and the first symmetry that leads to it. */
export function imageOf(x, o) {
  let best = null;
  for (const goes of SYMMETRIES) {
    const digits = Array(9);
    for (let cell = 0; cell < 9; cell++) digits[goes[cell]] = (x >> cell) & 1 ? "1" : (o >> cell) & 1 ? "2" : "0";
    const text = digits.join("");
    if (!best || text < best.text) best = { text, goes };
  }
  return best;
}

export class TicTacToe extends Pieces {
  sides = { 1: "X", "-1": "O" };
  all = ALL;

  constructor(text = "3/3/3 x") {
    super(readPosition(text));
  }

  has(cells) {
    return ROWS[cells];
  }

  get moves() {
    return this.result === null ? NAMES.map((_, cell) => cell).filter((cell) => !((this.taken >> cell) & 1)) : [];
  }

  get key() {
    return (this.x << 9) | this.o;
  }

  /** One key for a position and its images. */
  get image() {
    return imageOf(this.x, this.o).text;
  }

  name(move) {
    return NAMES[move];
  }

  play(cell) {
    this.take(cell);
  }
}
