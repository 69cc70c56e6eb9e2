/**
 * A minimax trace as a thing of time: what is known of any node at any event, by looking it up.
 * There is no "current state" to undo, so a step back, a jump and a drag cost the same as a step.
 *
 * Scores are places in `data.values`, which increase: places compare as the scores do, and `text`
 * says how people read them. −1 is "none". Nothing is computed here that the search did not do: the
 * events are read with a stack, as `steps_of` in Python reads them.
 */

const ENTRIES = "ENP";
const LEAVES = "VvHDF";
const OFFERS = "BbW";
const WIN = 1000; // the score of a game that is won, before plies are counted off

export class Model {
  constructor({ trace, told, look, leaves = null }) {
    this.data = trace;
    this.look = look;
    this.leaves = leaves; // of a typed tree: move → [name, value of a leaf or "", moves below]
    const { nodes, events } = trace;
    const N = nodes.move.length;
    const T = events.kind.length;
    Object.assign(this, { N, T, kind: events.kind, lo: nodes.lo, hi: nodes.hi });
    this.prunes = trace.engine.options.pruning;
    this.#allocate(N, T);
    this.#read(events);
    this.#sentences(told);
  }

  #allocate(N, T) {
    for (const name of ["node", "alpha", "beta", "value", "best", "bestMove", "came", "seen", "saved", "spared", "cutCount", "hitCount"])
      this[name] = new Int32Array(T).fill(-1);
    for (const name of ["parent", "depth", "opens", "closes", "bestOf"]) this[name] = new Int32Array(N).fill(-1);
    this.first = new Int32Array(N + 1); // the events of a node are list[first[n]] … list[first[n + 1] - 1]
    this.list = new Int32Array(T);
    this.kids = Array.from({ length: N }, () => []);
    this.cutEvents = [];
    this.hitEvents = [];
    this.cutAt = new Map(); // node → event
    this.foldedBelow = new Map(); // node → positions
    this.countsSaved = this.countsSpared = true; // whether all cuts, and all hits, know what they save
  }

  #read(events) {
    const { kind, data } = this;
    const { args } = events;
    const top = data.values.length - 1;
    const stack = [];
    let [next, entered, seen, saved, spared, cuts, hits] = [0, 0, 0, 0, 0, 0, 0];
    const alpha = new Int32Array(this.N).fill(0);
    const beta = new Int32Array(this.N).fill(top);
    const best = new Int32Array(this.N).fill(-1);
    const back = new Int32Array(this.N).fill(-1);
    for (let t = 0; t < this.T; t++) {
      const k = kind[t];
      if (ENTRIES.includes(k)) {
        const n = entered++;
        const up = stack.at(-1) ?? -1;
        this.parent[n] = up;
        this.depth[n] = stack.length;
        [alpha[n], beta[n]] = k === "E" ? [alpha[up], beta[up]] : [args[next++], args[next++]];
        if (up >= 0) this.kids[up].push(n);
        this.opens[n] = t;
        stack.push(n);
        seen += 1;
      }
      const n = stack.at(-1);
      let value = -1;
      if (LEAVES.includes(k) || k === "R") {
        value = args[next++];
        best[n] = value;
        this.closes[n] = t;
        if (k === "H") {
          hits += 1;
          this.hitEvents.push(t);
          const below = data.hits[t]?.saved ?? null;
          if (below === null) this.countsSpared = false;
          else spared += below;
        }
        if (k === "F") {
          this.foldedBelow.set(n, data.folded[t]);
          seen += data.folded[t];
          const [foldedCuts, foldedSaved, foldedHits] = data.below?.[t] ?? [0, 0, 0];
          cuts += foldedCuts;
          hits += foldedHits;
          if (foldedHits) this.countsSpared = false;
          if (foldedSaved === null) this.countsSaved = false;
          else saved += foldedSaved;
        }
      } else if (OFFERS.includes(k)) {
        value = args[next++];
        if (k !== "W") best[n] = value;
        if (k === "B") this.bestOf[n] = back[n];
        if (k !== "W" && this.prunes) {
          if (this.isMax(n)) alpha[n] = Math.max(alpha[n], value);
          else beta[n] = Math.min(beta[n], value);
        }
      } else if (k === "C") {
        value = best[n];
        cuts += 1;
        this.cutEvents.push(t);
        this.cutAt.set(n, t);
        for (const each of data.cuts[t].saved) {
          if (each === null) this.countsSaved = false;
          else saved += each;
        }
      }
      this.node[t] = n;
      [this.alpha[t], this.beta[t], this.value[t], this.best[t]] = [alpha[n], beta[n], value, best[n]];
      [this.bestMove[t], this.came[t]] = [this.bestOf[n], back[n]];
      [this.seen[t], this.saved[t], this.spared[t], this.cutCount[t], this.hitCount[t]] = [seen, saved, spared, cuts, hits];
      if (this.closes[n] === t) {
        stack.pop();
        if (stack.length) back[stack.at(-1)] = n;
      }
      this.first[n + 1] += 1;
    }
    for (let n = 0; n < this.N; n++) this.first[n + 1] += this.first[n];
    const fill = this.first.slice(0, this.N);
    for (let t = 0; t < this.T; t++) this.list[fill[this.node[t]]++] = t;
    this.plies = 1;
    for (let n = 0; n < this.N; n++) this.plies = Math.max(this.plies, this.depth[n] + 1 + (this.cutAt.has(n) ? 1 : 0));
    this.widest = 1;
    for (let n = 0; n < this.N; n++) this.widest = Math.max(this.widest, this.width(n));
  }

  #sentences(told) {
    this.told = told;
    this.said = new Int32Array(this.T + 1); // the lines of event t are those from said[t] to said[t + 1]
    let line = 0;
    for (let t = 0; t < this.T; t++) {
      this.said[t] = line;
      if (told) do line += 1; while (line < told.event.length && told.event[line] <= t);
    }
    this.said[this.T] = line;
  }

  /** The event as a sentence, with those that belong to no event after it: the horizon, the result. */
  sentence(t) {
    const { told, said } = this;
    return told ? told.text.slice(said[t], said[t + 1]).map((place) => told.texts[place]).join(" ") : "";
  }

  text(place) {
    return place < 0 ? "" : this.data.texts[place];
  }

  /** The last event of node n up to t, or −1: all that is known of n then is in its columns. */
  at(n, t) {
    let [low, high] = [this.first[n], this.first[n + 1]];
    if (low === high || this.list[low] > t) return -1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.list[middle] <= t) low = middle;
      else high = middle;
    }
    return this.list[low];
  }

  /** The nodes from the root to the one of event t. */
  path(t) {
    const path = [];
    for (let n = this.node[t]; n >= 0; n = this.parent[n]) path.push(n);
    return path.reverse();
  }

  /** The nodes of the line of best play, from the root as far as it was searched. */
  get principal() {
    if (this.#principal) return this.#principal;
    this.#principal = [0];
    for (const move of this.data.answer.line) {
      const next = this.kids[this.#principal.at(-1)].findLast((kid) => this.data.nodes.move[kid] === move);
      if (next === undefined) break; // folded, or known from the table
      this.#principal.push(next);
    }
    return this.#principal;
  }

  #principal = null;

  /** The nodes that stand on stage at event t: the path; at the end the line of best play. */
  shownPath(t) {
    return t === this.T - 1 ? this.principal : this.path(t);
  }

  /** The node whose value the table gave at event t, −1 if it is not known. */
  twin(t) {
    return this.kind[t] === "H" ? (this.data.hits[t]?.twin ?? -1) : -1;
  }

  /** The moves from the root to node n. */
  moves(n) {
    const moves = [];
    for (let k = n; k > 0; k = this.parent[k]) moves.push(this.data.nodes.move[k]);
    return moves.reverse();
  }

  /**
   * The event here that is most like event t of another search of the same position: at the same
   * node, or at the last one on the way to it that is visited here, and of the same kind.
   */
  like(other, t) {
    if (t === other.T - 1) return { t: this.T - 1, reached: 0, wanted: 0 };
    const wanted = other.moves(other.node[t]);
    let n = 0;
    for (const [k, move] of wanted.entries()) {
      const next = this.kids[n].find((kid) => this.data.nodes.move[kid] === move);
      if (next === undefined) {
        const cut = this.cutAt.get(n);
        const leftOut = cut !== undefined && this.data.cuts[cut].left.includes(move);
        return { t: leftOut ? cut : this.closes[n], reached: k, wanted: wanted.length, leftOut, move };
      }
      n = next;
    }
    const events = Array.from(this.list.subarray(this.first[n], this.first[n + 1]));
    const kind = other.kind[t];
    const group = [ENTRIES, LEAVES + "R", OFFERS, "C"].find((kinds) => kinds.includes(kind));
    const same = events.filter((event) => group.includes(this.kind[event]));
    const theirs = Array.from(other.list.subarray(other.first[other.node[t]], other.first[other.node[t] + 1])).filter((event) => group.includes(other.kind[event]));
    // A cut that is no cut here: where the child that caused it came back; else where the node is left.
    const place = Math.max(0, theirs.indexOf(t));
    return { t: same[Math.min(place, same.length - 1)] ?? this.closes[n], reached: wanted.length, wanted: wanted.length };
  }

  /** How many cards stand below a node. */
  width(n) {
    const t = this.cutAt.get(n);
    return this.kids[n].length + (t === undefined ? 0 : this.data.cuts[t].left.length);
  }

  /** What stands below a node: its children as searched, then the moves left out. */
  slots(n) {
    const { move } = this.data.nodes;
    const slots = this.kids[n].map((kid, k) => ({ key: kid, node: kid, up: n, move: move[kid], again: k > 0 && move[kid] === move[this.kids[n][k - 1]] }));
    const t = this.cutAt.get(n);
    if (t !== undefined) {
      const { left, saved, cells } = this.data.cuts[t];
      left.forEach((move, k) => slots.push({ key: `${n}-${move}`, node: -1, up: n, move, saved: saved[k], cut: t, cells: cells[k] }));
    }
    return slots;
  }

  /** Below a move of a typed tree that is left out: the moves there, which nobody looked at. */
  leftOut({ key, move, cut }) {
    return (this.leaves?.[move]?.[2] ?? []).map((below) => ({ key: `${key}.${below}`, node: -1, up: key, move: below, saved: null, cut, cells: -1 }));
  }

  /** The value of the leaf that a move of a typed tree leads to; "" for an inner node. */
  leaf(move) {
    return this.leaves?.[move]?.[1] ?? "";
  }

  /** The name of a move, also of one that was left out. */
  named(move) {
    return this.data.names[move] ?? this.leaves?.[move]?.[0] ?? "";
  }

  allNames() {
    return this.leaves ? Object.values(this.leaves).map(([name]) => name) : Object.values(this.data.names);
  }

  isMax(n) {
    return this.data.nodes.side[n] === "X";
  }

  side(n) {
    return this.data.sides[this.data.nodes.side[n]];
  }

  /** "MAX · X"; "MAX" where the sides have no other names. */
  role(max) {
    const [who, side] = max ? ["MAX", this.data.sides.X] : ["MIN", this.data.sides.O];
    return side === who ? who : `${who} · ${side}`;
  }

  name(n) {
    return n > 0 ? this.data.names[this.data.nodes.move[n]] : "start";
  }

  /** The moves from the root: "c2 b3", or "start". */
  line(n) {
    const names = [];
    for (let k = n; k > 0; k = this.parent[k]) names.push(this.name(k));
    return names.reverse().join(" ") || "start";
  }

  /** "0", "≤ 0", "≥ 1": what a finished node says of its true value. */
  verdict(n) {
    const value = this.text(this.value[this.closes[n]]);
    if (this.lo[n] === this.hi[n]) return value;
    return this.value[this.closes[n]] === this.hi[n] ? `≤ ${value}` : `≥ ${value}`;
  }

  /** Whether a finished node leaves every result open: "≥ −1" where nothing is lower. */
  saysNothing(n) {
    const place = this.value[this.closes[n]];
    if (this.lo[n] === this.hi[n] || this.look.free_results) return false;
    // With distances a game that is not over here ends a ply later at the earliest.
    const most = this.data.engine.options.distance ? WIN - this.depth[n] - 1 : WIN;
    const value = Number(this.data.values[place]);
    return place === this.hi[n] ? value >= most : value <= -most;
  }

  /** −1, 0 or 1: whom a value favours; 0 where results are any numbers. */
  tone(place) {
    if (this.look.free_results && place >= 0) return 0;
    const value = this.data.values[place];
    return place < 0 ? NaN : value === "inf" ? 1 : value === "-inf" ? -1 : Math.sign(value);
  }

  /** The cells at a slot, and those that its move changed. */
  board({ node, up, cells }) {
    const board = [...this.data.board];
    const chain = [];
    for (let n = node < 0 ? up : node; n > 0; n = this.parent[n]) chain.push(n);
    let last = [];
    for (const n of chain.reverse()) last = this.#put(board, this.#cells(n), this.parent[n]);
    if (node < 0) last = this.#put(board, cells, up);
    return { cells: board, last };
  }

  #cells(n) {
    const { cells, move } = this.data.nodes;
    return (cells ?? move)[n];
  }

  #put(board, cells, mover) {
    const mine = this.isMax(mover) ? 1 : -1;
    const last = [];
    for (const each of Array.isArray(cells) ? cells : [cells]) {
      const [cell, content] = Array.isArray(each) ? each : [each, mine];
      if (!(cell >= 0)) continue;
      board[cell] = content;
      last.push(cell);
    }
    return last;
  }
}

/** The last event with at most so many positions visited; the end once all are. */
export function eventAfter(model, visited) {
  const { seen, T } = model;
  if (seen[T - 1] <= visited) return T - 1;
  let [low, high] = [0, T - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (seen[middle] <= visited) low = middle;
    else high = middle;
  }
  return low;
}
