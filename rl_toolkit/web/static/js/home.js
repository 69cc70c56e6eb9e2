/** The home page: the games that this browser has kept, to be continued. */

import { $, h } from "./base/dom.js";
import { counted, sidesOf, titleOf } from "./base/format.js";
import { Store } from "./model/store.js";

const { families, titles, most } = $("#main").dataset;
const titled = Object.fromEntries(families.split(" ").map((family, k) => [family, titles.split("|")[k]]));

/** The last games of all kinds, those changed last first. */
async function lastGames() {
  const store = new Store();
  const lists = await Promise.all(families.split(" ").map((family) => store.games(family, Number(most))));
  return lists.flat().sort((one, other) => other.when - one.when).slice(0, Number(most));
}

/** The path of numbers to the node that was shown last. */
const line = ({ at }) => (at ? at.split(" ").join(".") : "");

function pictures({ game, start, ...kept }) {
  const query = new URLSearchParams({ game, ...(start && { start }), ...(line(kept) && { line: line(kept) }) });
  return ["light", "dark"].map((theme) => h("img", { class: `for-${theme}`, src: `/picture.svg?${query}&theme=${theme}`, alt: "", width: 72, height: 72, loading: "lazy" }));
}

function row(kept) {
  const { id, family, game, plies, result, when } = kept;
  const called = titleOf(game, family, titled[family]);
  const names = sidesOf(kept).filter(Boolean).join(" – ");
  const date = new Date(when).toLocaleString("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false });
  const state = result === null || result === undefined ? "not finished" : "finished";
  return h("li", {}, h("a", { href: `/${family}?id=${encodeURIComponent(id)}` }, ...pictures(kept), h("span", {}, h("strong", { text: names || called }), `${names ? `${called}, ` : ""}${counted(plies ?? 0, "move")}, ${state} `, h("small", { text: date }))));
}

const games = await lastGames();
$("#continue").hidden = games.length === 0;
$("#continue .resume").replaceChildren(...games.map(row));
document.body.dataset.ready = "yes";
