/** The sheet of a lab beside its checks: what the server says of the student's folder, as it changes. */

import { post, stream } from "../js/base/api.js";
import { $, h } from "../js/base/dom.js";
import { addCopyButtons, letScroll } from "./copying.js";
import { failureParts, taskItem } from "./report.js";

const RETRY = 1500; // milliseconds after which a lost server is asked again

class Live {
  #drawn = new Map(); // number of a task → the data that it was drawn from
  #opened = new Set(); // tasks whose case the student has opened or closed
  #heard = 0; // checks that have been announced

  async listen() {
    for (;;) {
      try {
        for await (const { data } of stream("/api/lab/events", {})) {
          this.#complain("");
          this.show(data);
        }
      } catch (error) {
        this.#complain(error.message);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }

  show(state) {
    const total = state.tasks.reduce((sum, task) => sum + task.points, 0);
    const reached = state.tasks.reduce((sum, task) => sum + task.reached, 0);
    $("#points").replaceChildren(h("b", { text: reached }), ` of ${total} points`);
    $("#bar").style.setProperty("--part", total ? reached / total : 0);
    $("#bar").setAttribute("aria-label", `${reached} of ${total} points`);
    const allRight = !state.problem && !state.checking && reached === total;
    $("#state").textContent = sentence(state, allRight);
    $("#state").className = state.checking ? "busy" : allRight ? "all-right" : "";
    $("#problem").hidden = !state.problem;
    if (state.problem) $("#problem").replaceChildren(...failureParts(state.problem));
    const most = state.progress.points;
    $("#most").hidden = state.checking || most <= reached;
    $("#most").textContent = `You had ${most} points before.`;
    $("#play")?.classList.toggle("primary", allRight);
    this.#tasks(state);
    this.#questions(state.questions);
    letScroll($("#result"));
    document.title = `${state.checking ? "…" : allRight ? "✓" : `${reached}/${total}`} ${document.body.dataset.lab} ${document.body.dataset.title}`;
    if (!state.checking && state.checks > this.#heard) this.#announce(state, reached, total);
    document.body.dataset.ready = "yes";
    document.body.dataset.checks = state.checking ? "" : state.checks;
  }

  /** Draw the tasks that have changed; the others stay as they are, with their focus. */
  #tasks(state) {
    const first = state.tasks.find((task) => task.failure)?.number;
    for (const found of state.tasks) {
      const task = state.problem ? { ...found, say: "" } : found; // the problem says it for all
      const hints = state.hints[task.number] ?? [];
      const key = JSON.stringify([task, hints, task.number === first]);
      if (this.#drawn.get(task.number) === key) continue;
      this.#drawn.set(task.number, key);
      const old = $(`#task-${task.number}`);
      const focused = old?.contains(document.activeElement) ? document.activeElement.className : "";
      const open = this.#opened.has(task.number) ? Boolean(old?.querySelector("details")?.open) : task.number === first;
      const item = taskItem(task, hints, {
        open,
        hint: () => this.#hint(task.number),
        toggled: () => this.#opened.add(task.number),
      });
      if (old) old.replaceWith(item);
      else $("#tasks").append(item);
      if (focused) item.getElementsByClassName(focused)[0]?.focus();
    }
  }

  #questions(questions) {
    if (!$("#questions") || !questions.length) return;
    const key = JSON.stringify(questions);
    if (this.#drawn.get("questions") === key) return;
    this.#drawn.set("questions", key);
    $("#questions").replaceChildren(
      ...questions.map(({ text, written, model }) =>
        h(
          "li",
          { class: written ? "written" : "" },
          text,
          h("span", { class: "hidden-text", text: written ? " (answered)" : " (not answered yet)" }),
          written && model ? h("details", {}, h("summary", { text: "A model answer" }), h("p", { text: model })) : null,
        ),
      ),
    );
  }

  async #hint(task) {
    try {
      const { hints } = await post("/api/lab/hint", { task });
      $("#announcer").textContent = `Hint ${hints.length} of 3: ${hints.at(-1)}`;
    } catch (error) {
      this.#complain(error.message);
    }
  }

  /** Say the result once: the points, and what is wrong first. */
  #announce(state, reached, total) {
    this.#heard = state.checks;
    const wrong = state.tasks.find((task) => task.failure);
    const what = state.problem?.sentence ?? (wrong ? `Task ${wrong.number}: ${wrong.failure.sentence}` : "");
    $("#announcer").textContent = `${reached} of ${total} points. ${what}`;
  }

  #complain(text) {
    $("#lost").hidden = !text;
    $("#lost").textContent = text ? `${text[0].toUpperCase()}${text.slice(1)}` : "";
  }
}

function sentence(state, allRight) {
  if (state.kept && !state.checking) return state.kept;
  if (state.checking) return "Checking …";
  if (state.problem) return "Nothing can be checked before this is fixed:";
  if (allRight) return "All right. Well done!";
  const waiting = state.tasks.filter((task) => task.status === "todo").length;
  if (waiting === state.tasks.length) return "Begin with task 1, and save.";
  if (state.tasks.some((task) => task.failure)) return "Save when you have changed something.";
  return waiting ? "Right so far. On to the next task." : "What can be checked here is right.";
}

const live = new Live();
addCopyButtons();
$("#again").addEventListener("click", async () => {
  try {
    await post("/api/lab/check", {});
  } catch (error) {
    $("#announcer").textContent = error.message;
  }
});
live.listen();
