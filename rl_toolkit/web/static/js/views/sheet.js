/**
 * The moves as a score sheet: the main line in two columns, variations below the move that they
 * replace, comments, glyphs, and what a review says of each move.
 *
 *      1  d        b
 *      3  c ??     e
 *         │ 3. f f (g e) c           a variation; those inside it stand in brackets
 */

import { $, h } from "../base/dom.js";

export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const KINDS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder", "!": "good", "!!": "brilliant", "!?": "interesting" };

export class Sheet {
  spoils = true; // whether reviews and values may be seen

  /** `show` is asked for a node; `worthOf` has `{ text, side }` of the position of a node, or null. */
  constructor(session, show, worthOf) {
    Object.assign(this, { session, show, worthOf });
    this.box = $("#moves");
  }

  draw() {
    const { tree } = this.session;
    const focused = this.box.contains(document.activeElement);
    this.box.replaceChildren(...remark(tree.root), ...this.#rows(tree.root));
    const now = this.box.querySelector("[aria-current]");
    (now ?? this.box.querySelector("button"))?.setAttribute("tabindex", "0"); // one tab stop
    if (focused) (now ?? this.box.querySelector("button"))?.focus();
    $("#no-moves").hidden = tree.root.next !== null;
    reveal(this.box, now);
  }

  /** The main line, numbered by ply: rows of two, or of one where something stands between. */
  #rows(root) {
    const rows = [];
    let row = null;
    for (let node = root; node.next; node = node.next) {
      const { next } = node;
      if (!row || next.player > 0 || row.childElementCount > 2) {
        row = h("div", { class: "pair" }, h("span", { class: "number", text: next.ply }));
        if (next.player < 0) row.append(h("span", { class: "skipped", text: "…" }));
        rows.push(row);
      }
      row.append(this.#move(next));
      const below = [...remark(next), ...this.#variations(node)];
      rows.push(...below);
      if (below.length) row = null;
    }
    return rows;
  }

  /** Those that leave the line after `node`; a button folds them away. */
  #variations(node) {
    const others = node.children.slice(1);
    if (!others.length) return [];
    const { tree } = this.session;
    const fold = h("button", {
      type: "button",
      class: "fold",
      tabindex: "-1",
      "aria-expanded": String(!node.folded),
      "aria-label": `Variations of move ${node.ply + 1}`,
      text: node.folded ? `▸ ${others.length}` : "▾",
      on: { click: () => tree.fold(node) },
    });
    const lines = node.folded ? [] : others.map((other) => h("p", { class: "variation" }, ...this.#variation(other)));
    return [h("div", { class: "variations" }, fold, ...lines)];
  }

  /** A variation in one paragraph. */
  #variation(first) {
    const parts = [h("span", { class: "at", text: `${first.ply}.` }), ...this.#noted(first)];
    for (let node = first; node.next; node = node.next) {
      parts.push(...this.#noted(node.next));
      for (const other of node.children.slice(1)) parts.push("(", ...this.#variation(other), ")");
    }
    return parts;
  }

  #noted(node) {
    return node.comment ? [this.#move(node), h("em", { text: node.comment })] : [this.#move(node)];
  }

  #move(node) {
    const { session, spoils } = this;
    const review = spoils ? node.review : null;
    const glyph = node.glyph || SIGNS[review?.mark] || "";
    const kind = KINDS[glyph] ?? "";
    const worth = spoils ? this.worthOf(node) : null;
    const played = session.tree.isPlayed(node);
    const given = played && node.ply <= session.opening; // no player chose it
    return h(
      "button",
      {
        type: "button",
        tabindex: "-1",
        class: ["move", kind, played && "played", given && "given"].filter(Boolean).join(" "),
        "aria-current": node === session.node ? "step" : undefined,
        title: given ? "The opening: no player chose this move" : review ? [review.text, review.cost ?? review.pace?.text].filter(Boolean).join(": ") : undefined,
        "data-path": node.path,
        on: { click: () => this.show(node) },
      },
      h("span", { class: "hidden-text", text: `${node.ply}. ` }),
      h("b", { text: node.name }),
      glyph ? h("span", { class: "glyph", text: glyph }) : null,
      review?.pace ? h("span", { class: `pace ${review.pace.kind}`, text: `${review.pace.before}→${review.pace.after}` }) : null,
      worth ? h("span", { class: `worth ${worth.side}` }, worth.side ? h("i", { class: "dot" }) : null, worth.text) : null,
      kind ? h("span", { class: "hidden-text", text: `, ${kind}` }) : null,
      given ? h("span", { class: "hidden-text", text: ", opening" }) : null,
    );
  }
}

const remark = ({ comment }) => (comment ? [h("p", { class: "remark", text: comment })] : []);

/** Scroll the list, and nothing but the list: the board stays where it is, and so does what is above. */
function reveal(box, item) {
  const frame = box.closest(".scrolls");
  if (!item || frame.scrollHeight <= frame.clientHeight) return;
  const [inside, shown] = [item.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inside.bottom > shown.bottom) frame.scrollTop += inside.bottom - shown.bottom + 8;
  else if (inside.top < shown.top) frame.scrollTop -= shown.top - inside.top + 8;
}
