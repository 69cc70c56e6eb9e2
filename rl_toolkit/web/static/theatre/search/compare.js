/**
 * Side by side: the same position searched in several ways, on one scale. Across is positions visited,
 * so a shorter strip is a cheaper search. Every number comes from a trace of its own, and every strip
 * has its own switches. A strip is written as the letters of what is on, and a depth if it has its own:
 * "-" is plain minimax, "pm" alpha-beta with memory, "po5" alpha-beta with ordering to depth 5.
 */

import { post } from "../../js/base/api.js";
import { h } from "../../js/base/dom.js";
import { Strip } from "../strip.js";
import { Model, eventAfter } from "./model.js";
import { put } from "./put.js";

const SWITCHES = [
  ["p", "pruning", "Pruning"],
  ["m", "memoization", "Memory"],
  ["s", "symmetry", "Symmetry"],
  ["o", "ordering", "Ordering"],
  ["n", "pvs", "Null windows"],
];
const MOST = 6; // strips
const DEPTHS = 9;

export const isStrip = (text) => text === "" || /^(-|[pmson]{1,5})\d?$/.test(text);

/** The options of a strip, and its depth: "" for that of the stage. */
function read(text) {
  const options = Object.fromEntries(SWITCHES.map(([letter, name]) => [name, text.includes(letter)]));
  options.symmetry &&= options.memoization;
  options.pvs &&= options.pruning;
  return { options, depth: /\d$/.exec(text)?.[0] ?? "" };
}

function written({ options, depth }) {
  return (SWITCHES.filter(([, name]) => options[name]).map(([letter]) => letter).join("") || "-") + depth;
}

function titled({ options: { pruning, memoization, symmetry, ordering, pvs }, depth }) {
  const extras = [memoization && (symmetry ? "memory and symmetry" : "memory"), ordering && "ordering", pvs && "null windows"].filter(Boolean);
  const name = pruning ? "Alpha-beta" : extras.length ? "Minimax" : "Plain minimax";
  return `${name}${extras.length ? ` with ${extras.join(", ")}` : ""}${depth ? `, depth ${depth}` : ""}`;
}

/** The four that one begins with; the options of the stage hold where they make sense. */
function usual({ symmetry, ordering, pvs }) {
  const extras = `${ordering ? "o" : ""}${pvs ? "n" : ""}`;
  const memory = `m${symmetry ? "s" : ""}`;
  return ["-", memory, `p${extras}`, `p${memory}${extras}`];
}

/** Fires "change" with the strips as texts, once somebody has switched something. */
export class Compare extends EventTarget {
  #known = new Map(); // request → model or refusal: what was asked once is not asked again

