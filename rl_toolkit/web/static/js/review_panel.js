/** The review of a game: a graph over the moves, marks for mistakes, and a second try. */

import { isAbort, stream } from "./api.js";
import { $, h, svg } from "./dom.js";
import { letter, percent, signed, units } from "./format.js";

export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const [WIDE, HIGH] = [320, 110];
const LEAD = 16; // discs that fill the height of the graph, unless a lead in the game is larger

export class Review extends EventTarget {
  entries = []; // by ply: the review of the move played there
  task = null; // the mistake for which a better move is looked for
  #abort = null; // of the review that runs
  #trial = null; // of the answer that is being checked
  #asked = {}; // engine and time of the review
  #moves = []; // the moves that are being reviewed
  #accuracy = null;
  #discs = null; // how many each side lost, if they count

  constructor(game) {
    super();
    this.game = game;
  }

  get running() {
    return this.#abort !== null;
  }

  reset() {
    this.#abort?.abort();
    this.#abort = null;
    this.entries = [];
    this.#accuracy = this.#discs = null;
    $("#review-state").textContent = "";
    this.leave();
  }

  /** Stop the review; what it has found stays. */
  stop() {
    this.#abort?.abort();
    this.#abort = null;
    const seen = `Reviewed ${this.entries.length} of ${this.game.moves.length} moves.`;
    $("#review-state").textContent = `Stopped. ${seen} ${this.#summary()}`;
    this.draw();
  }

