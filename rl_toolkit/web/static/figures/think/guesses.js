/**
 * Orders of moves that a program can have without knowing the values. Two of them learn while the search runs, as the
 * ordering of `MinimaxSolver` does: from the moves that made a cut.
 */

/** What each goes by, the first named before the next. What is then equal goes in the order of the cells. */
export const GUESSES = {
  cells: [],
  centre: ["centre"],
  killers: ["killers"],
  history: ["history"],
  all: ["killers", "history", "centre"],
};

const CENTRE = [1, 0, 1, 0, 2, 0, 1, 0, 1]; // centre, corners, edges
const KILLER = 2 ** 50; // more than any history

export class Guess {
  constructor(name, { move, first, count }) {
    Object.assign(this, { move, first, count });
    [this.byKillers, this.byHistory, this.byCentre] = ["killers", "history", "centre"].map((part) => GUESSES[name].includes(part));
    this.killers = Array.from({ length: 9 }, () => [-1, -1]); // by ply, the latest first
    this.history = [new Float64Array(9), new Float64Array(9)]; // by side, then by cell
    this.lists = Array.from({ length: 9 }, () => new Int32Array(9)); // by ply, for `sorted`
    this.promises = new Float64Array(9);
  }

  #promise(cell, ply) {
    const [latest, earlier] = this.killers[ply];
    if (this.byKillers && cell === latest) return 2 * KILLER;
    if (this.byKillers && cell === earlier) return KILLER;
    return (this.byHistory ? 4 * this.history[ply % 2][cell] : 0) + (this.byCentre ? CENTRE[cell] : 0);
  }

  /** The children of a node, the most promising first; the list is overwritten by the next node of the ply. */
  sorted(node, ply) {
    const list = this.lists[ply];
    const { promises } = this;
    for (let i = 0; i < this.count[node]; i++) {
      const child = this.first[node] + i;
      const promise = this.#promise(this.move[child], ply);
      let at = i;
      for (; at > 0 && promises[at - 1] < promise; at--) {
        promises[at] = promises[at - 1];
        list[at] = list[at - 1];
      }
      promises[at] = promise;
      list[at] = child;
    }
    return list;
  }

  /** A child made a cut at a node with so many moves: near the root that saves more. */
  cut(child, ply, moves) {
    const cell = this.move[child];
    const killers = this.killers[ply];
    if (cell !== killers[0]) this.killers[ply] = [cell, killers[0]];
    this.history[ply % 2][cell] += moves * moves;
  }
}
