/**
 * All 549,946 nodes of the tree of Tic-Tac-Toe, numbered ply by ply so that the children of a node are neighbours, and
 * alpha-beta over them, fast enough to run for every frame. Its counts are those of `MinimaxSolver`.
 */

import { Guess } from "./guesses.js";
import { ROWS } from "./tictactoe.js";

export const NODES = 549946;
const [EXACT, LOWER, UPPER] = [1, 2, 3];

export class WholeGame {
  x = new Uint16Array(NODES);
  o = new Uint16Array(NODES);
  parent = new Int32Array(NODES).fill(-1);
  move = new Int8Array(NODES).fill(-1);
  first = new Int32Array(NODES); // of the children
  count = new Uint8Array(NODES);
  value = new Int8Array(NODES); // for X, with best play
  size = new Int32Array(NODES).fill(1); // with all below
  plies = [0, 1]; // the first node of each ply, and the end
  seen = new Uint8Array(NODES); // of the last search

  constructor() {
    this.#grow();
    this.#judge();
    this.#sort();
  }

  #grow() {
    const { x, o, parent, move, first, count, plies } = this;
    let end = 1;
    for (let ply = 0; ply < 9; ply++) {
      const isX = ply % 2 === 0;
      for (let node = plies[ply]; node < plies[ply + 1]; node++) {
        first[node] = end;
        if (ROWS[isX ? o[node] : x[node]]) continue; // the other side has won
        for (let cell = 0; cell < 9; cell++) {
          if (((x[node] | o[node]) >> cell) & 1) continue;
          x[end] = isX ? x[node] | (1 << cell) : x[node];
          o[end] = isX ? o[node] : o[node] | (1 << cell);
          parent[end] = node;
          move[end++] = cell;
        }
        count[node] = end - first[node];
      }
      plies.push(end);
    }
  }

  #judge() {
    const { x, o, parent, first, count, value, size } = this;
    const { plies } = this;
    for (let ply = 9; ply >= 0; ply--) {
      const side = ply % 2 === 0 ? 1 : -1;
      for (let node = plies[ply]; node < plies[ply + 1]; node++) {
        if (node) size[parent[node]] += size[node];
        if (!count[node]) value[node] = ROWS[x[node]] - ROWS[o[node]];
        else {
          let best = -1;
          for (let child = first[node]; child < first[node] + count[node]; child++) best = Math.max(best, side * value[child]);
          value[node] = side * best;
        }
      }
    }
  }

  /** The children of every node, the best first: of equal ones the one with fewer nodes below. Worst first is the reverse. */
  #sort() {
    const { first, count, value, size } = this;
    this.best = Int32Array.from({ length: NODES }, (_, node) => node);
    this.lot = new Float32Array(NODES); // from which share on a node is in order
    let hash = 1;
    for (let node = 0, ply = 0; node < NODES; node++) {
      if (node === this.plies[ply + 1]) ply++;
      hash = (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
      this.lot[node] = ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
      if (!count[node]) continue;
      const side = ply % 2 === 0 ? 1 : -1; // X moves at even plies
      this.best.subarray(first[node], first[node] + count[node]).sort((a, b) => side * (value[b] - value[a]) || size[a] - size[b]);
    }
  }

  /**
   * Search with an order from −1, everywhere the worst move first, by 0, as the cells are numbered, to 1, everywhere the
   * best first; between them that share of the nodes is in order. The others have the order of a `guess`, which learns
   * from cuts and so needs pruning. With a `depth` there is a search to depth 1, then 2, and so on: undecided games count 0
   * at the end of the depth, and the best move of the search before comes first. Marks what the last one has `seen`.
   */
  search(order, { memory = false, pruning = true, guess = "cells", depth = 0 } = {}) {
    const { first, count, value, best, lot, seen, x, o } = this;
    const table = memory ? new Uint8Array(1 << 18) : null;
    const guessed = pruning && guess !== "cells" ? new Guess(guess, this) : null;
    const share = Math.abs(order);
    const isWorst = order < 0;
    const top = depth ? new Int32Array(NODES) : null; // the best child of each node in the search before, 0 if unknown
    const depths = []; // how many nodes the search to each depth has entered
    let [limit, entered, leaves, hits] = [depth ? 1 : 9, 0, 0, 0];
    const visit = (node, ply, alpha, beta, isMax) => {
      seen[node] = 1;
      entered++;
      const n = count[node];
      if (!n || ply === limit) {
        leaves++;
        return n ? 0 : value[node];
      }
      const key = table && (x[node] << 9) | o[node];
      if (table && table[key]) {
        const [known, bound] = [(table[key] & 3) - 1, table[key] >> 2];
        if (bound === EXACT || (bound === LOWER ? known >= beta : known <= alpha)) {
          hits++;
          return known;
        }
      }
      const begin = first[node];
      const inOrder = lot[node] < share;
      const sorted = !inOrder && guessed ? guessed.sorted(node, ply) : null;
      let [low, high] = [alpha, beta];
      let found = isMax ? -2 : 2;
      const known = top ? top[node] : 0;
      for (let i = known ? -1 : 0; i < n; i++) {
        const child = i < 0 ? known : sorted ? sorted[i] : !inOrder ? begin + i : isWorst ? best[begin + n - 1 - i] : best[begin + i];
        if (i >= 0 && child === known) continue;
        const came = visit(child, ply + 1, low, high, !isMax);
        if (isMax ? came > found : came < found) {
          found = came;
          if (top) top[node] = child;
        }
        if (!pruning) continue;
        if (isMax) low = Math.max(low, found);
        else high = Math.min(high, found);
        if (low >= high) {
          guessed?.cut(child, ply, n);
          break;
        }
      }
      if (table) table[key] = (found + 1) | ((found <= alpha ? UPPER : found >= beta ? LOWER : EXACT) << 2);
      return found;
    };
    for (; ; limit++) {
      [entered, leaves, hits] = [0, 0, 0];
      seen.fill(0);
      table?.fill(0);
      const found = visit(0, 0, -2, 2, true);
      depths.push(entered);
      if (limit === (depth || 9)) return { value: found, entered, leaves, hits, depths };
    }
  }

  /** The cells that lead to a node. */
  path(node) {
    const cells = [];
    for (let at = node; at > 0; at = this.parent[at]) cells.unshift(this.move[at]);
    return cells;
  }
}
