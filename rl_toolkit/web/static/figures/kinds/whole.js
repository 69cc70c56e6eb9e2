/** All of Tic-Tac-Toe at once, as rings: lit is what alpha-beta enters, and the light goes out while the order improves. */

import { rgb } from "../frame/ink.js";
import { s } from "../frame/vnode.js";
import { NAMES } from "../think/tictactoe.js";
import { NODES, WholeGame } from "../think/whole_game.js";
import { Rings, SIDE } from "./rings.js";
import { orderWords, ruler } from "./ruler.js";
import { board, clamp, colourKey, label, thousands } from "./shared.js";

let game = null;
let rings = null;
const results = new Map(); // of searches, by their settings
const before = new Int32Array(NODES + 1); // how many nodes before each were entered
let summed = "";
let image = null;

const CHOICES = { guess: { cells: "Cells", centre: "Centre", killers: "Killers", history: "History", all: "All three" } };
/** Each guess beside the slider, and in the sentence. */
const WORDS = {
  cells: ["by cell", "in the order of the cells"],
  centre: ["centre first", "in the order centre, corners, edges"],
  killers: ["killers first", "with killers first"],
  history: ["by history", "in the order of their history"],
  all: ["all three", "by killers, then history, then centre"],
};

const depthOf = ({ depth }) => clamp(Math.round(depth), 0, 9); // 0: the whole game at once
const keyOf = (state) => `${state.order} ${state.pruning} ${state.memory} ${state.guess} ${depthOf(state)}`;

/** Search as the state says, so that `game.seen` is of it. */
function search(state) {
  const found = game.search(state.order, { ...state, depth: depthOf(state) });
  game.last = keyOf(state);
  const replies = {};
  for (let move = 1; move < 10; move++) {
    const [from, to] = [game.first[move], game.first[move] + game.count[move]];
    replies[`replies.${NAMES[game.move[move]]}`] = game.seen.subarray(from, to).reduce((sum, seen) => sum + seen, 0);
  }
  if (results.size > 400) results.clear();
  results.set(game.last, { ...found, replies });
  return results.get(game.last);
}

const result = (state) => results.get(keyOf(state)) ?? search(state);

/** The nodes that each guess enters, by the names of the guesses. */
const guesses = (state) => Object.keys(CHOICES.guess).map((guess) => [guess, result({ ...state, guess, order: 0 }).entered]);

/** The nodes of the searches to all depths up to this one, together, and the share of the shallower ones. */
function iterations(state) {
  const { entered, depths } = result(state);
  const together = depths.reduce((sum, nodes) => sum + nodes, 0);
  return { together, shallower: (together - entered) / together };
}

/** A tick of the ruler for each depth or, once a guess is chosen, for each guess; the shown one has its name. */
function ticks(state, { ink }) {
  const depth = depthOf(state);
  if (depth) return result(state).depths.map((entered, i) => [entered, i + 1 === depth ? `depth ${depth}` : "", i + 1 === depth ? ink.warn : ink.soft, true]);
  if (state.guess === "cells" || !state.pruning) return [];
  return guesses(state).map(([guess, entered]) => [entered, guess === state.guess ? CHOICES.guess[guess] : "", guess === state.guess ? ink.warn : ink.soft, true]);
}

const isMixed = ({ order }) => Math.abs(order) >= 0.005 && Math.abs(order) <= 0.995;

function orderText(state) {
  const [, plain] = WORDS[state.guess];
  return `${orderWords(state.order, plain)}${isMixed(state) && state.guess !== "cells" ? `, else ${plain}` : ""}`;
}

function makeSeen(state) {
  if (game.last !== keyOf(state)) search(state);
}

/** What a search to a depth costs, and all before it. */
function depthText(state) {
  const depth = depthOf(state);
  const { entered } = result(state);
  const { together, shallower } = iterations(state);
  const how = state.pruning ? `, ${depth > 1 ? `the best move of depth ${depth - 1} first, then ` : ""}${orderText(state)}` : " without cuts";
  const all = depth > 1 ? `; depths 1 to ${depth} together ${thousands(together)}, ${Math.round(100 * shallower)} % of it for the shallower ones` : "";
  return `Depth ${depth}${how}${state.memory ? ", with a table" : ""}: ${thousands(entered)} nodes${all}.`;
}

