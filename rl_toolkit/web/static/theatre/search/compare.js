/**
 * Side by side: the same position searched in four ways, on one scale. Across is positions visited,
 * so a shorter strip is a cheaper search. Every number comes from a trace of its own.
 */

import { post } from "../../js/base/api.js";
import { h } from "../../js/base/dom.js";
import { Strip } from "../strip.js";
import { Model } from "./model.js";
import { put } from "./put.js";

const RIVALS = [
  { name: "Plain minimax", options: { pruning: false, memoization: false, symmetry: false, pvs: false, ordering: false } },
  { name: "With memory", options: { pruning: false, memoization: true, pvs: false, ordering: false } },
  { name: "Alpha-beta", options: { pruning: true, memoization: false, symmetry: false } },
  { name: "Alpha-beta with memory", options: { pruning: true, memoization: true } },
];

export class Compare {
  constructor(box, jump) {
    this.box = box;
    this.jump = jump;
    this.rivals = [];
  }

  /** Ask for the four traces, one after the other; true once at least one is there. */
  async load(settings, depth, signal) {
    this.rivals = RIVALS.map((rival) => this.#row(rival));
    this.box.replaceChildren(
      h("p", { class: "fine" }, "Across: positions visited. Down: depth. A shorter strip is a cheaper search; all end with the same value."),
      ...this.rivals.map((rival) => rival.row),
    );
    for (const rival of this.rivals) {
      try {
        rival.state.textContent = "searching …";
        rival.model = new Model(await post("/api/trace", { ...settings.request({ ...rival.options, depth }), sentences: false }, signal));
      } catch (error) {
        if (signal.aborted) throw error;
        rival.state.textContent = error.message;
        rival.count.textContent = "?";
        rival.refused = error.refused;
      }
    }
    this.#countPlain();
    const sizes = this.rivals.map((rival) => (rival.model ? rival.model.seen[rival.model.T - 1] : 0));
    this.length = Math.max(...sizes);
    for (const rival of this.rivals) if (rival.model) rival.strip.load(rival.model, { by: "node", total: this.length });
    return this.length > 0;
  }

  /** Plain minimax may be too long to record; how many positions it visits is known all the same. */
  #countPlain() {
    const [plain, ...others] = this.rivals;
    const known = others.map((rival) => rival.model?.data.answer.plain).find(Number.isInteger);
    if (plain.model || !plain.refused || known === undefined) return;
    plain.count.textContent = known.toLocaleString("en");
    plain.state.textContent = "too many to show step by step";
  }

  #row(rival) {
    const count = h("b", { text: "0" });
    const state = h("span", { class: "state" });
    const canvas = h("canvas", { class: "strip", "aria-hidden": "true" });
    const row = h("div", { class: "rival" }, h("div", { class: "words" }, h("h3", { text: rival.name }), h("p", {}, count, " positions"), state), canvas);
    return { ...rival, row, count, state, strip: new Strip(canvas, this.jump), memory: {} };
  }

  measure() {
    for (const rival of this.rivals) rival.strip.measure();
  }

  /** All searches after they have visited `place` + 1 positions. */
  render(place) {
    for (const rival of this.rivals) {
      const { model } = rival;
      if (!model) continue;
      const t = eventAfter(model, place + 1);
      rival.strip.render(t);
      const done = t === model.T - 1;
      put(rival.memory, "count", model.seen[t].toLocaleString("en"), (text) => (rival.count.textContent = text));
      const cuts = model.prunes ? `, ${model.cutCount[t].toLocaleString("en")} cuts` : "";
      const hits = model.data.engine.options.memoization ? `, ${model.hitCount[t].toLocaleString("en")} from the table` : "";
      const plain = this.rivals[0].model;
      const whole = plain ? plain.seen[plain.T - 1] : model.data.answer.plain;
      const share = whole && model !== plain ? `, ${Math.round((100 * model.seen[t]) / whole)} % of plain minimax` : "";
      const said = done ? `value ${model.text(model.value[t])}${cuts}${hits}${share}` : `searching${cuts}${hits}`;
      put(rival.memory, "state", said, (text) => (rival.state.textContent = text));
      put(rival.memory, "done", done, (on) => rival.row.classList.toggle("done", on));
    }
  }

  sentence(place) {
    return this.rivals.map((rival) => `${rival.name}: ${rival.count.textContent} positions, ${rival.state.textContent}.`).join(" ");
  }
}

/** The last event with at most so many positions visited; the end once all are. */
function eventAfter(model, visited) {
  const { seen, T } = model;
  if (seen[T - 1] <= visited) return T - 1;
  let [low, high] = [0, T - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (seen[middle] <= visited) low = middle;
    else high = middle;
  }
  return low;
}
