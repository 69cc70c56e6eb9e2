/** What several figures draw. */

import { s } from "../frame/vnode.js";

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
export const thousands = (value) => Math.round(value).toLocaleString("en-GB");
export const plural = (count, one, many = `${one}s`) => `${thousands(count)} ${count === 1 ? one : many}`;

/** The step that `at` names: its number, or the last one. */
export const stepAt = (at, last) => (/^\d+$/.test(at) ? Math.min(Number(at), last) : last);

/** Refuse what does not name a step. */
export function checkStep({ at }) {
  if (at !== "end" && !/^\d+$/.test(at)) throw new SyntaxError(`at is the number of a step or end, not “${at}”`);
}

/** The controls of a figure that goes step by step. */
export function stepControls(step, last) {
  const to = (wanted) => ({ at: wanted >= last ? "end" : String(Math.max(0, wanted)) });
  return [
    { kind: "button", label: "◀", title: "One step back", run: () => to(step - 1), disabled: step === 0 },
    { kind: "range", name: "at", label: "Step", min: 0, max: last, value: step, text: `${step} / ${last}`, change: to },
    { kind: "button", label: "▶", title: "One step forward", run: () => to(step + 1), disabled: step === last },
  ];
}

const rounded = (value, digits) => Number(value.toFixed(digits));
const fixed = (value, digits) => value.toFixed(digits).replace(/^-(?=.*[1-9])/, "−").replace("-", "");

/**
 * Sums of a mean and a bonus as texts `[mean, bonus, sum]` that add up as they are written. They have two digits, or as many
 * as it takes to see which sum is the greatest.
 */
export function additions(terms) {
  const top = Math.max(...terms.map(({ mean, bonus }) => mean + bonus));
  const isTop = terms.map(({ mean, bonus }) => mean + bonus === top);
  for (let digits = 2; ; digits++) {
    const sums = terms.map(({ mean, bonus }) => rounded(rounded(mean, digits) + rounded(bonus, digits), digits));
    const most = Math.max(...sums);
    if (digits < 6 && sums.some((sum, i) => (sum === most) !== isTop[i])) continue;
    return terms.map(({ mean, bonus }, i) => [fixed(mean, digits), fixed(bonus, digits), fixed(sums[i], digits)]);
  }
}

/** Heights moved apart, so that no label lies on another. */
export function apart(heights, least, top) {
  const order = [...heights.keys()].sort((a, b) => heights[a] - heights[b]);
  const found = [...heights];
  let above = -Infinity;
  for (const i of order) above = found[i] = Math.max(found[i], above + least, top);
  return found;
}

/** A text in the middle of x; with a halo, so that lines do not cut it. */
export function label({ ink, unit }, x, y, text, { size = unit * 0.85, colour = ink.ink, anchor = "middle", weight = 400, halo = ink.panel, key, ...more } = {}) {
  const around = halo ? { stroke: halo, "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke" } : {};
  return s("text", { key, x, y, fill: colour, "font-size": Math.max(9, size), "font-weight": weight, "text-anchor": anchor, ...around, ...more }, text);
}

/** What the colours mean: a dot and its words, in columns `wide` units apart from the top left corner; `list` holds `[colour, words]`. */
export function colourKey(box, left, top, list, rows = list.length, wide = 5.6) {
  const { unit, ink } = box;
  const entry = ([colour, words], i) => {
    const [x, y] = [left + Math.floor(i / rows) * unit * wide, top + ((i % rows) + 0.5) * unit * 1.15];
    return [
      s("circle", { key: `d${i}`, cx: x + unit * 0.4, cy: y, r: unit * 0.32, fill: colour, stroke: ink.line }),
      label(box, x + unit * 1.05, y + unit * 0.26, words, { key: `w${i}`, anchor: "start", size: unit * 0.72, colour: ink.soft }),
    ];
  };
  return s("g", { key: "colours" }, list.map(entry));
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
