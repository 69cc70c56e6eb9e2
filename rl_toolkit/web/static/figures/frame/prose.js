/** Binds the text of a section to its figure: numbers, numbers to drag, links to a moment, questions, scenes. */

import { html } from "./controls.js";
import { evaluate, like } from "./expression.js";
import { changesOf, pairs } from "./state.js";

export function bind(part, figure) {
  const shows = [
    ...[...part.querySelectorAll("[data-is]")].map((element) => boundNumber(element, figure)),
    ...[...part.querySelectorAll("[data-scrub]")].map((element) => draggedNumber(element, figure)),
  ];
  for (const element of part.querySelectorAll(".ask")) question(element, figure);
  veiled(part);
  for (const element of part.querySelectorAll("a[data-show]")) {
    element.addEventListener("click", (event) => {
      event.preventDefault();
      figure.set(changesIn(element.dataset.show, figure), { byText: true });
    });
  }
  const show = () => {
    for (const each of shows) each();
    part.classList.toggle("is-touched", figure.changed.size > 0);
  };
  figure.addEventListener("change", show);
  show();
  followed(part, figure);
}

/** Pixels: less is not scrolled. */
const STILL = 8;
/** A question whose end is higher than this share of the window has been passed. */
const PASSED = 0.15;

const changesIn = (text, figure) => changesOf(figure.kind, pairs(text));

function boundNumber(element, figure) {
  const written = element.textContent;
  if (element.closest(".ask")) {
    element.textContent = like(written, evaluate(element.dataset.is, figure.factsOf(element.dataset.at)));
    return () => {};
  }
  const near = element.closest("p, li, td")?.querySelectorAll("[data-scrub]") ?? [];
  const free = [...near].map((each) => each.dataset.scrub.split(" ")[0]);
  return () => {
    const text = like(written, evaluate(element.dataset.is, figure.factsAt(element.dataset.at, free)));
    if (element.textContent !== text) element.textContent = text;
  };
}

/** A number to drag sideways: `name least greatest step`. */
function draggedNumber(element, figure) {
  const [name, ...rest] = element.dataset.scrub.split(" ");
  const [min, max, by] = rest.map(Number);
  const written = element.textContent;
  const own = changesIn(element.dataset.at, figure)[name] ?? figure.first[name];
  const now = () => (figure.changed.has(name) ? figure.state[name] : own);
  const give = (value) => {
    if (!figure.changed.has(name)) figure.set({ ...changesIn(element.dataset.at, figure) }, { byText: true });
    figure.set({ [name]: Number((Math.round(Math.min(max, Math.max(min, value)) / by) * by).toFixed(4)) });
  };
  let from = null;
  for (const [key, value] of Object.entries({ role: "slider", tabindex: 0, "aria-label": name, "aria-valuemin": min, "aria-valuemax": max })) element.setAttribute(key, value);
  element.addEventListener("pointerdown", (event) => {
    from = { x: event.clientX, value: now() };
    element.setPointerCapture(event.pointerId);
    element.focus({ preventScroll: true });
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => from && give(from.value + ((event.clientX - from.x) / 160) * (max - min)));
  for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => (from = null));
  element.addEventListener("keydown", (event) => {
    const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!sign) return;
    give(now() + sign * by * (event.shiftKey ? 10 : 1));
    event.preventDefault();
  });
  return () => {
    element.textContent = like(written, now());
    element.setAttribute("aria-valuenow", now());
  };
}

/**
 * A question. Its key is computed from the figure for the scene that it speaks of, once: what the reader does to the figure
 * later changes neither verdict nor answer. A guess is never called wrong.
 */
