/**
 * Which move is played after a search: rules that read visits and means of the first moves. The
 * sentence of the search itself has the rule of its engine; here one sees where the rules part.
 */

const QUARTER = 1 / 4; // of the most visits: what a move needs for the mixture

/** The first moves that have visits: { n, visits, mean for the side to move, lost, won }. */
function tried(recording, t) {
  return recording.firstMoves
    .map((n) => {
      const { visits, mean } = recording.stats(n, t);
      const proven = recording.proofs ? recording.seen(recording.proven(n, t)) : null;
      return { n, visits, mean: proven ?? recording.seen(mean), won: proven === 1, lost: proven === -1 };
    })
    .filter(({ visits }) => visits);
}

/** The greatest by some key; of equal ones the first; a proven win before all, a proven loss after all. */
function greatest(moves, key) {
  const rank = (move) => (move.won ? Infinity : move.lost ? -Infinity : key(move));
  return moves.reduce((best, move) => (best === null || rank(move) > rank(best) ? move : best), null)?.n ?? -1;
}

export const RULES = {
  visits: { title: "most visits", pick: (moves) => greatest(moves, ({ visits }) => visits) },
  mean: { title: "best mean", pick: (moves) => greatest(moves, ({ mean }) => mean) },
  mixture: {
    title: "mixture",
    pick(moves) {
      const most = Math.max(0, ...moves.map(({ visits }) => visits));
      return greatest(moves.filter(({ visits, won }) => won || visits >= QUARTER * most), ({ mean }) => mean);
    },
  },
};

/** The first move that a rule plays at a moment, −1 before the first visit. */
export const recommended = (rule, recording, t) => RULES[rule].pick(tried(recording, t));

/** What each rule plays now, in a sentence. */
export function toldRules(recording, t) {
  if (!tried(recording, t).length) return "";
  const named = Object.entries(RULES).map(([rule, { title }]) => [title, recording.name(recommended(rule, recording, t))]);
  const names = new Set(named.map(([, name]) => name));
  if (names.size === 1) return `All three rules play ${[...names][0]} now.`;
  return `${named.map(([title, name], k) => `${k ? title : title[0].toUpperCase() + title.slice(1)} plays ${name}`).join(", ")}.`;
}
