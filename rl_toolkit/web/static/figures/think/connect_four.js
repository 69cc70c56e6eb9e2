/** Connect Four on 4×4 for searches. Cells 0 … 15 are a1 b1 c1 d1 a2 …, row 1 at the bottom; a move is a column. */

import { Pieces, sidesOf } from "./pieces.js";

const SIDE = 4;
const ALL = 0xffff;
const UP = [0, 1, 2, 3];
const LINES = [...UP.map((row) => 0xf << (row * SIDE)), ...UP.map((column) => 0x1111 << column), 0x8421, 0x1248];
/** The column of each cell from the other side. */
const mirrored = (cells) => ((cells & 0x1111) << 3) | ((cells & 0x2222) << 1) | ((cells & 0x4444) >> 1) | ((cells & 0x8888) >> 3);
const keyOf = (x, o) => x * (ALL + 1) + o;

/** `[x, o, side]` of a position such as `4/1xoo/1xox/xxoo x`, its top row first. */
function readPosition(text) {
  const [rows, side = "x"] = text.trim().split(/\s+/);
  const cells = rows.replace(/\d/g, (digit) => ".".repeat(Number(digit))).split("/").reverse().join("");
  const floats = [...cells].some((cell, i) => i >= SIDE && cell !== "." && cells[i - SIDE] === ".");
  if (cells.length !== SIDE * SIDE || /[^xo.]/.test(cells) || !/^[xo]$/.test(side) || floats) throw new SyntaxError(`“${text}” is not a position of Connect Four on 4×4`);
  return sidesOf(cells, side);
}

export class ConnectFour extends Pieces {
  sides = { 1: "Red", "-1": "Yellow" };
  all = ALL;

  constructor(text = "4/4/4/4 x") {
    super(readPosition(text));
  }

  has(cells) {
    return LINES.some((line) => (cells & line) === line);
  }

  /** The columns that are not full. */
  get moves() {
    return this.result === null ? UP.filter((column) => !((this.taken >> (column + SIDE * (SIDE - 1))) & 1)) : [];
  }

  get key() {
    return keyOf(this.x, this.o);
  }

  /** One key for a position and its mirror image. */
  get image() {
    return Math.min(this.key, keyOf(mirrored(this.x), mirrored(this.o)));
  }

  name(column) {
    return "abcd"[column];
  }

  play(column) {
    let cell = column;
    while ((this.taken >> cell) & 1) cell += SIDE;
    this.take(cell);
  }
}
