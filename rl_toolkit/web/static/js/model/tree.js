/**
 * A game as a tree that keeps everything: moves, other moves, comments, glyphs, marks, reviews. It
 * knows no rules, asks no server and draws nothing.
 *
 *     root ── d ── b ── c ── e        the first child of a node is the line that continues it; the
 *                  └─── f ── f        chain of first children from the root is the main line
 *                       └── g
 *
 * A node is known by its path, the moves that lead to it ("3 1 5"): siblings never share a move, so
 * the path is the same in another tab, in a file, in a link and after an undo.
 *
 * The game as it was played is a path, too (`played`): which line is the main one may change, this
 * may not, and its moves cannot be deleted.
 *
 * Two copies of a tree can be joined (`merge`). What a person did last wins: nodes, texts, orders and
 * deletions carry the moment in which they were made.
 */

/** Signs that people give moves, in the order in which links number them. */
export const GLYPHS = ["!", "?", "!!", "??", "!?", "?!"];

const MOST_UNDO = 50;

/** The fields of a node that are saved, with their empty values. */
const KEPT = { name: "", player: 0, comment: "", glyph: "", marks: [], review: null, ended: null, by: "", time: null, also: null, folded: false, born: 0, noted: 0, ordered: 0 };

export class Node {
  name = ""; // of the move; the server says it
  player = 0; // who made the move: 1 or −1
  comment = "";
  glyph = ""; // one of GLYPHS
  marks = []; // rings and arrows: { from, to } in cells; a ring has from === to
  review = null; // an entry of /api/review about this move
  ended = null; // { result, by } if the game ended here for another reason than the rules
  by = ""; // who played the move in the game
  time = null; // seconds that it took
  also = null; // what else a file says of it
  folded = false; // whether the lists show the variations that begin after it
  born = 0; // when the move was added,
  noted = 0; // when its comment, glyph or marks were last changed,
  ordered = 0; // when its children were last put in another order
  children = [];

