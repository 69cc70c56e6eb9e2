/** A network that learns from games against itself: its priors as heat on the board, generation by generation, and PUCT. */

import { s } from "../frame/vnode.js";
import { LOG, NUMBERS, rightAt, said } from "../think/generations.js";
import { Puct } from "../think/puct.js";
import { NAMES, readOpenPosition, ROWS, writePosition } from "../think/tictactoe.js";
import { truth } from "../think/uct.js";
import { clamp, label, plural, thousands } from "./shared.js";

const MOST = 400;
const known = []; // by generation, how many positions it plays right

const rightOf = (index) => (known[index] ??= rightAt(index));
/** The last generation that is not later. */
const indexOf = ({ generation }) => Math.max(0, NUMBERS.findLastIndex((number) => number <= generation));
const counted = ({ n }) => clamp(Math.round(n), 0, MOST);

function think({ position, generation, c, n }) {
  const [x, o, side] = readOpenPosition(position);
  const index = indexOf({ generation });
  const tree = new Puct(position, { c, generation: index }).growTo(counted({ n }));
  return { index, x, o, side, tree, ...said(index, x, o) };
}

/** The free cells in order, each with its prior, what the search made of it, and its worth for the side to move. */
function movesOf({ x, o, side, tree, priors }) {
  return NAMES.flatMap((name, cell) => {
    if (((x | o) >> cell) & 1) return [];
    const child = tree.root.children.find(({ move }) => move === cell);
    const after = side > 0 ? [x | (1 << cell), o, -1] : [x, o | (1 << cell), 1];
    return [{ name, cell, prior: priors[cell], visits: child?.visits ?? 0, ...(child ? tree.terms(tree.root, child) : {}), worth: truth(...after) * side + 0, after }];
  });
}

const greatest = (list, of) => list.reduce((best, each) => (of(each) > of(best) ? each : best));
const leaderOf = (moves) => greatest(moves, ({ visits }) => visits);
const percent = (share) => `${Math.round(100 * share)} %`;
const signed = (value) => (Math.abs(value) < 0.005 ? "0.00" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`);
const nameOf = (side) => (side > 0 ? "X" : "O");

function draw(state, model, box) {
  const { width, height, unit, size } = box;
  const isSmall = size === "small";
  const side = Math.min(isSmall ? width - 8 : width * 0.56, isSmall ? height * 0.6 : height - unit * 2.4);
  const place = { x: isSmall ? (width - side) / 2 : 4, y: unit * 1.6, side };
  const plot = isSmall ? { x: unit * 3, y: place.y + side + unit * 1.8, width: width - unit * 4, height: height - side - place.y - unit * 3.2 } : { x: side + unit * 5, y: unit * 1.8, width: width - side - unit * 6.4, height: height - unit * 3.6 };
  return [heat(state, model, box, place), curves(model, box, plot)];
}

/** The board: the warmer a cell, the greater its prior. */
function heat(state, model, box, { x: left, y: top, side }) {
  const { ink, unit } = box;
  const cell = side / 3;
  const at = (number) => [left + (number % 3) * cell, top + Math.floor(number / 3) * cell];
  const moves = movesOf(model);
  const leader = leaderOf(moves);
  const most = Math.max(...model.priors);
  const grid = [1, 2].map((i) => `M${left + i * cell} ${top}v${side}M${left} ${top + i * cell}h${side}`).join("");
  const words = { 1: ["wins", ink.good], 0: ["draws", ink.soft], "-1": ["loses", ink.bad] };
  const cells = moves.map((move) => {
    const [x, y] = at(move.cell);
    const searched = counted(state) > 0;
    const isOver = ROWS[move.after[0]] || ROWS[move.after[1]] || (move.after[0] | move.after[1]) === 511;
    const press = isOver ? { role: "img" } : { "data-set": JSON.stringify({ position: writePosition(...move.after) }), role: "button" };
    const spoken = `${move.name}: prior ${percent(move.prior)}${searched ? `, ${plural(move.visits, "visit")}` : ""}${state.truth ? `, ${words[move.worth][0]}` : ""}`;
    return s(
      "g",
      { key: move.name },
      s("rect", { x: x + 1, y: y + 1, width: cell - 2, height: cell - 2, fill: ink.panel }),
      s("rect", { x: x + 1, y: y + 1, width: cell - 2, height: cell - 2, fill: ink.badFill, "fill-opacity": Math.min(0.9, move.prior ** 0.75) }),
      searched && move === leader && s("rect", { x: x + 3, y: y + 3, width: cell - 6, height: cell - 6, fill: "none", stroke: ink.accent, "stroke-width": 4 }),
      label(box, x + cell / 2, y + cell * (searched ? 0.45 : 0.58), percent(move.prior), { size: clamp(cell * 0.24, 11, unit * 2), weight: move.prior === most ? 750 : 500 }),
      searched && label(box, x + cell / 2, y + cell * 0.72, `×${thousands(move.visits)}`, { size: clamp(cell * 0.17, 9, unit * 1.3), colour: ink.accent, weight: 650 }),
      label(box, x + cell * 0.06, y + cell * 0.16 + 2, move.name, { size: clamp(cell * 0.12, 9, unit * 0.8), anchor: "start", ...(move.prior > 0.4 ? { halo: null } : { colour: ink.soft }) }),
      state.truth && label(box, x + cell * 0.94, y + cell * 0.16 + 2, words[move.worth][0], { size: clamp(cell * 0.12, 9, unit * 0.85), anchor: "end", weight: 700, colour: words[move.worth][1] }),
      s("rect", { x: x + 1, y: y + 1, width: cell - 2, height: cell - 2, fill: ink.panel, "fill-opacity": 0, "aria-label": spoken, ...press }),
    );
  });
  const r = cell * 0.28;
  const marks = NAMES.map((_, number) => {
    const [x, y] = at(number).map((corner) => corner + cell / 2);
    if ((model.x >> number) & 1) return s("path", { key: `m${number}`, d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`, stroke: ink.x, "stroke-width": cell / 9, "stroke-linecap": "round" });
    return (model.o >> number) & 1 && s("circle", { key: `m${number}`, cx: x, cy: y, r, fill: "none", stroke: ink.o, "stroke-width": cell / 9 });
  });
  return s(
    "g",
    { key: "board" },
    label(box, left, top - unit * 0.5, `${nameOf(model.side)} to move, V = ${signed(model.value)}`, { key: "value", anchor: "start", size: unit * 0.9, weight: 650 }),
    cells,
    s("g", { key: "marks" }, marks),
    s("path", { key: "grid", d: grid, stroke: ink.ink, "stroke-width": 2, fill: "none", "pointer-events": "none" }),
    s("rect", { key: "frame", x: left, y: top, width: side, height: side, fill: "none", stroke: ink.line, "pointer-events": "none" }),
  );
}

