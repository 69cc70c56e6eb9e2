/**
 * The board of a game without a grid: the text of the position, and a button for each legal move.
 * It has the methods of `Board`, so that the page need not know which of the two it has.
 */

import { h } from "../base/dom.js";
import { Roving } from "../base/roving.js";

export class TextBoard extends EventTarget {
  #buttons = new Map(); // move → button
  #text = h("pre", { tabindex: "0", role: "region", "aria-label": "Position" });
  #list = h("div", { class: "move-buttons", role: "toolbar", "aria-label": "Moves" });
  #left = false; // whether a move was chosen here, so that the focus belongs to the next one
  #roving = new Roving(this.#list, "button");

  constructor(container) {
    super();
    this.container = container;
    container.replaceChildren(this.#text, this.#list);
    this.#list.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      this.#left = Boolean(button);
      if (button) this.dispatchEvent(new CustomEvent("move", { detail: Number(button.dataset.move) }));
    });
  }

  /** Draw `position` (an answer of /api/position). `open` says whether a person may move. */
  show(position, { open = false } = {}) {
    this.#text.textContent = position.text;
    this.#buttons = new Map(
      position.legal.map(({ move, name }) => [
        move,
        h("button", { type: "button", class: "small", "data-move": move, disabled: !open }, h("span", { text: name })),
      ]),
    );
    this.#list.replaceChildren(...this.#buttons.values());
    this.#roving.refresh();
    if (!open || !this.#left) return;
    this.#left = false;
    if (document.activeElement === document.body) this.focus();
  }

  /** The values of moves: a Map from moves to `{ text, words, tone, proven, best }`. */
  hints(marks) {
    for (const [move, button] of this.#buttons) {
      button.querySelector(".value")?.remove();
      const mark = marks?.get(move);
      button.classList.toggle("best", Boolean(mark?.best));
      if (mark?.text) button.append(h("span", { class: `value ${mark.tone}`, text: ` ${mark.text}`, title: mark.words }));
    }
  }

  /** A move has been chosen: no other one until the server has answered. */
  anticipate() {
    for (const button of this.#buttons.values()) button.disabled = true;
  }

  /** Mark `move` as a good one. */
  point(move) {
    this.#buttons.get(move)?.classList.add("hinted");
  }

  focus() {
    this.#list.querySelector("button:not(:disabled)")?.focus();
  }

  // What needs squares.
  refuse() {}
  line() {}
  marks() {}
  letDraw() {}
  flip() {}
  confirm() {}
}
