/** Priors of your own: a bar to drag in each free cell of Tic-Tac-Toe, and what a search that they guide visits. */

import { s } from "../frame/vnode.js";
import { NUMBERS, said } from "../think/generations.js";
import { Puct } from "../think/puct.js";
import { NAMES, readOpenPosition } from "../think/tictactoe.js";
import { truth } from "../think/uct.js";
import { additions, board, clamp, label, plural, thousands } from "./shared.js";

const MOST = 2000;
const LEAST = 0.001; // of a prior
const PLACES = 60; // of the slider: small numbers of simulations are farther apart
const counted = ({ n }) => clamp(Math.round(n), 0, MOST);
/** The last generation that is not later. */
const indexOf = ({ generation }) => Math.max(0, NUMBERS.findLastIndex((number) => number <= generation));
const freeCells = ([x, o]) => NAMES.flatMap((_, cell) => (((x | o) >> cell) & 1 ? [] : [cell]));

/** The shares of the free cells in order; without priors all are equal. */
function sharesOf({ position, priors }) {
  const free = freeCells(readOpenPosition(position));
  const numbers = priors.trim() ? priors.trim().split(/\s+/).map(Number) : free.map(() => 1);
  if (numbers.length !== free.length || numbers.some((number) => !(number > 0 && number < Infinity))) throw new SyntaxError(`priors are ${free.length} positive numbers, one for each free cell`);
  const total = numbers.reduce((sum, number) => sum + number, 0);
  return numbers.map((number) => number / total);
}

function think(state) {
  const { position, c } = state;
  const [x, o, side] = readOpenPosition(position);
  const index = indexOf(state);
  const shares = sharesOf(state);
  const free = freeCells([x, o]);
  const own = NAMES.map((_, cell) => shares[free.indexOf(cell)] ?? 0);
  const tree = new Puct(position, { c, generation: index, own }).growTo(counted(state));
  const isOpen = tree.root.children.length > 1; // with one move the search does not ask
  const next = isOpen ? NAMES[tree.chosen(tree.root, 1).move] : "";
  const moves = free.map((cell) => {
    const child = tree.root.children.find(({ move }) => move === cell);
    const after = side > 0 ? [x | (1 << cell), o] : [x, o | (1 << cell)];
    return { name: NAMES[cell], cell, prior: own[cell], visits: child?.visits ?? 0, ...(child ? tree.terms(tree.root, child, 1) : {}), worth: truth(...after, -side) * side + 0 };
  });
  return { x, o, side, index, moves, next, ...history(tree.growTo(MOST), free) };
}

/** By move its visits after each simulation; when it is first tried, and when it first has the most visits. */
function history({ paths, nodes }, free) {
  const counts = free.map(() => new Uint16Array(paths.length + 1));
  const firsts = free.map(() => Infinity);
  const leads = free.map(() => Infinity);
  const now = free.map(() => 0);
  paths.forEach((path, i) => {
    const at = path.length > 1 ? free.indexOf(nodes[path[1]].move) : -1;
    if (at >= 0) {
      now[at]++;
      firsts[at] = Math.min(firsts[at], i + 1);
      if (now.every((count, other) => other === at || count < now[at])) leads[at] = Math.min(leads[at], i + 1);
    }
    now.forEach((count, move) => (counts[move][i + 1] = count));
  });
  return { counts, firsts, leads };
}

const greatest = (list, of) => list.reduce((best, each) => (of(each) > of(best) ? each : best));
const leaderOf = ({ moves }) => greatest(moves, ({ visits }) => visits);
const percent = (share) => `${share < 0.0995 ? Number((100 * share).toFixed(1)) : Math.round(100 * share)} %`;
const nameOf = (side) => (side > 0 ? "X" : "O");

