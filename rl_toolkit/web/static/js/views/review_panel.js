/** The review of a game: a graph over the moves, marks for mistakes, and a second try. */

import { isAbort, stream } from "../base/api.js";
import { $, h } from "../base/dom.js";
import { counted, piece } from "../base/format.js";
import { ReviewGraph } from "./review_graph.js";
import { Roving } from "../base/roving.js";

export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class Review extends EventTarget {
  entries = []; // by ply: the review of the move played there
  task = null; // the mistake for which a better move is looked for
  #abort = null; // of the review that runs
  #trial = null; // of the answer that is being checked
  #asked = {}; // engine and time of the review
  #moves = []; // the moves that are being reviewed
  #summed = null; // what the review says of the whole game
  #discs = null; // how many each side lost, if they count
  #listed = []; // the entries in the list of mistakes

  constructor(game) {
    super();
    this.game = game;
    this.graph = new ReviewGraph((ply) => this.dispatchEvent(new CustomEvent("jump", { detail: ply })));
    this.mistakes = new Roving($("#mistakes"), "button");
  }

  get running() {
    return this.#abort !== null;
  }

  reset() {
    this.#abort?.abort();
    this.#abort = null;
    this.entries = [];
    this.#summed = this.#discs = null;
    $("#review-state").textContent = "";
    this.leave();
  }

  /** Stop the review; what it has found stays. */
  stop() {
    this.#abort?.abort();
    this.#abort = null;
    const seen = `Reviewed ${this.entries.filter(Boolean).length} of ${this.#moves.length - this.game.mainOpening} moves.`;
    $("#review-state").textContent = `Stopped. ${seen} ${this.#summary()}`;
    this.draw();
  }

  /** Forget the review of moves that are no longer in the game; a review of them stops. */
  keepTo(moves) {
    if (this.running && this.#moves.some((move, ply) => move !== moves[ply])) this.stop();
    const same = this.entries.findIndex((entry, ply) => entry && entry.move !== moves[ply]);
    if (same >= 0) {
      this.entries.length = same;
      this.#summed = this.#discs = null;
      $("#review-state").textContent = same ? `The first ${counted(same, "move")} were reviewed before the game changed.` : "";
    }
    this.draw();
  }

  async run(engine, time) {
    this.reset();
    const opening = this.game.mainOpening; // no player chose these moves
    this.#moves = this.game.mainMoves;
    if (opening && opening === this.#moves.length) {
      $("#review-state").textContent = "No player has made a move, so there is nothing to review.";
      return;
    }
    const abort = (this.#abort = new AbortController());
    $("#review-state").textContent = "Reviewing …";
    this.#offer();
    this.#asked = { engine, time };
    const question = { ...this.game.question(this.#moves), from: opening || undefined, ...this.#asked };
    try {
      for await (const { name, data } of stream("/api/review", question, abort.signal)) {
        if (name === "move") {
          this.entries[data.ply] = data;
          $("#review-state").textContent = `Reviewing: ${data.ply + 1} of ${data.of} moves`;
        } else {
          this.#summed = data;
          this.#discs = data.discs;
        }
        this.draw();
        this.dispatchEvent(new Event("change"));
      }
      $("#review-state").textContent = this.#summary();
    } catch (error) {
      if (!isAbort(error)) $("#review-state").textContent = error.message;
    } finally {
      if (this.#abort === abort) this.#abort = null;
      this.draw();
    }
  }

  #summary() {
    const marks = this.entries.filter((entry) => entry.mark).length;
    const opening = this.game.mainOpening;
    const left = opening ? ` The opening of ${counted(opening, "move")} is not reviewed: no player chose it.` : "";
    return `${marks ? `${counted(marks, "move")} could have been better.` : "No mistakes found."}${left}`;
  }

  // ------------------------------------------------------------------------- a second try

  /** Ask for a better move than the one played at `ply`. */
  begin(ply) {
    this.#trial?.abort();
    this.task = { ply, entry: this.entries[ply], solved: false };
    $("#try-text").textContent =
      `${piece(this.task.entry.player, this.game.position)} played ${this.task.entry.name}. Find a better move on the board.`;
    this.draw();
  }

  /** Check whether `move` is a good answer to the task. */
  async attempt(move) {
    this.#trial?.abort();
    const trial = (this.#trial = new AbortController());
    const { ply } = this.task;
    const moves = [...this.game.moves.slice(0, ply), move];
    let entry = null;
    $("#try-text").textContent = "Checking …";
    const question = { ...this.game.question(moves), from: ply, ...this.#asked };
    for await (const event of stream("/api/review", question, trial.signal))
      if (event.name === "move") entry = event.data;
    if (trial.signal.aborted || !entry) return;
    this.task.solved = !entry.mark;
    const played = move === this.task.entry.move;
    if (played) $("#try-text").textContent = `${entry.name} was the move played. Try another one.`;
    else if (entry.mark) $("#try-text").textContent = `${entry.name} is not better: ${entry.cost}. Try another one.`;
    else $("#try-text").textContent = `${entry.name} is right. ${entry.note ?? ""}`;
    this.draw();
  }

  reveal() {
    this.#trial?.abort();
    const { best, better } = this.task.entry;
    $("#try-text").textContent = `${better} ${best.note ?? ""}`;
    this.task.solved = true;
    this.draw();
  }

  leave() {
    this.#trial?.abort();
    this.task = null;
    this.draw();
  }

  // -------------------------------------------------------------------------------- drawing

  draw() {
    const { game } = this;
    // In a side line the graph shows where it left the game.
    this.graph.draw(this.entries, game.mainMoves.length, Math.min(game.ply, game.main?.from ?? game.ply));
    // The line is there from the first moment on: what stands below does not move when the review ends.
    const pending = this.running ? "Where it turned is said at the end." : "";
    $("#review-course").textContent = this.#summed ? (this.#summed.course?.text ?? "\u00a0") : pending;
    for (const player of ["x", "o"]) {
      const share = this.#summed?.accuracy[player] ?? null;
      const about = this.#summed?.accuracy_proven[player] ? "" : "≈ ";
      $(`#accuracy-${player}`).textContent = share === null ? "–" : `${about}${share.toFixed(0)} %`;
    }
    $("#discs-lost").replaceChildren(...Object.entries(this.#discs ?? {}).map(([side, lost]) => this.#lost(side, lost)));
    this.#offer();
    $("#try").hidden = !this.task;
    if (this.task) {
      $("#show-answer").hidden = this.task.solved;
      $("#end-try").textContent = this.task.solved ? "Back to the game" : "Skip";
    }
    this.#drawMistakes();
    this.mistakes.refresh();
  }

  /** Those that are listed already stay as they are: a click on them is not lost while a review runs. */
  #drawMistakes() {
    const list = $("#mistakes");
    const marked = this.entries.filter((entry) => entry.mark);
    marked.forEach((entry, k) => {
      if (this.#listed[k] === entry) return;
      if (list.children[k]) list.children[k].replaceWith(this.#mistake(entry));
      else list.append(this.#mistake(entry));
    });
    while (list.children.length > marked.length) list.lastElementChild.remove();
    this.#listed = marked;
  }

  /** One of two buttons: to begin a review, or to stop the one that runs. The focus stays with them. */
  #offer() {
    const [shown, other] = this.running ? ["#stop-review", "#run-review"] : ["#run-review", "#stop-review"];
    const focused = document.activeElement === $(other);
    $(shown).hidden = false;
    $(other).hidden = true;
    if (focused) $(shown).focus();
  }

  #mistake(entry) {
    const who = piece(entry.player, this.game.position);
    return h(
      "li",
      { class: entry.mark },
      h("span", { class: "sign", text: SIGNS[entry.mark] }),
      ` ${entry.ply + 1}. ${who} ${entry.name}: ${entry.mark}: ${entry.cost} `,
      h("button", {
        type: "button",
        class: "small",
        text: "Try again",
        "aria-label": `Try again: ${entry.ply + 1}. ${entry.name}`,
        on: { click: () => this.dispatchEvent(new CustomEvent("again", { detail: entry.ply })) },
      }),
    );
  }

  /** "Black lost 6 discs (proven) and ≈ 20 discs (estimate), most with 31. h7." */
  #lost(side, { proven, estimated, costliest }) {
    const { position } = this.game;
    const units = (number) => counted(Math.round(number), position.score_unit);
    const parts = [];
    if (proven !== null) parts.push(`${units(proven)} (proven)`);
    if (estimated !== null) parts.push(`≈ ${units(estimated)} (estimate)`);
    const worst = this.entries[costliest];
    const most = worst?.discs && Math.round(worst.discs.lost) > 0;
    const named = most ? `, most with ${costliest + 1}. ${worst.name}` : "";
    const who = piece(side === "x" ? 1 : -1, position);
    return h("p", { text: `${who} lost ${parts.join(" and ") || "nothing"}${named}.` });
  }
}
