/**
 * The game on the page: its tree, who plays, the position that is shown, its address and its place
 * in the store. "change" (detail: kind) comes after everything that should be drawn, "busy" when a
 * position is asked for and when it has come, "leaving" before another game or page takes its place.
 *
 * There are two modes. In "play" the two sides have their seats, and a move continues the game; in
 * "analyse" both sides are free, and a move that is new is a variation.
 *
 * The address holds the tree, so a copied link shows it anywhere. The entry in the history also holds
 * the game's number in the store: a reload, and Back, find the reviews as well. So does an address
 * that describes a game of the store; one that is too long names its number instead.
 */

import { post } from "../base/api.js";
import * as codec from "./codec.js";
import { Positions, grow } from "./positions.js";
import { newId } from "./store.js";
import { Tree } from "./tree.js";

export const HUMAN = "human";

const SAVE_AFTER = 400; // ms without a change
const LONG = 6000; // signs of an address that browsers and messengers still take
const ENDED = /^(.{1,40}) (1|-1|0)$/;

/** What belongs to a game and not to its tree; `open` starts with these. */
const fresh = () => ({
  mode: "play",
  seats: { 1: HUMAN, [-1]: HUMAN }, // a person, or the spec of an engine
  players: ["", ""], // names of people, from a file
  headers: {}, // what a file says about the game
  opening: 0, // first moves that no player chose
  time: "", // seconds for each move of an engine, as the address writes them
  clock: "", // of people: "30" for each move, "180+2" for the game
  left: null, // ms left on a clock for the game, by player
  story: null, // what the last review says of the whole game
});

export class Session extends EventTarget {
  id = newId();
  position = null; // of the node that is shown
  problem = ""; // a sentence about the game that was opened last
  tree = new Tree();
  positions = new Positions();
  #revision = 0;
  #turn = 0; // counts wishes, so that late answers are recognised
  #asking = 0; // the wish whose answer is on its way
  #coming = null; // the move whose position is on its way: its node, and what makes it the game's
  #timer = null;
  #saving = false;
  #begun = 0;

