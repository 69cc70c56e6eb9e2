/** Every number, answer and hidden claim of chapters, computed from their figures: for tests and `--write`. */

import { loadKind } from "../kinds.js";
import { evaluate, like } from "./expression.js";
import { changesOf, stateAt } from "./state.js";

/**
 * The claims of `parts` (`figure`, `start`, `claims` with `mark`, `expression`, `written`, `at`), each with what is
 * `wrong` with it, or null, and for a number what should be `computed`.
 */
export async function judged(parts) {
  const verdicts = [];
  for (const part of parts) {
    const kind = await loadKind(part.figure);
    const first = { ...kind.start, ...changesOf(kind, Object.entries(part.start), { strict: true }) };
    const right = new Map(); // by question, how many of its answers hold
    for (const claim of part.claims) {
      const verdict = judge(kind, first, claim);
      if (claim.mark === "?") right.set(claim.question, (right.get(claim.question) ?? 0) + Number(verdict.holds));
      verdicts.push({ ...claim, ...verdict });
    }
    for (const [question, count] of right) if (!count) verdicts.push({ question, wrong: "no answer is right" });
    if ([...right.values()].length) checkKeys(part.claims, verdicts);
  }
  return verdicts;
}

/** A key without a fact is right whatever the figure shows: that is a mistake. */
function checkKeys(claims, verdicts) {
  for (const { mark, expression } of claims) if (mark === "?" && !/[A-Za-z_]/.test(expression)) verdicts.push({ expression, wrong: "a key without a fact" });
}

function judge(kind, first, { mark, expression, written, at }) {
  try {
    const state = stateAt(kind, first, at, { strict: true });
    if (mark === "~") {
      const [name, low, high] = expression.split(" ");
      if (!(Number(low) <= state[name] && state[name] <= Number(high))) return { wrong: `${name} is ${state[name]}` };
      const computed = like(written, state[name]);
      return { computed, wrong: computed === written ? null : `it is ${computed}` };
    }
    const value = evaluate(expression, kind.facts(state, kind.think(state)));
    if (mark === "=") {
      const computed = like(written, value);
      return { computed, wrong: computed === written ? null : `it is ${computed}` };
    }
    if (mark === "?") return { holds: Boolean(value), wrong: null };
    return { wrong: value === true || value === 1 ? null : "it does not hold" };
  } catch (error) {
    return { wrong: error.message };
  }
}