  /** Forget the review of moves that are no longer in the game; a review of them stops. */
  keepTo(moves) {
    if (this.running && this.#moves.some((move, ply) => move !== moves[ply])) this.stop();
    const same = this.entries.findIndex((entry, ply) => entry.move !== moves[ply]);
    if (same >= 0) {
      this.entries.length = same;
      this.#accuracy = this.#discs = null;
    }
    this.draw();
  }

  async run(engine, time) {
    this.reset();
    const abort = (this.#abort = new AbortController());
    $("#review-state").textContent = "Reviewing …";
    this.#asked = { engine, time };
    this.#moves = this.game.moves;
    const question = { ...this.game.question(this.game.moves.length), ...this.#asked };
    try {
      for await (const { name, data } of stream("/api/review", question, abort.signal)) {
        if (name === "move") {
          this.entries[data.ply] = data;
          $("#review-state").textContent = `Reviewing: ${data.ply + 1} of ${data.of} moves`;
        } else {
          this.#accuracy = data.accuracy;
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
    return marks ? `${marks} ${marks === 1 ? "move" : "moves"} could have been better.` : "No mistakes found.";
  }

  // ------------------------------------------------------------------------- a second try

  /** Ask for a better move than the one played at `ply`. */
  begin(ply) {
    this.#trial?.abort();
    this.task = { ply, entry: this.entries[ply], solved: false };
    $("#try-text").textContent =
      `${letter(this.task.entry.player)} played ${this.task.entry.name}. Find a better move on the board.`;
    this.draw();
  }

  /** Check whether `move` is a good answer to the task. */
  async attempt(move) {
    this.#trial?.abort();
    const trial = (this.#trial = new AbortController());
    const { ply } = this.task;
    const moves = [...this.game.moves.slice(0, ply), move];
    const { name, start } = this.game;
    let entry = null;
    $("#try-text").textContent = "Checking …";
    const question = { game: name, start: start || undefined, moves, from: ply, ...this.#asked };
    for await (const event of stream("/api/review", question, trial.signal))
      if (event.name === "move") entry = event.data;
    if (trial.signal.aborted || !entry) return;
    this.task.solved = !entry.mark;
    const again = move === this.task.entry.move ? "was the move played" : `is not better (${entry.mark})`;
    $("#try-text").textContent = entry.mark
      ? `${entry.name} ${again}. Try another move, or show the answer.`
      : `${entry.name} is right. ${entry.note ?? ""}`;
    this.draw();
  }

  reveal() {
    this.#trial?.abort();
    const { best } = this.task.entry;
    $("#try-text").textContent = `${best.name} was better. ${best.note ?? ""}`;
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
    $("#graph").replaceChildren(...this.#graph());
    const cell = (value) => (value === null || value === undefined ? "–" : `${value.toFixed(0)} %`);
    $("#accuracy-x").textContent = cell(this.#accuracy?.x);
    $("#accuracy-o").textContent = cell(this.#accuracy?.o);
    $("#discs-lost").replaceChildren(...Object.entries(this.#discs ?? {}).map(([side, lost]) => this.#lost(side, lost)));
    $("#stop-review").hidden = !this.running;
    $("#try").hidden = !this.task;
    if (this.task) {
      $("#show-answer").hidden = this.task.solved;
      $("#end-try").textContent = this.task.solved ? "Back to the game" : "Skip";
    }
    $("#mistakes").replaceChildren(
      ...this.entries
        .filter((entry) => entry.mark)
        .map((entry) =>
          h(
            "li",
            { class: entry.mark },
            h("span", { class: "sign", text: SIGNS[entry.mark] }),
            ` ${entry.ply + 1}. ${letter(entry.player)} ${entry.name}: ${entry.mark}, ${this.#loss(entry)} `,
            h("button", {
              type: "button",
              class: "small",
              text: "Try again",
              on: { click: () => this.dispatchEvent(new CustomEvent("again", { detail: entry.ply })) },
            }),
          ),
        ),
    );
  }

  /** What a move lost: discs if they count, else winning chance. */
  #loss({ discs, loss }) {
    return discs ? `${discs.proven ? "" : "≈ "}−${this.#units(discs.lost)}` : `−${(100 * loss).toFixed(0)} %`;
  }

  #units(number) {
    return units(number, this.game.position);
  }

  /** "X lost 6 discs (proven) and ≈ 20 discs (estimate), most with 31. h7." */
  #lost(side, { proven, estimated, costliest }) {
    const parts = [];
    if (proven !== null) parts.push(`${this.#units(proven)} (proven)`);
    if (estimated !== null) parts.push(`≈ ${this.#units(estimated)} (estimate)`);
    const worst = this.entries[costliest];
    const most = worst?.discs && Math.round(worst.discs.lost) > 0;
    const named = most ? `, most with ${costliest + 1}. ${worst.name}` : "";
    return h("p", { text: `${side.toUpperCase()} lost ${parts.join(" and ") || "nothing"}${named}.` });
  }

  /** The height of a point in the graph, from −1 to 1 for X: by discs if they count. */
  #scale() {
    const leads = this.entries.flatMap(({ discs }) => (discs ? [Math.abs(discs.before), Math.abs(discs.after)] : []));
    const most = Math.max(LEAD, ...leads);
    return (value, lead) => (lead === undefined ? value * (leads.length ? LEAD / most : 1) : lead / most);
  }

  #standing({ after, discs }) {
    if (!discs) return percent(after);
    return `${discs.proven ? "" : "≈ "}${signed(discs.after, 0)} ${this.game.position.score_unit}s`;
  }

  #graph() {
    const total = Math.max(this.game.moves.length, 1);
    const scale = this.#scale();
    const x = (ply) => (ply * WIDE) / total;
    const y = (height) => HIGH / 2 - height * (HIGH / 2 - 8);
    const before = (entry) => scale(entry.value, entry.discs?.before);
    const after = (entry) => scale(entry.after, entry.discs?.after);
    const points = this.entries.flatMap((entry, k) =>
      k === 0 ? [[0, before(entry)], [1, after(entry)]] : [[entry.ply + 1, after(entry)]],
    );
    const parts = [svg("line", { x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2, class: "zero" })];
    if (points.length) {
      const path = points.map(([ply, value]) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`);
      const [end] = points.at(-1);
      parts.push(svg("path", { class: "area", d: `M0 ${HIGH / 2}L${path.join("L")}L${x(end)} ${HIGH / 2}Z` }));
      parts.push(svg("path", { class: "curve", d: `M${path.join("L")}` }));
    }
    for (const entry of this.entries)
      parts.push(
        svg(
          "circle",
          {
            class: `dot ${entry.mark ?? ""} ${entry.after_proven ? "proven" : ""}`,
            cx: x(entry.ply + 1).toFixed(1),
            cy: y(after(entry)).toFixed(1),
            r: entry.mark ? 4.5 : 3,
            on: { click: () => this.dispatchEvent(new CustomEvent("jump", { detail: entry.ply + 1 })) },
          },
          svg("title", { text: `${entry.ply + 1}. ${letter(entry.player)} ${entry.name}: ${this.#standing(entry)} for X` }),
        ),
      );
    parts.push(svg("line", { class: "now", x1: x(this.game.ply), x2: x(this.game.ply), y1: 0, y2: HIGH }));
    return parts;
  }
}