/** The square of the rings in a box. */
function place({ width, height, unit }) {
  const side = Math.floor(Math.min(width - 4, height - unit * 4.6));
  return { x: Math.floor((width - side) / 2), y: 2, width: side, height: side };
}

const mixed = (from, to, share) => from.map((part, i) => Math.round(part + (to[i] - part) * share));
const packed = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

/** A colour for every tone and every share of entered nodes, in eighths. */
function palette(ink, entered) {
  const [good, bad, even, off] = [ink.goodFill, ink.badFill, ink.even, ink.raised].map(rgb);
  const least = entered < 12000 ? 0.7 : 0.4; // so that few entered nodes can be seen
  const table = new Uint32Array(17 * 9);
  for (let tone = -8; tone <= 8; tone++) {
    const full = mixed(even, tone > 0 ? good : bad, Math.min(1, Math.abs(tone) / 6));
    for (let share = 0; share <= 8; share++) table[(tone + 8) * 9 + share] = packed(mixed(off, full, share ? least + ((1 - least) * share) / 8 : 0));
  }
  return table;
}

function paint(canvas, state, model, box, ink) {
  makeSeen(state);
  if (summed !== game.last) {
    for (let node = 0, sum = 0; node < NODES; node++) before[node + 1] = sum += game.seen[node];
    summed = game.last;
  }
  if (canvas.width !== SIDE) canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d", { alpha: false });
  image ??= context.createImageData(SIDE, SIDE);
  const out = new Uint32Array(image.data.buffer);
  const table = palette(ink, result(state).entered);
  const back = packed(rgb(ink.panel));
  const { lo, hi, tone } = rings;
  for (let pixel = 0; pixel < out.length; pixel++) {
    const from = lo[pixel];
    if (from < 0) out[pixel] = back;
    else {
      const entered = before[hi[pixel]] - before[from];
      out[pixel] = table[(tone[pixel] + 8) * 9 + (entered ? Math.max(1, Math.floor((8 * entered) / (hi[pixel] - from))) : 0)];
    }
  }
  context.putImageData(image, 0, 0);
  return place(box);
}

const looked = ({ look }) => clamp(Math.round(look), -1, NODES - 1);
const pathText = (node) => game.path(node).map((cell) => NAMES[cell]).join(" ") || "the empty board";
const fate = (node) => (game.seen[node] ? "looked at" : "never looked at");

function draw(state, model, box) {
  const { ink, unit, width } = box;
  const { x, y, width: side } = place(box);
  const { entered } = result(state);
  const node = looked(state);
  const [nx, ny] = rings.place(Math.max(0, node));
  const marks = [];
  for (let move = 1; move < 10 && side > 320; move++) {
    const [px, py] = rings.place(move);
    marks.push(label(box, x + px * side, y + py * side + unit * 0.3, NAMES[game.move[move]], { key: `n${move}`, size: clamp(side / 46, 9, 16), weight: 700 }));
  }
  marks.push(s("circle", { key: "walk", "data-walk": "", role: "img", "aria-label": node < 0 ? "The whole game; arrows walk through it" : `${pathText(node)}: ${fate(node)}`, cx: x + nx * side, cy: y + ny * side, r: unit * 0.45, fill: "none", stroke: ink.ink, "stroke-width": node < 0 ? 0 : 3 }));
  if (node >= 0) marks.push(card(state, box, node));
  const worth = [[ink.goodFill, "X wins"], [ink.even, "draw"], [ink.badFill, "O wins"], [ink.raised, "not seen"]];
  marks.push(colourKey(box, Math.max(x + side, width - unit * 8) - unit * 5, y, worth));
  marks.push(
    ruler(box, {
      x: unit, y: y + side + unit * 1.5, width: width - 2 * unit, end: NODES, now: entered, unitName: `of ${thousands(NODES)} nodes`,
      marks: [[1, "1", ink.soft], [NODES, "all", ink.soft], [Math.sqrt(NODES), `√ = ${thousands(Math.sqrt(NODES))}`, ink.good], ...ticks(state, box)],
    }),
  );
  return marks;
}

