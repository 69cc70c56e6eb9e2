/**
 * Which nodes of a tree are drawn, and where. The path of the simulation is always drawn, then the
 * moves from the start, then the most visited nodes, as long as there is room for their leaves.
 * A function of the moment and of the room alone. Where a path is longer than there are rows, its middle is folded.
 */

import { BACK_UP, START } from "./model.js";
import { upTo } from "./numbers.js";

/** Changes exactly when another set of nodes may have to be drawn. */
export function keyOf(recording, t) {
  const { s, phase } = recording.at(t);
  if (phase === START) return "start";
  const now = recording.reached(t).filter((n) => recording.through[n][0] === s).length;
  return `${s} ${now}`;
}

const TAIL = 3; // rows of a folded path below the fold

/**
 * Of a path that is longer than there are `rows`: rows before `head` are drawn whole, and of the others those from `from` on,
 * where the search is. `row` says in which row a node is drawn; undefined if in none.
 */
function folding(recording, t, rows) {
  const { s, phase, place } = recording.at(t);
  const path = phase === START ? [0] : recording.sims[s].path;
  if (path.length <= rows) return { row: (n, depth) => (depth < rows ? depth : undefined) };
  const head = rows - TAIL;
  const here = phase === BACK_UP ? place : recording.reached(t).length - 1;
  const from = here < head ? path.length - TAIL : Math.min(path.length - TAIL, Math.max(head, here - 1));
  const row = (n, depth) => (depth < head ? depth : depth >= from && depth < from + TAIL && path[depth] === n ? head + depth - from : undefined);
  return { row, after: from > head ? path[from] : -1, folded: from - head };
}

/**
 * { places: Map node → [column, row], hidden: Map node → children not drawn, leaves, depth, count }, and of a folded path
 * { after: the node below the fold, folded: how many nodes are in it }.
 */
export function layout(recording, t, room, rows = Infinity) {
  const { row: rowOf, ...fold } = folding(recording, t, rows);
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
  const hasRow = (n, down) => rowOf(n, down) !== undefined || (path.has(n) && down < path.size);
  const walk = (n, down) => {
    const drawn = kids.get(n).filter((child) => hasRow(child, down + 1));
    const below = drawn.sort((a, b) => move[a] - move[b]).map((child) => walk(child, down + 1));
    const at = below.length ? (below[0] + below.at(-1)) / 2 : column++;
    const row = rowOf(n, down);
    if (row === undefined) return at;
    depth = Math.max(depth, row);
    if (live.get(n) > drawn.length) hidden.set(n, live.get(n) - drawn.length);
    places.set(n, [at, row]);
    return at;
  };
  walk(0, 0);
  return { places, hidden, leaves: column, depth, count: recording.size(t), ...fold };
}

/** Whether one of two pairs of weight and node comes first; of equal weights the older node. */
const before = (one, other) => one[0] > other[0] || (one[0] === other[0] && one[1] < other[1]);
