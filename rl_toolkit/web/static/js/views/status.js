/** Text and buttons around the board: how the game stands, and what can be done now. */

import { $ } from "../base/dom.js";
import { counted, mustPass, piece, score, side, standing } from "../base/format.js";

/** `open` says whether a person may move on the board, `thinking` whether an engine does. */
export function drawFace(game, { open, paused, thinking }) {
  const { position } = game;
  $("#status").textContent = $("#status").title = standing(game, thinking); // a long name may be cut short
  $("#status").dataset.turn = game.over ? "over" : position.player > 0 ? "x" : "o";
  $("#status").dataset.winner = game.over && game.winner ? (game.winner > 0 ? "x" : "o") : "";
  $("#status").classList.toggle("final", game.over);
  $("#score").textContent = score(position);
  const enable = (id, yes) => ($(id).disabled = !yes);
  enable("#undo", game.undoTarget() !== game.ply);
  enable("#redo", game.redoTarget() !== game.ply);
  enable("#first-ply", game.ply > 0);
  enable("#last-ply", !game.atEnd);
  enable("#resign", !game.over && game.atEnd && game.humans > 0);
  enable("#hint", open && !game.over && !position.done);
  enable("#run-review", game.mainMoves.length > 0);
  $("#pass").hidden = !(open && mustPass(position));
  $("#ending").hidden = !game.over;
  $("#new").hidden = game.over; // it is below the board then
  $("#side-line").hidden = !game.main;
  if (game.main) $("#side-line-text").textContent = `A side line from move ${game.main.from + 1} on.`;
  drawPause(game, paused);
}

/** Two engines can be paused; a paused engine can resume until the game is over. */
function drawPause(game, paused) {
  $("#step").hidden = game.over || game.humans > 0;
  $("#pause").hidden = game.over || (game.humans > 0 && !paused);
  $("#pause").textContent = paused ? "Resume" : "Pause";
}

/** The sentence below the board, by default what follows from the last move. */
export function notify(text) {
  $("#notice").textContent = text;
}

/** What people must know about the position: passes. */
export function noticeOf(game) {
  const { position, ply, moves, movers } = game;
  if (game.over) return `${counted(moves.length, "move")} played.`;
  const passed = ply > 0 && moves[ply - 1] === position.pass_move && position.pass_move !== null;
  const before = passed ? `${piece(movers[ply - 1], position)} has no move and passes.` : "";
  if (!mustPass(position)) return before;
  const now = `${piece(position.player, position)} has no move and must pass.`;
  return game.isHuman(position.player) ? `${before} ${now}`.trim() : before;
}

/** Show an error in one sentence: beside a field if `near` names it, else below the board. */
export function complain(text, near = "") {
  const slot = near ? `#error-${near}` : "#complaint";
  for (const node of document.querySelectorAll("#complaint, .error")) node.hidden = true;
  document.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
  if (!text) return;
  $(slot).textContent = sentence(text);
  $(slot).hidden = false;
  document.querySelectorAll(`[aria-describedby="error-${near}"]`).forEach((field) => field.setAttribute("aria-invalid", "true"));
}

/** With a capital, unless it begins with the name of a square or of a file, and a stop. */
function sentence(text) {
  const first = /^[a-z]\d|^\S+\.\w/.test(text) ? text[0] : text[0].toUpperCase();
  return first + text.slice(1) + (/[.!?…:]$/.test(text) ? "" : ".");
}

/** Tell screen readers what has happened and how the game stands. */
export function announce(text, game) {
  $("#announcer").textContent = `${text} ${standing(game)}`;
}

/** "White has no move and passes.", "Black (X) played c3." */
export function moveSentence(game, { move, name, player }) {
  const { position } = game;
  if (move === position.pass_move) return `${piece(player, position)} has no move and passes.`;
  return `${side(player, position)} played ${name}.`;
}
