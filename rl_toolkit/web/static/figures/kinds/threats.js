/** Proof numbers on a real game: a win by continuous fours in Gomoku, step by step. */

import { s } from "../frame/vnode.js";
import { checkTurn } from "../think/pieces.js";
import { answerOf, proofTree } from "../think/proof_numbers.js";
import { nameOf, threatSearch } from "../think/threats.js";
import { checkStep, clamp, label, plural, stepAt, stepControls } from "./shared.js";

const MOST = 600; // steps
const POSITIONS = [
  ["9/4o1x2/1xx3x2/3xxo1o1/3x3o1/2o1o2o1/3oo2x1/4x4/9 x", "Nine plies"],
  ["9/1x2ooo2/2xoo4/6o2/3x3x1/3x1x1o1/3x1x3/3o5/9 x", "Thirteen plies"],
];

function think({ position }) {
  const search = threatSearch(position);
  const { cells, side, size } = search.root.place;
  checkTurn(cells.reduce((sum, piece) => sum + piece, 0), side);
  return { position, whole: search.run(MOST), size, kept: new Map() };
}

const last = ({ whole }) => whole.steps.length;
const stepOf = ({ at }, model) => stepAt(at, last(model));

/** The search after some steps, and the way that it goes: to the next leaf, or along the proof. */
function shownAt(state, model) {
  const step = stepOf(state, model);
  if (!model.kept.has(step)) {
    if (model.kept.size > 300) model.kept.clear();
    const { root, ...search } = threatSearch(model.position).run(step);
    const answer = answerOf(root);
    model.kept.set(step, { step, root, answer, made: search.nodes.length, way: answer === null ? toLeaf(root) : longest(root, new Set(proofTree(root))) });
  }
  return model.kept.get(step);
}

function toLeaf(root) {
  const way = [root];
  for (let node = root; node.children.length; way.push(node)) node = node.children.find((child) => (node.isOr ? child.proof === node.proof : child.disproof === node.disproof));
  return way;
}

/** The longest line of a proof: the defence that holds out longest. */
function longest(node, proof) {
  const below = node.children.filter((child) => proof.has(child)).map((child) => longest(child, proof));
  return [node, ...below.reduce((best, line) => (line.length > best.length ? line : best), [])];
}

const text = (number) => (Number.isFinite(number) ? String(number) : "∞");
const sideName = (side) => (side > 0 ? "X" : "O");

function draw(state, model, box) {
  const { width, height, unit, size } = box;
  const isSmall = size === "small";
  const side = Math.min(isSmall ? width - unit * 2 : width * 0.5, isSmall ? height * 0.52 : height - unit * 2.4);
  const shown = shownAt(state, model);
  const left = unit * 1.6;
  const rows = isSmall ? { x: 2, y: side + unit * 3, width: width - 4, height: height - side - unit * 3.4 } : { x: side + unit * 4, y: unit * 1.6, width: width - side - unit * 4.4, height: height - unit * 2.2 };
  return [crossings(model, shown, box, { left, top: unit * 0.6, side }), path(model, shown, box, rows)];
}

/** The board with the line as numbered stones. */
function crossings({ size: count, whole }, shown, box, { left, top, side }) {
  const { ink, unit } = box;
  const gap = side / count;
  const at = (cell) => [left + ((cell % count) + 0.5) * gap, top + (count - Math.floor(cell / count) - 0.5) * gap];
  const lines = Array.from({ length: count }, (_, i) => `M${left + gap / 2} ${top + (i + 0.5) * gap}h${side - gap}M${left + (i + 0.5) * gap} ${top + gap / 2}v${side - gap}`).join("");
  const { cells, side: attacker } = whole.root.place;
  const line = shown.way.slice(1);
  const stone = (cell, piece, number) => {
    const [x, y] = at(cell);
    const isNew = number !== null;
    const colour = piece > 0 ? ink.x : ink.o;
    return s(
      "g",
      { key: `c${cell}` },
      s("circle", { cx: x, cy: y, r: gap * 0.43, fill: piece > 0 ? colour : ink.panel, stroke: colour, "stroke-width": gap * 0.09 }),
      isNew && label(box, x, y + gap * 0.15, number, { size: gap * 0.42, weight: 750, colour: piece > 0 ? ink.panel : ink.ink, halo: null }),
    );
  };
  const final = line.length && line.at(-1).place;
  const won = final && final.won === attacker ? fiveThrough(final, count) : [];
  return s(
    "g",
    { key: "board", role: "img", "aria-label": line.length ? `The line: ${line.map(({ place }) => nameOf(place.move, count)).join(" ")}` : "The position" },
    s("rect", { x: left, y: top, width: side, height: side, rx: 4, fill: ink.raised, stroke: ink.line }),
    s("path", { d: lines, stroke: ink.even, "stroke-opacity": 0.6, fill: "none" }),
    won.map((cell) => s("circle", { key: `w${cell}`, cx: at(cell)[0], cy: at(cell)[1], r: gap * 0.5, fill: ink.goodFill, "fill-opacity": 0.6 })),
    [...cells.keys()].filter((cell) => cells[cell]).map((cell) => stone(cell, cells[cell], null)),
    line.map(({ place }, i) => stone(place.move, -place.side, i + 1)),
    Array.from({ length: count }, (_, i) => [
      label(box, left + (i + 0.5) * gap, top + side + unit * 0.9, String.fromCharCode(97 + i), { key: `f${i}`, size: unit * 0.75, colour: ink.soft }),
      label(box, left - unit * 0.4, top + side - (i + 0.5) * gap + unit * 0.3, i + 1, { key: `r${i}`, anchor: "end", size: unit * 0.75, colour: ink.soft }),
    ]),
  );
}

