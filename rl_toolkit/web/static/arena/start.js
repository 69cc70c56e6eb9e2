/** The form that starts a tournament: who plays, bounds on cost, the token. */

import { get, post } from "../js/base/api.js";
import { $, h } from "../js/base/dom.js";

const KEY = "arena-token"; // for this tab only, so that a reload does not ask again
const USUAL = ["easy", "medium", "hard"];

const kept = () => {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
};

export class StartForm {
  #offers = new Map();
  #bounds = null;

  async open() {
    const { games, bounds } = await get("/api/arena/games");
    this.#bounds = bounds;
    for (const offer of games) this.#offers.set(offer.game, offer);
    $("#game").replaceChildren(...games.map(({ game, title }) => h("option", { value: game, text: title })));
    const wanted = new URLSearchParams(location.search).get("game");
    if (this.#offers.has(wanted)) $("#game").value = wanted;
    $("#token").value = kept();
    $("#game").addEventListener("change", () => this.#levels());
    $("#start").addEventListener("input", () => this.#cost());
    $("#start").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    this.#levels();
  }

  /** Whether a tournament can be started now. */
  set free(free) {
    $("#begin").disabled = !free;
  }

  get token() {
    return $("#token").value.trim();
  }

  /** Levels and bots that are ticked, and the lines below them. */
  get #players() {
    const ticked = [...document.querySelectorAll("#levels input:checked")].map((box) => box.value);
    const lines = $("#more").value.split("\n").map((line) => line.trim());
    return [...ticked, ...lines.filter(Boolean)];
  }

  #levels() {
    // A level with the engine of another one is not listed again.
    const offer = this.#offers.get($("#game").value);
    const levels = offer.levels.filter(({ label }) => label);
    const names = levels.map(({ name }) => name);
    const usual = USUAL.filter((name) => names.includes(name));
    const chosen = offer.bots.length > 1 ? [] : usual.length > 1 ? usual : names.slice(0, 3);
    const bots = offer.bots.map((name) => h("label", {}, h("input", { type: "checkbox", value: name, checked: true }), h("span", {}, name, " ", h("small", { text: "a bot of this server" }))));
    $("#levels").replaceChildren(
      $("#levels legend"),
      ...bots,
      ...levels.map(({ name, label, about, rating }) =>
        h(
          "label",
          {},
          h("input", { type: "checkbox", value: name, checked: chosen.includes(name) }),
          h("span", {}, label, " ", h("small", { text: rating === null ? about : `${rating} Elo above random, ${about}` })),
        ),
      ),
    );
    this.#cost();
  }

  #cost() {
    const count = this.#players.length;
    const games = Number($("#pairing").value) * ((count * (count - 1)) / 2);
    const most = this.#bounds.total;
    $("#cost").textContent =
      games > most
        ? `${games} games are too many: this server plays up to ${most}.`
        : `${count} players, ${games} games, at most ${$("#minutes").value} minutes.`;
  }

  async #begin() {
    const refused = $("#refused");
    try {
      sessionStorage.setItem(KEY, this.token);
    } catch {
      // then the next page asks again
    }
    this.free = false;
    try {
      await post("/api/arena/start", {
        token: this.token,
        game: $("#game").value,
        players: this.#players,
        games: Number($("#pairing").value),
        minutes: Number($("#minutes").value),
        pause_ms: Number($("#pause").value),
        seed: Math.floor(1e6 * Math.random()),
      });
      refused.hidden = true;
      $("#main").scrollIntoView({ block: "start" });
    } catch (error) {
      this.free = true;
      this.complain(error.message);
    }
  }

  complain(text) {
    $("#refused").hidden = !text;
    $("#refused").textContent = text ? `${text[0].toUpperCase()}${text.slice(1)}.` : "";
  }
}
