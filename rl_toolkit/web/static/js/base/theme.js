/** Light or dark: as the system says, or as the button was last pressed. */

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

function show() {
  const button = $("#theme");
  button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
  button.textContent = isDark() ? "☀" : "☾";
}

const chosen = stored();
if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
show();
system.addEventListener("change", show);
$("#theme").addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // then it holds for this page only
  }
  show();
});
