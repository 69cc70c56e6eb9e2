/** Beside the stage: the sentence, the board that is looked at, the code that runs, the call stack. */

import { $, h, svg } from "../../js/base/dom.js";
import { MiniBoard } from "../../js/board/mini_board.js";
import { put } from "./put.js";

const BOARD = 168; // pixels

/** The lines of the search: text, the events at which they run, whose line it is. */
function codeOf(options, isTree) {
  const { pruning, memoization, depth, ordering } = options;
  const window = pruning ? ", α, β" : "";
  return [
    [`search(node${window})`, "ENP"],
    [isTree ? "  at a leaf: return its value" : "  if the game is over: return its result", "VD"],
    depth !== null && ["  if the depth is used up: return the estimate", "v"],
    memoization && [pruning ? "  if the table knows enough: return that" : "  if the table knows it: return that", "H"],
    [ordering ? "  for each move, promising ones first:" : "  for each move:", ""],
    [`    v ← search(child${window})`, "F"],
    [pruning ? "    MAX: best ← max(best, v), α ← max(α, v)" : "    MAX: best ← max(best, v)", "BbW", "X"],
    [pruning ? "    MIN: best ← min(best, v), β ← min(β, v)" : "    MIN: best ← min(best, v)", "BbW", "O"],
    pruning && ["    if α ≥ β: leave the rest out", "C"],
    [memoization ? "  store best in the table, return it" : "  return best", "R"],
  ].filter(Boolean);
}

export class Side {
  #memory = {};

  load(model) {
    this.model = model;
    this.#memory = {};
    const { options } = model.data.engine;
    this.lines = codeOf(options, !model.look.has_grid);
    $("#code").replaceChildren(...this.lines.map(([text]) => h("li", { text })));
    const table = $(".calls");
    table.classList.toggle("no-window", !model.prunes);
    $("#calls").replaceChildren();
    this.#makeBoard();
  }

  #makeBoard() {
    const { rows, cols, board } = this.model.data;
    const { look } = this.model;
    const panel = $(".looking");
    panel.hidden = !(look.has_grid && board.length);
    if (panel.hidden) return;
    const width = Math.min(BOARD, (BOARD * cols) / rows);
    const made = () => {
      const board = new MiniBoard({ rows, cols, width, style: look.style, rowOneAt: look.row_one_at });
      return [board, svg("svg", { viewBox: `-2 -2 ${width + 4} ${board.height + 4}`, role: "img" }, board.element)];
    };
    [this.board, this.picture] = made();
    [this.twin, this.twinPicture] = made();
    $("#board").replaceChildren(this.picture);
    $("#twin-board").replaceChildren(this.twinPicture);
  }

  /** At a hit of the table: the position that stored the entry, beside the one that was looked up. */
  #twin(t) {
    const n = this.model.twin(t);
    put(this.#memory, "twin", n, () => {
      $("#twin").hidden = n < 0 || !this.board;
      if ($("#twin").hidden) return;
      const { cells, last } = this.model.board({ node: n });
      this.twin.show(cells, last);
      $("#twin-title").textContent = `Seen after ${this.model.line(n)}`.replace("after start", "at the start");
      this.twinPicture.setAttribute("aria-label", $("#twin-title").textContent);
    });
  }

  render(t, looked) {
    const { model } = this;
    const n = model.node[t];
    const kind = model.kind[t];
    put(this.#memory, "said", model.sentence(t), (text) => ($("#sentence").textContent = text));
    put(this.#memory, "where", `${model.line(n)} · ${model.role(model.isMax(n))}`, (text) => ($("#where").textContent = text));
    put(this.#memory, "cutting", kind === "C", (on) => $("#say").classList.toggle("cutting", on));
    put(this.#memory, "hitting", kind === "H", (on) => $("#say").classList.toggle("hitting", on));
    this.#code(kind, model.data.nodes.side[n]);
    this.#stack(t);
    this.#twin(t);
    this.look(looked ?? { key: n, node: n, up: model.parent[n] });
  }

  /** Show the board of a slot. */
  look(slot) {
    const { model } = this;
    if (!this.board || $(".looking").hidden) return;
    put(this.#memory, "shown", String(slot.key), () => {
      const { cells, last } = model.board(slot);
      this.board.show(cells, last);
      const line = slot.node < 0 ? `${model.line(slot.up)} ${model.data.names[slot.move]}`.replace("start ", "") : model.line(slot.node);
      $("#board-title").textContent = line === "start" ? "Board at the start" : `Board after ${line}`;
      this.picture.setAttribute("aria-label", $("#board-title").textContent);
    });
  }

  #code(kind, side) {
    put(this.#memory, "line", kind + side, () => {
      [...$("#code").children].forEach((item, k) => {
        const [, kinds, only] = this.lines[k];
        const runs = kinds.includes(kind) && (!only || only === side);
        item.className = [runs && "runs", runs && kind === "C" && "cut", only && only !== side && "other"].filter(Boolean).join(" ");
        if (runs) item.setAttribute("aria-current", "step");
        else item.removeAttribute("aria-current");
      });
    });
  }

  #stack(t) {
    const { model } = this;
    const rows = $("#calls");
    const path = model.path(t);
    while (rows.children.length > path.length) rows.lastChild.remove();
    while (rows.children.length < path.length) rows.append(h("tr", {}, h("td"), h("td"), h("td"), h("td")));
    path.forEach((n, d) => {
      const e = model.at(n, t);
      const best = model.best[e];
      const cells = [`${model.isMax(n) ? "▲" : "▼"} ${model.name(n)}`, model.text(model.alpha[e]), model.text(model.beta[e]), best < 0 ? "–" : model.text(best)];
      cells.forEach((text, c) => {
        const cell = rows.children[d].children[c];
        if (cell.textContent !== text) cell.textContent = text;
      });
    });
  }
}
