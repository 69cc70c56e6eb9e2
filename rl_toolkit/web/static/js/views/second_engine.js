/**
 * A second engine beside the adviser: what it says of the position, and where that differs from what
 * is known. Loaded when it is first wanted.
 */

import { isAbort, stream } from "../base/api.js";
import { needSheet } from "../base/dialog.js";
import { $, h } from "../base/dom.js";
import { tone } from "../base/format.js";
import { keepSetting, setting } from "../model/store.js";
import { engineForm, readSpec } from "./engine_form.js";

const SECONDS = 3;
const MOST = 8; // differences that are listed

let second = null;

/** Show or hide it. */
export async function toggleSecond(page) {
  await needSheet("dialogs");
  second ??= new SecondEngine(page);
  second.open(!second.on);
}

class SecondEngine {
  on = false;
  #abort = null;
  #found = null;

  constructor(page) {
    this.page = page;
    page.session.addEventListener("change", ({ detail }) => ["shown", "moved", "opened", "mode"].includes(detail.kind) && this.ask());
    page.analysis.addEventListener("change", () => this.on && this.#draw());
  }

  open(on) {
    this.on = on;
    $("#second").hidden = !on;
    $("#second-open").setAttribute("aria-expanded", String(on));
    $("#second-open").textContent = on ? "Without the second engine" : "A second engine beside it";
    if (on) this.#build();
    this.ask();
  }

  #build() {
    const { setup, session } = this.page;
    const key = `second:${session.family}`;
    const engines = setup.analysts;
    const kept = setting(key);
    this.spec = kept && engines.some(({ name }) => name === readSpec(kept).name) ? kept : (engines.find(({ name }) => name !== setup.adviser?.name) ?? engines[0]).analysis;
    const pick = h("select", { "aria-label": "Second engine" }, ...engines.map(({ name }) => h("option", { value: name, text: name, selected: name === readSpec(this.spec).name })));
    const options = h("details", {}, h("summary", { text: "Options" }));
    const choose = (spec) => {
      this.spec = spec;
      keepSetting(key, spec);
      this.ask();
    };
    const form = () => options.replaceChildren(options.firstChild, engineForm(engines.find(({ name }) => name === pick.value), this.spec, choose));
    pick.addEventListener("change", () => {
      choose(engines.find(({ name }) => name === pick.value).analysis);
      form();
    });
    form();
    this.said = h("p", { role: "status" });
    this.rows = h("ul", { class: "differences", "aria-label": "Where it differs from what is known" });
    $("#second").replaceChildren(h("div", { class: "row" }, pick, options), this.said, this.rows);
  }

  /** Let it search the position that is shown; a newer wish ends an older one. */
  async ask() {
    this.#abort?.abort();
    const { session } = this.page;
    this.#found = null;
    if (!this.on || session.mode !== "analyse" || session.position.done) return this.said && this.#draw();
    const abort = (this.#abort = new AbortController());
    this.#draw();
    try {
      const limits = /[:,](time|nodes|depth|simulations)=/.test(this.spec) ? {} : { time: SECONDS };
      for await (const { name, data } of stream("/api/search", { ...session.question(), engine: this.spec, ...limits, top: 40 }, abort.signal)) {
        if (abort.signal.aborted) return;
        if (name === "progress" || name === "done") this.#found = data;
        this.#draw();
      }
    } catch (error) {
      if (!isAbort(error)) this.said.textContent = error.message;
    }
  }

  #draw() {
    const { analysis } = this.page;
    const found = this.#found;
    const best = found?.candidates[0];
    this.said.textContent = found ? `${found.engine}: ${found.text}. It would play ${best?.name ?? "?"}.` : this.page.session.position.done ? "The game is over here." : "Looking …";
    const known = new Map((analysis.shown?.candidates ?? []).map((candidate) => [candidate.move, candidate]));
    const different = found ? differences(found.candidates, known, analysis.shown) : [];
    const agreed = found && analysis.shown && !different.length ? [h("li", { class: "fine", text: analysis.shown.proven ? "It agrees with everything that is proven." : "It agrees with the adviser." })] : [];
    this.rows.replaceChildren(...agreed, ...different.slice(0, MOST).map(row));
  }
}

/** What it says of moves whose worth is known otherwise: another outcome where one is proven, else another side ahead. */
export function differences(candidates, known, truth) {
  const found = [];
  for (const candidate of candidates) {
    const other = known.get(candidate.move);
    if (!other || candidate.value === null || other.value === null) continue;
    const apart = Math.abs(candidate.value - other.value);
    if (other.proven ? sideOf(candidate) !== sideOf(other) : apart > 0.5) found.push({ candidate, other, apart, missed: Boolean(truth?.candidates[0]?.move === other.move) });
  }
  return found.sort((one, another) => another.apart - one.apart);
}

/** Who is ahead: a value near the middle is a draw. */
const sideOf = ({ value }) => (value > 0.5 ? 1 : value < -0.5 ? -1 : 0);

const chip = ({ mark, value, proven }) => h("span", { class: `worth-chip ${tone(value)}${proven ? " proven" : ""}`, text: mark || "?" });

const row = ({ candidate, other, missed }) =>
  h("li", {}, h("b", { text: candidate.name }), " it says ", chip(candidate), other.proven ? " but it is " : " the adviser says ", chip(other), missed ? " – the best move" : "");
