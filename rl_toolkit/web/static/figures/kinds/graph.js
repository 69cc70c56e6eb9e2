/** A tree that slides into a graph: equal positions move together, and a table answers each after its first visit. */

import { s } from "../frame/vnode.js";
import { counter, searched } from "../think/alpha_beta.js";
import { ConnectFour } from "../think/connect_four.js";
import { checkTurn } from "../think/pieces.js";
import { TicTacToe } from "../think/tictactoe.js";
import { enteredNodes, unfolded } from "../think/unfolded.js";
import { board, clamp, colourKey, label, plural, thousands } from "./shared.js";

const MOST = 700; // nodes; a larger tree is a blot
const CHOICES = { game: { tictactoe: "Tic-Tac-Toe", "connect-four-4x4": "Connect Four" } };
/** By game its rules, what draws its board, and the position that is shown unless another is named. */
const GAMES = {
  tictactoe: { Game: TicTacToe, board, position: "x1o/1x1/2o x" },
  "connect-four-4x4": { Game: ConnectFour, board: discs, position: "4/1xoo/1xox/xxoo x" },
};

function think({ game: name, position, pruning, memory, mirrored }) {
  const { Game, board: drawn, position: usual } = GAMES[name];
  const game = new Game(position || usual);
  checkTurn(game.more, game.side);
  if (game.result !== null) throw new SyntaxError("the game is over in this position");
  const count = counter(game).all();
  if (count > MOST) throw new SyntaxError(`from here the tree has ${thousands(count)} nodes; at most ${MOST} can be drawn`);
  const search = searched(game, { pruning, memory });
  const tree = unfolded(game, { mirrored });
  const entered = enteredNodes(tree, search);
  const twins = new Map([...search.hits].map(([step, { twin }]) => [entered[search.steps[step].node], entered[twin]]));
  const visits = (options) => searched(game, options).nodes.length;
  const counts = { plain: search.plain, withTable: visits({ pruning: false, memory: true }), alphaBeta: visits({ pruning: true }), both: visits({ pruning: true, memory: true }) };
  return { ...tree, game, drawn, search, seen: new Set(entered), twins, counts };
}

const lookedAt = ({ look }, { nodes }) => nodes[Math.round(look)] ?? nodes[0];
const eased = ({ fold }) => clamp(fold, 0, 1) ** 2 * (3 - 2 * clamp(fold, 0, 1));

function layout(state, model, { width, height, unit, size }) {
  const left = size === "small" ? unit * 1.8 : unit * 3;
  const [top, bottom] = [unit * 1.2, height - unit * (size === "small" ? 4.6 : 1.2)];
  const ease = eased(state);
  const widest = Math.max(...model.rows.map(({ nodes }) => nodes.length));
  const r = clamp(((width - left) / widest) * 0.42 + ease * 4, 2, unit * 0.5);
  return {
    left, r,
    x: (node) => left + (node.tree + (node.graph - node.tree) * ease) * (width - left - r),
    y: (node) => top + (node.ply / (model.rows.length - 1)) * (bottom - top),
  };
}

/** How a dot looks: its fill, by what the search did there. */
function lookOf(node, { seen, twins }, ink) {
  if (!seen.has(node)) return { fill: ink.panel, stroke: ink.even, "stroke-opacity": 0.7 };
  if (twins.has(node)) return { fill: ink.warn, stroke: ink.ink, "stroke-width": 1.5 };
  if (node.result === null) return { fill: ink.accent };
  return { fill: node.result > 0 ? ink.goodFill : node.result < 0 ? ink.badFill : ink.even };
}

