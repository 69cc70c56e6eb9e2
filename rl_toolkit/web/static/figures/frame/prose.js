/** Binds the text of a section to its figure: numbers, numbers to drag, links to a moment, questions, scenes. */

import { html } from "./controls.js";
import { evaluate, like } from "./expression.js";
import { changesOf, pairs } from "./state.js";

export function bind(part, figure) {
  const shows = [
    ...[...part.querySelectorAll("[data-is]")].map((element) => boundNumber(element, figure)),
    ...[...part.querySelectorAll("[data-scrub]")].map((element) => draggedNumber(element, figure)),
    ...[...part.querySelectorAll(".ask")].map((element) => question(element, figure)),
  ];
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

const changesIn = (text, figure) => changesOf(figure.kind, pairs(text));

function boundNumber(element, figure) {
  const written = element.textContent;
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

/** A question. Its key is computed from the figure, for whatever is shown when it is answered. */
function question(element, figure) {
  const options = [...element.querySelectorAll("[data-right]")];
  const answer = element.querySelector("details");
  const verdict = html("p", { class: "verdict", role: "status" });
  const isRight = (option) => evaluate(option.dataset.right, figure.factsAt(option.dataset.at));
  let given = null;
  const judge = () => {
    if (!element.classList.contains("is-answered")) return;
    for (const option of options) {
      option.classList.toggle("is-right", isRight(option));
      option.classList.toggle("is-wrong", option === given && !isRight(option));
      option.querySelector("button").disabled = true;
    }
    verdict.textContent = given ? (isRight(given) ? "Yes." : "No.") : "";
  };
  const reveal = (option) => {
    given = option;
    element.classList.add("is-answered");
    answer.hidden = false;
    answer.open = true;
    judge();
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
  return judge;
}

/** Until the reader touches the figure, it shows what the paragraph at the reading line speaks of. */
function followed(part, figure) {
  const scenes = [...part.querySelectorAll("[data-scene]")];
  for (const scene of scenes) {
    const show = () => {
      mark(scene);
      figure.show(scene.dataset.scene);
    };
    scene.append(" ", html("button", { type: "button", class: "show-scene", on: { click: show } }, "Show this"));
  }
  const mark = (scene) => {
    figure.scene = scene.dataset.scene;
    for (const each of scenes) each.classList.toggle("is-scene", each === scene);
  };
  // A line across the text: its middle, on a phone the middle of what the figure leaves free.
  const line = matchMedia("(min-width: 60rem)").matches ? "-45% 0px -45% 0px" : "-70% 0px -20% 0px";
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || figure.changed.size) continue;
        mark(target);
        figure.show(target.dataset.scene);
      }
    },
    { rootMargin: line },
  );
  for (const scene of scenes) watcher.observe(scene);
}
