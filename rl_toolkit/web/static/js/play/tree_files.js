/** Trees from files and pasted text, and into files; the server reads and writes them. */

import { post } from "../base/api.js";
import { Node } from "../model/tree.js";

/** The game in `content` (`{ text }` or `{ data }`), as `Session.open` takes it; null if none was chosen. */
export async function openTree(content, game, choose) {
  let found = await post("/api/tree/open", { ...content, game });
  if (found.games) {
    const number = await choose(found);
    if (!number) return null;
    found = await post("/api/tree/open", { ...content, game, number });
  }
  return {
    family: found.family,
    name: found.game,
    start: found.start,
    root: rootOf(found.nodes),
    players: found.players,
    headers: found.event,
    opening: found.opening,
    leftOut: found.left_out,
    ended: found.ended_by ? { result: found.result, by: found.ended_by } : null,
  };
}

function rootOf(entries) {
  const nodes = [];
  for (const { parent, move = null, name = "", player = 0, comment = "" } of entries) {
    const node = Object.assign(new Node(nodes[parent] ?? null, move), { name, player, comment });
    nodes[parent]?.children.push(node);
    nodes.push(node);
  }
  return nodes[0];
}

/** The game as a file: `{ file, suffix, left_out }`. */
export function fileOf(session, format) {
  const { tree, headers, positions, seats, opening } = session;
  const players = session.players.map((name, k) => name || seats[k ? -1 : 1]);
  const places = new Map();
  const nodes = [...tree.root.walk()].map((node, place) => {
    places.set(node, place);
    return { parent: node.parent ? places.get(node.parent) : undefined, move: node.move ?? undefined, comment: node.comment || undefined };
  });
  const { ended } = tree.played === tree.end ? tree.end : {};
  const game = { game: session.name, start: positions.start || undefined, players, event: headers, result: ended?.result, ended_by: ended?.by, opening, nodes };
  return post("/api/tree/record", { tree: game, format });
}
