/**
 * A small board: a few paths, whatever its size, so that sixty of them are quick to redraw. It knows
 * no rules: cells are 1, −1 and 0, in the order of the trace.
 *
 *   const board = new MiniBoard({ rows, cols, width, style, rowOneAt });
 *   parent.append(board.element);          // an SVG group; board.height is its height
 *   board.show(cells, last);               // last: a cell, a list of cells, or -1
 *
 * Styles are those of the games' traits: marks, discs, stones, flips.
 */

import { svg } from "../base/dom.js";

const RADIUS = { marks: 0.27, discs: 0.39, stones: 0.44, flips: 0.4 };

export class MiniBoard {
  #drawn = {};

  constructor({ rows, cols, width, style = "marks", rowOneAt = "top" }) {
    Object.assign(this, { rows, cols, width, style, rowOneAt });
    this.side = width / cols;
    this.height = this.side * rows;
    this.tray = svg("rect", { class: "tray", width, height: this.height, rx: 2 });
    this.lines = svg("path", { class: "grid", d: this.#grid() });
    this.last = svg("path", { class: "last" });
    this.x = svg("path", { class: "px" });
    this.o = svg("path", { class: "po" });
    const pen = Math.max(1.6, this.side * 0.12);
    this.element = svg("g", { class: `mini ${style}`, vars: { "--pen": `${pen}px` } }, this.tray, this.last, this.lines, this.x, this.o);
  }

  show(cells, last = -1) {
    let [x, o, marked] = ["", "", ""];
    const { side } = this;
    const r = side * RADIUS[this.style];
    for (let k = 0; k < cells.length; k++) {
      if (!cells[k]) continue;
      const [cx, cy] = this.#centre(k);
      if (cells[k] > 0 && this.style === "marks") x += `M${cx - r} ${cy - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
      else {
        const disc = `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
        if (cells[k] > 0) x += disc;
        else o += disc;
      }
    }
    for (const cell of Array.isArray(last) ? last : [last]) {
      if (!(cell >= 0)) continue;
      const [cx, cy] = this.#centre(cell);
      marked += `M${cx - side / 2} ${cy - side / 2}h${side}v${side}h${-side}z`;
    }
    this.#put("x", x);
    this.#put("o", o);
    this.#put("last", marked);
  }

  #put(name, d) {
    if (this.#drawn[name] === d) return;
    this.#drawn[name] = d;
    this[name].setAttribute("d", d);
  }

  #centre(cell) {
    const row = Math.floor(cell / this.cols);
    const down = this.rowOneAt === "bottom" ? this.rows - 1 - row : row;
    return [((cell % this.cols) + 0.5) * this.side, (down + 0.5) * this.side];
  }

  #grid() {
    const { rows, cols, side, width, height, style } = this;
    if (style === "discs") return "";
    let d = "";
    if (style === "stones") {
      for (let k = 0; k < cols; k++) d += `M${(k + 0.5) * side} ${side / 2}V${height - side / 2}`;
      for (let k = 0; k < rows; k++) d += `M${side / 2} ${(k + 0.5) * side}H${width - side / 2}`;
      return d;
    }
    for (let k = 1; k < cols; k++) d += `M${k * side} 1V${height - 1}`;
    for (let k = 1; k < rows; k++) d += `M1 ${k * side}H${width - 1}`;
    return d;
  }
}
