/** The options of an engine as a form, made from what the registry of engines says about them. */

import { openDialog } from "../../base/dialog.js";
import { h } from "../../base/dom.js";

/** Kinds of options that a page may set; others name files. */
const SAFE = ["whole number", "number", "switch", "choice"];

/** `mcts:c=1,tactics=off` as a name and its options. */
export function readSpec(spec) {
  const [name, rest = ""] = spec.trim().split(/:(.*)/s);
  return { name, options: new Map(rest.split(",").filter(Boolean).map((part) => part.split(/=(.*)/s).slice(0, 2))) };
}

export const writeSpec = (name, options) => [name, [...options].map(([key, value]) => `${key}=${value}`).join(",")].filter(Boolean).join(":");

/** Fields for the options of `engine` (an entry of /api/engines) as `spec` sets them; `changed` is given the new spec. */
export function engineForm(engine, spec, changed) {
  const { options } = readSpec(spec);
  const set = (name, value) => {
    if (value === "") options.delete(name);
    else options.set(name, value);
    changed(writeSpec(engine.name, options));
  };
  const fields = engine.options.filter(({ kind }) => SAFE.includes(kind)).map((option) => field(option, options.get(option.name) ?? "", (value) => set(option.name, value)));
  return h("div", { class: "engine-form" }, ...(fields.length ? fields : [h("p", { class: "fine", text: "This engine has no options." })]));
}

function field({ name, kind, default: usual, allowed, help }, value, set) {
  const id = `option-${name}`;
  const none = usual === null || usual === undefined ? "as usual" : `${usual === true ? "on" : usual === false ? "off" : usual} (usual)`;
  const choices = kind === "switch" ? ["on", "off"] : kind === "choice" ? allowed.split(/,? or |, /) : null;
  const input = choices
    ? h("select", { id, name }, h("option", { value: "", text: none }), ...choices.map((choice) => h("option", { value: choice, text: choice, selected: choice === value })))
    : h("input", { id, name, type: "text", inputmode: "decimal", value, placeholder: none, title: allowed, spellcheck: "false" });
  input.addEventListener("change", () => set(input.value.trim()));
  return h("p", { class: "preference" }, h("label", { for: id, title: allowed }, name, h("small", { text: ` ${help}` })), input);
}

/** The options of the engine in a text field, which gets the new spec. */
export function openOptions(setup, input) {
  const content = h("div", {});
  const pick = h("select", { "aria-label": "Engine" }, ...setup.lists.engines.map(({ name }) => h("option", { value: name, text: name, selected: name === readSpec(input.value).name })));
  const draw = () => {
    const engine = setup.lists.engines.find(({ name }) => name === pick.value);
    const spec = readSpec(input.value).name === pick.value ? input.value : pick.value;
    input.value = spec;
    content.replaceChildren(engineForm(engine, spec, (changed) => (input.value = changed)));
  };
  pick.addEventListener("change", draw);
  draw();
  return openDialog("options-dialog", "Engine and options", h("div", { class: "row" }, pick), content);
}
