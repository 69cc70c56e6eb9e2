/** The help dialog. */

import { $, h, needSheet } from "./dom.js";

export function listenToHelp() {
  const dialog = $("#help");
  $("#help-open").addEventListener("click", () => openHelp());
  $("#help-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  for (const button of document.querySelectorAll("[data-help]"))
    button.addEventListener("click", () => openHelp(button.dataset.help));
}

/** Open the dialog, at one of its parts. */
export async function openHelp(part) {
  await needSheet("dialogs");
  if (!$("#help").open) $("#help").showModal();
  if (part) $(`#${part}`).focus();
}

/** What each level is: `about` has its names and a sentence for each, `slow` one for all of a slow game. */
export function drawLevels(about, slow) {
  $("#slow-levels").textContent = slow;
  $("#slow-levels").hidden = !slow;
  $("#levels").replaceChildren(
    ...about.map(([level, text]) => h("div", {}, h("dt", { text: level }), h("dd", { text }))),
  );
}
