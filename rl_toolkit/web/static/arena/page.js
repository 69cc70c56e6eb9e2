/** The page of the arena: what the server says of its tournament, as it changes. */

import { post, stream } from "../js/base/api.js";
import { $, h } from "../js/base/dom.js";
import { Boards, outcome } from "./boards.js";
import { leading, showStandings } from "./standings.js";
import { StartForm } from "./start.js";

const RETRY = 1500; // milliseconds after which a lost server is asked again
const ENDS = {
  done: "Finished",
  stopped: "Stopped",
  late: "The time is up",
  failed: "The tournament failed; the terminal of the server says why",
};

class Arena {
  #boards = new Boards($("#boards"));
  #form = new StartForm();
  #number = 0;
  #games = 0;
  #said = "";

  async start() {
    $("#stop").addEventListener("click", () => this.#stop());
    await this.#form.open();
    for (;;) {
      try {
        for await (const { data } of stream("/api/arena/events", {})) {
          this.#lost("");
          this.#show(data);
        }
      } catch (error) {
        this.#lost(error.message);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }

  #show({ now, earlier }) {
    $("#now").hidden = $("#results").hidden = !now;
    if (now) this.#tournament(now);
    else $("#lead").textContent = "No tournament has been played since this server was started.";
    this.#form.free = now?.status !== "running";
    this.#earlier(earlier);
    document.body.dataset.ready = "yes";
  }

  #tournament(now) {
    if (now.number !== this.#number) {
      this.#number = now.number;
      this.#games = 0;
      $("#games").replaceChildren();
      $("#standings tbody").replaceChildren();
    }
    const running = now.status === "running";
    document.body.dataset.style = now.look.style;
    document.body.dataset.status = now.status;
    const players = now.plan.players.length > 6 ? `${now.plan.players.length} players` : now.plan.players.join(", ");
    $("#now-title").textContent = `${now.look.title}: ${players}`;
    $("#lead").textContent = running ? "A tournament is being played." : "The last tournament of this server.";
    $("#stop").hidden = !running;
    $("#progress").value = now.played / now.total;
    const missing = now.table?.not_played;
    const counted = `${now.played} of ${now.total} games${missing ? `; ${missing}` : ""}`;
    const time = `${Math.floor(now.seconds / 60)}:${String(Math.floor(now.seconds % 60)).padStart(2, "0")}`;
    $("#state").textContent = running ? `${counted}, ${time} of ${now.plan.minutes}:00` : `${ENDS[now.status]}. ${counted}, ${time}.`;
    this.#boards.show(now.number, now.look, now.boards);
    const address = (name) => `/arena/${now.number}/player?${new URLSearchParams({ name })}`;
    if (now.table) showStandings(now.table, new Map(now.pages.map((name) => [name, address(name)])));
    $("#openings").textContent = now.table ? `Openings: ${now.table.opening_words}. ${now.table.opening_remark}` : "";
    for (const game of now.games.slice(this.#games - now.since)) this.#finished(game, now);
    $("#no-games").hidden = this.#games > 0;
    this.#announce(now, running);
  }

  /** A finished game as a link to its own page, the newest first. */
  #finished(game, { plan, look }) {
    this.#games += 1;
    const query = new URLSearchParams({ game: plan.game, moves: game.moves, x: game.players[0], o: game.players[1] });
    if (game.opening) query.set("opening", game.opening);
    const text = `${game.players.join(" – ")}: ${outcome(game)}`;
    const opening = game.moves.split(" ").slice(0, game.opening).join(" ");
    const ends = { forfeit: " by forfeit", time: " on time", "not played": `, tried twice and left after ${game.plies} moves` };
    const end = ends[game.ended_by] ?? ` in ${game.plies} moves`;
    const more = opening ? `${end}, opening ${opening}` : end;
    $("#games").prepend(h("li", {}, h("a", { href: `/${look.family}?${query}`, text }), h("span", { class: "fine", text: more })));
  }

  #announce(now, running) {
    const text = running ? `Tournament ${now.number} has begun.` : `${ENDS[now.status]}. ${leading(now.table)}`;
    if (text !== this.#said) $("#announcer").textContent = this.#said = text;
  }

  #earlier(earlier) {
    $("#earlier").hidden = !earlier.length;
    $("#earlier ul").replaceChildren(
      ...earlier.map(({ number, plan, table, played }) => {
        const order = (table?.players ?? []).map(({ name, points }) => `${name} ${points}`).join(", ");
        return h("li", {}, `${number}. ${plan.game}, ${played} games: `, h("span", { class: "fine", text: order || "no table" }));
      }),
    );
  }

  async #stop() {
    try {
      await post("/api/arena/stop", { token: this.#form.token });
      this.#form.complain("");
    } catch (error) {
      this.#form.complain(error.message);
      $("#token").focus();
    }
  }

  #lost(text) {
    $("#lost").hidden = !text;
    $("#lost").textContent = text;
  }
}

new Arena().start();
