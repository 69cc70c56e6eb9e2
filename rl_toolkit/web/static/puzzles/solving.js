/**
 * One puzzle on the board: the opponent's last move, the moves of the visitor, replies, hints, and
 * the line that refutes a wrong move. Events: "wrong", "solved" (detail: sentence), "moved", "judging" (the
 * answer to a move takes long), "judged", "failed" (detail: why there is no answer), "impossible" (detail: why a
 * cell cannot be chosen).
 */

import { post } from "../js/base/api.js";
import { Positions } from "../js/model/positions.js";

const LAST_MOVE = 450; // milliseconds
const REPLY = 550;
const WRONG = 900;
const STEP = 750;
const SLOW = 400; // before the visitor is told that a move is being judged

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const at = (moves) => ({ moves, path: moves.join(" "), ply: moves.length });

export class Solving extends EventTarget {
  puzzle = null;
  missed = false;
  done = false;
  hints = 0;
  names = []; // of the moves of the game up to the position
  #board;
  #positions = new Positions();
  #before = []; // moves since the position of the puzzle
  #wrong = null; // { move, line } after a wrong move
  #step = 0; // of the hints for this move
  #run = 0; // a number for each thing that takes time: an older one stops
  #begun = 0;
  #judging = 0; // since when the server judges a move

