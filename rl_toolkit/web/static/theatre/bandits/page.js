/**
 * Bandits: pull arms by hand, watch a policy pull them, see the regret of many runs. All pulls come
 * from the server; the page adds up what it is given.
 */

import { isAbort, post } from "../../js/base/api.js";
import { $, h } from "../../js/base/dom.js";
import { counted } from "../../js/base/format.js";
import { Address, copyLink, isNumber, isWhole } from "../address.js";
import { chart } from "../experiments/pictures.js";
import { Guess } from "../guess.js";
import { Transport } from "../transport.js";
import { Arms } from "./arms.js";
import { draw } from "./curve.js";
import { Pulls, two } from "./tally.js";

const USUAL = [0.2, 0.5, 0.8, 0.35, 0.65, 0.1, 0.9, 0.45];
const MOST_BY_HAND = 200;
const ENDED = `${MOST_BY_HAND} pulls by hand are enough: start again, or watch a policy.`;

const state = { kind: "hidden", count: 3, means: USUAL.slice(), seed: 1, revealed: false, mode: "hand", chosen: [] };
let hand = new Pulls({ arms: null, count: 3, pulls: [] });
let watched = null;
let transport = null;
const guess = new Guess($("#guess"), "bandit");
const guessSwitch = guess.switch();
const waiting = new Map(); // the requests on their way, one of each kind

const arms = new Arms($("#arms"), { onPull: pull, onMean: setMean });

// ------------------------------------------------------------------------------- the server

/** The arms, as requests name them. */
const named = () => (state.kind === "own" ? { means: state.means.slice(0, state.count), seed: state.seed } : { hidden: state.count, seed: state.seed, ...(state.revealed && { reveal: true }) });

/** The answer of the server, null if a newer question of this kind was asked meanwhile. */
async function ask(kind, path, body) {
  waiting.get(kind)?.abort();
  const mine = new AbortController();
  waiting.set(kind, mine);
  document.body.setAttribute("aria-busy", "true");
  try {
    const answer = await post(path, body, mine.signal);
    $("#problem").hidden = true;
    return answer;
  } catch (error) {
    if (isAbort(error)) return null;
    $("#problem").textContent = error.message;
    $("#problem").hidden = false;
    return null;
  } finally {
    if (waiting.get(kind) === mine) waiting.delete(kind);
    if (!waiting.size) document.body.removeAttribute("aria-busy");
  }
}

// ---------------------------------------------------------------------------------- by hand

async function pull(arm) {
  if (state.mode !== "hand" || arm >= state.count) return;
  if (state.chosen.length >= MOST_BY_HAND) return tell(ENDED);
  state.chosen.push(arm);
  await refresh();
}

/** Ask for the pulls so far, and show them. */
async function refresh() {
  const answer = await ask("hand", "/api/bandits/pulls", { ...named(), policy: "hand", chosen: state.chosen });
  if (!answer) return;
  hand = new Pulls(answer);
  if (state.mode === "hand") showHand();
}

function showHand() {
  arms.show(hand, hand.length);
  const paid = hand.pulls.reduce((sum, [, reward]) => sum + reward, 0);
  const last = hand.pulls.at(-1);
  const words = last ? `Pull ${hand.length}: arm ${last[0] + 1} pays ${last[1]}. ${paid} paid in ${counted(hand.length, "pull")}.` : "Pull an arm.";
  tell(words);
  showRegret([], hand.regret(hand.length), hand.length);
}

function setMean(arm, mean) {
  state.means[arm] = mean;
  begin();
}

// -------------------------------------------------------------------------------- a policy

