/** A search tree that grows: the width of a box is its visits, and any box can be opened as the bandit that it is. */

import { bonusOf } from "../think/bandits.js";
import { NAMES, readOpenPosition } from "../think/tictactoe.js";
import { truth, Uct } from "../think/uct.js";
import { drawUct } from "./uct_draw.js";
import { clamp, plural, thousands } from "./shared.js";

const MOST = 2000;
const kept = new WeakMap();

const counted = ({ n }) => clamp(Math.round(n), 1, MOST);

/** Visits and totals after n simulations; the tree grows as far as that needs. */
export function tallyOf(state, tree) {
  const n = counted(state);
  if (kept.get(tree)?.n !== n) kept.set(tree, { n, ...tree.growTo(n).tally(n) });
  return kept.get(tree);
}

/** The children of a node as arms, in the order of their cells. */
export function armsOf(state, tree, node) {
  const { visits, total } = tallyOf(state, tree);
  const arms = node.children.filter((child) => visits[child.number]).map((child) => {
    const own = visits[child.number];
    const [mean, bonus] = [total[child.number] / own, bonusOf(state.c, Math.max(1, visits[node.number]), own)];
    return { child, name: NAMES[child.move], visits: own, mean, bonus, sum: mean + bonus, worth: truth(child.x, child.o, child.side) * node.side };
  });
  return arms.sort((a, b) => a.child.move - b.child.move);
}

export function openNode(state, tree) {
  const node = tree.nodes[Math.round(state.node)];
  return node && tallyOf(state, tree).visits[node.number] ? node : tree.root;
}

const greatest = (arms, key) => arms.reduce((best, arm) => (key(arm) > key(best) ? arm : best));
const leaderOf = (arms) => greatest(arms, ({ visits }) => visits);
/** Which move is played after the search; the mixture is the best mean of moves with a quarter of the most visits. */
const RULES = {
  visits: leaderOf,
  mean: (arms) => greatest(arms, ({ mean }) => mean),
  mixture: (arms) => greatest(arms.filter(({ visits }) => visits >= leaderOf(arms).visits / 4), ({ mean }) => mean),
};
const CHOICES = { rule: { visits: "most visits", mean: "best mean", mixture: "mixture" } };

export default {
  name: "uct",
  title: "A bandit at every node",
  start: { position: "x1o/3/3 x", n: 100, c: 1.41, seed: 2, node: 0, truth: false, rule: "visits" },
  choices: CHOICES,
  positions: "tictactoe",
  depends: ["position", "c", "seed"],
  think: ({ position, c, seed }) => {
    readOpenPosition(position);
    return new Uct(position, { c, seed: Math.abs(Math.round(seed)) });
  },
  facts: (state, tree) => {
    const arms = armsOf(state, tree, tree.root);
    const leader = leaderOf(arms);
    const next = greatest(arms, ({ sum }) => sum);
    const [byMean, byMixture, played] = [RULES.mean(arms), RULES.mixture(arms), RULES[state.rule](arms)];
    const found = { n: counted(state), c: state.c, arms: arms.length, leader: leader.name, leaderVisits: leader.visits, leaderShare: leader.visits / counted(state), leaderTrue: leader.worth, nextMean: next.mean, bestMean: byMean.name, bestMeanVisits: byMean.visits, bestMeanTrue: byMean.worth, mixture: byMixture.name, mixtureTrue: byMixture.worth, played: played.name, playedTrue: played.worth, sumOfVisits: arms.reduce((sum, arm) => sum + arm.visits, 0) };
    for (const arm of arms) Object.assign(found, { [`visits.${arm.name}`]: arm.visits, [`mean.${arm.name}`]: arm.mean, [`true.${arm.name}`]: arm.worth });
    return found;
  },
  sentence: (state, tree) => {
    const arms = armsOf(state, tree, tree.root).sort((a, b) => b.visits - a.visits);
    const title = CHOICES.rule[state.rule];
    const rule = state.rule === "visits" ? "" : ` By ${title === "mixture" ? "the mixture" : title} it plays ${RULES[state.rule](arms).name}.`;
    const second = arms[1] ? `, ${arms[1].name} has ${thousands(arms[1].visits)}` : "";
    return `${plural(counted(state), "simulation")} with c = ${state.c.toFixed(2)}: ${arms[0].name} has ${plural(arms[0].visits, "visit")}${second}.${rule}`;
  },
  draw: (state, tree, box) => drawUct(state, tree, box, { tally: tallyOf(state, tree), open: openNode(state, tree), arms: armsOf(state, tree, openNode(state, tree)) }),
  controls: (state) => [
    { kind: "range", name: "n", label: "Simulations", min: 1, max: MOST, value: counted(state), text: thousands(counted(state)) },
    { kind: "button", label: "+1", title: "One more simulation", run: () => ({ n: Math.min(MOST, counted(state) + 1) }) },
    { kind: "range", name: "c", label: "c", min: 0, max: 4, step: 0.01, value: state.c, text: state.c.toFixed(2), change: (c) => ({ c, node: 0 }) },
    { kind: "choice", name: "rule", label: "Play by", options: Object.entries(CHOICES.rule), value: state.rule },
    { kind: "switch", name: "truth", label: "Show the truth", value: state.truth },
    { kind: "button", label: "Other luck", title: "The same position with another seed", run: () => ({ seed: state.seed + 1, node: 0 }) },
  ],
};
