/** Numbers and sides in words; values come in as the side to move or player X sees them. */

const COLOURS = {
  marks: ["X", "O"],
  discs: ["Red", "Yellow"],
  stones: ["Black", "White"],
  reversi: ["Black", "White"],
};

export const letter = (player) => (player > 0 ? "X" : "O");

/** "X", or "Red (X)" where pieces have colours. */
export function side(player, style) {
  const colour = COLOURS[style]?.[player > 0 ? 0 : 1] ?? letter(player);
  return colour === letter(player) ? colour : `${colour} (${letter(player)})`;
}

/** What may end a game before the rules do. */
const ENDINGS = { resignation: "by resignation", time: "on time" };

/** How a game stands: "X wins on time.", "O: your move." */
export function standing(game) {
  const { position } = game;
  const name = (player) => side(player, position.style);
  if (game.over) {
    const by = game.ended?.by;
    const how = by ? ` ${ENDINGS[by] ?? `(${by})`}` : "";
    return game.winner === 0 ? `Draw${how}.` : `${name(game.winner)} wins${how}.`;
  }
  const yours = game.humans === 1 ? "your move" : "to move";
  const who = game.isHuman(position.player) ? yours : `${game.seats[position.player]} to move`;
  return `${name(position.player)}: ${who}.`;
}

/** How many discs each has, where that counts: "33 : 31". */
export function discs(position) {
  if (position.style !== "reversi") return "";
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

/** "win in 3", "draw", "loss?" for what is only believed, "" where nothing is known. */
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

/** The same where discs are counted: "+12", "=" for a proven draw. */
export const lead = ({ score, proven }) => (proven && score === 0 ? "=" : signed(score, 0));

export const percent = (value) => `${Math.round(50 + 50 * value)} %`;

export function count(number) {
  if (number === null || number === undefined) return "–";
  if (number >= 10e6) return `${(number / 1e6).toFixed(0)} M`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 10e3) return `${(number / 1e3).toFixed(0)} k`;
  return number.toLocaleString("en");
}

/** The class that colours a value: good, bad or even for whoever sees it. */
export const tone = (value) => (value > 0.1 ? "good" : value < -0.1 ? "bad" : "even");
