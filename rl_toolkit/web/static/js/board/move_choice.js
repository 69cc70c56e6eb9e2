/** A list of moves from which the visitor chooses one, where a square stands for several. */

import { h } from "../base/dom.js";
import { Roving } from "../base/roving.js";

/** The entry that is chosen from `entries` (legal moves with names), or null. */
export function chooseMove(entries, square) {
  const title = h("h2", { id: "choose-move-title", text: `Which move to ${square}?` });
  const buttons = entries.map(({ move, name }) => h("button", { type: "button", "data-move": move, text: name }));
  const list = h("div", { class: "row", role: "toolbar", "aria-labelledby": "choose-move-title" }, ...buttons);
  const cancel = h("button", { type: "button", class: "small quiet", text: "Cancel" });
  const dialog = h("dialog", { id: "choose-move", "aria-labelledby": "choose-move-title" }, title, list, h("p", {}, cancel));
  document.body.append(dialog);
  new Roving(list, "button").refresh();
  let chosen = null;
  buttons.forEach((button, k) =>
    button.addEventListener("click", () => {
      chosen = entries[k];
      dialog.close();
    }),
  );
  cancel.addEventListener("click", () => dialog.close());
  dialog.showModal();
  buttons[0].focus();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    }),
  );
}
