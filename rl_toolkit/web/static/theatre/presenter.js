/**
 * Presenter mode: the stage, its sentence and the transport fill the window, for a class. By the
 * button, the key p, or `?presenter` in the address. What can be chosen lies behind one button (key o).
 */

import { $ } from "../js/base/dom.js";

const KEY = "presenter";
const root = document.documentElement;

const stored = () => {
  try {
    return sessionStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage may be forbidden
  }
};

function show(on) {
  root.toggleAttribute("data-presenter", on);
  $("#presenter").setAttribute("aria-pressed", on);
  $("#presenter-options").hidden = !on;
  showOptions(false);
  try {
    sessionStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // then it holds for this page only
  }
  dispatchEvent(new Event("resize")); // what is drawn to size is drawn anew
}

function showOptions(on) {
  root.toggleAttribute("data-options", on);
  $("#presenter-options").setAttribute("aria-pressed", on);
  const setup = $("details.wanted");
  if (setup && root.hasAttribute("data-presenter")) setup.open = on;
}

/** The class sees what was asked for: options that lie over the stage go, unless it was refused. */
export function closeOptions() {
  const problem = $("#problem:not(.note)");
  if (!problem || problem.hidden) showOptions(false);
}

const presents = () => root.hasAttribute("data-presenter");
const toggle = () => show(!presents());
const toggleOptions = () => presents() && showOptions(!root.hasAttribute("data-options"));

$("#presenter").addEventListener("click", toggle);
$("#presenter-options").addEventListener("click", toggleOptions);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && root.hasAttribute("data-options")) return showOptions(false);
  const typing = event.target.matches?.("input:not([type=checkbox], [type=range]), select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "p") toggle();
  if (event.key === "o") toggleOptions();
});
if (stored() || new URLSearchParams(location.search).has("presenter")) show(true);
