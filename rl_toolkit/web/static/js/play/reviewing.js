/**
 * The review of the game as it was played. Each entry stays with its node, so it is there after a
 * reload and in other variations. "change" says that there is more to see.
 */

import { counted } from "../base/format.js";
import { HUMAN } from "../model/session.js";

/** Whether a review calls a move a mistake: it has a mark, and hastening a loss has one, too. */
export const isMistake = ({ review }) => Boolean(review?.mark);

/**
 * What there is to learn from the games of a person: how often each kind of mistake was made, the
 * commonest first. `games` are those of the store.
 */
export function lessonsIn(games) {
  const counts = new Map();
  for (const { seats, tree } of games)
    for (const { player, review } of tree.nodes)
      if (review?.lesson && seats?.[player] === HUMAN) counts.set(review.lesson, (counts.get(review.lesson) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** How bad a mistake is: the chance that it lost, then the moves. */
const cost = ({ review }) => review.value_lost + (review.discs?.lost ?? 0) / 64 + (review.pace ? Math.abs(review.pace.before - review.pace.after) / 1000 : 0);

const leftOut = (opening) => `The opening of ${counted(opening, "move")} is not reviewed: no player chose it.`;

export class Reviewing extends EventTarget {
  state = "";

  constructor(session, searcher) {
    super();
    Object.assign(this, { session, searcher });
  }

  get running() {
    return this.searcher.what === "review";
  }

  /** The moves that are reviewed: those of the game, or of the main line where none was played. */
  get line() {
    const { tree } = this.session;
    return tree.played.parent ? tree.played.line : tree.main;
  }

  /** Mistakes of a side, or of both (0), in the order of the game. */
  mistakes(side = 0) {
    return this.line.filter((node) => isMistake(node) && (!side || node.player === side));
  }

  /** Those to learn from, the worst first: a small loss that is only estimated teaches nothing. */
  worst(side) {
    return this.mistakes(side).filter(({ review }) => review.sure !== false).sort((a, b) => cost(b) - cost(a));
  }

  async run(engine, time) {
    const { session } = this;
    const { line } = this;
    const { opening } = session;
    if (line.length <= opening) return this.#say(line.length ? leftOut(opening) : "");
    this.#say("Reviewing …");
    const { ended } = line.at(-1);
    const question = { ...session.question(line.at(-1)), engine: engine.spec, time, result: ended?.result, from: opening || undefined };
    let done = false;
    try {
      for await (const { name, data } of this.searcher.run("review", "/api/review", question)) {
        if (name === "move") {
          session.tree.reviewed(line[data.ply], data);
          this.#say(`Reviewing: ${data.ply + 1} of ${data.of} moves`);
        } else if (name === "done") {
          session.story = data;
          done = true;
        }
      }
      this.#say(done ? (opening ? leftOut(opening) : "") : `Stopped after ${counted(line.filter(({ review }) => review).length, "move")}.`);
    } catch (error) {
      this.#say(error.message);
    }
    session.touch();
  }

  #say(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}
