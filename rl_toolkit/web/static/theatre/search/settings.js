/**
 * What is watched: game, position, and the options of the search, as they stand in the form and in
 * the address.
 *
 *   ?game=connect-four&position=4453&pruning=on&memoization=off&depth=3&t=97
 *   ?tree=(3 12 8) (2 4 6) (14 5 2)
 *   ?engine=own:my_minimax.py:_minimax    a student's own search, on a server that has one
 */

import { $ } from "../../js/base/dom.js";
import { Address, isWhole } from "../address.js";
import { isStrip } from "./compare.js";

const SWITCHES = ["pruning", "memoization", "ordering", "symmetry", "pvs", "heuristic"];
const USUAL = { pruning: true, memoization: false, ordering: false, symmetry: false, pvs: false, heuristic: true };

/** Positions worth watching, with the depth that shows their point. */
export const EXAMPLES = [
  { name: "First cuts", game: "tictactoe", position: "x1o/1x1/2o x" },
  { name: "X wins at once", game: "tictactoe", position: "xx1/oo1/3 x" },
  { name: "Seven empty squares", game: "tictactoe", position: "3/1o1/2x x", depth: "" },
  { name: "Hits of the table", game: "tictactoe", position: "3/1o1/2x x", depth: "4", options: { memoization: true } },
  { name: "Connect Four, 3 plies", game: "connect-four", position: "4453", depth: "3" },
  { name: "Connect Four, 5 plies", game: "connect-four", position: "4453", depth: "5", options: { memoization: true } },
  { name: "Reversi 4×4", game: "reversi-4", position: "", depth: "4" },
  { name: "A tree with numbers", tree: "(3 12 8) (2 4 6) (14 5 2)" },
  { name: "A cut at a MAX node", tree: "min (3 5) (6 9)" },
  { name: "Deep bounds", tree: "(((8 2) (5 9)) ((4 7) (3 1))) (((6 9) (7 8)) ((2 1) (9 4)))" },
];

export class Settings {
  constructor() {
    this.options = { ...USUAL };
    Object.assign(this, { game: "tictactoe", position: EXAMPLES[0].position, tree: null, depth: "fit", t: 0, compare: false, strips: [], leaves: false, own: "" });
  }

  static fromAddress(search) {
    const address = new Address(search);
    const asked = address.query;
    const found = new Settings();
    found.complaint = () => address.complaint();
    const isSwitch = (text) => text === "on" || text === "off";
    if (asked.has("game")) {
      found.game = asked.get("game");
      found.position = asked.get("position") ?? "";
    } else if (asked.has("position")) found.position = asked.get("position");
    if (asked.has("tree")) found.tree = asked.get("tree");
    for (const name of SWITCHES) found.options[name] = (address.read(name, isSwitch) ?? (USUAL[name] ? "on" : "off")) === "on";
    found.depth = address.read("depth", (text) => text === "" || text === "fit" || isWhole(text, 1, 999)) ?? "fit";
    found.t = Number(address.read("t", (text) => isWhole(text, 1, Infinity)) ?? 1) - 1;
    const offered = [...($("#engine")?.options ?? [])].map(({ value }) => value);
    found.own = address.read("engine", (text) => offered.includes(text)) ?? "";
    found.compare = address.read("compare", isSwitch) === "on";
    found.strips = (address.read("strips", (text) => text.split(",").every(isStrip)) ?? "").split(",").filter(Boolean);
    found.leaves = address.read("leaves", isSwitch) === "on";
    return found;
  }

  isSamePosition(other) {
    return this.tree === other.tree && (this.tree !== null || (this.game === other.game && this.position === other.position));
  }

  /** The same settings, which later changes of these leave alone. */
  copy() {
    return Object.assign(new Settings(), this, { options: { ...this.options } });
  }

  /** The address of this page with these settings, and of moment t. */
  address(t) {
    const asked = new URLSearchParams();
    if (this.tree !== null) asked.set("tree", this.tree);
    else {
      asked.set("game", this.game);
      if (this.position) asked.set("position", this.position);
    }
    for (const name of SWITCHES) if (this.options[name] !== USUAL[name]) asked.set(name, this.options[name] ? "on" : "off");
    if (this.own) asked.set("engine", this.own);
    if (this.depth !== "fit") asked.set("depth", this.depth);
    if (this.compare) asked.set("compare", "on");
    if (this.compare && this.strips.length) asked.set("strips", this.strips.join(","));
    if (this.leaves && this.tree !== null) asked.set("leaves", "on");
    if (t) asked.set("t", t + 1);
    return `${location.pathname}?${asked}`;
  }