/** The position under the pointer. */
function card(state, box, node) {
  const { ink, unit } = box;
  const width = clamp(Math.min(box.width, box.height) * 0.16, 54, 110);
  makeSeen(state);
  const last = game.path(node).slice(-4).map((cell) => NAMES[cell]).join(" ");
  return s(
    "g",
    { key: "card" },
    s("rect", { x: 4, y: 4, width: width + 12, height: width + unit * 2.4 + 6, rx: 6, fill: ink.panel, stroke: ink.line }),
    board(box, 10, 10, width, { xs: game.x[node], os: game.o[node], last: game.move[node], key: "board" }),
    label(box, 10 + width / 2, width + 10 + unit, last || "start", { size: Math.min(unit * 0.75, width / 7), colour: ink.soft }),
    label(box, 10 + width / 2, width + 10 + unit * 2, fate(node), { size: Math.min(unit * 0.75, width / 8.5), weight: 700, colour: game.seen[node] ? ink.good : ink.cut }),
  );
}

/** Up to the parent, down to the first child, sideways to the next move. */
function walk(key, state) {
  const node = Math.max(0, looked(state));
  const siblings = node ? [game.first[game.parent[node]], game.first[game.parent[node]] + game.count[game.parent[node]] - 1] : [0, 0];
  const to = {
    ArrowUp: game.parent[node], ArrowDown: game.count[node] ? game.first[node] : node,
    ArrowLeft: Math.max(siblings[0], node - 1), ArrowRight: Math.min(siblings[1], node + 1), Home: 0,
  }[key];
  return to === undefined ? null : { look: Math.max(0, to) };
}

export default {
  name: "whole",
  title: "All of Tic-Tac-Toe",
  start: { order: 0, pruning: true, memory: false, look: -1, guess: "cells", depth: 0 },
  choices: CHOICES,
  depends: [],
  think: () => {
    game ??= new WholeGame();
    rings ??= new Rings(game);
    return { game };
  },
  facts: (state) => {
    const { entered, leaves, hits, replies } = result(state);
    const named = Object.fromEntries(guesses(state).map(([guess, nodes]) => [`nodes.${guess}`, nodes]));
    const best = result({ ...state, order: 1 }).entered;
    const [atOnce, ninth] = [0, 9].map((depth) => result({ ...state, depth }).entered);
    const nine = iterations({ ...state, depth: 9 }).together;
    return { ...replies, ...named, ...iterations(state), best, atOnce, nine, ninth, entered, leaves, hits, all: NODES, root: Math.sqrt(NODES), roots: entered / Math.sqrt(NODES), share: entered / NODES, games: game.count.reduce((sum, count) => sum + Number(!count), 0) };
  },
  sentence: (state) => {
    const node = looked(state);
    const { entered } = result(state);
    const share = `${((100 * entered) / NODES).toFixed(entered < 11000 ? 2 : 1)} %`;
    const told = depthOf(state) ? depthText(state) : state.pruning
      ? `Alpha-beta, moves ${orderText(state)}${state.memory ? ", with a table" : ""}: it enters ${thousands(entered)} of ${thousands(NODES)} nodes, ${share}.`
      : `${state.memory ? "Minimax with a table" : "Plain minimax"} enters ${thousands(entered)} nodes. Green: X wins with best play; orange: O wins; grey: a draw.`;
    return node < 0 ? told : `${told} ${pathText(node)}: ${fate(node)}.`;
  },
  draw,
  paint,
  walk,
  hover: ({ x, y }, state, model, box) => {
    const square = place(box);
    const [px, py] = [Math.floor(((x - square.x) / square.width) * SIDE), Math.floor(((y - square.y) / square.width) * SIDE)];
    const isIn = px >= 0 && py >= 0 && px < SIDE && py < SIDE;
    const look = isIn ? rings.lo[py * SIDE + px] : -1;
    return look === state.look ? null : { look };
  },
  controls: (state) => [
    { kind: "range", name: "order", label: "Worst … best first", min: -1, max: 1, step: 0.01, value: state.order, text: orderWords(state.order, WORDS[state.guess][0]), change: (order) => ({ order, pruning: true }) },
    { kind: "choice", name: "guess", label: "Order that needs no values", value: state.guess, options: Object.entries(CHOICES.guess), change: (guess) => ({ guess, order: 0, pruning: true }) },
    { kind: "range", name: "depth", label: "Depth by depth", min: 0, max: 9, value: depthOf(state), text: depthOf(state) ? `to ${depthOf(state)}` : "at once", change: (depth) => ({ depth, pruning: true }) },
    { kind: "switch", name: "pruning", label: "Alpha-beta", value: state.pruning },
    { kind: "switch", name: "memory", label: "Table", value: state.memory },
  ],
};