  constructor(box, jump) {
    super();
    this.box = box;
    this.jump = jump;
    this.rivals = [];
    this.add = h("button", { type: "button", class: "small", id: "add-strip", on: { click: () => this.#tell([...this.texts, this.texts.at(-1)]) } }, "Add a strip");
  }

  get texts() {
    return this.rivals.map(({ setup }) => written(setup));
  }

  #tell(texts) {
    this.dispatchEvent(new CustomEvent("change", { detail: texts }));
  }

  /** Ask for the traces, one after the other; true once at least one is there. */
  async load(settings, depth, signal) {
    const texts = (settings.strips.length ? settings.strips : usual(settings.options)).slice(0, MOST);
    this.hasDepth = settings.tree === null;
    if (texts.length !== this.rivals.length) this.#build(texts.length);
    this.add.hidden = texts.length >= MOST;
    this.rivals.forEach((rival, k) => this.#set(rival, read(texts[k])));
    for (const rival of this.rivals) {
      const { options, depth: own } = rival.setup;
      const body = { ...settings.request({ ...options, depth: own || depth }), sentences: false };
      const key = JSON.stringify(body);
      if (!this.#known.has(key)) rival.state.textContent = "searching …";
      try {
        if (!this.#known.has(key)) this.#known.set(key, { model: new Model(await post("/api/trace", body, signal)) });
      } catch (error) {
        if (signal.aborted) throw error;
        if (error.refused) this.#known.set(key, { error });
        rival.state.textContent = error.message;
        rival.count.textContent = "?";
        rival.refused = error.refused;
      }
      const { model = null, error } = this.#known.get(key) ?? {};
      Object.assign(rival, { model, memory: {}, refused: error?.refused });
      if (error) [rival.state.textContent, rival.count.textContent] = [error.message, "?"];
    }
    this.#countPlain();
    const sizes = this.rivals.map((rival) => (rival.model ? rival.model.seen[rival.model.T - 1] : 0));
    this.length = Math.max(...sizes);
    for (const rival of this.rivals) {
      rival.canvas.style.visibility = rival.model ? "" : "hidden";
      if (rival.model) rival.strip.load(rival.model, { by: "node", total: this.length });
    }
    return this.length > 0;
  }

  /** Plain minimax may be too long to record; how many positions it visits is known all the same. */
  #countPlain() {
    for (const rival of this.rivals) {
      if (rival.model || !rival.refused || Object.values(rival.setup.options).some(Boolean)) continue;
      const known = this.rivals.filter((other) => other.setup.depth === rival.setup.depth).map((other) => other.model?.data.answer.plain).find(Number.isInteger);
      if (known === undefined) continue;
      rival.count.textContent = known.toLocaleString("en");
      rival.state.textContent = "too many to show step by step";
    }
  }

  #build(count) {
    this.rivals = Array.from({ length: count }, (_, k) => this.#row(k));
    this.box.replaceChildren(
      h("p", { class: "fine" }, "Across: positions visited. Down: depth. A shorter strip is a cheaper search; to the same depth all find the same value. ", this.add),
      ...this.rivals.map((rival) => rival.row),
    );
  }

  #row(k) {
    const [title, count, state] = [h("h3"), h("b", { text: "0" }), h("span", { class: "state" })];
    const canvas = h("canvas", { class: "strip", "aria-hidden": "true" });
    const change = () => {
      const options = Object.fromEntries(SWITCHES.map(([letter, name]) => [name, boxes[letter].checked]));
      this.#tell(this.texts.map((text, place) => (place === k ? written({ options, depth: depth.value }) : text)));
    };
    const boxes = Object.fromEntries(SWITCHES.map(([letter]) => [letter, h("input", { type: "checkbox", role: "switch", on: { change } })]));
    const depth = h("select", { "aria-label": `Depth of strip ${k + 1}`, on: { change } }, h("option", { value: "", text: "same depth" }), ...Array.from({ length: DEPTHS }, (_, d) => h("option", { value: d + 1, text: `depth ${d + 1}` })));
    const drop = h("button", { type: "button", class: "small", "aria-label": `Remove strip ${k + 1}`, title: "Remove this strip", on: { click: () => this.#tell(this.texts.filter((_, place) => place !== k)) } }, "×");
    const switches = h("div", { class: "strip-switches", role: "group", "aria-label": `Options of strip ${k + 1}` }, ...SWITCHES.map(([letter, , label]) => h("label", { class: "switch" }, boxes[letter], ` ${label}`)), depth, drop);
    const row = h("div", { class: "rival" }, h("div", { class: "words" }, title, h("p", {}, count, " positions"), state), h("div", { class: "lane" }, canvas, switches));
    return { row, title, count, state, canvas, boxes, depthBox: depth, drop, strip: new Strip(canvas, this.jump), memory: {}, model: null };
  }

  /** Show what a strip is set to. */
  #set(rival, setup) {
    Object.assign(rival, { setup, name: titled(setup) });
    rival.title.textContent = rival.name;
    for (const [letter, name] of SWITCHES) rival.boxes[letter].checked = setup.options[name];
    rival.boxes.s.disabled = !setup.options.memoization;
    rival.boxes.n.disabled = !setup.options.pruning;
    rival.depthBox.value = setup.depth;
    rival.depthBox.hidden = !this.hasDepth;
    rival.drop.hidden = this.rivals.length < 2;
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
      const never = done && hits && !model.prunes && !model.hitCount[t] ? " (no position came twice before the last ply, which is not stored)" : "";
      const whole = model.data.answer.plain;
      const share = whole && whole !== model.data.answer.nodes ? `, ${Math.round((100 * model.seen[t]) / whole)} % of plain minimax` : "";
      const said = done ? `value ${model.text(model.value[t])}${cuts}${hits}${never}${share}` : `searching${cuts}${hits}`;
      put(rival.memory, "state", said, (text) => (rival.state.textContent = text));
      put(rival.memory, "done", done, (on) => rival.row.classList.toggle("done", on));
    }
  }

  sentence(place) {
    return this.rivals.map((rival) => `${rival.name}: ${rival.count.textContent} positions, ${rival.state.textContent}.`).join(" ");
  }
}
