/** A ruler on which every step multiplies, so that the square root of its end is its middle. */

import { s } from "../frame/vnode.js";
import { clamp, label, thousands } from "./shared.js";

/** `marks` are `[value, text, colour, above]`; the bar reaches to `now`. */
export function ruler(box, { x, y, width, end, now, marks, unitName }) {
  const { ink, unit } = box;
  const at = (value) => x + (Math.log(Math.max(1, value)) / Math.log(end)) * width;
  const inside = (place, text, size) => clamp(place, x + (text.length * size) / 3.8, x + width - (text.length * size) / 3.8);
  const tick = ([value, text, colour, above = false], i) => [
    s("line", { key: `tick${i}`, x1: at(value), x2: at(value), y1: y - 9, y2: y + 9, stroke: colour, "stroke-width": 3 }),
    label(box, inside(at(value), text, unit * 0.8), y + (above ? -unit * 0.95 : unit * 1.55), text, { key: `name${i}`, size: unit * 0.8, colour, weight: 650 }),
  ];
  const told = `${thousands(now)} ${unitName}`;
  return s(
    "g",
    { key: "ruler" },
    s("rect", { x, y: y - 3, width, height: 6, rx: 3, fill: ink.raised, stroke: ink.line }),
    s("rect", { x, y: y - 3, width: Math.max(0, at(now) - x), height: 6, rx: 3, fill: ink.accent }),
    marks.map(tick),
    s("rect", { key: "needle", x: at(now) - unit * 0.2, y: y - unit * 0.75, width: unit * 0.4, height: unit * 1.5, rx: 2, fill: ink.accent }),
    label(box, inside(at(now), told, unit), y + unit * 2.75, told, { key: "now", size: unit, weight: 700 }),
  );
}

/** The order of moves in words. */
export function orderWords(order, plain) {
  if (Math.abs(order) < 0.005) return plain;
  const end = order > 0 ? "best first" : "worst first";
  return Math.abs(order) > 0.995 ? end : `${Math.round(100 * Math.abs(order))} % ${end}`;
}
