/** Puzzles from the mistakes in games that this browser has kept. */

import { post } from "../js/base/api.js";
import { Store } from "../js/model/store.js";

const MOST = 20; // games that are looked at in a row
const LOOKED_AT = "puzzle-looked-at"; // in localStorage: the games in which mistakes were looked for

/**
 * Look at games of these families that were not looked at before, and keep the puzzles in the `log`.
 * `onGame(k, count)` is called before each game. How many `games` were looked at, how many puzzles
 * were `found`, and `sentences` that say why other mistakes make none.
 */
export async function lookForMistakes(families, log, onGame) {
  const store = new Store();
  const seen = lookedAt();
  const kept = (await Promise.all(families.map((family) => store.games(family)))).flat();
  const fresh = kept.filter(({ id, revision, start, tree }) => !start && tree?.played && !seen.has(`${id} ${revision}`)).slice(0, MOST);
  const sentences = new Set();
  let found = 0;
  for (const [k, game] of fresh.entries()) {
    onGame(k + 1, fresh.length);
    const sides = [1, -1].filter((side) => game.seats?.[side] === "human");
    const moves = game.tree.played.split(" ").map(Number);
    const answer = sides.length ? await post("/api/puzzles/mistakes", { game: game.game, moves, sides }).catch(() => null) : null;
    if (answer) {
      found += log.keepOwn(answer.puzzles);
      for (const sentence of answer.sentences) sentences.add(sentence);
    }
    seen.add(`${game.id} ${game.revision}`);
  }
  try {
    localStorage.setItem(LOOKED_AT, JSON.stringify([...seen]));
  } catch {
    // They are looked at again.
  }
  return { games: fresh.length, found, sentences: [...sentences] };
}

function lookedAt() {
  try {
    return new Set(JSON.parse(localStorage.getItem(LOOKED_AT) ?? "[]"));
  } catch {
    return new Set();
  }
}
