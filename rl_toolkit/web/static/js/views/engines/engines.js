/**
 * Any engine's own view of the position, under its name and beside what is known to be true: its
 * figures, its line, and a table of all moves. Its options are a form.
 */

import { $, h } from "../../base/dom.js";
import { count, counted } from "../../base/format.js";
import { claimsAbout, playedBy } from "../../play/claims.js";
import { CandidateTable } from "../candidate_table.js";
import { engineForm } from "./engine_form.js";

const FEW = 6; // moves that are named in a sentence

export class Engines {
  #lists = null; // for which the choices are filled
  #position = null; // the one that the table is about
  #given = ""; // the engine with the options that are set

  constructor(session, board, searcher, values, { setup, analysis }) {
    Object.assign(this, { session, searcher, values, setup, analysis });
    this.table = new CandidateTable((line) => board.line(line));
    $("#kibitzer").addEventListener("change", () => this.#fillOptions());
  }

  get asking() {
    return this.searcher.what === "engines";
  }

  /** The engine that is chosen, with its options: "mcts:simulations=500". */
  get spec() {
    return this.#given;
  }

  draw() {
    const { session, setup, values } = this;
    if (this.#lists !== setup.lists) this.#fill();
    $("#ask").textContent = this.asking ? "Stop" : "Ask";
    $("#ask").disabled = !$("#kibitzer").value || session.position.done;
    if (this.asking && this.#position === session.position) return;
    const kept = values.get(session.position, this.spec);
    if (kept) this.#show(kept, "");
    else this.#clear(session.position.done ? "The game is over here." : "Ask an engine what it thinks of this position.");
  }

  /** Ask the engine, or stop asking. */
  async ask() {
    if (this.asking) return this.searcher.stop("engines");
    const { session, searcher, values, spec } = this;
    const { position } = session;
    $("#engine-more").open = false; // the answer would be below the options, out of sight
    this.#position = position;
    this.#clear(`${spec} is thinking …`);
    let last = null;
    try {
      const move = playedBy(session.node, spec);
      const claims = move === null ? null : await claimsAbout(session.question(), spec, move);
      if (claims) last = values.put(position, spec, claims);
      else for await (const { name, data } of searcher.run("engines", "/api/search", { ...session.question(), engine: spec, time: Number($("#ask-time").value) })) {
        if (name === "queued" && data.ahead) $("#ask-state").textContent = `Waiting for ${data.ahead} other searches.`;
        if (name !== "progress" && name !== "done") continue;
        last = values.put(position, spec, data, { save: name === "done" });
        if (session.position === position) this.#show(last, `${spec} is thinking …`);
      }
    } catch (error) {
      this.#clear(error.message);
      return;
    }
    if (last && session.position === position) this.#show(last, "");
  }

  #fill() {
    const { lists, analysts, adviser } = this.setup;
    this.#lists = lists;
    const before = $("#kibitzer").value;
    $("#kibitzer").replaceChildren(...analysts.map(({ name, analysis, help }) => h("option", { value: analysis, text: name, title: help, selected: analysis === before })));
    // Another engine than the one that says what is true is more interesting, most of all one's own.
    const own = analysts.find(({ analysis }) => analysis === document.body.dataset.own);
    const first = own ?? analysts.find(({ name }) => name !== adviser?.name) ?? analysts[0];
    if (!analysts.some(({ analysis }) => analysis === before)) $("#kibitzer").value = first?.analysis ?? "";
    this.#fillOptions();
  }

  #fillOptions() {
    const chosen = this.setup.analysts.find(({ analysis }) => analysis === $("#kibitzer").value);
    this.#given = chosen?.analysis ?? "";
    const set = (spec) => {
      this.#given = spec;
      this.draw();
    };
    $("#engine-options").replaceChildren(...(chosen ? [engineForm(chosen, this.#given, set)] : []));
    $("#engine-more").hidden = !chosen?.options.length;
    this.draw();
  }

  #clear(text) {
    $("#ask-state").textContent = text;
    $("#figures").replaceChildren();
    $("#main-line").textContent = $("#engine-notes").textContent = "";
    this.table.clear();
  }

  #show(found, state) {
    $("#ask-state").textContent = state || [`${this.spec}: ${found.text}.`, this.#errors(found)].filter(Boolean).join(" ");
    const work = found.simulations ?? found.nodes;
    const figures = [
      ["Depth", found.depth],
      ["Simulations", found.simulations === null ? null : count(found.simulations)],
      ["Nodes", found.nodes === null ? null : count(found.nodes)],
      [found.simulations === null ? "Nodes/s" : "Sims/s", found.elapsed > 0.001 && work ? count(Math.round(work / found.elapsed)) : null],
      ["Time", `${found.elapsed.toFixed(1)} s`],
    ];
    $("#figures").replaceChildren(...figures.filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => h("div", {}, h("dt", { text: name }), h("dd", { text: value }))));
    const line = found.lines[String(found.best)] ?? [];
    $("#main-line").textContent = line.length > 1 ? line.map((step) => step.name).join(" ") : "";
    $("#engine-notes").textContent = found.notes.map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`)).join(" ");
    this.table.draw(found, found.side, this.#truth);
  }

  /** What is proven of each move: its mark, by move. */
  get #truth() {
    return new Map(this.#proven.map(({ move, mark }) => [move, mark]));
  }

  get #proven() {
    const { session, values, analysis } = this;
    const known = analysis.engine ? values.get(session.position, analysis.engine.name) : null;
    return (known?.candidates ?? []).filter(({ proven }) => proven);
  }

  /** How often it is wrong about a result that is proven, or does not decide, in a sentence. */
  #errors({ candidates }) {
    const said = new Map(candidates.filter(({ value }) => value !== null).map(({ move, value }) => [move, value]));
    const claims = new Set(candidates.filter(({ proven }) => proven).map(({ move }) => move)); // an estimate may leave it open
    const both = this.#proven.filter(({ move }) => said.has(move));
    if (!both.length) return "";
    const open = both.filter(({ move, value }) => sideOf(value) !== 0 && sideOf(said.get(move)) === 0 && !claims.has(move));
    const wrong = both.filter((each) => sideOf(each.value) !== sideOf(said.get(each.move)) && !open.includes(each));
    const known = `${both.length === 1 ? "the move" : `${counted(both.length, "move")}`} whose result is proven`;
    if (!wrong.length && !open.length) return `It is right about ${both.length === 1 ? "" : "all "}${known}.`;
    const parts = [wrong.length ? `is wrong about ${named(wrong)}` : "", open.length ? `leaves ${named(open)} open` : ""].filter(Boolean);
    return `Of ${known} it ${parts.join(" and ")}.`;
  }
}

/** "2 (c, e)": how many moves, and which. */
const named = (moves) => `${moves.length} (${moves.slice(0, FEW).map(({ name }) => name).join(", ")}${moves.length > FEW ? " …" : ""})`;

/** Who is ahead; a value in the middle third is a draw. */
const sideOf = (value) => (value > 1 / 3 ? 1 : value < -1 / 3 ? -1 : 0);
