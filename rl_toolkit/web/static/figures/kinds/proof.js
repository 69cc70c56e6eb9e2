/** An AND/OR tree with proof numbers, and a proof that one may contradict by pressing a leaf. */

import { s } from "../frame/vnode.js";
import { readTree, walk, writeTree } from "../think/hand_tree.js";
import { answerOf, ProofSearch, proofTree } from "../think/proof_numbers.js";
import { checkStep, clamp, label, plural, stepAt, stepControls } from "./shared.js";

const started = (tree) => new ProofSearch(tree.root, { isOr: tree.first > 0, target: 1, childrenOf: (node) => node.children ?? [], scoreOf: (node) => node.value ?? null });

function think({ tree: text }) {
  const tree = readTree(text);
  const all = walk(tree.root);
  return { tree, all, leaves: all.filter(({ node }) => !node.children), search: started(tree).run(), depth: Math.max(...all.map(({ depth }) => depth)), shown: new Map() };
}

const last = ({ search }) => search.steps.length;
const stepOf = ({ at }, model) => stepAt(at, last(model));

/** The search after some steps: numbers by node, the proof if there is one, and the way to the next leaf. */
function shownAt(state, model) {
  const step = stepOf(state, model);
  if (!model.shown.has(step)) {
    const search = started(model.tree).run(step);
    const known = new Map(search.nodes.map((node) => [node.place.number, node]));
    const answer = answerOf(search.root);
    const path = new Set();
    if (answer === null) for (let node = search.mostProving(); node; node = node.parent) path.add(node.place.number);
    const proof = new Set(answer === null ? [] : proofTree(search.root).map((node) => node.place.number));
    model.shown.set(step, { step, search, known, answer, path, proof });
  }
  return model.shown.get(step);
}

const text = (number) => (Number.isFinite(number) ? String(number) : "∞");

function draw(state, model, box) {
  const { width, height, unit, ink, size } = box;
  const shown = shownAt(state, model);
  const gutter = size === "small" ? 4 : unit * 3.4;
  const room = (width - gutter - 6) / model.leaves.length;
  const rows = (height - unit * 4) / model.depth;
  const boxWidth = clamp(room * 1.15, 26, unit * 4);
  const boxHeight = clamp(rows * 0.4, 16, unit * 1.7);
  const at = new Map();
  let next = 0;
  const put = (node, depth) => {
    const inside = node.children?.map((child) => put(child, depth + 1).x);
    at.set(node.number, { x: inside ? (inside[0] + inside.at(-1)) / 2 : gutter + room * (next++ + 0.5), y: unit * 1.6 + depth * rows });
    return at.get(node.number);
  };
  put(model.tree.root, 0);
  const colour = shown.answer ? ink.goodFill : ink.badFill;
  const bands = [...Array(model.depth).keys()].map((depth) => {
    const isOr = (depth % 2 === 0) === model.tree.first > 0;
    return [
      s("rect", { key: `band${depth}`, x: 0, y: unit * 1.6 + depth * rows - boxHeight * 0.85, width, height: boxHeight * 1.7, rx: 8, fill: isOr ? ink.maxBand : ink.minBand }),
    ];
  });
  // On a phone the names of the rows stand in their corners.
  const y = (depth) => (size === "small" ? Math.max(unit * 0.85, unit * 2.3 + depth * rows - boxHeight * 0.85) : unit * 1.9 + depth * rows);
  const sides = [...Array(model.depth).keys()].map((depth) => {
    const isOr = (depth % 2 === 0) === model.tree.first > 0;
    return label(box, size === "small" ? 3 : 8, y(depth), isOr ? "OR" : "AND", { key: `side${depth}`, anchor: "start", weight: 700, size: unit * 0.85, colour: isOr ? ink.accent : ink.o });
  });
  const edges = model.all.filter(({ parent }) => parent).map(({ node, parent }) => {
    const [a, b] = [at.get(parent.number), at.get(node.number)];
    const both = (set) => set.has(node.number) && set.has(parent.number);
    const look = both(shown.proof) ? { stroke: colour, "stroke-width": 5 } : both(shown.path) ? { stroke: ink.accent, "stroke-width": 3, "stroke-dasharray": "6 4" } : { stroke: ink.even, "stroke-opacity": shown.known.has(node.number) ? 0.9 : 0.35 };
    return s("line", { key: `e${node.number}`, x1: a.x, y1: a.y + boxHeight / 2, x2: b.x, y2: b.y - boxHeight / 2, ...look });
  });
  const nodes = model.all.map(({ node }) => (node.children ? inner(node) : leaf(node)));
  return [s("g", { key: "bands" }, bands), s("g", { key: "edges" }, edges), s("g", { key: "nodes" }, nodes), s("g", { key: "sides" }, sides)];

  /** A node with its proof number at the left and its disproof number at the right. */
  function inner(node) {
    const { x, y } = at.get(node.number);
    const known = shown.known.get(node.number);
    const frame = { x: x - boxWidth / 2, y: y - boxHeight / 2, width: boxWidth, height: boxHeight, rx: 6 };
    if (!known) return s("rect", { key: `n${node.number}`, ...frame, fill: ink.panel, stroke: ink.even, "stroke-dasharray": "2 3", "stroke-opacity": 0.6 });
    const mark = shown.proof.has(node.number) ? { stroke: colour, "stroke-width": 4 } : shown.path.has(node.number) ? { stroke: ink.accent, "stroke-width": 3 } : { stroke: ink.soft, "stroke-width": 1.2 };
    const font = clamp(Math.min(boxHeight * 0.62, boxWidth / 3.4), 9, 22);
    return s(
      "g",
      { key: `n${node.number}` },
      s("rect", { ...frame, fill: ink.panel, ...mark }),
      s("line", { x1: x, x2: x, y1: y - boxHeight / 2, y2: y + boxHeight / 2, stroke: ink.line }),
      label(box, x - boxWidth / 4, y + font * 0.36, text(known.proof), { size: font, weight: 700, colour: ink.good, halo: null }),
      label(box, x + boxWidth / 4, y + font * 0.36, text(known.disproof), { size: font, weight: 700, colour: ink.bad, halo: null }),
    );
  }

  function leaf(node) {
    const { x, y } = at.get(node.number);
    const isKnown = shown.known.has(node.number);
    const yes = node.value >= 1;
    const r = clamp(room * 0.42, 8, boxHeight * 0.7);
    const fill = !isKnown ? ink.raised : yes ? ink.goodFill : ink.badFill;
    const flipped = { tree: writeTree(withLeaf(model.tree, node.number, yes ? 0 : 1)), at: "end" };
    const said = `Leaf ${node.name}: ${isKnown ? (yes ? "yes" : "no") : "not looked at"}${shown.proof.has(node.number) ? ", part of the proof" : ""}`;
    return s(
      "g",
      { key: `l${node.number}`, "data-set": JSON.stringify(flipped), role: "button", "aria-label": said },
      s("circle", { cx: x, cy: y, r, fill, "fill-opacity": isKnown ? 1 : 0.7, stroke: shown.proof.has(node.number) ? ink.ink : ink.line, "stroke-width": shown.proof.has(node.number) ? 3 : 1 }),
      label(box, x, y + r * 0.38, isKnown ? (yes ? "✓" : "✗") : "?", { size: r * 1.05, weight: 700, colour: isKnown ? ink.panel : ink.soft, halo: null }),
      room > 20 && label(box, x, y + r + unit, node.name, { size: Math.min(unit * 0.65, room * 0.36), colour: ink.soft }),
    );
  }
}

