/**
 * Hints in steps, from one answer of the adviser: where to look, which move, how it continues, and
 * why. Each press gives the next step; another position starts again.
 */

const SECONDS = 2;

/** How much longer the best of lost moves holds out; "" unless all distances are known. */
function pace(best, others) {
  if ([best, ...others].some(({ distance }) => distance === null)) return "";
  return others.every(({ distance }) => distance < best.distance) ? "Every other move loses sooner." : "No other move holds out longer.";
}

/** What sets the best move apart from all others, in a sentence, where everything is proven; else "". */
function apart(best, others, inPoints) {
  if (!others.length || ![best, ...others].every(({ proven }) => proven)) return "";
  if (best.outcome === "loss") return inPoints ? "" : pace(best, others);
  const { outcome } = best;
  if (others.some((other) => other.outcome === outcome)) return "";
  return outcome === "win" ? "No other move wins." : "Every other move loses.";
}

/** The steps of a hint: `{ text, cells, moves }`, an area or a line on the board. */
export function stepsOf({ area, best, candidates, lines, left_out: leftOut, units }) {
  const found = candidates.find((candidate) => candidate.move === best);
  const { name, move, line, note, text, proven, outcome } = found;
  const lost = proven && outcome === "loss" && candidates.length > 1;
  const names = (lines[String(move)] ?? []).map((step) => step.name);
  const steps = [];
  if (area) steps.push({ text: `${lost ? "All moves lose; one holds out longest. " : ""}Look at ${area.text}.`, cells: area.cells, moves: [] });
  steps.push({ text: lost ? `${name} holds out longest.` : `${name} is the move.`, cells: null, moves: [move] });
  if (names.length > 1) steps.push({ text: `It may continue ${names.slice(0, 6).join(" ")}.`, cells: null, moves: line.slice(0, 6) });
  const why = names.length > 1 ? note?.replace(/ \([^()]*\)\.$/, ".") : note; // the line was the step before
  const reason = leftOut ? "" : apart(found, candidates.filter((other) => other !== found), Boolean(units?.score));
  steps.push({ text: [`${name}: ${why ?? `${text}.`}`, reason].filter(Boolean).join(" "), cells: null, moves: [move] });
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
    if (this.searcher.what === "hint") return; // it is being looked for
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