/** Where the board and the curves stand. */
function layout({ width, height, unit, size }) {
  const isSmall = size === "small";
  const isTall = isSmall && height > width * 1.1; // beside the text of a phone there is room for the board only
  const side = isSmall ? Math.min(width - 8, (isTall ? height * 0.62 : height) - unit * 2.2) : Math.min(width * 0.62, height - unit * 2.4);
  const place = { x: isSmall ? (width - side) / 2 : 4, y: unit * 1.6, side };
  const below = place.y + side + unit * 2.2;
  const plot = isSmall ? { x: unit * 3, y: below, width: width - unit * 6, height: height - below - unit * 1.8 } : { x: side + unit * 4.2, y: place.y, width: width - side - unit * 6.6, height: side - unit * 1.2 };
  const cell = side / 3;
  const at = (number) => [place.x + (number % 3) * cell, place.y + Math.floor(number / 3) * cell];
  const bar = { left: cell * 0.06, top: cell * 0.24, width: cell * 0.26, height: cell * 0.7 };
  return { place, cell, at, bar, plot: isSmall && !isTall ? null : plot };
}

function draw(state, model, box) {
  const { place, plot } = layout(box);
  const { unit } = box;
  return [
    label(box, place.x, place.y - unit * 0.5, `${nameOf(model.side)} to move, ${plural(counted(state), "simulation")}${counted(state) ? ": prior, visits, Q + U" : ""}`, { key: "title", anchor: "start", size: unit * 0.9, weight: 650 }),
    board(box, place.x, place.y, place.side, { xs: model.x, os: model.o, key: "board" }),
    s("g", { key: "cells" }, cells(state, model, box)),
    plot && s("g", { key: "curves" }, curves(state, model, box, plot)),
  ].filter(Boolean);
}

/** In each free cell the bar of its prior, its visits, and Q + U, which decides the next visit. */
function cells(state, model, box) {
  const { ink, unit } = box;
  const { cell, at, bar } = layout(box);
  const leader = leaderOf(model);
  const words = { 1: ["wins", ink.good], 0: ["draws", ink.soft], "-1": ["loses", ink.bad] };
  const isKnown = model.moves.every(({ sum }) => sum !== undefined);
  const sums = isKnown ? additions(model.moves) : [];
  const isWide = cell > 130;
  // Beside the bar there is room for the longest sum.
  const termSize = (text) => clamp(Math.min(cell * 0.08, (cell * 0.9) / text.length), 9, unit * 0.8);
  return model.moves.map((move, i) => {
    const [x, y] = at(move.cell);
    const text = x + cell * 0.66;
    const high = bar.height * move.prior;
    const searched = counted(state) > 0;
    const [mean, bonus, sum] = sums[i] ?? [];
    const terms = isWide ? `${mean} + ${bonus}` : `${sum}`;
    const isNext = move.name === model.next;
    const slider = {
      "data-handle": move.name, class: "handle", role: "slider", "aria-orientation": "vertical", "aria-label": `Prior of ${move.name}`, "aria-valuemin": 100 * LEAST, "aria-valuemax": 100,
      "aria-valuenow": Number((100 * move.prior).toFixed(1)), "aria-valuetext": `${percent(move.prior)}${searched ? `, ${plural(move.visits, "visit")}` : ""}`,
    };
    return s(
      "g",
      { key: move.name },
      // What comes and goes stands behind the bar: an element that is moved loses the focus.
      label(box, x + cell * 0.07, y + cell * 0.16 + 2, move.name, { key: "name", size: clamp(cell * 0.12, 9, unit * 0.8), anchor: "start", colour: ink.soft }),
      s(
        "g",
        { key: "bar", ...slider },
        s("rect", { x: x + bar.left, y: y + bar.top, width: bar.width, height: bar.height, fill: ink.panel, stroke: ink.line }),
        s("rect", { x: x + bar.left, y: y + bar.top + bar.height - high, width: bar.width, height: high, fill: ink.warn, "fill-opacity": 0.75 }),
        s("rect", { x: x + bar.left - 2, y: y + bar.top + bar.height - high - 2.5, width: bar.width + 4, height: 5, rx: 2, fill: ink.warn, stroke: ink.panel }),
      ),
      label(box, text, y + cell * (searched ? 0.42 : 0.62), percent(move.prior), { key: "prior", size: clamp(cell * 0.18, 10, unit * 1.5), weight: 650 }),
      searched && label(box, text, y + cell * 0.64, `×${thousands(move.visits)}`, { key: "visits", size: clamp(cell * 0.16, 10, unit * 1.3), colour: ink.accent, weight: 650 }),
      isKnown && label(box, text, y + cell * 0.8, terms, { key: "terms", size: termSize(terms), colour: isNext ? ink.ink : ink.soft, weight: isNext ? 750 : 400 }),
      isKnown && isWide && label(box, text, y + cell * 0.92, `= ${sum}`, { key: "sum", size: termSize(terms), colour: isNext ? ink.ink : ink.soft, weight: isNext ? 750 : 400 }),
      state.truth && label(box, x + cell * 0.93, y + cell * 0.16 + 2, words[move.worth][0], { key: "truth", size: clamp(cell * 0.12, 9, unit * 0.85), anchor: "end", weight: 700, colour: words[move.worth][1] }),
      searched && move === leader && s("rect", { key: "leader", x: x + 3, y: y + 3, width: cell - 6, height: cell - 6, fill: "none", stroke: ink.accent, "stroke-width": 3, "pointer-events": "none" }),
    );
  });
}

