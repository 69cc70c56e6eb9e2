/** Tic-Tac-Toe for searches. Cells 0 … 8 are a1 b1 c1 a2 …, as in `rl_toolkit.envs.TicTacToe`. */

export const NAMES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
const ALL = 0b111111111;
const LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100];
/** By set of cells, 1 where it has three in a row. */
export const ROWS = Uint8Array.from({ length: ALL + 1 }, (_, cells) => Number(LINES.some((line) => (cells & line) === line)));

/** `[x, o, side]` of a position such as `x1o/1x1/2o x`. */
export function readPosition(text) {
  const [rows, side = "x"] = text.trim().split(/\s+/);
  const cells = rows.replaceAll("/", "").replace(/\d/g, (digit) => ".".repeat(Number(digit)));
  if (cells.length !== 9 || /[^xo.]/.test(cells)) throw new SyntaxError(`“${text}” is not a position of Tic-Tac-Toe`);
  const of = (piece) => [...cells].reduce((set, cell, i) => (cell === piece ? set | (1 << i) : set), 0);
  return [of("x"), of("o"), side === "o" ? -1 : 1];
}

export class TicTacToe {
  sides = { 1: "X", "-1": "O" };
  isTyped = false;

  constructor(text = "3/3/3 x") {
    [this.x, this.o, this.side] = readPosition(text);
    this.history = [];
  }

  copy() {
    const other = new TicTacToe();
    [other.x, other.o, other.side] = [this.x, this.o, this.side];
    return other;
  }

  /** +1, 0 or −1 for X, null while the game goes on. */
  get result() {
    if (ROWS[this.x]) return 1;
    if (ROWS[this.o]) return -1;
    return (this.x | this.o) === ALL ? 0 : null;
  }

  get moves() {
    if (this.result !== null) return [];
    const taken = this.x | this.o;
    return NAMES.map((_, cell) => cell).filter((cell) => !((taken >> cell) & 1));
  }

  get key() {
    return (this.x << 9) | this.o;
  }

  name(move) {
    return NAMES[move];
  }

  play(cell) {
    this.history.push(cell);
    if (this.side > 0) this.x |= 1 << cell;
    else this.o |= 1 << cell;
    this.side = -this.side;
  }

  undo() {
    const cell = this.history.pop();
    this.side = -this.side;
    if (this.side > 0) this.x &= ~(1 << cell);
    else this.o &= ~(1 << cell);
  }
}
