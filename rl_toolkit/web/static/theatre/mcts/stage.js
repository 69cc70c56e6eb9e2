/**
 * MCTS on stage: asks the server for a search, and shows it moment by moment. Settings are in the
 * address; `at` there is the number of simulations to begin with.
 */

import { isAbort, post } from "../../js/base/api.js";
import { $, svg } from "../../js/base/dom.js";
import { Address, copyLink, isNumber, isWhole } from "../address.js";
import { Guess, QUESTIONS } from "../guess.js";
import { MiniBoard } from "../../js/board/mini_board.js";
import { offerPictures } from "../picture.js";
import { closeOptions } from "../presenter.js";
import { whichChild } from "../questions/mcts.js";
import { Transport } from "../transport.js";
import { BACK_UP, EXPAND, PLAYOUT, Recording, SELECT, START } from "./model.js";
import { fixed, signed, whole } from "./numbers.js";
import { Plot } from "./plot.js";
import { Priors } from "./priors.js";
import { Tree } from "./tree.js";
import { RULES, recommended, toldRules } from "./rules.js";
import { Waterfall } from "./waterfall.js";

QUESTIONS.mcts = QUESTIONS.alphazero = [whichChild];

const { most, window: inWindow, usual } = Object.fromEntries(Object.entries($("#main").dataset).map(([key, value]) => [key, Number(value)]));
const FIELDS = ["game", "position", "engine", "c", "playout", "seed"];
const AHEAD = 30; // simulations before the end of a window at which the next one is fetched
const GREATEST_C = 10; // the server takes no more
const TRUTH_SECONDS = 3;
const PHASES = { [SELECT]: "select", [EXPAND]: "expand", [PLAYOUT]: "play out", [BACK_UP]: "back up" };
const CONSTANTS = JSON.parse($("#c").dataset.usual);

const tree = new Tree($("#box"));
const waterfall = new Waterfall($("#choice"));
const priors = new Priors($("#priors"));
const plot = new Plot($("#plot"), $("#values"), $("#truth"));
const guess = new Guess($("#guess"), "mcts");
const address = new Address(location.search);
let recording = null;
let transport = null;
let board = null;
let looked = null; // the node whose board is shown instead of that of the moment
let loading = null; // the request for a search, and for a window
let fetching = null;
let truthOf = "";
let wantsTruthOf = ""; // the position whose true values somebody asked for

// ------------------------------------------------------------------------------- the server

/** The search that the form describes. */
function settings() {
  const value = Object.fromEntries(FIELDS.map((name) => [name, $(`#${name}`).value.trim()]));
  const { game, position, engine, playout } = value;
  return {
    game,
    ...(position && { position }),
    engine,
    ...(!engine.startsWith("own:") && { c: Number(value.c) }),
    ...(engine === "mcts" && { playout, proofs: $("#proofs").checked }),
    seed: Number(value.seed) || 0,
  };
}
let asked = {};

