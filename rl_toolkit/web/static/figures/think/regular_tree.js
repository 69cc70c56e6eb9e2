/** A tree with b moves everywhere and d plies, its leaves by lot, and alpha-beta with its moves in any order. */

import { PythonRandom } from "./python_random.js";

export class RegularTree {
  constructor(b, d, seed) {
    Object.assign(this, { b, d, leaves: b ** d, least: b ** Math.ceil(d / 2) + b ** Math.floor(d / 2) - 1 });
    const chance = new PythonRandom(seed);
    this.values = [Array.from({ length: this.leaves }, () => chance.random())]; // of every node, by ply
    this.best = []; // the children of every node, the best first
    for (let ply = d - 1; ply >= 0; ply--) {
      const [below] = this.values;
      const side = ply % 2 === 0 ? 1 : -1;
      const sorted = Array.from({ length: b ** ply }, (_, i) => Array.from({ length: b }, (_, k) => i * b + k).sort((p, q) => side * (below[q] - below[p])));
      this.best.unshift(sorted);
      this.values.unshift(sorted.map(([first]) => below[first]));
    }
    const lots = new PythonRandom(seed + 1000);
    this.lots = this.best.map((row) => row.map(() => lots.random()));
  }

  /** What a search with an order from −1 (worst move first) to 1 (best first) sees; see `WholeGame.search`. */
  search(order) {
    const seen = this.values.map((row) => new Uint8Array(row.length));
    let leaves = 0;
    const visit = (ply, i, alpha, beta) => {
      seen[ply][i] = 1;
      if (ply === this.d) {
        leaves++;
        return this.values[ply][i];
      }
      const isMax = ply % 2 === 0;
      const sorted = this.best[ply][i];
      let found = isMax ? -Infinity : Infinity;
      for (let k = 0; k < this.b; k++) {
        const child = this.lots[ply][i] >= Math.abs(order) ? i * this.b + k : order > 0 ? sorted[k] : sorted[this.b - 1 - k];
        const value = visit(ply + 1, child, alpha, beta);
        found = isMax ? Math.max(found, value) : Math.min(found, value);
        if (isMax) alpha = Math.max(alpha, found);
        else beta = Math.min(beta, found);
        if (alpha >= beta) break;
      }
      return found;
    };
    visit(0, 0, -Infinity, Infinity);
    return { seen, leaves };
  }
}
