/**
 * A recorded tree search as moments. Moment 0 is the start; then every choice, every new node, every
 * move of a playout and every node backed up is one. Everything is looked up for a moment, nothing
 * is undone; what is looked up was written by the search in Python, there is no rule and no search
 * here.
 *
 * The recording comes with all paths and results. Terms, playouts and sentences come in windows of
 * simulations: `loaded(s)` says whether simulation s has them, `merge(window)` adds some.
 */

import { upTo } from "./numbers.js";

export const [START, SELECT, EXPAND, PLAYOUT, BACK_UP] = [-1, 0, 1, 2, 3];

export class Recording {
  constructor({ tree, look, told }) {
    Object.assign(this, { tree, look, told });
    this.nodes = tree.nodes;
    this.names = tree.names;
    this.sims = tree.simulations.map(([path, fresh, plies, result, , proven, , given]) => ({ path, fresh, plies, result, proven, given, terms: null, moves: null, cells: null, sentences: null }));
    this.network = tree.kind === "alphazero";
    this.deepest = Math.max(1, ...this.sims.map(({ path }) => path.length - 1));
    this.proofs = tree.engine.options.proofs ?? true;
    // What is shown of results and means is for the side that asks, the one to move at the start.
    this.view = tree.side === "X" ? 1 : -1;
    this.viewer = tree.sides[tree.side];
    this.#indexMoments();
    this.#indexNodes();
  }

  // ------------------------------------------------------------------------------ moments

