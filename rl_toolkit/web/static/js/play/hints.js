/**
 * Hints in steps, from one answer of the adviser: where to look, which move, how it continues, and
 * why. Each press gives the next step; another position starts again.
 */

const SECONDS = 2;

/** The steps of a hint: `{ text, cells, moves }`, an area or a line on the board. */
export function stepsOf({ area, best, candidates, lines }) {
  const { name, move, line, note, text, proven, outcome } = candidates.find((candidate) => candidate.move === best);
  const lost = proven && outcome === "loss" && candidates.length > 1;
  const names = (lines[String(move)] ?? []).map((step) => step.name);
  const steps = [];
  if (area) steps.push({ text: `${lost ? "All moves lose; one holds out longest. " : ""}Look at ${area.text}.`, cells: area.cells, moves: [] });
  steps.push({ text: lost ? `${name} holds out longest.` : `${name} is the move.`, cells: null, moves: [move] });
  if (names.length > 1) steps.push({ text: `It may continue ${names.slice(0, 6).join(" ")}.`, cells: null, moves: line.slice(0, 6) });
  steps.push({ text: `${name}: ${note ?? text}`, cells: null, moves: [move] });
  return steps;
}

export class Hints extends EventTarget {
  #position = null;
  #steps = [];
  #place = 0;

  constructor(session, searcher, values) {
    super();
    Object.assign(this, { session, searcher, values });
  }

  /** The next step: "say" (detail: text, cells, moves) shows it. */
  async next(engine) {
    const { session } = this;
    const { position } = session;
    if (this.#position !== position) {
      this.#say({ text: "Looking for a good move …", cells: null, moves: [] });
      const found = await adviceOn(session, this.searcher, this.values, engine, "hint", SECONDS);
      if (!found || session.position !== position) return;
      Object.assign(this, { engine });
      this.#position = position;
      this.#steps = stepsOf(found);
      this.#place = 0;
    } else this.#place = Math.min(this.#place + 1, this.#steps.length - 1);
    const left = this.#steps.length - 1 - this.#place;
    this.#say({ ...this.#steps[this.#place], left });
  }

  #say(detail) {
    this.dispatchEvent(new CustomEvent("say", { detail }));
  }
}

/** What `engine` says of the position on the board: kept, or searched for `seconds`; null if stopped. */
export async function adviceOn(session, searcher, values, engine, what, seconds) {
  const { position } = session;
  const question = session.question();
  let found = await values.find(position, engine.name);
  if (found) return found;
  for await (const { name, data } of searcher.run(what, "/api/search", { ...question, engine: engine.spec, time: seconds }))
    if (name === "done") found = values.put(position, engine.name, data);
  return found;
}
