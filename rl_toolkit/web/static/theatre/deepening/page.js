/**
 * Iterative deepening: one strip for each depth, on one scale, one after the other. Every strip is the
 * trace of the search that ran; a moment is one more position visited, whatever the depth.
 */

import { isAbort, post } from "../../js/base/api.js";
import { $, h } from "../../js/base/dom.js";
import { counted } from "../../js/base/format.js";
import { Address, copyLink, isWhole } from "../address.js";
import { Model, eventAfter } from "../search/model.js";
import { closeOptions } from "../presenter.js";
import { Strip } from "../strip.js";
import { Transport } from "../transport.js";

const EXAMPLE = { game: "connect-four", position: "4453" };
let asking = new AbortController();
let rows = []; // { model, strip, row, count, state, from }: `from` positions were visited before
let told = [];
let total = 0;
let transport = null;

const wanted = () => ({ game: $("#game").value, ...($("#position").value.trim() && { position: $("#position").value.trim() }), depth: Number($("#depth").value), ordering: $("#ordering").checked });

async function load(t = 0) {
  asking.abort();
  const { signal } = (asking = new AbortController());
  document.body.classList.add("waiting");
  try {
    const answer = await post("/api/deepening", wanted(), signal);
    take(answer, t);
    complain("");
  } catch (error) {
    if (isAbort(error)) return;
    complain(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
  } finally {
    if (!signal.aborted) document.body.classList.remove("waiting");
    document.body.dataset.ready = "yes";
  }
}

function complain(text) {
  const all = [address.complaint(), text].filter(Boolean).join(" ");
  $("#problem").textContent = all;
  $("#problem").hidden = !all;
}

function take({ searches, told: sentences, look }, t) {
  told = sentences;
  total = 0;
  document.body.dataset.style = look.style;
  rows = searches.map((trace, k) => {
    const model = new Model({ trace, told: null, look });
    const made = row(model, k, total);
    total += model.seen[model.T - 1];
    return made;
  });
  $("#depths").replaceChildren(...rows.map((each) => each.row));
  const widest = Math.max(...rows.map(({ model }) => model.seen[model.T - 1]));
  for (const { strip, model } of rows) strip.load(model, { by: "node", total: widest });
  const options = {
    length: total + 1, // the last moment is the price of all of them
    render,
    sentence,
    unit: "position",
    marks: [{ name: "nextDepth", label: "Next depth", key: "d", title: "To the end of the next depth", at: rows.map(({ model, from }) => from + model.seen[model.T - 1] - 1) }],
  };
  if (transport) transport.load(options);
  else transport = new Transport($("#transport"), options);
  transport.go(t);
}

function row(model, k, from) {
  const [count, state] = [h("b", { text: "0" }), h("span")];
  const canvas = h("canvas", { "aria-hidden": "true" });
  const element = h("div", {}, h("p", {}, h("strong", { text: `Depth ${k + 1}` }), " · ", count, h("br"), state), canvas);
  return { model, row: element, count, state, from, strip: new Strip(canvas, (place) => jump(from + place)) };
}

function jump(t) {
  transport.pause();
  transport.go(t);
}

/** The depth that runs at a moment; one past the last at the end. */
function depthAt(t) {
  return t >= total ? rows.length : rows.findLastIndex(({ from }) => from <= t);
}

function render(t) {
  const now = depthAt(t);
  rows.forEach(({ model, strip, row: element, count, state, from }, k) => {
    const visited = Math.max(0, Math.min(model.seen[model.T - 1], t + 1 - from));
    const event = visited ? eventAfter(model, visited) : 0;
    strip.render(event);
    const done = visited === model.seen[model.T - 1];
    element.className = k > now ? "ahead" : k === now ? "now" : "";
    count.textContent = counted(visited, "position");
    const line = model.data.answer.line;
    state.textContent = done ? `${line.length ? model.data.names[line[0]] : "no move"}, ${model.text(model.value[model.T - 1])}` : visited ? "searching" : "";
  });
  $("#where").textContent = now < rows.length ? `Depth ${now + 1}` : "The price";
  $("#sentence").textContent = sentence(t);
}

function sentence(t) {
  const now = depthAt(t);
  if (now >= rows.length) return told.at(-1);
  const { model, from } = rows[now];
  if (t + 1 - from === model.seen[model.T - 1]) return told[now];
  return now ? told[now - 1] : "The search looks one ply ahead first.";
}

function query() {
  const { ordering, ...rest } = wanted();
  const found = new URLSearchParams({ ...rest, ...(!ordering && { ordering: "off" }) });
  if (transport?.t) found.set("t", transport.t + 1);
  return found;
}

const address = new Address(location.search);
const asks = address.query;
const game = asks.get("game") ?? EXAMPLE.game;
if (![...$("#game").options].some(({ value }) => value === game)) $("#game").add(new Option(game, game));
$("#game").value = game;
$("#position").value = asks.get("position") ?? (asks.has("game") ? "" : EXAMPLE.position);
$("#depth").value = address.read("depth", (text) => [...$("#depth").options].some(({ value }) => value === text)) ?? $("#depth").value;
$("#ordering").checked = address.read("ordering", (text) => text === "on" || text === "off") !== "off";
$("#what").addEventListener("submit", (event) => {
  event.preventDefault();
  load().then(closeOptions);
});
$("#game").addEventListener("change", () => {
  $("#position").value = "";
  load();
});
for (const id of ["#depth", "#ordering"]) $(id).addEventListener("change", () => load());
$("#link").addEventListener("click", () => copyLink($("#link"), new URL(`?${query()}`, location.href).href));
new ResizeObserver(() => rows.forEach(({ strip }) => strip.measure())).observe($("#depths"));
globalThis.theatre = { get transport() { return transport; }, get rows() { return rows; }, get told() { return told; } }; // for tests
load(Number(address.read("t", (text) => isWhole(text, 1, Infinity)) ?? 1) - 1);
