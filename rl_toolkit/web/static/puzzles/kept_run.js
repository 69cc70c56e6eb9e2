/** A storm or a streak that a reload must not end, in sessionStorage: `{ mode, game, solved, tried, at, end }`. */

const NAME = "puzzle-run";

/** Keep a run in place of the one before; null forgets it. */
export function keep(run) {
  try {
    if (run) sessionStorage.setItem(NAME, JSON.stringify(run));
    else sessionStorage.removeItem(NAME);
  } catch {
    // Without room a reload begins anew.
  }
}

/** The run of this mode and game that was kept; null if there is none. */
export function kept(mode, game) {
  try {
    const run = JSON.parse(sessionStorage.getItem(NAME));
    return run?.mode === mode && run.game === game ? { solved: run.solved, tried: run.tried, at: run.at, end: run.end, over: false } : null;
  } catch {
    return null;
  }
}
