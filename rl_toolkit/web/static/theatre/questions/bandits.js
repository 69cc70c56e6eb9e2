/** Questions about bandits. They read the pulls of the page (`bandits/tally.js`) and nothing else. */

/** Which arm is pulled next? Means and pulls are given, bonuses and sums are not. */
export function whichArm(moment, { pulls, policy }) {
  const next = pulls.pulls[moment];
  const scores = next?.[3];
  const tally = next ? pulls.tally(moment) : [];
  // What is drawn at random, and what is a tie, cannot be known.
  if (!scores || pulls.explores.has(moment) || tally.some((arm) => !arm.pulls)) return null;
  const best = Math.max(...scores);
  if (scores.filter((score) => best - score < 1e-9).length > 1) return null;
  const label = ({ pulls: count, paid }, arm) => `arm ${arm + 1}: mean ${(paid / count).toFixed(2)}, ${count} ${count === 1 ? "pull" : "pulls"}`;
  const options = tally.map(label);
  return {
    text: `${policy} has pulled ${moment} times. Which arm is next?`,
    options,
    answer: options[next[0]],
    why: pulls.told[moment],
  };
}
