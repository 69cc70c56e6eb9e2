/**
 * The game on the page: moves, the ply that is shown, the players. It knows no rules: every position
 * comes from the server. The address of the page holds the whole game.
 *
 * A move other than before replaces the moves after it, as when a move is taken back. In a game that
 * is over or reviewed it begins a side line instead: `main` then holds the game, which can be
 * returned to.
 */

import { post } from "../base/api.js";

const HUMAN = "human";

/** How a game ended before the rules ended it, and who won: "resignation -1". */
const ENDED = /^(.{1,40}) (1|-1|0)$/;

export class Game extends EventTarget {
  moves = [];
  names = [];
  movers = [];
  ply = 0;
  seats = { 1: HUMAN, [-1]: document.body.dataset.opponent };
  time = ""; // seconds for each move of an engine, as the address writes them
  clock = ""; // and of a person
  start = "";
  opening = 0; // the number of first moves that no player chose
  ended = null; // { result, by } of a game that the rules did not end
  main = null; // { moves, names, movers, ended, opening, from } of the game while a side line is shown
  reviewed = () => false; // whether the moves are worth keeping for another reason
  levels = []; // names of players that are levels
  position = null;
  problem = null; // a sentence about the game that was loaded last
  #positions = new Map();
  #turn = 0; // counts changes, so that late answers are recognised
  #asking = 0; // the turn in which the position to be shown is on its way from the server

  constructor(family) {
    super();
    this.family = family;
    this.name = family;
  }

  get atEnd() {
    return this.ply === this.moves.length;
  }

  get over() {
    return this.atEnd && Boolean(this.ended || this.position?.done);
  }

  get winner() {
    return this.ended && this.atEnd ? this.ended.result : (this.position?.winner ?? null);
  }

  /** Whether the next position is on its way: a click on the one before it is not a move. */
  get busy() {
    return this.#asking === this.#turn && this.#turn > 0;
  }

  isHuman(player) {
    return this.seats[player] === HUMAN;
  }

  get humans() {
    return [1, -1].filter((player) => this.isHuman(player)).length;
  }

  /** The moves of the game, also while a side line is shown. */
  get mainMoves() {
    return this.main?.moves ?? this.moves;
  }

  /** The opening of the game, also while a side line is shown. */
  get mainOpening() {
    return this.main?.opening ?? this.opening;
  }

  /** The fields by which the server knows the position after `moves`. */
  question(moves = this.moves.slice(0, this.ply)) {
    return { game: this.name, start: this.start || undefined, moves };
  }

  // --------------------------------------------------------------------------------- changes

  /** Begin a change; the function returned says whether another one has come first. */
  begin() {
    const turn = ++this.#turn;
    return () => turn !== this.#turn;
  }

  /** Load a whole game; `moves` may be a list or a transcript; `opens` is −1 if O moves first. */
  async load({ name, start = "", opens = 1, moves = [], opening = 0, ply = null, ended = null, kind = "opened" }) {
    const late = this.begin();
    // Of a game with an illegal move the part before it is shown.
    const ask = () => post("/api/position", { game: name, start: start || undefined, moves, legal_part: true });
    let answer = await ask();
    if (opens < 0 && !late()) {
      start = answer.start.replace(/x$/, "o");
      answer = await ask();
    }
    if (late()) return false;
    this.#positions.clear();
    // A game that the rules have ended needs no other reason.
    Object.assign(this, { name: answer.game, start, ended: answer.done ? null : ended, main: null, problem: answer.problem });
    this.#take(answer);
    this.opening = Math.min(opening, this.moves.length);
    this.remember(answer);
    return this.goto(ply === null ? this.moves.length : ply, kind);
  }

  /** Keep a position that the server has sent, so that it need not be asked for again. */
  remember(answer) {
    this.#positions.set(answer.moves.join(" "), answer);
  }

  /** Play `move` at the ply that is shown; a move other than before begins a new branch. */
  async play(move, by = "human") {
    if (this.over) return false;
    const moves = [...this.moves.slice(0, this.ply), move];
    const known = this.moves[this.ply] === move;
    const answer = await this.#askNext(moves);
    if (!answer) return false;
    if (known) this.ply += 1;
    else if (this.main && startsWith(this.main.moves, moves)) this.#restore(moves.length);
    else {
      this.#branch();
      this.ended = null;
      this.opening = Math.min(this.opening, this.ply); // the move replaces those after it
      this.#take(answer);
      this.ply = moves.length;
    }
    this.position = answer;
    this.#tell("moved", { move, by, name: answer.names.at(-1), player: answer.movers.at(-1) });
    return true;
  }

  async goto(ply, kind = "shown") {
    const wanted = Math.max(0, Math.min(this.moves.length, ply));
    const answer = await this.#askNext(this.moves.slice(0, wanted));
    if (!answer) return false;
    this.ply = wanted;
    this.position = answer;
    this.#tell(kind);
    return true;
  }

  /** The position after further `moves`; the game stays as it is. */
  peek(moves) {
    return this.#ask([...this.moves.slice(0, this.ply), ...moves]);
  }

  /** Whether the game began on the usual board, whoever moved first. */
  async startsAsUsual() {
    if (!this.start) return true;
    const usual = await post("/api/position", { game: this.name });
    return usual.start.slice(0, -1) === this.start.slice(0, -1);
  }

  /** Why `cell` cannot be chosen in the position that is shown. */
  async whyNot(cell) {
    return (await post("/api/why-not", { ...this.question(), cell })).reason;
  }

