/**
 * Analysis of the position on the board: at once what is kept, then a search without an end, until
 * every move is proven, it is switched off, or another position is shown. The server ends it when
 * others need its place; it is asked again and continues from what it knows. Its engine is always the
 * one that knows the game best: one truth, with a name.
 */

import { isSettled } from "../model/values.js";

const AGAIN = 1000; // ms after which a search that made way is asked for again
const REST = 160; // ms on a position before it is searched: walking through a game asks for nothing
const TOP = 40; // candidates that are listed

export class Analysis extends EventTarget {
  on = true;
  shown = null; // the analysis of the position on the board
  state = "off"; // off, searching, known, settled, over
  note = ""; // a place in the queue, the time until the engine is prepared
  error = "";
  engine = null; // { name, spec }
  #first = null; // { position, data }: what another engine said while this one was prepared
  #turn = 0;

  constructor(searcher, values) {
    super();
    this.searcher = searcher;
    this.values = values;
  }

  /** Who says what is shown: another engine answers first while this one is prepared. */
  get name() {
    return this.shown?.stand_in ? `${this.shown.engine} in Python` : (this.engine?.name ?? "");
  }

  /** Look at `position`; `question` names it for the server. While `quiet`, nothing is shown. */
  async look(position, question, quiet = false) {
    const turn = ++this.#turn;
    const late = () => turn !== this.#turn;
    this.searcher.stop("analysis");
    this.error = this.note = "";
    if (!this.engine || quiet) return this.#set(null, "off");
    if (position.done) return this.#set(null, "over");
    const first = this.#first?.position === position ? this.#first.data : null;
    this.#rest(this.values.get(position, this.engine.name) ?? first);
    const kept = await this.values.find(position, this.engine.name);
    if (late()) return;
    this.#rest(kept ?? first);
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
    if (isSettled(this.shown) && !this.shown.stand_in) return;
    await new Promise((resolve) => setTimeout(resolve, REST));
    for (let preempted = true; preempted; ) {
      if (late() || this.searcher.what) return;
      this.#set(this.shown, "searching");
      try {
        preempted = await this.#run(position, { ...question, engine: this.engine.spec, endless: true, stand_in: true, top: TOP }, late);
      } catch (error) {
        preempted = false;
        if (!late()) this.error = error.message;
      }
      if (late()) return;
      if (!preempted) break;
      this.note = "others use the server: it continues soon";
      this.#set(this.shown, "searching");
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
    this.#rest(this.shown);
  }

  /** One search; whether it made way for others. */
  async #run(position, question, late) {
    for await (const { name, data } of this.searcher.run("analysis", "/api/search", question)) {
      if (late()) return false;
      this.note = { queued: data.ahead ? `waiting for ${data.ahead} other searches` : "", compiling: `preparing ${this.engine.name}: ${data.left}` }[name] ?? "";
      const last = name === "done" || name === "preempted";
      if (name === "first") {
        this.#first = { position, data };
        this.#set(data, "searching");
      }
      const best = last || name === "progress" ? this.values.put(position, this.engine.name, data, { save: last }) : this.shown;
      this.#set(best, "searching");
      if (name === "preempted") return true;
    }
    return false;
  }

  #rest(shown) {
    this.#set(shown, shown ? (isSettled(shown) ? "settled" : "known") : "off");
  }

  #set(shown, state) {
    Object.assign(this, { shown, state });
    this.dispatchEvent(new Event("change"));
  }
}
