/** Value iteration as waves: all 5,478 positions as dots, the start in the middle, and every sweep a wave inwards. */

import { s } from "../frame/vnode.js";
import { allPositions, swept } from "../think/sweeps.js";
import { NAMES } from "../think/tictactoe.js";
import { board, clamp, colourKey, label, plural, thousands } from "./shared.js";

let positions = null;
let places = null; // of the dots, in a circle of radius 1
const wrongs = new WeakMap();

/** A band for every ply, as wide as its number of positions asks for; in it several circles of dots. */
function placed() {
  const all = positions.length;
  const found = [];
  for (let from = 0; from < all; ) {
    const { ply } = positions[from];
    const to = from + positions.slice(from).findIndex((each) => each.ply !== ply);
    const end = to < from ? all : to;
    const [inner, outer] = [Math.sqrt(from / all), Math.sqrt(end / all)];
    const rows = Math.max(1, Math.round((outer - inner) * Math.sqrt(all / Math.PI)));
    for (let i = from; i < end; i++) {
      const radius = ply ? inner + (outer - inner) * (((i - from) % rows) + 0.5) / rows : 0;
      const angle = (2 * Math.PI * (i - from)) / (end - from);
      found.push([radius * Math.sin(angle), -radius * Math.cos(angle)]);
    }
    from = end;
  }
  return found;
}

const last = (model) => model.sweeps.length - 1;
const sweepOf = ({ sweep }, model) => clamp(Math.round(sweep), 0, last(model));
const looked = ({ look }) => clamp(Math.round(look), -1, positions.length - 1);

/** How many values of a sweep are not yet what they will be. */
function wrongAt(model, sweep) {
  if (!wrongs.has(model)) {
    const { values: final } = model.sweeps.at(-1);
    wrongs.set(model, model.sweeps.map(({ values }) => values.reduce((sum, value, i) => sum + Number(value !== final[i]), 0)));
  }
  return wrongs.get(model)[sweep];
}

function circle({ width, height, unit, size }) {
  const beside = size === "small" ? 0 : unit * 6; // for the bars
  const radius = Math.min(width - beside, height - unit * 1.6) / 2 - 4;
  return { cx: size === "small" ? width / 2 : width - radius - 6, cy: (height - unit * 1.6) / 2, radius };
}

/** Dots by look: how they are drawn, and which they are. */
const LOOKS = {
  zero: (ink) => ({ stroke: ink.even, "stroke-opacity": 0.4 }),
  x: (ink) => ({ stroke: ink.goodFill }),
  o: (ink) => ({ stroke: ink.badFill }),
  newX: (ink) => ({ stroke: ink.good }),
  newO: (ink) => ({ stroke: ink.bad }),
};

function draw(state, model, box) {
  const { unit, ink } = box;
  const { cx, cy, radius } = circle(box);
  const sweep = sweepOf(state, model);
  const { values } = model.sweeps[sweep];
  const before = model.sweeps[Math.max(0, sweep - 1)].values;
  const pen = clamp((radius / 42) * 0.8, 1.4, 7);
  const paths = Object.fromEntries(Object.keys(LOOKS).map((look) => [look, ""]));
  for (let i = 0; i < positions.length; i++) {
    const value = values[i];
    const side = value > 0 ? "X" : "O";
    const look = value === 0 ? "zero" : value !== before[i] ? `new${side}` : side.toLowerCase();
    paths[look] += `M${(cx + places[i][0] * radius).toFixed(1)} ${(cy + places[i][1] * radius).toFixed(1)}h0`;
  }
  const node = looked(state);
  const [nx, ny] = node < 0 ? [0, 0] : places[node];
  const spoken = node < 0 ? "All positions; arrows walk through them" : told(node, values);
  return [
    Object.entries(LOOKS).map(([look, style]) => s("path", { key: look, d: paths[look] || "M0 0", fill: "none", "stroke-linecap": "round", "stroke-width": look.startsWith("new") ? pen * 1.9 : pen, ...style(ink) })),
    s("circle", { key: "walk", "data-walk": "", role: "img", "aria-label": spoken, cx: cx + nx * radius, cy: cy + ny * radius, r: unit * 0.5, fill: "none", stroke: ink.ink, "stroke-width": node < 0 ? 0 : 3 }),
    bars(state, model, box, sweep),
    node >= 0 && card(box, node, values[node]),
  ];
}

