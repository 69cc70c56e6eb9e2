/**
 * A clock for people, with some seconds for each move. It stops while earlier moves are looked at
 * and then continues with the time left. Its events are "short" (detail: seconds left) and "out".
 */

import { $ } from "../base/dom.js";

const [SHORT, PART] = [10, 1 / 3]; // seconds, or part of the time, from which it is short
const TICK = 100; // ms

export class Clock extends EventTarget {
  #left = new Map(); // ms left, by position
  #key = null;
  #short = 0; // seconds from which time is short
  #since = 0;
  #timer = null;

  /** Run for the position `key`, unless it runs already. */
  run(key, seconds) {
    if (key === this.#key) return;
    this.halt();
    if (!this.#left.has(key)) this.#left.set(key, 1000 * seconds);
    this.#key = key;
    this.#short = Math.min(SHORT, Math.floor(PART * seconds));
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
    this.#show();
  }

  /** Stop; the time left is kept. */
  halt() {
    if (this.#key === null) return;
    clearInterval(this.#timer);
    this.#left.set(this.#key, this.#rest());
    this.#key = null;
    this.#show();
  }

  /** Forget all times left: another game begins. */
  reset() {
    this.halt();
    this.#left.clear();
  }

  #rest() {
    return Math.max(0, this.#left.get(this.#key) - (performance.now() - this.#since));
  }

  #tick() {
    const before = $("#clock").classList.contains("short");
    this.#show();
    if (this.#rest() === 0) {
      this.halt();
      this.dispatchEvent(new Event("out"));
    } else if (!before && $("#clock").classList.contains("short"))
      this.dispatchEvent(new CustomEvent("short", { detail: this.#short }));
  }

  #show() {
    const node = $("#clock");
    node.hidden = this.#key === null;
    if (node.hidden) return;
    const seconds = Math.ceil(this.#rest() / 1000);
    node.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    node.classList.toggle("short", seconds <= this.#short);
  }
}
