/**
 * The one search of a page. A new one ends the one before, at the server too, so what runs is always
 * what the visitor asked for last. "change" says that a search has begun or ended.
 */

import { isAbort, stream } from "../base/api.js";

export class Searcher extends EventTarget {
  #now = null; // { abort, what }

  /** What is searched for now: "analysis", "review", "retry", or "". */
  get what() {
    return this.#now?.what ?? "";
  }

  /** The events of a stream, until another search begins. Errors come through. */
  async *run(what, path, question) {
    this.stop();
    const now = (this.#now = { what, abort: new AbortController() });
    this.#tell();
    try {
      for await (const event of stream(path, question, now.abort.signal)) {
        if (this.#now !== now) return;
        yield event;
      }
    } catch (error) {
      if (!isAbort(error) && this.#now === now) throw error;
    } finally {
      now.abort.abort();
      if (this.#now === now) {
        this.#now = null;
        this.#tell();
      }
    }
  }

  /** End the search, or only one for `what`. */
  stop(what = this.what) {
    if (!this.#now || this.#now.what !== what) return;
    this.#now.abort.abort();
    this.#now = null;
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
