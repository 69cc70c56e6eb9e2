/** A hint: the best move of the engine that knows the game best, and why. */

import { isAbort, post } from "../base/api.js";
import { $ } from "../base/dom.js";

const SECONDS = 2;

export class Hint {
  #abort = null;

  constructor(board, say) {
    this.board = board;
    this.say = say; // shows a sentence below the board
  }

  /** Ask for a hint; it is dropped if `cancel` is called before it comes. */
  async give(question) {
    this.cancel();
    const abort = (this.#abort = new AbortController());
    this.say("Looking for a good move …");
    const engine = $("#kibitzer option[data-adviser]").value;
    try {
      const { best, candidates } = await post("/api/analyse", { ...question, engine, time: SECONDS }, abort.signal);
      const { name, note, text } = candidates.find(({ move }) => move === best);
      this.say(`Hint: ${name}. ${note ?? text}`);
      this.board.point(best);
    } catch (error) {
      if (isAbort(error)) return;
      this.say("");
      throw error;
    }
  }

  cancel() {
    this.#abort?.abort();
    this.#abort = null;
  }
}