  constructor(parent, move) {
    this.parent = parent;
    this.move = move;
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The first move of the line that continues from here, or null. */
  get next() {
    return this.children[0] ?? null;
  }

  /** The nodes from the first move to this one. */
  get line() {
    const nodes = [];
    for (let node = this; node.parent; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }

  get moves() {
    return this.line.map(({ move }) => move);
  }

  get path() {
    return this.moves.join(" ");
  }

  /** The last node of the line that continues from here. */
  get end() {
    let node = this;
    while (node.next) node = node.next;
    return node;
  }

  /** The first node, seen from the end, at which this line leaves a better one; null on the main line. */
  get fork() {
    for (let node = this; node.parent; node = node.parent) if (node.parent.next !== node) return node;
    return null;
  }

  child(move) {
    return this.children.find((child) => child.move === move) ?? null;
  }

  /** Whether `other` is this node or comes after it. */
  leadsTo(other) {
    for (let node = other; node; node = node.parent) if (node === this) return true;
    return false;
  }

  /** This node and all after it, lines before the variations that leave them. */
  *walk() {
    const waiting = [this];
    while (waiting.length) {
      const node = waiting.pop();
      yield node;
      for (let k = node.children.length - 1; k >= 0; k -= 1) waiting.push(node.children[k]);
    }
  }
}

/**
 * The tree and the node that is shown. "change" (detail: kind) comes after each change of the tree,
 * "show" after each step through it. `clock` tells the moment in milliseconds.
 */
export class Tree extends EventTarget {
  root = new Node(null, null);
  now = this.root;
  #played = ""; // path of the last move of the game as it was played
  #playedAt = 0; // when it was played
  #removed = new Map(); // path of a deleted node → when
  #undo = [];
  #redo = [];
  #moment = 0;

  constructor(clock = Date.now) {
    super();
    this.clock = clock;
  }

  // ------------------------------------------------------------------------------------ reading

  /** The last node of the main line. */
  get end() {
    return this.root.end;
  }

  /** The nodes of the main line. */
  get main() {
    return this.end.line;
  }

  /** The last node of the game as it was played; the root if none was. */
  get played() {
    return nearest(this.root, this.#played);
  }

  isPlayed(node) {
    return node.parent !== null && node.leadsTo(this.played);
  }

  /** The node with that path, or null. */
  at(path) {
    const node = nearest(this.root, path);
    return node.path === path ? node : null;
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  // ----------------------------------------------------------------------------------- changing

  /** Another game: a tree that was read, of which the line to `played` was played. */
  open(root = new Node(null, null), played = root) {
    this.#take({ root, played: played.path, removed: [] });
    this.now = this.root;
    this.#undo = [];
    this.#redo = [];
    this.#tell("change", "opened");
  }

  show(node) {
    if (!node || node === this.now) return false;
    this.now = node;
    this.#tell("show", "shown");
    return true;
  }

  /** The move after `node`, added as its last variation if it is not there. */
  add(node, { move, name = "", player = 0, by = "" }) {
    const old = node.child(move);
    if (old) return old;
    const child = Object.assign(new Node(node, move), { name, player, by, born: this.#stamp() });
    node.children.push(child);
    for (const copy of [...this.#undo, ...this.#redo]) copy.since.push({ added: child.path });
    this.#tell("change", "added");
    return child;
  }

  /** The game has been played on to `node`: its line becomes the main one. */
  playOn(node) {
    this.#lead(node);
    this.#played = node.path;
    this.#playedAt = this.#stamp();
    this.#tell("change", "played");
  }

  /** The game ends here for another reason than the rules. */
  finish(node, result, by) {
    node.ended = { result, by };
    this.#tell("change", "ended");
  }

  /** Take back a move that was added and turned out to be impossible: nobody deleted it. */
  drop(node) {
    if (node.leadsTo(this.now)) this.now = node.parent;
    node.parent.children = node.parent.children.filter((other) => other !== node);
    this.#tell("change", "dropped");
  }

  /** What a review found about the move of `node`. */
  reviewed(node, entry) {
    node.review = entry;
    this.#tell("change", "reviewed");
  }

  /** Hide or show the variations after `node`. */
  fold(node) {
    node.folded = !node.folded;
    this.#tell("change", "folded");
  }

  // ----------------------------------------------------------------------- edits that can be undone

  /** Put the variation of `node` one place forward where it leaves its line. */
  promote(node) {
    const { fork } = node;
    if (!fork) return false;
    return this.#edit(() => {
      const { parent } = fork;
      const at = parent.children.indexOf(fork);
      this.#order(parent, parent.children.with(at - 1, fork).with(at, parent.children[at - 1]));
    });
  }

  /** Make the line of `node` the main line. */
  makeMain(node) {
    if (!node.fork) return false;
    return this.#edit(() => this.#lead(node));
  }

  /** Make the game as it was played the main line again, and show its last move. */
  backToPlayed() {
    const { played } = this;
    if (!played.parent) return false;
    if (played.fork) this.#edit(() => this.#lead(played));
    this.show(played);
    return true;
  }

  /** Whether a node can be deleted: not the root, and no move of the game as it was played. */
  canRemove(node) {
    return node.parent !== null && !this.isPlayed(node);
  }

  /** Delete a node and all after it; the one before is shown if it was on the board. */
  remove(node) {
    if (!this.canRemove(node)) return false;
    return this.#edit(() => {
      for (const each of node.walk()) this.#removed.set(each.path, this.#stamp());
      if (node.leadsTo(this.now)) this.now = node.parent;
      node.parent.children = node.parent.children.filter((other) => other !== node);
    });
  }

  comment(node, text) {
    return text !== node.comment && this.#note(node, { comment: text });
  }

  /** Give a move a glyph, or take it away if it has that one. */
  glyph(node, glyph) {
    return node.parent !== null && this.#note(node, { glyph: node.glyph === glyph ? "" : glyph });
  }

  /** Draw a ring or an arrow, or take it away if it is there. */
  mark(node, from, to = from) {
    const others = node.marks.filter((mark) => mark.from !== from || mark.to !== to);
    return this.#note(node, { marks: others.length < node.marks.length ? others : [...node.marks, { from, to }] });
  }

  undo() {
    return this.#swap(this.#undo, this.#redo);
  }

  redo() {
    return this.#swap(this.#redo, this.#undo);
  }

  #note(node, fields) {
    return this.#edit(() => Object.assign(node, fields, { noted: this.#stamp() }));
  }

  #lead(node) {
    for (let child = node; child.parent; child = child.parent)
      if (child.parent.next !== child) this.#order(child.parent, [child, ...child.parent.children.filter((other) => other !== child)]);
  }

  #order(node, children) {
    Object.assign(node, { children, ordered: this.#stamp() });
  }

  #edit(change) {
    this.#undo.push(this.#copy());
    if (this.#undo.length > MOST_UNDO) this.#undo.shift();
    this.#redo = [];
    change();
    this.#tell("change", "edited");
    return true;
  }

  /** The tree, and what happens to it `since` that is no edit of this tab: it is not taken back with one. */
  #copy() {
    return { ...this.plain(), since: [] };
  }

  /**
   * Put a copy back. Whole copies are simpler than edits that undo edits: a tree has a few hundred
   * small nodes. Moves that were added later stay, adding one is not an edit, and so does what another
   * tab has done. What the copy says is new again, so that it also wins in other tabs.
   */
  #swap(from, to) {
    if (!from.length) return false;
    const [before, path, old] = [this.#copy(), this.now.path, this.root];
    to.push(before);
    const { nodes, removed, since } = from.pop();
    this.#take({ root: rootOf(nodes), played: this.#played, playedAt: this.#playedAt, removed });
    for (const change of since) this.#redoOther(old, change);
    this.#freshen(old);
    this.now = nearest(this.root, path);
    this.#tell("change", "edited");
    return true;
  }

  /** Do one of `changesSince` again; `old` is the root of the tree that has it. */
  #redoOther(old, { added, removed, noted }) {
    if (added !== undefined) return putBack(this.root, nearest(old, added), added);
    const path = removed ?? noted;
    const [node, there] = [this.at(path), nearest(old, path)];
    if (!node || (there.path === path) === (removed !== undefined)) return; // another change came later
    if (removed === undefined) for (const field of ["comment", "glyph", "marks", "noted"]) node[field] = there[field];
    else {
      for (const each of node.walk()) this.#removed.set(each.path, this.#stamp());
      node.parent.children = node.parent.children.filter((other) => other !== node);
    }
  }

  /** Stamp what differs from `old`; what is gone was deleted now. */
  #freshen(old) {
    const there = new Map([...old.walk()].map((node) => [node.path, node]));
    for (const node of this.root.walk()) {
      const was = there.get(node.path);
      there.delete(node.path);
      if (!was) {
        node.born = this.#stamp();
        this.#removed.delete(node.path);
        continue;
      }
      node.born = was.born;
      node.noted = sameNotes(node, was) ? was.noted : this.#stamp();
      node.ordered = orderOf(node) === orderOf(was) ? was.ordered : this.#stamp();
      node.review ??= was.review;
    }
    for (const path of there.keys()) this.#removed.set(path, this.#stamp());
  }