function question(element, figure) {
  const options = [...element.querySelectorAll("[data-right]")];
  const answer = element.querySelector("details");
  const verdict = html("p", { class: "verdict", role: "status" });
  const isGuess = element.classList.contains("is-guess");
  const isRight = (option) => evaluate(option.dataset.right, figure.factsOf(option.dataset.at));
  const reveal = (given) => {
    element.classList.add("is-answered");
    answer.hidden = false;
    answer.open = true;
    for (const option of options) {
      option.classList.toggle("is-right", isRight(option));
      option.classList.toggle("is-wrong", !isGuess && option === given && !isRight(option));
      option.classList.toggle("is-given", option === given);
      option.querySelector("button").disabled = true;
    }
    const missed = isGuess ? "A fair guess, but it is the one with the ✓." : "No.";
    verdict.textContent = given ? (isRight(given) ? "Yes." : missed) : "";
    element.dispatchEvent(new CustomEvent("answered"));
    figure.answeredAt = scrollY;
    figure.show(element.dataset.then);
  };
  for (const option of options) {
    const button = html("button", { type: "button", on: { click: () => reveal(option) } });
    button.append(...option.childNodes);
    option.append(button);
  }
  const skip = html("button", { type: "button", class: "skip-question", on: { click: () => reveal(null) } }, "Just show me");
  answer.hidden = true;
  answer.before(skip, verdict);
  // On paper nothing can be unfolded.
  addEventListener("beforeprint", () => (answer.open = true));
  addEventListener("afterprint", () => (answer.open = element.classList.contains("is-answered")));
}

/** Numbers below a question are veiled until it is answered: they may be its answer. On paper all can be read. */
function veiled(part) {
  for (const ask of part.querySelectorAll(".ask")) {
    const below = [];
    for (let next = ask.nextElementSibling; next; next = next.nextElementSibling) {
      if (!next.matches(".ask")) below.push(...(next.matches("[data-is]") ? [next] : next.querySelectorAll("[data-is]")));
    }
    const veil = (by) => {
      for (const number of below) {
        const veils = Number(number.dataset.veils ?? 0) + by;
        if (veils) number.dataset.veils = veils;
        else delete number.dataset.veils;
        number.title = veils ? "Answer the question above first" : "";
      }
    };
    veil(1);
    ask.addEventListener("answered", () => veil(-1));
  }
}

/** Until the reader touches the figure, it shows what the paragraph at the reading line speaks of. */
function followed(part, figure) {
  const scenes = [...part.querySelectorAll("[data-scene]")];
  for (const scene of scenes) {
    const show = () => {
      mark(scene);
      figure.show(scene.dataset.scene);
    };
    const end = scene.matches("ol, ul") ? scene.lastElementChild : scene; // a list has items only
    end.append(" ", html("button", { type: "button", class: "show-scene", on: { click: show } }, "Show this"));
  }
  const mark = (scene) => {
    figure.scene = scene.dataset.scene;
    for (const each of scenes) each.classList.toggle("is-scene", each === scene);
  };
  // A scene is read when it begins above this line: below the middle of the window, on a phone of what the figure leaves free.
  const isWide = matchMedia("(min-width: 60rem)").matches;
  const line = isWide ? "10000% 0px -45% 0px" : "10000% 0px -30% 0px";
  const begun = new Set();
  let here = null;
  const follow = () => {
    if (!here || figure.changed.size || figure.isFull) return;
    if (Math.abs(scrollY - figure.answeredAt) < STILL) return; // an answer stays until the page is scrolled
    let at = scenes.indexOf(here);
    while (at && waits(scenes[at])) at--;
    mark(scenes[at]);
    figure.show(scenes[at].dataset.scene);
  };
  /** A scene below a question that can be seen waits for its answer, or it would give the answer away. */
  const asks = [...part.querySelectorAll(".ask")];
  const waits = (scene) => {
    const hidden = isWide ? PASSED * innerHeight : Math.max(0, figure.host.getBoundingClientRect().bottom); // on a phone the figure is above the text
    return asks.some((ask) => {
      if (ask.matches(".is-answered") || !(ask.compareDocumentPosition(scene) & Node.DOCUMENT_POSITION_FOLLOWING)) return false;
      const { top, bottom } = ask.getBoundingClientRect();
      return bottom > hidden && top < innerHeight;
    });
  };
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) isIntersecting ? begun.add(target) : begun.delete(target);
      here = scenes.findLast((scene) => begun.has(scene)) ?? null;
      follow();
    },
    { rootMargin: line },
  );
  const passing = isWide ? `-${100 * PASSED}%` : `-${figure.host.offsetHeight}px`;
  const questions = new IntersectionObserver((entries) => entries.some(({ target }) => !target.matches(".is-answered")) && follow(), { rootMargin: `${passing} 0px 0px` });
  for (const ask of asks) questions.observe(ask);
  for (const scene of scenes) watcher.observe(scene);
  // The picture of the section may show more, even the answer of a question that comes first.
  if (scenes.length) {
    mark(scenes[0]);
    figure.show(scenes[0].dataset.scene);
  }
}
