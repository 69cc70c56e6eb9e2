/**
 * Whose turn it is: engines that move, analyses, pauses, and what was thought before. "waiting" says
 * that an engine has stopped or paused, "failed" (detail: error, near) why one could not move.
 */

import { $ } from "../base/dom.js";
import { askForClaims, saysOnlyItsMove } from "./claims.js";
import { Search } from "./search.js";
import { Thoughts } from "../model/thoughts.js";

// Milliseconds before an engine moves, so that people can follow and the last piece has landed.
const BEFORE_A_MOVE = 350;

export class Turns extends EventTarget {
  paused = false; // whether engines wait for a button
  #thoughts = new Thoughts();

  constructor({ game, review, thinking }) {
    super();
    this.game = game;
    this.review = review;
    this.thinking = thinking;
    this.search = new Search(thinking);
  }

  /** Whether the engine that thinks now is to move, rather than to analyse. */
  get plays() {
    return this.search.plays;
  }

  /** Whether an engine is to move now. Two that are not paused play from the position shown. */
  get engineMoves() {
    const { game } = this;
    const waits = this.paused || this.review.task || (!game.atEnd && game.humans > 0);
    return !game.over && !game.position.done && !waits && !game.isHuman(game.position.player);
  }

  /** End the search that runs, if there is one. */
  stop() {
    this.search.stop();
  }

  /** Forget what was thought: another game begins. */
  forget() {
    this.#thoughts.clear();
  }

  /** Start the engine that is to move, or else the analysis; or show what was thought before. */
  async begin() {
    this.stop();
    const { game } = this;
    const { position } = game;
    if (!position) return;
    const ended = game.over || position.done;
    if (this.engineMoves) await this.#letMove(game.seats[position.player]);
    else if (!ended && $("#analyse").checked) await this.#analyse();
    else {
      this.#remember(game.moves.slice(0, game.ply), ended);
      if (ended) this.thinking.end(game.winner ?? 0, position);
    }
  }

  #remember(moves, ended) {
    const { thinking, game } = this;
    const [before, about] = [this.#thoughts.before(moves), this.#thoughts.about(moves)];
    if (before) {
      thinking.recall(before, game.position);
      this.#askForClaims(before, moves);
    } else if (about && !this.review.task) thinking.revisit(about, game.position);
    else thinking.forget(ended);
  }

  /** Show what a bot claims about the position before its move, if its thinking can be seen. */
  async #askForClaims(thought, moves) {
    const { game } = this;
    if (thought.asked || !saysOnlyItsMove(thought.analysis) || !$("#candidates").checkVisibility()) return;
    thought.asked = true;
    const found = await askForClaims({ ...game.question(), moves: moves.slice(0, -1) }, thought.who, thought.analysis);
    if (!found) return;
    thought.analysis = { ...found, elapsed: thought.analysis.elapsed };
    if (game.moves.slice(0, game.ply).join(" ") === moves.join(" ") && !this.plays) this.thinking.recall(thought, game.position);
  }

  /** One move of the engine whose turn it is. */
  async step() {
    const { game } = this;
    this.paused = true;
    this.stop();
    this.#tellWaiting();
    if (!game.over && !game.isHuman(game.position.player)) await this.#letMove(game.seats[game.position.player]);
  }

  /** Let the engine whose turn it is find a move, and play it. */
  async #letMove(engine) {
    const { game } = this;
    const moves = game.moves.slice(0, game.ply);
    const found = await this.#think({ engine, time: game.time, play: true }, { who: engine, atLeast: BEFORE_A_MOVE });
    if (!found) return;
    this.#thoughts.keep(moves, found, engine);
    game.remember(found.after);
    await game.play(found.best, "engine");
  }

  #analyse() {
    const [{ value: engine, text: who }] = $("#kibitzer").selectedOptions;
    return this.#think({ engine, time: $("#analyse-time").value }, { who });
  }

  /** The analysis that `asked.engine` makes of the position; null if it was stopped or failed. */
  async #think(asked, how) {
    const { game, search } = this;
    const question = { ...game.question(), ...asked, time: Number(asked.time) || undefined };
    const { player } = game.position;
    try {
      return await search.run(question, game.position, how);
    } catch (error) {
      this.#failed(error, asked.play, player);
      return null;
    }
  }

  /** Show the error of an engine; one that was to move can be tried again. */
  #failed(error, plays, player) {
    this.paused ||= plays;
    this.#tellWaiting();
    this.thinking.stopped();
    // An engine that was refused is written wrong in its field.
    const near = plays && error.refused ? (player > 0 ? "x" : "o") : "";
    this.dispatchEvent(new CustomEvent("failed", { detail: { error, near } }));
  }

  /** Stop the search; the best move so far can still be played. */
  stopThinking() {
    const { plays } = this.search;
    const { latest } = this.thinking;
    if (plays) this.paused = true;
    else $("#analyse").checked = false;
    this.stop();
    this.thinking.stopped();
    const best = plays && latest?.candidates.find(({ move }) => move === latest.best);
    if (best) this.search.offer(best.name);
    this.#tellWaiting();
  }

  /** Play the best move found so far. */
  async moveNow() {
    const { game } = this;
    const { latest } = this.thinking;
    this.stop();
    this.#thoughts.keep(game.moves.slice(0, game.ply), latest, game.seats[latest.player]);
    this.paused = this.paused && game.humans === 0;
    await game.play(latest.best, "engine");
  }

  #tellWaiting() {
    this.dispatchEvent(new Event("waiting"));
  }
}