function withLeaf(tree, number, value) {
  const copy = readTree(writeTree(tree));
  walk(copy.root).find(({ node }) => node.number === number).node.value = value;
  return copy;
}

const looked = (shown) => [...shown.known.values()].filter(({ place }) => !place.children).length;
const nameOf = (node) => node.name || "the root";

export default {
  name: "proof",
  title: "A proof that you may contradict",
  start: { tree: "((1 1) (0 1 1)) ((1 1) (1)) ((0 0) (1 0))", at: "end" },
  depends: ["tree"],
  think,
  facts: (state, model) => {
    const shown = shownAt(state, model);
    const found = {
      step: shown.step, steps: last(model), answer: Number(shown.answer === true), open: Number(shown.answer === null), proof: shown.search.root.proof, disproof: shown.search.root.disproof,
      made: shown.known.size, all: model.all.length, leaves: model.leaves.length, looked: looked(shown), proofNodes: shown.proof.size,
      proofLeaves: [...shown.proof].filter((number) => !shown.known.get(number).place.children).length,
      next: shown.answer === null ? nameOf(shown.search.mostProving().place) : "",
    };
    for (const { node } of model.all) if (node.name) {
      const known = shown.known.get(node.number);
      Object.assign(found, { [`proof.${node.name}`]: known?.proof ?? NaN, [`disproof.${node.name}`]: known?.disproof ?? NaN, [`in.${node.name}`]: Number(shown.proof.has(node.number)) });
    }
    return found;
  },
  sentence: (state, model) => {
    const shown = shownAt(state, model);
    const { proof, disproof } = shown.search.root;
    if (shown.answer === null) return `After ${plural(shown.step, "step")}: ${plural(proof, "leaf", "leaves")} could prove it, ${plural(disproof, "leaf", "leaves")} could disprove it. Next is ${nameOf(shown.search.mostProving().place)}.`;
    return `${shown.answer ? "Proven" : "Disproven"} after ${plural(shown.step, "step")}: the search looked at ${looked(shown)} of ${plural(model.leaves.length, "leaf", "leaves")}. Press a leaf of the ${shown.answer ? "proof" : "refutation"} to contradict it.`;
  },
  draw,
  check: checkStep,
  controls: (state, model) => stepControls(stepOf(state, model), last(model)),
};