/** The share of the visits of each move while the search goes on; its prior is a mark at the left edge. */
function curves(state, model, box, { x: left, y: top, width, height }) {
  const { ink, unit } = box;
  const last = model.counts[0].length - 1;
  const px = (n) => left + (Math.log(n) / Math.log(MOST)) * width;
  const py = (share) => top + (1 - share) * height;
  const share = (move, n) => model.counts[move][n] / Math.max(1, n - 1);
  const shown = [...new Set(Array.from({ length: 90 }, (_, i) => Math.round(MOST ** (i / 89))))].filter((n) => n > 1 && n <= last);
  const most = greatest(model.moves.map((_, i) => i), (i) => model.counts[i][last]);
  const now = clamp(counted(state), 1, MOST);
  const leader = model.moves.indexOf(leaderOf(model));
  const named = [...new Set([most, leader])];
  const where = (i) => (i === most ? shown.at(-1) : now);
  return [
    label(box, left, top - unit * 0.6, "share of the visits", { key: "title", anchor: "start", size: unit * 0.75, colour: ink.soft, weight: 650 }),
    s("rect", { key: "frame", x: left, y: top, width, height, fill: "none", stroke: ink.line }),
    [0, 1].map((value) => label(box, left - 5, py(value) + unit * 0.3, percent(value), { key: `y${value}`, anchor: "end", size: unit * 0.7, colour: ink.soft })),
    [1, 10, 100, 1000].map((n) => label(box, px(n), top + height + unit, thousands(n), { key: `x${n}`, size: unit * 0.7, colour: ink.soft })),
    s("line", { key: "now", x1: px(now), x2: px(now), y1: top, y2: top + height, stroke: ink.warn, "stroke-width": 2 }),
    model.moves.map(({ name, prior }, i) => [
      s("line", { key: `p${name}`, x1: left - 3, x2: left + unit * 0.7, y1: py(prior), y2: py(prior), stroke: ink.warn, "stroke-width": 3 }),
      shown.length > 1 && s("path", { key: name, d: shown.map((n, k) => `${k ? "L" : "M"}${px(n).toFixed(1)} ${py(share(i, n)).toFixed(1)}`).join(""), fill: "none", stroke: i === leader ? ink.accent : ink.soft, "stroke-width": i === leader ? 3 : 1.5, "stroke-opacity": i === leader ? 1 : 0.7 }),
    ]),
    shown.length > 1 && named.map((i) => label(box, clamp(px(where(i)), left, left + width) + unit * 0.3, clamp(py(share(i, where(i))) + unit * 0.3, top + unit, top + height - 4), model.moves[i].name, { key: `n${i}`, anchor: "start", size: unit * 0.85, weight: 700, colour: i === leader ? ink.accent : ink.ink })),
  ].filter(Boolean);
}

