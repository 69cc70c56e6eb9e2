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
    played: (tree) => [...tree.root.walk()][found.played], // the server lists nodes in the same order
    leftOut: found.left_out,
    outcome: found.result,
    ended: found.ended_by ? { result: found.result, by: found.ended_by } : null,
  };
}

function rootOf(entries) {
  const nodes = [];
  for (const { parent, move = null, name = "", player = 0, comment = "", note = {} } of entries) {
    const node = Object.assign(new Node(nodes[parent] ?? null, move), { name, player, comment }, fieldsOf(note));
    nodes[parent]?.children.push(node);
    nodes.push(node);
  }
  return nodes[0];
}

/** The shapes that this page draws; other marks of a file stay in it. */
const SHAPES = ["circle", "arrow"];

/** What is attached to a move in a file, as a node has it; `also` is what only files have. */
function fieldsOf({ glyph = "", marks = [], time = null, by = "", ...rest }) {
  const drawn = marks.filter(([shape]) => SHAPES.includes(shape)).map(([, from, to = from]) => ({ from, to }));
  const others = marks.filter(([shape]) => !SHAPES.includes(shape));
  const also = others.length ? { ...rest, marks: others } : rest;
  return { glyph, marks: drawn, time, by, also: Object.keys(also).length ? also : null };
}

/** What is attached to a move, as files have it; undefined if nothing is. `usual` plays for its side. */
function noteOf({ glyph, marks, time, by, also }, usual) {
  const drawn = marks.map(({ from, to }) => (from === to ? ["circle", from] : ["arrow", from, to]));
  const all = [...(also?.marks ?? []), ...drawn];
  const note = { ...also, glyph: glyph || undefined, marks: all.length ? all : undefined, time: time ?? undefined, by: by && by !== usual ? by : undefined };
  return Object.values(note).some((value) => value !== undefined) ? note : undefined;
}

/** The game as a file: `{ file, suffix, left_out }`. */
export function fileOf(session, format) {
  const { tree, headers, positions, seats, opening } = session;
  const players = session.players.map((name, k) => name || seats[k ? -1 : 1]);
  const places = new Map();
  const nodes = [...tree.root.walk()].map((node, place) => {
    places.set(node, place);
    const note = noteOf(node, players[node.player > 0 ? 0 : 1]);
    return { parent: node.parent ? places.get(node.parent) : undefined, move: node.move ?? undefined, comment: node.comment || undefined, note };
  });
  const { ended } = tree.played;
  const game = { game: session.name, start: positions.start || undefined, players, event: headers, result: ended?.result, ended_by: ended?.by, opening, played: places.get(tree.played), nodes };
  return post("/api/tree/record", { tree: game, format });
}
