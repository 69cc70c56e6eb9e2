/**
 * A board on which a pattern is put together: each square is any, a stone of either side, or free.
 *
 *   const board = new PatternBoard(element);
 *   board.use(look, text);      // look: rows, cols, pieces, style, row_one_at; text: the pattern or null
 *   board.take()                // "x?/?o", as the server reads it: rows from the top
 */

import { h } from "../js/base/dom.js";

const ORDER = ["?", "x", "o", "."];
const SIGNS = { "?": "?", x: "X", o: "O", ".": "·" };
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const letters = "abcdefghijklmnopqrstuvwxyz";

export class PatternBoard {
  #cells = []; // signs, from the top left
  #look = null;
  #taken = null; // the text that was used or taken last: what was pressed since then stays

  constructor(element) {
    this.element = element;
    element.addEventListener("click", ({ target }) => this.#press(target.closest("button")));
    element.addEventListener("keydown", (event) => this.#walk(event));
  }

  get isEmpty() {
    return this.#cells.every((sign) => sign === "?");
  }

  /** The text of the pattern. */
  take() {
    const { cols } = this.#look;
    const rows = [];
    for (let at = 0; at < this.#cells.length; at += cols) rows.push(this.#cells.slice(at, at + cols).join(""));
    return (this.#taken = rows.join("/"));
  }

  /** Show the board of a game; without a text, the pattern stays if the board is the same. */
  use(look, text) {
    const same = this.#look?.family === look.family && this.#look.rows === look.rows && this.#look.cols === look.cols;
    if (same && (text === null || text === this.#taken)) return;
    this.#look = look;
    this.#taken = text;
    this.#cells = read(text ?? "", look);
    this.#draw();
  }

  clear() {
    this.#cells.fill("?");
    this.#draw();
  }

  #draw() {
    const { cols, style } = this.#look;
    this.element.dataset.style = style;
    this.element.style.setProperty("--cols", cols);
    this.element.replaceChildren(...this.#cells.map((_, at) => h("button", { type: "button", tabindex: at ? "-1" : "0", "data-at": at })));
    for (const button of this.element.children) this.#drawCell(button);
  }

  #drawCell(button) {
    const { rows, cols, row_one_at: first, pieces } = this.#look;
    const at = Number(button.dataset.at);
    const down = Math.floor(at / cols);
    const name = `${letters[at % cols]}${first === "bottom" ? rows - down : down + 1}`;
    const sign = this.#cells[at];
    const words = { "?": "any", x: pieces[0], o: pieces[1], ".": "free" };
    button.className = { x: "x", o: "o", "?": "any", ".": "free" }[sign];
    button.textContent = SIGNS[sign];
    button.setAttribute("aria-label", `${name}: ${words[sign]}`);
  }

  #press(button) {
    if (!button) return;
    const at = Number(button.dataset.at);
    this.#cells[at] = ORDER[(ORDER.indexOf(this.#cells[at]) + 1) % ORDER.length];
    this.#drawCell(button);
  }

  #walk(event) {
    const step = STEPS[event.key];
    if (!step) return;
    const { rows, cols } = this.#look;
    const at = Number(event.target.dataset.at);
    const row = Math.floor(at / cols) + step[0];
    const col = (at % cols) + step[1];
    event.preventDefault();
    if (row < 0 || row >= rows || col < 0 || col >= cols) return;
    event.target.tabIndex = -1;
    const next = this.element.children[row * cols + col];
    next.tabIndex = 0;
    next.focus();
  }
}

/** The signs of a pattern; rows and squares that its text leaves out are any. */
function read(text, { rows, cols }) {
  const cells = Array(rows * cols).fill("?");
  text.split("/").forEach((row, down) => {
    let col = 0;
    for (const [part] of row.toLowerCase().matchAll(/\d+|[xo.?]/g)) {
      const free = /\d/.test(part) ? Number(part) : 1;
      for (let k = 0; k < free && col < cols && down < rows; k += 1) cells[down * cols + col++] = /\d/.test(part) ? "." : part;
    }
  });
  return cells;
}
