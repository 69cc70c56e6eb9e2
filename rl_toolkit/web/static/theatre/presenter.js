/** Presenter mode: large type for a class. By the button, the key p, or `?presenter` in the address. */

import { $ } from "../js/base/dom.js";

const KEY = "presenter";

const stored = () => {
  try {
    return sessionStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage may be forbidden
  }
};

function show(on) {
  document.documentElement.toggleAttribute("data-presenter", on);
  $("#presenter").setAttribute("aria-pressed", on);
  try {
    sessionStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // then it holds for this page only
  }
  dispatchEvent(new Event("resize")); // what is drawn to size is drawn anew
}

const toggle = () => show(!document.documentElement.hasAttribute("data-presenter"));

$("#presenter").addEventListener("click", toggle);
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input:not([type=checkbox], [type=range]), select, textarea");
  if (event.key === "p" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) toggle();
});
if (stored() || new URLSearchParams(location.search).has("presenter")) show(true);