async function watch() {
  if (state.kind === "hidden" && !state.revealed) reveal();
  const policy = $("#policy").value;
  const options = { ...(policy === "epsilon" && { epsilon: Number($("#epsilon").value) }), ...(policy === "ucb1" && { c: Number($("#c").value) }) };
  const answer = await ask("policy", "/api/bandits/pulls", { ...named(), policy, count: Number($("#pulls").value), ...options });
  if (!answer || state.mode !== "policy") return;
  watched = new Pulls(answer);
  const recording = {
    length: watched.length + 1,
    render: (t) => showMoment(t, policy),
    sentence: (t) => watched.told[t] ?? watched.total,
    unit: "moment",
    // What Thompson sampling draws cannot be guessed.
    onAsk: (t) => policy === "thompson" ? null : guess.ask(t, { pulls: watched, policy: $("#policy").selectedOptions[0].text }),
  };
  guess.close();
  if (transport) transport.load(recording);
  else transport = new Transport($("#transport"), recording);
  $("#transport").append(guessSwitch);
  $("#transport").hidden = false;
  transport.go(first);
  first = 0;
  $("#arms").dataset.policy = policy;
}

let first = 0; // the moment that the address asks for

/** The address that shows these arms, this policy and this moment again. */
function query() {
  const arms = state.kind === "own" ? { means: state.means.slice(0, state.count).join(",") } : { arms: state.count };
  const found = new URLSearchParams({ ...arms, seed: state.seed });
  if (state.mode !== "policy") return found;
  const policy = $("#policy").value;
  found.set("policy", policy);
  found.set("pulls", $("#pulls").value);
  if (policy === "epsilon") found.set("epsilon", $("#epsilon").value);
  if (policy === "ucb1") found.set("c", $("#c").value);
  if (transport?.t) found.set("at", transport.t + 1);
  return found;
}

/** Moment t: the choice of pull t + 1; the last one: what came of all pulls. */
function showMoment(t, policy) {
  const atEnd = t >= watched.length;
  arms.show(watched, t, { policy, choice: !atEnd });
  $("#sentence").textContent = watched.told[t] ?? watched.total;
  const upTo = Math.min(t + 1, watched.length);
  showRegret(watched.regret(upTo), hand.regret(hand.length), watched.length);
}

// ---------------------------------------------------------------------------------- regret

function showRegret(policy, mine, of) {
  const lines = [];
  if (policy?.length) lines.push({ name: "line", values: policy, of });
  if (mine?.length) lines.push({ name: "mine", values: mine, of: mine.length });
  draw($("#regret"), lines);
  const said = [];
  if (policy?.length) said.push(`The policy: ${two(policy.at(-1))} after ${counted(policy.length, "pull")}.`);
  if (mine?.length) said.push(`You: ${two(mine.at(-1))} after ${counted(mine.length, "pull")} (dashed).`);
  if (hand.arms === null) said.push("Your regret is known once the arms are revealed.");
  $("#regret-now").textContent = said.join(" ");
}

