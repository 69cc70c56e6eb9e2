/**
 * Guess first: a question before an event is shown, and the score.
 *
 *   const guess = new Guess(box, "minimax");        // box: an empty element, filled here
 *   transport.onAsk = (t) => guess.ask(t, state);   // state: what the stage knows, e.g. its model
 *
 * `ask(event, state)` is called before the stage renders an event. It returns null if the switch is
 * off or no question fits; else a promise of the moment to show once the reader has answered. The
 * stage keeps showing the moment before meanwhile: the picture must not tell the answer.
 *
 * A question is a function of (event, state) that returns null or
 *   { text, options: [text, …], answer: one of the options, answers: all that are right,
 *     why: a sentence, to: a moment }
 * where `answers` has `answer` alone unless told, and `to` is the moment to show after the answer,
 * `event` unless told. Keys 1 to 9 answer.
 */

import { h } from "../js/base/dom.js";
import { whichArm } from "./questions/bandits.js";
import { handedUp, whatNow } from "./questions/minimax.js";

/** The questions of each kind of trace; the first that fits is asked. */
export const QUESTIONS = { minimax: [whatNow, handedUp], mcts: [], alphazero: [], bandit: [whichArm] };

export class Guess extends EventTarget {
  right = 0;
  asked = 0;
  #answer = null; // answers the open question with the option of that number

  constructor(box, kind) {
    super();
    this.kind = kind;
    this.box = box;
    this.on = false;
    this.score = h("span", { class: "score" });
    this.question = h("p");
    this.options = h("div", { class: "answers", role: "group", "aria-label": "Answers" });
    this.told = h("p", { "aria-live": "polite" });
    box.classList.add("guess");
    box.hidden = true;
    box.append(h("h2", {}, "Guess first ", this.score), this.question, this.options, this.told);
    addEventListener("keydown", (event) => {
      if (this.#answer && /^[1-9]$/.test(event.key) && !event.target.matches?.("input:not([type=checkbox], [type=range]), textarea, select")) this.#answer(event.key - 1);
    });
  }

  /** The switch for a toolbar. */
  switch() {
    const input = h("input", { type: "checkbox", role: "switch", on: { change: () => this.turn(input.checked) } });
    return h("label", { class: "switch guess-switch" }, input, " Guess first");
  }

  turn(on) {
    this.on = on;
    if (!on) this.close();
    this.dispatchEvent(new Event("change"));
  }

  /** Whether a question waits for an answer. */
  get open() {
    return this.#answer !== null;
  }

  /** Forget the question; for jumps. */
  close() {
    this.#answer = null;
    this.box.hidden = true;
  }

  ask(event, state) {
    if (!this.on) return null;
    this.close();
    for (const question of QUESTIONS[this.kind] ?? []) {
      const found = question(event, state);
      if (found) return this.#put(found, event);
    }
    return null;
  }

  #put({ text, options, answer, answers = [answer], why, to }, event) {
    this.box.hidden = false;
    this.box.classList.remove("is-told");
    this.question.textContent = text;
    this.told.textContent = "";
    return new Promise((resolve) => {
      this.#answer = (number) => {
        const given = options[number];
        if (given === undefined) return;
        this.#answer = null;
        const right = answers.includes(given);
        this.asked += 1;
        this.right += right;
        this.score.textContent = `${this.right} of ${this.asked}`;
        [...this.options.children].forEach((button, k) => {
          button.disabled = true;
          button.classList.toggle("is-answer", answers.includes(options[k]));
        });
        resolve(to ?? event);
        this.box.classList.add("is-told");
        this.told.className = right ? "is-right" : "is-wrong";
        this.told.textContent = `${right ? "Right" : `Not so: ${answer}`}. ${why}`;
        this.dispatchEvent(new CustomEvent("answer", { detail: right }));
      };
      this.options.replaceChildren(
        ...options.map((option, k) => h("button", { type: "button", on: { click: () => this.#answer?.(k) } }, h("kbd", {}, String(k + 1)), ` ${option}`)),
      );
    });
  }
}
