/** The page of puzzles: modes, the buttons, sets of a teacher, and files. */

import { post } from "../js/base/api.js";
import { $, h } from "../js/base/dom.js";
import { counted } from "../js/base/format.js";
import { listenToKeys } from "../js/base/keys.js";
import { Board } from "../js/board/board.js";
import { saveAs } from "../theatre/experiments/save.js";
import { Log } from "../js/model/puzzle_log.js";
import { keep, kept } from "./kept_run.js";
import { lookForMistakes } from "./mistakes.js";
import { drawProgress } from "./progress.js";
import { Solving } from "./solving.js";

const STORM = Number($("#main").dataset.storm) * 1000;
const AFTER = 900; // milliseconds between two puzzles of a storm or a streak
const REASONS = 3; // why mistakes became no puzzles: so many sentences at most
const log = new Log();
const solving = new Solving(new Board($("#board")));

let mode = "next";
let run = null; // of a storm or a streak: { solved, tried, end, over }
let set = null; // of a teacher: { title, puzzles, results, at }
let logged = false; // whether this puzzle's attempt is in the log
let skipped = []; // names of puzzles that are not asked for again now
let refuted = ""; // why the last wrong move was wrong
let coming = 0; // a number for each puzzle that is asked for

const today = () => new Date(Date.now() - 60_000 * new Date().getTimezoneOffset()).toISOString().slice(0, 10);
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// -------------------------------------------------------------------------------------- words

function say(text, tone = "") {
  $("#verdict").textContent = text;
  $("#verdict").dataset.tone = tone;
}

function complain(text) {
  $("#complaint").textContent = text;
  $("#complaint").hidden = !text;
}

function drawMeter() {
  const { puzzle } = solving;
  const parts = [];
  if (set) parts.push(`${set.title || "Set"}: ${set.at + 1} of ${set.puzzles.length}`);
  else if (run) parts.push(`${run.solved} solved`);
  else if (mode === "daily") parts.push(`The puzzle of ${today()}`);
  if (run?.end) parts.push(`${Math.max(0, Math.ceil((run.end - Date.now()) / 1000))} s left`);
  if (puzzle && (solving.done || solving.missed)) parts.push(puzzle.theme); // before that it would be a hint
  if (puzzle) parts.push(`${parts.length ? "difficulty" : "Difficulty"} ${puzzle.rating}`);
  $("#meter").textContent = parts.join(" · ");
}

function drawButtons() {
  const { done } = solving;
  $("#why").hidden = !solving.canExplain || Boolean(run);
  $("#hint").disabled = done || Boolean(run);
  $("#solution").disabled = done || Boolean(run);
  const again = run?.over ? "Again" : done || logged ? "Next" : "Skip";
  $("#next").textContent = again;
  $("#next").disabled = Boolean(run && !run.over);
}

// ------------------------------------------------------------------------------------ puzzles

async function begin() {
  run = null;
  skipped = [];
  if (mode === "storm") run = { solved: 0, tried: [], end: Date.now() + STORM, over: false };
  if (mode === "streak") run = { solved: 0, tried: [], end: null, over: false };
  keepRun();
  await another();
}

/** Keep the run for a reload of the page, or forget it. */
const keepRun = () => keep(run && !run.over ? { mode, game: $("#game").value, ...run } : null);

/** Show the puzzle on which a reload has interrupted the run, else another one. */
async function again(name) {
  const found = name && (await post("/api/puzzles/one", { puzzle: name }).catch(() => null));
  await (found ? show(found.puzzle) : another());
}

/** Go on with the run that a reload has interrupted; false if there is none of this mode and game. */
async function resume() {
  run = kept(mode, $("#game").value);
  if (run?.end && run.end <= Date.now()) {
    nothing("The time is up.");
    finish();
  } else if (run) await again(run.at);
  return run !== null;
}

/** What the address names: the puzzle, or how it was chosen if only this browser has it or a mode chose it. */
function asAddress({ name, line }) {
  if (mode === "next" && !line) return { id: name };
  return run || mode === "next" ? { mode, game: $("#game").value } : { mode };
}

