/** The dialog of a new game: against whom, which side, which board, how much time. */

import { get } from "../base/api.js";
import { $, h } from "../base/dom.js";
import { drawLevels } from "../base/help.js";
import { HUMAN } from "../model/session.js";
import { keepSetting, setting } from "../model/store.js";

const CUSTOM = "custom"; // a spec that is typed
const STRENGTH = "strength"; // a rating, on the slider

export class Setup extends EventTarget {
  lists = null; // the answer of /api/engines for `game`
  game = ""; // the game whose engines and levels are in the lists

  constructor(family) {
    super();
    this.family = family;
    $("#setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.dispatchEvent(new Event("new"));
    });
    $("#setup-form").addEventListener("change", () => this.#show());
    $("#rating").addEventListener("input", () => this.#show());
    $("#setup-cancel").addEventListener("click", () => $("#setup").close());
  }

  open() {
    $("#setup").showModal();
    $("#opponents :checked")?.focus();
  }

  /** The game has begun: what was chosen is what is offered next time. */
  close() {
    $("#setup").close();
    keepSetting(this.#remembered, this.#opponent);
  }

  // --------------------------------------------------------------------------------- the lists

  /** The engines and levels of `game`, for `fill`; null if the lists have them already. */
  async ask(game) {
    return game === this.game ? null : { game, ...(await get(`/api/engines?game=${encodeURIComponent(game)}`)) };
  }

  /** Fill the lists with the answer of `ask`; choices are kept where the game has them. */
  fill(found) {
    if (!found) return;
    const { game, ...lists } = found;
    const chosen = $("#opponents :checked")?.value ?? this.#usual;
    Object.assign(this, { game, lists });
    const listed = this.levels.filter((name) => !lists.same[name]);
    const also = (name) => [...Object.keys(lists.same).filter((other) => lists.same[other] === name), name].reverse().join(" or ");
    drawLevels(listed.map((name) => [also(name), lists.about[name]]), lists.slow);
    $("#opponents").replaceChildren(
      ...lists.engines.filter(({ tree }) => tree).map(({ name }) => choice(name, name, "your engine")),
      ...listed.map((name) => choice(name, also(name), this.rating(name) ?? "")),
      lists.strongest ? choice(STRENGTH, "any strength", "a rating") : "",
      choice(HUMAN, "a person", "at this screen"),
      choice(CUSTOM, "an engine", "with options"),
    );
    $("#engine-specs").replaceChildren(
      ...[...listed, ...lists.engines.flatMap(({ name, options }) => [name, ...options.slice(0, 2).map((option) => `${name}:${option.name}=`)])].map((value) => h("option", { value })),
    );
    if (lists.strongest) $("#rating").max = Math.floor(lists.strongest / 25) * 25;
    this.#choose(chosen);
  }

  get levels() {
    return Object.keys(this.lists?.levels ?? {});
  }

  /** The engine that knows the game best, `{ name, spec }`; null if there is none. */
  get adviser() {
    const { lists } = this;
    const found = lists?.engines.find(({ name }) => name === lists.adviser) ?? this.analysts[0];
    return found ? { name: found.name, spec: found.analysis } : null;
  }

  /** The engines that value every move. */
  get analysts() {
    return (this.lists?.engines ?? []).filter(({ analysis }) => analysis);
  }

  rating(level) {
    const found = this.lists?.ratings[level];
    return found ? Math.round(found.rating) : /^\d{1,5}$/.test(level) ? Number(level) : null;
  }

  /** Whether the game has that player: a level, an engine, a rating. */
  offers(seat) {
    return this.levels.includes(seat) || this.lists.engines.some(({ name }) => name === seat.split(":")[0]) || (Boolean(this.lists.strongest) && /^\d{1,5}$/.test(seat));
  }

  // ------------------------------------------------------------------------------ what is chosen

  /** Where the choice is kept: with an engine of the server's own, apart from the others. */
  get #remembered() {
    const { own } = document.body.dataset;
    return `opponent:${this.family}${own ? `:${own}` : ""}`;
  }

  /** The opponent of the last game, or the page's. */
  get #usual() {
    return setting(this.#remembered) ?? document.body.dataset.opponent;
  }

  /** The seats of a game for which nothing was chosen. */
  get usualSeats() {
    return { 1: HUMAN, [-1]: this.#usual };
  }

  get #opponent() {
    const value = $("#opponents :checked")?.value ?? this.#usual;
    if (value === STRENGTH) return $("#rating").value;
    return value === CUSTOM ? $("#spec").value.trim() || this.lists.engines[0].name : value;
  }

  /** Show a seat as the choice. */
  #choose(seat) {
    const name = this.lists.same[seat] ?? seat;
    const radio = [...$("#opponents").querySelectorAll("input")].find(({ value }) => value === name);
    const rated = Boolean(this.lists.strongest) && /^\d{1,5}$/.test(name);
    const known = radio ?? (rated ? $(`#opponents [value=${STRENGTH}]`) : this.offers(name) ? $(`#opponents [value=${CUSTOM}]`) : $("#opponents input"));
    known.checked = true;
    if (known.value === CUSTOM) $("#spec").value = name;
    if (rated) $("#rating").value = name;
    this.#show();
  }

