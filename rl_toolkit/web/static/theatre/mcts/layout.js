/**
 * Which nodes of a tree are drawn, and where. The path of the simulation is always drawn, then the
 * moves from the start, then the most visited nodes, as long as there is room for their leaves.
 * A function of the moment and of the room alone.
 */

import { START } from "./model.js";
import { upTo } from "./numbers.js";

/** Changes exactly when another set of nodes may have to be drawn. */
export function keyOf(recording, t) {
  const { s, phase } = recording.at(t);
  if (phase === START) return "start";
  const now = recording.reached(t).filter((n) => recording.through[n][0] === s).length;
  return `${s} ${now}`;
}

/** { places: Map node → [column, row], hidden: Map node → children not drawn, leaves, depth, count } */
export function layout(recording, t, room) {
  const { parent, move } = recording.nodes;
  const { s, phase } = recording.at(t);
  const live = recording.live(t);
  const path = new Set(phase === START ? [0] : recording.sims[s].path);
  const weight = (n) => (path.has(n) ? 1e9 : 0) + (parent[n] === 0 ? 1e6 : 0) + upTo(recording.through[n], s - 1);
  const ranked = live.filter((n) => n).map((n) => [weight(n), n]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const kids = new Map([[0, []]]);
  let leaves = 1;
  for (const [, n] of ranked) {
    const beside = kids.get(parent[n]);
    if (!beside) continue; // its parent is not drawn
    if (beside.length) {
      if (leaves >= room && !path.has(n)) continue;
      leaves += 1;
    }
    beside.push(n);
    kids.set(n, []);
  }
  const hidden = new Map();
  for (const [, n] of ranked) if (!kids.has(n) && kids.has(parent[n])) hidden.set(parent[n], (hidden.get(parent[n]) ?? 0) + 1);
  const places = new Map();
  let [column, depth] = [0, 0];
  const walk = (n, row) => {
    depth = Math.max(depth, row);
    const below = kids.get(n).sort((a, b) => move[a] - move[b]).map((child) => walk(child, row + 1));
    const at = below.length ? (below[0] + below.at(-1)) / 2 : column++;
    places.set(n, [at, row]);
    return at;
  };
  walk(0, 0);
  return { places, hidden, leaves: column, depth, count: live.length };
}
