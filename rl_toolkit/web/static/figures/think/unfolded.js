/**
 * A position unfolded twice: as the tree of all lines of play, and as the graph of the different positions in it.
 *
 * Every node of the tree has a place in both, between 0 and 1: `tree` and `graph`. All nodes of one position have the
 * same place in the graph, near the middle of their parents' places.
 */

export function unfolded(game, { mirrored = false } = {}) {
  const nodes = [];
  const add = (parent, move) => {
    const { x, o, side, result } = game;
    const node = { number: nodes.length, parent, ply: parent ? parent.ply + 1 : 0, move, last: game.history.at(-1) ?? -1, x, o, side, result, key: mirrored ? game.image : game.key, children: new Map() };
    nodes.push(node);
    parent?.children.set(move, node);
    for (const next of game.moves) {
      game.play(next);
      add(node, next);
      game.undo();
    }
    return node;
  };
  const root = add(null, -1);
  inTree(root, nodes);
  const rows = rowsOf(nodes);
  rows.forEach(inGraph);
  return { root, nodes, rows, places: rows.reduce((sum, { groups }) => sum + groups.size, 0) };
}

/** Leaves side by side, every other node above the middle of its children. */
function inTree(root, nodes) {
  let leaves = 0;
  const put = (node) => {
    const below = [...node.children.values()].map(put);
    node.tree = below.length ? (below[0] + below.at(-1)) / 2 : leaves++;
    return node.tree;
  };
  put(root);
  for (const node of nodes) node.tree = (node.tree + 0.5) / leaves;
}

/** For each ply its nodes, and the groups of nodes that are one position. */
function rowsOf(nodes) {
  const rows = [];
  for (const node of nodes) {
    const row = (rows[node.ply] ??= { nodes: [], groups: new Map() });
    row.nodes.push(node);
    if (!row.groups.has(node.key)) row.groups.set(node.key, []);
    row.groups.get(node.key).push(node);
  }
  return rows;
}

function inGraph({ groups }) {
  const middle = (group) => group.reduce((sum, { parent }) => sum + (parent?.graph ?? 0.5), 0) / group.length;
  const order = [...groups.values()].map((group) => [middle(group), group]).sort(([a, one], [b, other]) => a - b || one[0].number - other[0].number);
  order.forEach(([, group], i) => group.forEach((node) => (node.graph = (i + 0.5) / order.length)));
}

/** The nodes that a search entered, in its order: a part of the tree. */
export function enteredNodes({ root }, search) {
  const found = [];
  for (const { move, parent } of search.nodes) found.push(parent < 0 ? root : found[parent].children.get(move));
  return found;
}
