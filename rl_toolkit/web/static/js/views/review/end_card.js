/** The end of a game as a moment: who won, where it turned, how well both played, what to do next. */

import { $, h } from "../../base/dom.js";
import { counted, unbroken } from "../../base/format.js";
import { hide, nameOf, resultText } from "../face.js";

export class EndCard {
  #closed = ""; // the game whose card was closed

  constructor(session, reviewing) {
    Object.assign(this, { session, reviewing });
    $("#card-close").addEventListener("click", () => this.close());
  }

  close() {
    this.#closed = this.session.id;
    this.draw();
  }

  get shown() {
    const { session } = this;
    return session.mode === "play" && session.over && session.atEnd && this.#closed !== session.id;
  }

  draw() {
    const { session, reviewing } = this;
    const { position, result, story, tree } = session;
    const card = $("#end-card");
    if (!this.shown) return hide(card);
    card.hidden = false;
    card.classList.toggle("above", liesLow());
    $("#card-title").textContent = resultText(result, tree.played.ended, position);
    $("#card-title").dataset.winner = result > 0 ? "x" : result < 0 ? "o" : "";
    const moments = [story?.turned, story?.over].filter(Boolean).map(({ text }) => unbroken(text));
    const said = moments.length || !reviewing.running ? moments : ["Reviewing …"]; // how far it is would be spoken move by move
    if ($("#card-story").textContent !== said.join("")) $("#card-story").replaceChildren(...said.map((text) => h("p", { text })));
    $("#card-moves").textContent = [counted(tree.played.ply, "move"), moments.length ? "" : reviewing.state].filter(Boolean).join(". ");
    $("#card-accuracy").replaceChildren(...(story ? [1, -1].map((player) => this.#side(player)) : []));
    const judged = story && (story.accuracy.x !== null || story.accuracy.o !== null); // not where no move had a choice
    $("#card-accuracy").hidden = $("#card-meaning").hidden = !judged;
    const count = reviewing.worst(session.own).length;
    $("#card-learn").hidden = count === 0 || reviewing.running;
    $("#card-learn").textContent = `Learn from ${counted(count, "mistake")}`;
    $("#card-review").hidden = Boolean(story) || reviewing.running;
    $("#card-swap").hidden = session.humans !== 1;
  }

  #side(player) {
    const { session } = this;
    const side = player > 0 ? "x" : "o";
    const share = session.story.accuracy[side];
    const about = session.story.accuracy_proven[side] ? "" : "≈ ";
    return h("div", { class: side }, h("i", { class: "dot" }), h("span", { text: nameOf(session, player) }), h("b", { text: share === null ? "–" : `${about}${share.toFixed(0)} %` }));
  }
}

/** Whether the pieces that won lie in the lower half of the board: the card then covers the upper one. */
function liesLow() {
  const won = [...document.querySelectorAll("#board :is(.cell.win, .cell.last)")].map((cell) => cell.getBoundingClientRect().top);
  const frame = $("#board").getBoundingClientRect();
  return won.length > 0 && won.reduce((sum, top) => sum + top, 0) / won.length > frame.top + frame.height / 2;
}
