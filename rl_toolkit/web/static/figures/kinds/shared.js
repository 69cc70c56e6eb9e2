/** What several figures draw. */

import { s } from "../frame/vnode.js";

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
export const thousands = (value) => Math.round(value).toLocaleString("en-GB");
export const plural = (count, one, many = `${one}s`) => `${thousands(count)} ${count === 1 ? one : many}`;

/** A text in the middle of x; with a halo, so that lines do not cut it. */
export function label({ ink, unit }, x, y, text, { size = unit * 0.85, colour = ink.ink, anchor = "middle", weight = 400, halo = ink.panel, key, ...more } = {}) {
  const around = halo ? { stroke: halo, "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke" } : {};
  return s("text", { key, x, y, fill: colour, "font-size": Math.max(9, size), "font-weight": weight, "text-anchor": anchor, ...around, ...more }, text);
}

/** A small board of Tic-Tac-Toe; `xs` and `os` are sets of cells. */
export function board({ ink }, x, y, width, { xs, os, last = -1, key }) {
  const cell = width / 3;
  const r = cell * 0.27;
  const pen = Math.max(1.4, cell / 8);
  const marks = [];
  for (let i = 0; i < 9; i++) {
    const [cx, cy] = [x + cell * ((i % 3) + 0.5), y + cell * (Math.floor(i / 3) + 0.5)];
    if (i === last) marks.push(s("rect", { x: cx - cell / 2, y: cy - cell / 2, width: cell, height: cell, fill: ink.warn, "fill-opacity": 0.25 }));
    if ((xs >> i) & 1) marks.push(s("path", { d: `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`, stroke: ink.x, "stroke-width": pen, "stroke-linecap": "round" }));
    if ((os >> i) & 1) marks.push(s("circle", { cx, cy, r, fill: "none", stroke: ink.o, "stroke-width": pen }));
  }
  const lines = [1, 2].map((i) => `M${x + i * cell} ${y}v${width}M${x} ${y + i * cell}h${width}`).join("");
  return s("g", { key }, s("rect", { x, y, width, height: width, rx: 3, fill: ink.panel, stroke: ink.line }), marks, s("path", { d: lines, stroke: ink.line, "stroke-width": 1.2, fill: "none" }));
}
