/**
 * Convergence: the mean of each first move, for the side to move, against simulations on a log scale, as steps,
 * since a mean changes only when its move is visited; the truth dashed. The table beside it is the
 * legend. The curves are drawn once; a moment only moves the edge up to which they are shown.
 */

import { linear, logarithmic, steps } from "../../js/base/chart.js";
import { h, svg } from "../../js/base/dom.js";
import { apart } from "../../figures/kinds/shared.js";
import { fixed, signed, whole } from "./numbers.js";

const MOST = 9; // curves
const [LEFT, RIGHT, TOP, BOTTOM] = [28, 20, 8, 22];
const BESIDE = 32; // at the right, where curves have names
const NAMES = 14; // pixels from one name at the end of a curve to the next

export class Plot {
  #rows = [];
  #truth = null;
  #moment = null; // the one that is shown

  constructor(picture, table, note) {
    Object.assign(this, { picture, table, note, isLarge: false, rule: () => -1 });
  }

  /** Draw a recording; to be called again after a change of size. */
  load(recording) {
    this.recording = recording;
    this.#moment = null;
    const final = (n) => recording.through[n].length;
    const moves = recording.firstMoves;
    this.shown = new Set([...moves].sort((a, b) => final(b) - final(a)).slice(0, MOST));
    this.moves = moves.filter((n) => this.shown.has(n));
    this.left = moves.length - this.moves.length;
    this.#list();
    this.draw();
  }

  /** The true values: move → value for the side to move; null while they are not known or not asked for. */
  tell(truth, sentence) {
    this.#truth = truth;
    this.note.textContent = sentence;
    if (this.recording) {
      this.#list();
      this.draw();
    }
  }

  draw() {
    const { recording } = this;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const wide = Math.max(120, this.picture.clientWidth);
    // In the place of the tree it is as high as that; in its panel as high as it can be beside the rest.
    const beside = getComputedStyle(this.picture.closest(".mcts")).display === "grid"; // else panels are as high as what is in them
    const large = beside ? this.picture.closest(".curves").clientHeight - 96 * rem : 280 * rem;
    const high = this.isLarge ? Math.max(168, large) : Math.round(168 * rem);
    const [left, right, top, bottom] = [LEFT, this.isLarge ? BESIDE : RIGHT, TOP, BOTTOM].map((v) => v * rem);
    const total = recording.sims.length;
    const along = logarithmic([1, Math.max(2, total + 1)], [left, wide - right]);
    this.x = (k) => along(k + 1);
    const y = (this.y = linear([1, -1], [top, high - bottom]));
    this.edge = svg("rect", { x: 0, y: 0, height: high, width: 0 });
    const frame = svg("svg", { class: "plot", width: wide, height: high, role: "img", "aria-label": `Mean of each first move for ${recording.viewer} against simulations` }, svg("clipPath", { id: "so-far" }, this.edge));
    for (const v of [-1, 0, 1]) frame.append(svg("path", { class: "axis", d: `M${left} ${y(v)}H${wide - right}` }), svg("text", { x: left - 5 * rem, y: y(v) + 4 * rem, class: "end", text: fixed(v, 0) }));
    for (const k of [1, 10, 100, 1000]) if (k <= total) frame.append(svg("path", { class: "axis", d: `M${this.x(k)} ${high - bottom}v4` }), svg("text", { x: this.x(k), y: high - 4 * rem, class: "mid", text: whole(k) }));
    const curves = svg("g", { "clip-path": "url(#so-far)" });
    const truths = this.moves.map((n) => this.#truth?.get(recording.nodes.move[n]));
    for (const truth of new Set(truths.filter((value) => value !== undefined))) {
      const alone = truths.indexOf(truth) === truths.lastIndexOf(truth); // a line that moves share has no colour
      frame.append(svg("path", { class: alone ? `truth c${truths.indexOf(truth)}` : "truth", d: `M${left} ${y(truth).toFixed(1)}H${wide - right}` }));
    }
    this.moves.forEach((n, colour) => {
      const means = recording.through[n].map((s, k) => [this.x(s + 1), y(recording.seen(recording.totals[n][k] / (k + 1)))]);
      if (means.length) curves.append(svg("path", { class: `curve c${colour}`, d: steps(means, wide - right) }));
    });
    frame.append(curves);
    this.ends = this.isLarge ? this.moves.map((n, colour) => svg("text", { class: `name c${colour}`, text: recording.name(n) })) : [];
    frame.append(...this.ends);
    this.picture.replaceChildren(frame);
    if (this.#moment !== null) this.show(this.#moment);
  }

  show(t) {
    const { recording } = this;
    this.#moment = t;
    const done = recording.finished(t);
    this.edge.setAttribute("width", done ? this.x(done).toFixed(1) : 0);
    const found = this.#rows.map((row) => recording.stats(row.n, t));
    this.#nameCurves(found, done);
    const played = this.rule(recording, t);
    this.#rows.forEach((row, k) => {
      const { visits, mean: forX } = found[k];
      const [mean, proven] = [recording.seen(forX), recording.seen(recording.proven(row.n, t))];
      const texts = [visits ? whole(visits) : "–", proven !== null ? `= ${fixed(proven, 0)}` : mean === null ? "–" : fixed(mean), `${recording.name(row.n)}${row.n === played ? " ★" : ""}`];
      [row.visits, row.mean, row.name].forEach((cell, i) => {
        if (cell.textContent !== texts[i]) cell.textContent = texts[i];
      });
    });
  }

  /** In the place of the tree the curves have their names where they end, also in a picture for slides. */
  #nameCurves(found, done) {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const known = this.ends.map((text, k) => ({ text, mean: found[k].mean })).filter(({ text, mean }) => text.toggleAttribute("hidden", mean === null || !done) === false);
    const heights = apart(known.map(({ mean }) => this.y(this.recording.seen(mean))), NAMES * rem, TOP * rem);
    known.forEach(({ text }, k) => {
      text.setAttribute("x", (this.x(done) + 3 * rem).toFixed(1));
      text.setAttribute("y", (heights[k] + 4 * rem).toFixed(1));
    });
  }

  #list() {
    const { recording } = this;
    this.#rows = this.moves.map((n, colour) => {
      const [name, visits, mean, truth] = [h("span"), h("td"), h("td"), h("td", { class: "true" })];
      const value = this.#truth?.get(recording.nodes.move[n]);
      truth.textContent = value === undefined ? "" : signed(value, 0);
      const element = h("tr", { "data-node": n }, h("th", { scope: "row" }, h("i", { class: `swatch c${colour}` }), name), visits, mean, this.#truth ? truth : null);
      return { n, name, visits, mean, element };
    });
    this.table.replaceChildren(
      h("caption", { class: "hidden-text", text: `The first moves: visits, mean and true value for ${recording.viewer}` }),
      h("thead", {}, h("tr", {}, ...["move", "visits", `mean for ${recording.viewer}`, ...(this.#truth ? ["truth"] : [])].map((text) => h("th", { scope: "col", text })))),
      h("tbody", {}, ...this.#rows.map((row) => row.element), this.left ? h("tr", {}, h("td", { colspan: 4, class: "fine", text: `${this.left} more moves` })) : null),
    );
  }
}
