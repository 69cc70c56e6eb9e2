/** Numbers and sides in words; values are those of the side to move or of player X. */

export const letter = (player) => (player > 0 ? "X" : "O");

/** What the pieces of `player` are called in `position`: "X", "Red". */
export const piece = (player, { pieces }) => pieces[player > 0 ? 0 : 1];

/** "X", or "Red (X)" where pieces have names. */
export function side(player, position) {
  const name = piece(player, position);
  return name === letter(player) ? name : `${name} (${letter(player)})`;
}

/** Ways in which a game ends before the rules end it. */
const ENDINGS = { resignation: "by resignation", time: "on time" };

/** How a game stands: "X wins on time.", "O: your move." */
export function standing(game) {
  const { position } = game;
  const name = (player) => side(player, position);
  if (game.over) {
    const by = game.ended?.by;
    const how = by ? ` ${ENDINGS[by] ?? `(${by})`}` : "";
    return game.winner === 0 ? `Draw${how}.` : `${name(game.winner)} wins${how}.`;
  }
  const yours = game.humans === 1 ? "your move" : "to move";
  const who = game.isHuman(position.player) ? yours : `“${game.seats[position.player]}” to move`;
  return `${name(position.player)}: ${who}.`;
}

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

/** How many of its own moves the winner needs; `distance` counts plies, this move included. */
const movesOf = (distance, wins) => (wins ? Math.ceil(distance / 2) : Math.floor(distance / 2));

/** "win in 3", "draw", "loss?" for an estimate, "" if nothing is known. */
export function outcome(candidate) {
  if (!candidate.outcome) return "";
  if (!candidate.proven) return `${candidate.outcome}?`;
  if (candidate.outcome === "draw" || candidate.distance === null) return candidate.outcome;
  const moves = movesOf(candidate.distance, candidate.outcome === "win");
  return moves ? `${candidate.outcome} in ${moves}` : candidate.outcome;
}

/** The few characters that fit into a square. */
export function brief(candidate) {
  if (candidate.proven && candidate.outcome) {
    if (candidate.outcome === "draw") return "=";
    const sign = candidate.outcome === "win" ? "+" : "−";
    if (candidate.distance === null) return candidate.outcome === "win" ? "W" : "L";
    return sign + (movesOf(candidate.distance, candidate.outcome === "win") || 1);
  }
  if (candidate.visits === 0) return "";
  const hundredths = Math.round(candidate.value * 100);
  if (hundredths === 0) return "0";
  return (hundredths > 0 ? "+" : "−") + Math.abs(hundredths);
}

/** "3 discs", in a game that counts them. */
export function units(number, { score_unit: unit }) {
  const whole = Math.round(number);
  return `${whole} ${unit}${Math.abs(whole) === 1 ? "" : "s"}`;
}

/** What stands before a number that is not exact. */
export const bound = ({ score_bound: kind }) => ({ lower: "≥ ", upper: "≤ " })[kind] ?? "";

export const percent = (value) => `${Math.round(50 + 50 * value)} %`;

export function count(number) {
  if (number === null || number === undefined) return "–";
  if (number >= 10e6) return `${(number / 1e6).toFixed(0)} M`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 10e3) return `${(number / 1e3).toFixed(0)} k`;
  return number.toLocaleString("en");
}

/** The class that colours a value. */
export const tone = (value) => (value > 0.1 ? "good" : value < -0.1 ? "bad" : "even");
