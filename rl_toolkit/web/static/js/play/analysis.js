/**
 * Analysis of the position on the board: at once what is kept, then a search in rounds, each longer
 * than the one before, until every move is proven, the last round is over, or another position is
 * shown. Its engine is always the one that knows the game best: one truth, with a name.
 */

import { isSettled } from "../model/values.js";

const ROUNDS = [1.5, 6, 30]; // seconds
const REST = 160; // ms on a position before it is searched: walking through a game asks for nothing
const TOP = 40; // candidates that are listed

export class Analysis extends EventTarget {
  on = true;
  shown = null; // the analysis of the position on the board
  state = "off"; // off, searching, known, settled, over
  note = ""; // a place in the queue, a kernel that is compiled
  error = "";
  engine = null; // { name, spec }
  #turn = 0;

  constructor(searcher, values) {
    super();
    this.searcher = searcher;
    this.values = values;
  }

  /** Look at `position`; `question` names it for the server. While `quiet`, nothing is shown. */
  async look(position, question, quiet = false) {
    const turn = ++this.#turn;
    const late = () => turn !== this.#turn;
    this.searcher.stop("analysis");
    this.error = this.note = "";
    if (!this.engine || quiet) return this.#set(null, "off");
    if (position.done) return this.#set(null, "over");
    this.#rest(this.values.get(position, this.engine.name));
    const kept = await this.values.find(position, this.engine.name);
    if (late()) return;
    this.#rest(kept);
    if (this.on && !this.searcher.what) await this.#search(position, question, late);
  }

  /** Begin or end the search, whatever is kept stays in sight. */
  switch(on) {
    this.on = on;
    if (on) return;
    this.#turn += 1;
    this.searcher.stop("analysis");
    this.#rest(this.shown);
  }

  async #search(position, question, late) {
    if (isSettled(this.shown)) return;
    await new Promise((resolve) => setTimeout(resolve, REST));
    const spent = this.shown?.elapsed ?? 0;
    for (const time of ROUNDS.filter((seconds) => seconds > spent + 0.2)) {
      if (late() || this.searcher.what) return;
      this.#set(this.shown, "searching");
      try {
        await this.#round(position, { ...question, engine: this.engine.spec, time, top: TOP }, late);
      } catch (error) {
        if (!late()) this.error = error.message;
      }
      if (late()) return;
      if (this.error || isSettled(this.shown)) break;
    }
    this.#rest(this.shown);
  }

  async #round(position, question, late) {
    for await (const { name, data } of this.searcher.run("analysis", "/api/search", question)) {
      if (late()) return;
      this.note = { queued: data.ahead ? `waiting for ${data.ahead} other searches` : "", compiling: `first start: compiling ${data.kernel}` }[name] ?? "";
      const told = name === "progress" || name === "done";
      const best = told ? this.values.put(position, this.engine.name, data, { save: name === "done" }) : this.shown;
      this.#set(best, "searching");
    }
  }

  #rest(shown) {
    this.#set(shown, shown ? (isSettled(shown) ? "settled" : "known") : "off");
  }

  #set(shown, state) {
    Object.assign(this, { shown, state });
    this.dispatchEvent(new Event("change"));
  }
}