  /** Show the choices that a game was begun with. */
  show({ seats, own, humans, time, clock, position }) {
    this.#choose(humans === 2 ? HUMAN : humans === 1 ? seats[-own] : seats[-1]);
    const side = humans === 0 ? "watch" : own < 0 ? "o" : "x";
    $(`#sides [value=${side}]`).checked = true;
    if (humans === 0) $("#other").value = seats[1];
    $("#time").value = time;
    $("#clock-time").value = clock;
    if ($("#clock-time").value !== clock) $("#clock-time").value = "";
    for (const [name, value] of Object.entries(position.form)) if ($(`#field-${name}`)) $(`#field-${name}`).value = value;
    this.#show();
  }

  /** Show the fields that belong to the choice. */
  #show() {
    const { value } = $("#opponents :checked");
    const side = $("#sides :checked").value;
    $("#spec").hidden = value !== CUSTOM;
    $("#strength").hidden = value !== STRENGTH;
    $("#strength output").textContent = `${$("#rating").value} ${this.lists.unit}`;
    $("#sides").hidden = value === HUMAN;
    $("#other-field").hidden = side !== "watch" || value === HUMAN;
    const about = this.lists.about[value];
    $("#about").textContent = (about && about[0].toUpperCase() + about.slice(1)) ?? { [HUMAN]: "Two people share the board.", [CUSTOM]: "An engine with its options, such as mcts:simulations=5000.", [STRENGTH]: "A mixture of levels that plays about as strong as this." }[value] ?? "";
  }

  /** What was chosen, as `Session.open` takes it. */
  get choices() {
    const opponent = this.#opponent;
    const side = $("#sides :checked").value;
    const mine = side === "random" ? coin() : side === "o" ? -1 : 1;
    const me = side === "watch" && opponent !== HUMAN ? $("#other").value.trim() || opponent : HUMAN;
    const first = { x: 1, o: -1 }[$("#first").value] ?? coin();
    return { name: this.name, seats: { [mine]: me, [-mine]: opponent }, time: $("#time").value, clock: $("#clock-time").value, opens: first };
  }

  /** The thinking times that can be chosen, as the address of the page writes them. */
  get times() {
    return [...$("#time").options].map(({ value }) => value);
  }

  /** The name of the game with the board chosen. */
  get name() {
    const { variant } = $("#setup-form").dataset;
    const chosen = variant.replace(/\{(\w+)\}/g, (_, name) => $(`#field-${name}`).value);
    return chosen ? `${this.family}-${chosen}` : this.family;
  }
}

const coin = () => (crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? 1 : -1);

const choice = (value, text, small) =>
  h("label", { class: "choice" }, h("input", { type: "radio", name: "opponent", value }), h("span", {}, h("b", { text }), h("small", { text: small })));
