/**
 * What a bot claims about the position in which it has just moved. The bot is asked once for each
 * move, and only while somebody looks at its thinking: its answer takes a second search.
 */

import { isAbort, post } from "../base/api.js";

const silent = ({ value, visits, prior }) => value === null && visits === null && prior === null;

/** Whether an engine has said no more than which move it plays, so that it may have claims. */
export const saysOnlyItsMove = (analysis) => !analysis.claims && analysis.candidates.every(silent);

/**
 * The analysis with the claims of the bot, or null if it has none. `question` names the game and the
 * moves before `analysis.best`; `engine` is the bot.
 */
export async function askForClaims(question, engine, analysis, signal) {
  try {
    return await post("/api/claims", { ...question, engine, move: analysis.best }, signal);
  } catch (error) {
    if (isAbort(error)) return null;
    console.warn(`The claims of ${engine} could not be asked for: ${error.message}`);
    return null;
  }
}