function draw(state, model, box) {
  const { unit, ink } = box;
  const key = meanings(state, model, ink);
  const wide = Math.max(5.6, ...key.slice(0, 3).map(([, words]) => 1.4 + words.length * 0.4)); // units
  const { x, y, r, left } = layout(state, model, box);
  const looked = lookedAt(state, model);
  const same = model.rows[looked.ply].groups.get(looked.key);
  const lines = { left: "", seen: "", same: "" };
  for (const node of model.nodes) {
    if (!node.parent) continue;
    const kind = same.length > 1 && same.includes(node) ? "same" : model.seen.has(node) ? "seen" : "left";
    lines[kind] += `M${x(node.parent).toFixed(1)} ${y(node.parent).toFixed(1)}L${x(node).toFixed(1)} ${y(node).toFixed(1)}`;
  }
  const looks = { left: { stroke: ink.even, "stroke-opacity": 0.35 }, seen: { stroke: ink.soft, "stroke-opacity": 0.75 }, same: { stroke: ink.warn, "stroke-width": 3 } };
  const dots = [...model.nodes].sort((a, b) => drawnLater(a, model) - drawnLater(b, model)).map((node) => s("circle", { key: node.number, cx: x(node), cy: y(node), r: model.twins.has(node) ? r + 1 : r, ...lookOf(node, model, ink) }));
  const arcs = [...model.twins].filter(([node, twin]) => Math.abs(x(node) - x(twin)) > 4).map(([node, twin], i) => arc(x(node), y(node), x(twin), y(twin), r, i, box));
  return [
    Object.entries(looks).map(([kind, look]) => s("path", { key: kind, d: lines[kind] || "M0 0", fill: "none", ...look })),
    s("g", { key: "arcs" }, arcs),
    s("g", { key: "dots" }, dots),
    s("circle", { key: "walk", "data-walk": "", role: "img", "aria-label": told(looked, same, model), cx: x(looked), cy: y(looked), r: r + 4, fill: "none", stroke: ink.ink, "stroke-width": 3 }),
    s("g", { key: "counts" }, model.rows.map(({ nodes, groups }) => label(box, left - unit * 0.7, y(nodes[0]) + unit * 0.3, thousands(eased(state) > 0.5 ? groups.size : nodes.length), { anchor: "end", size: unit * 0.8, colour: ink.soft }))),
    card(looked, same, model, box),
    box.size !== "small" && colourKey(box, left + unit * 0.6, 0, key, 3, wide),
  ];
}

const meanings = ({ pruning, memory }, { game: { sides } }, ink) => [
  [ink.goodFill, `${sides[1]} has won`], [ink.badFill, `${sides[-1]} has won`], [ink.even, "draw"], [ink.accent, "not over"],
  ...(memory ? [[ink.warn, "in the table"]] : []), ...(pruning || memory ? [[ink.panel, "not seen"]] : []),
];

const drawnLater = (node, { seen, twins }) => Number(seen.has(node)) + Number(twins.has(node));

/** From a position that the table answers to the place where it was stored. */
function arc(x1, y1, x2, y2, r, number, { unit, ink }) {
  const lift = Math.min(unit * 3, 8 + Math.abs(x1 - x2) * 0.16);
  return s("path", { key: number, d: `M${x1.toFixed(1)} ${(y1 + r).toFixed(1)}Q${((x1 + x2) / 2).toFixed(1)} ${(y1 + lift + r).toFixed(1)} ${x2.toFixed(1)} ${(y2 + r).toFixed(1)}`, fill: "none", stroke: ink.warn, "stroke-width": 1.6, "stroke-dasharray": "4 3" });
}

const pathOf = (node, game) => (node.parent ? [...pathOf(node.parent, game), game.name(node.move)] : []);
const times = (same) => (same.length === 1 ? "once in the tree" : `${same.length} times in the tree`);
const told = (node, same, { game }) => `${node.parent ? `After ${pathOf(node, game).join(" ")}` : "The start"}: ${times(same)}`;

/** The board of the node under the pointer; below the tree where there is no room beside the root. */
function card(node, same, { rows, drawn }, box) {
  const { width, height, unit, ink, size } = box;
  const side = size === "small" ? unit * 3.6 : clamp((height - unit * 2.4) / (rows.length - 1) - unit * 2.2, 40, 130);
  const [left, top] = size === "small" ? [2, height - side - 2] : [width - side - 4, 2];
  const text = size === "small" ? { x: side + unit, y: height - side / 2, anchor: "start" } : { x: width - 4, y: top + side + unit * 1.1, anchor: "end" };
  return [drawn(box, left, top, side, { xs: node.x, os: node.o, last: node.last, key: "board" }), label(box, text.x, text.y, times(same), { key: "times", anchor: text.anchor, size: unit * 0.8, colour: ink.soft })];
}

const [RED, YELLOW] = ["#e0403b", "#fdd23f"];

