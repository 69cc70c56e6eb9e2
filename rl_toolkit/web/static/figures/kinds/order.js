/** A regular tree whose moves go from the worst order to the best, and a ruler with the square root in its middle. */

import { s } from "../frame/vnode.js";
import { RegularTree } from "../think/regular_tree.js";
import { orderWords, ruler } from "./ruler.js";
import { clamp, thousands } from "./shared.js";

const MOST_LEAVES = 1100;
const deepest = (b) => Math.floor(Math.log(MOST_LEAVES) / Math.log(b) + 1e-9);
const kept = new WeakMap();

/** What the search sees in the order that is shown. */
function seenBy({ order }, tree) {
  if (kept.get(tree)?.order !== order) kept.set(tree, { order, ...tree.search(order) });
  return kept.get(tree);
}

function draw(state, tree, box) {
  const { width, height, unit, ink } = box;
  const { b, d, leaves, least } = tree;
  const { seen, leaves: read } = seenBy(state, tree);
  const fewest = state.order > 0 ? [[least, `fewest ${thousands(least)}`, ink.warn, true]] : []; // else it would answer before it is asked
  const base = height - unit * 6;
  const x = (ply, i) => 6 + ((i + 0.5) / b ** ply) * (width - 12);
  const y = (ply) => unit * 0.6 + (ply / d) * (base - unit * 2);
  const r = clamp((width / leaves) * 0.36, 0.8, 5);
  const twigs = ["", ""];
  const dots = ["", ""];
  for (let ply = 1; ply <= d; ply++) {
    for (let i = 0; i < b ** ply; i++) {
      const [px, py] = [x(ply, i), y(ply)];
      twigs[seen[ply][i]] += `M${x(ply - 1, Math.floor(i / b)).toFixed(1)} ${y(ply - 1).toFixed(1)}L${px.toFixed(1)} ${py.toFixed(1)}`;
      if (ply === d) dots[seen[ply][i]] += `M${(px - r).toFixed(1)} ${(py + r).toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    }
  }
  return [
    s("path", { key: "unseen", d: twigs[0], stroke: ink.even, "stroke-opacity": 0.3, fill: "none" }),
    s("path", { key: "seen", d: twigs[1], stroke: ink.accent, "stroke-width": 1.6, fill: "none" }),
    s("path", { key: "dark", d: dots[0], fill: ink.even, "fill-opacity": 0.45 }),
    s("path", { key: "lit", d: dots[1], fill: ink.accent }),
    ruler(box, {
      x: unit, y: base + unit * 2, width: width - 2 * unit, end: leaves, now: read, unitName: `of ${thousands(leaves)} leaves`,
      marks: [[1, "1", ink.soft], [leaves, "all", ink.soft], [Math.sqrt(leaves), `√ = ${thousands(Math.sqrt(leaves))}`, ink.good], ...fewest],
    }),
  ];
}

export default {
  name: "order",
  title: "From the worst order to the best",
  start: { b: 3, d: 4, order: 0, seed: 1 },
  depends: ["b", "d", "seed"],
  think: ({ b, d, seed }) => {
    const moves = clamp(Math.round(b), 2, 5);
    return new RegularTree(moves, clamp(Math.round(d), 2, deepest(moves)), Math.abs(Math.round(seed)));
  },
  facts: (state, tree) => ({
    b: tree.b, d: tree.d, all: tree.leaves, root: Math.sqrt(tree.leaves), least: tree.least, leaves: seenBy(state, tree).leaves,
    worst: tree.search(-1).leaves, plain: tree.search(0).leaves, best: tree.search(1).leaves,
    up: tree.b ** Math.ceil(tree.d / 2), down: tree.b ** Math.floor(tree.d / 2),
  }),
  sentence: (state, tree) => `${tree.b} moves everywhere, ${tree.d} plies, moves ${orderWords(state.order, "as they come")}: ${thousands(seenBy(state, tree).leaves)} of ${thousands(tree.leaves)} leaves.${state.order > 0 ? ` No order needs fewer than ${thousands(tree.least)}.` : ""}`,
  draw,
  controls: (state, tree) => [
    { kind: "range", name: "order", label: "Worst … best first", min: -1, max: 1, step: 0.02, value: state.order, text: orderWords(state.order, "as they come") },
    { kind: "range", name: "b", label: "Moves b", min: 2, max: 5, value: tree.b, change: (b) => ({ b, d: Math.min(tree.d, deepest(b)) }) },
    { kind: "range", name: "d", label: "Plies d", min: 2, max: deepest(tree.b), value: tree.d },
    { kind: "button", label: "Other numbers", title: "The same tree with other leaves", run: () => ({ seed: state.seed + 1 }) },
  ],
};
