/**
 * A card: one node beside its siblings, with its move, its small board and its badge. Cards have
 * fixed places (row, column) and are dressed anew when another node takes the place.
 */

import { svg } from "../../js/base/dom.js";
import { MiniBoard } from "../../js/board/mini_board.js";
import { put } from "./put.js";

const TONES = { "-1": "minus", 0: "even", 1: "plus" };

export class Card {
  off = false;
  slot = null;

  /** `sizes`: card, high, pic, picHeight, low (whether only name and badge are shown). */
  constructor(stage, sizes) {
    const { model } = stage;
    const { card, high, pic, low } = sizes;
    this.stage = stage;
    this.g = svg("g", { class: "card" });
    this.g.append(svg("rect", { class: "frame", width: card, height: high, rx: 7 }));
    this.name = new Text();
    this.badge = new Text();
    const nameX = low ? 8 : card / 2;
    this.g.append(svg("text", { class: low ? "move at-left" : "move", x: nameX, y: low ? 17 : 14 }, this.name));
    this.g.append(svg("text", { class: card < 60 ? "star small" : "star", x: card - (card < 60 ? 1 : 3), y: card < 60 ? 4 : 7, "aria-hidden": "true" }, "★"));
    if (pic) {
      const { rows, cols } = model.data;
      this.board = new MiniBoard({ rows, cols, width: pic, style: model.look.style, rowOneAt: model.look.row_one_at });
      this.board.element.setAttribute("transform", `translate(${(card - pic) / 2} 19)`);
      this.g.append(this.board.element);
    }
    const [wide, x, y] = low ? [card * 0.5, card * 0.75 - 3, 13] : [card - 6, card / 2, high - 12];
    this.g.append(
      svg("g", { class: "badge", transform: `translate(${x} ${y})` }, svg("rect", { x: -wide / 2, y: -9, width: wide, height: 18, rx: 9 }), svg("text", { y: 4 }, this.badge)),
      svg("path", { class: "strike", d: `M5 ${high - 5}L${card - 5} 5` }),
    );
    this.g.addEventListener("click", () => stage.choose(this.slot));
    this.g.addEventListener("pointerenter", () => stage.lookAt(this.slot));
    this.g.addEventListener("pointerleave", () => stage.lookAt(null));
  }

  /** Show what is known of the slot at moment t. */
  dress(slot, x, y, t, { running, onPath, origin, best, looked }) {
    if (this.slot?.key !== slot.key || this.slot.node !== slot.node) this.#fill(slot);
    const { model } = this.stage;
    const { state, text, place } = stateOf(model, slot, t, this.stage.leaves);
    const n = slot.node;
    const up = n > 0 ? model.at(slot.up, t) : -1;
    const tone = TONES[model.tone(place)] ?? "none";
    const marks = [
      n >= 0 && n === running && "running",
      onPath.has(n) && "on-path",
      best?.has(n) && "pv",
      up >= 0 && model.bestMove[up] === n && "best",
      n > 0 && n === origin && "origin",
      slot.key === looked && "looked",
    ];
    put(this, "cls", ["card", state, tone, ...marks.filter(Boolean)].join(" "), (v) => this.g.setAttribute("class", v));
    put(this, "place", `translate(${x} ${y})`, (v) => this.g.setAttribute("transform", v));
    put(this, "says", text, (v) => (this.badge.data = v));
  }

  /** Another node takes this place. */
  #fill(slot) {
    const { model } = this.stage;
    this.slot = slot;
    this.g.dataset.key = slot.key;
    const name = slot.node === 0 ? "start" : model.named(slot.move);
    put(this, "named", slot.again ? `${name} ↻` : name, (text) => (this.name.data = text));
    if (!this.board) return;
    const { cells, last } = model.board(slot);
    this.board.show(cells, last);
  }
}

/** The state of a slot at moment t: its class, its badge, and the value that colours it. */
export function stateOf(model, { node: n, move, cut, saved }, t, leaves = false) {
  const given = leaves ? model.leaf(move) : ""; // the value of a leaf that is shown whatever happens
  if (n < 0) {
    if (t < cut) return { state: "ahead", text: given, place: -1 };
    return { state: "cut", text: given || (saved > 1 ? `cut ${saved.toLocaleString("en")}` : "cut"), place: -1 };
  }
  if (t >= model.closes[n]) {
    if (model.saysNothing(n)) return { state: "done", text: "?", place: -1 };
    return { state: "done", text: model.verdict(n), place: model.value[model.closes[n]] };
  }
  if (t < model.opens[n]) return { state: "ahead", text: given, place: -1 };
  const best = model.best[model.at(n, t)];
  return { state: "open", text: best < 0 ? "…" : `${model.text(best)} …`, place: best };
}
