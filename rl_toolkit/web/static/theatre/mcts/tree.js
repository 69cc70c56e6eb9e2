/**
 * The tree as a picture: area ~ visits, tone = mean for the side that asks, solid = proven, "+3" = not drawn. Nodes
 * and links are kept and written to only where something has changed. Below the leaf hangs its
 * playout, move by move, or the network's answer.
 */

import { svg } from "../../js/base/dom.js";
import { Roving } from "../../js/base/roving.js";
import { keyOf, layout } from "./layout.js";
import { BACK_UP, EXPAND, PLAYOUT, START } from "./model.js";
import { fixed, signed, whole } from "./numbers.js";

const SMALLEST = 5; // pixels, the radius of one visit among many
const DOTS = 10; // of a playout; longer ones are drawn closer
const [ABOVE, LOWEST, BELOW] = [36, 74, 92]; // above the root, between rows at least, below the last row
const LEAST_ROWS = 5; // before a class; a longer path is folded
const LEAST_REM = 0.75; // of the type before a class

/** Write only what has changed. */
function put(element, memory, name, value) {
  if (memory[name] === value) return;
  memory[name] = value;
  if (name === "text") element.textContent = value;
  else if (name === "transform") element.style.transform = value;
  else if (name.startsWith("--")) element.style.setProperty(name, value);
  else if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

export class Tree extends EventTarget {
  #drawn = new Map(); // node → its elements
  #spare = [];
  #laid = { key: null };
  #size = {};
  #wanted = 0; // how far the box is to be scrolled
  #rem = 1; // the size of type, 1 is that of the page

  constructor(box) {
    super();
    this.box = box;
    this.links = svg("g");
    this.dots = svg("g");
    this.playout = { line: svg("path", { class: "playout" }), dots: svg("path", { class: "playout-dots" }), badge: svg("text", { class: "badge" }), memory: {} };
    this.frame = svg("svg", { class: "growth", role: "group" }, this.links, this.playout.line, this.dots, this.playout.dots, this.playout.badge);
    this.memory = {};
    box.append(this.frame);
    new Roving(this.dots, ".knot");
    const tell = ({ target }) => this.#tell(target.closest?.(".knot"));
    for (const kind of ["pointerover", "focusin", "click"]) this.dots.addEventListener(kind, tell);
    for (const kind of ["pointerout", "focusout"]) this.dots.addEventListener(kind, () => this.#tell(null));
    this.measure();
  }

  /** After a change of size. */
  measure() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    this.#size = { width: Math.max(280, this.box.clientWidth), height: Math.max(240, this.box.clientHeight), rem };
    this.#laid = { key: null };
  }

  /** Another recording: nothing that is laid out holds any more. */
  clear() {
    this.#laid = { key: null };
  }

  #tell(element) {
    this.dispatchEvent(new CustomEvent("look", { detail: element ? Number(element.dataset.node) : null }));
  }

  /** Before a class the whole depth of the recording is in sight, as far as type stays readable. */
  #fitted(recording) {
    const { rem, height } = this.#size;
    if (!document.documentElement.hasAttribute("data-presenter")) return rem;
    return Math.min(rem, Math.max(LEAST_REM, (height - 6) / (ABOVE + LOWEST * recording.deepest + BELOW)));
  }

  show(recording, t) {
    const { width, height } = this.#size;
    const rem = (this.#rem = this.#fitted(recording));
    put(this.frame, this.memory, "--size", `${16 * rem}px`);
    const { s, phase, place } = recording.at(t);
    const presents = document.documentElement.hasAttribute("data-presenter");
    const rows = presents ? Math.max(LEAST_ROWS, 1 + Math.floor((height / rem - ABOVE - BELOW) / LOWEST)) : Infinity;
    const key = `${keyOf(recording, t)}${presents ? ` ${phase} ${place}` : ""}`; // a fold goes with the running node
    if (this.#laid.key !== key) this.#laid = { key, ...layout(recording, t, Math.floor((width - 16 * rem) / (47 * rem)), rows) };
    const { places, hidden, leaves, depth, count, after, folded } = this.#laid;
    const sim = recording.sims[s];
    const path = phase === START ? [0] : sim.path;
    const reached = new Set(recording.reached(t));
    const here = phase === BACK_UP ? path[place] : [...reached].at(-1);

    const across = Math.max(42 * rem, Math.min(150 * rem, (width - 16 * rem) / leaves));
    const down = Math.max((presents ? LOWEST : 96) * rem, Math.min(112 * rem, (height - (ABOVE + BELOW) * rem) / Math.max(1, depth)));
    const left = Math.max(0, (width - leaves * across) / 2);
    const most = Math.min(30 * rem, down * 0.27, across * 0.46);
    const total = Math.max(1, recording.stats(0, t).visits);
    const spot = (n) => [left + (places.get(n)[0] + 0.5) * across, ABOVE * rem + places.get(n)[1] * down];
    const radius = (n) => Math.max(SMALLEST * rem, most * Math.sqrt(recording.stats(n, t).visits / total));
    const tall = Math.max(height - 2, ABOVE * rem + depth * down + (presents ? BELOW : 130) * rem);

    const seen = new Set();
    for (const n of places.keys()) {
      seen.add(n);
      const parts = this.#drawn.get(n) ?? this.#take(n);
      const { visits, mean: forX } = recording.stats(n, t);
      const [mean, proven] = [recording.seen(forX), recording.seen(recording.proven(n, t))];
      const [x, y] = spot(n);
      const r = radius(n);
      const bumped = phase === BACK_UP && n === here;
      const value = proven ?? mean;
      const classes = ["knot", value > 0.02 ? "plus" : value < -0.02 ? "minus" : "even"];
      if (reached.has(n) && (phase !== BACK_UP || path.indexOf(n) >= place)) classes.push("on");
      if (n === here) classes.push("here");
      if (phase === EXPAND && n === sim.fresh) classes.push("new");
      if (proven !== null) classes.push("proven");
      const number = proven === null ? (mean === null ? "" : fixed(mean, 2)) : `= ${fixed(proven, 0)}`;
      const gone = hidden.get(n);
      put(parts.g, parts.m, "class", classes.join(" "));
      put(parts.g, parts.m, "transform", `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`);
      put(parts.g, parts.m, "--tone", `${Math.round(Math.abs(value ?? 0) * 50)}%`);
      put(parts.g, parts.m, "aria-label", `${recording.line(n)}: ${whole(visits)} visit${visits === 1 ? "" : "s"}${mean === null ? "" : `, mean ${fixed(mean)} for ${recording.viewer}`}${proven === null ? "" : `, proven ${fixed(proven, 0)}`}${gone ? `, ${gone} replies not drawn` : ""}`);
      put(parts.circle, parts.c, "r", r.toFixed(1));
      put(parts.visits, parts.v, "text", visits ? whole(visits) : "");
      put(parts.visits, parts.v, "class", r > 10 * rem ? (bumped ? "in bump" : "in") : bumped ? "out bump" : "out");
      put(parts.visits, parts.v, "x", r > 10 * rem ? 0 : (r + 3 * rem).toFixed(1));
      put(parts.name, parts.n, "text", recording.name(n));
      put(parts.name, parts.n, "y", (r + 13 * rem).toFixed(1));
      put(parts.mean, parts.e, "text", number);
      put(parts.mean, parts.e, "class", bumped ? "sub bump" : "sub");
      put(parts.mean, parts.e, "y", (r + 27 * rem).toFixed(1));
      put(parts.more, parts.o, "text", gone ? `+${gone}` : "");
      put(parts.more, parts.o, "y", (r + 41 * rem).toFixed(1));
      put(parts.gain, parts.a, "text", bumped ? signed(recording.seen(sim.backed[place]), recording.network ? 2 : Number.isInteger(sim.backed[place]) ? 0 : 2) : "");
      put(parts.gain, parts.a, "x", (r + 5 * rem).toFixed(1));
      if (!n) continue;
      let above = recording.nodes.parent[n];
      while (!places.has(above)) above = recording.nodes.parent[above];
      put(parts.fold, parts.f, "text", n === after ? `⋮ ${folded} move${folded === 1 ? "" : "s"}` : "");
      put(parts.fold, parts.f, "y", (-r - 5 * rem).toFixed(1));
      const [px, top] = spot(above);
      const py = Math.min(top + radius(above) + (hidden.get(above) ? 46 : 32) * rem, y - r); // below its text
      const lit = reached.has(n) && (phase !== BACK_UP || path.indexOf(n) > place);
      put(parts.link, parts.l, "d", `M${px.toFixed(1)} ${py.toFixed(1)}C${px.toFixed(1)} ${((py + y) / 2).toFixed(1)} ${x.toFixed(1)} ${((py + y) / 2).toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)}`);
      put(parts.link, parts.l, "class", `${lit ? "link on" : "link"}${n === after ? " folded" : ""}`);
      put(parts.link, parts.l, "stroke-width", (1 + 7 * rem * (visits / total)).toFixed(1));
    }
    for (const [n, parts] of this.#drawn) if (!seen.has(n)) this.#leave(n, parts);
    this.#hang(recording, t, phase < PLAYOUT || !places.has(path.at(-1)) ? null : { leaf: path.at(-1), at: spot(path.at(-1)), most, total, under: hidden.get(path.at(-1)) ? 46 : 32 });

    put(this.frame, this.memory, "width", Math.max(width, leaves * across).toFixed(0));
    put(this.frame, this.memory, "height", tall.toFixed(0));
    put(this.frame, this.memory, "aria-label", `Search tree, ${whole(count)} nodes; ${whole(places.size)} are drawn`);
    this.#wanted = tall > height ? Math.max(0, Math.round(spot(here)[1] - height * 0.55)) : 0;
    return count;
  }

  /** Bring the running node into sight. After all else is written: it needs the layout of the page. */
  follow() {
    if (this.memory.scroll !== this.#wanted) this.box.scrollTop = this.memory.scroll = this.#wanted;
  }

  // ------------------------------------------------------------------------------- inside

  /** The playout below its leaf: dots as far as it has gone, then the result. */
  #hang(recording, t, leaf) {
    const { line, dots, badge, memory } = this.playout;
    const { s, phase, place } = recording.at(t);
    const shown = leaf && phase >= PLAYOUT;
    memory.line ??= {};
    memory.dots ??= {};
    memory.badge ??= {};
    if (!shown) {
      put(line, memory.line, "d", "");
      put(dots, memory.dots, "d", "");
      put(badge, memory.badge, "text", "");
      return;
    }
    const rem = this.#rem;
    const sim = recording.sims[s];
    const played = phase === PLAYOUT ? Math.min(place + 1, sim.plies) : sim.plies;
    const over = phase === BACK_UP || played === sim.plies;
    const [x, y] = leaf.at;
    const visits = recording.stats(leaf.leaf, t).visits;
    const top = y + Math.max(SMALLEST * rem, leaf.most * Math.sqrt(visits / leaf.total)) + leaf.under * rem;
    const gap = Math.min(8, (8 * DOTS) / Math.max(1, sim.plies)) * rem;
    let d = "";
    for (let k = 0; k < played; k++) d += `M${x.toFixed(1)} ${(top + (k + 0.5) * gap).toFixed(1)}h0`;
    put(line, memory.line, "d", played ? `M${x.toFixed(1)} ${(top - 2 * rem).toFixed(1)}V${(top + played * gap).toFixed(1)}` : "");
    put(dots, memory.dots, "d", d);
    put(dots, memory.dots, "stroke-width", Math.max(1.6 * rem, Math.min(6 * rem, gap * 0.75)).toFixed(1));
    const got = recording.seen(sim.result);
    const result = signed(got, Number.isInteger(got) ? 0 : 2);
    put(badge, memory.badge, "text", over ? (recording.network && recording.proven(leaf.leaf, t) === null ? `network ${signed(got)}` : result) : "");
    put(badge, memory.badge, "class", `badge ${got > 0 ? "plus" : got < 0 ? "minus" : "even"}`);
    const half = 58 * rem; // of a badge such as "network +0.79"
    put(badge, memory.badge, "x", Math.max(half, Math.min(this.#size.width - half, x)).toFixed(1));
    put(badge, memory.badge, "y", (top + played * gap + 12 * rem).toFixed(1));
  }

  #take(n) {
    const parts = this.#spare.pop() ?? this.#make();
    parts.g.dataset.node = n;
    parts.g.setAttribute("tabindex", n ? "-1" : "0"); // Tab leads to the start, arrows to the others
    this.links.append(parts.link);
    this.dots.append(parts.g);
    this.#drawn.set(n, parts);
    return parts;
  }

  #leave(n, parts) {
    if (parts.g.getAttribute("tabindex") === "0") this.#drawn.get(0)?.g.setAttribute("tabindex", "0");
    parts.g.remove();
    parts.link.remove();
    this.#drawn.delete(n);
    this.#spare.push(parts);
  }

  #make() {
    const circle = svg("circle");
    const [visits, name, mean, more, gain, fold] = [{ y: 4.5, class: "in" }, { class: "name" }, { class: "sub" }, { class: "more" }, { class: "gain", y: -7 }, { class: "more", x: 8 }].map((a) => svg("text", a));
    const g = svg("g", { class: "knot", role: "img", tabindex: "-1" }, circle, name, mean, more, visits, gain, fold);
    const link = svg("path", { class: "link" });
    return { g, circle, visits, name, mean, more, gain, fold, link, f: {}, m: {}, c: {}, v: {}, n: {}, e: {}, o: {}, a: {}, l: {} };
  }
}
