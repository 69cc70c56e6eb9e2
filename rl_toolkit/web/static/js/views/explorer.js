/** The moves here that the shipped book knows, and how often they were played in one's own games. */

import { post } from "../base/api.js";
import { $, h } from "../base/dom.js";
import { counted, tone } from "../base/format.js";

export class Explorer {
  #turn = 0;
  #books = new Map(); // position → answer of /api/explorer

  /** `play` is given a line of one step. */
  constructor(session, store, play) {
    Object.assign(this, { session, store, play });
  }

  async draw() {
    const turn = ++this.#turn;
    const { session } = this;
    const { position } = session;
    const own = await this.#own(position);
    if (!position.done && !this.#books.has(position.position)) {
      const book = await post("/api/explorer", session.question()).catch(({ message }) => ({ about: message, moves: [] }));
      this.#books.set(position.position, book);
    }
    if (turn === this.#turn) this.#show(position, own, this.#books.get(position.position) ?? { about: "", moves: [] });
  }

  /** How often each move was played here in the games that this browser has kept, whatever moves led here. */
  async #own(position) {
    const counts = new Map();
    for (const { game, texts = [], tree } of await this.store.games(this.session.family)) {
      const at = game === position.game ? texts.indexOf(position.position) : -1;
      const move = at < 0 ? undefined : tree.played.split(" ")[at];
      if (move) counts.set(Number(move), (counts.get(Number(move)) ?? 0) + 1);
    }
    return counts;
  }

  #show(position, own, book) {
    const names = new Map(position.legal.map(({ move, name }) => [move, name]));
    const joined = ({ move, twins }) => [move, ...twins.map((twin) => twin.move)]; // mirror images are one move
    const rows = book.moves.map((entry) => ({ ...entry, games: joined(entry).reduce((sum, move) => sum + (own.get(move) ?? 0), 0) }));
    const listed = new Set(book.moves.flatMap(joined));
    for (const [move, games] of own) if (names.has(move) && !listed.has(move)) rows.push({ move, name: names.get(move), games });
    const total = [...own.values()].reduce((sum, games) => sum + games, 0);
    $("#explorer-note").textContent = position.done
      ? "The game is over here."
      : [book.about || "No book has this position.", total ? `${counted(total, "game")} of yours came here.` : ""].filter(Boolean).join(" ");
    $("#explorer-rows").replaceChildren(...rows.map((row) => this.#row(row, position)));
  }

  #row({ move, name, games, mark = "", text = "", value = null, proven = false, twins = [] }, { player }) {
    const others = twins.map((twin) => twin.name).join(" ");
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("button", { type: "button", class: "small", text: name, on: { click: () => this.play([{ move, name, player }]) } }), others ? h("small", { text: ` ${others}`, title: "mirror images" }) : null),
      h("td", {}, mark ? h("span", { class: `worth-chip ${tone(value)}${proven ? " proven" : ""}`, text: mark }) : null),
      h("td", { text: text }),
      h("td", { text: games ? counted(games, "game") : "" }),
    );
  }
}
