/** The search that runs now: at most one, started and stopped here, on the server too. */

import { isAbort } from "../base/api.js";
import { $ } from "../base/dom.js";

export class Search {
  #now = null; // { abort, plays } of the search that runs

  constructor(thinking) {
    this.thinking = thinking;
    thinking.addEventListener("progress", () => ($("#move-now").disabled = false));
  }

  /** Whether the engine that thinks is to move, rather than to analyse. */
  get plays() {
    return this.#now?.plays ?? false;
  }

  /**
   * Let `question.engine`, shown as `who`, think about `position`. The answer is its analysis, after
   * `atLeast` milliseconds; null if it was stopped.
   */
  async run(question, position, { who, atLeast = 0 }) {
    this.stop();
    const now = (this.#now = { abort: new AbortController(), plays: question.play });
    this.#show();
    try {
      const [analysis] = await Promise.all([
        this.thinking.run(question, who, position, now.abort.signal),
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

  /** After a stop: the best move so far can still be played. */
  offer(name) {
    $("#move-now").textContent = `Play ${name}`;
    $("#move-now").hidden = $("#move-now").disabled = false;
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
    $("#move-now").textContent = "Move now";
  }
}
