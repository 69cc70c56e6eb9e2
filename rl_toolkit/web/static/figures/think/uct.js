/**
 * UCT on Tic-Tac-Toe, simulation by simulation: the twin of `rl_toolkit.algorithms.mcts.PythonTree` without tactics, and,
 * unless `proofs` is set, without proofs. The tree grows as far as it is asked for.
 */

import { PythonRandom } from "./python_random.js";
import { readPosition, ROWS } from "./tictactoe.js";

const ALL = 511;
/** By set of taken cells, the free ones in order. */
const FREE = Array.from({ length: ALL + 1 }, (_, taken) => [...Array(9).keys()].filter((cell) => !((taken >> cell) & 1)));
const resultOf = (x, o) => (ROWS[x] ? 1 : ROWS[o] ? -1 : (x | o) === ALL ? 0 : null);

export class Uct {
  nodes = []; // in the order in which they were made
  paths = []; // of every simulation the numbers of its nodes
  results = [];

  constructor(position, { c = 1.41, seed = 0, proofs = false } = {}) {
    Object.assign(this, { c, proofs, chance: new PythonRandom(seed) });
    this.root = this.#made(null, -1, ...readPosition(position));
  }

  /** Run simulations until there are `n`, or the result is proven. */
  growTo(n) {
    while (this.paths.length < n && this.root.proven === null) this.#grow();
    return this;
  }

  #made(parent, move, x, o, side) {
    const result = resultOf(x, o);
    const untried = result === null ? this.chance.shuffle([...FREE[x | o]]) : [];
    const node = { number: this.nodes.length, parent, move, x, o, side, visits: 0, total: 0, children: [], untried, proven: result, born: this.paths.length };
    parent?.children.push(node);
    this.nodes.push(node);
    return node;
  }

  #grow() {
    let node = this.root;
    while (node.proven === null) {
      if (node.untried.length) {
        const move = node.untried.pop();
        const [x, o] = node.side > 0 ? [node.x | (1 << move), node.o] : [node.x, node.o | (1 << move)];
        node = this.#made(node, move, x, o, -node.side);
        break;
      }
      node = this.#chosen(node);
    }
    const result = node.proven ?? this.#playout(node);
    const path = [];
    this.results.push(result);
    let came = result;
    for (let up = node; up; up = up.parent) {
      if (this.proofs) conclude(up);
      came = up.proven ?? came;
      up.visits++;
      up.total += came * -up.side; // for the player who moved here
      path.push(up.number);
    }
    this.paths.push(path.reverse());
  }

  /** The child with the greatest sum of mean and bonus, proven losses last; of equal ones the first. */
  #chosen(node) {
    const log = Math.log(node.visits);
    let best = null;
    let top = -Infinity;
    let isOpen = false;
    for (const child of node.children) {
      const score = child.total / child.visits + this.c * Math.sqrt(log / child.visits);
      const open = child.proven === null || child.proven * node.side >= 0;
      if (best && !(open && !isOpen) && !(open === isOpen && score > top)) continue;
      best = child;
      top = score;
      isOpen = open;
    }
    return best;
  }

  #playout({ x, o, side }) {
    let result = resultOf(x, o);
    while (result === null) {
      const cell = this.chance.choice(FREE[x | o]);
      if (side > 0) x |= 1 << cell;
      else o |= 1 << cell;
      side = -side;
      result = resultOf(x, o);
    }
    return result;
  }

  /** Visits and totals of all nodes after the first n simulations (without proofs). */
  tally(n) {
    const [visits, total] = [new Int32Array(this.nodes.length), new Float64Array(this.nodes.length)];
    for (let i = 0; i < Math.min(n, this.paths.length); i++) {
      for (const number of this.paths[i]) {
        visits[number]++;
        total[number] += this.results[i] * -this.nodes[number].side;
      }
    }
    return { visits, total };
  }
}

/** Prove the result of a node if its children do. */
function conclude(node) {
  if (node.proven !== null) return;
  const known = node.children.map((child) => child.proven);
  if (known.includes(node.side)) node.proven = node.side;
  else if (!node.untried.length && known.length && !known.includes(null)) node.proven = node.side * Math.max(...known.map((result) => node.side * result)) + 0;
}

const TRUTHS = new Map();

/** The value of a position for X with best play. */
export function truth(x, o, side) {
  const result = resultOf(x, o);
  if (result !== null) return result;
  const key = (x << 10) | (o << 1) | Number(side > 0);
  if (!TRUTHS.has(key)) TRUTHS.set(key, side * Math.max(...FREE[x | o].map((cell) => side * (side > 0 ? truth(x | (1 << cell), o, -1) : truth(x, o | (1 << cell), 1)))));
  return TRUTHS.get(key);
}
