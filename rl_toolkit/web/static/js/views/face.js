/** Text and buttons around the board: who sits where, how the game stands, and what can be done now. */

import { $, h } from "../base/dom.js";
import { counted, mustPass, piece, score, side } from "../base/format.js";

const BY = { resignation: "by resignation", time: "on time" };

const letter = (player) => (player > 0 ? "x" : player < 0 ? "o" : "");

/** "Yellow wins on time", "Draw". */
export function resultText(result, ended, position) {
  const how = ended ? ` ${BY[ended.by] ?? `(${ended.by})`}` : "";
  return result ? `${piece(result, position)} wins${how}` : `Draw${how}`;
}

/** Who sits on a side: "You", a name from a file, "medium". */
export function nameOf(session, player) {
  const name = session.players[player > 0 ? 0 : 1];
  if (!session.isHuman(player)) return session.seats[player];
  if (name && name !== "human") return name;
  return session.humans === 1 ? "You" : piece(player, session.position);
}

/** How the game stands: "Your move", "Yellow is thinking …", "Draw". */
export function standing(session, thinking) {
  const { position, node, mode, resultHere } = session;
  const { player } = position;
  const who = piece(player, position);
  if (resultHere !== null) return resultText(resultHere, node.ended, position);
  if (mode === "play" && !session.isHuman(player)) return thinking ? `${who} is thinking …` : `${who} to move`;
  if (mustPass(position)) return `${who} must pass`;
  return mode === "play" && session.humans === 1 ? "Your move" : `${who} to move`;
}

export function drawSeats(session, clock, setup) {
  const { position } = session;
  // One's own seat is below, as at a table.
  const below = session.own || 1;
  for (const [id, player] of [["top", -below], ["bottom", below]]) {
    const seat = $(`#seat-${id}`);
    const rating = setup.rating(session.seats[player]);
    seat.dataset.side = letter(player);
    seat.classList.toggle("turn", !session.over && position.player === player);
    seat.classList.toggle("engine", !session.isHuman(player));
    const [name, side] = [nameOf(session, player), piece(player, position)];
    seat.querySelector("b").textContent = name;
    seat.querySelector("small").textContent = [name === side ? "" : side, rating === null ? "" : `rated ${rating}`].filter(Boolean).join(" · ");
    drawTime(seat.querySelector("time"), session, clock, player);
  }
}

function drawTime(time, session, clock, player) {
  time.hidden = clock.left === null || !session.isHuman(player);
  time.textContent = clock.text(player);
  time.classList.toggle("short", clock.isShort(player));
}

/** `open` says whether a person may move on the board. */
export function drawStatus(session, turns, open) {
  const { position, node, resultHere } = session;
  const text = standing(session, turns.thinking);
  const status = $("#status");
  if (status.textContent !== text) status.textContent = text;
  status.dataset.turn = letter(resultHere ?? position.player);
  status.classList.toggle("final", resultHere !== null);
  $("#score").textContent = score(position);
  $("#where").textContent = node.parent ? `after ${counted(node.ply, "move")}` : "";
  document.title = `${text} · ${document.body.dataset.title}`;
  const enable = (id, yes) => ($(id).disabled = !yes);
  const engines = session.humans === 0;
  enable("#take-back", session.mode === "play" && !session.over && takeBackTo(session) !== null);
  enable("#hint", open && resultHere === null);
  enable("#resign", !session.over && !engines && session.tree.played.parent !== null);
  $("#pass").hidden = !(open && mustPass(position));
  $("#pause").hidden = session.over || session.mode !== "play" || !(engines || turns.paused);
  $("#pause").textContent = turns.paused ? "Resume" : "Pause";
  $("#step").hidden = session.over || !engines;
  $("#stop").hidden = !turns.thinking;
  const best = turns.latest?.candidates.find(({ move }) => move === turns.latest.best);
  $("#move-now").hidden = !turns.isEngines || !best || (!turns.thinking && !turns.paused);
  $("#move-now").textContent = turns.thinking ? "Move now" : `Play ${best?.name ?? ""}`;
}

/** The node to which a move is taken back: against an engine, one's own turn; null if there is none. */
export function takeBackTo(session) {
  const { position } = session;
  let node = session.node.parent;
  if (session.humans !== 1) return node;
  // A move without a choice is not one's own turn.
  const mine = (each) => each.player === session.own && each.move !== position.pass_move;
  for (let after = session.node; node; [node, after] = [node.parent, node]) if (mine(after)) return node;
  return null;
}

// --------------------------------------------------------------------------------- sentences

/** The sentence below the board. */
export function notify(text) {
  if ($("#notice").textContent !== text) $("#notice").textContent = text;
}

/** What people must know about the position: passes. */
export function noticeOf({ position, node }) {
  const passed = node.parent && position.pass_move !== null && node.move === position.pass_move;
  const before = passed ? `${piece(node.player, position)} has no move and passes.` : "";
  if (!mustPass(position) || position.done) return before;
  return `${before} ${piece(position.player, position)} has no move and must pass.`.trim();
}

/** Show an error in one sentence: beside a field if `near` names it, else below the board. */
export function complain(text, near = "") {
  for (const node of document.querySelectorAll("#complaint, .error")) node.hidden = true;
  document.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
  if (!text) return;
  const slot = near ? $(`#error-${near}`) : $("#complaint");
  slot.textContent = sentence(text);
  slot.hidden = false;
  document.querySelectorAll(`[aria-describedby="error-${near}"]`).forEach((field) => field.setAttribute("aria-invalid", "true"));
}

/** With a capital, unless it begins with the name of a square or of a file, and a stop. */
function sentence(text) {
  const first = /^[a-z]\d|^\S+\.\w/.test(text) ? text[0] : text[0].toUpperCase();
  return first + text.slice(1) + (/[.!?…:]$/.test(text) ? "" : ".");
}

/** Hide a box above or below the board; the focus, if it was in there, goes to the board. */
export function hide(box) {
  const left = !box.hidden && box.contains(document.activeElement);
  box.hidden = true;
  if (left) $("#board :is(.cell[tabindex='0'], button)")?.focus({ preventScroll: true });
}

/** Tell screen readers what has happened and how the game stands. */
export function announce(text) {
  const status = $("#status").textContent;
  tell(`${text} ${status}${status.endsWith("…") ? "" : "."}`);
}

/** Tell screen readers this, and nothing else. */
export function tell(text) {
  $("#announcer").textContent = text;
}

/** "White has no move and passes.", "Black (X) played c3." */
export function moveSentence({ node, position }) {
  if (node.move === position.pass_move) return `${piece(node.player, position)} has no move and passes.`;
  return `${side(node.player, position)} played ${node.name}.`;
}

/** What a file says about the game that was opened from it: the event, the date, who played. */
export function drawFacts(session) {
  const { position, players, headers } = session;
  const names = [1, -1].map((player) => [piece(player, position), players[player > 0 ? 0 : 1]]).filter(([, name]) => name && name !== "human");
  const facts = [...names, ...Object.entries(headers)];
  $("#facts").hidden = facts.length === 0;
  $("#facts").replaceChildren(...facts.map(([name, text]) => h("div", {}, h("dt", { text: name }), h("dd", { text }))));
}
