/**
 * What is known of the position of a node: from its own analysis, else from the review of the move
 * that leads to it; null if nothing is. `value` is the first player's; `text` says by how much the
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
  return review && review.after !== null && review.worth ? worth(review.after, review.after_proven, review.worth, review.text) : null;
}

function worth(value, proven, mark, words) {
  const share = /%$|^\d+\.\d/.test(mark) ? `${Math.round(50 + 50 * Math.abs(value))}%` : null;
  const text = mark === "=" ? "=" : (share ?? mark.replace(/^[WL]|[+−]/g, ""));
  return { value, proven, text, words, side: mark === "=" ? "" : sideOf(value) };
}

const sideOf = (value) => (value > 0 ? "x" : value < 0 ? "o" : "");
