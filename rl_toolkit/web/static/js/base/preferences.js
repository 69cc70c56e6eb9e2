/**
 * What a visitor likes, kept in this browser: `preference(name)`, and "preference" on the document
 * when one changes. Those that only change the looks stand on the root element as data attributes;
 * light or dark is as the system says, unless one was chosen.
 */

import { $, needSheet } from "./dom.js";

const KEY = "preferences";
const THEME = "theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Each has its choices: value and words. The first is the usual one. */
export const ALL = {
  colours: { title: "Colours", choices: [["", "as the system"], ["light", "light"], ["dark", "dark"]] },
  board: { title: "Board", choices: [["", "usual"], ["wood", "wood"], ["slate", "slate"], ["paper", "paper"]], looks: true },
  pieces: { title: "Pieces", choices: [["", "usual"], ["flat", "flat"], ["letters", "with letters X and O"]], looks: true },
  labels: { title: "Names of squares", choices: [["", "shown"], ["none", "hidden"]], looks: true },
  sounds: { title: "Sounds", choices: [["", "off"], ["on", "on"]] },
  confirm: { title: "Before resigning", choices: [["", "do not ask"], ["ask", "ask once more"]] },
  spoilers: { title: "Values while you play", choices: [["", "hidden"], ["on", "shown"]] },
  keep: { title: "Games that you finish", choices: [["", "saved in the library"], ["no", "not saved"]], needs: 'meta[name="library"]' },
};

function stored() {
  try {
    return { ...JSON.parse(localStorage.getItem(KEY) ?? "{}"), colours: localStorage.getItem(THEME) ?? "" };
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
    if (colours) localStorage.setItem(THEME, colours);
    else localStorage.removeItem(THEME);
    localStorage.setItem(KEY, JSON.stringify(others));
  } catch {
    // then it holds for this page only
  }
  show();
  document.dispatchEvent(new CustomEvent("preference", { detail: { name, value } }));
}

const isDark = () => (preference("colours") || (system.matches ? "dark" : "light")) === "dark";

function show() {
  const { dataset } = document.documentElement;
  const looks = Object.keys(ALL).filter((name) => ALL[name].looks);
  for (const name of looks) dataset[name] = preference(name);
  if (looks.some(preference)) needSheet("themes");
  if (preference("colours")) dataset.theme = preference("colours");
  else delete dataset.theme;
  const button = $("#theme");
  button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
  button.textContent = isDark() ? "☀" : "☾";
}

show();
system.addEventListener("change", show);
addEventListener("storage", ({ key }) => {
  if (key !== KEY && key !== THEME) return;
  now = stored(); // another tab has changed them
  show();
});
$("#theme").addEventListener("click", () => prefer("colours", isDark() ? "light" : "dark"));
$("#preferences-open").addEventListener("click", async () => (await import("./preferences_dialog.js")).openPreferences());
