/** The result of a task, drawn: its mark and points, the first failing case, hints. */

import { h } from "../js/base/dom.js";

const MARKS = { right: ["✓", "right"], wrong: ["✗", "wrong"], todo: ["·", "not written yet"], open: ["?", "open"] };
const STAGES = ["the idea", "the place", "nearly the line"];

/**
 * The item of a task. `open` says whether its case is unfolded, `hint` asks for a hint, `toggled`
 * hears when the student folds or unfolds the case.
 */
export function taskItem(task, hints, { open, hint, toggled }) {
  const [mark, means] = MARKS[task.status];
  const words = task.status === "todo" && !task.say ? "not checked" : means;
  const canHint = task.status !== "right" && hints.length < STAGES.length;
  return h(
    "li",
    { id: `task-${task.number}`, class: `task${task.old ? " old" : ""}`, "data-status": task.status },
    h(
      "div",
      { class: "task-head" },
      h("span", { class: "mark", "aria-hidden": "true", text: mark }),
      h("span", { class: "name" }, `${task.number}. ${task.title}`, h("span", { class: "hidden-text", text: ` (${words})` })),
      h("span", { class: "of", text: `${task.reached}/${task.points}` }),
      canHint
        ? h("button", { type: "button", class: "hint-button small", "aria-label": `Hint for task ${task.number}`, text: "Hint", on: { click: hint } })
        : null,
    ),
    h("div", { class: "task-body" }, ...body(task, open, toggled), task.status === "right" ? null : hintList(hints)),
  );
}

function body(task, open, toggled) {
  const notes = task.notes.map((text) => h("p", { class: "fine", text }));
  if (!task.failure) return task.say ? [...notes, h("p", { class: "fine", text: task.say })] : notes;
  const [sentence, ...case_] = failureParts(task.failure);
  if (!case_.length) return [...notes, sentence];
  const summary = h("summary", { text: "The first case that is wrong", on: { click: toggled } });
  return [...notes, sentence, h("details", { open }, summary, ...case_)];
}

/** A failing case: the sentence first, then the board, both answers, prints and traceback. */
export function failureParts(failure) {
  const parts = [h("p", { class: "said bad", text: failure.sentence })];
  if (failure.case) parts.push(h("p", { class: "fine", text: failure.case }));
  const facts = [
    ["call", failure.call],
    ["your answer", failure.answer, "yours"],
    ["right", failure.right, "should"],
    ["the game", failure.moves.join(" ")],
  ].filter(([, text]) => text);
  const picture = drawn(failure);
  if (picture || facts.length)
    parts.push(
      h(
        "div",
        { class: "case" },
        picture,
        facts.length ? h("dl", {}, ...facts.map(([name, text, kind]) => h("div", {}, h("dt", { text: name }), h("dd", { class: kind, text })))) : null,
      ),
    );
  if (failure.printed) parts.push(h("p", { class: "fine", text: "Your program printed:" }), h("pre", { text: failure.printed }));
  if (failure.traceback.length) parts.push(h("pre", { class: "traceback", text: failure.traceback.join("\n") }));
  return parts;
}

/** The board or picture of a case. As the source of an image it cannot run anything. */
function drawn({ svg, board, position, mover }) {
  if (!svg) return board ? h("pre", { text: board }) : null;
  const turn = mover ? `${mover > 0 ? "X" : "O"} to move` : "";
  return h(
    "figure",
    { class: position ? "" : "picture" },
    h("img", {
      src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
      alt: position ? `The board ${position.split(" ")[0]}` : "The case as a picture",
    }),
    turn ? h("figcaption", { text: turn }) : null,
  );
}

function hintList(hints) {
  if (!hints.length) return null;
  return h(
    "ol",
    { class: "hint-list", "aria-label": "Hints" },
    ...hints.map((text, number) => h("li", {}, h("b", { text: `Hint ${number + 1} of 3: ${STAGES[number]}` }), text)),
  );
}
