/**
 * What engines say of positions, kept by position: a return shows it at once, other orders of moves
 * share it, and edits of a tree cannot make it wrong. A better answer replaces a worse one only.
 */

const MOST = 400; // analyses in memory; the store keeps more
const CROWD = 64; // candidates from which only the best are stored: 220 take 60 kB
const STORED = 32;

export class Values extends EventTarget {
  #kept = new Map();

  /** `store` has `value(key)` and `keepValue(key, analysis)`. */
  constructor(store) {
    super();
    this.store = store;
  }

  /** What this page has of `position` by `engine`, or null. */
  get(position, engine) {
    return this.#kept.get(keyOf(position, engine)) ?? null;
  }

  /** The same, and else what the store has. */
  async find(position, engine) {
    const key = keyOf(position, engine);
    if (!this.#kept.has(key)) {
      const stored = await this.store.value(key);
      if (stored && !this.#kept.has(key)) this.#keep(key, stored);
    }
    return this.get(position, engine);
  }

  /** Keep an analysis unless a better one is there; the answer is the better one. */
  put(position, engine, analysis, { save = true } = {}) {
    const key = keyOf(position, engine);
    const old = this.#kept.get(key);
    if (old && weight(old) > weight(analysis)) return old;
    const { after, tree, units, ...kept } = analysis;
    this.#keep(key, kept);
    if (save) this.store.keepValue(key, shortened(kept));
    this.dispatchEvent(new Event("change"));
    return kept;
  }

  #keep(key, analysis) {
    this.#kept.delete(key);
    this.#kept.set(key, analysis);
    if (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value);
  }
}

const keyOf = ({ game, position }, engine) => `${game}|${position}|${engine}`;

const shortened = (analysis) => (analysis.candidates.length > CROWD ? { ...analysis, candidates: analysis.candidates.slice(0, STORED) } : analysis);

const EVERYTHING = 1e12;
const PROOF = 1e9;

/** How much an analysis says: that every move is proven, that the best one is, or the time spent. */
export function weight({ proven, candidates, elapsed = 0 }) {
  if (candidates.length > 0 && candidates.every((candidate) => candidate.proven)) return EVERYTHING;
  return (proven ? PROOF : 0) + elapsed;
}

/** Whether no search can say more. */
export const isSettled = (analysis) => analysis !== null && weight(analysis) === EVERYTHING;

const SOON = 4; // plies within which a threat must win

/**
 * The move that the other side threatens, or null: the answer by which several moves that are not
 * best lose soon. It needs no search of a position with the wrong side to move.
 */
export function threatIn({ threat, candidates }) {
  if (threat?.length) return threat[0];
  const votes = new Map();
  for (const { best, proven, outcome, distance, line } of candidates)
    if (!best && proven && outcome === "loss" && distance <= SOON && line.length > 1) votes.set(line[1], (votes.get(line[1]) ?? 0) + 1);
  const [move, count] = [...votes].sort((a, b) => b[1] - a[1])[0] ?? [null, 0];
  return count > 1 ? move : null;
}

/**
 * What is known of the position of a node: from its own analysis, else from the review of the move
 * that leads to it, or of the one that leaves it; null if nothing is. `value` is the first player's; `text` says by how much the
 * `side` leads, which reads better down a list than "won" and "lost" in turn.
 */
export function worthOf(node, { positions }, values, engine) {
  const position = positions.known(node);
  const result = node.ended?.result ?? (position?.done ? (position.winner ?? 0) : null);
  if (result !== null) return { value: result, proven: true, text: "", words: "the game is over", side: sideOf(result) };
  const known = position && engine ? values.get(position, engine.name) : null;
  const best = known?.candidates.find(({ move }) => move === known.best);
  if (best && best.value !== null) return worth(best.value * known.player, best.proven, best.mark, known.text);
  const { review } = node;
  if (review?.there && review.after !== null) return worth(review.after, review.after_proven, review.there.mark, review.there.text);
  const { value = null, proven } = node.next?.review ?? {};
  return value === null ? null : { value, proven, text: "", words: "", side: sideOf(value) };
}

function worth(value, proven, mark, words) {
  const share = /%$|^\d+\.\d/.test(mark) ? `${Math.min(99, Math.round(50 + 50 * Math.abs(value)))}%` : null; // an estimate is no proof
  const text = mark === "=" ? "=" : (share ?? mark.replace(/^[WL]|[+−]/g, ""));
  return { value, proven, text, words, side: mark === "=" ? "" : sideOf(value) };
}

const sideOf = (value) => (value > 0 ? "x" : value < 0 ? "o" : "");
