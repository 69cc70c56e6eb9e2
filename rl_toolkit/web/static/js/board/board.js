/**
 * The board: one widget for all games, without rules. It draws positions and reports which legal
 * move was chosen.
 *
 * Labels and cells are children of one CSS grid, (rows + 1) × (cols + 1), so they cannot drift
 * apart. Rows are wrapped for screen readers only (`display: contents`).
 */

import { h, svg } from "../base/dom.js";
import { chooseMove } from "./move_choice.js";
import { Overlay } from "./overlay.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const ENGINE_SAYS = /, engine: .*$/;
const hovers = matchMedia("(hover: hover)"); // touch screens do not
const FINGER = 30; // pixels of a square below which a finger has to aim first

export class Board extends EventTarget {
  #cells = new Map(); // cell index → element
  #heads = new Map(); // column → its label
  #order = []; // cell indices as they are shown, rows of indices
  #shape = "";
  #shown = null;
  #focus = null;
  #legal = new Map(); // cell index → the entries of the legal moves that it stands for
  #first = true;
  #aim = null; // the cell under the mouse
  #target = null; // the cell that a finger has aimed at and not yet played on
  #origins = new Map(); // where moves go from cell to cell: the cell that they leave → their entries
  #from = null; // the cell from which a piece is to move
  #overlay = new Overlay((index) => this.#placeOf(index));

