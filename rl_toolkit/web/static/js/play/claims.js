/**
 * What a bot claims about the position in which it has moved. The bot is asked only when somebody
 * wants to know, since its answer takes a second search, and then about the move that it played.
 */

import { post } from "../base/api.js";

/** The move that `engine` has played at `node`, or null. */
export const playedBy = (node, engine) => node.children.find(({ by }) => by === engine)?.move ?? null;

/** The analysis with the claims of `engine` about the position in which it played `move`; null if it claims nothing. */
export const claimsAbout = (question, engine, move, further = {}, signal) => post("/api/claims", { ...question, ...further, engine, move }, signal);
