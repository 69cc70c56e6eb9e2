/** A small world of cells: rewards of its ends to drag, the price of a step, a discount, and the best moves sweep by sweep. */

import { s } from "../frame/vnode.js";
import { COLUMNS, LETTERS, MAP, MOVES, START, sweptWorld, wayOf, worths } from "../think/gridworld.js";
import { clamp, colourKey, label, plural } from "./shared.js";

const MOST = 9; // the greatest reward
const LAST = 999; // the sweep that stands for the last one
const ENDS = { N: "near", F: "far", P: "pit" };
const TURNS = ["M0 -1L.6 0H-.6Z", "M1 0L0 .6V-.6Z", "M0 1L.6 0H-.6Z", "M-1 0L0 .6V-.6Z"]; // a triangle for each move

const reward = (state, letter) => clamp(Number(state[ENDS[letter]]), -MOST, MOST);
const world = ({ discount, cost, slip }) => ({ discount: clamp(discount, 0.1, 1), cost: clamp(cost, 0, 5), slip: clamp(slip, 0, 0.8) });
const last = ({ sweeps }) => sweeps.length - 1;
const sweepOf = ({ sweep }, model) => clamp(Math.round(sweep), 0, last(model));

const nameOf = (cell) => `${"abcdefgh"[cell % COLUMNS]}${MAP.length - Math.floor(cell / COLUMNS)}`;
const isFree = (cell) => "S.".includes(LETTERS[cell]);
const FREE = [...LETTERS.keys()].filter(isFree);
const looked = ({ look }) => FREE.find((cell) => nameOf(cell) === look) ?? START;