/** Two curves over the generations up to the one that is shown, on a scale in which 0, 1, 10 and 100 are equally far apart. */
function curves(model, box, { x: left, y: top, width, height }) {
  const { ink, unit, size } = box;
  const last = NUMBERS.at(-1);
  const reach = Math.log(1 + last);
  const px = (number) => left + (Math.log(1 + number) / reach) * width;
  const isSmall = size === "small";
  const half = isSmall ? height : (height - unit * 3.4) / 2;
  const now = NUMBERS[model.index];
  const points = NUMBERS.map((number, i) => [number, rightOf(i).right / rightOf(i).all]);
  const losses = LOG.map((entry, i) => [i + 1, entry.policy_loss]);
  const highest = Math.max(...losses.map(([, loss]) => loss));
  const panels = [
    { key: "right", title: isSmall ? "right moves" : "right moves by prior alone", y: top, list: points, low: 0, high: 1, text: percent, dots: true },
    !isSmall && { key: "loss", title: "loss of its priors", y: top + half + unit * 3.4, list: losses, low: 0, high: highest, text: (value) => value.toFixed(1) },
  ].filter(Boolean);
  return s("g", { key: "curves" }, panels.map((panel) => curve(panel)));

  function curve({ key, title, y, list, low, high, text, dots }) {
    const py = (value) => y + half - ((value - low) / (high - low)) * half;
    const here = list.find(([number]) => number === now);
    const isLate = px(now) > left + width / 2; // its number stands beside the line of the generation, not on it
    return s(
      "g",
      { key },
      label(box, left, y - unit * 0.5, title, { anchor: "start", size: unit * 0.75, colour: ink.soft, weight: 650 }),
      s("rect", { x: left, y, width, height: half, fill: "none", stroke: ink.line }),
      [low, high].map((value) => label(box, left - 4, py(value) + unit * 0.3, text(value), { anchor: "end", size: unit * 0.7, colour: ink.soft })),
      NUMBERS.map((number) => label(box, px(number), y + half + unit * 0.95, number, { size: unit * 0.7, colour: number === now ? ink.ink : ink.soft, weight: number === now ? 750 : 400 })),
      s("line", { x1: px(now), x2: px(now), y1: y, y2: y + half, stroke: ink.warn, "stroke-width": 2 }),
      s("path", { d: list.filter(([number]) => number <= now).map(([number, value], i) => `${i ? "L" : "M"}${px(number).toFixed(1)} ${py(value).toFixed(1)}`).join(""), fill: "none", stroke: ink.accent, "stroke-width": 2.5 }),
      dots && list.filter(([number]) => number <= now).map(([number, value]) => s("circle", { cx: px(number), cy: py(value), r: number === now ? 6 : 3.5, fill: ink.accent })),
      here && label(box, px(now) + (isLate ? -1 : 1) * unit * 0.6, clamp(py(here[1]) - unit * 0.7, y + unit, y + half - 4), text(here[1]), { size: unit * 0.85, weight: 750, anchor: isLate ? "end" : "start" }),
    );
  }
}

