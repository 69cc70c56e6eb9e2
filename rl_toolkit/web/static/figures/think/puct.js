/**
 * PUCT on Tic-Tac-Toe, guided by what a network said: the twin of `rl_toolkit.learning.alphazero.PythonPuctTree` for one
 * position at a time, without tactics, priors as they are, moves in the order of the cells; without proofs, unless `proofs`.
 */

import { said } from "./generations.js";
import { readPosition, ROWS } from "./tictactoe.js";

const GRAIN = 2 ** -24;
const ALL = 511;
const inGrains = (number) => Math.round(number / GRAIN) * GRAIN;
const resultOf = (x, o) => (ROWS[x] ? 1 : ROWS[o] ? -1 : (x | o) === ALL ? 0 : null);

export class Puct {
  nodes = []; // in the order in which they were made
  paths = []; // of every simulation the numbers of its nodes
  results = []; // for X

  /** `ask(x, o)` gives the value for the side to move, and the priors by cell; `own` are priors for the root in place of them. */
  constructor(position, { c = 1.5, generation = 0, proofs = false, ask = (x, o) => said(generation, x, o), own = null } = {}) {
    Object.assign(this, { c, proofs, ask, own });
    this.root = this.#made(null, -1, ...readPosition(position));
  }

  /** Run simulations until there are `n`, or the result is proven. */
  growTo(n) {
    while (this.paths.length < n && this.root.proven === null) this.#grow();
    return this;
  }

  #made(parent, move, x, o, side) {
    const node = { number: this.nodes.length, parent, move, x, o, side, visits: 0, total: 0, mean: 0, prior: 0, children: [], proven: resultOf(x, o), born: this.paths.length };
    parent?.children.push(node);
    this.nodes.push(node);
    return node;
  }

  #grow() {
    const path = [this.root];
    let node = this.root;
    while (node.proven === null) {
      if (!node.children.length) {
        this.#expand(node);
        if (node.proven !== null || node.children.length !== 1) break;
      }
      node = this.chosen(node, 1);
      path.push(node);
    }
    const result = node.proven ?? this.#learned(node);
    let came = result;
    for (const up of [...path].reverse()) {
      if (this.proofs) conclude(up);
      came = up.proven ?? came;
      up.visits++;
      up.total += came * -up.side; // for the player who moved here
    }
    for (const up of path) up.mean = Math.trunc(up.total / GRAIN / up.visits) * GRAIN;
    this.paths.push(path.map(({ number }) => number));
    this.results.push(result);
  }

  #expand(node) {
    for (let cell = 0; cell < 9; cell++) {
      if (((node.x | node.o) >> cell) & 1) continue;
      const [x, o] = node.side > 0 ? [node.x | (1 << cell), node.o] : [node.x, node.o | (1 << cell)];
      this.#made(node, cell, x, o, -node.side);
    }
    if (this.proofs) conclude(node);
  }

  /** Ask the network: the priors go to the children, the value is the result. */
  #learned(node) {
    const { value, priors: asked } = this.ask(node.x, node.o);
    const priors = (node === this.root && this.own) || asked;
    const total = node.children.reduce((sum, { move }) => sum + priors[move], 0);
    for (const child of node.children) child.prior = inGrains(priors[child.move] / total);
    if (node === this.root) this.#asFlattened(node);
    return inGrains(value) * node.side;
  }

  /** What flattening with the power 1 leaves: the eight greatest priors, rounded once more. */
  #asFlattened({ children }) {
    const best = [...children].sort((a, b) => b.prior - a.prior).slice(0, 8).filter(({ prior }) => prior > 0);
    const total = best.reduce((sum, { prior }) => sum + prior, 0);
    for (const child of best) child.prior = inGrains((child.prior / total) * total);
  }

  /** The terms of a child: `mean` for the player who chooses, `bonus`, and their `sum`; `running` simulations count. */
  terms(node, child, running = 0) {
    const mean = child.proven === 0 ? 0 : child.visits ? child.total / child.visits : -node.mean;
    const bonus = (this.c * Math.sqrt(node.visits + running) * child.prior) / (1 + child.visits);
    return { mean, bonus, sum: mean + bonus };
  }

  /** The child that selection takes: the greatest sum that is not a proven loss, of equal ones the first. */
  chosen(node, running = 0) {
    let [best, top] = [null, -Infinity];
    for (const child of node.children) {
      if (child.proven !== null && child.proven * node.side < 0) continue;
      const { sum } = this.terms(node, child, running);
      if (!best || sum > top) [best, top] = [child, sum];
    }
    return best;
  }
}

/** Prove the result of a node if its children do. */
function conclude(node) {
  if (node.proven !== null) return;
  const known = node.children.map((child) => child.proven);
  if (known.includes(node.side)) node.proven = node.side;
  else if (known.length && !known.includes(null)) node.proven = node.side * Math.max(...known.map((result) => node.side * result)) + 0;
}