/** Run a search of so many simulations, and show it after `at` of them. */
async function load(simulations, at = 0, step = 0) {
  loading?.abort();
  fetching?.abort();
  const mine = (loading = new AbortController());
  const wanted = settings();
  const first = Math.max(0, at - 3);
  document.body.setAttribute("aria-busy", "true");
  try {
    const answer = await post("/api/simulations", { ...wanted, simulations, first, count: inWindow }, mine.signal);
    asked = wanted;
    recording = new Recording(answer);
    recording.merge(answer.window);
    complain("");
    blame(answer.faults ?? []);
    $("#main").toggleAttribute("data-empty", false);
    begin(at, simulations, step);
  } catch (error) {
    if (isAbort(error)) return;
    $("#main").toggleAttribute("data-empty", !recording);
    complain(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`.replace("..", ".") + (recording ? " The search shown is the one before." : ""));
  } finally {
    if (loading === mine) {
      loading = null;
      document.body.removeAttribute("aria-busy");
      if (recording) fetchFor(transport.t);
    }
    document.body.dataset.ready = "";
  }
}

/** Say what is wrong; the first time also what the address says amiss. */
function complain(text) {
  const all = [address.complaint(), text].filter(Boolean).join(" ");
  $("#problem").textContent = all;
  $("#problem").hidden = !all;
}

/** Point at the first fault of a student's search. */
function blame([fault]) {
  $("#fault").hidden = !fault;
  $("#fault-text").textContent = fault?.text ?? "";
  $("#to-fault").onclick = () => {
    const { simulation, kind, place } = fault;
    transport.pause();
    if (kind === "choice") transport.go(recording.starts[simulation] + place);
    else transport.go(recording.after(simulation + 1) - place); // the back-up ends with the root
  };
}

/** Fetch the window of simulation s, if it is not there. */
async function fetchWindow(s) {
  if (fetching || loading || s >= recording.sims.length || recording.loaded(s) || recording.sims[s].missing) return;
  const mine = (fetching = new AbortController());
  const here = recording;
  try {
    const body = { ...asked, simulations: here.sims.length, first: Math.max(0, s - 3), count: inWindow, tree: false };
    const { window } = await post("/api/simulations", body, mine.signal);
    if (here !== recording) return;
    here.merge(window);
    if (!here.loaded(s)) here.sims[s].missing = true; // the server had no time for it
  } catch (error) {
    if (!isAbort(error)) console.info(error.message);
    return;
  } finally {
    if (fetching === mine) fetching = null;
  }
  draw(transport.t);
  if (!transport.playing) transport.say(here.sentence(transport.t));
}

/**
 * The true values of the first moves, where an engine can prove them, once somebody wants to know:
 * they would answer what a class is asked, and what “Guess first” asks.
 */
async function askTruth() {
  const { game, position } = recording.tree;
  $("#show-truth").hidden = guess.on;
  if (guess.on || wantsTruthOf !== `${game} ${position}`) {
    truthOf = "";
    $("#show-truth").setAttribute("aria-pressed", false);
    $("#show-truth").textContent = "Show the truth";
    return plot.tell(null, "");
  }
  $("#show-truth").setAttribute("aria-pressed", true);
  $("#show-truth").textContent = "Hide the truth";
  if (truthOf === `${game} ${position}`) return;
  truthOf = `${game} ${position}`;
  plot.tell(null, "The true values are being computed.");
  const mine = truthOf;
  try {
    const { candidates } = await post("/api/analyse", { game, position, time: TRUTH_SECONDS });
    if (mine !== truthOf) return;
    const sure = candidates.filter(({ proven }) => proven);
    const all = sure.length === candidates.length;
    const words = all ? "" : sure.length ? "Only some true values were proven in 3 seconds." : `No engine here proves these values in ${TRUTH_SECONDS} seconds, so there is nothing to compare with.`;
    plot.tell(new Map(sure.map(({ move, value }) => [move, value + 0])), words);
  } catch (error) {
    plot.tell(null, `No true values: ${error.message}.`);
  }
}

// --------------------------------------------------------------------------------- the stage

function begin(at, simulations, step) {
  const { look, tree: data } = recording;
  document.body.dataset.style = look.style;
  guess.kind = data.kind;
  guess.close();
  $("#third").textContent = recording.network ? "Evaluate" : "Play out";
  for (const name of document.querySelectorAll(".viewer")) name.textContent = recording.viewer;
  board = look.has_grid ? new MiniBoard({ rows: data.rows, cols: data.cols, width: 100, style: look.style, rowOneAt: look.row_one_at }) : null;
  $("#board").hidden = !board;
  if (board) {
    $("#board-picture").setAttribute("viewBox", `-2 -2 104 ${board.height + 4}`);
    $("#board-picture").replaceChildren(board.element);
  }
  if (data.engine.options.own) $("#c-shown").textContent = fixed(data.engine.options.c);
  tree.clear();
  plot.load(recording);
  ended = recording.sims.length < simulations;
  const options = { length: recording.length, render, sentence: (t) => recording.sentence(t), jumps, onAsk: ask, unit: "step" };
  if (transport) transport.load(options);
  else {
    transport = new Transport($("#transport"), options);
    transport.addEventListener("move", () => remember());
  }
  $("#transport").append(guess.switch());
  $("#transport .guess-switch input").checked = guess.on;
  transport.go(recording.after(Math.min(at, recording.sims.length)) + step);
  askTruth();
}
let ended = false; // whether the search stopped before its simulations were done

const more = (count, label, key, title) => ({ name: `plus${count}`, label, key, title, to: (t) => further(t, count) });
const jumps = [
  more(1, "+1", "n", "+1 simulation"),
  more(10, "+10", "t", "+10 simulations"),
  more(100, "+100", "h", "+100 simulations"),
  more(1000, "+1000", "k", "+1000 simulations"),
];

/** Why there are no more simulations than these; nothing if there can be. */
function whyEnded() {
  if (recording.tree.answer.proven && ended) return "The search ends here: its result is proven.";
  if (ended) return "The search ends here: its time is up.";
  return recording.sims.length >= most ? `The stage has room for ${whole(most)} simulations.` : "";
}

/** The moment after so many more simulations; if they are not recorded, they are run first. */
function further(t, count) {
  const target = recording.finished(t) + count;
  if (target <= recording.sims.length || ended || recording.sims.length >= most) return recording.after(target);
  load(Math.min(most, Math.max(target, recording.sims.length * 2)), Math.min(most, target));
  return t;
}

function ask(t) {
  const asking = guess.ask(t, recording);
  if (!asking) return null;
  question = t;
  showQuestion();
  $("#guess").scrollIntoView({ block: "nearest" });
  return asking;
}

/** The choice that is asked for, without bonuses and sums. */
function showQuestion() {
  const { s, place } = recording.at(question);
  $("#choice").hidden = false;
  $("#priors").hidden = true;
  waterfall.show(recording, s, place, true);
}
let question = 0; // the moment that is asked for

/** Show a moment; a question that waits is forgotten. */
function render(t) {
  if (guess.open) guess.close();
  looked = null;
  draw(t);
}

/** Draw a moment. */
function draw(t) {
  const { s, phase, place } = recording.at(t);
  for (const item of $("#phases").children) {
    const lit = Number(item.dataset.phase) === phase;
    item.classList.toggle("lit", lit);
    if (lit) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  }
  const [nodes, done] = [tree.show(recording, t), recording.finished(t)];
  $("#size").textContent = whole(nodes);
  $("#size-of").textContent = nodes === 1 ? "node" : "nodes";
  $("#done").textContent = whole(done);
  $("#done-of").textContent = done === 1 ? "simulation" : "simulations";
  $("#where").textContent = phase === START ? "Start" : `Simulation ${whole(s + 1)} · ${phase === PLAYOUT && recording.network ? "evaluate" : PHASES[phase]}`;
  $("#main").toggleAttribute("data-start", phase === START); // before a class: the board is large, to vote on
  $("#sentence").textContent = recording.sentence(t);
  $("#ended").textContent = t < recording.length - 1 ? "" : whyEnded();
  const asksNetwork = recording.network && phase === PLAYOUT && recording.proven(recording.sims[s].path.at(-1), t) === null;
  $("#choice").hidden = asksNetwork;
  $("#priors").hidden = !asksNetwork;
  if (asksNetwork) priors.show(recording, s);
  else waterfall.show(recording, s, recording.choiceAt(t));
  if (guess.open) showQuestion();
  plot.show(t);
  $("#rules-now").textContent = toldRules(recording, t);
  showBoard(t);
  tree.follow();
  fetchFor(t);
}

/** Fetch what a moment shows and does not have, or else what comes soon. */
function fetchFor(t) {
  const { s } = recording.at(t);
  if (!recording.loaded(s)) fetchWindow(s);
  else if (recording.sims[s + AHEAD]) fetchWindow(s + AHEAD);
}

function showBoard(t) {
  if (!board) return;
  const { s, phase, place } = recording.at(t);
  const { cells, last } = looked === null ? recording.boardAt(t) : recording.boardOf(looked);
  board.show(cells, last);
  let caption = recording.line(recording.reached(t).at(-1));
  if (phase === PLAYOUT && recording.sims[s].plies) caption = `playout move ${place + 1}`;
  if (phase === BACK_UP) caption = `${signed(recording.seen(recording.sims[s].result), Number.isInteger(recording.sims[s].result) ? 0 : 2)} for ${recording.viewer}`;
  if (looked !== null) caption = recording.line(looked);
  $("#caption").textContent = caption;
  $("#board-picture").setAttribute("aria-label", `Board: ${caption}`);
}

tree.addEventListener("look", ({ detail }) => {
  looked = detail;
  if (transport) showBoard(transport.t);
});

// ------------------------------------------------------------------------------ the settings

function sayConstant() {
  const network = $("#engine").value === "alphazero";
  $("#c-name").textContent = network ? "c (PUCT)" : "c (UCT)";
  $("#c-shown").textContent = fixed(Number($("#c").value));
  const own = $("#engine").value.startsWith("own:");
  $("#playout").disabled = $("#proofs").disabled = network || own;
  $("#c").disabled = own; // a student's search has its own
}

function sayedSetup() {
  const title = $("#game").selectedOptions[0]?.textContent ?? "";
  const engine = $("#engine").value;
  if (engine.startsWith("own:")) return `${title} ${$("#position").value || "start"} · ${$("#engine").selectedOptions[0].textContent}`;
  const playout = engine === "mcts" ? ($("#playout").selectedOptions[0]?.textContent ?? "").toLowerCase() : "network";
  return `${title} ${$("#position").value || "start"} · c = ${$("#c-shown").textContent} · ${playout}`;
}

/** The address that shows this moment of this search again. */
function query() {
  const { proofs, ...rest } = asked;
  const found = new URLSearchParams({ ...rest, ...(proofs && { proofs: "on" }), simulations: recording.sims.length });
  const done = recording.finished(transport.t);
  const step = transport.t - recording.after(done);
  if (done) found.set("at", done);
  if (step) found.set("step", step);
  if ($("#rule").value !== "visits") found.set("rule", $("#rule").value);
  if (plot.isLarge) found.set("plot", "large");
  return found;
}

function remember() {
  const found = query();
  if (new URLSearchParams(location.search).has("presenter")) found.set("presenter", "");
  clearTimeout(remember.timer);
  remember.timer = setTimeout(() => history.replaceState(null, "", `?${found}`), 300); // browsers limit how often
}

/** Anew with other settings, after as many simulations as now; another position begins at the start. */
function again() {
  sayConstant();
  $("#shown-setup").textContent = sayedSetup();
  const { game, position } = settings();
  const same = recording && game === asked.game && position === asked.position;
  return load(same ? Math.max(usual, recording.sims.length) : usual, same ? recording.finished(transport.t) : 0);
}

function fromAddress() {
  const asks = address.query;
  const game = asks.get("game");
  if (game && ![...$("#game").options].some(({ value }) => value === game)) $("#game").add(new Option(game, game));
  const isOffered = (name) => (text) => [...$(`#${name}`).options].some(({ value }) => value === text);
  const makesSense = { engine: isOffered("engine"), playout: isOffered("playout"), c: (text) => isNumber(text, 0, GREATEST_C), seed: (text) => isWhole(text, 0, Infinity) };
  for (const name of FIELDS) {
    const value = address.read(name, (text) => text === "" || (makesSense[name]?.(text) ?? true));
    if (name === "c" && Number(value) > Number($("#c").max)) $("#c").max = GREATEST_C;
    if (name === "c" && !value) $("#c").value = CONSTANTS[$("#engine").value] ?? CONSTANTS.mcts;
    else if (value) $(`#${name}`).value = value;
  }
  if (!asks.has("game") && !asks.has("position")) $("#position").value = "a1"; // only one reply does not lose
  sayConstant();
  $("#shown-setup").textContent = sayedSetup();
  const isCount = (text) => text === "" || isWhole(text, 0, Infinity);
  $("#proofs").checked = address.read("proofs", (text) => text === "on" || text === "off") === "on";
  $("#rule").value = address.read("rule", isOffered("rule")) ?? "visits";
  enlargePlot(address.read("plot", (text) => text === "large") === "large");
  const at = Math.min(most, Number(address.read("at", isCount)));
  const step = Number(address.read("step", isCount));
  const simulations = Number(address.read("simulations", isCount)) || usual;
  return [Math.max(at + (step ? 1 : 0), Math.min(most, simulations)), at, step];
}

$("#c").addEventListener("input", sayConstant);
$("#engine").addEventListener("change", () => ($("#c").value = CONSTANTS[$("#engine").value] ?? $("#c").value));
$("#game").addEventListener("change", () => ($("#position").value = ""));
for (const name of ["game", "engine", "c", "playout", "proofs", "seed"]) $(`#${name}`).addEventListener("change", again);
$("#rule").append(...Object.entries(RULES).map(([value, { title }]) => new Option(title, value)));
$("#rule").addEventListener("change", () => recording && (plot.show(transport.t), remember()));
plot.rule = (...moment) => recommended($("#rule").value, ...moment);
$("#show-truth").addEventListener("click", () => {
  const { game, position } = recording.tree;
  wantsTruthOf = wantsTruthOf ? "" : `${game} ${position}`;
  askTruth();
});
guess.addEventListener("change", () => recording && askTruth());
function enlargePlot(on) {
  plot.isLarge = $("#main").toggleAttribute("data-plot", on);
  $("#large-plot").setAttribute("aria-pressed", plot.isLarge);
  const { activeElement } = document; // a move in the document takes the focus away
  if (plot.isLarge) $("#box").after($(".curves"));
  else $(".side").append($(".curves"));
  if ($(".curves").contains(activeElement)) activeElement.focus({ preventScroll: true });
}
$("#large-plot").addEventListener("click", () => {
  enlargePlot(!plot.isLarge);
  resized();
  if (recording) remember();
});
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input:not([type=checkbox], [type=range]), select, textarea");
  if (event.key === "v" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) $("#large-plot").click();
});
offerPictures($("#save"), $("#save-png"), "mcts", () => (plot.isLarge ? $("#plot svg") : tree.frame));
$("#link").addEventListener("click", () => copyLink($("#link"), new URL(`?${query()}`, location.href).href));
$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  again().then(closeOptions);
});
$("#setup").open = matchMedia("(min-width: 52rem)").matches && !document.documentElement.hasAttribute("data-presenter");

/** Draw anew after a change of size; the box changes with the window and with the size of the type. */
let resizing = 0;
function resized() {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(() => {
    tree.measure();
    if (!recording) return;
    plot.draw();
    draw(transport.t);
  });
}
addEventListener("resize", resized);
new ResizeObserver(resized).observe($("#box"));

globalThis.theatre = { get transport() { return transport; }, get recording() { return recording; } }; // for measurements and tests
load(...fromAddress());
