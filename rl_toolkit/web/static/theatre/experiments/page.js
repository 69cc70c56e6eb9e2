/** The page of one experiment: run, watch, stop, and save what there is. */

import { isAbort, post, stream } from "../../js/base/api.js";
import { $, h } from "../../js/base/dom.js";
import { chart } from "./pictures.js";
import { saveAs } from "./save.js";

const ID = document.body.dataset.experiment;
const form = $("#settings");
const fields = [...form.querySelectorAll("[name]")];
let result = null; // the latest answer
let running = null; // the AbortController of the run

/** The settings that differ from the defaults, as they are typed. */
const changed = () =>
  Object.fromEntries(
    fields.filter((f) => f.value.trim() !== f.dataset.default).map((f) => [f.name, f.value.trim()]),
  );

async function run() {
  if (running) return;
  const now = (running = new AbortController());
  const asked = changed();
  history.replaceState(null, "", `?${new URLSearchParams(asked)}`.replace(/\?$/, location.pathname));
  $("#refused").hidden = true;
  busy(true);
  tell("Starting …");
  say(`${document.title}: started.`);
  try {
    for await (const { name, data } of stream(`/api/experiments/${ID}`, asked, now.signal)) {
      if (name === "queued") tell(data.ahead ? `Waiting: ${data.ahead} before you.` : "Waiting …");
      else if (name === "progress") progress(data);
      else show(data, name === "done");
    }
  } catch (error) {
    if (isAbort(error)) return;
    tell("");
    $("#refused").textContent = error.message;
    $("#refused").hidden = false;
  } finally {
    running = null;
    busy(false);
  }
}

function busy(on) {
  $("#run").disabled = on;
  $("#stop-run").disabled = !on;
  $("#bar").hidden = !on;
  $("#bar").removeAttribute("value");
  $("#result").setAttribute("aria-busy", on);
  document.body.dataset.running = on ? "yes" : "no";
}

function progress({ done, total, what }) {
  const bar = $("#bar");
  if (total) {
    bar.max = total;
    bar.value = done;
  } else bar.removeAttribute("value");
  tell(total ? `${done.toLocaleString("en")} of ${total.toLocaleString("en")}: ${what}` : what);
}

function show(answer, isLast) {
  result = answer;
  $("#result").hidden = false;
  $("#result-title").textContent = answer.title;
  $("#command").textContent = answer.command;
  $("#table").replaceChildren(
    h("caption", { class: "hidden-text", text: answer.title }),
    h("thead", {}, h("tr", {}, ...answer.head.map((text) => h("th", { scope: "col", text })))),
    h("tbody", {}, ...answer.rows.map(row)),
  );
  $("#chart").replaceChildren(...chart(answer.svg, answer.chart));
  $("#remarks").replaceChildren(...answer.remarks.map((text) => h("li", { text })));
  $("#stopped").hidden = !answer.stopped;
  $("#stopped").textContent = answer.stopped;
  if (!isLast) return;
  tell(answer.stopped ? "" : "Done.");
  say(answer.stopped || `Done: ${answer.title}.`);
}

const row = ([name, ...cells]) =>
  h("tr", {}, h("th", { scope: "row", text: name }), ...cells.map((text) => h("td", { text })));

const tell = (text) => ($("#state").textContent = text);
const say = (text) => ($("#announcer").textContent = text);

async function stop() {
  $("#stop-run").disabled = true;
  tell("Stopping …");
  try {
    await post("/api/experiments/stop", {});
  } catch (error) {
    tell(error.message);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
$("#stop-run").addEventListener("click", stop);
$("#csv").addEventListener("click", () => saveAs(`${ID}.csv`, result.csv, "text/csv"));
$("#svg").addEventListener("click", () => saveAs(`${ID}.svg`, result.svg.light, "image/svg+xml"));

/** An address may hold settings, and `run`, which starts at once. */
const address = new URLSearchParams(location.search);
for (const field of fields) if (address.has(field.name)) field.value = address.get(field.name);
document.body.dataset.running = "no";
document.body.dataset.ready = "yes";
if (address.has("run")) run();