async function many(event) {
  event.preventDefault();
  if (state.kind === "hidden" && !state.revealed) reveal();
  $("#many-state").textContent = "Pulling …";
  $("#run-many").disabled = true;
  const { reveal: _, ...arms } = named();
  const answer = await ask("many", "/api/bandits/regret", { ...arms, count: Number($("#many-pulls").value) });
  $("#run-many").disabled = false;
  $("#many-state").textContent = answer ? "Done." : "";
  if (!answer) return;
  $("#chart").replaceChildren(...chart(answer.svg, answer.chart));
  $("#many-table").replaceChildren(
    h("caption", { text: answer.title }),
    h("thead", {}, h("tr", {}, ...answer.head.map((text) => h("th", { scope: "col", text })))),
    h("tbody", {}, ...answer.rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row", text: name }), ...cells.map((text) => h("td", { text }))))),
  );
  $("#many-box").hidden = false;
}

// -------------------------------------------------------------------------------- the page

function tell(text) {
  $("#sentence").textContent = text;
  $("#announcer").textContent = text;
}

function reveal() {
  state.revealed = true;
  $("#reveal").disabled = true;
  refresh();
}

/** Other arms, or the same again: nothing has been pulled. */
function begin() {
  state.chosen = [];
  state.revealed = state.kind === "own";
  $("#reveal").hidden = state.kind === "own";
  $("#reveal").disabled = false;
  $("#new-arms").textContent = state.kind === "own" ? "New luck" : "New arms and luck";
  $("#chart").replaceChildren();
  $("#many-box").hidden = true;
  $("#many-state").textContent = "";
  $("#last-key").textContent = state.count;
  arms.build(state.count, state.kind === "own" ? state.means : null);
  hand = new Pulls({ arms: state.kind === "own" ? state.means.slice(0, state.count) : null, count: state.count, pulls: [] });
  if (state.mode === "hand") showHand();
  else watch();
}

function choose(mode) {
  state.mode = mode;
  transport?.pause();
  $("#by-hand").setAttribute("aria-pressed", mode === "hand");
  $("#by-policy").setAttribute("aria-pressed", mode === "policy");
  $("#policy-form").hidden = $("#transport").hidden = mode !== "policy";
  $("#hand-row").hidden = mode !== "hand";
  if (guess.open) guess.close();
  return mode === "hand" ? showHand() : watch();
}

function showOptions() {
  $("#epsilon-box").hidden = $("#policy").value !== "epsilon";
  $("#c-box").hidden = $("#policy").value !== "ucb1";
  $("#epsilon-shown").textContent = two(Number($("#epsilon").value));
  $("#c-shown").textContent = two(Number($("#c").value));
}

$("#count").addEventListener("change", () => {
  state.count = Number($("#count").value);
  begin();
});
for (const radio of document.querySelectorAll("[name=kind]"))
  radio.addEventListener("change", () => {
    state.kind = radio.value;
    begin();
  });
$("#new-arms").addEventListener("click", () => {
  state.seed = (state.seed * 48271) % 2147483647;
  begin();
});
$("#reveal").addEventListener("click", reveal);
$("#again").addEventListener("click", begin);
$("#by-hand").addEventListener("click", () => choose("hand"));
$("#by-policy").addEventListener("click", () => choose("policy"));
for (const id of ["#policy", "#pulls", "#epsilon", "#c"]) $(id).addEventListener("change", () => (showOptions(), watch()));
for (const id of ["#epsilon", "#c"]) $(id).addEventListener("input", showOptions);
for (const form of ["#setup", "#policy-form"]) $(form).addEventListener("submit", (event) => event.preventDefault());
$("#many").addEventListener("submit", many);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input:not([type=radio])")) return;
  if (/^[1-8]$/.test(event.key)) pull(Number(event.key) - 1);
});

/** `?seed=7&arms=4` begins with those; `?means=0.2,0.5,0.8` with arms that are set. */
const address = new Address(location.search);
state.seed = Number(address.read("seed", (text) => isWhole(text, 1, 2147483646)) ?? state.seed);
state.count = Number(address.read("arms", (text) => isWhole(text, 2, 8)) ?? state.count);
const areMeans = (texts) => texts.length >= 2 && texts.length <= 8 && texts.every((text) => isNumber(text, 0, 1));
const means = address.read("means", (text) => areMeans(text.split(",")))?.split(",").map(Number);
if (means) {
  Object.assign(state, { kind: "own", count: means.length, means: [...means, ...USUAL].slice(0, 8) });
  $("[name=kind][value=own]").checked = true;
}
$("#count").value = state.count;
const isOffered = (id) => (text) => [...$(id).options].some(({ value }) => value === text);
const policy = address.read("policy", isOffered("#policy"));
for (const [name, fits] of [["pulls", isOffered("#pulls")], ["epsilon", (text) => isNumber(text, 0, 1)], ["c", (text) => isNumber(text, 0, 4)]])
  $(`#${name}`).value = address.read(name, fits) ?? $(`#${name}`).value;
first = Number(address.read("at", (text) => isWhole(text, 1, 501)) ?? 1) - 1;
if (policy) $("#policy").value = policy;
showOptions();
begin();
const shown = policy && choose("policy");
$("#link").addEventListener("click", () => copyLink($("#link"), new URL(`?${query()}`, location.href).href));
$("#problem").textContent = address.complaint();
$("#problem").hidden = !$("#problem").textContent;
await shown; // the keys that step through the pulls come with them
document.body.dataset.ready = "yes";
