/**
 * The game on the page: its tree, the position that is shown, its address and its place in the
 * store. "change" (detail: kind) comes after everything that should be drawn.
 *
 * The address holds the tree, so a copied link shows it anywhere. The entry in the history also holds
 * the game's number in the store: a reload, and Back, find the reviews as well.
 */

import { post } from "../base/api.js";
import * as codec from "./codec.js";
import { Positions, grow } from "./positions.js";
import { newId } from "./store.js";
import { Tree } from "./tree.js";

const SAVE_AFTER = 400; // ms without a change
const LONG = 6000; // signs of an address that browsers and messengers still take
const ENDED = /^(.{1,40}) (1|-1|0)$/;

export class Session extends EventTarget {
  id = newId();
  players = ["", ""]; // names of the two sides
  headers = {}; // what a file says about the game
  story = null; // what the last review says of the whole game
  position = null; // of the node that is shown
  problem = ""; // a sentence about the game that was opened last
  tree = new Tree();
  positions = new Positions();
  #revision = 0;
  #turn = 0; // counts wishes, so that late answers are recognised
  #timer = null;
  #begun = 0;

  constructor(family, store) {
    super();
    this.family = family;
    this.store = store;
    this.tree.addEventListener("change", ({ detail }) => this.#changed(detail.kind));
    store.addEventListener("saved", ({ detail }) => this.#savedElsewhere(detail));
    addEventListener("pagehide", () => this.#flush());
    document.addEventListener("visibilitychange", () => document.hidden && this.#flush());
  }

  get node() {
    return this.tree.now;
  }

  get name() {
    return this.positions.fixed.game;
  }

  /** Who won the game as it was played, 0 for a draw; null if it is not over. */
  get result() {
    const { played } = this.tree;
    const last = this.positions.known(played);
    return played.ended?.result ?? (last?.done ? (last.winner ?? 0) : null);
  }

  question(node = this.node) {
    return this.positions.question(node.moves);
  }

  // ----------------------------------------------------------------------------------- opening

  /**
   * Open a game. `moves` is its line, as a list or a transcript; `root` a whole tree without names,
   * `plain` one as the store has it. `played` and `at` find nodes in it: the end of the game as it
   * was played, and the one to be shown.
   */
  async open({ name, start = "", moves = [], root = null, plain = null, played = (tree) => tree.end, at = (tree) => tree.root, ended = null, ...about }) {
    const turn = ++this.#turn;
    const late = () => turn !== this.#turn;
    const answer = await post("/api/line", { game: name, start: start || undefined, moves: root || plain ? [] : moves });
    if (late()) return false;
    this.#flush();
    this.positions.begin(answer, start);
    let problem = answer.problem ?? "";
    const tree = new Tree();
    if (plain) tree.openPlain(plain);
    else if (root) tree.open(root);
    else grow(tree, answer);
    problem ||= await this.positions.name(tree.root);
    if (late()) return false;
    const end = plain ? tree.played : played(tree);
    Object.assign(this, { id: newId(), players: ["", ""], headers: {}, story: null, problem }, about);
    this.#revision = about.revision ?? 0;
    this.#begun = about.begun ?? Date.now();
    if (plain) this.tree.openPlain(tree.plain());
    else this.tree.open(tree.root, end);
    const last = await this.positions.of(this.tree.played);
    if (ended && !last.done) this.tree.played.ended = ended;
    const node = at(this.tree) ?? this.tree.root;
    this.position = await this.positions.of(node);
    if (late()) return false;
    this.tree.now = node;
    this.#address();
    this.#tell("opened");
    return true;
  }

  /** Open a game of the store. */
  reopen({ game, tree, at, ...about }) {
    return this.open({ ...about, name: game, plain: tree, at: (opened) => opened.at(at) });
  }

  // ----------------------------------------------------------------------------------- changing

  /** Show a node; an answer that comes after another wish is dropped. */
  async show(node, kind = "shown") {
    if (!node) return false;
    const turn = ++this.#turn;
    const position = await this.positions.of(node);
    if (turn !== this.#turn) return false;
    this.tree.show(node);
    this.position = position;
    this.#address();
    this.#tell(kind);
    return true;
  }

  /** Play a move in the position that is shown. */
  async play(move) {
    const { node, position } = this;
    const entry = position.legal.find((legal) => legal.move === move);
    if (!entry) return false;
    const fresh = node.child(move) === null;
    const child = this.tree.add(node, { move, name: entry.name, player: position.player });
    try {
      return await this.show(child, "moved");
    } catch (error) {
      if (fresh) this.tree.drop(child);
      throw error;
    }
  }

  /** Add `steps` (move, name, player) after the node that is shown; the answer is the last of them. */
  keep(steps) {
    return steps.reduce((node, step) => this.tree.add(node, step), this.node);
  }

  // --------------------------------------------------------------------------- address and store

  /** A link to the game; `text` is its tree, packed or not. */
  link(text = codec.write(this.tree.root)) {
    const { tree, node, players } = this;
    const query = new URLSearchParams();
    if (this.name !== this.family) query.set("game", this.name);
    if (this.positions.start) query.set("start", this.positions.start);
    const plain = codec.isPlain(tree.root);
    if (plain && tree.root.next) query.set("moves", tree.main.map(({ name }) => name).join(" "));
    for (const [side, name] of [["x", players[0]], ["o", players[1]]]) if (name) query.set(side, name);
    const { ended } = tree.played;
    if (ended) query.set("ended", `${ended.by} ${ended.result}`);
    const numbers = [...tree.root.walk()]; // nodes are numbered in the order of the text
    if (node.parent) query.set("at", numbers.indexOf(node));
    if (tree.played !== tree.end) query.set("played", numbers.indexOf(tree.played));
    // The signs of the tree may stand in an address as they are.
    return `${location.pathname}?${query}${plain ? "" : `&tree=${text}`}`;
  }

  /** What the address asks for, as `open` takes it. */
  async asked() {
    const query = new URLSearchParams(location.search);
    const raw = /[?&]tree=([^&]*)/.exec(location.search)?.[1] ?? "";
    const root = raw ? codec.read(await codec.unpacked(raw)) : null;
    const [, by, result] = ENDED.exec(query.get("ended") ?? "") ?? [];
    const numbered = (name, usual) => (tree) => (/^\d{1,5}$/.test(query.get(name) ?? "") ? ([...tree.root.walk()][Number(query.get(name))] ?? usual(tree)) : usual(tree));
    return {
      name: query.get("game") || this.family,
      start: query.get("start") || "",
      moves: query.get("main") ?? query.get("moves") ?? [],
      root,
      unreadable: raw !== "" && root === null,
      aside: query.has("main") ? query.get("moves") : null, // a side line in a link of the game's page
      played: numbered("played", (tree) => tree.end),
      at: numbered("at", (tree) => (query.has("ply") ? [tree.root, ...tree.main][Number(query.get("ply"))] : tree.root)),
      ended: by ? { by, result: Number(result) } : null,
      players: [query.get("x") ?? "", query.get("o") ?? ""],
    };
  }

  /** Leave the game for another one, to which the caller goes now: Back returns here. */
  leave() {
    this.#flush();
    history.pushState(null, "", location.href);
  }

  #address() {
    const link = this.link();
    const short = link.length > LONG ? `${location.pathname}?game=${encodeURIComponent(this.name)}` : link;
    history.replaceState({ id: this.id }, "", short);
  }

  /** Whether the address is too long to hold the game. */
  get isLong() {
    return this.link().length > LONG;
  }

  /** The game as the store keeps it. */
  get kept() {
    const { tree } = this;
    return {
      id: this.id,
      family: this.family,
      game: this.name,
      start: this.positions.start,
      tree: tree.plain(),
      at: this.node.path,
      players: this.players,
      headers: this.headers,
      story: this.story,
      result: this.result,
      plies: tree.played.ply || tree.end.ply,
      begun: this.#begun,
      when: Date.now(),
    };
  }

  #changed(kind) {
    if (kind === "opened") return;
    if (this.position) this.#address();
    this.#tell(kind);
    this.touch();
  }

  /** Save the game soon. */
  touch() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), SAVE_AFTER);
  }

  #flush() {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#save();
  }

  async #save() {
    this.#timer = null;
    if (!this.tree.root.next && !this.positions.start) return; // an empty board is not a game
    const { kept } = this;
    const other = await this.store.save(kept, this.#revision);
    if (kept.id !== this.id) return;
    if (other) {
      await this.#join(other); // another tab has saved it
      this.touch();
    } else if (this.store.problem) this.#tell("unsaved");
    else this.#revision += 1;
  }

  async #savedElsewhere({ id, revision }) {
    if (id !== this.id || revision <= this.#revision) return;
    const other = await this.store.game(id);
    if (other && id === this.id) await this.#join(other);
  }

  async #join(other) {
    this.#revision = other.revision;
    this.story ??= other.story;
    if (!this.tree.merge(other.tree)) return;
    this.position = await this.positions.of(this.node);
    this.#tell("shown");
  }

  #tell(kind) {
    this.dispatchEvent(new CustomEvent("change", { detail: { kind } }));
  }
}
