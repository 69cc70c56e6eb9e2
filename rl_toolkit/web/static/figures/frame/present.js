/**
 * For a class: `f` shows one figure alone, Escape goes back. PageDown and PageUp, the keys of a presenter's remote, go
 * through the scenes and questions of the section; a question shows its answers first, and the next key its solution.
 */

import { html } from "./controls.js";

export function presented(figures) {
  const full = () => figures.find((figure) => figure.isFull);
  addEventListener("keydown", (event) => {
    const isTyped = event.target.closest?.("input:not([type=range]), textarea, select");
    if (event.altKey || event.ctrlKey || event.metaKey || isTyped) return;
    if (event.key === "f") (full() ?? inView(figures))?.fill();
    else if (!full()) return;
    else if (event.key === "Escape") full().fill(false);
    else if (event.key === "PageDown") turn(full(), 1);
    else if (event.key === "PageUp") turn(full(), -1);
    else return;
    event.preventDefault();
  });
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) full()?.fill(false);
  });
}

/** The figure nearest to the middle of the window. */
function inView(figures) {
  const far = ({ host }) => {
    const { top, height } = host.getBoundingClientRect();
    return Math.abs(top + height / 2 - innerHeight / 2);
  };
  return [...figures].sort((a, b) => far(a) - far(b))[0];
}

/** To the next or previous step, first from the scene that is shown; a question is two steps. */
function turn(figure, by) {
  const part = figure.host.closest(".part");
  const steps = [...(part?.querySelectorAll("[data-scene], .ask") ?? [])].flatMap((block) => (block.matches(".ask") ? [{ block }, { block, solved: true }] : [{ block }]));
  if (!steps.length) return;
  figure.step ??= steps.findIndex((step) => step.block.matches(".is-scene"));
  figure.step = Math.min(steps.length - 1, Math.max(0, figure.step + by));
  const { block, solved } = steps[figure.step];
  if (!block.matches(".ask")) block.querySelector(".show-scene").click();
  else if (solved && !block.matches(".is-answered")) block.querySelector(".skip-question").click();
  figure.asked.hidden = !block.matches(".ask");
  if (block.matches(".ask")) figure.asked.replaceChildren(...askedAgain(block));
}

/** The question for the screen: its text, its answers, and once it is solved which are right. */
function askedAgain(block) {
  const text = html("p", {}, block.querySelector("p").textContent);
  const isDone = block.matches(".is-answered");
  const answers = [...block.querySelectorAll("[data-right]")].map((option) => html("li", { class: isDone && option.matches(".is-right") ? "is-right" : null }, option.textContent.trim()));
  return [text, html("ul", {}, ...answers)];
}