/** How many values each sweep has changed up to now. */
function bars(state, model, box, sweep) {
  const { height, unit, ink, size } = box;
  if (size === "small") return s("g", { key: "bars" }, colourKey(box, box.width - unit * 6.6, 0, worths(ink)), label(box, 2, height - 4, key(sweep, model), { key: "key", anchor: "start", size: unit * 0.8, colour: ink.soft }));
  const { cx, radius } = circle(box);
  const room = Math.max(unit * 7, cx - radius - unit * 2);
  const list = model.sweeps.slice(1);
  const lane = unit * 1.35;
  const top = height - lane * list.length - unit * 2.4;
  const most = Math.max(...list.map(({ changed }) => changed));
  const rows = list.map(({ changed }, i) => {
    const y = top + i * lane;
    const isNow = i + 1 === sweep;
    const number = label(box, unit * 1, y + lane * 0.72, i + 1, { key: `s${i}`, anchor: "end", size: unit * 0.75, weight: isNow ? 750 : 400 });
    if (i + 1 > sweep) return number;
    return [
      number,
      s("rect", { key: `b${i}`, x: unit * 1.4, y: y + lane * 0.2, width: Math.max(1, Math.sqrt(changed / most) * (room - unit * 5)), height: lane * 0.6, rx: 2, fill: isNow ? ink.accent : ink.even, "fill-opacity": isNow ? 1 : 0.4 }),
      label(box, unit * 1.8 + Math.sqrt(changed / most) * (room - unit * 5), y + lane * 0.72, thousands(changed), { key: `c${i}`, anchor: "start", size: unit * 0.75, weight: isNow ? 750 : 400 }),
    ];
  });
  return s("g", { key: "bars" }, colourKey(box, 0, top - unit * 7.5, worths(ink)), label(box, 2, top - unit * 0.4, "changed by sweep", { anchor: "start", size: unit * 0.8, colour: ink.soft, weight: 650 }), rows, label(box, 2, height - unit * 0.5, key(sweep, model), { key: "key", anchor: "start", size: unit * 0.8, colour: ink.soft }));
}

const worths = (ink) => [[ink.goodFill, "X wins"], [ink.badFill, "O wins"], [ink.even, "0"], [ink.good, "new: X wins"], [ink.bad, "new: O wins"]];
const key = (sweep, model) => `${thousands(wrongAt(model, sweep))} of ${thousands(positions.length)} values still wrong`;

const worth = (value) => (value === 0 ? "0" : `${value > 0 ? "+" : "−"}${Math.abs(Math.round(value * 1000) / 1000)}`);
const pathText = (node) => {
  const cells = [];
  for (let at = node; at > 0; at = positions[at].parent) cells.unshift(NAMES[positions[at].move]);
  return cells.join(" ") || "The empty board";
};
const told = (node, values) => `${pathText(node)}: ${worth(values[node])}`;

function card(box, node, value) {
  const { ink, unit } = box;
  const width = clamp(Math.min(box.width, box.height) * 0.17, 50, 110);
  const { x, o, move, result, side } = positions[node];
  const turn = result !== null ? "over" : side > 0 ? "X to move" : "O to move";
  return s(
    "g",
    { key: "card" },
    s("rect", { x: 2, y: 2, width: width + 12, height: width + unit * 2.4 + 6, rx: 6, fill: ink.panel, stroke: ink.line }),
    board(box, 8, 8, width, { xs: x, os: o, last: move, key: "board" }),
    label(box, 8 + width / 2, width + 8 + unit, turn, { size: Math.min(unit * 0.75, width / 6), colour: ink.soft }),
    label(box, 8 + width / 2, width + 8 + unit * 2, `V = ${worth(value)}`, { size: Math.min(unit * 0.85, width / 6), weight: 700, colour: value > 0 ? ink.good : value < 0 ? ink.bad : ink.soft }),
  );
}