  constructor(container) {
    super();
    this.container = container;
    this.flipped = false;
    container.addEventListener("click", (event) => this.#clicked(event));
    container.addEventListener("keydown", (event) => this.#key(event));
    // Screen readers move the focus on their own; keys then refer to that square.
    container.addEventListener("focusin", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) this.#rove(Number(cell.dataset.cell));
    });
    container.addEventListener("mouseover", (event) => this.#hover(this.#cellAt(event.target)));
    container.addEventListener("mouseleave", () => this.#hover(null));
  }

  /**
   * Draw `position` (an answer of /api/position). `open` says whether a person may move;
   * `sides` names the two players for screen readers.
   */
  show(position, { open = false, sides = ["X", "O"] } = {}) {
    this.#build(position);
    const before = this.#shown;
    this.#clearTarget();
    this.container.querySelectorAll(".hinted, .refused").forEach((cell) => cell.classList.remove("hinted", "refused"));
    const turned = [];
    this.#legal.clear();
    this.#origins.clear();
    this.#lift(null);
    for (const entry of position.legal) {
      if (entry.cell === null) continue;
      if (typeof entry.origin === "number") this.#origins.set(entry.origin, [...(this.#origins.get(entry.origin) ?? []), entry]);
      if (position.drops) {
        const entries = [entry]; // the same list for the whole column
        for (let cell = entry.cell % position.cols; cell < position.board.length; cell += position.cols)
          this.#legal.set(cell, entries);
      } else this.#legal.set(entry.cell, [...(this.#legal.get(entry.cell) ?? []), entry]);
    }
    const landing = new Set(position.legal.map((entry) => entry.cell));
    for (const [index, cell] of this.#cells) {
      const piece = position.board[index];
      const was = before ? before.board[index] : 0;
      const early = cell.querySelector(".early"); // drawn before the server has answered
      if (early && !was && early.classList.contains(piece > 0 ? "x" : "o") && piece) early.classList.remove("early");
      else {
        early?.remove();
        if (piece !== was || !before) this.#place(cell, index, piece, was, position);
      }
      if (piece && was && piece !== was) turned.push(index);
      cell.classList.toggle("last", index === position.last_cell);
      cell.classList.toggle("win", position.winning_cells.includes(index));
      cell.classList.toggle("open", open && (this.#legal.has(index) || this.#origins.has(index)));
      cell.classList.toggle("landing", open && landing.has(index) && this.#origins.size === 0);
      cell.setAttribute("aria-label", this.#label(index, piece, position, sides));
      cell.setAttribute("aria-disabled", String(!(open && (this.#legal.has(index) || this.#origins.has(index)))));
    }
    this.container.classList.toggle("over", position.done);
    this.container.classList.toggle("has-win", position.winning_cells.length > 0);
    this.container.dataset.turn = position.player > 0 ? "x" : "o";
    this.container.setAttribute("aria-readonly", String(!open));
    this.#stagger(turned, position);
    this.#shown = position;
    this.open = open;
    this.#first = false;
    this.#hover(this.#aim);
  }

  /**
   * The values of moves: a Map from the cell in which a piece lands, or which it leaves, to `{ text, words, tone, weight,
   * proven, best, prior, coarse }`. They stand in the square, or above its column where pieces fall; a
   * bar shows the prior, the largest being 1. A coarse one is a dot until the square is pointed at.
   */
  hints(marks) {
    this.container.querySelectorAll(".hint, .prior-bar").forEach((old) => old.remove());
    for (const [index, cell] of this.#cells) {
      const mark = marks?.get(index);
      const label = cell.getAttribute("aria-label").replace(ENGINE_SAYS, "");
      // What is seen in the square is part of its name; a mark that says it all is not repeated.
      const said = mark && (mark.words.startsWith(mark.text) ? mark.words : `${mark.text} ${mark.words}`);
      cell.setAttribute("aria-label", mark ? `${label}, engine: ${said}` : label);
      if (!mark) continue;
      const place = this.#shown.drops ? this.#heads.get(index % this.#shown.cols) : cell;
      const classes = ["hint", mark.tone, mark.proven && "proven", mark.best && "best", mark.coarse && "coarse", mark.text.length > 4 && "long", mark.text.endsWith("%") && "wide"];
      const { text, weight = 1, prior } = mark;
      const hidden = { "aria-hidden": "true" };
      if (text) place.append(h("span", { class: classes.filter(Boolean).join(" "), text, vars: { "--weight": weight }, ...hidden }));
      if (typeof prior === "number") place.append(h("span", { class: "prior-bar", vars: { "--part": prior }, ...hidden }));
    }
  }

  /** Rings, arrows and areas; see `Overlay.draw`. */
  marks(list) {
    this.#overlay.draw(list);
  }

  /** Let the right button draw: "mark" (detail: from, to) tells where; a ring begins where it ends. */
  letDraw() {
    let from = null;
    const cellOf = (target) => target?.closest?.(".cell")?.dataset.cell ?? null;
    this.container.addEventListener("contextmenu", (event) => event.preventDefault());
    this.container.addEventListener("pointerdown", (event) => (from = event.button === 2 ? cellOf(event.target) : null));
    this.container.addEventListener("pointerup", (event) => {
      const to = cellOf(document.elementFromPoint(event.clientX, event.clientY));
      if (from !== null && to !== null) this.dispatchEvent(new CustomEvent("mark", { detail: { from: Number(from), to: Number(to) } }));
      from = null;
    });
  }

  /** Draw the piece of a move at once; `show` keeps it if the server agrees, else takes it away. */
  anticipate(move) {
    const { legal, player, style } = this.#shown;
    const cell = this.#cells.get(legal.find((entry) => entry.move === move)?.cell);
    if (!cell || cell.querySelector(".piece")) return;
    const side = player > 0 ? "x" : "o";
    cell.prepend(h("span", { class: `piece ${side} fresh early` }, ...drawing(style, player)));
    this.open = false;
    this.#hover(this.#aim);
  }

  /** Mark the square in which `move` lands as a good one. */
  point(move) {
    this.#cells.get(this.#shown.legal.find((entry) => entry.move === move)?.cell)?.classList.add("hinted");
  }

  /** Mark a square that cannot be chosen. */
  refuse(index) {
    const cell = this.#cells.get(index);
    this.container.querySelectorAll(".refused").forEach((other) => other.classList.remove("refused"));
    void cell.offsetWidth; // so that a second refusal is seen, too
    cell.classList.add("refused");
  }

  /** A line of play as numbered ghosts: `[{ cell, player, name }]`; without steps it is cleared. */
  line(steps = []) {
    this.container.querySelectorAll(".ghost").forEach((ghost) => ghost.remove());
    this.container.classList.toggle("with-line", steps.length > 0);
    steps.forEach((step, k) => {
      const cell = this.#cells.get(step.cell);
      if (!cell || cell.querySelector(".ghost")) return;
      const player = step.player > 0 ? "x" : "o";
      cell.append(h("span", { class: `ghost ${player}`, "data-number": k + 1, "aria-hidden": "true" }));
    });
  }

  /** The cell of the piece that was chosen to move, null if there is none. */
  get lifted() {
    return this.#from;
  }

  flip() {
    this.flipped = !this.flipped;
    this.#shape = "";
  }

  focus() {
    this.#cells.get(this.#focus)?.focus();
  }

  // ------------------------------------------------------------------------------- drawing

  #build(position) {
    const { rows, cols, style } = position;
    const shape = [position.game, rows, cols, this.flipped].join(" ");
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#shown = null;
    this.#first = true;
    this.#cells.clear();
    const columns = [...Array(cols).keys()];
    const down = [...Array(rows).keys()];
    // Where pieces fall, the board is mirrored; any other is seen from the other side.
    if ((position.row_one_at === "bottom") !== (this.flipped && !position.drops)) down.reverse();
    if (this.flipped) columns.reverse();
    const box = this.container;
    box.className = `board-container ${style}${position.drops ? " drops" : ""}${position.colours ? " own-colours" : ""}`;
    // The status and the bar beside the board have the colours of the pieces, too.
    position.colours?.forEach((colour, k) => document.body.style.setProperty(["--x", "--o"][k], colour));
    box.style.setProperty("--rows", rows);
    box.style.setProperty("--cols", cols);
    box.setAttribute("aria-rowcount", rows + 1);
    box.setAttribute("aria-colcount", cols + 1);
    const head = h(
      "div",
      { class: "board-row", role: "row" },
      h("span", { class: "axis-corner", role: "columnheader" }, h("span", { class: "hidden-text", text: "rows and columns" })),
      ...columns.map((c) =>
        h("span", { class: "axis-label", role: "columnheader", "data-col": c, text: LETTERS[c] }),
      ),
    );
    this.#heads = new Map([...head.querySelectorAll("[data-col]")].map((label) => [Number(label.dataset.col), label]));
    this.#order = down.map((r) => columns.map((c) => r * cols + c));
    const lines = this.#order.map((indices, k) =>
      h(
        "div",
        { class: "board-row", role: "row" },
        h("span", { class: "axis-label", role: "rowheader", "data-row": down[k], text: down[k] + 1 }),
        ...indices.map((index, j) => this.#cell(index, k, j, position)),
      ),
    );
    box.replaceChildren(head, ...lines, this.#overlay.build(rows, cols));
    if (!this.#cells.has(this.#focus)) this.#focus = this.#order[rows >> 1][cols >> 1];
    this.#cells.get(this.#focus).tabIndex = 0;
  }

  #cell(index, k, j, position) {
    const { rows, cols } = position;
    const edges = [k === 0 && "north", k === rows - 1 && "south", j === 0 && "west", j === cols - 1 && "east"];
    const star = position.style === "stones" && isStar(k, j, rows) ? "star" : null;
    const cell = h("div", {
      class: ["cell", ...edges, star].filter(Boolean).join(" "),
      role: "gridcell",
      tabindex: "-1",
      "data-cell": index,
      vars: { "--row": k },
    });
    this.#cells.set(index, cell);
    return cell;
  }

  #place(cell, index, piece, was, position) {
    const old = cell.querySelector(".piece");
    const player = piece > 0 ? "x" : "o";
    if (!piece) old?.remove();
    else if (old && was) old.className = `piece ${player}`;
    else {
      old?.remove();
      // Pieces that are there when a game is opened do not move, new ones do.
      const fresh = this.#first ? "" : " fresh";
      cell.prepend(h("span", { class: `piece ${player}${fresh}` }, ...drawing(position.style, piece)));
    }
  }

  /** Column and row of a cell as it is shown, null if there is no such cell. */
  #placeOf(index) {
    const row = this.#order.findIndex((cells) => cells.includes(index));
    return row < 0 ? null : { x: this.#order[row].indexOf(index), y: row };
  }

  #stagger(turned, position) {
    const from = position.last_cell;
    for (const index of turned) {
      const rows = Math.abs(Math.floor(index / position.cols) - Math.floor(from / position.cols));
      const far = Math.max(rows, Math.abs((index % position.cols) - (from % position.cols)));
      this.#cells.get(index).querySelector(".piece")?.style.setProperty("--far", far);
    }
  }

  #label(index, piece, position, sides) {
    const name = squareName(index, position.cols);
    const what = piece ? sides[piece > 0 ? 0 : 1] : "empty";
    const extra = [
      index === position.last_cell && "last move",
      position.winning_cells.includes(index) && "winning line",
    ].filter(Boolean);
    return [name, what, ...extra].join(", ");
  }

  // ------------------------------------------------------------------------------- choosing

  /** The square of an event; where pieces fall, the label of a column stands for the column. */
  #cellAt(target) {
    const label = this.#shown?.drops && target.closest("[data-col]");
    return label ? this.#cells.get(Number(label.dataset.col)) : target.closest(".cell");
  }

  #clicked(event) {
    // Where the next piece lands on top, the second half of a double click would be a move, too.
    if (this.#shown?.drops && event.detail === 2) return;
    const cell = this.#cellAt(event.target);
    const small = event.pointerType === "touch" && cell && cell.clientWidth < FINGER;
    this.#choose(cell, small);
  }

  /** Play on `cell`; with `aiming` only if it has been aimed at before. */
  #choose(cell, aiming = false) {
    if (!cell) return;
    const index = Number(cell.dataset.cell);
    this.#rove(index);
    const there = this.#from === null ? [] : this.#origins.get(this.#from).filter((entry) => entry.cell === index);
    if (this.open && !there.length && this.#origins.has(index)) return this.#lift(this.#from === index ? null : index);
    const entries = this.open && (there.length ? there : this.#legal.get(index));
    if (!entries) this.dispatchEvent(new CustomEvent("refused", { detail: { cell: index, open: this.open } }));
    else if (aiming && entries[0].cell !== this.#target) this.#aimAt(entries);
    else this.#play(entries);
  }

  /** Play the only one of these moves, or the one that the visitor chooses. */
  async #play(entries) {
    const { cell } = entries[0];
    const position = this.#shown;
    const entry = entries.length === 1 ? entries[0] : await chooseMove(entries, squareName(cell, position.cols));
    // The position may have changed while the list was open.
    if (entry && this.open && this.#shown === position) this.dispatchEvent(new CustomEvent("move", { detail: entry.move }));
    else this.#cells.get(cell)?.focus();
  }

  /** Choose the piece that is to move: its targets are lit; null lays it down again. */
  #lift(index) {
    if (index === this.#from) return;
    this.#from = index;
    const entries = index === null ? [] : this.#origins.get(index);
    const targets = new Set(entries.map((entry) => entry.cell));
    for (const [place, cell] of this.#cells) {
      cell.classList.toggle("lifted", place === index);
      cell.classList.toggle("target", targets.has(place));
    }
    const name = index === null ? "" : squareName(index, this.#shown.cols);
    this.dispatchEvent(new CustomEvent("lift", { detail: name && { name, to: [...targets].map((place) => squareName(place, this.#shown.cols)) } }));
  }

  /** Play on the square that was aimed at. */
  confirm() {
    if (this.#target !== null) this.#play(this.#legal.get(this.#target));
  }

  #aimAt(entries) {
    this.#clearTarget();
    const [{ cell: target, name, move }] = entries;
    this.#target = target;
    const { cols } = this.#shown;
    for (const [index, cell] of this.#cells) {
      cell.classList.toggle("aimed", index === target);
      cell.classList.toggle("cross", index % cols === target % cols || Math.floor(index / cols) === Math.floor(target / cols));
    }
    this.dispatchEvent(new CustomEvent("aim", { detail: { name: entries.length > 1 ? squareName(target, cols) : name, move } }));
  }

  #clearTarget() {
    if (this.#target === null) return;
    this.#target = null;
    this.container.querySelectorAll(".aimed, .cross").forEach((cell) => cell.classList.remove("aimed", "cross"));
    this.dispatchEvent(new CustomEvent("aim", { detail: null }));
  }

  #hover(cell) {
    if (this.#target !== null) return;
    this.#aim = hovers.matches ? cell : null;
    this.container.querySelectorAll(".aimed").forEach((other) => other.classList.remove("aimed"));
    const entries = this.#aim && this.open && this.#legal.get(Number(this.#aim.dataset.cell));
    if (entries) this.#cells.get(entries[0].cell)?.classList.add("aimed");
  }

  #rove(index, andFocus = false) {
    const old = this.#cells.get(this.#focus);
    if (old) old.tabIndex = -1;
    this.#focus = index;
    const cell = this.#cells.get(index);
    cell.tabIndex = 0;
    if (andFocus) cell.focus();
  }

  #key(event) {
    if (event.altKey || event.metaKey) return;
    const k = this.#order.findIndex((row) => row.includes(this.#focus));
    const j = this.#order[k].indexOf(this.#focus);
    const [rows, cols] = [this.#order.length, this.#order[0].length];
    const to = {
      ArrowUp: [k - 1, j],
      ArrowDown: [k + 1, j],
      ArrowLeft: [k, j - 1],
      ArrowRight: [k, j + 1],
      Home: [event.ctrlKey ? 0 : k, 0],
      End: [event.ctrlKey ? rows - 1 : k, cols - 1],
    }[event.key];
    if (to) {
      event.preventDefault();
      const clamp = (n, most) => Math.max(0, Math.min(most - 1, n));
      this.#rove(this.#order[clamp(to[0], rows)][clamp(to[1], cols)], true);
    } else if (event.key === "Escape") this.#lift(null);
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(this.#cells.get(this.#focus));
    } else if (this.#shown?.drops && /^[1-9]$/.test(event.key) && !event.ctrlKey) {
      const entry = this.#shown.legal.find((legal) => legal.move === Number(event.key) - 1);
      if (entry) {
        event.preventDefault();
        this.#rove(entry.cell, true);
        this.#choose(this.#cells.get(entry.cell));
      }
    }
  }
}

const squareName = (index, cols) => LETTERS[index % cols] + (Math.floor(index / cols) + 1);

/** The dots on a board of line crossings. */
function isStar(k, j, size) {
  const near = size >= 13 ? 3 : 2;
  const marks = [near, (size - 1) / 2, size - 1 - near];
  return marks.includes(k) && marks.includes(j);
}

function drawing(style, piece) {
  if (style !== "marks") return [h("i", { class: "face" }), h("i", { class: "back" })];
  const shape =
    piece > 0
      ? [svg("path", { d: "M22 22 78 78" }), svg("path", { d: "M78 22 22 78", class: "second" })]
      : [svg("circle", { cx: 50, cy: 50, r: 29, transform: "rotate(-90 50 50)" })];
  return [svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, ...shape)];
}
