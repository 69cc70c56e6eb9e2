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
  const ends = `${bound} ${moved}, and no move is left`;
  const stays = `${bound} stays`;
  const isCut = model.kind[event + 1] === "C";
  // After the last move there is nothing to cut, whatever the window says.
  const last = !isCut && model.slots(n).at(-1)?.node === child;
  const answer = kind !== "B" ? stays : isCut ? cuts : last ? ends : goesOn;
  const [alpha, beta] = [model.text(model.alpha[event]), model.text(model.beta[event])];
  const why =
    answer === stays
      ? `${model.verdict(child)} is not ${max ? `above α = ${alpha}` : `below β = ${beta}`}.`
      : answer === cuts
        ? `Now α = ${alpha} ≥ β = ${beta}.`
        : last && model.alpha[event] >= model.beta[event]
          ? `Now α = ${alpha} ≥ β = ${beta}, but ${model.name(child)} was the last move: there is nothing to leave out.`
          : `Now α = ${alpha}, β = ${beta}${last ? `, and ${model.name(child)} was the last move` : ""}.`;
  return {
    text: `${model.name(child)} comes back with ${model.verdict(child)}. Its parent is a ${max ? "MAX" : "MIN"} node with α = ${model.text(model.alpha[e])}, β = ${model.text(model.beta[e])}. What now?`,
    options: [goesOn, cuts, ends, stays],
    answer,
    why,
    to: isCut ? event + 1 : event,
  };
}

/** A node is finished, but has not been left: what does it hand up, a number or a bound? */
export function handedUp(event, model) {
  if (model.kind[event] !== "R") return null;
  const n = model.node[event];
  const isCut = model.cutAt.has(n);
  const kids = model.kids[n];
  if (kids.length < 2 && !isCut) return null;
  const value = model.text(model.value[event]);
  const answer = model.verdict(n);
  // A number among those of the children, or which way a bound points.
  const places = kids.map((kid) => model.value[model.closes[kid]]).sort((one, other) => one - other);
  const numbers = [...new Set(places.map((place) => model.text(place)))];
  const options = isCut || answer !== value ? [`≤ ${value}`, value, `≥ ${value}`] : around(numbers, value);
  if (options.length < 2 || !options.includes(answer)) return null;
  const name = n > 0 ? model.name(n) : "The root";
  const why = isCut ? "the rest is left out" : "all its moves are back";
  return {
    text: `${name} is a ${model.isMax(n) ? "MAX" : "MIN"} node, and ${why}. What does it hand up?`,
    options,
    answer,
    why: isCut && answer === value ? `No result is ${model.isMax(n) ? "higher" : "lower"} than ${value}, so what is left out cannot change it.` : model.sentence(event),
  };
}

/** At most four neighbours in a sorted list, one of them `value`. */
function around(numbers, value) {
  const at = numbers.indexOf(value);
  const from = Math.max(0, Math.min(at - 1, numbers.length - 4));
  return numbers.slice(from, from + 4);
}
