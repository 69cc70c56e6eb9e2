/** Sides, numbers and sentences about the game. What a value means in words comes from the server. */

export const letter = (player) => (player > 0 ? "X" : "O");

/** What the pieces of `player` are called in `position`: "X", "Red". */
export const piece = (player, { pieces }) => pieces[player > 0 ? 0 : 1];

/** "X", or "Red (X)" where pieces have names. */
export function side(player, position) {
  const name = piece(player, position);
  return name === letter(player) ? name : `${name} (${letter(player)})`;
}

/** Whether the only move is a pass. */
export const mustPass = ({ legal }) => legal.length === 1 && legal[0].cell === null;

/** A text in which a line does not end before "%". */
export const unbroken = (text) => text.replaceAll(" %", "\u00a0%");

/** The pieces of each side, in games that count them: "33 : 31". */
export function score(position) {
  if (!position.score_unit) return "";
  const count = (player) => position.board.filter((piece) => piece === player).length;
  return `${count(1)} : ${count(-1)}`;
}

export function signed(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value > 0 ? "+" : "−") + text;
}

/** "3 discs", "1 visit". */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

export function count(number) {
  if (number === null || number === undefined) return "–";
  if (number >= 10e6) return `${(number / 1e6).toFixed(0)} M`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 10e3) return `${(number / 1e3).toFixed(0)} k`;
  return number.toLocaleString("en");
}

/** Who played a game of the store, for each side: a name from a file, "You", "medium"; "" for people without a name. */
export function sidesOf({ seats = {}, players = [], tree }) {
  const seated = tree?.played ? [seats[1], seats[-1]] : []; // an analysis has no seats
  const engine = (seat) => Boolean(seat) && seat !== "human";
  const you = seated.some(engine) ? "You" : "";
  return [0, 1].map((k) => (players[k] && players[k] !== "human" ? players[k] : engine(seated[k]) ? seated[k] : you));
}

/** A game of a family as people call it, with its board where that is not the usual one: "Reversi 6×6". */
export function titleOf(game, family, title) {
  const board = game === family ? "" : game.slice(family.length + 1);
  return [title, board.replace(/^\d+$/, "$&×$&").replaceAll("x", "×").replaceAll("-", " ")].filter(Boolean).join(" ");
}

/** "12 %", "<1 %" for a part of the whole. */
export const share = (part) =>
  part === null ? "–" : part > 0 && part < 0.005 ? "<1 %" : `${Math.round(100 * part)} %`;

/** The class that colours a value for the side that it belongs to. */
export const tone = (value) =>
  value === null ? "unknown" : value > 0.1 ? "good" : value < -0.1 ? "bad" : "even";

/** Why a move is worth what it is, without the value and the line that stand beside it: "" where that is all that is said. */
export function reasonOf({ note, text, proven }, side) {
  const [end] = (proven && /in \d+ moves?$/.exec(text)) || [];
  if (end && note) return note.replace(new RegExp(`(^|; )[^;]* ${end}( \\([^;]*\\))?\\.$`), (_, before) => (before ? "." : ""));
  const reason = note?.replace(` (${side} ${text})`, "") ?? "";
  return proven || reason === note || reason.includes("; ") ? reason : "";
}
