/** The boards of a tournament: several games side by side, drawn as they are played. */

import { h, svg } from "../js/base/dom.js";
import { MiniBoard } from "../js/board/mini_board.js";

const WIDTH = 200;

export class Boards {
  #key = "";
  #shown = [];

  constructor(container) {
    this.container = container;
  }

  /** `look` says how a board is drawn, `boards` what is on each. */
  show(number, look, boards) {
    const key = `${number} ${boards.length}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#shown = boards.map(() => this.#board(look));
      this.container.replaceChildren(...this.#shown.map((each) => each.figure));
    }
    boards.forEach((board, place) => this.#draw(this.#shown[place], board, look));
  }

  #board(look) {
    const { rows, cols, style } = look;
    const mini = new MiniBoard({ rows, cols, width: WIDTH, style, rowOneAt: look.row_one_at });
    const picture = svg("svg", { viewBox: `-1 -1 ${WIDTH + 2} ${mini.height + 2}`, role: "img" }, mini.element);
    const sides = ["x", "o"].map((side) => h("span", { class: `side ${side}` }));
    const opening = h("small", { class: "fine" });
    return { mini, picture, sides, opening, figure: h("figure", {}, h("figcaption", {}, ...sides), picture, opening) };
  }

  #draw(shown, board, look) {
    shown.mini.show(board.cells, board.last ?? -1);
    const over = board.winner !== null || board.ended_by !== "";
    board.players.forEach((name, k) => {
      const side = k === 0 ? 1 : -1;
      shown.sides[k].replaceChildren(h("i", { "aria-hidden": "true" }), name);
      shown.sides[k].classList.toggle("turn", !over && board.player === side);
      shown.sides[k].classList.toggle("won", over && board.winner === side);
    });
    const [first, second] = board.players.map((name, k) => `${name} (${look.pieces[k]})`);
    const state = over ? outcome(board) : `move ${board.ply + 1}`;
    const opening = board.opening ? `opening ${board.opening}` : "";
    shown.opening.textContent = opening;
    shown.picture.setAttribute("aria-label", [`${first} against ${second}`, opening, state].filter(Boolean).join(", "));
  }
}

/** `hard won`, `drawn`, `not played`. */
export function outcome({ winner, players, ended_by: endedBy }) {
  if (winner === null) return endedBy;
  return winner === 0 ? "drawn" : `${players[winner === 1 ? 0 : 1]} won`;
}
