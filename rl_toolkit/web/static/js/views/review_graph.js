/** The graph of a review: where the game stood after each move, player X at the top. */

import { area, line, linear } from "../base/chart.js";
import { $, svg } from "../base/dom.js";
import { Roving } from "../base/roving.js";

const [WIDE, HIGH] = [320, 110];
const EDGE = 8; // pixels above and below the curve
const LEAD = 16; // discs that fill the height of the graph, unless a lead in the game is larger

export class ReviewGraph {
  constructor(jump) {
    this.jump = jump; // called with the ply after the move of a dot
    this.dots = new Roving($("#graph"), ".dot");
  }

  /** Draw the reviewed `entries` of a game of `total` moves, of which `ply` is shown. */
  draw(entries, total, ply) {
    const focused = document.activeElement?.dataset?.dot;
    $("#graph").replaceChildren(...this.#parts(entries, Math.max(total, 1), ply));
    this.dots.refresh($(`#graph .dot[data-dot="${focused ?? ply}"]`));
    if (focused) $(`#graph .dot[data-dot="${focused}"]`)?.focus();
  }

  #parts(entries, total, ply) {
    const scale = scaleOf(entries);
    const x = linear([0, total], [0, WIDE]);
    const y = linear([1, -1], [EDGE, HIGH - EDGE]);
    const before = (entry) => scale(entry.value, entry.discs?.before);
    const after = (entry) => scale(entry.after, entry.discs?.after);
    const first = entries.find(Boolean)?.ply; // an opening before it is not reviewed
    const points = entries.flatMap((entry) =>
      entry.ply === first ? [[first, before(entry)], [first + 1, after(entry)]] : [[entry.ply + 1, after(entry)]],
    );
    const parts = [svg("line", { x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2, class: "zero" })];
    if (points.length) {
      const path = points.map(([at, value]) => [x(at), y(value)]);
      parts.push(svg("path", { class: "area", d: area(path, HIGH / 2) }));
      parts.push(svg("path", { class: "curve", d: line(path) }));
    }
    parts.push(svg("line", { class: "now", x1: x(ply), x2: x(ply), y1: 0, y2: HIGH }));
    for (const entry of entries) if (entry) parts.push(this.#dot(entry, x(entry.ply + 1), y(after(entry))));
    return parts;
  }

  #dot(entry, x, y) {
    const text = `${entry.ply + 1}. ${entry.name}: ${entry.text}${entry.mark ? `, ${entry.mark}` : ""}`;
    const go = () => this.jump(entry.ply + 1);
    return svg(
      "circle",
      {
        class: `dot ${entry.mark ?? ""} ${entry.after_proven ? "proven" : ""}`,
        cx: x.toFixed(1),
        cy: y.toFixed(1),
        r: entry.mark ? 4.5 : 3,
        tabindex: "-1",
        role: "button",
        "aria-label": text,
        "data-dot": entry.ply + 1,
        on: { click: go, keydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), go()) },
      },
      svg("title", { text }),
    );
  }
}

/** The height of a point from −1 to 1 for X: by discs if they count; what is unknown is in the middle. */
function scaleOf(entries) {
  const leads = entries.flatMap(({ discs }) => (discs ? [Math.abs(discs.before), Math.abs(discs.after)] : []));
  const most = Math.max(LEAD, ...leads);
  return (value, lead) => (lead === undefined ? (value ?? 0) * (leads.length ? LEAD / most : 1) : lead / most);
}
