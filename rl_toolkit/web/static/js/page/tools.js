/**
 * What the page of a game offers beside the game: sharing, a position set up by hand, the
 * options of engines, sounds, and the visitor's preferences. What is large is loaded when it is first
 * wanted.
 */

import { $, needSheet } from "../base/dom.js";
import { prefer, preference } from "../base/preferences.js";

/** Seconds in which a second press confirms the first. */
const SURE = 4;

export function addTools(page) {
  const { session } = page;
  const click = (id, action) => $(id).addEventListener("click", () => page.guard(action));
  click("#share-more", () => share(page));
  click("#set-up", async () => (await import("../views/editor.js")).openEditor(page));
  click("#spec-options", async () => (await import("../views/engines/engine_form.js")).openOptions(page.setup, $("#spec")));
  for (const id of ["#tab-explorer", "#tab-engines", "#tab-tree"]) $(id).addEventListener("click", () => needSheet("dialogs"));
  session.addEventListener("change", ({ detail }) => {
    showSection(session.mode);
    if (detail.kind === "moved") soundOf(session);
  });
  page.board.addEventListener("refused", () => play("refused"));
  page.clock.addEventListener("short", () => play("clock"));
  $("#setup-form").addEventListener("change", () => ($("#spec-options").hidden = $("#spec").hidden));
  loadAhead();
  askBeforeResigning();
  joinSpoilers(page);
  if ($('meta[name="library"]')) keepGames(page);
}

// --------------------------------------------------------------------------------------- library

/** Games that a person finishes are saved, and saved again with their review. */
function keepGames(page) {
  const { session, reviewing } = page;
  const keep = () => {
    if (session.mode === "play" && session.over && session.humans && preference("keep") !== "no") import("../play/keeping.js").then(({ keepGame }) => keepGame(page));
  };
  session.addEventListener("change", keep);
  reviewing.addEventListener("change", keep);
}

// --------------------------------------------------------------------------------------- loading

/** Scripts that are loaded when they are first wanted; none needs another one that is not listed. */
const LATER = [
  ...["candidate_table", "editing", "editor", "engines/engine_form", "engines/engines", "explorer", "own_games", "review/line_graph", "review/story", "share", "tree_panel"].map((name) => `../views/${name}.js`),
  ...["claims", "files", "keeping", "tree_files"].map((name) => `../play/${name}.js`),
  "../page/coaching.js",
  "../base/preferences_dialog.js",
  "../model/puzzle_log.js",
];

/** Seconds after which a page that is open is in use, even if nothing on it is touched. */
const STAYS = 15;

/**
 * Once a visitor does something or stays, load what may still be wanted, a little at a time: it is
 * then there without waiting, and also after the server has stopped. A page that is only looked at
 * stays light.
 */
function loadAhead() {
  const done = new AbortController();
  const idle = (next) => (globalThis.requestIdleCallback ? requestIdleCallback(next, { timeout: 1000 }) : setTimeout(next));
  const load = ([name, ...rest]) => {
    if (name) import(name).then(() => idle(() => load(rest)), () => {}); // without a server: when it is wanted
    else document.body.dataset.loaded = "yes";
  };
  const begin = () => {
    done.abort();
    needSheet("dialogs");
    idle(() => load(LATER));
  };
  for (const type of ["pointermove", "pointerdown", "keydown"]) addEventListener(type, begin, { signal: done.signal });
  const timer = setTimeout(begin, 1000 * STAYS);
  done.signal.addEventListener("abort", () => clearTimeout(timer));
}

// --------------------------------------------------------------------------------------- sharing

async function share({ session }) {
  const [{ openShare }, { linkTo }, { fileOf }] = await Promise.all([import("../views/share.js"), import("../play/files.js"), import("../play/tree_files.js")]);
  const { node } = session;
  const line = node.end === node ? node : node.end; // the line on which the shown move is
  $("#share").hidePopover();
  await openShare({
    title: document.body.dataset.title,
    game: session.name,
    start: session.positions.start,
    moves: namesTo(line),
    ply: node.ply,
    marks: node.marks,
    link: await linkTo(session),
    file: (format) => fileOf(session, format),
  });
}

function namesTo(node) {
  const names = [];
  for (let at = node; at.parent; at = at.parent) names.unshift(at.name);
  return names;
}

// ---------------------------------------------------------------------------------------- sounds

async function play(name) {
  if (preference("sounds") === "on") (await import("../base/sounds.js")).sound(name);
}

function soundOf(session) {
  const { node, own, resultHere } = session;
  if (resultHere === null) return play(own && node.player !== own ? "answer" : "move");
  return play(resultHere === 0 ? "drawn" : own && resultHere !== own ? "lost" : "won");
}

// ----------------------------------------------------------------------------------- preferences

/** The word in the head of the page is that of the mode. */
function showSection(mode) {
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.textContent.toLowerCase() === mode) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** If a visitor wants to be asked, the first press only changes the word on the button. */
function askBeforeResigning() {
  const button = $("#resign");
  const word = button.querySelector("span");
  const usual = word.textContent;
  let timer = null;
  button.addEventListener("click", (event) => {
    if (preference("confirm") !== "ask" || timer !== null) {
      clearTimeout(timer);
      timer = null;
      word.textContent = usual;
      return;
    }
    event.stopImmediatePropagation();
    word.textContent = "Really?";
    timer = setTimeout(() => ((timer = null), (word.textContent = usual)), 1000 * SURE);
  }, true);
}

/** The switch below the board and the preference are one. */
function joinSpoilers(page) {
  const box = $("#show-truth");
  const wanted = () => preference("spoilers") === "on";
  const follow = () => {
    if (page.truthful !== wanted()) (page.ready ? box : { click: () => (page.truthful = wanted()) }).click();
  };
  box.addEventListener("change", () => box.checked !== wanted() && prefer("spoilers", box.checked ? "on" : ""));
  document.addEventListener("preference", ({ detail }) => detail.name === "spoilers" && follow());
  follow();
}
