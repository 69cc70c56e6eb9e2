/** A button on every block of code that copies it. */

import { h } from "../js/base/dom.js";

const SECONDS = 1.5;

/** Give each block a button; output of programs is not for copying. */
export function addCopyButtons(root = document) {
  for (const block of root.querySelectorAll("pre")) {
    const frame = h("div", { class: "code" });
    block.replaceWith(frame);
    frame.append(block);
    if (block.querySelector(".language-output")) continue;
    frame.append(h("button", { type: "button", class: "copy small", text: "Copy", on: { click: ({ target }) => copy(block, target) } }));
  }
  letScroll(root);
}

/** Blocks and tables wider than the page can be reached and scrolled by keyboard. */
export function letScroll(root) {
  for (const block of root.querySelectorAll("pre, .scroller"))
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
}

async function copy(block, button) {
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(block.textContent.trimEnd());
  } catch {
    getSelection().selectAllChildren(block); // where the clipboard is closed: one key is left to press
    said = "Selected";
  }
  button.textContent = said;
  button.classList.add("done");
  setTimeout(() => {
    button.textContent = "Copy";
    button.classList.remove("done");
  }, 1000 * SECONDS);
}