async function another() {
  const number = ++coming;
  complain("");
  try {
    const puzzle = await chosen();
    if (number !== coming) return;
    if (puzzle?.why) {
      nothing(sentence(puzzle.why));
      history.replaceState(null, "", `?${new URLSearchParams({ mode })}`);
    } else if (puzzle) await show(puzzle);
  } catch (error) {
    if (number !== coming) return;
    nothing("There is no puzzle to show.");
    complain(sentence(error.message));
  }
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** Show that there is no puzzle, and say so in place of the task. */
function nothing(words) {
  say("");
  $("#task").textContent = words;
  for (const part of ["#story", "#meter"]) $(part).textContent = "";
  $(".room-for-board").hidden = true;
  offerAnswer(false);
  $("#why").hidden = $("#analyse").hidden = true;
  if (mode === "mine") $("#look").closest("details").open = true; // how to get some
}

/** Whether there is something to answer: the verdict, and the buttons below it. */
function offerAnswer(is) {
  for (const part of ["#verdict", "#hint", "#solution", "#next"]) $(part).hidden = !is;
}

async function chosen() {
  if (set) {
    set.at = set.results.findIndex((result) => !result);
    if (set.at < 0) {
      say(`All ${counted(set.puzzles.length, "puzzle")} are done. Save the results for your teacher.`, "good");
      set.at = set.puzzles.length - 1;
      return null;
    }
    return set.puzzles[set.at];
  }
  const game = $("#game").value;
  const theme = $("#theme-kind").value;
  const all = mode === "mine";
  const asked = { mode, game, theme: theme || undefined, date: today(), attempts: log.attempts(all ? "" : game), own: log.own };
  const { puzzle, why } = await post("/api/puzzles/next", run ? { ...asked, solved: run.solved, tried: run.tried } : { ...asked, tried: skipped });
  if (!puzzle) return { why };
  const own = log.own.find(({ name }) => name === puzzle.name);
  return own ? { ...puzzle, line: own.line } : puzzle;
}

async function show(puzzle) {
  logged = false;
  $(".room-for-board").hidden = $("#analyse").hidden = false;
  offerAnswer(true);
  say("Your move.");
  $("#task").textContent = puzzle.task;
  const last = puzzle.last ? `The last move was ${puzzle.last}.` : "";
  $("#story").textContent = [last, puzzle.story].filter(Boolean).join(" ");
  if (!set) history.replaceState(null, "", `?${new URLSearchParams(asAddress(puzzle))}`);
  if (run) run.at = puzzle.name;
  keepRun();
  await solving.show(puzzle);
  if (solving.puzzle !== puzzle) return; // another one has come meanwhile
  const at = new URLSearchParams({ game: puzzle.game, mode: "analyse" });
  if (solving.names.length) at.set("moves", solving.names.join(" "));
  $("#analyse").href = `/${puzzle.family}?${at}`;
  drawMeter();
  drawButtons();
}

/** Write down how it went, once for each puzzle that is shown. */
function note(solved) {
  if (logged) return;
  logged = true;
  const { puzzle, hints } = solving;
  const attempt = { puzzle: puzzle.name, kind: puzzle.kind, rating: puzzle.rating, time: Date.now() / 1000, solved, seconds: solving.seconds, hints, mode: set ? "set" : mode };
  log.add(attempt);
  if (set) {
    set.results[set.at] = attempt;
    drawSet();
  }
  if (log.problem) complain(log.problem);
  refresh();
}

async function refresh() {
  const answer = await post("/api/puzzles/progress", { attempts: log.attempts(), own: log.own, date: today() }).catch(() => null);
  if (answer) drawProgress(answer, $("#game").value);
}

// -------------------------------------------------------------------------------- the answers

solving.addEventListener("asked", drawButtons);
solving.addEventListener("judging", () => say("Judging your move …"));
solving.addEventListener("judged", ({ detail }) => {
  if (run?.end) run.end += detail;
  keepRun();
});
solving.addEventListener("moved", ({ detail }) => say(`${detail} And now?`, "good"));
solving.addEventListener("impossible", ({ detail }) => say(detail[0].toUpperCase() + detail.slice(1)));
solving.addEventListener("failed", ({ detail }) => {
  say("Your move.");
  complain(`${detail}.`);
});
solving.addEventListener("line", ({ detail }) => say(`${refuted} ${detail}`, "bad"));

solving.addEventListener("wrong", async ({ detail }) => {
  refuted = detail;
  say(detail, "bad");
  note(false);
  if (!run) return drawButtons();
  run.tried.push(solving.puzzle.name);
  run.at = null;
  keepRun();
  solving.stop();
  if (mode === "streak") return finish();
  await later(AFTER);
  if (run && !run.over) another();
});

solving.addEventListener("solved", async ({ detail }) => {
  say(detail, "good");
  note(!solving.missed);
  drawMeter();
  drawButtons();
  if (!run) return $("#next").focus({ preventScroll: true });
  run.solved += 1;
  run.tried.push(solving.puzzle.name);
  run.at = null;
  keepRun();
  drawMeter();
  await later(AFTER);
  if (run && !run.over) another();
});

function finish() {
  run.over = true;
  keepRun();
  solving.stop();
  offerAnswer(true);
  const what = mode === "storm" ? "in three minutes" : "in a row";
  say(`${counted(run.solved, "puzzle")} solved ${what}.`, run.solved ? "good" : "");
  drawMeter();
  drawButtons();
}

setInterval(() => {
  if (!run?.end || run.over || solving.isJudging) return;
  drawMeter();
  if (Date.now() >= run.end) finish();
}, 250);

// --------------------------------------------------------------------------------- the buttons

const usable = (id) => !$(id).hidden && !$(id).disabled;

async function hint() {
  if (!usable("#hint")) return false;
  const sentence = await solving.hint();
  if (sentence) say(sentence);
}

function why() {
  if (!usable("#why")) return false;
  solving.why();
}

async function solution() {
  if (!usable("#solution")) return false;
  note(false);
  const names = await solving.solution();
  if (!names) return;
  say(`The solution: ${names}`);
  drawMeter();
  drawButtons();
}

function next() {
  if (!usable("#next")) return false;
  if (run) return begin();
  if (mode === "daily" && !set) return afterDaily();
  if (set && !logged) note(false); // a puzzle of a set that is skipped is not solved
  else if (!logged) skipped.push(solving.puzzle.name);
  another();
}

/** There is one puzzle a day; others of its game follow. */
function afterDaily() {
  mode = "next";
  $("#game").value = solving.puzzle.game;
  drawThemes();
  drawModes();
  refresh();
  begin();
}

$("#hint").addEventListener("click", hint);
$("#why").addEventListener("click", why);
$("#solution").addEventListener("click", solution);
$("#next").addEventListener("click", next);
listenToKeys({ h: hint, w: why, s: solution, n: next, a: () => $("#analyse").click() });

for (const button of document.querySelectorAll("[data-mode]"))
  button.addEventListener("click", () => {
    mode = button.dataset.mode;
    leaveSet();
    drawModes();
    begin();
  });

function drawModes() {
  document.querySelectorAll("[data-mode]").forEach((each) => each.setAttribute("aria-pressed", String(!set && each.dataset.mode === mode)));
  $("#game").disabled = Boolean(set) || mode === "daily" || mode === "mine";
  $("#theme-kind").disabled = Boolean(set) || mode !== "next";
  for (const choice of ["#game", "#theme-kind"]) $(choice).closest("label").hidden = $(choice).disabled; // they say nothing about this puzzle
}

/** Offer the themes that the game has. */
function drawThemes() {
  const kinds = $("#game").selectedOptions[0]?.dataset.kinds.split(" ") ?? [];
  for (const option of $("#theme-kind").options) option.hidden = option.disabled = Boolean(option.value) && !kinds.includes(option.value);
  if ($("#theme-kind").selectedOptions[0]?.disabled) $("#theme-kind").value = "";
}

$("#game").addEventListener("change", () => {
  drawThemes();
  refresh();
  begin();
});
$("#theme-kind").addEventListener("change", begin);

// ---------------------------------------------------------------------------------------- sets

function openSet({ title, puzzles }) {
  set = { title, puzzles, results: puzzles.map(() => null), at: 0 };
  run = null;
  $("#set").hidden = false;
  $("#set-title").textContent = title || "Set";
  drawModes();
  drawSet();
  another();
}

function leaveSet() {
  set = null;
  $("#set").hidden = true;
}

function drawSet() {
  const mark = (result) => (result ? (result.solved ? "✓" : "✗") : "·");
  $("#set-list").replaceChildren(
    ...set.puzzles.map(({ theme, rating }, k) => {
      const result = set.results[k];
      return h("li", { class: result ? (result.solved ? "good" : "bad") : "" }, `${mark(result)} ${result ? `${theme}, ` : ""}${rating}`);
    }),
  );
}

const cell = (value) => {
  const text = String(value);
  const safe = /^[=+\-@]/.test(text) && typeof value !== "number" ? `'${text}` : text; // a spreadsheet would run it
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

function results() {
  const name = $("#solver").value.trim();
  const rows = set.results.filter(Boolean).map(({ puzzle, kind, rating, solved, seconds, hints, time }) => [name, puzzle, kind, rating, solved ? 1 : 0, seconds, hints, new Date(1000 * time).toISOString().slice(0, 19)]);
  const text = [["name", "puzzle", "kind", "rating", "solved", "seconds", "hints", "time"], ...rows].map((row) => row.map(cell).join(",")).join("\n");
  saveAs(`puzzles${name ? `-${name.replace(/\W+/g, "-")}` : ""}.csv`, `${text}\n`, "text/csv");
}
$("#results").addEventListener("click", results);

// --------------------------------------------------------------------------------------- files

const filed = (text) => ($("#filed").textContent = text);

$("#export").addEventListener("click", () => saveAs("puzzle-progress.json", log.text(), "application/json"));
$("#erase").addEventListener("click", () => {
  if (!confirm("Erase all your attempts and puzzles in this browser?")) return;
  log.erase();
  filed("Your progress is erased.");
  refresh();
});
$("#share").addEventListener("click", async () => {
  const link = set ? location.href : `${location.origin}/puzzles?id=${encodeURIComponent(solving.puzzle.name)}`;
  await navigator.clipboard?.writeText(link).catch(() => null);
  filed(link);
});
$("#open").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (!file) return;
  const text = await file.text();
  try {
    if (text.trimStart().startsWith("{")) {
      filed(log.read(text));
      refresh();
    } else openSet(await post("/api/puzzles/set", { text }));
  } catch (error) {
    filed(`${file.name}: ${error.message}`);
  }
});

