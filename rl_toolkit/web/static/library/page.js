/**
 * The library: a table of saved games, filters, a small board of the game under the pointer, and a
 * search for a position or a pattern. What is asked for stands in the address, so that Back and a
 * reload show it again.
 */

import { post } from "../js/base/api.js";
import { $, h } from "../js/base/dom.js";
import { counted } from "../js/base/format.js";
import { listenToTabs, openTab } from "../js/base/tabs.js";
import { PatternBoard } from "./pattern.js";

const REST = 80; // ms on a row before its board is asked for
const form = $("#filter");
const board = new PatternBoard($("#pattern"));
const most = Number($("#main").dataset.most);

let sought = {}; // { position } or { pattern }
let skip = 0;
let turn = 0;
let timer = null;

// ------------------------------------------------------------------------------------------ asking

/** The fields of the form that say something. */
function chosen() {
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value.trim() !== ""));
  if (fields.mine) fields.mine = true;
  return fields;
}

function toAddress() {
  const query = new URLSearchParams({ ...chosen(), ...sought, ...(skip ? { skip } : {}) });
  const address = `${location.pathname}${query.size ? `?${query}` : ""}`;
  if (address !== location.pathname + location.search) history.pushState(null, "", address);
}

function fromAddress() {
  const query = new URLSearchParams(location.search);
  form.reset();
  const game = query.get("game") ?? "";
  if (game && ![...form.game.options].some(({ value }) => value === game)) form.game.append(h("option", { value: game, text: game }));
  for (const [name, value] of query) {
    const field = form.elements[name];
    if (!field) continue;
    if (field.type === "checkbox") field.checked = value === "true";
    else field.value = value;
  }
  sought = query.get("position") ? { position: query.get("position") } : query.get("pattern") ? { pattern: query.get("pattern") } : {};
  skip = Number(query.get("skip")) || 0;
  $("#more").open = ["side", "engine", "since", "until", "event", "tag"].some((name) => query.get(name));
}

async function search() {
  const mine = ++turn;
  refuse("");
  $("#state").textContent = "Looking …";
  try {
    const found = await post("/api/library/games", { ...chosen(), ...sought, skip, limit: most });
    if (mine === turn) show(found);
  } catch ({ message }) {
    if (mine !== turn) return;
    $("#state").textContent = "";
    refuse(message);
  }
  document.body.dataset.ready = "yes";
}

function refuse(sentence) {
  $("#refused").textContent = sentence;
  $("#refused").hidden = !sentence;
}

// ----------------------------------------------------------------------------------------- drawing

function show({ games, total, names, look }) {
  const listed = new Set([...form.game.options].map(({ value }) => value));
  form.game.append(...names.filter((name) => !listed.has(name)).map((name) => h("option", { value: name, text: name })));
  $("#state").textContent = counted(total, "game");
  $("#rows").hidden = games.length === 0;
  $("#none").hidden = games.length > 0;
  const asks = Object.keys({ ...chosen(), ...sought }).length > 0;
  $("#none").textContent = total ? "There are no more games." : asks ? "No game fits." : "There is no game yet. Finish one on the board, or import a file.";
  $("#rows .at").hidden = !games.some(({ ply }) => ply !== undefined);
  $("#rows tbody").replaceChildren(...games.map(row));
  $("#place").textContent = total > most ? `${skip + 1} – ${skip + games.length} of ${total.toLocaleString("en")}` : "";
  $("#newer").disabled = skip === 0;
  $("#older").disabled = skip + games.length >= total;
  for (const id of ["#newer", "#older"]) $(id).hidden = total <= most && skip === 0;
  unlook();
  showSought(look);
}

