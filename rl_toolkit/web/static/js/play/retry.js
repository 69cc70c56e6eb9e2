/**
 * Learning from mistakes, on the board: the position before each mistake, the worst first. A try is
 * drawn at once and judged by the engine; a wrong one is answered by what refutes it and taken back,
 * a right one is kept as a variation. "say" (detail: text, kind, steps) speaks to the learner, "left"
 * ends the lesson.
 */

import { counted, piece } from "../base/format.js";

const SECONDS = 1; // for each try
const BACK_AFTER = 1600; // ms in which a wrong try and its answer are seen

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
    if (move === task.node.move) return this.#say(`${name} was played in the game. Try another move.`, "wrong", [move]);
    this.#say("Checking …", "ask", [move]);
    const { parent } = task.node;
    const question = { ...session.positions.question([...parent.moves, move]), from: parent.ply, engine: this.engine.spec, time: SECONDS };
    let entry = null;
    for await (const event of this.searcher.run("retry", "/api/review", question)) if (event.name === "move") entry = event.data;
    if (!entry || this.task !== task) return;
    // Where the game is lost anyway, a move that holds out as long as the best one is right.
    if (!entry.mark && entry.pace?.kind !== "hastened") {
      task.solved = true;
      session.tree.add(parent, { move, name, player: position.player });
      this.#say(`${name} is right. ${entry.note ?? entry.text}`, "right", [move]);
      return;
    }
    this.#say(`${name} is not better: ${entry.cost ?? entry.pace?.text ?? entry.text}.`, "wrong", [move, ...this.#answerTo(move)]);
    setTimeout(() => this.task === task && !task.solved && this.#say(`${this.#asked()} Try again.`, "ask"), BACK_AFTER);
  }

  /** The next step of a hint: where, which move, which line and why. */
  async hint() {
    const { task, session } = this;
    const found = await this.#analysis();
    if (!found || this.task !== task || task.solved) return;
    const best = found.candidates.find(({ move }) => move === found.best);
    const lost = best.proven && best.outcome === "loss";
    task.step += found.area || task.step ? 1 : 2;
    if (task.step === 1) this.#say(`${lost ? "All moves lose, one holds out longest. " : ""}Look at ${found.area.text}.`, "ask", [], found.area.cells);
    else if (task.step === 2) this.#say(lost ? `${best.name} holds out longest.` : `${best.name} is the move.`, "ask", [best.move]);
    else {
      task.solved = true;
      session.tree.add(task.node.parent, { move: best.move, name: best.name, player: session.position.player });
      this.#say(`${best.name}: ${best.note ?? best.text}`, "right", best.line.slice(0, 5));
    }
  }

  leave(text = "") {
    this.task = null;
    this.searcher.stop("retry");
    this.dispatchEvent(new CustomEvent("left", { detail: text }));
  }

  async #analysis() {
    const { session, engine, values } = this;
    const { position } = session;
    let found = await values.find(position, engine.name);
    if (found) return found;
    this.#say("Looking …", "ask");
    for await (const { name, data } of this.searcher.run("retry", "/api/search", { ...session.question(), engine: engine.spec, time: SECONDS }))
      if (name === "done") found = values.put(position, engine.name, data);
    return found;
  }

  /** The reply by which a wrong try loses, where an analysis of the position has it. */
  #answerTo(move) {
    const found = this.values.get(this.session.position, this.engine.name);
    return found?.candidates.find((candidate) => candidate.move === move)?.line.slice(1, 2) ?? [];
  }

  #asked() {
    const { node } = this.task;
    return `${piece(node.player, this.session.position)} played ${node.name}. Find a better move.`;
  }

  #say(text, kind, moves = [], area = null) {
    this.dispatchEvent(new CustomEvent("say", { detail: { text, kind, moves, area } }));
  }
}