async function look() {
  const families = [...new Set([...$("#game").options].map(({ dataset }) => dataset.family))];
  const { games, found, sentences } = await lookForMistakes(families, log, (k, count) => filed(`Looking at game ${k} of ${count} …`));
  filed(`${counted(games, "game")} looked at: ${counted(found, "new puzzle")}. ${sentences.slice(0, REASONS).join(" ")}`);
  refresh();
}
$("#look").addEventListener("click", look);

// --------------------------------------------------------------------------------------- start

const asked = new URLSearchParams(location.search);
const wanted = asked.get("game") ?? asked.get("id")?.split("/")[0];
if (wanted && [...$("#game").options].some(({ value }) => value === wanted)) $("#game").value = wanted;
drawThemes();
if (asked.get("theme")) $("#theme-kind").value = asked.get("theme");
if (document.querySelector(`[data-mode="${CSS.escape(asked.get("mode") ?? "")}"]`)) mode = asked.get("mode");
drawModes();
refresh();
try {
  if (asked.get("set")) openSet(await post("/api/puzzles/set", { names: asked.get("set") }));
  else if (asked.get("id")) await show((await post("/api/puzzles/one", { puzzle: asked.get("id") })).puzzle);
  else if (!(await resume())) await begin();
} catch (error) {
  complain(`${error.message}.`);
  await begin();
}
document.body.dataset.ready = "yes";