/** The stones of the row that the last move completed. */
function fiveThrough({ cells, move }, count) {
  const [x, y] = [move % count, Math.floor(move / count)];
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const row = [move];
    for (const sign of [1, -1]) for (let [cx, cy] = [x + sign * dx, y + sign * dy]; cx >= 0 && cx < count && cy >= 0 && cy < count && cells[cy * count + cx] === cells[move]; cx += sign * dx, cy += sign * dy) row.push(cy * count + cx);
    if (row.length >= 5) return row;
  }
  return [];
}

/** One row for each position on the way: its moves, each with proof and disproof number. */
function path({ size: count }, shown, box, { x: left, y: top, width, height }) {
  const { ink, unit } = box;
  const rows = shown.way.filter(({ children }) => children.length);
  const lane = clamp(height / Math.max(1, rows.length + 1), unit * 1.1, unit * 2.6);
  const room = Math.max(1, Math.floor(height / lane) - 1);
  const first = Math.max(0, rows.length - room);
  const chip = unit * 4.9;
  const most = Math.max(1, Math.floor((width - unit * 2.6) / chip));
  const drawn = rows.slice(first).map((node, i) => {
    const y = top + (i + 1) * lane;
    const next = shown.way[first + i + 1];
    const order = [...node.children].sort((a, b) => Number(b === next) - Number(a === next));
    const some = order.slice(0, most - Number(order.length > most));
    return s(
      "g",
      { key: `row${first + i}` },
      label(box, left, y, node.isOr ? "OR" : "AND", { anchor: "start", size: unit * 0.7, weight: 700, colour: node.isOr ? ink.accent : ink.o }),
      some.map((child, k) => {
        const x = left + unit * 2.6 + k * chip;
        const answer = answerOf(child);
        const fill = child === next ? ink.accent : ink.line;
        return [
          s("rect", { key: `b${k}`, x, y: y - unit * 0.27 - lane * 0.45, width: chip - 4, height: lane * 0.9, rx: 4, fill: answer === null ? ink.panel : answer ? ink.goodSoft : ink.badSoft, stroke: fill, "stroke-width": child === next ? 2.5 : 1 }),
          label(box, x + unit * 0.35, y, nameOf(child.place.move, count), { key: `n${k}`, anchor: "start", size: unit * 0.75, weight: 650, halo: null }),
          label(box, x + chip - unit * 1.75, y, text(child.proof), { key: `p${k}`, anchor: "end", size: unit * 0.75, weight: 650, colour: ink.good, halo: null }),
          label(box, x + chip - unit * 0.5, y, text(child.disproof), { key: `d${k}`, anchor: "end", size: unit * 0.75, weight: 650, colour: ink.bad, halo: null }),
        ];
      }),
      order.length > some.length && label(box, left + unit * 2.6 + some.length * chip, y, `+${order.length - some.length}`, { key: "more", anchor: "start", size: unit * 0.75, colour: ink.soft }),
    );
  });
  const { proof, disproof } = shown.root;
  const hidden = first ? `, the last ${rows.length - first} of ${rows.length} rows` : "";
  return s("g", { key: "path" }, label(box, left, top, `proof ${text(proof)} · disproof ${text(disproof)}${hidden}`, { key: "root", anchor: "start", size: unit * 0.8, weight: 650, colour: ink.soft }), drawn);
}

export default {
  name: "threats",
  title: "A chain of fours, found by proof numbers",
  start: { position: "9/4o1x2/1xx3x2/3xxo1o1/3x3o1/2o1o2o1/3oo2x1/4x4/9 x", at: "end" },
  positions: "gomoku-*",
  depends: ["position"],
  think,
  facts: (state, model) => {
    const shown = shownAt(state, model);
    const { root } = model.whole;
    const proof = answerOf(root) === true ? proofTree(root) : [];
    return {
      step: shown.step, steps: last(model), answer: Number(shown.answer === true), open: Number(shown.answer === null), proof: shown.root.proof, disproof: shown.root.disproof, made: shown.made,
      plies: shown.way.length - 1, fours: Math.floor((shown.way.length - 1) / 2), proofNodes: proof.length, first: shown.way[1] ? nameOf(shown.way[1].place.move, model.size) : "", tries: shown.root.children.length,
      widest: Math.max(...shown.way.filter(({ isOr }) => !isOr).map(({ children }) => children.length)),
    };
  },
  sentence: (state, model) => {
    const shown = shownAt(state, model);
    const side = sideName(model.whole.root.place.side);
    const line = shown.way.slice(1).map(({ place }) => nameOf(place.move, model.size)).join(" ");
    if (shown.answer === null) return `After ${plural(shown.step, "step")} and ${plural(shown.made, "position")} the question is open.${line ? ` Most proving now: ${line}.` : ""}`;
    if (!shown.answer) return `No: ${side} has no win by fours alone. Quiet moves were not tried.`;
    return `${side} wins by fours after ${plural(shown.step, "step")} and ${plural(shown.made, "position")}: ${line}.`;
  },
  draw,
  check: checkStep,
  controls: (state, model) => [...stepControls(stepOf(state, model), last(model)), { kind: "choice", name: "position", label: "Position", options: POSITIONS, value: state.position }],
};
