/** The drawing of a search tree: rows of boxes, the open node as a bandit, and the shares of the visits over time. */

import { s } from "../frame/vnode.js";
import { NAMES } from "../think/tictactoe.js";
import { additions, apart, board, clamp, label, plural, thousands } from "./shared.js";

const ROWS = 6;
const LEAST = 1.5; // pixels; narrower boxes are not drawn
const FIRST = 8; // the curves of the shares begin with this simulation

/** Seven colours from lost by won, for the player at the root. */
const tone = (mean) => (Math.abs(mean) < 0.08 ? 0 : Math.sign(mean) * (Math.abs(mean) > 0.6 ? 3 : Math.abs(mean) > 0.3 ? 2 : 1));
function colour(ink, at) {
  if (!at) return { fill: ink.evenSoft };
  return { fill: at > 0 ? ink.goodFill : ink.badFill, "fill-opacity": { 1: 0.3, 2: 0.6, 3: 1 }[Math.abs(at)] };
}

export function drawUct(state, tree, box, { tally, open, arms }) {
  const { width, height, unit, ink, size } = box;
  const flame = height * 0.46;
  const plot = size === "small" ? 0 : clamp(width * 0.36, 170, 420);
  return [
    s("g", { key: "flame" }, boxes(tree, box, tally, open, flame)),
    s("g", { key: "arms" }, bandit(state, tree, box, arms, open, { top: flame + unit * 0.4, width: width - plot - (plot ? unit : 0), height: height - flame - unit * 0.4 })),
    plot ? s("g", { key: "plot" }, shares(tree, box, state, open, { x: width - plot - 1, top: flame + unit * 0.6, width: plot, height: height - flame - unit * 0.6 })) : null,
  ];
}

/** The tree: all boxes of a colour are one path, so that thousands of them cost little. */
function boxes(tree, box, { visits, total }, open, height) {
  const { width, unit, ink } = box;
  const row = height / ROWS;
  const paths = new Map();
  const marks = [];
  const put = (node, x, w, depth) => {
    const rootView = node.side === tree.root.side ? -1 : 1;
    const at = depth ? tone((rootView * total[node.number]) / visits[node.number]) : 0;
    const y = depth * row;
    paths.set(at, `${paths.get(at) ?? ""}M${x.toFixed(1)} ${y.toFixed(1)}h${Math.max(0.7, w - 0.8).toFixed(1)}v${(row - 1.5).toFixed(1)}h${(-Math.max(0.7, w - 0.8)).toFixed(1)}z`);
    const text = depth ? NAMES[node.move] : plural(visits[0], "simulation");
    const font = clamp(Math.min(row * 0.42, w / (depth ? 2.2 : 10)), 0, unit * 0.95);
    if (font >= 9) marks.push(label(box, x + w / 2, y + row * 0.62, text, { key: `t${node.number}`, size: font, weight: 650, halo: null, "pointer-events": "none" }));
    if (depth < 3 && w > 7) marks.push(s("rect", { key: `p${node.number}`, "data-set": JSON.stringify({ node: node.number }), role: "button", "aria-label": `${depth ? NAMES[node.move] : "The start"}: ${visits[node.number]} visits`, "aria-pressed": String(node === open), x, y, width: w - 0.8, height: row - 1.5, fill: ink.panel, "fill-opacity": 0, stroke: node === open ? ink.ink : "none", "stroke-width": 3 }));
    if (depth + 1 === ROWS) return;
    let left = x;
    for (const child of [...node.children].sort((a, b) => a.move - b.move)) {
      const share = (w * visits[child.number]) / visits[node.number];
      if (share >= LEAST) put(child, left, share, depth + 1);
      left += share;
    }
  };
  put(tree.root, 0, width, 0);
  return [...[...paths].map(([at, d]) => s("path", { key: `c${at}`, d, ...colour(ink, at) })), ...marks];
}

