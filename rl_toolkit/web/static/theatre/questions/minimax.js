/**
 * Questions about minimax. They read the model of the stage (`search/model.js`) and nothing else.
 */

/** A child is back, and α and β have not moved yet: what now? */
export function whatNow(event, model) {
  const kind = model.kind[event];
  if (!"BbW".includes(kind) || !model.prunes) return null;
  const n = model.node[event];
  const e = model.at(n, event - 1);
  const child = model.came[event];
  const max = model.isMax(n);
  const [bound, moved] = max ? ["α", "rises"] : ["β", "falls"];
  const goesOn = `${bound} ${moved}, go on`;
  const cuts = `${bound} ${moved}, and cut`;
  const stays = `${bound} stays`;
  const isCut = model.kind[event + 1] === "C";
  const answer = kind !== "B" ? stays : isCut ? cuts : goesOn;
  const [alpha, beta] = [model.text(model.alpha[event]), model.text(model.beta[event])];
  const last = !isCut && model.slots(n).at(-1)?.node === child;
  const why =
    answer === stays
      ? `${model.verdict(child)} is not ${max ? `above α = ${alpha}` : `below β = ${beta}`}.`
      : answer === cuts
        ? `Now α = ${alpha} ≥ β = ${beta}.`
        : `Now α = ${alpha}, β = ${beta}${last ? ", and no move is left" : ""}.`;
  return {
    text: `${model.name(child)} comes back with ${model.verdict(child)}. Its parent is a ${max ? "MAX" : "MIN"} node with α = ${model.text(model.alpha[e])}, β = ${model.text(model.beta[e])}. What now?`,
    options: [goesOn, cuts, stays],
    answer,
    why,
    to: isCut ? event + 1 : event,
  };
}
