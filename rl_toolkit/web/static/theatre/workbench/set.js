/**
 * A set of tasks: items separated by semicolons, each "task@puzzle", "task@tree" or "kind@seed". What
 * was solved is kept in this browser, by item.
 */

const RESULTS = "rl-toolkit workbench results";

export const itemOf = (request) => (request.kind ? `${request.kind}@${request.seed}` : `${request.task}@${request.puzzle || request.tree}`);

export const readSet = (text) => (text ?? "").split(";").map((item) => item.trim()).filter(Boolean);

/** What an item asks the server for; `puzzles` are the names of puzzles, `kinds` those of tasks by hand. */
export function requestOf(item, puzzles, kinds) {
  const at = item.indexOf("@");
  const [task, source] = [item.slice(0, at).trim(), item.slice(at + 1).trim()];
  if (kinds.includes(task)) return { kind: task, seed: Number(source) || 0 };
  return puzzles.includes(source) ? { puzzle: source, task } : { tree: source, task };
}

/** Item → "solved", "helped" or "tried"; empty where nothing can be kept. */
export function results() {
  try {
    const kept = JSON.parse(localStorage.getItem(RESULTS));
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

/** Keep a result; a better one is never replaced by a worse. */
export function keepResult(item, result) {
  const all = results();
  const rank = ["tried", "helped", "solved"];
  if (rank.indexOf(all[item]) >= rank.indexOf(result)) return;
  all[item] = result;
  try {
    localStorage.setItem(RESULTS, JSON.stringify(all));
  } catch {
    // a browser that keeps nothing
  }
}
