/**
 * The stage: the nodes from the root to the running one, each beside its siblings. What is finished
 * is one card with its value; nothing else is drawn. The size of the picture is depth × branching,
 * not the size of the tree, so 20,000 events look as calm as 80.
 *
 * `render(t)` is a pure function of t. Nothing is made or removed in a step: cards and links are
 * pooled by row and column, and only what changes is written. Fires "choose" (a moment) when a card
 * is clicked and "look" (a slot or null) when the pointer or Shift with an arrow is on one.
 */

import { svg } from "../../js/base/dom.js";
import { Card, stateOf } from "./card.js";
import { put } from "./put.js";
import { Row } from "./row.js";

const GUTTER = 136;
const WIDE_GUTTER = 172; // where values are long
const GAP = 10; // between rows, for the links
const LOW = 26; // the height of a low card
const LETTER = 8.4; // pixels that a letter of a name takes, about
const MOST_LEAVES = 25; // of a tree that is shown whole
const COLUMNS = 9; // rows of more cards may show a part of them
const MORE = 34; // pixels at either end of such a row, for how many are not shown
const [LEAST_SCALE, STEP] = [0.6, 0.95]; // how far the picture is made smaller to fit, and in which steps
const LEAST_READ = 0.8; // the same where nobody asked for it

export class Stage extends EventTarget {
  #cards = new Map();
  #links = new Map();
  #places = new Map(); // key of a slot → [x, y, row, column] of its card
  #grid = []; // slots by row
  #looked = null;

