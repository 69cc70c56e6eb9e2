/** The home page: the games that this browser has kept, to be continued. */

import { $, h } from "./base/dom.js";
import { counted, sidesOf, titleOf } from "./base/format.js";
import { Store } from "./model/store.js";

const { families, titles, most } = $("#main").dataset;
const titled = Object.fromEntries(families.split(" ").map((family, k) => [family, titles.split("|")[k]]));

/** Whether a game waits for its next move; an analysis does not. */
const waits = ({ mode, result }) => mode === "play" && (result ?? null) === null;

/** The games of all kinds: those that wait for a move, then the others, those changed last first. */
async function keptGames() {
  const store = new Store();
  const lists = await Promise.all(families.split(" ").map((family) => store.games(family)));
  return lists.flat().sort((one, other) => waits(other) - waits(one) || other.when - one.when);
}

/** The path of numbers to the node that was shown last. */
const line = ({ at }) => (at ? at.split(" ").join(".") : "");

function pictures({ game, start, ...kept }) {
  const query = new URLSearchParams({ game, ...(start && { start }), ...(line(kept) && { line: line(kept) }) });
  return ["light", "dark"].map((theme) => h("img", { class: `for-${theme}`, src: `/picture.svg?${query}&theme=${theme}`, alt: "", width: 72, height: 72, loading: "lazy" }));
}

/** How many moves the picture shows, and of how many if the game went on. */
function movesOf({ at, plies = 0 }) {
  const shown = at ? at.split(" ").length : 0;
  return shown < plies ? `${shown} of ${counted(plies, "move")}` : counted(shown, "move");
}

function row(kept) {
  const { id, family, game, result, when } = kept;
  const called = titleOf(game, family, titled[family]);
  const names = sidesOf(kept).filter(Boolean).join(" – ");
  const date = new Date(when).toLocaleString("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false });
  const state = result === null || result === undefined ? "not finished" : "finished";
  return h("li", {}, h("a", { href: `/${family}?id=${encodeURIComponent(id)}` }, ...pictures(kept), h("span", {}, h("strong", { text: names || called }), `${names ? `${called}, ` : ""}${movesOf(kept)}, ${state} `, h("small", { text: date }))));
}

const games = await keptGames();
const [first, others] = [games.slice(0, Number(most)), games.slice(Number(most))];
$("#continue").hidden = games.length === 0;
$("#continue .resume").replaceChildren(...first.map(row));
$("#continue details").hidden = others.length === 0;
$("#continue summary").textContent = counted(others.length, "more game");
$("#continue details").addEventListener("toggle", () => $("#continue details .resume").replaceChildren(...others.map(row)), { once: true });
document.body.dataset.ready = "yes";