  constructor(family, store) {
    super();
    this.family = family;
    this.store = store;
    Object.assign(this, fresh());
    this.tree.addEventListener("change", ({ detail }) => this.#changed(detail.kind));
    store.addEventListener("saved", ({ detail }) => this.#savedElsewhere(detail));
    addEventListener("pagehide", () => this.#leave());
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

  get over() {
    return this.result !== null;
  }

  /** Whether the last position of the game is shown. */
  get atEnd() {
    return this.node === this.tree.played;
  }

  /** Who won where the shown line ends, 0 for a draw; null if it does not end here. */
  get resultHere() {
    return this.node.ended?.result ?? (this.position.done ? (this.position.winner ?? 0) : null);
  }

  isHuman(player) {
    return this.seats[player] === HUMAN;
  }

  get humans() {
    return [1, -1].filter((player) => this.isHuman(player)).length;
  }

  /** The side of the only person, 0 if there are two or none. */
  get own() {
    return this.humans === 1 ? (this.isHuman(1) ? 1 : -1) : 0;
  }

  /** Whether a position to be shown is on its way: a click on the one before it is not a move. */
  get busy() {
    return this.#asking === this.#turn && this.#turn > 0;
  }

  question(node = this.node) {
    return this.positions.question(node.moves);
  }

  /** Begin a change that takes a while; the function returned says whether another one has come first. */
  begin() {
    const turn = ++this.#turn;
    this.dispatchEvent(new Event("busy"));
    return () => turn !== this.#turn;
  }

  // ----------------------------------------------------------------------------------- opening

  /**
   * Open a game. `moves` is its line, as a list or a transcript; `root` a whole tree without names,
   * `plain` one as the store has it; `aside` a further line from the start, which is then shown.
   * `played` and `at` find nodes in it: the end of the game as it was played, and the one to be
   * shown. With `push`, Back returns to the game before. Without a `mode`, games that are over or
   * have variations are analysed.
   */
  async open({ name, start = "", opens = 1, moves = [], root = null, plain = null, aside = null, played = (tree) => tree.end, at = () => null, ended = null, push = false, ...about }) {
    const late = this.begin();
    const ask = (line) => post("/api/line", { game: name, start: start || undefined, moves: line });
    let answer = await ask(root || plain ? [] : moves);
    if (opens < 0 && !late()) {
      start = answer.fixed.start.replace(/x$/, "o");
      answer = await ask(moves);
    }
    const other = aside === null || late() ? null : await ask(aside);
    if (late()) return false;
    this.#flush();
    const positions = new Positions();
    positions.begin(answer, start);
    let problem = answer.problem ?? "";
    const tree = new Tree();
    if (plain) tree.openPlain(plain);
    else if (root) tree.open(root);
    else grow(tree, answer);
    const end = plain ? tree.played : played(tree);
    const beside = other && grow(tree, other);
    problem ||= await positions.name(tree.root);
    const last = await positions.of(end);
    const node = beside ?? at(tree) ?? end;
    const position = await positions.of(node);
    if (late()) return false;
    Object.assign(this, fresh(), { id: newId() }, about, { problem, positions, position });
    this.#revision = about.revision ?? 0;
    this.#begun = about.begun ?? Date.now();
    this.opening = Math.min(this.opening, end.ply);
    if (ended && !last.done) end.ended = ended; // a game that the rules have ended needs no other reason
    if (plain) this.tree.openPlain(tree.plain());
    else this.tree.open(tree.root, end);
    this.tree.now = this.tree.at(node.path);
    if (!about.mode) this.mode = this.over || !codec.isPlain(tree.root) ? "analyse" : "play";
    this.#address(push);
    this.#tell("opened");
    return true;
  }

  /** The game of the store that is the same as this one, which an address described; null if there is none. */
  async twin() {
    if (!this.#isGame) return null;
    const content = codec.contentOf(this.kept);
    return (await this.store.games(this.family)).find((kept) => codec.contentOf(kept) === content) ?? null;
  }

  /** Open a game of the store. */
  reopen({ game, tree, at, when, plies, result, family, ...about }, push = false) {
    return this.open({ ...about, name: game, plain: tree, at: (opened) => opened.at(at), push });
  }

  // ----------------------------------------------------------------------------------- changing

  /** Show a node; an answer that comes after another wish is dropped. Without a `kind` nothing is told. */
  async show(node, kind = "shown") {
    if (!node) return false;
    const turn = ++this.#turn;
    const known = this.positions.known(node);
    if (known) this.dispatchEvent(new Event("busy")); // whatever was on its way no longer matters
    const position = known ?? (await this.#asked(node, turn));
    if (turn !== this.#turn) return false;
    this.tree.show(node);
    this.position = position;
    if (!kind) return true;
    this.#address();
    this.#tell(kind);
    this.touch();
    return true;
  }

  async #asked(node, turn) {
    this.#asking = turn;
    this.dispatchEvent(new Event("busy"));
    try {
      return await this.positions.of(node);
    } finally {
      if (turn === this.#turn) {
        this.#asking = 0;
        this.dispatchEvent(new Event("busy"));
      }
    }
  }

  /**
   * Play a move in the position that is shown. In a game it continues the game: `by` is the engine
   * that made it, `time` the seconds that it took, `after` the position that it leads to, if known.
   */
  async play(move, { by = "", time = null, after = null } = {}) {
    const { node, position, mode } = this;
    const entry = position.legal.find((legal) => legal.move === move);
    if (!entry) return false;
    const fresh = node.child(move) === null;
    const child = this.tree.add(node, { move, name: entry.name, player: position.player });
    if (after) this.positions.keep(child, after);
    const before = this.tree.played;
    const count = () => {
      if (mode !== "play" || this.tree.played !== before) return;
      Object.assign(child, { by, time });
      this.tree.playOn(child);
    };
    this.#coming = { child, count };
    const drop = () => fresh && !child.next && child !== this.tree.played && this.tree.drop(child);
    try {
      if (!(await this.show(child, ""))) {
        drop();
        return false;
      }
    } catch (error) {
      drop();
      throw error;
    } finally {
      if (this.#coming?.child === child) this.#coming = null;
    }
    count();
    this.#address();
    this.#tell("moved");
    this.touch();
    return true;
  }

  /** Add `steps` (move, name, player) after the node that is shown; the answer is the last of them. */
  keep(steps) {
    return steps.reduce((node, step) => this.tree.add(node, step), this.node);
  }

  setMode(mode) {
    this.mode = mode;
    this.#address();
    this.#tell("mode");
    this.touch();
  }

  /** Who plays: `{ seats, time, clock }`, those that change. */
  seat(choices) {
    Object.assign(this, choices);
    this.#address();
    this.#tell("seats");
    this.touch();
  }

  /** End the game for another reason than the rules. */
  end(result, by) {
    this.#turn += 1;
    this.tree.finish(this.tree.played, result, by);
  }

  // --------------------------------------------------------------------------- address and store

  /** A link to the game; `text` is its tree, packed or not. */
  link(text = codec.write(this.tree.root)) {
    const { tree, node, seats } = this;
    const query = new URLSearchParams();
    if (this.name !== this.family) query.set("game", this.name);
    if (this.positions.start) query.set("start", this.positions.start);
    const plain = codec.isPlain(tree.root);
    if (plain && tree.root.next) query.set("moves", tree.main.map(({ name }) => name).join(" "));
    if (this.opening) query.set("opening", this.opening);
    const numbers = [...tree.root.walk()]; // nodes are numbered in the order of the text
    if (tree.played !== tree.end) query.set("played", numbers.indexOf(tree.played));
    if (node !== tree.played) query.set("at", numbers.indexOf(node));
    query.set("x", seats[1]);
    query.set("o", seats[-1]);
    if (this.time) query.set("time", this.time);
    if (this.clock) query.set("clock", this.clock);
    const { ended } = tree.played;
    if (ended) query.set("ended", `${ended.by} ${ended.result}`);
    if (this.mode === "analyse" && !this.over) query.set("mode", "analyse");
    // The signs of the tree may stand in an address as they are.
    return `${location.pathname}?${query}${plain ? "" : `&tree=${text}`}`;
  }

  /**
   * What the address asks for, as `open` takes it; null if it asks for nothing. `usual` are the seats
   * where it names none, `offered` the times that can be chosen. `ignored` has the parts of the
   * address that make no sense.
   */
  async asked(usual, offered) {
    if (!location.search) return null;
    const query = new URLSearchParams(location.search);
    const ignored = [];
    const read = (name, makesSense) => {
      const value = query.get(name) ?? "";
      if (!value || makesSense(value)) return value;
      ignored.push(`${name}=${value.slice(0, 40)}`);
      return "";
    };
    const raw = /[?&]tree=([^&]*)/.exec(location.search)?.[1] ?? "";
    const root = raw ? codec.read(await codec.unpacked(raw)) : null;
    if (raw && !root) ignored.push("tree");
    const whole = (text) => /^\d{1,5}$/.test(text);
    const [, by, result] = ENDED.exec(read("ended", (text) => ENDED.test(text))) ?? [];
    const [at, played, ply, opening] = ["at", "played", "ply", "opening"].map((name) => read(name, whole));
    const numbered = (number, tree) => [...tree.root.walk()][Number(number)] ?? null;
    return {
      name: query.get("game") || this.family,
      start: query.get("start") || "",
      moves: query.get("main") || query.get("moves") || [],
      root,
      aside: query.get("main") ? (query.get("moves") ?? "") : null, // a side line, as older links write it
      played: (tree) => (played && numbered(played, tree)) || tree.end,
      at: (tree) => (at ? numbered(at, tree) : ply ? [tree.root, ...tree.main][Math.min(Number(ply), tree.main.length)] : null) || (played && numbered(played, tree)) || tree.end,
      opening: Number(opening),
      ended: by ? { by, result: Number(result) } : null,
      seats: { 1: query.get("x") || usual[1], [-1]: query.get("o") || usual[-1] },
      time: read("time", (value) => offered.includes(value)),
      clock: read("clock", (value) => /^\d{1,4}(\+\d{1,3})?$/.test(value)),
      mode: read("mode", (value) => ["play", "analyse"].includes(value)) || undefined,
      ignored,
    };
  }

  /** Write the address; with `push` as a new entry of the history. */
  #address(push = false) {
    const link = this.link();
    const short = link.length > LONG ? `${location.pathname}?${new URLSearchParams({ game: this.name, id: this.id })}` : link;
    history[push ? "pushState" : "replaceState"]({ id: this.id }, "", short);
  }

  /** Whether the address is too long to hold the game. */
  get isLong() {
    return this.link().length > LONG;
  }

  /** The game as the store keeps it. */
  get kept() {
    const { tree, id, family, mode, seats, players, headers, opening, time, clock, left, story, result } = this;
    const about = { id, family, mode, seats, players, headers, opening, time, clock, left, story, result };
    return {
      ...about,
      game: this.name,
      start: this.positions.start,
      tree: tree.plain(),
      at: this.node.path,
      plies: tree.played.ply || tree.end.ply,
      texts: [tree.root, ...tree.played.line].map((node) => this.positions.known(node)?.position ?? ""), // of the game as played
      begun: this.#begun,
      when: Date.now(),
    };
  }

  #changed(kind) {
    if (kind === "opened" || !this.position) return;
    const here = this.positions.known(this.node); // an edit may have taken the shown move away
    if (here) this.position = here;
    else if (kind === "edited" || kind === "merged") this.show(this.node).catch(() => {}); // nothing to show without a server
    this.#address();
    this.#tell(kind);
    this.touch();
  }

  /** Save the game soon. */
  touch() {
    document.body.dataset.saved = "soon";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), SAVE_AFTER);
  }

  /** The page is being closed. A move that was made counts, also if its position has not come yet. */
  #leave() {
    this.dispatchEvent(new Event("leaving"));
    const coming = this.busy ? this.#coming : null;
    coming?.count();
    if (!(coming || this.#timer !== null || this.#saving) || !this.#isGame) return;
    this.store.keepPending({ ...this.kept, ...(coming && { at: coming.child.path }) }, this.#revision);
  }

  /** Whether there is something to keep: an empty board is not a game. */
  get #isGame() {
    return this.tree.root.next !== null || Boolean(this.positions.start);
  }

  #flush() {
    this.dispatchEvent(new Event("leaving"));
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#save();
  }

  async #save() {
    await this.#put();
    if (this.#timer === null) document.body.dataset.saved = "yes";
  }

  async #put() {
    this.#timer = null;
    if (!this.#isGame) return;
    const { kept } = this;
    this.#saving = true;
    const other = await this.store.save(kept, this.#revision);
    this.#saving = false;
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