function row(game) {
  const { players, engines, sides, ended, ended_by: by, title, game: name, moves, ply, date, event, tags, address } = game;
  const names = sides.map((side, k) => h("span", { class: engines["xo"[k]] ? "engine-name" : "", text: side }));
  const who = h(address ? "a" : "span", { href: address, class: "who", "data-style": game.style }, h("i", { class: "dot x" }), names[0], " – ", h("i", { class: "dot o" }), names[1]);
  const see = { pointerenter: () => soon(game, REST), pointerleave: () => clearTimeout(timer), focusin: () => soon(game, 0) };
  return h(
    "tr",
    { on: see, "data-number": game.id },
    h("th", { scope: "row" }, who),
    h("td", { text: by ? `${ended} (${by})` : ended }),
    h("td", { text: title, title: name }),
    h("td", { class: "number", text: moves }),
    ply === undefined ? null : h("td", { class: "number at", text: ply }),
    h("td", { text: date }),
    h("td", {}, event, ...tags.map((tag) => h("small", { class: "tag", text: tag }))),
  );
}

/** Show the board of a game, once the pointer has rested on its row. */
function soon(game, wait) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    for (const theme of ["light", "dark"]) {
      const image = $(`#look .for-${theme}`);
      const address = `${game.picture}${game.picture.includes("?") ? "&" : "?"}theme=${theme}`;
      if (image.checkVisibility() || $("#look").hidden) image.src = address;
    }
    $("#look p").textContent = game.ply === undefined ? `After ${counted(game.moves, "move")}` : `After ${counted(game.ply, "move")} of ${game.moves}`;
    $("#look").hidden = false;
    for (const tr of $("#rows tbody").rows) tr.classList.toggle("seen", Number(tr.dataset.number) === game.id);
  }, wait);
}

function unlook() {
  clearTimeout(timer);
  $("#look").hidden = true;
}

/** What is searched for, in words; the pattern as a board. */
function showSought(look) {
  const { position, pattern } = sought;
  $("#sought").hidden = !position && !pattern;
  $("#sought span").textContent = position ? "Games that have the position of the board:" : "Games that come to have the pattern below.";
  $("#to-board").hidden = !position || !look;
  if (position && look) $("#to-board").href = `/${look.family}?${new URLSearchParams({ game: form.game.value, start: position, mode: "analyse", x: "human", o: "human" })}`;
  if (look) board.use(look, pattern ?? null);
  if (pattern) togglePattern(true);
  if (!form.game.value) togglePattern(false);
}

function togglePattern(on) {
  $("#pattern-box").hidden = !on;
  $("#edit-pattern").setAttribute("aria-expanded", String(on));
}

// --------------------------------------------------------------------------------------- listening

function ask(from = 0) {
  skip = from;
  toAddress();
  return search();
}

function listen() {
  form.addEventListener("submit", (event) => (event.preventDefault(), ask()));
  form.addEventListener("change", ({ target }) => {
    if (target === form.game) sought = {};
    if (target.matches("select, [type=checkbox]")) ask();
  });
  $("#clear").addEventListener("click", () => {
    form.reset();
    sought = {};
    togglePattern(false);
    ask();
  });
  $("#forget").addEventListener("click", () => {
    sought = {};
    togglePattern(false);
    ask();
  });
  $("#edit-pattern").addEventListener("click", () => {
    if (form.game.value) return togglePattern($("#pattern-box").hidden);
    refuse("Choose a game first: a pattern is put together on its board.");
    form.game.focus();
  });
  $("#empty-pattern").addEventListener("click", () => board.clear());
  $("#find-pattern").addEventListener("click", () => {
    if (board.isEmpty) return refuse("A pattern asks for at least one stone or free square.");
    sought = { pattern: board.take() };
    ask();
  });
  $("#newer").addEventListener("click", () => ask(Math.max(0, skip - most)));
  $("#older").addEventListener("click", () => ask(skip + most));
  addEventListener("popstate", () => (fromAddress(), search()));
  $("#rows").addEventListener("keydown", ({ key }) => key === "Escape" && unlook());
  listenToTabs(async (name) => name === "insight" && (await import("./insight.js")).draw($("#insight"), form.game));
}

if ($("#main").dataset.library) {
  listen();
  openTab("games");
  fromAddress();
  await search();
} else document.body.dataset.ready = "yes";
