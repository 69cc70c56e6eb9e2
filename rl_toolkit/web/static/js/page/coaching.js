/** Hints and lessons: what says them, and what shows them on the board. Loaded when the first one is wanted. */

import { Hints } from "../play/hints.js";
import { Retry } from "../play/retry.js";
import { Coach } from "../views/coach.js";
import { notify } from "../views/face.js";

export class Coaching {
  constructor(page) {
    const { session, searcher, values, board, moving } = page;
    this.hints = new Hints(session, searcher, values);
    this.retry = new Retry(session, searcher, values);
    this.coach = new Coach(session, board, this.retry, () => moving.open);
    this.hints.addEventListener("say", ({ detail }) => this.#hint(page, detail));
    this.retry.addEventListener("say", ({ detail }) => this.coach.say(detail));
    this.retry.addEventListener("left", ({ detail }) => (page.draw(), notify(detail)));
  }

  draw() {
    this.coach.draw();
  }

  #hint(page, step) {
    notify(step.text);
    page.elsewhere = true;
    this.coach.show(step);
  }
}
