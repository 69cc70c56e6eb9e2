/** A typed tree whose leaves are bars to drag; minimax or alpha-beta runs anew at every change. */

import { RESULT, searched } from "../think/alpha_beta.js";
import { leavesOf, readTree, TreeGame, walk, writeTree } from "../think/hand_tree.js";
import { teller, theEnd } from "../think/teller.js";
import { clamp, plural } from "./shared.js";
import { drawTree } from "./tree_draw.js";
import { layoutOf } from "./tree_layout.js";

/** What can be drawn so that it can be read. */
const MOST_LEAVES = 32;
const MOST_PLIES = 6;

function think({ tree: text, pruning: asked, plain }) {
  const pruning = asked && !plain;
  const tree = readTree(text);
  const all = walk(tree.root);
  if (all.length - all.filter(({ node }) => node.children).length > MOST_LEAVES || all.some(({ depth }) => depth > MOST_PLIES)) throw new SyntaxError(`a tree here has at most ${MOST_LEAVES} leaves and ${MOST_PLIES} plies`);
  const game = new TreeGame(tree);
  const search = searched(game, { pruning });
  const entered = new Map(search.nodes.map((node) => [Math.max(0, node.move), node]));
  const cutAt = new Map();
  for (const [step, { left }] of search.cuts) for (const move of left) cutAt.set(move, step);
  const stepsOf = (node, step) => search.steps.slice(node.opened, step + 1).filter((each) => each.node === node.number);
  return {
    tree, pruning, game, search, all, entered, cutAt,
    byNumber: new Map(all.map(({ node }) => [node.number, node])),
    leaves: leavesOf(tree.root),
    depth: Math.max(...all.map(({ depth }) => depth)),
    cuts: [...search.cuts.keys()],
    onLine: new Set(search.line),
    sentence: teller(game, search, { pruning }),
    bestAt: (node, step) => stepsOf(node, step).at(-1).best,
    windowAt: (node, step) => stepsOf(node, step).at(-1),
  };
}

const last = ({ search }) => search.steps.length - 1;

/** The step that is shown: a number, `end`, `cut`, `cut2`, … or the name of a node: when its value has come back. */
function stepOf({ at }, model) {
  if (/^\d+$/.test(at)) return Math.min(Number(at), last(model));
  const [, cut] = /^cut(\d*)$/.exec(at) ?? [];
  if (cut !== undefined) return model.cuts[Number(cut || 1) - 1] ?? last(model);
  const named = [...model.entered.values()].find((node) => node.parent >= 0 && model.game.name(node.move) === at);
  return named ? named.closed + 1 : last(model);
}

const leavesRead = (steps) => steps.filter(({ kind }) => kind === RESULT).length;
const workOf = (text) => leavesRead(searched(new TreeGame(readTree(text)), {}).steps);

function facts(state, model) {
  const { search, game, all, leaves, tree } = model;
  const { nodes, steps } = search;
  const found = {
    value: search.value, all: leaves.length, positions: all.length, nodes: nodes.length, leaves: leavesRead(steps), cuts: model.cuts.length,
    line: search.line.map((move) => game.name(move)).join(" "), best: game.name(search.line[0]), step: stepOf(state, model),
    leavesBest: workOf(sorted(model, 1)), leavesWorst: workOf(sorted(model, -1)),
    nodesBest: searched(new TreeGame(readTree(sorted(model, 1))), {}).nodes.length,
    deep: [...search.cuts.values()].filter(({ node, from }) => from >= 0 && nodes[node].parent !== from).length,
    ties: nodes[0].known.filter((child) => child.value === search.value && child.lo === child.hi).length,
    maxFirst: Number(tree.first > 0), ...deciding(model, state),
  };
  for (const { node } of all.slice(1)) {
    const entered = model.entered.get(node.number);
    found[`seen.${node.name}`] = Number(entered !== undefined);
    found[`value.${node.name}`] = entered ? entered.value : NaN;
    found[`exact.${node.name}`] = Number(entered !== undefined && entered.lo === entered.hi);
    if (!node.children) found[`leaf.${node.name}`] = node.value;
  }
  return found;
}

/** The tree with the moves of every node sorted: the best first for its player, or the worst. */
function sorted({ tree }, sign) {
  const copy = readTree(writeTree(tree));
  const sort = (node, side) => {
    if (!node.children) return node.value;
    const valued = node.children.map((child) => [sort(child, -side), child]).sort(([a], [b]) => (b - a) * side * sign);
    node.children = valued.map(([, child]) => child);
    return valued[sign > 0 ? 0 : valued.length - 1][0];
  };
  sort(copy.root, copy.first);
  return writeTree(copy);
}

