/** How the visitor plays: results, accuracy over time, kinds of mistakes, as pictures with their numbers. */

import { post } from "../js/base/api.js";
import { h } from "../js/base/dom.js";
import { counted, share } from "../js/base/format.js";

const TITLES = { opponent: "Opponent", side: "Side", opening: "First moves", length: "Length" };
const narrow = matchMedia("(max-width: 40rem)");
let shown = null; // the form, once it is there

/** Fill `box`; `games` is the choice of games on the other tab. */
export async function draw(box, games) {
  if (!shown) {
    const name = h("input", { name: "player", size: 12, maxlength: 100, placeholder: "you" });
    const game = h("select", { name: "game" });
    const since = h("input", { name: "since", size: 10, maxlength: 10, placeholder: "2026" });
    const form = h("form", { id: "insight-filter", autocomplete: "off" }, h("label", {}, "Game ", game), h("label", {}, "Player ", name), h("label", {}, "From ", since), h("button", { class: "small primary", text: "Show" }));
    const body = h("div", { class: "insight", "aria-live": "polite" });
    box.replaceChildren(form, body);
    form.addEventListener("submit", (event) => (event.preventDefault(), fill(body, form)));
    form.addEventListener("change", () => fill(body, form));
    shown = { form, body };
  }
  const { form, body } = shown;
  const chosen = form.game.value;
  form.game.replaceChildren(...[...games.options].map(({ value, text }) => h("option", { value, text, selected: value === chosen })));
  await fill(body, form);
}

async function fill(body, form) {
  const where = Object.fromEntries([...new FormData(form)].filter(([, value]) => value.trim()));
  const seen = await post("/api/library/insight", where).catch(({ message }) => ({ error: message }));
  if (seen.error) return body.replaceChildren(h("p", { class: "error", text: seen.error }));
  if (!seen.games) return body.replaceChildren(h("p", { text: where.player ? "No game of this player is in the library." : "Finish games against engines on the board: how you play is then shown here." }));
  const total = seen.total ? `${share(seen.total.score)} of the points (95\u00a0%: ${range(seen.total.interval)}), ` : "";
  const head = h("p", { class: "insight-total", text: `${counted(seen.games, "game")}: ${total}${seen.reviewed} reviewed.` });
  const hint = seen.reviewed ? null : h("p", { class: "fine", text: "Accuracy and mistakes are shown once games were reviewed: on the board, or by “rl-toolkit library review --mine”." });
  const order = ["accuracy", "mistakes", "opponent", "side", "opening", "length"].filter((name) => seen.plots.includes(name));
  body.replaceChildren(head, ...(hint ? [hint] : []), h("div", { class: "insight-parts" }, ...order.map((name) => part(name, seen, where))));
}

function part(name, seen, where) {
  const query = (theme) => new URLSearchParams({ ...where, theme, ...(narrow.matches ? { size: "narrow" } : {}) });
  const picture = (theme) => h("img", { class: `for-${theme}`, alt: "", src: `/library/insight-${name}.svg?${query(theme)}`, loading: "lazy" });
  return h("section", { class: "panel" }, picture("light"), picture("dark"), h("details", {}, h("summary", { text: "Numbers" }), table(name, seen)));
}

const range = ([low, high]) => `${Math.round(100 * low)}–${Math.round(100 * high)}\u00a0%`;

function table(name, { tables, accuracy, mistakes }) {
  if (name === "mistakes") return grid(["Kind of mistake", "Times"], mistakes.map(({ lesson, times }) => [lesson, times]));
  if (name === "accuracy") return grid(["Games", "Number", "Mean", "95 %"], accuracy.map(({ first, last, games, mean, interval }) => [first === last ? first : `${first} to ${last}`, games, share(mean), range(interval)]));
  return grid([TITLES[name], "Won", "Drawn", "Lost", "Points", "95 %"], tables[name].map((row) => [row.name, row.won, row.drawn, row.lost, share(row.score), range(row.interval)]));
}

const grid = (heads, rows) => h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col", text })))), h("tbody", {}, ...rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row", text: first }), ...rest.map((text) => h("td", { text }))))));