export default {
  name: "generations",
  title: "A network that learns from games against itself",
  start: { position: "3/3/3 x", generation: 0, n: 0, c: 1.5, truth: false },
  positions: "tictactoe",
  depends: ["position", "generation", "c", "n"],
  think,
  facts: (state, model) => {
    const moves = movesOf(model);
    const byPrior = greatest(moves, ({ prior }) => prior);
    const byVisits = leaderOf(moves);
    const { right, all } = rightOf(model.index);
    const found = {
      generation: NUMBERS[model.index], last: NUMBERS.at(-1), n: counted(state), value: model.value, moves: moves.length, top: byPrior.name, topPrior: byPrior.prior, topWorth: byPrior.worth,
      least: Math.min(...moves.map(({ prior }) => prior)), leader: byVisits.name, leaderVisits: byVisits.visits, leaderWorth: byVisits.worth, right, all, share: right / all, shareFirst: rightOf(0).right / all,
      tried: moves.filter(({ visits }) => visits).length, games: LOG[NUMBERS[model.index] - 1]?.games ?? 0, positions: LOG[NUMBERS[model.index] - 1]?.positions ?? 0, loss: LOG[NUMBERS[model.index] - 1]?.policy_loss ?? NaN, sims: model.tree.paths.length,
    };
    for (const { name, prior, visits, worth, mean, bonus, sum } of moves) Object.assign(found, { [`prior.${name}`]: prior, [`visits.${name}`]: visits, [`worth.${name}`]: worth, [`mean.${name}`]: mean ?? NaN, [`bonus.${name}`]: bonus ?? NaN, [`sum.${name}`]: sum ?? NaN });
    return found;
  },
  sentence: (state, model) => {
    const moves = movesOf(model);
    const byPrior = greatest(moves, ({ prior }) => prior);
    const byVisits = leaderOf(moves);
    const number = NUMBERS[model.index];
    const after = number ? `After generation ${number}` : "Before it has learned";
    const search = counted(state) ? ` ${plural(counted(state), "simulation")}: ${byVisits.name} has ${plural(byVisits.visits, "visit")}.` : "";
    return `${after} the network gives ${byPrior.name} ${percent(byPrior.prior)}, and its value for ${nameOf(model.side)} is ${signed(model.value)}.${search}`;
  },
  draw,
  controls: (state) => {
    const index = indexOf(state);
    return [
      { kind: "range", name: "generation", label: "Generation", min: 0, max: NUMBERS.length - 1, value: index, text: String(NUMBERS[index]), change: (place) => ({ generation: NUMBERS[place] }) },
      { kind: "range", name: "n", label: "Simulations", min: 0, max: MOST, value: counted(state), text: thousands(counted(state)) },
      { kind: "range", name: "c", label: "c", min: 0, max: 4, step: 0.05, value: state.c, text: state.c.toFixed(2) },
      { kind: "switch", name: "truth", label: "Show the truth", value: state.truth },
      { kind: "button", label: "Empty board", title: "Begin again with the empty board", run: () => ({ position: "3/3/3 x" }) },
    ];
  },
};