  constructor(box) {
    super();
    this.box = box;
    this.zoom = 1;
    this.low = new Set(); // rows that somebody made low, or high where they would be low
    this.lowRows = 0; // the rows at the top that are low for want of room
    this.leaves = false; // whether the values of all leaves of a typed tree are shown
    this.whole = false; // whether the whole tree is shown, where it is small
    this.t = 0;
    this.root = svg("svg", { class: "stage", role: "img", "aria-label": "The path that is searched" });
    const tip = svg("marker", { id: "why-tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { class: "tip", d: "M0 0L8 4L0 8z" }));
    this.bands = svg("g");
    this.under = svg("g");
    const hitTip = tip.cloneNode(true);
    hitTip.id = "hit-tip";
    this.why = svg("path", { class: "why", "marker-end": "url(#why-tip)" });
    this.heads = svg("g");
    this.over = svg("g");
    this.root.append(svg("defs", {}, tip, hitTip), this.bands, this.under, this.heads, this.over, this.why);
    box.replaceChildren(this.root);
    box.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(box);
    this.scale = 1; // of the picture: presenter mode has larger type
    this.seen = { top: 0, left: 0, width: 0, height: 0 }; // the part of the picture that is in sight
  }

  load(model) {
    this.model = model;
    this.low.clear();
    this.#looked = null;
    this.tidy = tidied(model, this.leaves);
    this.whole = this.tidy !== null && !model.look.has_grid;
    this.measure();
  }

  /** Show the values of all leaves of a typed tree, also of those to come and those left out. */
  showLeaves(on) {
    this.leaves = on;
    if (!this.model) return;
    this.tidy = tidied(this.model, on);
    this.measure();
    this.render(this.t);
  }

  /** Show the whole tree, if it is small, or the path again. */
  toggleWhole() {
    this.whole = !this.whole && this.tidy !== null;
    this.measure();
    this.render(this.t);
  }

  /** Sizes follow the box, the widest row and the zoom; everything is made anew. */
  measure() {
    const { model, box } = this;
    if (!model) return;
    const type = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    [this.scale, this.lowRows] = [type, 0];
    this.#sizes();
    if (document.documentElement.hasAttribute("data-presenter")) this.#fit(type);
    else if (this.whole && this.zoom === 1) this.#fitWidth(type);
    Object.assign(this.seen, { width: box.clientWidth / this.scale, height: box.clientHeight / this.scale });
    this.#scrolled();
    this.root.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.root.setAttribute("width", this.width * this.scale);
    this.root.setAttribute("height", this.height * this.scale);
    for (const group of [this.bands, this.heads, this.under, this.over]) group.replaceChildren();
    this.#cards.clear();
    this.#links.clear();
    this.rows = this.tops.map((top, d) => this.#row(d, top));
  }

  /** A whole tree that is a little too wide is made smaller; a larger one scrolls. */
  #fitWidth(type) {
    for (let scale = type; scale >= LEAST_READ * type; scale *= STEP) {
      this.scale = scale;
      this.#sizes();
      if (this.width * scale <= this.box.clientWidth + 0.5) return;
    }
    this.scale = type;
    this.#sizes();
  }

  /** Before a class nothing is clipped: smaller type, then low rows at the top, then what is left. */
  #fit(type) {
    const fits = () => this.height * this.scale <= this.box.clientHeight && this.width * this.scale <= this.box.clientWidth + 0.5;
    const attempt = (scale, lowRows) => {
      [this.scale, this.lowRows] = [scale, lowRows];
      this.#sizes();
      return fits();
    };
    const plain = Math.max(1, 0.85 * type);
    for (let scale = type; scale >= plain; scale *= STEP) if (attempt(scale, 0)) return;
    if (!this.whole) for (let rows = 1; rows <= this.model.plies - 2; rows++) if (attempt(plain, rows)) return;
    for (let scale = plain; scale >= LEAST_SCALE; scale *= STEP) if (attempt(scale, this.lowRows)) return;
  }

  #sizes() {
    const { model, box } = this;
    const [width, height] = [box.clientWidth / this.scale, box.clientHeight / this.scale];
    const { rows, cols } = model.data;
    const hasBoard = model.look.has_grid && rows > 0 && model.data.board.length > 0;
    this.narrow = width < 560;
    const isLong = model.data.texts.some((text) => text.length > 5);
    this.left = this.narrow ? 0 : isLong ? WIDE_GUTTER : GUTTER;
    this.columns = this.whole ? this.tidy.leaves : Math.min(model.widest, COLUMNS);
    this.head = this.narrow ? 26 : 0;
    const gap = this.narrow ? 6 : 10;
    const shape = hasBoard ? cols / rows : 1;
    const byWidth = (width - this.left - 12) / this.columns;
    const plies = this.whole ? this.tidy.plies : model.plies;
    const byHeight = gap + 12 + (height / plies - 62 - this.head) * shape;
    const fit = Math.min(byWidth, Math.max(this.narrow ? 62 : 76, Math.min(128, byHeight)));
    // A badge such as "≤ −0.011" has to fit.
    this.letters = Math.max(2, ...model.data.texts.map((text) => text.length));
    const least = Math.max(this.narrow ? 44 : 54, Math.min(96, 7.4 * (this.letters + 2) + 16));
    // In a whole tree the names of neighbours must not touch.
    const named = LETTER * Math.max(...model.allNames().map((name) => name.length)) + gap + 4;
    this.cell = Math.round(this.zoom * Math.max(this.whole ? Math.max(this.narrow ? 38 : 44, named) : least, fit));
    this.card = this.cell - gap;
    this.pic = hasBoard ? this.card - 12 : 0;
    this.high = hasBoard ? Math.round((this.pic / cols) * rows) + 46 : this.narrow ? 46 : 66;
    this.width = this.whole ? Math.max(width, this.left + this.columns * this.cell + 12) : width;
    const rowsHigh = plies * (this.high + this.head + 12) + 12;
    const between = this.whole ? Math.max(GAP, Math.min(64, (height - rowsHigh) / plies)) : GAP;
    this.tops = [];
    let y = 6;
    for (let d = 0; d < plies; d++) {
      this.tops.push(y);
      y += this.#rowHigh(d) + between;
    }
    this.height = y - between + 6;
  }

