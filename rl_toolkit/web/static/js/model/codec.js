/**
 * A tree as short text, for links.
 *
 *     1~31(55)24             d b (f f) c e: where the line continues with c, f f was looked at, too
 *
 * The number before `~` says how many signs a move takes. Lines are written in the order in which
 * they are read: a variation stands in brackets before the move that it replaces. After a move may
 * stand its glyph (`*0` … `*5`, in the order of GLYPHS), marks (`:12-34;`) and a comment (`$text$` in
 * percent coding); before the first move those of the start. All signs may stand in an address as
 * they are. Names of moves are not written: the server says them when the text is read.
 */

import { GLYPHS, Node, Tree } from "./tree.js";

/** 65 signs: 64 squares and a pass need one each. */
const SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.";
const BASE = SIGNS.length;

/** The most nodes that a link may have; more would stop the page. */
const MOST_NODES = 20_000;

const signsOf = (move, width) => (width === 1 ? "" : SIGNS[Math.floor(move / BASE)]) + SIGNS[move % BASE];

/** The text of the tree below `root`. */
export function write(root) {
  let most = 0;
  for (const { move } of root.walk()) most = Math.max(most, move ?? 0);
  const width = most < BASE ? 1 : 2;
  const parts = [`${width}~`, notesOf(root)];
  // Lines are written in a loop, only variations nest: a game of 400 moves needs no deep stack.
  const line = (node) => {
    for (; node.next; node = node.next) {
      for (const other of node.children.slice(1)) {
        parts.push("(", signsOf(other.move, width), notesOf(other));
        line(other);
        parts.push(")");
      }
      parts.push(signsOf(node.next.move, width), notesOf(node.next));
    }
  };
  line(root);
  return parts.join("");
}

/** Whether the tree is one line without notes, for which a list of moves is enough. */
export function isPlain(root) {
  for (const { children, comment, glyph, marks } of root.walk()) if (children.length > 1 || comment || glyph || marks.length) return false;
  return true;
}

/** What an address says of `kept`, a game of the store, except which position it shows: equal for equal games. */
export function contentOf({ game, start, seats, opening, time, clock, tree }) {
  const opened = new Tree();
  opened.openPlain(tree);
  const { root, played } = opened;
  return JSON.stringify([game, start, seats[1], seats[-1], opening || 0, time || "", clock || "", write(root), played.path, played.ended?.by, played.ended?.result]);
}

function notesOf({ glyph, marks, comment }) {
  const drawn = marks.map(({ from, to }) => `:${from}-${to};`);
  return [glyph && `*${GLYPHS.indexOf(glyph)}`, ...drawn, comment && `$${percent(comment)}$`].join("");
}

/** Percent coding also of the signs that end a comment, or that messengers take for the end of a link. */
const percent = (text) => encodeURIComponent(text).replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The root of the tree that `text` describes; null if it describes none. */
export function read(text) {
  const head = /^([12])~/.exec(text);
  if (!head) return null;
  const width = Number(head[1]);
  const root = new Node(null, null);
  const outer = []; // the nodes at which the open brackets stand
  let [node, at, nodes] = [root, 2, 0];
  while (at < text.length) {
    const part = PARTS.exec(text.slice(at, at + 16)) ?? [];
    const [whole, bracket, glyph, from, to] = part;
    if (bracket === "(") outer.push(node);
    else if (bracket === ")") {
      if (!outer.length) return null;
      node = outer.pop();
    } else if (glyph) node.glyph = GLYPHS[Number(glyph)];
    else if (from) node.marks.push({ from: Number(from), to: Number(to) });
    else if (text[at] === "$") {
      const end = text.indexOf("$", at + 1);
      const comment = end < 0 ? null : decoded(text.slice(at + 1, end));
      if (comment === null) return null;
      node.comment = comment;
      at = end + 1;
      continue;
    } else {
      const move = [...text.slice(at, at + width)].reduce((sum, sign) => sum * BASE + place(sign), 0);
      if (at + width > text.length || Number.isNaN(move) || node.child(move) || (nodes += 1) > MOST_NODES) return null;
      const child = new Node(node, move);
      node.children.push(child);
      node = child;
      at += width;
      continue;
    }
    at += whole.length;
  }
  if (outer.length) return null;
  for (const each of root.walk()) if (each.children.length > 1) each.children.unshift(each.children.pop());
  return root;
}

const PARTS = /^(?:([()])|\*([0-5])|:(\d{1,6})-(\d{1,6});)/;

const place = (sign) => (SIGNS.includes(sign) ? SIGNS.indexOf(sign) : NaN);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

// --------------------------------------------------------------------------------- packed links

const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** The text, or its packed form (`z~…`) where that is shorter: comments pack well. */
export async function packed(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const short = `z~${toText(bytes)}`;
  return short.length < text.length ? short : text;
}

/** The text in a link, packed or not; "" if it cannot be read. */
export async function unpacked(text) {
  // Only comments have percent signs, unless a messenger has coded all of the text once more.
  const plain = text.replace(/\$[^$]*\$/g, "").includes("%") ? (decoded(text) ?? "") : text;
  if (!plain.startsWith("z~")) return plain;
  try {
    return new TextDecoder().decode(await through(toBytes(plain.slice(2)), new DecompressionStream("deflate-raw")));
  } catch {
    return "";
  }
}