  /** Keep the game as the main line if the move about to be played leaves it. */
  #branch() {
    if (this.main || this.ply === this.moves.length) return;
    const last = this.#positions.get(this.moves.join(" "));
    if (!(this.ended || last?.done || this.reviewed())) return;
    const { moves, names, movers, ended, opening, ply } = this;
    this.main = { moves, names, movers, ended, opening, from: ply };
  }

  #restore(ply) {
    const { moves, names, movers, ended, opening } = this.main;
    Object.assign(this, { moves, names, movers, ended, opening, ply, main: null });
  }

  /** Leave the side line, if there is one, for the game at `ply`: by default where it was left. */
  backToGame(ply = this.main?.from ?? this.ply) {
    if (this.main) this.#restore(ply);
    return this.goto(ply);
  }

  /** The ply that "undo" leads to: against an engine, back to one's own turn. */
  undoTarget() {
    if (this.ply === 0) return 0;
    if (this.humans !== 1) return this.ply - 1;
    for (let ply = this.ply - 1; ply > 0; ply -= 1) if (this.#mayMove(ply)) return ply;
    return this.isHuman(this.movers[0]) ? 0 : this.ply;
  }

  redoTarget() {
    if (this.humans !== 1) return Math.min(this.moves.length, this.ply + 1);
    for (let ply = this.ply + 1; ply < this.moves.length; ply += 1) if (this.#mayMove(ply)) return ply;
    return this.moves.length;
  }

  /** Whether the player to move at `ply` is a person who has a choice. */
  #mayMove(ply) {
    return this.isHuman(this.movers[ply]) && this.moves[ply] !== this.position.pass_move;
  }

  /** End the game for another reason than the rules. */
  end(result, by) {
    this.begin();
    this.ended = { result, by };
    this.#tell("shown");
  }

  #take(answer) {
    Object.assign(this, { moves: answer.moves, names: answer.names, movers: answer.movers });
  }

  async #ask(moves) {
    const key = moves.join(" ");
    if (!this.#positions.has(key))
      this.remember(await post("/api/position", { game: this.name, start: this.start || undefined, moves }));
    return this.#positions.get(key);
  }

  /** The position to be shown next, or null if another change has come first. */
  async #askNext(moves) {
    const late = this.begin();
    this.#asking = this.#turn;
    this.dispatchEvent(new Event("busy"));
    try {
      const answer = await this.#ask(moves);
      return late() ? null : answer;
    } finally {
      if (!late()) {
        this.#asking = 0;
        this.dispatchEvent(new Event("busy"));
      }
    }
  }

  #tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent("change", { detail: { kind, ...detail } }));
  }

  // ------------------------------------------------------------------------------ the address

  toUrl() {
    const query = new URLSearchParams();
    if (this.name !== this.family) query.set("game", this.name);
    if (this.start) query.set("start", this.start);
    if (this.names.length) query.set("moves", this.names.join(" "));
    if (this.mainOpening) query.set("opening", this.mainOpening);
    if (this.main) query.set("main", this.main.names.join(" "));
    if (!this.atEnd) query.set("ply", this.ply);
    query.set("x", this.seats[1]);
    query.set("o", this.seats[-1]);
    if (this.time) query.set("time", this.time);
    if (this.clock) query.set("clock", this.clock);
    if (this.ended) query.set("ended", `${this.ended.by} ${this.ended.result}`);
    return `${location.pathname}?${query}`;
  }

  /**
   * Load the game in the address; `offered` are the times and clocks that can be chosen. The answer
   * names the values that make no sense: they are left out, and the rest is loaded. It is null if
   * another change has come first.
   */
  async fromUrl(offered) {
    const query = new URLSearchParams(location.search);
    const ignored = [];
    const read = (name, makesSense) => {
      const value = query.get(name) || "";
      if (!value || makesSense(value)) return value;
      ignored.push(`${name}=${value.slice(0, 40)}`);
      return "";
    };
    this.seats = { 1: query.get("x") || HUMAN, [-1]: query.get("o") || document.body.dataset.opponent };
    for (const name of ["time", "clock"]) this[name] = read(name, (value) => offered[name].includes(value));
    const whole = (text) => /^\d{1,4}$/.test(text);
    const ply = read("ply", whole);
    const opening = Number(read("opening", whole));
    const [, by, result] = ENDED.exec(read("ended", (text) => ENDED.test(text))) ?? [];
    const loaded = await this.load({
      name: query.get("game") || this.family,
      start: query.get("start") || "",
      moves: query.get("moves") || [],
      opening,
      ply: ply ? Number(ply) : null,
      ended: by ? { by, result: Number(result) } : null,
      kind: "shown",
    });
    if (!loaded) return null;
    if (query.get("main")) await this.#readMain(query.get("main"), opening);
    return ignored;
  }

  /** The moves on the board are a side line of the game with the moves `text`. */
  async #readMain(text, opening) {
    const late = this.begin();
    const { moves, names, movers } = await post("/api/position", { ...this.question(), moves: text, legal_part: true });
    if (late() || startsWith(moves, this.moves)) return;
    const from = this.moves.findIndex((move, ply) => move !== moves[ply]);
    this.opening = Math.min(this.opening, from);
    this.main = { moves, names, movers, ended: null, opening: Math.min(opening, moves.length), from };
    this.#tell("shown");
  }
}

const startsWith = (moves, part) => part.every((move, ply) => move === moves[ply]);
