/** The workbench: choose a tree and a task, answer on the tree, read why. The server checks. */

import { $, h } from "../../js/base/dom.js";
import { isAbort, post } from "../../js/base/api.js";
import { HandSheet } from "./hand.js";
import { itemOf, keepResult, readSet, requestOf, results } from "./set.js";
import { TreeDrawing } from "./tree.js";

const drawing = new TreeDrawing($("#box"));
const puzzles = [...$("#puzzle").options].map((option) => option.value).filter(Boolean);
const WIDE = 16; // trees with more leaves get the whole width
const SCORE = "rl-toolkit workbench score"; // kept in this browser
const score = keptScore();
let work = null; // { tree, task, puzzle, marked, order, mistakes, helped, done }
let asking = null;
let set = []; // the items of the set that is worked on
const kinds = [...document.querySelectorAll("#task optgroup option")].map(({ value }) => value);
const hand = new HandSheet($("#hand"), () => check({ silent: true }));
const hasTexts = (task) => task === "windows" || task === "bounds";

// ------------------------------------------------------------------------------ set up

/** Show a tree: { puzzle } or { tree, task } or { level, seed, task }. */
async function load(wanted, { keep = false } = {}) {
  $("#typed").textContent = "";
  if (wanted.kind) return loadHand(wanted, keep);
  let found;
  try {
    found = await post("/api/workbench/tree", wanted);
  } catch (error) {
    refuse(error);
    return;
  }
  work = { ...found, puzzle: wanted.puzzle ?? "", marked: [], order: {}, chosen: null, mistakes: 0, wrong: new Set(), helped: false, done: false };
  $("#puzzle").value = work.puzzle;
  $("#task").value = work.task;
  $("#tree").value = work.tree;
  $("#title").textContent = work.title ? `${work.title}: ${label(work.task)}` : label(work.task);
  $("#question").textContent = [work.about, work.question].filter(Boolean).join(" ");
  $("#moving").hidden = work.task !== "order";
  const query = new URLSearchParams({ ...named(), task: work.task });
  $("#share").href = `/theatre/workbench?${query}`;
  showKind(false);
  if (set.length) query.set("set", set.join(";"));
  $("#to-stage").href = `/theatre/search?${new URLSearchParams({ tree: work.tree })}`;
  if (!keep) history.replaceState(null, "", `?${query}`);
  $(".work").classList.toggle("wide", work.nodes.filter((node) => !node.side).length > WIDE);
  drawing.load(work.nodes, work.task);
  tell("", [{ node: -1, mark: "wait", text: `${work.size}. ${HOW[work.task]}` }]);
  showScore();
  document.body.dataset.ready = "true";
}

/** Show a task to compute by hand: { kind, seed }. */
async function loadHand({ kind, seed }, keep) {
  let found;
  try {
    found = await post("/api/workbench/hand", { kind, seed });
  } catch (error) {
    return refuse(error);
  }
  work = { ...found, task: kind, puzzle: "", marked: [], order: {}, chosen: null, mistakes: 0, wrong: new Set(), helped: false, done: false };
  $("#puzzle").value = "";
  $("#task").value = kind;
  $("#title").textContent = found.title;
  $("#question").textContent = found.question;
  $("#moving").hidden = true;
  const query = new URLSearchParams({ task: kind, seed });
  $("#share").href = `/theatre/workbench?${query}`;
  if (set.length) query.set("set", set.join(";"));
  if (!keep) history.replaceState(null, "", `?${query}`);
  showKind(true);
  hand.load(found);
  tell("", [{ node: -1, mark: "wait", text: "Fill in the fields; each is checked at once." }]);
  showScore();
  document.body.dataset.ready = "true";
}

function showKind(byHand) {
  $("#hand").hidden = !byHand;
  $("#box").hidden = $("#to-stage").hidden = byHand;
  showSet();
}

/** The item of a set that is worked on now. */
const item = () => itemOf(work.kind ? work : { ...named(), task: work.task });

