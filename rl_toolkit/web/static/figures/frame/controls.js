/** The controls under a figure: ranges, switches, choices, buttons, texts, made anew only when their shape changes. */

export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Each maker returns `[element, show]`; `now()` is the control as it is at the moment, `set` takes changes. */
const MAKERS = {
  range(now, set) {
    const { name, label } = now();
    const out = html("output");
    const input = html("input", { type: "range", "aria-label": label, on: { input: () => set(now().change?.(Number(input.value)) ?? { [name]: Number(input.value) }) } });
    const show = ({ min, max, step = 1, value, text = String(value), spoken = text }) => {
      for (const [key, wanted] of Object.entries({ min, max, step })) if (input[key] !== String(wanted)) input[key] = wanted;
      if (Number(input.value) !== value) input.value = value;
      out.textContent = text;
      input.setAttribute("aria-valuetext", spoken);
    };
    return [html("label", { class: "range" }, html("span", {}, label), input, out), show];
  },
  switch(now, set) {
    const { name, label } = now();
    const input = html("input", { type: "checkbox", on: { change: () => set({ [name]: input.checked }) } });
    return [html("label", { class: "switch" }, input, label), ({ value }) => (input.checked = value)];
  },
  choice(now, set) {
    const { name, label, options } = now();
    const buttons = options.map(([value, text]) => html("button", { type: "button", class: "small", on: { click: () => set(now().change?.(value) ?? { [name]: value }) } }, text));
    const show = ({ value }) => buttons.forEach((button, i) => button.setAttribute("aria-pressed", options[i][0] === value));
    return [html("div", { class: "choice", role: "group", "aria-label": label }, ...buttons), show];
  },
  text(now, set) {
    const { label, hint } = now();
    const input = html("input", { type: "text", "aria-label": label, spellcheck: "false", autocomplete: "off", maxlength: 160, on: { change: () => set(now().change(input.value)) } });
    const show = ({ value }) => document.activeElement !== input && (input.value = value);
    return [html("details", { class: "typed" }, html("summary", {}, label), input, html("span", {}, hint)), show];
  },
  button(now, set) {
    const { label, title } = now();
    const button = html("button", { type: "button", class: "small", title, "aria-label": /[a-z\d]/i.test(label) ? null : title, on: { click: () => set(now().run()) } }, label);
    return [button, ({ disabled = false }) => (button.disabled = disabled)];
  },
};

export class Controls {
  #shape = "";
  #shown = [];
  #list = [];

  constructor(panel, set) {
    this.panel = panel;
    this.set = set;
  }

  show(list) {
    this.#list = list;
    const shape = JSON.stringify(list.map(({ kind, name, label, options }) => [kind, name, label, options]));
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#shown = list.map(({ kind }, i) => MAKERS[kind](() => this.#list[i], this.set));
      this.panel.replaceChildren(...this.#shown.map(([element]) => element));
    }
    list.forEach((each, i) => this.#shown[i][1](each));
  }
}
