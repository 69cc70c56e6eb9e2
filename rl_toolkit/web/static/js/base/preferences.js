/**
 * What a visitor likes, kept in this browser: `preference(name)`, and "preference" on the document
 * when one changes. Those that only change the looks stand on the root element as data attributes.
 */

import { $, h } from "./dom.js";

const KEY = "preferences";

/** Each has its choices: value and words. The first is the usual one. */
const ALL = {
  colours: { title: "Colours", choices: [["", "as the system"], ["light", "light"], ["dark", "dark"]] },
  board: { title: "Board", choices: [["", "usual"], ["wood", "wood"], ["slate", "slate"], ["paper", "paper"]], looks: true },
  pieces: { title: "Pieces", choices: [["", "usual"], ["flat", "flat"], ["letters", "with letters X and O"]], looks: true },
  labels: { title: "Names of squares", choices: [["", "shown"], ["none", "hidden"]], looks: true },
  sounds: { title: "Sounds", choices: [["", "off"], ["on", "on"]] },
  confirm: { title: "Before resigning", choices: [["", "ask"], ["no", "do not ask"]] },
  spoilers: { title: "Values while you play", choices: [["", "hidden"], ["on", "shown"]] },
};

function stored() {
  try {
    return { ...JSON.parse(localStorage.getItem(KEY) ?? "{}"), colours: localStorage.getItem("theme") ?? "" };
  } catch {
    return {}; // storage may be forbidden
  }
}

let now = stored();

/** The value of a preference, "" for the usual one. */
export function preference(name) {
  return ALL[name].choices.some(([value]) => value === now[name]) ? now[name] : "";
}

export function prefer(name, value) {
  now = { ...now, [name]: value };
  const { colours, ...others } = now;
  try {
    if (colours) localStorage.setItem("theme", colours);
    else localStorage.removeItem("theme");
    localStorage.setItem(KEY, JSON.stringify(others));
  } catch {
    // then it holds for this page only
  }
  if (name === "colours") document.dispatchEvent(new CustomEvent("theme", { detail: value }));
  show();
  document.dispatchEvent(new CustomEvent("preference", { detail: { name, value } }));
}

function show() {
  const looks = Object.entries(ALL).filter(([, each]) => each.looks);
  for (const [name] of looks) document.documentElement.dataset[name] = preference(name);
  if (looks.some(([name]) => preference(name)) && !$("#themes-sheet")) document.head.append(h("link", { id: "themes-sheet", rel: "stylesheet", href: new URL("../../css/themes.css", import.meta.url).pathname }));
}

/** The dialog in which they are chosen; each choice holds at once. */
export async function openPreferences() {
  const { openDialog } = await import("./dialog.js");
  now = stored();
  const rows = Object.entries(ALL).map(([name, { title, choices }]) => {
    const options = choices.map(([value, text]) => h("option", { value, text, selected: value === preference(name) }));
    const select = h("select", { id: `prefer-${name}`, on: { change: () => prefer(name, select.value) } }, ...options);
    return h("p", { class: "preference" }, h("label", { for: `prefer-${name}`, text: title }), select);
  });
  const kept = h("p", { class: "fine", text: "These are kept in this browser and hold at once." });
  return openDialog("preferences", "Preferences", h("div", { class: "preferences" }, ...rows), kept);
}

show();
addEventListener("storage", ({ key }) => {
  if (key !== KEY) return;
  now = stored(); // another tab has changed them
  show();
});
$("#preferences-open")?.addEventListener("click", openPreferences);
