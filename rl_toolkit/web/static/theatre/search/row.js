/**
 * The head of a row: MAX or MIN, and the window of the node on the path as a line: brackets at α and
 * β, a dot at the best value, red once they have crossed.
 */

import { svg } from "../../js/base/dom.js";
import { put } from "./put.js";

const APART = 10; // pixels between what stands in one line on a phone
const PAD = 9; // from an infinity at the end of the line to the first number

/** How many pixels the widest of these texts takes in the bold type of the stage. */
function widest(texts) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = `700 13px ${getComputedStyle(document.body).fontFamily}`;
  return Math.max(...texts.map((text) => pen.measureText(text).width));
}
let pen = null;

export class Row {
  /** `narrow`: the head is above the cards, not beside them. */
  constructor(stage, { narrow, low, width, y, high }) {
    this.stage = stage;
    // On a phone all stands in one line: whose row, α and β, and the line where there is room.
    const { model } = stage;
    const named = narrow ? widest([`▲ ${model.role(true)}`, `▼ ${model.role(false)}`]) : 0;
    const windowX = narrow ? 12 + named + APART : 12;
    const lineX = narrow ? windowX + 2 * widest(model.data.texts.map((text) => `β ${text}`)) + 9 + APART : 12;
    const span = narrow ? Math.min(150, width - lineX - 16) : 100;
    this.span = Math.max(0, span);
    const at = `translate(0 ${y})`;
    this.band = svg("g", { class: "row", transform: at }, svg("rect", { class: "band", x: 0, y: 0, width, height: high, rx: 10 }));
    this.label = new Text();
    this.alpha = svg("tspan", { class: "alpha" });
    this.beta = svg("tspan", { class: "beta", dx: 9 });
    this.line = svg("g", { transform: narrow ? `translate(${lineX} 15)` : "translate(12 62)" });
    this.open = svg("path", { class: "open-window" });
    this.tickA = svg("path", { class: "tick" });
    this.tickB = svg("path", { class: "tick" });
    this.dot = svg("circle", { class: "dot", r: 3.6 });
    this.line.append(svg("path", { class: "axis", d: `M0 0H${this.span}` }), this.open, this.tickA, this.tickB, this.dot);
    this.window = svg("text", { class: "window", x: windowX, y: narrow ? 19 : low ? 37 : 46 }, this.alpha, this.beta);
    this.fold = svg("text", { class: "who", x: 12, y: narrow ? 19 : low ? 19 : 24 }, this.label);
    this.hit = svg("rect", { class: "hit", x: 0, y: 0, width: narrow ? windowX - 4 : 118, height: narrow ? 24 : Math.min(high, 52), rx: 8 }, svg("title", {}, low ? "Show this row in full" : "Make this row low"));
    this.first = svg("text", { class: "more", x: stage.left + 15, y: high / 2 + 5 });
    this.last = svg("text", { class: "more", x: width - 17, y: high / 2 + 5 });
    this.band.append(this.first, this.last);
    this.head = svg("g", { class: "row head", transform: at }, this.hit, this.fold, this.window, this.line);
    this.lineHidden = narrow ? span < 40 : low;
    this.hit.addEventListener("click", () => this.onFold?.());
  }

  /** How many cards are not shown at either end. */
  more(before, after) {
    put(this, "before", before ? `‹${before}` : "", (text) => (this.first.textContent = text));
    put(this, "after", after ? `${after}›` : "", (text) => (this.last.textContent = text));
  }

  /** `n` is the node of the path in this row, undefined below it; `max` says whose row it is. */
  show(n, max, t, leaves = false) {
    const { model } = this.stage;
    const live = n !== undefined && model.prunes && !leaves;
    put(this, "cls", `row ${leaves ? "leaves" : max === null ? "empty" : max ? "max" : "min"}${n === undefined ? " idle" : ""}`, (v) => {
      this.band.setAttribute("class", v);
      this.head.setAttribute("class", `${v} head`);
      this.label.data = leaves ? "Leaves" : max === null ? "" : `${max ? "▲" : "▼"} ${model.role(max)}`;
    });
    put(this, "live", live, (v) => {
      this.window.style.display = v ? "" : "none";
      this.line.style.display = v && !this.lineHidden ? "" : "none";
    });
    if (!live) return;
    const e = model.at(n, t);
    const [a, b, best] = [model.alpha[e], model.beta[e], model.best[e]];
    const moved = e === t && model.kind[t] === "B";
    put(this, "key", `${a} ${b} ${best} ${moved} ${max}`, () => this.#draw(a, b, best, moved, max));
  }

  #draw(a, b, best, moved, max) {
    const { model } = this.stage;
    this.alpha.textContent = `α ${model.text(a)}`;
    this.beta.textContent = `β ${model.text(b)}`;
    this.alpha.setAttribute("class", moved && max ? "alpha new" : "alpha");
    this.beta.setAttribute("class", moved && !max ? "beta new" : "beta");
    const top = model.data.values.length - 1;
    // By rank: estimates lie close together, wins far away, and only the order matters.
    const x = (place) => (place <= 0 ? 0 : place >= top ? this.span : PAD + ((this.span - 2 * PAD) * (place - 1)) / Math.max(1, top - 2));
    const crossed = a >= b;
    this.open.setAttribute("d", crossed ? `M${x(b)} 0H${x(a)}` : `M${x(a)} 0H${x(b)}`);
    this.open.setAttribute("class", crossed ? "open-window crossed" : "open-window");
    this.tickA.setAttribute("d", `M${x(a) + 4} -7h-4v14h4`);
    this.tickB.setAttribute("d", `M${x(b) - 4} -7h4v14h-4`);
    this.dot.style.display = best < 0 ? "none" : "";
    if (best >= 0) this.dot.setAttribute("cx", x(best));
  }
}
