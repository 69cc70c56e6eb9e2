/** Questions about tree search. They read the recording of the stage (`mcts/model.js`) and nothing else. */

import { SELECT } from "../mcts/model.js";
import { fixed } from "../mcts/numbers.js";
import { shownOf } from "../mcts/waterfall.js";

/** Which child does selection take? Means and visits are given, bonuses and sums are not. */
export function whichChild(event, recording) {
  const { s, phase, place } = recording.at(event);
  if (phase !== SELECT) return null;
  const all = recording.choice(s, place);
  const rows = all && shownOf(all, true);
  if (!rows || rows.length < 2) return null;
  const above = recording.sims[s].path[place];
  const label = ({ n, mean, visits, prior }) => `${recording.name(n)}: ${fixed(mean)}, ×${visits}${recording.network ? `, prior ${Math.round(100 * prior)} %` : ""}`;
  return {
    text: `${recording.side(above)} is to move at ${recording.line(above)}. Which move does selection take? Each has its mean for ${recording.side(above)} and its visits${recording.network ? ", and its prior" : ""}.`,
    options: rows.map(label),
    answer: label(rows.find((row) => row.taken)),
    why: recording.sentence(event),
  };
}
