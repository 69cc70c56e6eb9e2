/**
 * Pulls as the server gives them, and what is known after some of them: counts and sums are added up
 * from the pulls, scores are those by which the policy compared the arms.
 */

export class Pulls {
  /** `answer` is that of /api/bandits/pulls. */
  constructor(answer) {
    Object.assign(this, { told: [], total: "", explored: [] }, answer);
    this.explores = new Set(this.explored);
    this.best = this.arms && Math.max(...this.arms);
    const known = this.pulls.flatMap(([, , , scores]) => scores ?? []).filter((score) => score !== null);
    this.top = Math.ceil(2 * Math.max(1, ...known)) / 2; // of the scale
  }

  get length() {
    return this.pulls.length;
  }

  /** For each arm its pulls and what it paid in the first n pulls. */
  tally(n) {
    const arms = Array.from({ length: this.count }, () => ({ pulls: 0, paid: 0 }));
    for (const [arm, reward] of this.pulls.slice(0, n)) {
      arms[arm].pulls += 1;
      arms[arm].paid += reward;
    }
    return arms;
  }

  /** The regret after each of the first n pulls; null while the arms are hidden. */
  regret(n) {
    return this.arms && this.pulls.slice(0, n).map(([, , regret]) => regret);
  }
}

/** "0.60"; "–" for what is not known. */
export const two = (number) => (number === null || number === undefined ? "–" : number.toFixed(2));
