/** A task to compute by hand: a table of what is given, and fields to fill in. The server judges. */

import { h } from "../../js/base/dom.js";

export class HandSheet {
  constructor(box, onTyped) {
    this.box = box;
    this.onTyped = onTyped;
    this.fields = new Map();
  }

  load({ title, head, rows, blanks }) {
    this.fields = new Map(blanks.map(({ name, label }) => [name, this.#field(name, label)]));
    this.box.replaceChildren(
      h("div", { class: "given", tabindex: 0, role: "region", "aria-label": title }, h("table", {}, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col", text })))), h("tbody", {}, ...rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row", text: first }), ...rest.map((text) => h("td", { text }))))))),
      h("div", { class: "blanks" }, ...[...this.fields.values()].map(({ label }) => label)),
    );
  }

  #field(name, text) {
    const input = h("input", { autocomplete: "off", maxlength: 12, "data-blank": name, on: { change: () => this.onTyped(name) } });
    const mark = h("span", { class: "mark", "aria-hidden": "true" });
    return { input, mark, label: h("label", {}, `${text}${text.endsWith("?") ? "" : ":"} `, input, mark) };
  }

  get answer() {
    return Object.fromEntries([...this.fields].map(([name, { input }]) => [name, input.value]));
  }

  fill(answer) {
    for (const [name, { input }] of this.fields) input.value = answer[name] ?? "";
  }

  /** `said`: name → [mark, sentence]. */
  mark(said) {
    for (const [name, { input, mark, label }] of this.fields) {
      const [how] = said[name] ?? [""];
      label.className = how ? `is-${how}` : "";
      mark.textContent = { right: " ✓", wrong: " ✗" }[how] ?? "";
      if (how) input.setAttribute("aria-invalid", how === "wrong");
      else input.removeAttribute("aria-invalid");
    }
  }
}
