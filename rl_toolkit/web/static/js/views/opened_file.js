/** What a file says about the game that was opened from it: who played, the event, comments. */

import { $, h } from "../base/dom.js";
import { piece } from "../base/format.js";

export class OpenedFile {
  #opened = null;

  /** Show the file's names, headers and comments, and a sentence about what is left out. */
  show(opened, game) {
    this.#opened = opened;
    const names = [1, -1].map((player) => [piece(player, opened), this.#name(player, game)]).filter(([, name]) => name);
    const facts = [...names, ...Object.entries(opened.headers)];
    const comments = Object.entries(opened.comments).map(([ply, text]) =>
      h("li", {}, h("b", { text: ply === "0" ? "Start" : `${ply}. ${opened.names[ply - 1]}` }), ` ${text}`),
    );
    const box = $("#from-file");
    box.replaceChildren(
      h("h3", { text: "From the file" }),
      h("dl", {}, ...facts.map(([name, text]) => h("div", {}, h("dt", { text: name }), h("dd", { text })))),
      h("ul", { "aria-label": "Comments" }, ...comments),
      h("p", { class: "fine", text: opened.left_out }),
    );
    box.hidden = !(facts.length || comments.length || opened.left_out);
  }

  /** Another game is on the board. */
  close() {
    this.#opened = null;
    $("#from-file").hidden = true;
    $("#from-file").replaceChildren();
  }

  /** What is saved with the game: names, headers, and the comments while its moves are the same. */
  about(game) {
    if (!this.#opened) return {};
    const { headers, comments, moves } = this.#opened;
    const same = moves.every((move, ply) => move === game.moves[ply]);
    const players = [1, -1].map((player) => this.#name(player, game) || game.seats[player]);
    return { players, headers, comments: same ? comments : {} };
  }

  /** The file's name of a player who is a person here; an engine has its own. */
  #name(player, game) {
    const name = this.#opened.players[player > 0 ? 0 : 1];
    return game.isHuman(player) && name !== "human" ? name : "";
  }
}
