/** Dialogs that are made when they are first opened, with a style sheet that is loaded then. */

import { $, h } from "./dom.js";

function needSheet(name) {
  const href = new URL(`../../css/${name}.css`, import.meta.url).pathname;
  if ($(`link[href="${href}"]`)) return null;
  return new Promise((resolve) => document.head.append(h("link", { rel: "stylesheet", href, on: { load: resolve, error: resolve } })));
}

/** Open the dialog `id` with this title; `content` are its nodes. It is gone from the page when it is closed. */
export async function openDialog(id, title, ...content) {
  await needSheet("dialogs");
  $(`#${id}`)?.remove();
  const close = h("button", { type: "button", class: "icon", text: "×", "aria-label": "Close" });
  const head = h("div", { class: "dialog-head" }, h("h2", { id: `${id}-title`, text: title }), close);
  const dialog = h("dialog", { id, class: "made", "aria-labelledby": `${id}-title` }, head, ...content);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
