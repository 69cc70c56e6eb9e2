/** What one does with the move that is shown: glyph, comment, order of variations, deleting, undo. */

import { $, h } from "../base/dom.js";
import { GLYPHS } from "../model/tree.js";

export class Editing {
  #comments = null; // the node that the field is about
  #from = null; // what had the focus before the field

  constructor(session) {
    this.session = session;
    const { tree } = session;
    const click = (id, action) => $(id).addEventListener("click", () => action(tree.now));
    $("#glyphs").append(...GLYPHS.map((glyph) => h("button", { type: "button", class: "small", "data-glyph": glyph, text: glyph, on: { click: () => tree.glyph(tree.now, glyph) } })));
    click("#promote", (node) => tree.promote(node));
    click("#make-main", (node) => tree.makeMain(node));
    click("#remove", (node) => tree.remove(node));
    click("#undo-edit", () => tree.undo());
    click("#redo-edit", () => tree.redo());
    $("#comment").addEventListener("input", () => (this.#comments = tree.now));
    $("#comment").addEventListener("change", () => this.#keep());
    $("#comment").addEventListener("focus", ({ relatedTarget }) => (this.#from = relatedTarget));
    $("#comment").addEventListener("keydown", (event) => this.#key(event));
    session.addEventListener("leaving", () => this.#keep()); // a comment that is still being written
  }

  draw() {
    const { session } = this;
    const { node, tree } = session;
    const field = $("#comment");
    if (this.#comments !== node) this.#keep();
    if (document.activeElement !== field || this.#comments !== node) field.value = node.comment;
    for (const button of $("#glyphs").children) {
      button.setAttribute("aria-pressed", String(button.dataset.glyph === node.glyph));
      button.disabled = !node.parent;
    }
    $("#promote").disabled = $("#make-main").disabled = !node.fork;
    $("#remove").disabled = !tree.canRemove(node);
    $("#undo-edit").disabled = !tree.canUndo;
    $("#redo-edit").disabled = !tree.canRedo;
    $("#back-to-game").hidden = !tree.played.parent || (tree.isPlayed(node) && !tree.played.fork) || node === tree.root;
  }

  /** Keep what was written, also if another move is shown meanwhile. */
  #keep() {
    const node = this.#comments;
    this.#comments = null;
    if (node) this.session.tree.comment(node, $("#comment").value.trim());
  }

  #key(event) {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#keep();
      this.#leave();
    } else if (event.key === "Escape") {
      this.#comments = null;
      $("#comment").value = this.session.node.comment;
      this.#leave();
    }
  }

  /** The focus returns to where it was, else to the move that is shown, else to the board. */
  #leave() {
    const places = [this.#from, $("#moves [tabindex='0']"), $("#board [tabindex='0']")];
    $("#comment").blur();
    places.find((place) => place?.isConnected && place.checkVisibility() && !place.disabled)?.focus();
  }
}
