/** The games that this browser has kept, to be opened again. */

import { $, h } from "../base/dom.js";
import { counted, sidesOf } from "../base/format.js";
import { Roving } from "../base/roving.js";

const MOST = 50;
let rows = null; // one tab stop for the whole list

/** Fill the list; `open` is given a game of the store, `remove` its number. */
export async function drawOwnGames({ store, session, open, remove }) {
  const games = await store.games(session.family, MOST);
  $("#own-games").replaceChildren(...games.map((game) => row(game, session, open, remove)));
  rows ??= new Roving($("#own-games"), "button");
  rows.refresh();
  $("#no-own-games").hidden = games.length > 0;
}

function row(game, session, open, remove) {
  const { pieces } = session.positions.fixed;
  const sides = sidesOf(game).map((name, k) => name || pieces[k]).join(" – ");
  const result = game.result === null ? "not finished" : game.result === 0 ? "draw" : `${pieces[game.result > 0 ? 0 : 1]} won`;
  const date = new Date(game.when).toLocaleString("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false });
  const here = game.id === session.id;
  return h(
    "li",
    {},
    h("button", { type: "button", class: "game-row", "aria-current": here ? "true" : undefined, on: { click: () => open(game) } }, h("b", { text: sides }), h("span", { text: `${result}, ${counted(game.plies, "move")}` }), h("small", { text: date })),
    here ? null : h("button", { type: "button", class: "icon small", text: "×", "aria-label": `Forget ${sides}, ${date}`, title: "Forget this game", on: { click: () => remove(game.id) } }),
  );
}