/** Up to where the position was found from, down to the first move, sideways to the neighbours of the same ply. */
function walk(pressed, state) {
  const node = Math.max(0, looked(state));
  const beside = (by) => (positions[node + by]?.ply === positions[node].ply ? node + by : node);
  const to = { ArrowUp: Math.max(0, positions[node].parent), ArrowDown: positions[node].children[0] ?? node, ArrowLeft: beside(-1), ArrowRight: beside(1), Home: 0 }[pressed];
  return to === undefined ? null : { look: to };
}

export default {
  name: "waves",
  title: "Sweep after sweep over all positions",
  start: { sweep: 1, discount: 1, look: -1 },
  depends: ["discount"],
  think: ({ discount }) => {
    positions ??= allPositions();
    places ??= placed();
    return { sweeps: swept(positions, clamp(discount, 0.1, 1)) };
  },
  facts: (state, model) => {
    const sweep = sweepOf(state, model);
    const { values, changed } = model.sweeps[sweep];
    const before = model.sweeps[Math.max(0, sweep - 1)].values;
    const fresh = positions.filter((_, i) => values[i] !== before[i]);
    return {
      sweep, changed, wrong: wrongAt(model, sweep), states: positions.length, final: positions.filter(({ result }) => result !== null).length,
      open: positions.filter(({ result }) => result === null).length, start: values[0], sweeps: last(model), winsForX: values.filter((value) => value > 0).length,
      winsForO: values.filter((value) => value < 0).length, deepest: Math.max(0, ...fresh.map(({ ply }) => ply)), highest: Math.min(9, ...fresh.map(({ ply }) => ply)),
      byMover: positions.filter(({ side }, i) => values[i] !== before[i] && side * values[i] > 0).length,
    };
  },
  sentence: (state, model) => {
    const sweep = sweepOf(state, model);
    const node = looked(state);
    const { changed, values } = model.sweeps[sweep];
    const first = sweep ? `Sweep ${sweep} changes ${plural(changed, "value")}; ${thousands(wrongAt(model, sweep))} are still wrong.` : `Before the first sweep only positions in which the game is over have their result; ${thousands(wrongAt(model, 0))} values are wrong.`;
    const end = sweep && !changed ? ` Nothing changes any more: the start is worth ${worth(values[0])}.` : "";
    return `${first}${end}${node < 0 ? "" : ` ${told(node, values)}.`}`;
  },
  draw,
  walk,
  hover: ({ x, y }, state, model, box) => {
    const { cx, cy, radius } = circle(box);
    let [best, least] = [-1, 12];
    for (let i = 0; i < places.length; i++) {
      const far = Math.hypot(cx + places[i][0] * radius - x, cy + places[i][1] * radius - y);
      if (far < least) [best, least] = [i, far];
    }
    return best === state.look ? null : { look: best };
  },
  controls: (state, model) => {
    const sweep = sweepOf(state, model);
    return [
      { kind: "range", name: "sweep", label: "Sweep", min: 0, max: last(model), value: sweep, text: `${sweep} / ${last(model)}` },
      { kind: "button", label: "Next sweep", title: "One sweep more", run: () => ({ sweep: Math.min(last(model), sweep + 1) }), disabled: sweep === last(model) },
      { kind: "range", name: "discount", label: "Discount γ", min: 0.5, max: 1, step: 0.05, value: state.discount, text: state.discount.toFixed(2) },
    ];
  },
};