function withLeaf(model, id, value, { low, high }) {
  const copy = readTree(writeTree(model.tree));
  const leaf = leavesOf(copy.root).find(({ number }) => `leaf:${number}` === id);
  leaf.value = clamp(Math.round(value), low, high);
  return { tree: writeTree(copy) };
}

/** How many leaves can change the value at the top by themselves, within the bars' range, and which. */
function deciding({ tree, leaves }, { low, high }) {
  const worth = (node, side) => (node.children ? side * Math.max(...node.children.map((child) => side * worth(child, -side))) : node.value);
  const names = leaves.filter((leaf) => {
    const { value } = leaf;
    const [least, most] = [low, high].map((end) => worth(Object.assign(leaf, { value: end }) && tree.root, tree.first));
    leaf.value = value;
    return least < most;
  });
  return { deciding: names.length, decidingNames: names.map(({ name }) => name).join(" ") };
}

/** A typed tree, and bars that are high enough for it. */
function typed(text, { low, high }) {
  const values = (text.match(/[-−]?\d+(\.\d+)?/g) ?? []).map((word) => Number(word.replace("−", "-")));
  return { tree: text.trim(), at: "end", low: Math.min(low, ...values), high: Math.max(high, ...values) };
}

const leafValue = (model, id) => model.leaves.find(({ number }) => `leaf:${number}` === id).value;

export default {
  name: "tree",
  title: "A tree to change",
  start: { tree: "(3 12 8) (2 4 6) (14 5 2)", at: "end", pruning: true, low: 0, high: 15, plain: false },
  depends: ["tree", "pruning", "plain"],
  think,
  facts,
  sentence: (state, model) => {
    const step = stepOf(state, model);
    if (step < last(model)) return model.sentence(step);
    const { search, leaves, cuts } = model;
    return `${theEnd(model.game, search)} ${plural(leavesRead(search.steps), "leaf", "leaves")} of ${leaves.length} read${state.plain ? "" : `, ${plural(cuts.length, "cut")}`}.`;
  },
  check: ({ at }, model) => {
    const names = model.all.map(({ node }) => node.name).filter(Boolean);
    if (!/^(\d+|end|cut([1-9]\d*)?)$/.test(at) && !names.includes(at)) throw new SyntaxError(`at is the number of a step, end, cut, cut2 and so on, or a node such as ${names[0]}, not “${at}”`);
  },
  draw: (state, model, box) => drawTree(state, model, box, stepOf(state, model)),
  drag: (id, before, model, { y, from }, box) => {
    const { barsHeight } = layoutOf(model, box, before);
    const start = leavesOf(readTree(before.tree).root).find(({ number }) => `leaf:${number}` === id).value;
    return withLeaf(model, id, start + ((from.y - y) / (barsHeight - box.unit * 1.4)) * (before.high - before.low), before);
  },
  nudge: (id, by, state, model) => withLeaf(model, id, leafValue(model, id) + by, state),
  controls: (state, model) => {
    const [step, end] = [stepOf(state, model), last(model)];
    const to = (wanted) => ({ at: wanted >= end ? "end" : String(Math.max(0, wanted)) });
    const ofCuts = [
      { kind: "button", label: "Next ✂", title: "To the next cut", run: () => to(model.cuts.find((cut) => cut > step) ?? model.cuts[0]), disabled: !model.cuts.length },
      { kind: "switch", name: "pruning", label: "Alpha-beta", value: state.pruning },
      { kind: "button", label: "Best first", title: "Sort the moves of every node, the best first", run: () => ({ tree: sorted(model, 1), at: "end" }) },
      { kind: "button", label: "Worst first", title: "Sort the moves of every node, the worst first", run: () => ({ tree: sorted(model, -1), at: "end" }) },
    ];
    return [
      { kind: "button", label: "◀", title: "One step back", run: () => to(step - 1), disabled: step === 0 },
      { kind: "range", name: "at", label: "Step", min: 0, max: end, value: step, text: `${step} / ${end}`, spoken: model.sentence(step), change: to },
      { kind: "button", label: "▶", title: "One step forward", run: () => to(step + 1), disabled: step === end },
      ...(state.plain ? [] : ofCuts),
      { kind: "text", name: "tree", label: "Type a tree", hint: "Numbers are leaves, a pair of parentheses is a node.", value: state.tree, change: (text) => typed(text, state) },
    ];
  },
};
