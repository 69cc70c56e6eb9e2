/** A board as two sets of cells, the X's and the O's, for searches: a game adds its moves, its lines and its names. */

/** `[x, o, side]` of cells such as `x.o......` in the order of their numbers, and the side to move. */
export function sidesOf(cells, side) {
  const of = (piece) => [...cells].reduce((set, cell, i) => (cell === piece ? set | (1 << i) : set), 0);
  return [of("x"), of("o"), side === "o" ? -1 : 1];
}

/** Refuse a position in which it is not the turn of `side`: X has `more` pieces than O. */
export function checkTurn(more, side) {
  if (more !== (side > 0 ? 0 : 1)) throw new SyntaxError("X and O take turns, and X begins");
}

/** A game adds `all`, the full board, and `has(cells)`: whether there is a line in a set. */
export class Pieces {
  isTyped = false;
  history = []; // cells

  constructor([x, o, side]) {
    Object.assign(this, { x, o, side });
  }

  /** How many more pieces X has than O. */
  get more() {
    const count = (set) => set.toString(2).replaceAll("0", "").length;
    return count(this.x) - count(this.o);
  }

  get taken() {
    return this.x | this.o;
  }

  /** +1, 0 or −1 for X, null while the game goes on. */
  get result() {
    if (this.has(this.x)) return 1;
    if (this.has(this.o)) return -1;
    return this.taken === this.all ? 0 : null;
  }

  copy() {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), this, { history: [] });
  }

  /** The side to move takes a cell. */
  take(cell) {
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
