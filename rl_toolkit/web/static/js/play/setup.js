/** The form of a new game: players, board, first move, times. */

import { get } from "../base/api.js";
import { $, h } from "../base/dom.js";
import { drawLevels } from "../base/help.js";

const CUSTOM = "custom";
const STRENGTH = "strength"; // a rating, on the slider
const SEATS = { x: 1, o: -1 };

export class Setup extends EventTarget {
  #listed = ""; // the game whose engines and levels are in the lists
  #touched = new Map(); // field → when it was last changed by hand
  #same = {}; // level → the one with the same engine under which it is listed
  #unit = ""; // of ratings
  levels = []; // of the game in the lists

  constructor(family) {
    super();
    this.family = family;
    for (const player of Object.keys(SEATS)) {
      $(`#seat-${player}`).addEventListener("change", () => this.#seatChanged(player));
      $(`#spec-${player}`).addEventListener("change", () => this.#tell("seats"));
      $(`#rating-${player}`).addEventListener("input", () => this.#showRating(player));
      $(`#rating-${player}`).addEventListener("change", () => this.#tell("seats"));
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
   * Fill the lists with the answer of `ask`; choices are kept. A level that this game does not have
   * is replaced by its best one; the answer names those that were.
   */
  fill(found) {
    if (!found) return [];
    const { game, engines, levels, about, slow, same, unit, ratings, strongest, adviser } = found;
    const missing = [];
    this.levels = Object.keys(levels);
    this.#same = same;
    this.#unit = unit;
    const listed = this.levels.filter((name) => !same[name]);
    const also = (name) => Object.keys(same).filter((other) => same[other] === name);
    this.best = this.levels.at(-1);
    $("#strongest-level").textContent = this.best;
    this.strongest = strongest;
    drawLevels(listed.map((name) => [[...also(name), name].reverse().join(" or "), about[name]]), slow);
    const named = (name) => (ratings[name] ? `${name} (${Math.round(ratings[name].rating)})` : name);
    const group = strongest ? `Levels (${unit})` : "Levels";
    for (const player of Object.keys(SEATS)) {
      const select = $(`#seat-${player}`);
      const chosen = select.value;
      select.replaceChildren(
        h("option", { value: "human", text: "Human" }),
        h("optgroup", { label: group }, ...listed.map((name) => h("option", { value: name, text: named(name), title: about[name] })), strongest ? h("option", { value: STRENGTH, text: "any strength …", title: `A rating in ${unit}` }) : ""),
        h("optgroup", { label: "Engines" }, ...engines.map(({ name, help }) => h("option", { value: name, text: name, title: help })), h("option", { value: CUSTOM, text: "custom …" })),
      );
      if (strongest) $(`#rating-${player}`).max = Math.floor(strongest / 25) * 25;
      if (!chosen) continue;
      const kept = this.offers(chosen) || chosen === CUSTOM || (chosen === STRENGTH && strongest);
      select.value = kept ? this.#listedAs(chosen) : this.best;
      if (!kept) missing.push(chosen);
    }
    this.#fillKibitzers(engines, adviser);
    $("#engine-specs").replaceChildren(
      ...engines.flatMap(({ name, options }) => options.slice(0, 2).map((option) => h("option", { value: `${name}:${option.name}=` }))),
    );
    this.#listed = game;
    return missing;
  }

  #fillKibitzers(engines, adviser) {
    const kibitzer = $("#kibitzer");
    const chosen = this.#listed && kibitzer.selectedOptions[0]?.text;
    const offered = engines.filter(({ analysis }) => analysis);
    // An engine that counts simulations keeps a tree that can be shown.
    const grows = ({ options }) => options.some((option) => option.name === "simulations");
    const shown = offered.find(({ name }) => name === chosen)?.name ?? adviser;
    kibitzer.replaceChildren(
      ...offered.map((engine) =>
        h("option", { value: engine.analysis, text: engine.name, "data-grows": grows(engine), "data-adviser": engine.name === adviser, selected: engine.name === shown }),
      ),
    );
  }

  /** Whether the lists have that player. */
  offers(seat) {
    return seat !== CUSTOM && seat !== STRENGTH && [...$("#seat-x").options].some((option) => option.value === this.#listedAs(seat));
  }

  /** The name under which a level is listed: several may have the same engine. */
  #listedAs(seat) {
    return this.#same[seat] ?? seat;
  }

  // ------------------------------------------------------------------------------ what is shown

  /** Show the choices in force at `since`; fields changed by hand later are kept. */
  show(game, since = performance.now()) {
    const put = (id, value) => {
      const field = $(`#${id}`);
      if (field && !(this.#touched.get(id) > since)) field.value = value;
    };
    for (const [player, number] of Object.entries(SEATS)) {
      const seat = game.seats[number];
      const rated = this.strongest && /^\d{1,5}$/.test(seat);
      const listed = this.offers(seat);
      put(`seat-${player}`, listed ? this.#listedAs(seat) : rated ? STRENGTH : CUSTOM);
      put(`spec-${player}`, listed || rated ? "" : seat);
      if (rated) put(`rating-${player}`, seat);
      this.#showFields(player);
    }
    put("time", game.time);
    put("clock-time", game.clock);
    for (const [name, value] of Object.entries(game.position.form)) put(`field-${name}`, value);
  }

  // ------------------------------------------------------------------------------ what is chosen

  /** Who plays and how long each may think: `{ seats, time, clock }`. */
  get choices() {
    const seat = (player) => {
      const value = $(`#seat-${player}`).value;
      if (value === STRENGTH) return $(`#rating-${player}`).value;
      return value === CUSTOM ? $(`#spec-${player}`).value.trim() || "human" : value;
    };
    return { seats: { 1: seat("x"), [-1]: seat("o") }, time: $("#time").value, clock: $("#clock-time").value };
  }

  /** The times and clocks that can be chosen, as the address of the page writes them. */
  get offered() {
    const values = (id) => [...$(id).options].map((option) => option.value);
    return { time: values("#time"), clock: values("#clock-time") };
  }

  /** The name of the game with the board chosen. */
  get name() {
    const { variant } = $("#new-game-form").dataset;
    const chosen = variant.replace(/\{(\w+)\}/g, (_, name) => $(`#field-${name}`).value);
    return chosen ? `${this.family}-${chosen}` : this.family;
  }

  /** The side that moves first: 1 or −1. */
  opener() {
    const random = crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? 1 : -1;
    return SEATS[$("#first").value] ?? random;
  }

  #seatChanged(player) {
    this.#showFields(player);
    if ($(`#seat-${player}`).value === CUSTOM) $(`#spec-${player}`).focus();
    else this.#tell("seats");
  }

  /** Show the field for a spec or the slider, whichever belongs to the choice. */
  #showFields(player) {
    const { value } = $(`#seat-${player}`);
    $(`#spec-${player}`).hidden = value !== CUSTOM;
    $(`#strength-${player}`).hidden = value !== STRENGTH;
    this.#showRating(player);
  }

  #showRating(player) {
    $(`#strength-${player} output`).textContent = `${$(`#rating-${player}`).value} ${this.#unit}`;
  }

  #tell(kind) {
    this.dispatchEvent(new Event(kind));
  }
}
