/** Questions about tree search. They read the recording of the stage (`mcts/model.js`) and nothing else. */

import { SELECT } from "../mcts/model.js";
import { fixed } from "../mcts/numbers.js";
import { shownOf } from "../mcts/waterfall.js";

const TIE = 6e-5; // terms are written with four digits

/** Which child does selection take? Means and visits are given, bonuses and sums are not. */
export function whichChild(event, recording) {
  const { s, phase, place } = recording.at(event);
  if (phase !== SELECT) return null;
  const all = recording.choice(s, place);
  const rows = all && shownOf(all, true);
  if (!rows || rows.length < 2) return null;
  const above = recording.sims[s].path[place];
  const label = ({ n, mean, visits, prior }) => `${recording.name(n)}: ${fixed(mean)}, ×${visits}${recording.network ? `, prior ${Math.round(100 * prior)} %` : ""}`;
  // Every move with the greatest sum is right: which of them is taken depends on which was made first.
  const sum = ({ mean, bonus }) => mean + bonus;
  const taken = rows.find((row) => row.taken);
  const equal = rows.filter((row) => row.taken || (!row.lost && Math.abs(sum(row) - sum(taken)) < TIE));
  return {
    text: `${recording.side(above)} is to move at ${recording.line(above)}. Which move does selection take? Each has its mean for ${recording.side(above)} and its visits${recording.network ? ", and its prior" : ""}.`,
    options: rows.map(label),
    answers: equal.map(label),
    answer: label(taken),
    why: recording.sentence(event),
  };
}
