/** The dialog in which preferences are chosen; each choice holds at once. */

import { openDialog } from "./dialog.js";
import { $, h } from "./dom.js";
import { ALL, prefer, preference } from "./preferences.js";

export function openPreferences() {
  const offered = Object.entries(ALL).filter(([, { needs }]) => !needs || $(needs));
  const rows = offered.map(([name, { title, choices }]) => {
    const options = choices.map(([value, text]) => h("option", { value, text, selected: value === preference(name) }));
    const select = h("select", { id: `prefer-${name}`, on: { change: () => prefer(name, select.value) } }, ...options);
    return h("p", { class: "preference" }, h("label", { for: `prefer-${name}`, text: title }), select);
  });
  const kept = h("p", { class: "fine", text: "These are kept in this browser and hold at once." });
  return openDialog("preferences", "Preferences", h("div", { class: "preferences" }, ...rows), kept);
}
