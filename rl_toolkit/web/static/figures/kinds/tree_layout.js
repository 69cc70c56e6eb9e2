/** Where the parts of a typed tree are: rows of nodes above, a row of bars below, one for each leaf. */

import { clamp } from "./shared.js";

export function layoutOf({ tree, leaves, all, depth }, { width, height, unit, size }, { low, high }) {
  const widest = nodesInWidestRow(all);
  // On a phone the names of the rows stand in their corners, which a row of many nodes would reach.
  const gutter = size !== "small" ? unit * 3.6 : widest > 5 ? unit * 2 : 4;
  const step = (width - gutter - 6) / leaves.length;
  const foot = unit * 1.6;
  const base = height - foot;
  const barsHeight = clamp(height * (depth <= 2 ? 0.42 : 0.32), 70, 330);
  const top = unit * 2.3; // the greatest triangle and its stroke
  const rowHeight = (base - barsHeight - unit * 3 - top) / Math.max(1, depth - 1);
  const radius = clamp(Math.min((step * leaves.length) / widest / 3.2, rowHeight * (depth > 1 ? 0.3 : 1), unit * 1.9), 10, 40);
  const barTop = (value) => base - 3 - ((clamp(value, low, high) - low) / (high - low)) * (barsHeight - unit * 1.4);
  const at = new Map();
  let next = 0;
  const put = (node, ply) => {
    const inside = node.children?.map((child) => put(child, ply + 1).x);
    const place = inside ? { x: (inside[0] + inside.at(-1)) / 2, y: top + ply * rowHeight } : { x: gutter + step * (next++ + 0.5), y: barTop(node.value) };
    at.set(node.number, place);
    return place;
  };
  put(tree.root, 0);
  return { at, step, base, barsHeight, barTop, gutter, radius, barWidth: clamp(step * 0.58, 8, unit * 2.6), top, rowHeight };
}

function nodesInWidestRow(all) {
  const counts = [];
  for (const { node, depth } of all) if (node.children) counts[depth] = (counts[depth] ?? 0) + 1;
  return Math.max(...counts);
}
