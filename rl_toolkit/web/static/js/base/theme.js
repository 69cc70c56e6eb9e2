/** Light or dark: as the system says, or as was last chosen. */

import { $ } from "./dom.js";

const KEY = "theme";
const system = matchMedia("(prefers-color-scheme: dark)");

const stored = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be forbidden; the system's choice will do
  }
};

const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";

/** Use a theme; "" is the system's. */
function use(chosen) {
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
  const button = $("#theme");
  button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
  button.textContent = isDark() ? "☀" : "☾";
}

use(stored());
system.addEventListener("change", () => use(document.documentElement.dataset.theme));
document.addEventListener("theme", ({ detail }) => use(detail));
$("#theme").addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // then it holds for this page only
  }
  use(next);
});
