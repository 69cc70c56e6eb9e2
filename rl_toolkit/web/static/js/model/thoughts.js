/** What engines thought in this game, by the moves that led to the position. */

export class Thoughts {
  #kept = new Map();

  clear() {
    this.#kept.clear();
  }

  keep(moves, analysis, who) {
    this.#kept.set(moves.join(" "), { analysis, who });
  }

  /** What an engine thought before the last of `moves`, if that is the move it chose. */
  before(moves) {
    const found = moves.length ? this.#kept.get(moves.slice(0, -1).join(" ")) : undefined;
    return found?.analysis.best === moves.at(-1) ? found : undefined;
  }

  /** What an engine thought about the position after `moves`. */
  about(moves) {
    return this.#kept.get(moves.join(" "));
  }
}
