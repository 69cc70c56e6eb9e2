/** Arms that pay 1 or 0, and policies that choose among them: the twin of `rl_toolkit.algorithms.bandits.play_bandit`. */

import { PythonRandom } from "./python_random.js";

export const bonusOf = (c, all, own) => c * Math.sqrt(Math.log(all) / own);
const means = ({ sums, counts }) => counts.map((count, arm) => (count ? sums[arm] / count : Infinity));
/** Mean and bonus of every arm; infinite for one that was not tried. */
export const ucb1Scores = (tally, c) => means(tally).map((mean, arm) => (tally.counts[arm] ? mean + bonusOf(c, tally.pulls, tally.counts[arm]) : Infinity));
const firstBest = (scores) => scores.indexOf(Math.max(...scores));

const POLICIES = {
  ucb1: (tally, { c }) => firstBest(ucb1Scores(tally, c)),
  greedy: (tally) => firstBest(means(tally)),
  epsilon: (tally, { epsilon }, chance) => (!tally.counts.includes(0) && chance.random() < epsilon ? chance.below(tally.counts.length) : firstBest(means(tally))),
  random: (tally, _, chance) => chance.below(tally.counts.length),
};

/** The first `pulls` pulls as columns: `arm`, what it `paid`, and the `regret` up to there. */
export function played(arms, policy, { c = Math.SQRT2, epsilon = 0.1, seed = 0, pulls }) {
  const [luck, chance] = [new PythonRandom(`arms ${seed}`), new PythonRandom(`policy ${seed}`)];
  const tally = { counts: arms.map(() => 0), sums: arms.map(() => 0), pulls: 0 };
  const best = Math.max(...arms);
  const run = { arm: [], paid: [], regret: [] };
  let regret = 0;
  while (tally.pulls < pulls) {
    const arm = POLICIES[policy](tally, { c, epsilon }, chance);
    const paid = Number(luck.random() < arms[arm]);
    tally.counts[arm]++;
    tally.sums[arm] += paid;
    tally.pulls++;
    regret += best - arms[arm];
    run.arm.push(arm);
    run.paid.push(paid);
    run.regret.push(regret);
  }
  return run;
}

/** Counts and sums after the first n pulls. */
export function tallyAt(run, arms, n) {
  const tally = { counts: arms.map(() => 0), sums: arms.map(() => 0), pulls: n };
  for (let i = 0; i < n; i++) {
    tally.counts[run.arm[i]]++;
    tally.sums[run.arm[i]] += run.paid[i];
  }
  return tally;
}
