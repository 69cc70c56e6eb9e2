/** Choosing a game: who plays, on which board, who opens, how long engines think. */

import { get } from "./api.js";
import { $, h } from "./dom.js";

const CUSTOM = "custom";

export class Setup extends EventTarget {
  constructor(family) {
    super();
    this.family = family;
    for (const player of ["x", "o"]) {
      $(`#seat-${player}`).addEventListener("change", () => this.#seatChanged(player));
      $(`#spec-${player}`).addEventListener("change", () => this.#tell("seats"));
    }
    $("#time").addEventListener("change", () => this.#tell("seats"));
    $("#new-game-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell("new");
    });
  }

  /** Fill the lists from what the server offers for `game`. */
  async load(game) {
    const { engines, levels } = await get(`/api/engines?game=${encodeURIComponent(game)}`);
    this.engines = engines;
    for (const player of ["x", "o"]) {
      const select = $(`#seat-${player}`);
      const chosen = select.value;
      select.replaceChildren(
        h("option", { value: "human", text: "Human" }),
        h("optgroup", { label: "Levels" }, ...Object.entries(levels).map(([name, spec]) => h("option", { value: name, text: name, title: spec }))),
        h("optgroup", { label: "Engines" }, ...engines.map(({ name, help }) => h("option", { value: name, text: name, title: help })), h("option", { value: CUSTOM, text: "custom …" })),
      );
      if (chosen) select.value = chosen;
    }
    const kibitzer = $("#kibitzer");
    const chosen = kibitzer.value;
    kibitzer.replaceChildren(...engines.filter(({ name }) => !["random"].includes(name)).map(({ name }) => h("option", { value: name, text: name })));
    // Whoever plays the game perfectly is the best one to ask.
    kibitzer.value = chosen && kibitzer.dataset.game === game ? chosen : (levels.perfect ?? "minimax").split(":")[0];
    kibitzer.dataset.game = game;
    $("#engine-specs").replaceChildren(
      ...engines.flatMap(({ name, options }) => options.slice(0, 2).map((option) => h("option", { value: `${name}:${option.name}=` }))),
    );
  }

  /** Show all the choices that are in force. */
  show(game) {
    this.showSeats(game);
    $("#time").value = game.time;
    const { rows, cols, win_length: length } = game.position;
    const rule = game.name.endsWith("-standard") ? "standard" : "freestyle";
    for (const [id, value] of Object.entries({ rows, cols, length, side: rows, rule }))
      if ($(`#${id}`)) $(`#${id}`).value = value;
  }

  /** Show who sits where. */
  showSeats(game) {
    for (const [player, seat] of [["x", game.seats[1]], ["o", game.seats[-1]]]) {
      const select = $(`#seat-${player}`);
      const listed = this.offers(seat);
      select.value = listed ? seat : CUSTOM;
      $(`#spec-${player}`).value = listed ? "" : seat;
      $(`#spec-${player}`).hidden = listed;
    }
  }

  /** Whether somebody of that name can be chosen from the lists. */
  offers(seat) {
    return seat !== CUSTOM && [...$("#seat-x").options].some((option) => option.value === seat);
  }

  get seats() {
    const seat = (player) => {
      const value = $(`#seat-${player}`).value;
      return value === CUSTOM ? $(`#spec-${player}`).value.trim() || "human" : value;
    };
    return { 1: seat("x"), [-1]: seat("o") };
  }

  get time() {
    return $("#time").value;
  }

  /** The times that can be chosen, as the address of the page writes them. */
  get times() {
    return [...$("#time").options].map((option) => option.value);
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
    return (first === "lot" ? lot : first) === "x" ? 1 : -1;
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
