/**
 * The review of the game as it was played. Each entry stays with its node, so it is there after a
 * reload and in other variations. "change" says that there is more to see.
 */

import { post } from "../base/api.js";
import { counted } from "../base/format.js";
import { HUMAN } from "../model/session.js";

/** Whether a review calls a move a mistake; hastening a loss is one, too. */
export const isMistake = ({ review }) => Boolean(review?.mark);

/**
 * How often a person made each kind of mistake in `games` of the store, the commonest first. A game
 * that was kept more than once, as an older link was opened, counts once.
 */
export function lessonsIn(games) {
  const counts = new Map();
  const seen = new Set(); // games as they were played
  for (const { game, start, seats, tree } of games) {
    const lessons = tree.nodes.filter(({ player, review }) => review?.lesson && seats?.[player] === HUMAN).map(({ review }) => review.lesson);
    const played = [game, start, tree.played].join("|");
    if (!lessons.length || seen.has(played)) continue;
    seen.add(played);
    for (const lesson of lessons) counts.set(lesson, (counts.get(lesson) ?? 0) + 1);
  }
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

  /** The moves that are reviewed: those of the game, else of the main line. */
  get line() {
    const { tree } = this.session;
    return tree.played.parent ? tree.played.line : tree.main;
  }

  /** Mistakes of a side, or of both (0), in the order of the game. */
  mistakes(side = 0) {
    return this.line.filter((node) => isMistake(node) && (!side || node.player === side));
  }

  /** Those to learn from, the worst first: the sure ones; else the worst move of a lost game. */
  worst(side) {
    const all = this.mistakes(side).sort((a, b) => cost(b) - cost(a));
    const sure = all.filter(({ review }) => review.sure !== false);
    return sure.length ? sure : all.filter(({ player }) => this.session.result === -player).slice(0, 1);
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
      if (done) this.#makePuzzles(line, opening ? leftOut(opening) : "");
      else this.#say(`Stopped after ${counted(line.filter(({ review }) => review).length, "move")}.`);
    } catch (error) {
      this.#say(error.message);
    }
    session.touch();
  }

  /** Make puzzles of a person's proven mistakes; say how many, and why not more. */
  async #makePuzzles(line, first) {
    const { session } = this;
    this.#say(first);
    const sides = [1, -1].filter((side) => session.seats[side] === HUMAN && this.mistakes(side).length);
    const { game, moves, start } = session.question(line.at(-1));
    if (!sides.length || start) return;
    const answer = await post("/api/puzzles/mistakes", { game, moves, sides }).catch(() => null);
    if (!answer) return; // a game that has no puzzles
    const { Log } = await import("../model/puzzle_log.js");
    const count = new Log().keepOwn(answer.puzzles);
    const made = count ? `${counted(count, "new puzzle")} from your mistakes: see Puzzles, Mine.` : "";
    this.#say([first, made, ...answer.sentences].filter(Boolean).join(" "));
  }

  #say(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}