  /** The body of the request for a trace; `options` overrides some. */
  request(options = {}) {
    if (this.own) return this.#ownRequest();
    const all = { ...this.options, ...options };
    const switches = SWITCHES.filter((name) => name !== "heuristic").map((name) => `${name}=${all[name] ? "on" : "off"}`);
    const engine = `minimax:${switches.join(",")}`;
    if (this.tree !== null) return { tree: this.tree, engine };
    const body = { game: this.game, engine, heuristic: all.heuristic };
    if (this.position) body.position = this.position;
    const depth = options.depth ?? this.depth;
    if (depth === "fit") body.fit = true;
    else if (depth !== "" && depth !== null) body.depth = Number(depth);
    return body;
  }

  #ownRequest() {
    const depth = isWhole(this.depth, 1, 99) ? { depth: Number(this.depth) } : {};
    if (this.tree !== null) return { tree: this.tree, engine: this.own };
    return { game: this.game, engine: this.own, ...(this.position && { position: this.position }), ...depth };
  }

  show() {
    const isTree = this.tree !== null;
    if (!isTree) addIfMissing($("#game"), this.game);
    $("#game").value = isTree ? "tree" : this.game;
    $("#position").value = isTree ? this.tree : this.position;
    for (const box of document.querySelectorAll("[data-option]")) box.checked = this.options[box.dataset.option];
    addIfMissing($("#depth"), this.depth);
    $("#depth").value = this.depth;
    $("#depth").disabled = isTree;
    for (const name of ["#depth", '[data-option="heuristic"]']) document.querySelector(name).closest("label").hidden = isTree;
    $("#leaves").checked = this.leaves;
    $("#work-on").hidden = !isTree;
    if (isTree) $("#work-on").href = `/theatre/workbench?${new URLSearchParams({ tree: this.tree, task: "cuts" })}`;
    document.querySelector('[data-option="heuristic"]').disabled = isTree;
    document.querySelector('[data-option="symmetry"]').disabled = !this.options.memoization;
    document.querySelector('[data-option="pvs"]').disabled = !this.options.pruning;
    if ($("#engine")) $("#engine").value = this.own;
    for (const box of document.querySelectorAll("[data-option], #compare")) if (this.own) box.disabled = true;
    for (const name of ["pruning", "memoization", "ordering"]) if (!this.own) document.querySelector(`[data-option="${name}"]`).disabled = false;
    if (!this.own) $("#compare").disabled = false;
    const isOn = ({ options = {} }) => Object.entries(options).every(([name, on]) => this.options[name] === on);
    const place = EXAMPLES.findIndex((each) => (isTree ? each.tree === this.tree : each.game === this.game && each.position === this.position && (each.depth ?? this.depth) === this.depth && isOn(each)));
    $("#example").value = String(place);
  }

  /** Take what the form says. */
  read() {
    const isTree = $("#game").value === "tree";
    this.tree = isTree ? $("#position").value.trim() : null;
    if (!isTree) [this.game, this.position] = [$("#game").value, $("#position").value.trim()];
    for (const box of document.querySelectorAll("[data-option]")) this.options[box.dataset.option] = box.checked;
    if (!this.options.memoization) this.options.symmetry = false;
    if (!this.options.pruning) this.options.pvs = false;
    this.depth = $("#depth").value;
    this.own = $("#engine")?.value ?? "";
    if (this.own) this.compare = $("#compare").checked = false;
  }

  takeExample({ game, position, tree, depth, options = {} }) {
    this.options = { ...this.options, ...options };
    this.tree = tree ?? null;
    if (game) [this.game, this.position] = [game, position];
    this.depth = depth ?? "fit";
    this.t = 0;
  }
}

function addIfMissing(select, value) {
  if (![...select.options].some((option) => option.value === value)) select.add(new Option(value, value));
}
