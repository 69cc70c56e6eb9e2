/** Rings, arrows and shade over the squares of a board, as one picture that takes no clicks. */

import { svg } from "../base/dom.js";

const [INSET, HEAD] = [0.07, 0.36]; // parts of a square

export class Overlay {
  #picture = null;
  #cells = 0;

  /** `place` has the column and the row of a cell as it is shown. */
  constructor(place) {
    this.place = place;
  }

  /** The picture for a board of that size. */
  build(rows, cols) {
    this.#cells = rows * cols;
    this.#picture = svg("svg", { class: "overlay", viewBox: `0 0 ${cols} ${rows}`, "aria-hidden": "true" });
    return this.#picture;
  }

  /** Draw `[{ kind, from, to }]`, or `{ kind, cells }` for an area: all other squares are shaded. */
  draw(marks) {
    this.#picture?.replaceChildren(...marks.flatMap((mark) => this.#parts(mark)));
  }

  #parts({ kind, from, to = from, cells = null }) {
    if (cells) return this.#shade(cells);
    const [a, b] = [this.place(from), this.place(to)];
    if (!a || !b) return [];
    if (from === to) return [svg("rect", { class: `ring ${kind}`, x: a.x + INSET, y: a.y + INSET, width: 1 - 2 * INSET, height: 1 - 2 * INSET, rx: 0.2 })];
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    const [ux, uy] = [(b.x - a.x) / long, (b.y - a.y) / long];
    const [tipX, tipY] = [b.x + 0.5 - 0.12 * ux, b.y + 0.5 - 0.12 * uy];
    const [x, y] = [tipX - HEAD * ux, tipY - HEAD * uy];
    return [
      svg("path", { class: `arrow ${kind}`, d: `M${a.x + 0.5 + 0.2 * ux} ${a.y + 0.5 + 0.2 * uy}L${x} ${y}` }),
      svg("path", { class: `tip ${kind}`, d: `M${tipX} ${tipY}L${x - 0.22 * uy} ${y + 0.22 * ux}L${x + 0.22 * uy} ${y - 0.22 * ux}Z` }),
    ];
  }

  #shade(cells) {
    const others = [...Array(this.#cells).keys()].filter((cell) => !cells.includes(cell));
    return others.map((cell) => this.place(cell)).map(({ x, y }) => svg("rect", { class: "shade", x, y, width: 1, height: 1 }));
  }
}
