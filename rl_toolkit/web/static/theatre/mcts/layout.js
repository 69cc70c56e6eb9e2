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
  const path = new Set(phase === START ? [0] : recording.sims[s].path);
  const weight = (n) => (path.has(n) ? 1e9 : 0) + (parent[n] === 0 ? 1e6 : 0) + upTo(recording.through[n], s - 1);
  // From the start down, always the node of the greatest weight among the children of drawn nodes.
  const kids = new Map();
  const live = new Map();
  const waiting = [];
  const open = (n) => {
    const children = recording.liveChildren(n, t);
    kids.set(n, []);
    live.set(n, children.length);
    for (const child of children) waiting.push([weight(child), child]);
  };
  open(0);
  let leaves = 1;
  while (waiting.length) {
    let best = 0;
    for (let k = 1; k < waiting.length; k++) if (before(waiting[k], waiting[best])) best = k;
    const n = waiting[best][1];
    waiting[best] = waiting.at(-1);
    waiting.pop();
    const beside = kids.get(parent[n]);
    if (beside.length) {
      if (leaves >= room && !path.has(n)) continue;
      leaves += 1;
    }
    beside.push(n);
    open(n);
  }
  const places = new Map();
  const hidden = new Map();
  let [column, depth] = [0, 0];
  const walk = (n, row) => {
    depth = Math.max(depth, row);
    const drawn = kids.get(n);
    if (live.get(n) > drawn.length) hidden.set(n, live.get(n) - drawn.length);
    const below = drawn.sort((a, b) => move[a] - move[b]).map((child) => walk(child, row + 1));
    const at = below.length ? (below[0] + below.at(-1)) / 2 : column++;
    places.set(n, [at, row]);
    return at;
  };
  walk(0, 0);
  return { places, hidden, leaves: column, depth, count: recording.size(t) };
}

/** Whether one of two pairs of weight and node comes first; of equal weights the older node. */
const before = (one, other) => one[0] > other[0] || (one[0] === other[0] && one[1] < other[1]);
