/**
 * What a visitor has done, in this browser: attempts at puzzles, and puzzles of the visitor's own.
 * It is read by the server's rules each time (`/api/puzzles/progress`), and never kept there.
 */

const ATTEMPTS = "puzzle-attempts";
const OWN = "puzzle-own";
const FORMAT = "rl_toolkit puzzle progress";
const VERSION = 1;
const MOST = 4000; // attempts that are sent, the latest ones

const read = (key) => {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
};

export class Log {
  problem = ""; // a sentence if nothing can be kept
  #attempts = read(ATTEMPTS);
  #own = read(OWN);

  /** All attempts; with `game` only those at its puzzles. */
  attempts(game = "") {
    const some = game ? this.#attempts.filter(({ puzzle }) => puzzle.startsWith(`${game}/`)) : this.#attempts;
    return some.slice(-MOST);
  }

  get own() {
    return this.#own;
  }

  add(attempt) {
    this.#attempts = [...read(ATTEMPTS), attempt]; // another tab may have added some
    this.#keep(ATTEMPTS, this.#attempts);
  }

  /** Keep own puzzles `{ name, line }` that are not there yet; how many are new. */
  keepOwn(puzzles, now = Date.now() / 1000) {
    const known = new Set(this.#own.map(({ name }) => name));
    const fresh = puzzles.filter(({ name }) => !known.has(name)).map(({ name, line, added = now }) => ({ name, line, added }));
    this.#own = [...this.#own, ...fresh];
    this.#keep(OWN, this.#own);
    return fresh.length;
  }

  text() {
    return `${JSON.stringify({ format: FORMAT, version: VERSION, attempts: this.#attempts, puzzles: this.#own }, null, 1)}\n`;
  }

  /** Add what a file holds; a sentence about it. Throws for a file of another kind. */
  read(text) {
    const { format, version, attempts, puzzles = [] } = JSON.parse(text);
    if (format !== FORMAT || version !== VERSION || !Array.isArray(attempts)) throw new Error("This is not a file of progress.");
    const known = new Set(this.#attempts.map(({ puzzle, time }) => `${puzzle} ${time}`));
    const fresh = attempts.filter(({ puzzle, time }) => !known.has(`${puzzle} ${time}`));
    this.#attempts = [...this.#attempts, ...fresh].sort((one, other) => one.time - other.time);
    this.#keep(ATTEMPTS, this.#attempts);
    return `${fresh.length} attempts and ${this.keepOwn(puzzles)} puzzles were new.`;
  }

  erase() {
    this.#attempts = [];
    this.#own = [];
    try {
      localStorage.removeItem(ATTEMPTS);
      localStorage.removeItem(OWN);
    } catch {
      // Nothing was kept.
    }
  }

  #keep(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      this.problem = "This browser keeps nothing: save your progress as a file before you leave.";
    }
  }
}
