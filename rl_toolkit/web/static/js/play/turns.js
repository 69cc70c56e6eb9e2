/**
 * Engines that play: the one whose turn it is finds a move at the end of the game, unless it is
 * paused. In analysis they are silent. "change" says that an engine has begun, found more, or
 * stopped; "failed" (detail: error) why one could not move; "compiling" that the engine is being
 * prepared, and (detail: its name) which other one has moved for it.
 */

// Milliseconds before an engine moves, so that people can follow and the last piece has landed.
const BEFORE_A_MOVE = 350;

export class Turns extends EventTarget {
  paused = false; // whether engines wait for a button
  latest = null; // the best that was found so far
  #at = null; // the node at which an engine is to move

  constructor(session, searcher) {
    super();
    Object.assign(this, { session, searcher });
  }

  /** Whether it is an engine's turn, at the end of a game that is not over. */
  get isEngines() {
    const { session } = this;
    return session.mode === "play" && !session.over && session.atEnd && !session.isHuman(session.position.player);
  }

  get thinking() {
    return this.#at !== null;
  }

  /** Let the engine move whose turn it is, and end what should not run. */
  async begin() {
    if (!this.isEngines || this.paused) this.stop();
    else if (this.#at !== this.session.node) await this.#move();
  }

  /** One move of the engine whose turn it is; then they wait. */
  async step() {
    this.stop();
    this.paused = true;
    if (this.isEngines) await this.#move();
  }

  /** End the search that runs, if there is one. */
  stop() {
    this.#at = null;
    this.searcher.stop("opponent");
  }

  /** Stop thinking; the best move so far can still be played. */
  wait() {
    const { latest } = this;
    this.paused = true;
    this.stop();
    this.latest = latest;
    this.#tell();
  }

  /** Play the best move found so far. */
  async moveNow() {
    const { session, latest } = this;
    if (!latest || !this.isEngines) return;
    this.stop();
    this.paused = this.paused && session.humans === 0;
    await session.play(latest.best, { by: session.seats[latest.player] });
  }

  async #move() {
    const { session, searcher } = this;
    const { node } = session;
    const engine = session.seats[session.position.player];
    // Nobody has asked for this engine, or for a time.
    const stand_in = engine === document.body.dataset.opponent && !session.time;
    const since = performance.now();
    this.#at = node;
    this.latest = null;
    this.#tell();
    try {
      const found = await this.#search({ ...session.question(), engine, time: Number(session.time) || undefined, play: true, stand_in });
      const rest = BEFORE_A_MOVE - (performance.now() - since);
      if (found && rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      if (this.#at !== node) return;
      this.#at = null;
      if (found && session.node === node) await session.play(found.best, { by: found.stand_in ? found.engine : engine, time: found.elapsed, after: found.after });
      if (found?.stand_in) this.dispatchEvent(new CustomEvent("compiling", { detail: found.engine }));
    } catch (error) {
      if (this.#at !== null && this.#at !== node) return;
      this.#at = null;
      this.paused = true;
      searcher.stop("opponent");
      this.#tell();
      this.dispatchEvent(new CustomEvent("failed", { detail: error }));
    }
  }

  async #search(question) {
    for await (const { name, data } of this.searcher.run("opponent", "/api/search", question)) {
      if (name === "compiling") this.dispatchEvent(new Event("compiling"));
      if (name !== "progress" && name !== "done") continue;
      this.latest = data;
      if (name === "done") return data;
      this.#tell();
    }
    return null;
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
