/** What a search does, in the sentences of `rl_toolkit.explain`: the twin of `explain.traces.tell_minimax`. */

import { SENTENCES } from "../../../figures/sentences.js";
import { BETTER, CUT, ENTER, ENTER_WITH, HIT, RESULT, RETURN, SOFT, WORSE } from "./alpha_beta.js";

/** The results of a game by their score for X, and each as a noun. */
const RESULTS = { [1]: "win", [0]: "draw", [-1]: "loss" };
const AMOUNTS = { win: "a win", draw: "a draw", loss: "a loss" };

const fill = (name, slots) => SENTENCES.minimax[name].replace(/\{(\w+)\}/g, (_, slot) => slots[slot]);

/** A score: at most three digits after the point, a real minus. */
export function number(value) {
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞";
  return String(Math.round(value * 1000) / 1000 + 0).replace("-", "−");
}

/** What is known of a value: a number, or a bound. */
export function known({ value, lo, hi }) {
  if (lo === hi) return number(value);
  return value === hi ? `≤ ${number(value)}` : `≥ ${number(value)}`;
}

/** A function from the number of a step to its sentence. */
export function teller(game, { nodes, steps, cuts, hits }, { pruning }) {
  const { sides, isTyped } = game;
  const [x, o] = [sides[1], sides[-1]];
  const path = (node) => (node.parent < 0 ? "" : isTyped ? game.name(node.move) : `${path(nodes[node.parent])} ${game.name(node.move)}`.trim());
  const after = (node) => {
    const way = path(node);
    if (isTyped) return way ? `at ${way}` : "at the root";
    return way ? `after ${way}` : "at the start";
  };
  /** The move whose value is the bound of a node at a step. */
  const owner = (node, step) => {
    for (let at = step; at >= 0; at--) if (steps[at].node === node && steps[at].kind === BETTER) return game.name(childBefore(at).move);
    return "";
  };
  /** The child whose value has come back at a step. */
  const childBefore = (at) => nodes[steps[at - 1].node];
  const left = ({ left: moves, saved }) => {
    const total = saved.reduce((sum, size) => sum + size, 0);
    return `${moves.length === 1 ? "1 move" : `${moves.length} moves`} (${total.toLocaleString("en-GB")} position${total > 1 ? "s" : ""})`;
  };
  /** What a score is for X: a result, or a number, as every score of a typed tree. */
  const what = (score) => (isTyped ? "number" : (RESULTS[score] ?? "number"));
  const amount = (score) => AMOUNTS[what(score)] ?? number(score);
  /** What a move that is worth `bound` to X is for `side`, who has it. */
  const worth = (bound, side) => {
    if (what(bound) === (side > 0 ? "loss" : "win")) return "which loses too";
    return what(bound) === "draw" ? "a draw" : `worth ${amount(bound)}`;
  };
  /** Which sentence of a cut fits: whether `bound` or `value` is the best result. */
  const manner = (value, bound, mover) => {
    if (what(bound) === (mover > 0 ? "loss" : "win")) return "_best";
    if (what(value) === (mover > 0 ? "win" : "loss")) return "_over";
    return what(value) === "number" && what(bound) === "number" ? "" : "_held";
  };
  const bestBefore = (at) => steps.slice(0, at).findLast(({ kind, node }) => node === steps[at].node && (kind === BETTER || kind === SOFT)).value;

  const told = {
    [ENTER]: (step, node) => {
      const slots = { alpha: number(step.alpha), beta: number(step.beta) };
      if (node.parent < 0) return fill(pruning ? "start" : "plain", { side: sides[node.side], ...slots });
      return fill(pruning ? "enter_with" : "enter", { side: sides[nodes[node.parent].side], move: game.name(node.move), ...slots });
    },
    [RESULT]: ({ value }) => {
      if (isTyped) return fill("leaf", { value: number(value), x });
      if (value === 0) return fill("drawn", { value: number(value) });
      return fill("won", { side: sides[Math.sign(value)], value: number(value), x });
    },
    [HIT]: (_, node, at) => fill("hit", { where: `, ${after(nodes[hits.get(at).twin])}`, known: known(node) }),
    [BETTER]: ({ value }, node, at) => {
      const name = !pruning ? "best" : node.side > 0 ? "alpha" : "beta";
      return fill(name, { move: game.name(childBefore(at).move), side: sides[node.side], value: number(value) });
    },
    [SOFT]: ({ alpha, beta }, node, at) => {
      const child = childBefore(at);
      return fill(node.side > 0 ? "soft_max" : "soft_min", { move: game.name(child.move), known: known(child), alpha: number(alpha), beta: number(beta) });
    },
    [WORSE]: (_, node, at) => {
      const child = childBefore(at);
      return fill("worse", { move: game.name(child.move), known: known(child), best: number(bestBefore(at)) });
    },
    [CUT]: ({ value, alpha, beta }, node, at) => {
      const cut = cuts.get(at);
      const bound = node.side > 0 ? beta : alpha;
      const slots = { alpha: number(alpha), beta: number(beta), value: number(value), amount: amount(value), left: left(cut), x, o };
      const owned = { where: after(nodes[cut.from]), move: owner(cut.from, at), worth: worth(bound, -node.side) };
      const name = `${node.side > 0 ? "cut_max" : "cut_min"}${manner(value, bound, node.side)}`;
      return fill(name, { ...slots, ...owned }) + (cut.how.includes("table") ? fill("by_table", {}) : "");
    },
    [RETURN]: (_, node, at) => {
      const where = after(node);
      const isCut = steps.slice(0, at).some(({ kind, node: cut }) => kind === CUT && cut === node.number) && node.lo !== node.hi;
      return fill(isCut ? "return_cut" : "return", { after: where[0].toUpperCase() + where.slice(1), known: known(node), x });
    },
  };
  told[ENTER_WITH] = told[ENTER];
  return (at) => told[steps[at].kind](steps[at], nodes[steps[at].node], at);
}

/** The last sentence: the value, the line of best play, and the work. */
export function theEnd(game, { value, line, nodes, plain }) {
  const visited = `${nodes.length.toLocaleString("en-GB")} positions visited`;
  const more = plain > nodes.length ? `, ${plain.toLocaleString("en-GB")} by plain minimax` : "";
  return fill("end", { value: number(value), x: game.sides[1], line: line.map((move) => game.name(move)).join(" ") || "no move", visited: visited + more });
}
