/** What a review says of a game: accuracies, where it turned, mistakes, and the way to learn from them. */

import { $, h } from "../../base/dom.js";
import { counted, piece, unbroken } from "../../base/format.js";
import { lessonsIn } from "../../play/reviewing.js";
import { nameOf } from "../face.js";
import { SIGNS } from "../sheet.js";

/** A review in a few sentences, for those who do not see it. */
export function storyOf(session) {
  const { turned, over, accuracy } = session.story;
  const shares = [[1, accuracy.x], [-1, accuracy.o]].filter(([, share]) => share !== null).map(([player, share]) => `${nameOf(session, player)} ${share.toFixed(0)} %`);
  return [turned?.text, over?.text, shares.length ? `Accuracy: ${shares.join(", ")}.` : ""].filter(Boolean).join(" ");
}

/** Replace the rows of a list; the one with the focus keeps it. */
function refill(list, rows) {
  const focused = [...list.children].findIndex((row) => row.contains(document.activeElement));
  list.replaceChildren(...rows);
  rows[focused]?.querySelector("button").focus();
}

export class Story {
  #counted = ""; // the state of the review for which lessons were counted

  /** `show` is asked for a node. */
  constructor(session, reviewing, show) {
    Object.assign(this, { session, reviewing, show });
  }

  draw() {
    const { session, reviewing } = this;
    const { story } = session;
    $("#run-review").textContent = reviewing.running ? "Stop" : story ? "Review again" : "Review this game";
    $("#run-review").disabled = reviewing.line.length === 0;
    $("#review-state").textContent = reviewing.state;
    $("#accuracy").replaceChildren(...[1, -1].map((player) => this.#side(player)));
    refill($("#turns"), this.#moments());
    refill($("#mistakes"), reviewing.mistakes().map((node) => this.#mistake(node)));
    $("#mistake-walk").hidden = reviewing.mistakes().length < 2;
    this.#lessons();
    const own = reviewing.worst(this.learner).length;
    $("#learn").hidden = own === 0;
    $("#learn").textContent = `Learn from ${counted(own, "mistake")}`;
  }

  /** The side whose mistakes are learned from: the only person's, 0 for both. */
  get learner() {
    const { own } = this.session;
    return own && this.reviewing.worst(own).length ? own : 0;
  }

  /** Kinds of mistakes over all games that this browser has kept. */
  async #lessons() {
    const { session, reviewing } = this;
    const now = [session.id, session.story !== null, reviewing.running].join();
    if (now === this.#counted || reviewing.running) return;
    this.#counted = now;
    const others = (await session.store.games(session.family)).filter(({ id }) => id !== session.id);
    const found = lessonsIn([session.kept, ...others]);
    $("#lessons").hidden = found.length === 0;
    $("#lessons ul").replaceChildren(...found.map(([lesson, times]) => h("li", {}, h("b", { text: `${times} ×` }), ` ${lesson}`)));
  }

  #side(player) {
    const { session, reviewing } = this;
    const side = player > 0 ? "x" : "o";
    const share = session.story?.accuracy[side] ?? null;
    const about = session.story?.accuracy_proven[side] ? "" : "≈ ";
    const mistakes = reviewing.mistakes(player).length;
    const [name, colour] = [nameOf(session, player), piece(player, session.position)];
    const sum = mistakes ? counted(mistakes, "mistake") : session.story ? "no mistakes" : "accuracy";
    return h(
      "div",
      { class: `side-card ${side}` },
      h("i", { class: "dot" }),
      h("b", { text: name }),
      h("span", { class: "percent", text: share === null ? "–" : `${about}${share.toFixed(0)} %` }),
      h("small", { text: [name === colour ? "" : colour, sum].filter(Boolean).join(" · ") }),
    );
  }

  #moments() {
    const { story } = this.session;
    return [story?.turned, story?.over].filter(Boolean).map(({ ply, text }) =>
      h("li", {}, h("button", { type: "button", class: "as-link", text: unbroken(text), on: { click: () => this.show(this.reviewing.line[ply]) } })),
    );
  }

  #mistake(node) {
    const { review } = node;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: `mistake-row ${review.mark}`, on: { click: () => this.show(node) } },
        h("span", { class: "glyph", text: SIGNS[review.mark] }),
        h("b", { text: `${node.ply}. ${node.name}` }),
        h("span", { text: [review.cost ?? review.pace?.text ?? "", review.lesson].filter(Boolean).join(". ") }),
      ),
    );
  }
}