  #indexMoments() {
    this.starts = []; // the first moment of each simulation
    let t = 1;
    for (const sim of this.sims) {
      const { path, fresh, plies } = sim;
      sim.choices = path.length - 1 - (fresh >= 0 && !this.network ? 1 : 0);
      sim.made = fresh >= 0 ? 1 : 0;
      sim.plays = Math.max(1, plies);
      this.starts.push(t);
      t += sim.choices + sim.made + sim.plays + path.length;
    }
    this.length = t;
  }

  #last = { t: -1 };

  /** Simulation, phase and place at a moment; the place of a back-up is that of its node on the path. */
  at(t) {
    if (this.#last.t !== t) this.#last = { t, ...this.#find(t) };
    return this.#last;
  }

  #find(t) {
    if (t <= 0 || !this.sims.length) return { s: 0, phase: START, place: 0, step: 0 };
    const s = upTo(this.starts, t) - 1;
    const { choices, made, plays, path } = this.sims[s];
    const step = t - this.starts[s];
    if (step < choices) return { s, phase: SELECT, place: step, step };
    if (step < choices + made) return { s, phase: EXPAND, place: 0, step };
    if (step < choices + made + plays) return { s, phase: PLAYOUT, place: step - choices - made, step };
    return { s, phase: BACK_UP, place: path.length - 1 - (step - choices - made - plays), step };
  }

  /** The simulations that are finished at a moment, and the moment at which so many are. */
  finished(t) {
    const { s, phase, place } = this.at(t);
    return phase === START ? 0 : s + (phase === BACK_UP && place === 0 ? 1 : 0);
  }

  after(simulations) {
    if (simulations <= 0) return 0;
    return simulations >= this.sims.length ? this.length - 1 : this.starts[simulations] - 1;
  }

  // -------------------------------------------------------------------------------- nodes

  #indexNodes() {
    const { parent } = this.nodes;
    this.through = parent.map(() => []); // the simulations through each node
    this.totals = parent.map(() => []); // and the sum of their results for X after each
    this.provenAt = new Map(); // node → moment and result
    this.children = parent.map(() => []); // those that are visited some time
    this.births = []; // the first simulation through each node, in order
    this.sims.forEach((sim, s) => {
      const { path, proven, choices, made, plays } = sim;
      const evaluated = this.starts[s] + choices + made;
      for (const [node, value] of proven) {
        const at = path.indexOf(node) >= 0 ? path.indexOf(node) : path.indexOf(parent[node]);
        const t = at === path.length - 1 ? evaluated : evaluated + plays + (path.length - 1 - at);
        this.provenAt.set(node, { t, value });
      }
      let { result } = sim;
      sim.backed = new Array(path.length);
      for (let k = path.length - 1; k >= 0; k--) {
        const n = path[k];
        result = this.provenAt.get(n)?.value ?? result; // a proof overrides from here up
        const credited = sim.given?.[k] ?? result; // a student's search may credit something else
        sim.backed[k] = credited;
        if (!this.through[n].length) {
          this.births.push(s);
          if (n) this.children[parent[n]].push(n);
        }
        this.through[n].push(s);
        this.totals[n].push((this.totals[n].at(-1) ?? 0) + credited);
      }
    });
  }

  /** A value for X as the side that asks reads it. */
  seen(value) {
    return value === null ? null : this.view * value + 0;
  }

  /** Visits and mean for X of node n at a moment; the mean of no visit is null. */
  stats(n, t) {
    const { s, phase, place } = this.at(t);
    if (phase === START) return { visits: 0, mean: null };
    let visits = upTo(this.through[n], s - 1);
    if (phase === BACK_UP && this.sims[s].path.indexOf(n) >= place) visits += 1;
    return { visits, mean: visits ? this.totals[n][visits - 1] / visits : null };
  }

  /** The proven result for X of node n at a moment, or null. */
  proven(n, t) {
    const found = this.provenAt.get(n);
    return found && found.t <= t ? found.value : null;
  }

  /** The part of the path that is reached at a moment. */
  reached(t) {
    const { s, phase, place } = this.at(t);
    if (phase === START) return [0];
    const { path } = this.sims[s];
    return phase === SELECT ? path.slice(0, place + 2) : path;
  }

  /** The children of node n at a moment: those visited before, and one that is reached now. */
  liveChildren(n, t) {
    const { s, phase } = this.at(t);
    if (phase === START) return [];
    const now = this.reached(t);
    return this.children[n].filter((child) => this.through[child][0] < s || now.includes(child));
  }

  /** The number of nodes in the tree at a moment. */
  size(t) {
    const { s, phase } = this.at(t);
    if (phase === START) return 1;
    return upTo(this.births, s - 1) + this.reached(t).filter((n) => this.through[n][0] === s).length;
  }

  name(n) {
    return n ? this.names[this.nodes.move[n]] : "start";
  }

  /** "the start", "b2 a1": the moves that lead to node n. */
  line(n) {
    if (n <= 0) return "the start";
    const above = this.nodes.parent[n];
    return (this.#lines[n] ??= above ? `${this.line(above)} ${this.name(n)}` : this.name(n));
  }

  #lines = [];

  /** The side to move at node n, by its piece: X, Red. */
  side(n) {
    return this.tree.sides[this.nodes.side[n]];
  }

  sign(n) {
    return this.nodes.side[n] === "X" ? 1 : -1;
  }

  /** The children of the start, by their moves. */
  get firstMoves() {
    return this.nodes.parent.flatMap((p, n) => (p === 0 ? [n] : [])).sort((a, b) => this.nodes.move[a] - this.nodes.move[b]);
  }

  // ------------------------------------------------------------------------------- boards

  /** The cells at node n, and those that its move changed. */
  boardOf(n) {
    const moves = [];
    for (let k = n; k > 0; k = this.nodes.parent[k]) moves.unshift(this.nodes.cells[k]);
    return this.#played(moves);
  }

  /** The board at a moment: the node reached, and the playout as far as it has gone. */
  boardAt(t) {
    const { s, phase, place } = this.at(t);
    const moves = this.reached(t).slice(1).map((n) => this.nodes.cells[n]);
    const played = this.sims[s]?.cells ?? [];
    if (phase === PLAYOUT) moves.push(...played.slice(0, place + 1));
    if (phase === BACK_UP) moves.push(...played);
    return this.#played(moves);
  }

  #played(moves) {
    const cells = [...this.tree.board];
    for (const changes of moves) for (let k = 0; k < changes.length; k += 2) cells[changes[k]] = changes[k + 1];
    return { cells, last: (moves.at(-1) ?? []).filter((_, k) => k % 2 === 0) };
  }

  // ------------------------------------------------------------------------------ windows

  merge({ first, simulations, sentences, names }) {
    Object.assign(this.names, names);
    simulations.forEach(([, , moves, , terms, , cells], k) => {
      const sim = this.sims[first + k];
      if (sim) Object.assign(sim, { moves, terms, cells, sentences: sentences[k] });
    });
  }

  loaded(s) {
    return Boolean(this.sims[s]?.terms);
  }

  /** The terms of a choice: [{ n, visits, mean, bonus, sum, prior, lost, taken }], null if not loaded. */
  choice(s, place) {
    const sim = this.sims[s];
    const rows = sim?.terms?.[place];
    if (!rows) return null;
    const above = sim.path[place];
    const sign = this.sign(above);
    const before = this.starts[s] - 1;
    const { move } = this.nodes;
    return [...rows].sort((one, other) => move[one[0]] - move[other[0]]).map(([n, visits, mean, bonus, prior]) => ({
      n, visits, mean: sign * mean, bonus, prior,
      lost: this.proofs && this.proven(n, before) === -sign,
      taken: n === sim.path[place + 1],
    }));
  }

  /** The choice that belongs to a moment: that one, or the last of its simulation; −1 without one. */
  choiceAt(t) {
    const { s, phase, place } = this.at(t);
    if (phase === START) return -1;
    return phase === SELECT ? place : this.sims[s].choices - 1;
  }

  sentence(t) {
    const { s, phase, step } = this.at(t);
    if (phase === START) return this.told.start;
    const told = this.sims[s].sentences?.[step];
    if (!told) return `Simulation ${s + 1}: its steps ${this.sims[s].missing ? "took the server too long, so only its path and its result are shown" : "are on their way"}.`;
    return t === this.length - 1 ? `${told} ${this.told.end}` : told;
  }
}
