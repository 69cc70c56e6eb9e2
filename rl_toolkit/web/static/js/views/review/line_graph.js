/**
 * The graph along the line that is shown, over the whole width: where the game stood after each move,
 * in the colours of the sides, the first player above. Full where it is proven, paler where it is
 * estimated, with gaps where nothing was searched. It is a slider: a click or an arrow shows a move.
 */

import { area, line, linear } from "../../base/chart.js";
import { $, h, svg } from "../../base/dom.js";

const HIGH = 100;
const EDGE = 6;

export class LineGraph {
  /** `show` and `hover` get a node, the second null at the end; `worthOf` has what is known of one. */
  constructor(session, show, hover, worthOf) {
    Object.assign(this, { session, show, worthOf });
    this.box = $("#graph");
    this.nodes = [];
    this.box.addEventListener("pointermove", (event) => this.#hover(event, hover));
    this.box.addEventListener("pointerleave", () => {
      $("#graph-tip").hidden = true;
      hover(null);
    });
    this.box.addEventListener("click", (event) => show(this.#at(event)));
    this.box.addEventListener("keydown", (event) => this.#key(event));
  }

  draw() {
    const { node, tree } = this.session;
    this.nodes = [tree.root, ...node.end.line];
    const wide = Math.max(1, this.nodes.length - 1);
    const y = linear([1, -1], [EDGE, HIGH - EDGE]);
    const points = this.nodes.map((each) => this.worthOf(each));
    const parts = [];
    points.forEach((to, k) => {
      const from = points[k - 1];
      if (!from || !to) return;
      for (const [x1, v1, x2, v2] of halves(k - 1, from.value, k, to.value))
        parts.push(svg("path", { class: `area ${v1 + v2 >= 0 ? "x" : "o"}${to.proven ? " proven" : ""}`, d: area([[x1, y(v1)], [x2, y(v2)]], HIGH / 2) }));
      parts.push(svg("path", { class: "curve", d: line([[k - 1, y(from.value)], [k, y(to.value)]]) }));
    });
    this.box.setAttribute("viewBox", `0 0 ${wide} ${HIGH}`);
    this.box.replaceChildren(
      ...parts,
      svg("line", { class: "middle", x1: 0, x2: wide, y1: HIGH / 2, y2: HIGH / 2 }),
      svg("line", { class: "now", x1: node.ply, x2: node.ply, y1: 0, y2: HIGH }),
    );
    const marked = this.nodes.filter((each, k) => each.review?.mark && points[k]);
    $("#dots").replaceChildren(
      ...marked.map((each) => h("i", { class: each.review.mark, vars: { "--at": each.ply / wide, "--up": y(this.worthOf(each).value) / HIGH } })),
    );
    for (const [name, value] of [["max", wide], ["now", node.ply], ["text", this.#words(node)]]) this.box.setAttribute(`aria-value${name}`, value);
  }

  #words(node) {
    const worth = this.worthOf(node);
    const where = node.parent ? `${node.ply}. ${node.name}` : "Start";
    return [where, node.review?.text ?? worth?.words ?? "not searched"].filter(Boolean).join(": ");
  }

  #at({ clientX }) {
    const frame = this.box.getBoundingClientRect();
    const k = Math.round(((clientX - frame.left) / frame.width) * (this.nodes.length - 1));
    return this.nodes[Math.max(0, Math.min(this.nodes.length - 1, k))];
  }

  #hover(event, hover) {
    const node = this.#at(event);
    const frame = this.box.getBoundingClientRect();
    const tip = $("#graph-tip");
    tip.hidden = false;
    tip.textContent = this.#words(node);
    tip.style.setProperty("--at", Math.max(0.1, Math.min(0.9, (event.clientX - frame.left) / frame.width)));
    hover(node);
  }

  #key(event) {
    const { node, tree } = this.session;
    const to = { ArrowLeft: node.parent, ArrowRight: node.next, Home: tree.root, End: node.end }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to) this.show(to);
  }
}

/** A step of the curve, in two parts where it crosses the middle. */
function halves(x1, v1, x2, v2) {
  if (v1 * v2 >= 0) return [[x1, v1, x2, v2]];
  const zero = x1 + v1 / (v1 - v2);
  return [[x1, v1, zero, 0], [zero, 0, x2, v2]];
}