  #resized() {
    const [width, height] = [this.box.clientWidth / this.scale, this.box.clientHeight / this.scale];
    if (!this.model || !width || (width === this.seen.width && height === this.seen.height)) return;
    this.measure();
    this.render(this.t);
  }

  /** Read once: asking the page for its place in a step would lay it out twice. */
  #scrolled() {
    Object.assign(this.seen, { top: this.box.scrollTop / this.scale, left: this.box.scrollLeft / this.scale });
  }

  #isLow(d) {
    return this.low.has(d) !== d < this.lowRows;
  }

  #cardHigh(d) {
    return this.#isLow(d) ? LOW : this.high;
  }

  #rowHigh(d) {
    const least = this.narrow ? 0 : this.#isLow(d) ? 46 : 82; // the gutter wants this much
    return Math.max(least, this.#cardHigh(d) + this.head + 12);
  }

  #row(d, y) {
    const { narrow } = this;
    const row = new Row(this, { narrow, low: this.#isLow(d), width: this.width, y, high: this.#rowHigh(d) });
    row.onFold = () => this.toggleRow(d);
    this.bands.append(row.band);
    this.heads.append(row.head);
    return row;
  }

  /** Make a row low, or high again. */
  toggleRow(d) {
    if (!this.low.delete(d)) this.low.add(d);
    this.measure();
    this.render(this.t);
  }

  /** All rows low but the last four of the path, or all high again. */
  toggleRows() {
    const path = this.model.path(this.t).length;
    if (this.low.size) this.low.clear();
    else for (let d = 0; d < path - 3; d++) this.low.add(d);
    this.measure();
    this.render(this.t);
  }

  zoomBy(factor) {
    this.zoom = factor === 0 ? 1 : Math.max(0.5, Math.min(2.5, this.zoom * factor));
    this.measure();
    this.render(this.t);
  }

  render(t) {
    if (t !== this.t) this.#looked = null; // the board follows the search again
    this.t = t;
    const { model } = this;
    const path = model.shownPath(t);
    const running = model.node[t];
    const onPath = new Set(path);
    const atEnd = t === model.T - 1;
    const cut = model.kind[t] === "C" ? model.data.cuts[t] : null;
    const origin = cut && cut.from >= 0 ? model.bestMove[model.at(cut.from, t)] : -1;
    const state = { running, onPath, origin, best: atEnd ? onPath : null, looked: this.#looked?.key };
    this.#places.clear();
    this.#grid = [];
    const [cards, links] = [new Set(), new Set()];
    const ties = [];
    for (const { slot, x, y, d, k } of this.whole ? this.#wholeTree() : this.#pathRows(path, t, origin)) {
      const key = d * 1000 + k;
      (this.#grid[d] ??= []).push(slot);
      this.#places.set(slot.key, [x + this.#cardWide(d) / 2, y, d, k]);
      cards.add(key);
      this.#card(key, d).dress(slot, x, y, t, state);
      if (d) ties.push([key, slot, d]);
    }
    for (const [key, slot, d] of ties) {
      const [[x1, y1], [x2, y2]] = [this.#places.get(slot.up), this.#places.get(slot.key)];
      links.add(key);
      this.#tie(key, [x1, y1 + this.#cardHigh(d - 1)], [x2, y2], slot, slot.node >= 0 && slot.node === path[d], t, atEnd);
    }
    this.rows.forEach((row, d) => {
      if (this.whole || !this.#grid[d]) row.more(0, 0);
      const side = this.#grid[d]?.find((slot) => slot.node >= 0)?.node;
      const max = !this.#grid[d] || this.#areLeaves(d) ? null : side === undefined ? !model.isMax(this.#grid[d][0].up) : model.isMax(side);
      row.show(path[d], max, t, this.#areLeaves(d));
    });
    for (const [key, card] of this.#cards) show(card, cards.has(key));
    for (const [key, link] of this.#links) show(link, links.has(key));
    const twin = this.#twinInSight(t);
    if (twin) this.#arrow("hit", this.#places.get(running), twin);
    else this.#whyArrow(cut, origin, running);
    if (this.#looked && !this.#places.has(this.#looked.key)) this.#forgetLooked();
    this.#follow(this.#places.get(running));
  }

  /** The cards of the path: each row is centred under its parent, and clamped. */
  *#pathRows(path, t, origin) {
    let slots = [{ key: 0, node: 0, up: -1, move: -1 }];
    let over = this.left + (this.width - this.left) / 2;
    for (let d = 0; d < this.model.plies && slots.length; d++) {
      const here = path[d];
      // Where the path goes on, else the child that came back last.
      const place = slots.findIndex((slot) => slot.node === (here ?? this.model.came[t]));
      const owner = origin < 0 ? -1 : slots.findIndex((slot) => slot.node === origin);
      const cell = this.#cellOf(d);
      const [first, count] = this.#inSight(slots.length, place, owner, cell);
      this.rows[d].more(first, slots.length - first - count);
      const edge = count < slots.length ? MORE : 4;
      const wide = count * cell;
      const x0 = Math.max(this.left + edge, Math.min(this.width - wide - edge, over - wide / 2)) + (this.cell - this.card) / 2;
      const y = this.#cardTop(d);
      for (let k = 0; k < count; k++) yield { slot: slots[first + k], x: x0 + k * cell, y, d, k };
      if (here === undefined) return;
      over = x0 + (place - first) * cell + this.#cardWide(d) / 2;
      slots = this.model.slots(here);
    }
  }

  /** Of so many cards in a row, the first that is shown and how many are: around `place`, and with `owner` if it can be. */
  #inSight(cards, place, owner, cell) {
    const room = this.width - this.left;
    if (cards * cell <= room - 8) return [0, cards];
    const count = Math.max(1, Math.floor((room - 2 * MORE) / cell));
    let first = place - Math.floor(count / 2);
    if (owner >= 0 && Math.abs(owner - place) < count) first = Math.max(Math.min(first, owner), Math.max(owner, place) - count + 1);
    return [Math.max(0, Math.min(cards - count, first)), count];
  }

  /** All cards, each parent over the middle of its children. */
  *#wholeTree() {
    const room = this.width - this.left - 12;
    const cell = Math.min(room / this.tidy.leaves, this.cell * 1.6);
    const x0 = this.left + 4 + (room - cell * this.tidy.leaves) / 2 + (cell - this.card) / 2;
    for (const { slot, at, d, k } of this.tidy.cards) yield { slot, x: x0 + at * cell, y: this.#cardTop(d), d, k };
  }

  /** Whether a row of a typed tree has leaves only: nobody is to move there. */
  #areLeaves(d) {
    const seen = this.model.look.free_results ? (this.#grid[d] ?? []).filter((slot) => slot.node >= 0) : [];
    return seen.length > 0 && seen.every((slot) => !this.model.kids[slot.node].length);
  }

  #cardTop(d) {
    return this.tops[d] + this.head + Math.max(this.head ? 2 : 6, this.head ? 0 : (this.#rowHigh(d) - this.#cardHigh(d)) / 2);
  }

  /** How wide a place is in a row: name and badge stand side by side in a low one. */
  #cellOf(d) {
    if (!this.#isLow(d) || this.whole) return this.cell;
    const named = LETTER * Math.max(...this.model.allNames().map((name) => name.length), 5);
    const room = (this.width - this.left - 12) / (d ? this.columns : 1); // the start is alone in its row
    return Math.round(Math.max(this.cell, Math.min(room, named + 7.4 * (this.letters + 2) + 34)));
  }

  #cardWide(d) {
    return this.#cellOf(d) - (this.cell - this.card);
  }

  #card(key, d) {
    let card = this.#cards.get(key);
    if (!card) {
      const low = this.#isLow(d);
      card = new Card(this, { card: this.#cardWide(d), high: this.#cardHigh(d), pic: low ? 0 : this.pic, low });
      this.#cards.set(key, card);
      this.over.append(card.g);
    }
    return card;
  }

  #tie(key, [x1, y1], [x2, y2], slot, on, t, atEnd) {
    let link = this.#links.get(key);
    if (!link) this.#links.set(key, (link = { g: this.under.appendChild(svg("path")), off: false }));
    const { state } = stateOf(this.model, slot, t);
    const middle = (y1 + y2) / 2;
    put(link, "cls", `link ${on ? (atEnd ? "on pv" : "on") : state}`, (v) => link.g.setAttribute("class", v));
    put(link, "d", `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`, (v) => link.g.setAttribute("d", v));
  }

  /** From the cut to the card whose value is the bound. */
  #whyArrow(cut, origin, running) {
    this.#arrow("", this.#places.get(running), cut && cut.from >= 0 ? (this.#places.get(origin) ?? this.#places.get(cut.from)) : null);
  }

  /** The place of the card below which the twin of a table hit lies, or of the twin itself. */
  #twinInSight(t) {
    const { model } = this;
    for (let n = model.twin(t); n > 0; n = model.parent[n]) if (this.#places.has(n)) return this.#places.get(n);
    return null;
  }

  #arrow(kind, from, to) {
    const sameRow = to && from[2] === to[2];
    const shown = Boolean(to) && to !== from && !(this.narrow && sameRow); // on a phone the ring is enough
    put(this, "whyShown", shown, (v) => (this.why.style.display = v ? "" : "none"));
    if (!shown) return;
    put(this, "whyKind", kind, (v) => {
      this.why.setAttribute("class", v ? `why ${v}` : "why");
      this.why.setAttribute("marker-end", `url(#${v || "why"}-tip)`);
    });
    const [[x1, y1, d1], [x2, y2, d2]] = [from, to];
    const [half, tall] = [this.#cardWide(d1) / 2, this.#cardHigh(d2)];
    const side = x1 > x2 ? -1 : 1;
    const start = y1 + this.#cardHigh(d1) / 2;
    const d = sameRow
      ? `M${x1 - side * 8} ${y1}C${x1} ${y1 - 26} ${x2} ${y2 - 26} ${x2} ${y2 - 2}` // over the row
      : `M${x1 + side * half} ${start}C${x1 + side * (half + 70)} ${start} ${x2} ${y2 + tall + 70} ${x2} ${y2 + tall + 3}`;
    this.why.setAttribute("d", d);
  }

  /** Keep the running card and the row below it in sight, without moving when they are. */
  #follow([x, y, d]) {
    const { seen } = this;
    let { top, left } = seen;
    const below = Math.min(this.height, (this.tops[d + 1] ?? this.height) + (d + 1 < this.tops.length ? this.#rowHigh(d + 1) : 0));
    // As much of the path above as there is room for; a row more or less does not move the picture.
    const wanted = Math.max(0, below - seen.height);
    if (top < wanted || top > wanted + 1.2 * this.#rowHigh(d)) top = wanted;
    if (y - 30 < top) top = Math.max(0, y - 30);
    if (x - this.card < left + this.left || x + this.card > left + seen.width) left = x - this.left - (seen.width - this.left) / 2;
    left = Math.max(0, Math.min(this.width - seen.width, left));
    if (top === seen.top && left === seen.left) return;
    [seen.top, seen.left] = [top, left];
    this.box.scrollTo(left * this.scale, top * this.scale);
  }

  // --------------------------------------------------------------------------- looking and choosing

  /** A click: a finished node → where it returns, one ahead → where it is entered, a cut → the cut. */
  choose(slot) {
    const { model, t } = this;
    this.#looked = null;
    const to = slot.node < 0 ? slot.cut : t < model.opens[slot.node] ? model.opens[slot.node] : model.closes[slot.node];
    this.dispatchEvent(new CustomEvent("choose", { detail: to }));
  }

  lookAt(slot) {
    if (this.#looked?.key === slot?.key) return;
    this.#looked = slot;
    this.render(this.t);
    this.dispatchEvent(new CustomEvent("look", { detail: slot }));
  }

  #forgetLooked() {
    this.#looked = null;
    this.dispatchEvent(new CustomEvent("look", { detail: null }));
  }

  /** The slot that is looked at, or null. */
  get looked() {
    return this.#looked;
  }

  /** Look at the card beside, above or below the one that is looked at: for the keyboard. */
  lookBeside(right, down) {
    const here = this.#looked?.key ?? this.model.node[this.t];
    const [, , d, k] = this.#places.get(here) ?? [0, 0, 0, 0];
    const row = this.#grid[d + down];
    if (!row) return;
    const path = this.model.shownPath(this.t);
    const start = down ? row.findIndex((slot) => slot.node === path[d + down]) : k + right;
    this.lookAt(row[Math.max(0, Math.min(row.length - 1, start))]);
  }
}

/** A small tree laid out whole: columns of the leaves, and each card's place; null for a large one. */
function tidied(model, leaves) {
  if (model.N > 4 * MOST_LEAVES) return null;
  const cards = [];
  const counts = [];
  let columns = 0;
  const place = (slot, d) => {
    const card = { slot, at: 0, d, k: (counts[d] = (counts[d] ?? -1) + 1) };
    cards.push(card);
    const below = (slot.node < 0 ? (leaves ? model.leftOut(slot) : []) : model.slots(slot.node)).map((each) => place(each, d + 1));
    card.at = below.length ? (below[0] + below.at(-1)) / 2 : columns++;
    return card.at;
  };
  place({ key: 0, node: 0, up: -1, move: -1 }, 0);
  return columns > MOST_LEAVES ? null : { cards, leaves: columns, plies: counts.length };
}

function show(pooled, on) {
  if (pooled.off !== on) return;
  pooled.off = !on;
  pooled.g.style.display = on ? "" : "none";
}