  // ----------------------------------------------------------------------------- copies, joining

  /** The tree as plain data, whose values are shared, not copied: nodes in the order of `walk`, each with the place of its parent. */
  plain() {
    const places = new Map();
    const nodes = [];
    for (const node of this.root.walk()) {
      places.set(node, nodes.length);
      const entry = { up: node.parent ? places.get(node.parent) : -1, move: node.move };
      for (const [field, empty] of Object.entries(KEPT)) {
        const value = node[field];
        if (Array.isArray(value) ? value.length : value !== empty) entry[field] = value;
      }
      nodes.push(entry);
    }
    return { nodes, played: this.#played, playedAt: this.#playedAt, removed: [...this.#removed] };
  }

  /** Open what `plain` has written. */
  openPlain({ nodes, played, playedAt = 0, removed = [] }) {
    this.open(rootOf(nodes));
    this.#take({ root: this.root, played, playedAt, removed });
  }

  /**
   * Join another copy of this tree (what `plain` has written). The answer says whether this tree
   * has changed; two copies that have joined each other are the same.
   */
  merge(other) {
    const before = JSON.stringify(this.plain());
    const was = notesIn(this.root);
    const theirs = rootOf(other.nodes);
    for (const [path, when] of other.removed ?? []) this.#removed.set(path, Math.max(when, this.#removed.get(path) ?? 0));
    this.#join(this.root, theirs);
    const [mine, its] = [[this.#playedAt, this.#played], [other.playedAt ?? 0, other.played]];
    if (its[0] > mine[0] || (its[0] === mine[0] && its[1].length > mine[1].length)) [this.#playedAt, this.#played] = its;
    this.#bury(this.root, []);
    if (!this.at(this.now.path)) this.now = nearest(this.root, this.now.path);
    if (JSON.stringify(this.plain()) === before) return false;
    const changes = changesSince(was, notesIn(this.root));
    for (const copy of [...this.#undo, ...this.#redo]) copy.since.push(...changes);
    this.#tell("change", "merged");
    return true;
  }

  #join(mine, theirs) {
    if (theirs.noted > mine.noted) for (const field of ["comment", "glyph", "marks", "noted"]) mine[field] = theirs[field];
    for (const field of ["review", "ended", "time", "also"]) mine[field] ??= theirs[field];
    for (const field of ["name", "player", "by"]) mine[field] ||= theirs[field];
    mine.born = Math.max(mine.born, theirs.born);
    const order = joinedOrder(mine, theirs);
    for (const child of theirs.children) {
      if (!mine.child(child.move)) {
        const copy = Object.assign(new Node(mine, child.move), fieldsOf(child), { ordered: -1 }); // the order is theirs
        mine.children.push(copy);
      }
      this.#join(mine.child(child.move), child);
    }
    const rank = ({ move }) => (order.includes(move) ? order.indexOf(move) : order.length);
    mine.children.sort((a, b) => rank(a) - rank(b) || a.born - b.born || a.move - b.move);
    mine.ordered = Math.max(mine.ordered, theirs.ordered);
  }

  /** Delete what was deleted after it was added, unless it was played or has younger moves after it. */
  #bury(node, path) {
    node.children = node.children.filter((child) => {
      const place = [...path, child.move];
      this.#bury(child, place);
      const key = place.join(" ");
      const dead = (this.#removed.get(key) ?? -1) >= child.born;
      const stays = !dead || child.children.length > 0 || key === this.#played || this.#played.startsWith(`${key} `);
      if (stays) this.#removed.delete(key);
      return stays;
    });
  }

  #take({ root, played, playedAt = 0, removed }) {
    this.root = root;
    this.#played = played;
    this.#playedAt = playedAt;
    this.#removed = new Map(removed);
  }

  /** A moment later than all before it. */
  #stamp() {
    return (this.#moment = Math.max(this.#moment + 1, this.clock()));
  }

  #tell(type, kind) {
    this.dispatchEvent(new CustomEvent(type, { detail: { kind } }));
  }
}

const fieldsOf = (node) => Object.fromEntries(Object.keys(KEPT).map((field) => [field, node[field]]));

const sameNotes = (a, b) => a.comment === b.comment && a.glyph === b.glyph && JSON.stringify(a.marks) === JSON.stringify(b.marks);

const orderOf = (node) => node.children.map(({ move }) => move).join(" ");

/** The root of a tree that was written as plain data. */
function rootOf(entries) {
  const nodes = [];
  for (const { up, move, ...fields } of entries) {
    const parent = nodes[up] ?? null;
    const node = Object.assign(new Node(parent, move), fields);
    parent?.children.push(node);
    nodes.push(node);
  }
  return nodes[0];
}

/** When the notes of each node were written, by its path; nodes before those that follow them. */
const notesIn = (root) => new Map([...root.walk()].map((node) => [node.path, node.noted]));

/** What has happened between two answers of `notesIn`: paths of nodes that were added, deleted, noted on. */
function changesSince(was, now) {
  const added = [...now.keys()].filter((path) => !was.has(path)).map((path) => ({ added: path }));
  const removed = [...was.keys()].filter((path) => !now.has(path)).map((path) => ({ removed: path }));
  const noted = [...now].filter(([path, when]) => was.has(path) && was.get(path) !== when).map(([path]) => ({ noted: path }));
  return [...added, ...removed, ...noted];
}

/** Add `node`, whose path was `path`, to another tree, if it and the node before it are still there. */
function putBack(root, node, path) {
  const parent = node.path === path ? nearest(root, node.parent.path) : null;
  if (!parent || parent.path !== node.parent.path || parent.child(node.move)) return;
  const place = node.parent.children.indexOf(node);
  parent.children.splice(place, 0, Object.assign(new Node(parent, node.move), fieldsOf(node)));
}

/** The node with that path, or the last one before it. */
function nearest(root, path) {
  let node = root;
  for (const move of path === "" ? [] : path.split(" ")) {
    const child = node.child(Number(move));
    if (!child) break;
    node = child;
  }
  return node;
}

/**
 * The moves after two copies of a node, in the order of the copy that was ordered last; if neither
 * was, those that have been in both since. The others follow by age.
 */
function joinedOrder(mine, theirs) {
  const [own, other] = [mine, theirs].map(({ children }) => children.map(({ move }) => move));
  if (mine.ordered === theirs.ordered) return own.filter((move) => theirs.child(move)?.born === mine.child(move).born);
  return mine.ordered > theirs.ordered ? own : other;
}
