/** Text and buttons around the board: how the game stands, and what can be done now. */

import { $ } from "./dom.js";
import { score, standing } from "./format.js";

/** `open` says whether a person may move on the board. */
export function drawFace(game, { open, paused }) {
  const { position } = game;
  $("#status").textContent = $("#status").title = standing(game); // a long name may be cut short
  $("#status").dataset.turn = game.over ? "over" : position.player > 0 ? "x" : "o";
  $("#score").textContent = score(position);
  const enable = (id, yes) => ($(id).disabled = !yes);
  enable("#undo", game.undoTarget() !== game.ply);
  enable("#redo", game.redoTarget() !== game.ply);
  enable("#first-ply", game.ply > 0);
  enable("#last-ply", !game.atEnd);
  enable("#resign", !game.over && game.atEnd && game.humans > 0);
  enable("#run-review", game.moves.length > 0);
  $("#pass").hidden = !(open && position.legal.length === 1 && position.legal[0].cell === null);
  drawPause(game, paused);
}

/** Two engines can be paused; a paused engine can resume until the game is over. */
export function drawPause(game, paused) {
  $("#step").hidden = game.over || game.humans > 0;
  $("#pause").hidden = game.over || (game.humans > 0 && !paused);
  $("#pause").textContent = paused ? "Resume" : "Pause";
}

export function complain(text) {
  $("#complaint").textContent = text ? text[0].toUpperCase() + text.slice(1) : "";
  $("#complaint").hidden = !text;
}

/** Tell screen readers what has happened and how the game stands. */
export function announce(text, game) {
  $("#announcer").textContent = `${text} ${standing(game)}`;
}