/** A small board of Connect Four on 4×4, row 1 at the bottom; `xs` and `os` are sets of cells. */
function discs({ ink }, x, y, width, { xs, os, last, key }) {
  const cell = width / 4;
  const holes = Array.from({ length: 16 }, (_, i) => {
    const [cx, cy] = [x + cell * ((i % 4) + 0.5), y + cell * (3.5 - Math.floor(i / 4))];
    const fill = (xs >> i) & 1 ? RED : (os >> i) & 1 ? YELLOW : "none";
    return s("circle", { cx, cy, r: cell * 0.38, fill, stroke: i === last ? ink.ink : ink.soft, "stroke-width": i === last ? 2.5 : 0.8 });
  });
  return s("g", { key }, s("rect", { x, y, width, height: width, rx: 3, fill: ink.panel, stroke: ink.line }), holes);
}

/** How many different positions the search enters. */
const distinct = ({ seen }) => new Set([...seen].map(({ key }) => key)).size;

/** Up to the parent, down to the first child, sideways along the row. */
function walk(pressed, state, model) {
  const node = lookedAt(state, model);
  const row = model.rows[node.ply].nodes;
  const beside = (by) => row[row.indexOf(node) + by] ?? node;
  const to = { ArrowUp: node.parent ?? node, ArrowDown: [...node.children.values()][0] ?? node, ArrowLeft: beside(-1), ArrowRight: beside(1), Home: model.root }[pressed];
  return to ? { look: to.number } : null;
}

export default {
  name: "graph",
  title: "A tree that is really a graph",
  start: { game: "tictactoe", position: "", fold: 0, pruning: false, memory: false, mirrored: false, look: 0 },
  choices: CHOICES,
  depends: ["game", "position", "pruning", "memory", "mirrored"],
  think,
  facts: (state, model) => {
    const looked = lookedAt(state, model);
    return {
      ...model.counts, nodes: model.nodes.length, places: model.places, visited: model.seen.size, hits: model.search.hits.size, spared: model.counts.plain - model.counts.withTable,
      distinct: distinct(model), again: model.seen.size - distinct(model) - model.search.hits.size, value: model.search.value, plies: model.rows.length - 1, times: model.rows[looked.ply].groups.get(looked.key).length, most: Math.max(...model.rows.flatMap(({ groups }) => [...groups.values()].map((group) => group.length))),
      meet: model.rows.findIndex(({ nodes, groups }) => groups.size < nodes.length), lastNodes: model.rows.at(-1).nodes.length, lastPlaces: model.rows.at(-1).groups.size, fold: state.fold,
    };
  },
  sentence: (state, model) => {
    const looked = lookedAt(state, model);
    const same = model.rows[looked.ply].groups.get(looked.key);
    const what = state.mirrored ? "different positions, images counted once" : "different positions";
    const hits = state.memory ? `; the table answers ${plural(model.search.hits.size, "of them", "of them")}` : "";
    return `${thousands(model.nodes.length)} nodes, ${thousands(model.places)} ${what}. This search enters ${plural(model.seen.size, "node")}${hits}.${looked.parent ? ` ${told(looked, same, model)}.` : ""}`;
  },
  draw,
  walk,
  hover: ({ x: left, y: top }, state, model, box) => {
    const { x, y } = layout(state, model, box);
    let [best, least] = [null, 22];
    for (const node of model.nodes) {
      const far = Math.hypot(x(node) - left, y(node) - top);
      if (far < least) [best, least] = [node, far];
    }
    return best && best.number !== state.look ? { look: best.number } : null;
  },
  controls: (state) => [
    { kind: "range", name: "fold", label: "Tree … graph", min: 0, max: 1, step: 0.01, value: state.fold, text: state.fold === 0 ? "tree" : state.fold === 1 ? "graph" : "" },
    { kind: "switch", name: "memory", label: "Table", value: state.memory },
    { kind: "switch", name: "pruning", label: "Alpha-beta", value: state.pruning },
    { kind: "switch", name: "mirrored", label: "Images are equal", value: state.mirrored },
    { kind: "choice", name: "game", label: "Game", options: Object.entries(CHOICES.game), value: state.game, change: (game) => ({ game, position: "", look: 0 }) },
  ],
};
