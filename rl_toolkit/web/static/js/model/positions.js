/**
 * The positions of nodes. Pages know no rules: every position comes from the server, a whole line in
 * one request, and is kept as long as its game is on the page.
 */

import { post } from "../base/api.js";

export class Positions {
  fixed = null; // what holds in every position of the game
  start = ""; // text of the position in which the game begins, "" for the usual one
  #kept = new Map(); // path → position
  #coming = new Map(); // path → promise of the line that ends there

  /** Another game, with an answer of /api/line about it; the answer's positions are kept. */
  begin(answer, start) {
    this.fixed = answer.fixed;
    this.start = start;
    this.#kept.clear();
    this.#coming.clear();
    this.#take(answer);
  }

  /** The fields by which the server knows the position after `moves`. */
  question(moves) {
    return { game: this.fixed.game, start: this.start || undefined, moves };
  }

  /** Keep the position of `node`, an answer of /api/position that came with another one. */
  keep(node, answer) {
    this.#kept.set(node.path, { ...this.fixed, ...answer, start: this.fixed.start, names: this.fixed.names });
  }

  /** The position of `node` if it is here, else null. */
  known(node) {
    return this.#kept.get(node.path) ?? null;
  }

  /** The position of `node`; the part of its line that is not here is asked for. */
  async of(node) {
    const { path, moves } = node;
    if (!this.#kept.has(path)) {
      let from = 0;
      while (this.#kept.has(moves.slice(0, from).join(" "))) from += 1;
      if (!this.#coming.has(path)) {
        const asked = post("/api/line", { ...this.question(moves), from }).then((answer) => this.#take(answer));
        this.#coming.set(path, asked.finally(() => this.#coming.delete(path)));
      }
      await this.#coming.get(path);
    }
    if (!this.#kept.has(path)) throw new Error("This move cannot be played.");
    return this.#kept.get(path);
  }

  /** The positions after `node` and each of further `moves`, which are not added to any tree. */
  async beyond(node, moves) {
    const all = [...node.moves, ...moves];
    this.#take(await post("/api/line", { ...this.question(all), from: node.ply + 1 }));
    return moves.map((_, k) => this.#kept.get(all.slice(0, node.ply + 1 + k).join(" "))).filter(Boolean);
  }

  /**
   * Give the nodes below `root` their names and movers, in one request. What cannot be played is
   * taken out of the tree, and so are marks that are not on the board; the answer is a sentence
   * about it, or "".
   */
  async name(root) {
    const strayed = this.#dropStrayMarks(root) ? "Marks that are not on the board are left out." : "";
    const ends = [...root.walk()].filter((node) => !node.next && node.line.some(({ name }) => !name));
    if (!ends.length) return strayed;
    const { lines } = await post("/api/names", { ...this.question([]), lines: ends.map(({ moves }) => moves) });
    ends.forEach((end, k) => {
      const { line } = end;
      lines[k].names.forEach((name, ply) => Object.assign(line[ply], { name, player: lines[k].movers[ply] }));
    });
    const bad = [...root.walk()].filter((node) => node.parent && !node.name && (!node.parent.parent || node.parent.name));
    for (const node of bad) node.parent.children = node.parent.children.filter((other) => other !== node);
    return lines.find(({ problem }) => problem)?.problem ?? strayed;
  }

  /** Whether a link, which anyone may write, had marks that name no square. */
  #dropStrayMarks(root) {
    const { has_grid, rows, cols } = this.fixed;
    const squares = has_grid ? rows * cols : 0;
    let strayed = false;
    for (const node of root.walk()) {
      const inside = node.marks.filter(({ from, to }) => from < squares && to < squares);
      strayed ||= inside.length < node.marks.length;
      node.marks = inside;
    }
    return strayed;
  }

  #take({ moves, positions, from }) {
    positions.forEach((position, k) => this.#kept.set(moves.slice(0, from + k).join(" "), this.#whole(position)));
  }

  /** A position in the form of /api/position. */
  #whole(part) {
    const { fixed } = this;
    const cell = (move, k) => (move === fixed.pass_move ? null : (part.cells?.[k] ?? (fixed.cell_moves ? move : null)));
    return {
      ...fixed,
      ...part,
      text: part.text ?? null,
      winning_cells: part.winning_cells ?? [],
      board: [...part.board].map((sign) => ({ x: 1, o: -1 })[sign] ?? 0),
      legal: part.legal.map((move, k) => ({ move, name: part.names ? part.names[k] : fixed.names[move], cell: cell(move, k), origin: part.origins?.[k] ?? null })),
    };
  }
}

/** A tree of one line, as /api/line answers it. */
export function grow(tree, { moves, names, movers }) {
  let node = tree.root;
  moves.forEach((move, k) => (node = tree.add(node, { move, name: names[k], player: movers[k] })));
  return node;
}