const signed = (value) => `${value < -0.004 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
const paid = (value) => `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value)}`;

/** What a sweep shows: its values, where they come from, and the way that the best moves make. */
function shown(state, model) {
  const sweep = sweepOf(state, model);
  const { values, best, changed } = model.sweeps[sweep];
  const way = wayOf(best);
  const end = ENDS[LETTERS[way.at(-1)]] ?? "none";
  const cell = looked(state);
  const before = sweep ? model.sweeps[sweep - 1].values : null;
  return { sweep, values, best, changed, way, end, cell, here: before && worths(cell, before, world(state)) };
}

/** Where the grid, the sums of one cell, the key and the curve of the start stand: beside the grid or below, as it gets larger. */
function layout({ width, height, unit, size }) {
  const rows = MAP.length;
  const side = Math.max(unit * 11.5, width * 0.24);
  const fit = (across, down) => Math.min((width - across - 4) / COLUMNS, (height - down - 4) / rows);
  const isBelow = size === "small" || fit(0, unit * 10) > fit(side, 0);
  const hasRoom = !isBelow || size !== "small" || height - fit(0, 0) * rows > unit * 10;
  const cell = isBelow ? fit(0, hasRoom ? unit * 10 : 0) : fit(side, 0);
  const left = isBelow ? (width - cell * COLUMNS) / 2 : 2;
  const grid = { cell, left, top: 2 };
  if (!hasRoom) return grid;
  if (!isBelow) {
    const room = { x: left + cell * COLUMNS + unit * 1.2, y: unit * 0.4 };
    const top = room.y + unit * 15.4;
    const plot = height - top > unit * 5 && { x: room.x, y: top, width: Math.min(width - room.x - unit, unit * 16), height: Math.min(height - top - unit * 0.6, unit * 8) };
    return { ...grid, room, key: { x: room.x, y: room.y + unit * 9.6 }, plot };
  }
  const room = { x: left + 2, y: cell * rows + unit * 1.2 };
  const key = { x: room.x + unit * 10, y: room.y };
  const [right, under] = [key.x + unit * 10, room.y + unit * 9.4];
  const tall = height - under;
  const plot = width - right > unit * 9 ? { x: right, y: room.y, width: width - right - unit, height: unit * 7.6 } : tall > unit * 5 && { x: room.x, y: under, width: cell * COLUMNS - unit, height: Math.min(tall - unit * 0.6, unit * 8) };
  return { ...grid, room, key, plot };
}

function draw(state, model, box) {
  const place = layout(box);
  const now = shown(state, model);
  const at = (cell) => [place.left + ((cell % COLUMNS) + 0.5) * place.cell, place.top + (Math.floor(cell / COLUMNS) + 0.5) * place.cell];
  const { ink } = box;
  const road = now.way.map((cell, i) => `${i ? "L" : "M"}${at(cell).map((each) => each.toFixed(1)).join(" ")}`).join("");
  return [
    s("g", { key: "ground" }, LETTERS.map((letter, cell) => ground(state, now, box, place, cell, at(cell)))),
    s("path", { key: "way", d: road, fill: "none", stroke: ink.accent, "stroke-opacity": 0.35, "stroke-width": place.cell * 0.13, "stroke-linejoin": "round", "stroke-linecap": "round" }),
    s("g", { key: "cells" }, LETTERS.map((letter, cell) => (letter === "#" ? null : ENDS[letter] ? theEnd(state, box, place, cell, at(cell)) : free(state, now, box, place, cell, at(cell))))),
    label(box, at(START)[0] - place.cell * 0.44, at(START)[1] - place.cell * 0.3, "start", { key: "start", anchor: "start", size: Math.min(box.unit * 0.75, place.cell * 0.17), colour: ink.soft, "pointer-events": "none" }),
    place.room && s("g", { key: "sums" }, sums(state, now, box, place)),
    place.plot && s("g", { key: "curve" }, curve(model, now, box, place.plot)),
  ];
}

/** The colour of a cell: the deeper, the greater its value. */
function ground(state, { values }, { ink }, { cell: size }, cell, [x, y]) {
  const most = Math.max(0.5, ...Object.keys(ENDS).map((letter) => Math.abs(reward(state, letter))));
  const value = values[cell];
  const isWall = LETTERS[cell] === "#";
  return [
    s("rect", { key: `q${cell}`, x: x - size / 2, y: y - size / 2, width: size, height: size, fill: isWall ? ink.even : ink.panel, stroke: ink.line }),
    !isWall && Math.abs(value) > 0.004 && s("rect", { key: `v${cell}`, x: x - size / 2, y: y - size / 2, width: size, height: size, fill: value > 0 ? ink.goodFill : ink.badFill, "fill-opacity": 0.08 + 0.4 * Math.min(1, Math.abs(value) / most) }),
  ];
}

/** A cell to stand in: its value, and a triangle at each side to which it is best to go. */
function free(state, { values, best, cell: chosen }, box, { cell: size }, cell, [x, y]) {
  const { unit, ink } = box;
  const moves = best[cell].length < 4 ? best[cell] : [];
  const [far, r] = [size * 0.39, size * 0.11];
  const side = [[0, -far], [far, 0], [0, far], [-far, 0]];
  const spoken = `${nameOf(cell)}${cell === START ? ", the start" : ""}: ${signed(values[cell])}${moves.length ? `, best ${moves.map((move) => MOVES[move]).join(" or ")}` : ""}`;
  return s(
    "g",
    { key: `c${cell}`, "data-set": JSON.stringify({ look: nameOf(cell) }), role: "button", "aria-label": spoken, "aria-pressed": String(cell === chosen) },
    s("rect", { x: x - size / 2 + 2, y: y - size / 2 + 2, width: size - 4, height: size - 4, fill: "transparent", stroke: cell === chosen ? ink.ink : "none", "stroke-width": 2, "stroke-dasharray": "4 3" }),
    moves.map((move) => s("path", { key: `m${move}`, d: TURNS[move], transform: `translate(${(x + side[move][0]).toFixed(1)} ${(y + side[move][1]).toFixed(1)}) scale(${r.toFixed(1)})`, fill: ink.accent })),
    label(box, x, y + unit * 0.35, signed(values[cell]), { key: "value", size: Math.min(unit * 1.05, size * 0.24), weight: 650 }),
  );
}

/** An end: its reward, to drag up and down. */
function theEnd(state, box, { cell: size }, cell, [x, y]) {
  const { unit, ink } = box;
  const letter = LETTERS[cell];
  const value = reward(state, letter);
  const colour = value < 0 ? ink.bad : ink.good;
  const slider = { "data-handle": ENDS[letter], class: "handle", role: "slider", "aria-orientation": "vertical", "aria-label": `Reward of the ${ENDS[letter]} end`, "aria-valuenow": value, "aria-valuemin": -MOST, "aria-valuemax": MOST };
  return s(
    "g",
    { key: `c${cell}`, ...slider },
    s("rect", { x: x - size / 2 + 3, y: y - size / 2 + 3, width: size - 6, height: size - 6, rx: size * 0.12, fill: ink.panel, stroke: colour, "stroke-width": 3 }),
    s("path", { key: "grips", d: `M${x} ${y - size * 0.4}l${size * 0.09} ${size * 0.1}h${-size * 0.18}ZM${x} ${y + size * 0.4}l${size * 0.09} ${-size * 0.1}h${-size * 0.18}Z`, fill: colour }),
    label(box, x, y - size * 0.12, ENDS[letter], { key: "name", size: Math.min(unit * 0.75, size * 0.18), colour: ink.soft, halo: null }),
    label(box, x, y + size * 0.17, paid(value), { key: "reward", size: Math.min(unit * 1.4, size * 0.28), weight: 750, colour, halo: null }),
  );
}

/** One backup: what each move from the chosen cell is worth. */
function sums(state, { cell, here }, box, { room, key }) {
  const { unit, ink } = box;
  const most = here && Math.max(...here);
  const line = unit * 1.3;
  const text = (key, row, words, more = {}) => label(box, room.x, room.y + line * row + unit * 0.7, words, { key, anchor: "start", size: unit * 0.85, ...more });
  const { cost, slip } = world(state);
  return [
    text("cell", 0, `From ${nameOf(cell)}${cell === START ? " (start)" : ""}`, { weight: 700 }),
    here ? MOVES.map((move, i) => {
      const isBest = here[i] > most - 1e-9;
      return [
        text(`n${i}`, i + 1.1, move, { colour: isBest ? ink.accent : ink.soft, weight: isBest ? 700 : 400 }),
        label(box, room.x + unit * 6.6, room.y + line * (i + 1.1) + unit * 0.7, signed(here[i]), { key: `w${i}`, anchor: "end", size: unit * 0.85, colour: isBest ? ink.accent : ink.ink, weight: isBest ? 700 : 400 }),
      ];
    }) : text("none", 1.1, "no sweep yet", { colour: ink.soft }),
    here && text("rule", 5.2, `γ · ${slip ? "mean of " : ""}next V${cost ? " − cost" : ""}`, { size: unit * 0.72, colour: ink.soft }),
    slip > 0 && text("slip", 6, `${Math.round(100 * slip)} % slip aside`, { size: unit * 0.72, colour: ink.soft }),
    colourKey(box, key.x, key.y, [[ink.accent, "best move, way"], [ink.goodFill, "worth more than 0"], [ink.badFill, "worth less"], [ink.even, "wall"]]),
  ];
}

/** What the start is worth after each sweep. */
function curve(model, { sweep }, box, { x, y, width, height }) {
  const { unit, ink } = box;
  const worth = model.sweeps.map(({ values }) => values[START]);
  const [low, high] = [Math.min(0, ...worth), Math.max(0, ...worth)];
  const px = (number) => x + (number / last(model)) * width;
  const py = (value) => y + unit * 1.2 + (high > low ? (high - value) / (high - low) : 1) * (height - unit * 1.2);
  return [
    label(box, x, y + unit * 0.3, "V(start), sweep by sweep", { key: "name", anchor: "start", size: unit * 0.75, colour: ink.soft }),
    s("line", { key: "zero", x1: x, x2: x + width, y1: py(0), y2: py(0), stroke: ink.line, "stroke-width": 2 }),
    s("path", { key: "line", d: worth.map((value, i) => `${i ? "L" : "M"}${px(i).toFixed(1)} ${py(value).toFixed(1)}`).join(""), fill: "none", stroke: ink.accent, "stroke-width": 2, "stroke-linejoin": "round" }),
    s("circle", { key: "dot", cx: px(sweep), cy: py(worth[sweep]), r: unit * 0.35, fill: ink.accent, stroke: ink.panel, "stroke-width": 2 }),
  ];
}

const withReward = (state, name, value) => ({ [name]: clamp(Math.round(value * 2) / 2, -MOST, MOST) });

function sentence(state, model) {
  const { sweep, values, best, changed, way, end } = shown(state, model);
  if (!sweep) return "Before the first sweep only the ends have a value.";
  const { slip } = world(state);
  const open = best[START].length === 4 ? ", and no first move looks better than the others" : ", and the best moves may go in circles";
  const walked = end === "none" ? open : `: ${plural(way.length - 1, "step")} to the ${end === "pit" ? "pit" : `${end} end`}${slip ? ", if none slips" : ""}`;
  const done = changed ? `It changed ${plural(changed, "value")}.` : `No value changes ${slip ? "by a thousandth" : "any more"}.`;
  return `Sweep ${sweep}: the start is worth ${signed(values[START])}${walked}. ${done}`;
}

export default {
  name: "gridworld",
  title: "Which end is worth the way?",
  start: { near: 1, far: 3, pit: -3, cost: 0, discount: 0.9, slip: 0, sweep: 999, look: "a1" },
  depends: ["near", "far", "pit", "cost", "discount", "slip"],
  think: (state) => ({ sweeps: sweptWorld(Object.fromEntries(Object.keys(ENDS).map((letter) => [letter, reward(state, letter)])), world(state)) }),
  facts: (state, model) => {
    const { sweep, values, changed, way, end, best, cell, here } = shown(state, model);
    const rewards = Object.fromEntries(Object.entries(ENDS).map(([letter, name]) => [name, reward(state, letter)]));
    const moves = Object.fromEntries(MOVES.map((move, i) => [`if.${move}`, here?.[i] ?? 0]));
    const isBest = Object.fromEntries(MOVES.map((move, i) => [`best.${move}`, best[cell].includes(i)]));
    return { ...rewards, ...world(state), ...moves, ...isBest, sweep, sweeps: last(model), changed, start: values[START], steps: way.length - 1, end, here: values[cell], choices: best[cell].length, cells: FREE.length };
  },
  sentence,
  draw,
  check: ({ look }) => {
    if (!FREE.some((cell) => nameOf(cell) === look)) throw new SyntaxError(`look is a cell that is no wall and no end, such as ${nameOf(START)}, not “${look}”`);
  },
  drag: (id, before, model, { y, from }, box) => withReward(before, id, Number(before[id]) + ((from.y - y) / layout(box).cell) * 4),
  nudge: (id, by, state) => withReward(state, id, Number(state[id]) + by / 2),
  controls: (state, model) => {
    const sweep = sweepOf(state, model);
    const { discount, cost, slip } = world(state);
    const to = (wanted) => ({ sweep: wanted >= last(model) ? LAST : Math.max(0, wanted) });
    return [
      { kind: "range", name: "sweep", label: "Sweep", min: 0, max: last(model), value: sweep, text: `${sweep} / ${last(model)}`, change: to },
      { kind: "button", label: "▶", title: "One sweep more", run: () => to(sweep + 1), disabled: sweep === last(model) },
      { kind: "range", name: "discount", label: "Discount γ", min: 0.5, max: 1, step: 0.01, value: discount, text: discount.toFixed(2) },
      { kind: "range", name: "cost", label: "A step costs", min: 0, max: 2, step: 0.05, value: cost, text: cost.toFixed(2) },
      { kind: "choice", name: "slip", label: "Ground", options: [[0, "Firm"], [0.2, "Slippery"]], value: slip },
    ];
  },
};
