/** The search under way: at most one, begun here and ended here, at the server too. */

import { isAbort } from "./api.js";
import { $ } from "./dom.js";

export class Search {
  #now = null; // { abort, plays } of the search under way

  constructor(thinking) {
    this.thinking = thinking;
    thinking.addEventListener("progress", () => ($("#move-now").disabled = false));
  }

  /** Whether the engine under way is to move, rather than looking on. */
  get plays() {
    return this.#now?.plays ?? false;
  }

  /**
   * Let `question.engine` think about `position`. The answer is its analysis, after `atLeast`
   * milliseconds; null where something else has come between.
   */
  async run(question, position, { plays, atLeast = 0 }) {
    this.stop();
    const now = (this.#now = { abort: new AbortController(), plays });
    this.#show();
    try {
      const [analysis] = await Promise.all([
        this.thinking.run(question, position, now.abort.signal),
        new Promise((resolve) => setTimeout(resolve, atLeast)),
      ]);
      return this.#now === now ? analysis : null;
    } catch (error) {
      if (isAbort(error) || this.#now !== now) return null;
      throw error;
    } finally {
      if (this.#now === now) this.#end();
    }
  }

  stop() {
    this.#now?.abort.abort();
    this.#end();
  }

  #end() {
    this.#now = null;
    this.#show();
  }

  #show() {
    document.body.classList.toggle("thinking", this.#now !== null);
    $("#stop").disabled = this.#now === null;
    $("#move-now").hidden = !this.plays;
    $("#move-now").disabled = true; // until there is something to move
  }
}
