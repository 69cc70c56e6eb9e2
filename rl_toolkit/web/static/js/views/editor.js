/**
 * A position set up by hand: choose a piece and squares, who is to move, and analyse or play from
 * there. The server says whether such a position can be, and why not. Loaded when first wanted.
 */

import { get, post } from "../base/api.js";
import { openDialog } from "../base/dialog.js";
import { h } from "../base/dom.js";
import { piece } from "../base/format.js";

const WAIT = 150; // ms after the last change before the server is asked

/** Open the editor with the position that is shown. */
export async function openEditor(page) {
  const { session } = page;
  const editor = new Editor(page, session.position);
  const dialog = await openDialog("set-up-dialog", "Set up a position", editor.node);
  dialog.addEventListener("close", () => editor.close());
}

class Editor {
  #timer = null;
  #turn = 0;
  #start = null; // the text of the position, once the server has agreed

  constructor(page, position) {
    Object.assign(this, { page, position, board: [...position.board], player: position.player, chosen: 1 });
    this.node = h("div", { class: "set-up" }, this.#squares(), this.#side());
    this.#famous();
    this.#changed();
  }

  close() {
    clearTimeout(this.#timer);
    this.#turn += 1;
  }

  // ------------------------------------------------------------------------------------- drawing

  #squares() {
    const { rows, cols, row_one_at } = this.position;
    const order = [...Array(rows).keys()];
    if (row_one_at === "bottom") order.reverse();
    this.cells = new Map(); // in the order in which they are shown
    this.grid = h("div", { class: "set-up-grid", role: "group", "aria-label": "Squares", vars: { "--cols": cols, "--rows": rows } });
    const label = (text) => h("span", { class: "set-up-label", "aria-hidden": "true", text });
    this.grid.append(label(""), ...[...Array(cols).keys()].map((col) => label(letters(col))));
    for (const row of order) {
      this.grid.append(label(row + 1));
      for (let col = 0; col < cols; col += 1) this.grid.append(this.#cell(row * cols + col));
    }
    this.grid.addEventListener("keydown", (event) => this.#walk(event));
    return h("div", { class: "set-up-scroll" }, this.grid);
  }

  #cell(cell) {
    const { cols } = this.position;
    const name = `${letters(cell % cols)}${Math.floor(cell / cols) + 1}`;
    const button = h("button", { type: "button", "data-square": cell, tabindex: this.cells.size ? "-1" : "0", on: { click: () => this.#put(cell) } });
    this.cells.set(cell, { button, name });
    this.#drawCell(cell);
    return button;
  }

  #drawCell(cell) {
    const { button, name } = this.cells.get(cell);
    const here = this.board[cell];
    button.className = here ? (here > 0 ? "x" : "o") : "";
    button.textContent = here && this.position.style === "marks" ? (here > 0 ? "X" : "O") : "";
    button.setAttribute("aria-label", `${name}: ${here ? piece(here, this.position) : "empty"}`);
  }

  #side() {
    const choice = (group, value, text, on, checked) => h("label", {}, h("input", { type: "radio", name: group, value, checked, on: { change: on } }), ` ${text}`);
    const { position } = this;
    const pieces = h("fieldset", {}, h("legend", { text: "Put" }), ...[[1, piece(1, position)], [-1, piece(-1, position)], [0, "nothing"]].map(([value, text]) => choice("set-up-piece", value, text, () => (this.chosen = value), value === 1)));
    const movers = h("fieldset", {}, h("legend", { text: "To move" }), ...[1, -1].map((value) => choice("set-up-player", value, piece(value, position), () => ((this.player = value), this.#changed()), value === this.player)));
    this.said = h("p", { class: "set-up-said", role: "status" });
    const button = (text, action, more = {}) => h("button", { type: "button", text, ...more, on: { click: action } });
    this.analyse = button("Analyse", () => this.#open("analyse"), { class: "primary" });
    this.play = button("Play", () => this.#open("play"));
    const clear = button("Clear", () => this.#fill(this.board.map(() => 0), 1));
    const begin = button("Start position", async () => {
      const first = await post("/api/position", { game: position.game });
      this.#fill(first.board, first.player);
    });
    this.thumbs = h("ul", { class: "set-up-famous" });
    return h("div", { class: "set-up-side" }, pieces, movers, h("div", { class: "row" }, clear, begin), h("div", { class: "set-up-go" }, this.said, h("div", { class: "row" }, this.analyse, this.play)), this.thumbs);
  }

  /** Positions worth looking at, as pictures. */
  async #famous() {
    const { positions } = await get(`/api/famous?game=${encodeURIComponent(this.page.session.family)}`).catch(() => ({ positions: [] }));
    if (positions.length) this.thumbs.before(h("h3", { text: "Or one of these" }));
    this.thumbs.replaceChildren(
      ...positions.map(({ title, task, picture, variant, moves }) => {
        const pictures = ["light", "dark"].map((theme) => h("img", { class: `for-${theme}`, src: `${picture}${picture.includes("?") ? "&" : "?"}theme=${theme}`, alt: "", width: 72, height: 72, loading: "lazy" }));
        return h("li", {}, h("button", { type: "button", on: { click: () => this.#leave({ name: variant, moves }, `${title}.`) } }, ...pictures, h("span", {}, h("b", { text: title }), ` ${task}`)));
      }),
    );
  }

  // ------------------------------------------------------------------------------------ changing

  #put(cell) {
    this.board[cell] = this.board[cell] === this.chosen ? 0 : this.chosen;
    this.#drawCell(cell);
    this.#changed();
  }

  #fill(board, player) {
    this.board = [...board];
    this.player = player;
    for (const cell of this.cells.keys()) this.#drawCell(cell);
    this.node.querySelector(`[name=set-up-player][value="${player}"]`).checked = true;
    this.#changed();
  }

  /** Arrows walk over the squares; the others keep out of the way of Tab. */
  #walk(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.position.cols, ArrowDown: this.position.cols };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = [...this.cells.values()].map(({ button }) => button);
    const next = shown[shown.indexOf(event.target) + step];
    if (!next) return;
    for (const each of shown) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  }

  /** Ask the server whether the position can be, a moment after the last change. */
  #changed() {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    this.#start = null;
    this.#enable();
    this.#timer = setTimeout(async () => {
      const question = { game: this.position.game, board: this.board, player: this.player, legal_part: true };
      const answer = await post("/api/position", question).catch(({ message }) => ({ problem: `${message}.` }));
      if (turn !== this.#turn) return;
      const { problem } = answer;
      this.#start = problem || answer.done ? null : answer.position;
      this.said.textContent = problem ? `${problem[0].toUpperCase()}${problem.slice(1)}` : answer.done ? "The game is over here: choose a position with a move left." : "This position can be played.";
      this.said.classList.toggle("bad", this.#start === null);
      this.#enable();
    }, WAIT);
  }

  #enable() {
    this.analyse.disabled = this.play.disabled = this.#start === null;
  }

  #open(mode) {
    if (this.#start === null) return;
    this.#leave({ name: this.position.game, start: this.#start, mode }, "Position set up.");
  }

  #leave(game, sentence) {
    this.node.closest("dialog").close();
    this.page.games.openAnother(game, sentence);
  }
}

/** The letters of a column: a … z, aa … */
const letters = (col) => (col < 26 ? "" : String.fromCharCode(96 + Math.floor(col / 26))) + String.fromCharCode(97 + (col % 26));