/** The moves of the open node as arms: mean, bonus, and their sum. */
function bandit(state, tree, box, arms, open, { top, width, height }) {
  const { unit, ink, size } = box;
  const way = [];
  for (let node = open; node.parent; node = node.parent) way.unshift(NAMES[node.move]);
  const head = `${way.length ? `After ${way.join(" ")}: ` : ""}${open.side > 0 ? "X" : "O"} chooses`;
  const lane = clamp((height - unit * 1.8) / Math.max(1, arms.length), 11, unit * (size === "small" ? 2.8 : 1.9));
  const font = clamp(lane * 0.6, 9, unit * 0.8);
  const sums = additions(arms).map(([mean, bonus, total]) => (size === "small" ? total : `${mean} + ${bonus} = ${total}`));
  const x1 = width - font * (2.8 + 0.58 * Math.max(...sums.map((sum) => sum.length)));
  const least = Math.min(-0.2, ...arms.map((arm) => arm.mean));
  const most = Math.max(1.2, ...arms.map((arm) => arm.sum));
  const x0 = font * (state.truth ? 8.6 : 5.6);
  const x = (value) => x0 + ((value - least) / (most - least)) * (x1 - x0);
  const best = Math.max(...arms.map((arm) => arm.sum));
  const words = { 1: ["won", ink.good], 0: ["draw", ink.soft], "-1": ["lost", ink.bad] };
  const rows = arms.map((arm, i) => {
    const y = top + unit * 1.6 + i * lane;
    const isNext = arm.sum === best;
    return s(
      "g",
      { key: arm.name },
      label(box, 2, y + lane * 0.68, arm.name, { anchor: "start", size: font, weight: isNext ? 750 : 600 }),
      label(box, font * 5.2, y + lane * 0.68, `×${thousands(arm.visits)}`, { anchor: "end", size: font * 0.92, colour: ink.soft }),
      state.truth && label(box, font * 5.6, y + lane * 0.68, words[arm.worth][0], { anchor: "start", size: font * 0.92, weight: 700, colour: words[arm.worth][1] }),
      s("rect", { x: Math.min(x(0), x(arm.mean)), y: y + lane * 0.14, width: Math.abs(x(arm.mean) - x(0)), height: lane * 0.36, rx: 2, fill: ink.accent }),
      s("rect", { x: x(arm.mean), y: y + lane * 0.52, width: Math.max(0, x(arm.sum) - x(arm.mean)), height: lane * 0.32, rx: 2, fill: ink.warn, "fill-opacity": 0.6 }),
      label(box, width - 2, y + lane * 0.68, `${sums[i]}${isNext ? " ◀" : ""}`, { anchor: "end", size: font, weight: isNext ? 750 : 450 }),
    );
  });
  return [
    label(box, 2, top + unit * 0.9, head, { key: "head", anchor: "start", size: unit * 0.85, weight: 650, colour: ink.soft }),
    s("line", { key: "zero", x1: x(0), x2: x(0), y1: top + unit * 1.6, y2: top + unit * 1.6 + lane * arms.length, stroke: ink.even }),
    rows,
  ];
}

/** The board of the open node, and each first move's share of the visits up to now. */
function shares(tree, box, state, open, { x, top, width, height }) {
  const { unit, ink } = box;
  const side = clamp(unit * 4.4, 52, 90);
  const n = Math.round(state.n);
  const [y1, y0] = [top + side + unit * 1.4, top + height - unit * 1.2];
  const frame = [
    board(box, x + width - side, top, side, { xs: open.x, os: open.o, last: open.move, key: "board" }),
    label(box, x, y1 - 5, "share of the visits", { key: "head", anchor: "start", size: unit * 0.8, colour: ink.soft, weight: 650 }),
    s("rect", { key: "frame", x, y: y1, width, height: y0 - y1, fill: "none", stroke: ink.line }),
  ];
  if (n <= FIRST) return [...frame, label(box, x + width / 2, (y0 + y1) / 2, `after ${FIRST} simulations`, { key: "later", size: unit * 0.8, colour: ink.soft })];
  const counts = new Map(tree.root.children.map((child) => [child.number, 0]));
  const lines = new Map(tree.root.children.map((child) => [child.number, ""]));
  const px = (at) => x + (Math.log(at / FIRST) / Math.log(n / FIRST)) * width;
  let next = FIRST;
  for (let i = 0; i < Math.min(n, tree.paths.length); i++) {
    if (tree.paths[i].length > 1) counts.set(tree.paths[i][1], counts.get(tree.paths[i][1]) + 1);
    if (i + 1 < next && i + 1 < n) continue;
    if (i + 1 >= FIRST) for (const [child, count] of counts) lines.set(child, `${lines.get(child)}${lines.get(child) ? "L" : "M"}${px(i + 1).toFixed(1)} ${(y0 - (count / (i + 1)) * (y0 - y1)).toFixed(1)}`);
    next = Math.ceil(Math.max(next, i + 1) * 1.1);
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const colours = [ink.accent, ink.warn];
  const named = ranked.slice(0, 2);
  const heights = apart(named.map(([, count]) => clamp(y0 - (count / n) * (y0 - y1) - 4, y1 + unit * 0.9, y0 - unit)), unit * 0.85, y1 + unit * 0.9);
  return [
    ...frame,
    ranked.map(([child], rank) => s("path", { key: `l${child}`, d: lines.get(child), fill: "none", stroke: colours[rank] ?? ink.even, "stroke-width": rank < 2 ? 3 : 1.2 })).reverse(),
    named.map(([child], rank) => label(box, x + width - 3, heights[rank], NAMES[tree.nodes[child].move], { key: `n${child}`, anchor: "end", size: unit * 0.8, weight: 700, colour: colours[rank] })),
    label(box, x, y0 + unit, `${FIRST}`, { key: "from", anchor: "start", size: unit * 0.7, colour: ink.soft }),
    label(box, x + width, y0 + unit, thousands(n), { key: "to", anchor: "end", size: unit * 0.7, colour: ink.soft }),
  ];
}