  constructor(board) {
    super();
    this.#board = board;
    board.addEventListener("move", ({ detail }) => this.#try(detail));
    board.addEventListener("refused", ({ detail }) => this.#refuse(detail));
  }

  get seconds() {
    return Math.round((Date.now() - this.#begun) / 100) / 10;
  }

  /** Whether a move is judged just now: that time is not the visitor's. */
  get isJudging() {
    return this.#judging > 0;
  }

  /** The answer of the server to a move; its time does not count. */
  async #judged(run, move) {
    this.#judging = Date.now();
    const slow = setTimeout(() => run === this.#run && this.dispatchEvent(new Event("judging")), SLOW);
    try {
      return await post("/api/puzzles/answer", { ...this.#named(), before: this.#before, move });
    } finally {
      clearTimeout(slow);
      const took = Date.now() - this.#judging;
      this.#judging = 0;
      this.#begun += took;
      this.dispatchEvent(new CustomEvent("judged", { detail: took }));
    }
  }

  /** The moves from the start of the game to what is asked now. */
  get moves() {
    return [...this.puzzle.moves, ...this.#before];
  }

  get canExplain() {
    return this.#wrong !== null;
  }

  async show(puzzle) {
    const run = ++this.#run;
    Object.assign(this, { puzzle, missed: false, done: false, hints: 0 });
    [this.#before, this.#wrong, this.#step] = [[], null, 0];
    const { game, moves } = puzzle;
    const first = Math.max(0, moves.length - 1);
    const answer = await post("/api/line", { game, moves, from: first });
    if (run !== this.#run) return;
    this.#positions.begin(answer, "");
    this.names = answer.names;
    document.body.dataset.style = answer.fixed.style;
    this.#board.marks([]);
    if (first < moves.length) {
      this.#board.show(this.#positions.known(at(moves.slice(0, first))));
      await pause(LAST_MOVE);
      if (run !== this.#run) return;
    }
    this.#begun = Date.now();
    await this.#ask(run);
  }

  /** Stop whatever goes on, and take no moves. */
  stop() {
    this.#run += 1;
    this.done = true;
    this.#board.open = false;
  }

  /** The next hint: its sentence, and the board shows where; nothing if it comes too late. */
  async hint() {
    const [run, before, step] = [this.#run, this.#before, this.#step];
    const isLate = () => run !== this.#run || before !== this.#before || step !== this.#step;
    let found;
    try {
      found = await post("/api/puzzles/hint", { ...this.#named(), ply: before.length, step });
    } catch (error) {
      if (!isLate()) this.#fail(error);
      return "";
    }
    if (isLate()) return "";
    const { sentence, cells, last } = found;
    this.hints += 1;
    this.#step += 1;
    const ring = (cell) => ({ kind: last ? "right" : "best", from: cell });
    this.#board.marks(cells.length > 4 ? [{ kind: "area", cells }] : cells.map(ring));
    return sentence;
  }

  /** Play what refutes the last wrong move, then come back; the names of the line. */
  async why() {
    const run = ++this.#run;
    const { move, line } = this.#wrong;
    const from = at(this.moves);
    const whole = [move, ...line];
    this.#board.marks([]);
    let shown, names;
    try {
      shown = await this.#positions.beyond(from, whole);
      names = await this.#namesOf(whole);
    } catch (error) {
      return this.#failed(run, error);
    }
    if (run !== this.#run) return;
    this.dispatchEvent(new CustomEvent("line", { detail: names.join(" ") }));
    for (const position of shown) {
      if (run !== this.#run) return;
      this.#board.show(position);
      await pause(STEP);
    }
    await pause(STEP);
    if (run === this.#run) await this.#ask(run);
  }

  /** Play the solution to its end; the names of its moves, nothing if they come too late. */
  async solution() {
    const run = ++this.#run;
    this.done = true;
    let found, shown;
    try {
      found = await post("/api/puzzles/solution", this.#named());
      if (run !== this.#run) return "";
      shown = await this.#positions.beyond(at(this.moves), found.line.slice(this.#before.length));
    } catch (error) {
      if (run === this.#run) this.done = false;
      await this.#failed(run, error);
      return "";
    }
    if (run !== this.#run) return "";
    this.#board.marks([]);
    this.#play(run, shown);
    return found.names.join(" ");
  }

  async #play(run, shown) {
    for (const position of shown) {
      if (run !== this.#run) return;
      this.#board.show(position);
      await pause(STEP);
    }
  }

  async #ask(run) {
    const position = await this.#positions.of(at(this.moves));
    if (run !== this.#run) return;
    this.#board.show(position, { open: !this.done, sides: position.pieces });
    this.dispatchEvent(new Event("asked"));
  }

  async #try(move) {
    if (this.done) return;
    const run = ++this.#run;
    this.#board.anticipate(move);
    this.#board.marks([]);
    let found;
    try {
      found = await this.#judged(run, move);
    } catch (error) {
      return this.#failed(run, error);
    }
    if (run !== this.#run) return;
    const [after] = await this.#positions.beyond(at(this.moves), [move]);
    if (run !== this.#run) return;
    this.#board.show(after);
    if (!found.right) return this.#isWrong(run, move, found, after);
    this.#wrong = null;
    this.#step = 0;
    this.#before = [...this.#before, move];
    if (found.solved) {
      this.done = true;
      if (typeof after.last_cell === "number") this.#board.marks([{ kind: "right", from: after.last_cell }]);
      this.dispatchEvent(new CustomEvent("solved", { detail: found.sentence }));
      return;
    }
    this.dispatchEvent(new CustomEvent("moved", { detail: found.sentence }));
    await pause(REPLY);
    if (run !== this.#run) return;
    this.#before = [...this.#before, found.reply];
    await this.#ask(run);
  }

  /** Say why a cell cannot be chosen. */
  async #refuse({ cell, open }) {
    if (this.done || !open) return;
    const run = this.#run;
    this.#board.refuse(cell);
    try {
      const { reason } = await post("/api/why-not", { game: this.puzzle.game, moves: this.moves, cell });
      if (reason && run === this.#run) this.dispatchEvent(new CustomEvent("impossible", { detail: reason }));
    } catch (error) {
      if (run === this.#run) this.#fail(error);
    }
  }

  #fail({ message }) {
    this.dispatchEvent(new CustomEvent("failed", { detail: message }));
  }

  /** No answer came: ask again, unless something else has begun. */
  async #failed(run, error) {
    if (run !== this.#run) return;
    this.#fail(error);
    await this.#ask(run);
  }

  async #isWrong(run, move, found, after) {
    this.#wrong = { move, line: found.refutation };
    this.missed = true;
    if (typeof after.last_cell === "number") this.#board.marks([{ kind: "wrong", from: after.last_cell }]);
    this.dispatchEvent(new CustomEvent("wrong", { detail: found.sentence }));
    await pause(WRONG);
    if (run !== this.#run) return;
    this.#board.marks([]);
    await this.#ask(run);
  }

  #named() {
    const { name, line } = this.puzzle;
    return line ? { puzzle: name, line } : { puzzle: name };
  }

  async #namesOf(line) {
    const { lines } = await post("/api/names", { game: this.puzzle.game, moves: this.moves, lines: [line] });
    return lines[0].names;
  }
}