function showSet() {
  const kept = results();
  const isMixed = new Set(set.map((each) => each.split("@")[0])).size > 1;
  $("#set").hidden = !set.length;
  $("#set-list").replaceChildren(
    ...set.map((each) => {
      const here = work && each === item();
      const mark = { solved: " ✓", helped: " (with help)", tried: " …" }[kept[each]] ?? "";
      const [task, source] = [each.slice(0, each.indexOf("@")), each.slice(each.indexOf("@") + 1)];
      const puzzle = titleOf(source);
      const name = puzzle && !isMixed ? puzzle : [puzzle, label(task) ?? each].filter(Boolean).join(": ");
      return h("li", {}, h("button", { type: "button", class: "small", "aria-current": here ? "step" : null, on: { click: () => load(requestOf(each, puzzles, kinds)) } }, `${name}${mark}`));
    }),
  );
  const query = new URLSearchParams({ set: set.join(";") });
  $("#set-link").href = `/theatre/workbench?${query}`;
  $("#set-sheet").href = `/theatre/workbench/sheet?${query}`;
}

/** What is worked on, as a request and an address name it. */
const named = () => (work.puzzle ? { puzzle: work.puzzle } : { tree: work.tree });
const label = (task) => [...$("#task").querySelectorAll("option")].find(({ value }) => value === task)?.textContent;
/** The title of a puzzle without its number; nothing for a typed tree. */
const titleOf = (puzzle) => [...$("#puzzle").options].find(({ value }) => value && value === puzzle)?.textContent.replace(/^\d+\. /, "");
const HOW = {
  values: "Type a number into each node; it is checked at once.",
  cuts: "Press a node to mark it and all below it as left out; press it again to take the mark back.",
  visits: "Press the leaves one after the other.",
  windows: "Type α and β into each node that is entered; it is checked when it has both.",
  bounds: "Type what comes back into each node: 3, <=2 or >=5.",
  order: "Press a node, then move it to the left or to the right among the children of its parent; dashed branches are cut.",
};