/** The priors as text when one of them is `wanted`: the others keep their proportions above the least. */
function withPrior(state, name, wanted) {
  const free = freeCells(readOpenPosition(state.position));
  const shares = sharesOf(state).map((share) => Math.max(share, LEAST));
  const at = free.findIndex((cell) => NAMES[cell] === name);
  const others = free.length - 1;
  if (at < 0 || !others) return null;
  const prior = clamp(wanted, LEAST, 1 - others * LEAST);
  const room = shares.reduce((sum, share, i) => sum + (i === at ? 0 : share - LEAST), 0);
  const scaled = (share) => LEAST + (room > 1e-9 ? (share - LEAST) / room : 1 / others) * (1 - prior - others * LEAST);
  return { priors: shares.map((share, i) => Number((100 * (i === at ? prior : scaled(share))).toFixed(3))).join(" ") };
}

export default {
  name: "priors",
  title: "Your priors guide a search",
  start: { position: "xx1/oo1/3 x", priors: "", generation: 0, n: 0, c: 1.5, truth: false },
  positions: "tictactoe",
  depends: ["position", "priors", "generation", "c", "n"],
  think,
  facts: (state, model) => {
    const leader = leaderOf(model);
    const found = { n: counted(state), most: MOST, c: state.c, generation: NUMBERS[model.index], moves: model.moves.length, leader: leader.name, leaderVisits: leader.visits, leaderWorth: leader.worth, top: greatest(model.moves, ({ prior }) => prior).name, next: model.next };
    model.moves.forEach(({ name, prior, visits, worth, mean, bonus, sum }, i) => Object.assign(found, { [`prior.${name}`]: prior, [`visits.${name}`]: visits, [`worth.${name}`]: worth, [`mean.${name}`]: mean ?? NaN, [`bonus.${name}`]: bonus ?? NaN, [`sum.${name}`]: sum ?? NaN, [`first.${name}`]: model.firsts[i], [`lead.${name}`]: model.leads[i] }));
    return found;
  },
  sentence: (state, model) => {
    const leader = leaderOf(model);
    const rare = greatest(model.moves, ({ prior }) => -prior);
    const first = model.firsts[model.moves.indexOf(rare)];
    const search = counted(state) > 1 ? `After ${plural(counted(state), "simulation")} ${leader.name}, with a prior of ${percent(leader.prior)}, has the most visits: ${thousands(leader.visits)}.` : `Drag the bars: they are the priors of ${nameOf(model.side)}'s moves.`;
    const isRare = model.moves.filter(({ prior }) => prior < rare.prior + 1e-6).length === 1;
    const starved = !isRare ? "" : ` ${rare.name} has the least prior, ${percent(rare.prior)}: ${first < Infinity ? `simulation ${thousands(first)} is the first to try it` : `${thousands(MOST)} simulations never try it`}.`;
    return `${search}${starved}`;
  },
  draw,
  drag: (id, before, model, { y, from }, box) => {
    const prior = sharesOf(before)[model.moves.findIndex(({ name }) => name === id)];
    return withPrior(before, id, prior + (from.y - y) / layout(box).bar.height);
  },
  nudge: (id, by, state, { moves }) => withPrior(state, id, moves.find(({ name }) => name === id).prior + by / 100),
  controls: (state, { index, x, o }) => [
    { kind: "range", name: "n", label: "Simulations", min: 0, max: PLACES, value: Math.round(PLACES * Math.sqrt(counted(state) / MOST)), text: thousands(counted(state)), change: (place) => ({ n: Math.round(MOST * (place / PLACES) ** 2) }) },
    { kind: "choice", name: "c", label: "c", options: [[0.5, "c = 0.5"], [1.5, "c = 1.5"], [4, "c = 4"]], value: state.c },
    { kind: "button", label: "Equal priors", title: "All moves get the same prior", run: () => ({ priors: "" }) },
    { kind: "button", label: "The network's priors", title: "The priors of the network that judges the positions", run: () => ({ priors: said(index, x, o).priors.filter((prior) => prior > 0).map((prior) => (100 * prior).toFixed(3)).join(" ") }) },
    { kind: "choice", name: "generation", label: "Values", options: [[0, "Untrained values"], [100, "Trained values"]], value: NUMBERS[index] },
    { kind: "switch", name: "truth", label: "Show the truth", value: state.truth },
  ],
};
