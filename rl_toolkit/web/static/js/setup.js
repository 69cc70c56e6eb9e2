/** Choosing a game: who plays, on which board, who opens, how long engines and people think. */

import { get } from "./api.js";
import { $, h } from "./dom.js";

const CUSTOM = "custom";

/** An engine as it looks on: while it plays, `reversi` cares for the best moves only. */
const onlooker = (name) => (name === "reversi" ? "reversi:every=on" : name);
const SEATS = { x: 1, o: -1 };
const BOARD = ["rows", "cols", "length", "side", "rule"];

export class Setup extends EventTarget {
  #listed = ""; // the game whose engines and levels are in the lists
  #touched = new Map(); // field → when somebody last changed it

  constructor(family) {
    super();
    this.family = family;
    for (const player of Object.keys(SEATS)) {
      $(`#seat-${player}`).addEventListener("change", () => this.#seatChanged(player));
      $(`#spec-${player}`).addEventListener("change", () => this.#tell("seats"));
    }
    for (const id of ["time", "clock-time"]) $(`#${id}`).addEventListener("change", () => this.#tell("seats"));
    const form = $("#new-game-form");
    form.addEventListener("input", ({ target }) => this.#touched.set(target.id, performance.now()));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell("new");
    });
  }

  // --------------------------------------------------------------------------------- the lists

  /** The engines and levels of `game`, for `fill`; null if the lists have them already. */
  async ask(game) {
    if (game === this.#listed) return null;
    return { game, ...(await get(`/api/engines?game=${encodeURIComponent(game)}`)) };
  }

  /**
   * Fill the lists with what `ask` has found; what was chosen stays chosen. A level that this game
   * does not have gives way to the best one there is: the answer names those that did.
   */
  fill(found) {
    if (!found) return [];
    const { game, engines, levels } = found;
    const missing = [];
    for (const player of Object.keys(SEATS)) {
      const select = $(`#seat-${player}`);
      const chosen = select.value;
      select.replaceChildren(
        h("option", { value: "human", text: "Human" }),
        h("optgroup", { label: "Levels" }, ...Object.entries(levels).map(([name, spec]) => h("option", { value: name, text: name, title: spec }))),
        h("optgroup", { label: "Engines" }, ...engines.map(({ name, help }) => h("option", { value: name, text: name, title: help })), h("option", { value: CUSTOM, text: "custom …" })),
      );
      if (chosen) select.value = this.offers(chosen) || chosen === CUSTOM ? chosen : Object.keys(levels).at(-1);
      if (chosen && select.value !== chosen) missing.push(chosen);
    }
    this.#fillKibitzers(engines, levels);
    $("#engine-specs").replaceChildren(
      ...engines.flatMap(({ name, options }) => options.slice(0, 2).map((option) => h("option", { value: `${name}:${option.name}=` }))),
    );
    this.#listed = game;
    return missing;
  }

  #fillKibitzers(engines, levels) {
    const kibitzer = $("#kibitzer");
    const chosen = kibitzer.value;
    const asked = engines.filter(({ name }) => name !== "random");
    const names = asked.map(({ name }) => name);
    // Whoever counts simulations grows a tree that can be shown.
    const grows = ({ options }) => options.some((option) => option.name === "simulations");
    kibitzer.replaceChildren(
      ...asked.map((engine) => h("option", { value: onlooker(engine.name), text: engine.name, "data-grows": grows(engine) })),
    );
    // Whoever plays the game perfectly is the best one to ask, else whoever was made for it.
    const made = names.includes("reversi") ? "reversi" : "minimax";
    const best = onlooker((levels.perfect ?? made).split(":")[0]);
    kibitzer.value = this.#listed && names.map(onlooker).includes(chosen) ? chosen : best;
  }

  /** Whether somebody of that name can be chosen from the lists. */
  offers(seat) {
    return seat !== CUSTOM && [...$("#seat-x").options].some((option) => option.value === seat);
  }

  // ------------------------------------------------------------------------------ what is shown

  /** Show the choices in force at `since`; what somebody has changed later stays. */
  show(game, since = performance.now()) {
    const put = (id, value) => {
      const field = $(`#${id}`);
      if (field && !(this.#touched.get(id) > since)) field.value = value;
    };
    for (const [player, number] of Object.entries(SEATS)) {
      const seat = game.seats[number];
      const listed = this.offers(seat);
      put(`seat-${player}`, listed ? seat : CUSTOM);
      put(`spec-${player}`, listed ? "" : seat);
      $(`#spec-${player}`).hidden = $(`#seat-${player}`).value !== CUSTOM;
    }
    put("time", game.time);
    put("clock-time", game.clock);
    const { rows, cols, win_length: length } = game.position;
    const rule = game.name.endsWith("-standard") ? "standard" : "freestyle";
    const shape = { rows, cols, length, side: rows, rule };
    for (const id of BOARD) put(id, shape[id]);
  }

  // ------------------------------------------------------------------------------ what is chosen

  /** Who plays and how long each may think: `{ seats, time, clock }`. */
  get choices() {
    const seat = (player) => {
      const value = $(`#seat-${player}`).value;
      return value === CUSTOM ? $(`#spec-${player}`).value.trim() || "human" : value;
    };
    return { seats: { 1: seat("x"), [-1]: seat("o") }, time: $("#time").value, clock: $("#clock-time").value };
  }

  /** The times and clocks that can be chosen, as the address of the page writes them. */
  get offered() {
    const values = (id) => [...$(id).options].map((option) => option.value);
    return { time: values("#time"), clock: values("#clock-time") };
  }

  /** The name of the game with the size chosen. */
  get name() {
    const value = (id) => $(`#${id}`)?.value;
    if (this.family === "reversi") return `reversi-${value("side")}`;
    if (this.family === "gomoku") return `gomoku-${value("side")}${value("rule") === "standard" ? "-standard" : ""}`;
    return `${this.family}-${value("rows")}x${value("cols")}x${value("length")}`;
  }

  /** Who opens: 1 or −1, drawn by lot if that was chosen. */
  opener() {
    const first = $("#first").value;
    const lot = crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? "x" : "o";
    return SEATS[first === "lot" ? lot : first];
  }

  #seatChanged(player) {
    const custom = $(`#seat-${player}`).value === CUSTOM;
    $(`#spec-${player}`).hidden = !custom;
    if (custom) $(`#spec-${player}`).focus();
    else this.#tell("seats");
  }

  #tell(kind) {
    this.dispatchEvent(new Event(kind));
  }
}
