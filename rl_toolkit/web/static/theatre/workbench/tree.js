/**
 * A tree drawn tidy: one row a ply, leaves side by side, a node above the middle of its children.
 *
 *   const tree = new TreeDrawing(box);
 *   tree.load(nodes, task)        // the nodes of /api/workbench/tree, and the name of the task
 *   tree.arrange(order)           // children in another order: { number: [children, …] }
 *   tree.mark(remarks), tree.cut(numbers), tree.flag({ number: text })
 *
 * It draws and reports; what is right is decided by the server. Events: "press" with the number of a
 * node, "value" after a number was typed, "shift" with { number, by } to move a child.
 */

import { h, svg } from "../../js/base/dom.js";

/** Which nodes can be pressed in a task. */
const PRESSABLE = {
  values: () => false,
  cuts: (node) => node.parent >= 0,
  visits: (node) => node.side === "",
  order: (node) => node.parent >= 0,
  windows: () => false,
  bounds: () => false,
};
/** The fields of an inner node in tasks whose answers are texts. */
const FIELDS = { windows: ["α", "β"], bounds: ["hands up"] };
const WHAT = { cuts: "cut", visits: "visited", order: "chosen" };

export class TreeDrawing extends EventTarget {
  constructor(box) {
    super();
    this.box = box;
    this.nodes = [];
    this.elements = [];
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  load(nodes, task) {
    this.nodes = nodes;
    this.task = task;
    this.children = nodes.map((node) => nodes.filter((other) => other.parent === node.number).map((other) => other.number));
    const rows = Math.max(...nodes.map((node) => node.depth)) + 1;
    this.edges = svg("svg", { class: "edges", "aria-hidden": "true" });
    const bands = Array.from({ length: rows }, (_, d) => this.#band(d));
    this.elements = nodes.map((node) => this.#node(node));
    this.tree = h("div", { class: "tree", "data-task": task, role: "group", "aria-label": "Game tree", vars: { "--rows": rows, "--leaves": nodes.filter((node) => node.side === "").length } }, ...bands, this.edges, ...this.elements);
    this.lines = nodes.map((node) => (node.parent < 0 ? null : svg("g", {}, svg("line"), svg("path"))));
    this.edges.append(...this.lines.filter(Boolean));
    this.box.replaceChildren(this.tree);
    this.arrange({});
    this.#rove(this.elements.find((element) => element.matches("button")));
  }

  /** Put the nodes in place, the children in the order given. */
  arrange(order) {
    const at = [];
    let next = 0;
    const place = (number) => {
      const below = (order[number] ?? this.children[number]).map(place);
      at[number] = below.length ? (below[0] + below.at(-1)) / 2 : next++;
      return at[number];
    };
    place(0);
    const rows = Number(this.tree.style.getPropertyValue("--rows"));
    for (const { number, parent, depth } of this.nodes) {
      this.elements[number].style.setProperty("--x", at[number]);
      if (parent < 0) continue;
      const [x1, y1, x2, y2] = [(at[parent] + 0.5) / next, (depth - 0.5) / rows, (at[number] + 0.5) / next, (depth + 0.5) / rows];
      const set = (target, values) => Object.entries(values).forEach(([name, value]) => target.setAttribute(name, value));
      const [line, slash] = this.lines[number].children;
      set(line, { x1: `${100 * x1}%`, y1: `${100 * y1}%`, x2: `${100 * x2}%`, y2: `${100 * y2}%` });
      slash.style.setProperty("--mx", (x1 + x2) / 2);
      slash.dataset.x = (x1 + x2) / 2;
      slash.dataset.y = (y1 + y2) / 2;
    }
    this.#slashes();
  }

  /** What the server says of nodes: right, wrong, or look here. */
  mark(remarks) {
    for (const element of this.elements) {
      element.classList.remove("is-right", "is-wrong", "is-wait");
      if (this.task !== "visits") element.querySelector(".flag").textContent = "";
    }
    for (const { node, mark } of remarks) {
      if (node < 0) continue;
      const element = this.elements[node];
      element.classList.add(`is-${mark}`);
      if (this.task !== "visits" && this.task !== "order") element.querySelector(".flag").textContent = { right: "✓", wrong: "✗", wait: "?" }[mark];
    }
  }

  /** Strike out these branches, each with all that is below it. */
  cut(numbers) {
    const out = new Set();
    const add = (number) => {
      out.add(number);
      this.children[number].forEach(add);
    };
    numbers.forEach(add);
    for (const { number } of this.nodes) {
      this.elements[number].classList.toggle("is-cut", out.has(number));
      this.lines[number]?.classList.toggle("cut", out.has(number));
    }
    this.#slashes(new Set(numbers));
  }

  /** Short texts in the corners of nodes; the others lose theirs. */
  flag(texts) {
    for (const { number } of this.nodes) this.elements[number].querySelector(".flag").textContent = texts[number] ?? "";
  }

  press(numbers) {
    const pressed = new Set(numbers);
    for (const { number } of this.nodes) {
      const element = this.elements[number];
      if (element.matches("button")) element.setAttribute("aria-pressed", pressed.has(number));
    }
  }

  focus(number) {
    this.#rove(this.elements[number]);
    this.elements[number].focus();
  }

  /** The numbers typed so far. */
  get values() {
    const found = {};
    for (const { number } of this.nodes) {
      const text = this.elements[number].querySelector("input")?.value.trim().replace("−", "-").replace(",", ".");
      if (text && Number.isFinite(Number(text))) found[number] = Number(text);
    }
    return found;
  }

  set values(values) {
    for (const { number } of this.nodes) {
      const input = this.elements[number].querySelector("input");
      if (input) input.value = values[number] === undefined ? "" : shown(values[number]);
    }
  }

  /** What was typed into nodes as texts: node → one text for each field; nodes left empty are left out. */
  get texts() {
    const found = {};
    for (const { number } of this.nodes) {
      const texts = [...this.elements[number].querySelectorAll("input")].map(({ value }) => value.trim());
      if (texts.some(Boolean)) found[number] = texts;
    }
    return found;
  }

  set texts(texts) {
    for (const { number } of this.nodes) [...this.elements[number].querySelectorAll("input")].forEach((input, k) => (input.value = texts[number]?.[k] ?? ""));
  }

  // ------------------------------------------------------------------------------- inside

  #band(d) {
    const side = this.nodes.find((node) => node.depth === d && node.side)?.side ?? "";
    const label = { MAX: "▲ MAX", MIN: "▼ MIN" }[side] ?? "leaves";
    return h("div", { class: `band ${side.toLowerCase()}`, "aria-hidden": "true", vars: { "--d": d } }, h("span", { text: label }));
  }

  #node(node) {
    const { number, name, side, value, depth } = node;
    const pressable = PRESSABLE[this.task](node);
    const kind = side ? "inner" : "leaf";
    const inside = [h("span", { class: "name", text: name || "root" })];
    if (!side) inside.push(" ", h("span", { class: "value", text: shown(value) }));
    else if (this.task === "values") inside.push(this.#input(number, `Value of ${name || "the root"}, ${side} node`));
    else for (const field of FIELDS[this.task] ?? []) inside.push(this.#input(number, `${field} of ${name || "the root"}, ${side} node`, field));
    inside.push(h("span", { class: "hidden-text", text: side ? `, ${side} node` : ", leaf" }));
    inside.push(h("span", { class: `flag${this.task === "visits" ? "" : " sign"}`, "aria-hidden": "true" }));
    const vars = { "--d": depth };
    if (!pressable) return h("div", { class: `node ${kind}`, vars, "data-node": number }, ...inside);
    return h(
      "button",
      { type: "button", class: `node ${kind}${this.task === "order" ? " pick" : ""}`, vars, "data-node": number, tabindex: -1, "aria-pressed": false, title: WHAT[this.task], on: { click: () => this.#tell("press", number) } },
      ...inside,
    );
  }

  #input(number, label, placeholder = "") {
    return h("input", {
      placeholder: placeholder.length === 1 ? placeholder : null,
      inputmode: "text",
      autocomplete: "off",
      maxlength: 9,
      "aria-label": label,
      on: {
        change: ({ target }) => this.#typed(number, target),
        keydown: ({ key, target }) => key === "Enter" && this.#typed(number, target),
      },
    });
  }

  /** Tell of a number once, whether Enter or leaving the field ends it. */
  #typed(number, input) {
    if (input.dataset.told === input.value) return;
    input.dataset.told = input.value;
    this.#tell("value", number);
  }

  #slashes(tops = this.tops ?? new Set()) {
    this.tops = tops;
    const { width, height } = this.edges.getBoundingClientRect();
    for (const { number, parent } of this.nodes) {
      if (parent < 0) continue;
      const slash = this.lines[number].children[1];
      const [x, y] = [slash.dataset.x * width, slash.dataset.y * height];
      slash.setAttribute("d", tops.has(number) ? `M${x - 8} ${y + 4}l12 -8M${x - 4} ${y + 8}l12 -8` : "");
    }
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #rove(element) {
    if (!element) return;
    for (const other of this.elements) if (other.matches("button")) other.tabIndex = other === element ? 0 : -1;
  }

  #key(event) {
    const here = event.target.closest?.("button.node");
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!here || (!by && event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    const node = this.nodes[here.dataset.node];
    if (by && event.shiftKey && this.task === "order") return this.#tell("shift", { number: node.number, by });
    const x = (element) => Number(element.style.getPropertyValue("--x"));
    const buttons = this.elements.filter((element) => element.matches("button"));
    const depth = node.depth + { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = buttons.filter((element) => this.nodes[element.dataset.node].depth === (by ? node.depth : depth));
    row.sort((one, other) => x(one) - x(other));
    const to = by ? row[row.indexOf(here) + by] : row.sort((one, other) => Math.abs(x(one) - x(here)) - Math.abs(x(other) - x(here)))[0];
    if (to) this.focus(Number(to.dataset.node));
  }
}

/** A number with a true minus. */
export const shown = (value) => String(value).replace("-", "−");
