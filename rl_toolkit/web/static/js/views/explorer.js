/**
 * The moves here: what the shipped book or the adviser says of each, and how often it was played, in the
 * games of the library (with results, ratings and dates) and in those of this browser.
 */

import { post } from "../base/api.js";
import { $, h } from "../base/dom.js";
import { count, counted, share, tone } from "../base/format.js";
import { keepSetting, setting } from "../model/store.js";

const WHICH = "explorer games"; // which games of the library are counted, as this browser remembers it
const NO_BOOK = { about: "", moves: [] };
const NO_GAMES = { games: 0, moves: [] };
const LATE = 300; // ms after which the rows of the book are shown without those of the library, and old rows go

export class Explorer {
  #turn = 0;
  #answers = new Map(); // address and question → answer
  #filter = $('meta[name="library"]') ? new LibraryFilter(() => this.draw()) : null;
  #seen = null; // the analysis that the rows show
  #about = null; // the position that they are about

  /** `play` is given a line of one step; `analysis` is the adviser's. */
  constructor(session, store, play, analysis) {
    Object.assign(this, { session, store, play, analysis });
    analysis.addEventListener("change", () => {
      if ($("#explorer").checkVisibility() && analysis.state === "settled" && analysis.shown !== this.#seen) this.draw();
    });
  }

  async draw() {
    const turn = ++this.#turn;
    const { session } = this;
    const { position } = session;
    const question = session.question();
    this.#filter?.show(position);
    const looking = position === this.#about ? null : setTimeout(() => turn === this.#turn && this.#look(), $("#explorer-note").textContent ? LATE : 0);
    const counting = this.#filter && this.#ask("/api/library/explore", { ...question, filter: this.#filter.chosen }, NO_GAMES);
    const [own, book] = await Promise.all([this.#own(position), position.done ? NO_BOOK : this.#ask("/api/explorer", question, NO_BOOK)]);
    clearTimeout(looking);
    if (turn !== this.#turn) return;
    if (!counting) return this.#show(position, own, book, null);
    const late = setTimeout(() => turn === this.#turn && this.#show(position, own, book, { ...NO_GAMES, about: "Looking into the library …" }), LATE);
    const games = await counting;
    clearTimeout(late);
    if (turn === this.#turn) this.#show(position, own, book, games);
  }

  /** The answer takes long: what is shown is not about this position. */
  #look() {
    $("#explorer-note").textContent = "Looking …";
    $("#explorer-rows").replaceChildren();
  }

  async #ask(address, question, otherwise) {
    const key = `${address} ${JSON.stringify(question)}`;
    if (this.#answers.has(key)) return this.#answers.get(key);
    const answer = await post(address, question).catch(({ message }) => ({ ...otherwise, about: message, failed: true }));
    if (!answer.failed) this.#answers.set(key, answer);
    return answer;
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

  #show(position, own, book, library) {
    this.#about = position;
    const rows = new Map(); // first of the moves that are mirror images → row
    const joined = ({ move, twins = [] }) => [move, ...twins.map((twin) => twin.move)];
    const first = new Map();
    for (const entry of [...book.moves, ...(library?.moves ?? [])]) for (const move of joined(entry)) first.has(move) || first.set(move, entry.move);
    const row = (move) => rows.get(first.get(move) ?? move) ?? rows.set(first.get(move) ?? move, { move, own: 0 }).get(first.get(move) ?? move);
    for (const entry of book.moves) Object.assign(row(entry.move), entry);
    for (const { move, name, twins, ...played } of library?.moves ?? []) Object.assign(row(move), { move: row(move).move, played }, { name: row(move).name ?? name, twins: row(move).twins ?? twins });
    const names = new Map(position.legal.map(({ move, name }) => [move, name]));
    for (const [move, games] of own) if (names.has(move)) Object.assign(row(move), { own: row(move).own + games, name: row(move).name ?? names.get(move) });
    this.#byAdviser([...rows.values()]);
    const total = [...own.values()].reduce((sum, games) => sum + games, 0);
    const inLibrary = library ? (library.about ?? (library.games ? `${counted(library.games, "game")} of the library ${library.games === 1 ? "has" : "have"} this position.` : "No game of the library has this position.")) : "";
    const inBook = position.done ? "The game is over here." : book.about || "No book has this position.";
    $("#explorer-note").textContent = [inLibrary && !/[.…]$/.test(inBook) ? `${inBook}.` : inBook, inLibrary, total ? `${counted(total, "game")} of yours came here.` : ""].filter(Boolean).join(" ");
    const listed = [...rows.values()].sort((a, b) => (b.played?.games ?? 0) - (a.played?.games ?? 0));
    const heads = library && listed.length ? [this.#head(position)] : [];
    $("#explorer-rows").replaceChildren(...heads, ...listed.map((entry) => (library ? this.#counted(entry, position) : this.#row(entry, position))));
  }

  /** What the adviser says of moves about which the book says nothing. */
  #byAdviser(rows) {
    const { shown, engine } = this.analysis;
    this.#seen = shown;
    if (!shown || !this.analysis.on) return;
    const known = new Map(shown.candidates.map((candidate) => [candidate.move, candidate]));
    for (const row of rows) {
      const candidate = row.mark ? null : known.get(row.move);
      if (candidate?.proven) Object.assign(row, { mark: candidate.mark, value: candidate.value, proven: true, text: "", by: engine.name });
    }
  }

  #head({ pieces }) {
    const heads = ["Move", "Value", "Games", `${pieces[0]} – draw – ${pieces[1]}`];
    return h("tr", { class: "explorer-head" }, ...heads.map((text) => h("th", { scope: "col", text })));
  }

  /** A row with the games of the library: how they ended, below it the players' rating and the day of the last one. */
  #counted({ played = null, ...row }, position) {
    const facts = played ? [played.rating ? `rated ${Math.round(played.rating)}` : "", played.last ? `last ${played.last}` : ""].filter(Boolean) : [];
    const ends = played ? [resultBar(played, position.pieces), facts.length ? h("small", { text: facts.join(" · ") }) : null] : [];
    const cells = [h("td", { class: "number", text: played ? count(played.games) : "" }), h("td", {}, ...ends)];
    return h("tr", {}, ...this.#firstCells(row, position, [row.text, row.by ? `by ${row.by}` : ""].filter(Boolean).join(", ")), ...cells);
  }

  #row(row, position) {
    return h("tr", {}, ...this.#firstCells(row, position, ""), h("td", { text: row.text ?? "" }), h("td", { text: row.own ? counted(row.own, "game") : "" }));
  }

  #firstCells({ move, name, mark = "", value = null, proven = false, twins = [] }, { player }, title) {
    const others = twins.map((twin) => twin.name).join(" ");
    return [
      h("th", { scope: "row" }, h("button", { type: "button", class: "small", text: name, on: { click: () => this.play([{ move, name, player }]) } }), others ? h("small", { text: ` ${others}`, title: "mirror images" }) : null),
      h("td", {}, mark ? h("span", { class: `worth-chip ${tone(value)}${proven ? " proven" : ""}`, text: mark, title: title || undefined }) : null),
    ];
  }
}

/** How games ended, as a bar of three parts; the words for those who cannot see it. */
function resultBar({ x_won: x, drawn, o_won: o, games }, pieces) {
  const words = `${pieces[0]} won ${share(x / games)}, drawn ${share(drawn / games)}, ${pieces[1]} won ${share(o / games)}`;
  const part = (name, number) => (number ? h("i", { class: name, vars: { "--share": number } }) : null);
  return h("span", { class: "result-bar", role: "img", "aria-label": words, title: words }, part("x", x), part("draw", drawn), part("o", o), part("none", games - x - drawn - o));
}

/** Which games of the library are counted, and the ways into the library from this position. */
class LibraryFilter {
  constructor(changed) {
    const kept = setting(WHICH) ?? {};
    const field = (name, title, size) => h("label", {}, `${title} `, h("input", { name, size, maxlength: 100, value: kept[name] ?? "", autocomplete: "off" }));
    const option = ([value, text]) => h("option", { value, text, selected: value === (kept.result ?? "") });
    this.mine = h("input", { type: "checkbox", checked: Boolean(kept.mine) });
    this.result = h("select", {}, ...[["", "any"], ["x", "first side won"], ["o", "second side won"], ["draw", "draw"]].map(option));
    this.texts = [["player", "Player", 9], ["engine", "Engine", 9], ["since", "From", 5], ["until", "to", 5]].map((each) => field(...each));
    this.note = h("p", { class: "error", role: "alert", hidden: true });
    const form = h("details", { id: "explorer-filter", open: Object.keys(kept).length > 0 }, h("summary", { text: "Which games" }), h("div", {}, h("label", {}, this.mine, " played here"), h("label", {}, "Result ", this.result), ...this.texts));
    form.addEventListener("change", () => {
      keepSetting(WHICH, this.chosen);
      changed();
    });
    this.position = h("a", { text: "Games with this position" });
    this.pattern = h("a", { text: "Search a pattern" });
    $("#explorer").append(form, h("p", { class: "explorer-ways" }, this.position, this.pattern));
  }

  get chosen() {
    const texts = this.texts.map((label) => label.querySelector("input")).map(({ name, value }) => [name, value.trim()]);
    return Object.fromEntries([["mine", this.mine.checked], ["result", this.result.value], ...texts].filter(([, value]) => value));
  }

  show({ game, position, board, rows, cols, row_one_at: first }) {
    const link = (query) => `/library?${new URLSearchParams({ game, ...query })}`;
    this.position.href = link({ position });
    const order = [...Array(rows).keys()];
    if (first === "bottom") order.reverse();
    const sign = (cell) => (cell > 0 ? "x" : cell < 0 ? "o" : "?");
    this.pattern.href = link({ pattern: order.map((row) => board.slice(row * cols, (row + 1) * cols).map(sign).join("")).join("/") });
    this.pattern.hidden = !rows || board.every((cell) => !cell);
  }
}