function refuse(error) {
  if (isAbort(error)) return;
  const sentence = `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
  if ($("#typing").open) $("#typed").textContent = sentence;
  else tell(sentence, []);
  const place = /^Character (\d+)/.exec(sentence);
  if (place && $("#typing").open) {
    $("#tree").focus();
    $("#tree").setSelectionRange(place[1] - 1, Number(place[1]));
  }
}

// ------------------------------------------------------------------------- ask the server

const answer = () => ({ windows: drawing.texts, bounds: drawing.texts, values: drawing.values, cuts: work.marked, visits: work.marked, order: work.order })[work.task];

/** Ask about the answer; a newer question replaces an older one. */
async function ask(what) {
  if (work.kind) return askHand(what);
  asking?.abort();
  asking = new AbortController();
  const mine = work;
  $("#told").setAttribute("aria-busy", "true");
  try {
    const said = await post("/api/workbench/check", { tree: work.tree, task: work.task, answer: answer(), ask: what }, asking.signal);
    return mine === work ? said : null;
  } catch (error) {
    refuse(error);
    return null;
  } finally {
    $("#told").setAttribute("aria-busy", "false");
  }
}

/** The same for a task by hand: remarks have no nodes. */
async function askHand(what) {
  const mine = work;
  const filled = Object.fromEntries(Object.entries(hand.answer).filter(([, text]) => text.trim()));
  try {
    const body = { kind: work.kind, seed: work.seed, ask: what === "solution" ? "solution" : "check", ...(what !== "solution" && { answer: filled }) };
    const { said, solved = false, answer: right } = await post("/api/workbench/hand", body);
    if (mine !== work) return null;
    if (right) hand.fill(right);
    hand.mark(said);
    const remarks = Object.entries(said).map(([name, [mark, text]]) => ({ node: -1, name, mark, text }));
    const good = remarks.filter(({ mark }) => mark === "right").length;
    const total = hand.fields.size;
    if (what === "hint") {
      const open = [...hand.fields].find(([name]) => said[name]?.[0] !== "right");
      return { remarks: [{ node: -1, mark: "wait", text: open ? `Next: ${open[1].label.textContent.trim()}` : "All fields are right." }, ...remarks.filter(({ mark }) => mark === "wrong")] };
    }
    return { remarks, solved, summary: solved ? "All fields are right." : `${good} of ${total} right.` };
  } catch (error) {
    refuse(error);
    return null;
  }
}

/** Check the answer; `silent` says nothing of what is merely missing. */
async function check({ silent = false } = {}) {
  const said = await ask("check");
  if (!said) return;
  const wrong = said.remarks.filter((remark) => remark.mark === "wrong");
  countMistakes(wrong, !silent && !said.solved);
  if (!work.kind) drawing.mark(said.remarks);
  if (work.task === "order") drawing.cut(said.cut);
  if (work.task === "visits" && wrong.length) {
    work.marked = work.marked.slice(0, said.remarks.length - 1); // that leaf is not visited then
    showVisits();
  }
  if (said.solved && !work.done) {
    work.done = true;
    score.solved += !work.helped;
    score.clean += !work.helped && !work.mistakes;
  }
  if (said.solved) keepResult(item(), work.helped ? "helped" : "solved");
  else if (wrong.length) keepResult(item(), "tried");
  showSet();
  keepScore();
  // An order on the way to a better one is not judged: what to move is told when it is asked for.
  const some = work.task === "order" && silent ? [] : said.remarks.filter((remark) => remark.text && (work.done || remark.mark !== "right" || work.task === "cuts"));
  tell(said.summary, some, said.solved);
  showScore();
}

/** Each mistake counts once; so does a check of cuts or visits that are not all there. */
function countMistakes(wrong, claimed) {
  if (work.task === "order") return; // an order on the way to a better one
  const fresh = wrong.map(({ node, name }) => `${node} ${name ? `${name} ${hand.answer[name]}` : work.task === "values" ? drawing.values[node] : hasTexts(work.task) ? drawing.texts[node] : work.task === "visits" ? work.marked.length : ""}`).filter((key) => !work.wrong.has(key));
  fresh.forEach((key) => work.wrong.add(key));
  const count = fresh.length || (claimed && !work.kind && work.task !== "values" && !hasTexts(work.task) && !wrong.length ? 1 : 0);
  score.mistakes += count;
  work.mistakes += count;
}

async function hint() {
  const said = await ask("hint");
  if (!said) return;
  work.helped = true;
  if (!work.kind) drawing.mark(said.remarks);
  tell("", said.remarks);
}

async function solve() {
  const said = await ask("solution");
  if (!said) return;
  work.helped = work.done = true;
  keepResult(item(), "helped");
  showSet();
  if (work.kind) {
    tell("The answer:", said.remarks);
    return showScore();
  }
  if (hasTexts(work.task)) drawing.texts = said.answer;
  else if (work.task === "values") drawing.values = said.answer;
  else if (work.task === "order") work.order = said.answer;
  else work.marked = said.answer;
  show();
  drawing.mark(said.remarks);
  if (work.task === "order") drawing.cut(said.cut);
  tell("The answer:", said.remarks);
  showScore();
}

// --------------------------------------------------------------------------------- answer

drawing.addEventListener("value", () => check({ silent: true }));

drawing.addEventListener("press", ({ detail: number }) => {
  const { task, marked } = work;
  if (task === "cuts") work.marked = marked.includes(number) ? marked.filter((other) => other !== number) : [...marked, number];
  else if (task === "visits") {
    if (work.done) return;
    work.marked = [...marked, number];
  } else work.chosen = number;
  show();
  if (task === "cuts" || task === "visits") check({ silent: true });
});

drawing.addEventListener("shift", ({ detail }) => move(detail.number, detail.by));

/** Move a child among its siblings. */
function move(number, by) {
  if (number === null) return tell("Press a node first.", []);
  const { parent } = work.nodes[number];
  const children = [...(work.order[parent] ?? drawing.children[parent])];
  const [from, to] = [children.indexOf(number), children.indexOf(number) + by];
  work.chosen = number;
  if (to >= 0 && to < children.length) {
    [children[from], children[to]] = [children[to], children[from]];
    work.order = { ...work.order, [parent]: children };
    show();
    check({ silent: true });
  }
  drawing.focus(number);
}

function show() {
  if (work.task === "order") {
    drawing.arrange(work.order);
    drawing.press(work.chosen === null ? [] : [work.chosen]);
  } else if (work.task === "visits") showVisits();
  else if (work.task === "cuts") {
    drawing.cut(work.marked);
    drawing.press(work.marked);
  }
}

function showVisits() {
  drawing.flag(Object.fromEntries(work.marked.map((number, place) => [number, place + 1])));
  drawing.press(work.marked);
}

function tell(summary, remarks, solved = false) {
  const lines = remarks.map(({ mark, text }) => h("li", { class: `is-${mark}`, text }));
  $("#told").replaceChildren(
    ...[summary ? h("p", { class: solved ? "summary solved" : "summary", text: summary }) : null, lines.length ? h("ul", {}, ...lines) : null].filter(Boolean),
  );
}

/** The score of this browser, from before; zero where there is none, or nothing can be kept. */
function keptScore() {
  const none = { solved: 0, clean: 0, mistakes: 0 };
  try {
    const kept = JSON.parse(localStorage.getItem(SCORE)) ?? none;
    return Object.keys(none).every((part) => Number.isInteger(kept[part]) && kept[part] >= 0) ? kept : none;
  } catch {
    return none;
  }
}

function keepScore() {
  try {
    localStorage.setItem(SCORE, JSON.stringify(score));
  } catch {
    // a browser that keeps nothing: the score lasts as long as the page
  }
}

function clearScore() {
  Object.assign(score, { solved: 0, clean: 0, mistakes: 0 });
  keepScore();
  showScore();
  $("#puzzle").focus(); // the button is gone
}

function showScore() {
  const { solved, clean, mistakes } = score;
  $("#clear-score").hidden = !solved && !mistakes;
  $("#next").classList.toggle("primary", work?.done ?? false);
  $("#check").classList.toggle("primary", !work?.done);
  $("#score").textContent = solved || mistakes ? `Solved ${solved}, ${clean} without a mistake or help. Mistakes: ${mistakes}.` : "";
}

// -------------------------------------------------------------------------------- choices

const seed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
const newTree = () => kinds.includes($("#task").value) ? load({ kind: $("#task").value, seed: seed() % 1000 }) : load({ level: Number($("#level").value), seed: seed(), task: $("#task").value });

function next() {
  const place = set.indexOf(work ? item() : "");
  if (place >= 0) return load(requestOf(set[(place + 1) % set.length], puzzles, kinds));
  if (work?.kind) return newTree();
  const at = puzzles.indexOf(work?.puzzle ?? "");
  if (at < 0 || at + 1 >= puzzles.length) return newTree();
  return load({ puzzle: puzzles[at + 1] });
}

$("#puzzle").addEventListener("change", () => ($("#puzzle").value ? load({ puzzle: $("#puzzle").value }) : ($("#typing").open = true)));
$("#task").addEventListener("change", () => {
  const task = $("#task").value;
  if (kinds.includes(task)) return load({ kind: task, seed: 1 });
  return load({ ...(work && !work.kind ? named() : $("#tree").value ? { tree: $("#tree").value } : { puzzle: puzzles[0] }), task });
});
$("#add").addEventListener("click", () => {
  if (!set.includes(item())) set = [...set, item()];
  history.replaceState(null, "", `?${new URLSearchParams({ ...(work.kind ? { seed: work.seed } : named()), task: work.task, set: set.join(";") })}`);
  showSet();
});
$("#set-clear").addEventListener("click", () => {
  set = [];
  showSet();
});
$("#new").addEventListener("click", newTree);
$("#choice").addEventListener("submit", (event) => {
  event.preventDefault();
  load({ tree: $("#tree").value, task: $("#task").value });
});
$("#clear-score").addEventListener("click", clearScore);
$("#check").addEventListener("click", () => check());
$("#hint").addEventListener("click", hint);
$("#solve").addEventListener("click", solve);
$("#next").addEventListener("click", next);
$("#left").addEventListener("click", () => move(work.chosen, -1));
$("#right").addEventListener("click", () => move(work.chosen, 1));
$("#clear").addEventListener("click", () => load(work.kind ? { kind: work.kind, seed: work.seed } : { ...named(), task: work.task }));
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, select, textarea");
  if (event.key === "h" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) hint();
});
addEventListener("resize", () => work && show());

const asked = new URLSearchParams(location.search);
const tree = asked.get("tree");
const task = asked.get("task") ?? undefined;
set = readSet(asked.get("set"));
const asksHand = kinds.includes(task);
const first = asksHand ? { kind: task, seed: Number(asked.get("seed")) || 0 } : set.length && !tree && !asked.get("puzzle") ? requestOf(set[0], puzzles, kinds) : tree ? { tree, task: task ?? "values" } : asked.get("puzzle") ? { puzzle: asked.get("puzzle"), task } : { puzzle: puzzles[0] };
load(first, { keep: true }).then(() => {
  if (work) return;
  // What the address asks for cannot be shown: say so, and let another tree be chosen.
  $("#typing").open = true;
  if (tree) $("#tree").value = tree;
  document.body.dataset.ready = "true";
});
