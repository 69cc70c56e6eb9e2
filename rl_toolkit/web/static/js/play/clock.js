/**
 * Clocks for people. "30" is 30 seconds for each move; "180+2" is three minutes for the game, and two
 * seconds more after each move. A clock runs while a person is to move at the end of the game; engines
 * have their own limits. Its events are "tick", "short" (detail: seconds left) and "out" (detail:
 * player).
 */

const [SHORT, PART] = [10, 1 / 3]; // seconds, or part of the time, from which it is short
const TICK = 100; // ms

export class Clock extends EventTarget {
  left = null; // ms by player, null without a clock
  #all = 0;
  #plus = null; // ms after each move; null if the time is for each move
  #byMove = new Map(); // ms left, by position, where the time is for each move
  #key = "";
  #runs = 0; // the player whose clock runs
  #since = 0;
  #begun = 0; // when the player began to think about this move
  #timer = null;
  #warned = false;

  /** Another game, with `left` ms by player if it was begun before. */
  set(text, left = null) {
    this.halt();
    this.#byMove.clear();
    const [, base, plus] = /^(\d+)(?:\+(\d+))?$/.exec(text) ?? [];
    this.#all = 1000 * (base ?? 0);
    this.#plus = plus === undefined ? null : 1000 * plus;
    this.left = base ? (left ?? { 1: this.#all, [-1]: this.#all }) : null;
  }

  /** Whether the time is for the whole game. */
  get isForGame() {
    return this.left !== null && this.#plus !== null;
  }

  /** Let the clock of `player` run in the position `key`, unless it does. */
  run(player, key) {
    if (!this.left || (this.#runs === player && this.#key === key)) return;
    this.halt();
    if (!this.isForGame) this.left[player] = this.#byMove.get(key) ?? this.#all;
    this.#key = key;
    this.#runs = player;
    this.#begun = this.#since = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  /** Stop; what is left is kept. After a move (`moved`) the increment is added; the answer is its seconds. */
  halt(moved = false) {
    if (!this.#runs) return null;
    const spent = (performance.now() - this.#begun) / 1000;
    this.left[this.#runs] = this.of(this.#runs) + (moved ? (this.#plus ?? 0) : 0);
    this.#byMove.set(this.#key, this.left[this.#runs]);
    clearInterval(this.#timer);
    this.#runs = 0;
    return Math.round(10 * spent) / 10;
  }

  of(player) {
    const spent = this.#runs === player ? performance.now() - this.#since : 0;
    return Math.max(0, this.left[player] - spent);
  }

  /** "2:56", "" without a clock. */
  text(player) {
    if (!this.left) return "";
    const seconds = Math.ceil(this.of(player) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  /** Seconds from which time is short. */
  get #short() {
    return Math.min(SHORT, Math.floor((PART * this.#all) / 1000));
  }

  isShort(player) {
    return this.left !== null && Math.ceil(this.of(player) / 1000) <= this.#short;
  }

  #tick() {
    const player = this.#runs;
    const rest = this.of(player);
    this.dispatchEvent(new Event("tick"));
    if (rest === 0) {
      this.halt();
      this.dispatchEvent(new CustomEvent("out", { detail: player }));
    } else if (this.isShort(player) && !this.#warned) {
      this.#warned = true;
      this.dispatchEvent(new CustomEvent("short", { detail: this.#short }));
    } else if (!this.isShort(player)) this.#warned = false;
  }
}
