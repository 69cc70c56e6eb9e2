/**
 * Learning from mistakes, on the board: the position before each mistake, the worst first. A try is
 * drawn at once and judged by the engine; a wrong one is answered by what refutes it and taken back,
 * a right one is kept as a variation. "say" (detail: text, kind, steps) speaks to the learner, "left"
 * ends the lesson.
 */

import { counted, piece } from "../base/format.js";
import { adviceOn, stepsOf } from "./hints.js";

const SECONDS = 1; // for each try
const ANSWER = 3; // moves of the answer to a wrong try
export const STEP = 650; // ms between two moves of it
const BACK_AFTER = 1600; // ms in which all of it is seen

/**
 * Whether a try will do: no mistake of its own, and by estimates at most half as bad as the move that
 * was played. Where the game is lost anyway, a move that holds out about as long as the best one will.
 */
export const isEnough = (entry, played) => !entry.mark && entry.pace?.kind !== "hastened" && entry.value_lost <= played.value_lost / 2;

export class Retry extends EventTarget {
  task = null; // { node, solved, step }
  #list = [];
  #place = 0;

  constructor(session, searcher, values) {
    super();
    Object.assign(this, { session, searcher, values });
  }

  get on() {
    return this.task !== null;
  }

  /** "2 of 5". */
  get count() {
    return `${this.#place + 1} of ${this.#list.length}`;
  }

  get isLast() {
    return this.#place + 1 >= this.#list.length;
  }

  async start(nodes, engine) {
    this.#list = nodes;
    this.engine = engine;
    this.#place = -1;
    await this.next();
  }

  async next() {
    this.#place += 1;
    const node = this.#list[this.#place];
    if (!node) return this.leave(`You have looked at ${counted(this.#list.length, "mistake")}.`);
    this.task = { node, solved: false, step: 0 };
    await this.session.show(node.parent);
    this.#say(`${piece(node.player, this.session.position)} played ${node.name}. Find a better move.`, "ask");
  }

  /** Judge a try. */
  async attempt(move) {
    const { task, session } = this;
    if (!task || task.solved) return;
    const { position } = session;
    const { name } = position.legal.find((entry) => entry.move === move);
    if (move === task.node.move) {
      this.#say(`${name} was played in the game. Try another move.`, "wrong", [move]);
      return this.#backAfter(BACK_AFTER, task);
    }
    this.#say("Checking …", "ask", [move]);
    const { parent } = task.node;
    const question = { ...session.positions.question([...parent.moves, move]), from: parent.ply, engine: this.engine.spec, time: SECONDS };
    let entry = null;
    for await (const event of this.searcher.run("retry", "/api/review", question)) if (event.name === "move") entry = event.data;
    if (!entry || this.task !== task) return;
    if (isEnough(entry, task.node.review)) {
      task.solved = true;
      session.tree.add(parent, { move, name, player: position.player });
      this.#say(entry.better ? `${name} is good. ${entry.better}` : `${name} is right. ${entry.note ?? entry.text}`, "right", [move]);
      return;
    }
    const reason = `${name} is ${entry.mark || entry.pace ? "not" : "hardly"} better: ${entry.cost ?? entry.pace?.text ?? entry.text}.`;
    this.#say(reason, "wrong", [move]);
    const answer = await this.#refutation([...parent.moves, move]);
    if (this.task !== task) return;
    this.#say(reason, "wrong", [move, ...answer]);
    this.#backAfter(BACK_AFTER + STEP * answer.length, task);
  }

  /** Take a wrong try back. */
  #backAfter(ms, task) {
    setTimeout(() => this.task === task && !task.solved && this.#say(`${this.#asked()} Try again.`, "ask"), ms);
  }

  /** The next step of a hint; after the last one the task counts as looked at. */
  async hint() {
    const { task, session, searcher, values, engine } = this;
    if (!task || task.solved) return;
    if (!task.steps) this.#say("Looking …", "ask");
    task.steps ??= await adviceOn(session, searcher, values, engine, "retry", SECONDS).then((found) => found && stepsOf(found));
    if (this.task !== task || !task.steps || task.solved) return;
    const step = task.steps[task.step];
    task.step += 1;
    task.solved = task.step === task.steps.length;
    if (task.solved) {
      const [move] = step.moves;
      const { name } = session.position.legal.find((entry) => entry.move === move);
      session.tree.add(task.node.parent, { move, name, player: session.position.player });
    }
    this.#say(step.text, task.solved ? "right" : "ask", step.moves, step.cells);
  }

  leave(text = "") {
    this.task = null;
    this.searcher.stop("retry");
    this.dispatchEvent(new CustomEvent("left", { detail: text }));
  }

  /** The moves by which a wrong try is answered. */
  async #refutation(moves) {
    const question = { ...this.session.positions.question(moves), engine: this.engine.spec, time: SECONDS, top: 1 };
    let line = [];
    try {
      for await (const { name, data } of this.searcher.run("retry", "/api/search", question)) if (name === "done") line = data.line.slice(0, ANSWER);
    } catch {
      // The try has ended the game, or the server is gone: there is nothing to show.
    }
    return line;
  }

  #asked() {
    const { node } = this.task;
    return `${piece(node.player, this.session.position)} played ${node.name}. Find a better move.`;
  }

  #say(text, kind, moves = [], area = null) {
    this.dispatchEvent(new CustomEvent("say", { detail: { text, kind, moves, area } }));
  }
}
