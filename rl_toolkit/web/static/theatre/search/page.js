/** The stage of minimax and alpha-beta: asks for a trace, and shows any moment of it. */

import { isAbort, post } from "../../js/base/api.js";
import { $, h } from "../../js/base/dom.js";
import { copyLink } from "../address.js";
import { Guess } from "../guess.js";
import { offerPictures } from "../picture.js";
import { closeOptions } from "../presenter.js";
import { Strip } from "../strip.js";
import { Transport } from "../transport.js";
import { Compare } from "./compare.js";
import { Model } from "./model.js";
import { put } from "./put.js";
import { EXAMPLES, Settings } from "./settings.js";
import { Side } from "./side.js";
import { Stage } from "./stage.js";

const SOON = 400; // milliseconds after which a search is said to be on its way

class Page {
  #asking = new AbortController();
  #memory = {};
  #answered = false; // whether the next moment shown is that of a question
  model = null;

  constructor() {
    this.settings = Settings.fromAddress(location.search);
    this.stage = new Stage($("#stage"));
    this.side = new Side();
    this.strip = new Strip($("#strip"), (t) => this.#jump(t));
    this.guess = new Guess($("#guess"), "minimax");
    this.compare = new Compare($("#rivals"), (place) => this.#jump(place));
    this.guessSwitch = this.guess.switch();
    $("#example").append(h("option", { value: "-1" }, "Examples"), ...EXAMPLES.map(({ name }, k) => h("option", { value: k }, name)));
    $("#game").append(h("option", { value: "tree" }, "A tree"));
    this.#listen();
  }

  async start() {
    this.settings.show();
    $("#compare").checked = this.settings.compare;
    await this.load(this.settings.t);
    document.body.dataset.ready = "yes";
  }

  /**
   * Ask for the trace that the settings name, and show moment t; a newer request takes the place of an
   * older. With `keep` the moment is the one that is most like the one shown, if the position is.
   */
  async load(t = 0, { keep = false } = {}) {
    const kept = keep && this.model && this.shown?.isSamePosition(this.settings) && $("#main").dataset.mode === "stage";
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    document.body.classList.add("waiting");
    clearTimeout(this.slow);
    this.slow = setTimeout(() => {
      $("#searching").hidden = false;
      $("#notice").textContent = "Searching …";
    }, SOON);
    this.transport?.pause();
    try {
      const answer = await post("/api/trace", this.settings.request(), signal);
      const model = new Model(answer);
      const like = kept && model.like(this.model, this.transport.t);
      this.#take(model, like ? like.t : t);
      this.shown = this.settings.copy();
      this.#complain([...model.data.notes.map((note) => `${note}.`), like ? astray(model, like) : ""].filter(Boolean).join(" "), true);
      this.#blame(answer.faults ?? []);
      // Beside a student's search stand the lines of the textbook, which are not the lines that run.
      $("#code-title").textContent = this.settings.own ? "The textbook's lines" : "What runs";
      history.replaceState(null, "", this.settings.address(0));
      if (this.settings.compare) await this.#compare(signal);
    } catch (error) {
      if (isAbort(error)) return;
      this.#refuse(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
    } finally {
      if (!signal.aborted) this.#waited();
    }
  }

  /** Give up the search that is asked for; what was shown before stays. */
  stop() {
    this.#asking.abort();
    this.#waited();
    if ($("#main").dataset.mode === "compare") {
      this.settings.compare = this.shown.compare = $("#compare").checked = false;
      this.#take(this.model, 0);
      this.#complain("Stopped.", true);
    } else this.#refuse("Stopped.");
  }

  #waited() {
    clearTimeout(this.slow);
    $("#searching").hidden = true;
    document.body.classList.remove("waiting");
  }

  /** Say why there is no such search; without one before, the sentence is all there is. */
  #refuse(sentence) {
    if (!this.model) $("#main").dataset.mode = "none";
    this.#complain(this.model ? `${sentence} The search shown is the one before.` : sentence);
  }

  #take(model, t) {
    this.model = model;
    this.#memory = {};
    document.body.dataset.style = model.look.style;
    $("#main").dataset.mode = "stage";
    $("#stage").hidden = $("#strip").hidden = false;
    $("#rivals").hidden = true;
    this.stage.leaves = this.settings.leaves && model.leaves !== null;
    $(".leaves-switch").hidden = model.leaves === null;
    this.stage.load(model);
    this.#showWhole();
    this.side.load(model);
    this.strip.load(model);
    $("#strip").setAttribute("aria-valuemax", model.T);
    const { answer, engine } = model.data;
    $("#plain").textContent = answer.plain === null ? "too many to count" : answer.plain.toLocaleString("en");
    $(".counts .cuts").hidden = !model.prunes;
    $(".counts .hits").classList.toggle("unused", !engine.options.memoization);
    const hasHits = model.hitEvents.length > 0;
    const { depth } = engine.options;
    $("#depth").options[0].textContent = this.settings.depth === "fit" && depth !== null ? `what fits: ${depth}` : "what fits";
    this.#transport({
      length: model.T,
      render: (at) => this.render(at),
      sentence: (at) => model.sentence(at),
      marks: [
        model.prunes && { name: "nextCut", label: "Next ✂", key: "c", title: "To the next cut", at: model.cutEvents },
        hasHits && { name: "nextHit", label: "Next ◆", key: "h", title: "To the next hit of the table", at: model.hitEvents },
      ].filter(Boolean),
      jumps: [
        { name: "over", label: "Over ⤵", key: "ArrowDown", title: "To where this node comes back", to: (at) => (model.closes[model.node[at]] > at ? model.closes[model.node[at]] : at + 1) },
        { name: "out", label: "Out ⤴", key: "ArrowUp", title: "To where its parent goes on", to: (at) => (model.node[at] ? model.closes[model.node[at]] + 1 : model.T - 1) },
      ],
      onAsk: (at) => this.guess.ask(at, model),
      unit: "event",
      slider: false,
    });
    this.transport.go(t);
  }

  async #compare(signal) {
    $("#main").dataset.mode = "compare";
    $("#stage").hidden = $("#strip").hidden = true;
    $("#rivals").hidden = false;
    // All to the depth that the trace on stage has, but those with their own.
    const depth = this.settings.tree === null ? (this.model.data.engine.options.depth ?? "") : "";
    if (!(await this.compare.load(this.settings, depth, signal))) return;
    this.#transport({
      length: this.compare.length,
      render: (place) => this.compare.render(place),
      sentence: (place) => this.compare.sentence(place),
      unit: "position",
      slider: true,
      onAsk: null,
    });
    this.transport.go(this.compare.length - 1);
  }

  /** After a switch of one strip: only what is new is searched. */
  async #compareAgain() {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    try {
      await this.#compare(signal);
    } catch (error) {
      if (!isAbort(error)) this.#complain(`${error.message}.`);
    } finally {
      if (!signal.aborted) this.#waited();
    }
  }

  #transport(options) {
    if (this.transport) this.transport.load(options);
    else this.transport = new Transport($("#transport"), options);
    if (options.unit === "event") this.transport.count.before(this.guessSwitch);
  }

  /** Moment t: everything that is shown follows from it. */
  render(t) {
    const { model } = this;
    this.stage.render(t);
    this.side.render(t, this.stage.looked);
    this.strip.render(t);
    if (!this.#answered) this.guess.close(); // an answer stays beside the moment that it is about
    this.#answered = false;
    const put_ = (id, text) => put(this.#memory, id, text, (value) => ($(id).textContent = value));
    put_("#seen", model.seen[t].toLocaleString("en"));
    put_("#saved", model.saved[t].toLocaleString("en") + (model.countsSaved ? "" : "+"));
    put_("#cuts", model.cutCount[t].toLocaleString("en"));
    put_("#cuts-word", model.cutCount[t] === 1 ? "cut" : "cuts");
    put_("#hits", model.hitCount[t].toLocaleString("en"));
    put_("#hits-word", model.hitCount[t] === 1 ? "hit" : "hits");
    put_("#spared", model.spared[t].toLocaleString("en") + (model.countsSpared ? "" : "+"));
    const { plain } = model.data.answer;
    put(this.#memory, "bar", `${model.seen[t]} ${model.saved[t]}`, () => {
      const [seen, saved] = document.querySelectorAll(".saving i");
      seen.style.width = `${(100 * model.seen[t]) / (plain ?? Infinity)}%`;
      saved.style.width = `${(100 * model.saved[t]) / (plain ?? Infinity)}%`;
    });
    $("#strip").setAttribute("aria-valuenow", t + 1);
    $("#strip").setAttribute("aria-valuetext", model.sentence(t));
  }

  #jump(t) {
    this.transport.pause();
    this.transport.go(t);
  }

  /** Say what is wrong, or what the trace leaves out; the first time also what the address says amiss. */
  #complain(text, isNote = false) {
    const all = [this.settings.complaint?.(), text].filter(Boolean).join(" ");
    $("#problem").textContent = all;
    $("#problem").classList.toggle("note", isNote);
    $("#problem").hidden = !all;
  }

  /** Point at the first fault of a student's search. */
  #blame([fault]) {
    $("#fault").hidden = !fault;
    if (!fault) return;
    $("#fault-text").textContent = [fault.text, $("#problem").textContent].join(" ");
    $("#problem").hidden = true; // both have the same place
    $("#to-fault").onclick = () => this.#jump(fault.event);
  }

  #listen() {
    const again = (keep) => {
      this.settings.read();
      this.settings.show();
      return this.load(0, { keep });
    };
    const keeping = () => again(true);
    $("#what").addEventListener("submit", (event) => {
      event.preventDefault();
      again(true).then(closeOptions);
    });
    $("#game").addEventListener("change", () => {
      $("#position").value = $("#game").value === "tree" ? EXAMPLES.at(-1).tree : "";
      again();
    });
    $("#example").addEventListener("change", () => {
      const example = EXAMPLES[$("#example").value];
      if (!example) return;
      this.settings.takeExample(example);
      this.settings.show();
      this.load();
    });
    for (const box of document.querySelectorAll("[data-option]")) box.addEventListener("change", keeping);
    $("#depth").addEventListener("change", keeping);
    $("#engine")?.addEventListener("change", () => again());
    $("#leaves").addEventListener("change", () => {
      this.settings.leaves = $("#leaves").checked;
      if (this.shown) this.shown.leaves = this.settings.leaves;
      this.stage.showLeaves(this.settings.leaves);
    });
    offerPictures($("#save"), $("#save-png"), "search", () => this.stage.root);
    $("#compare").addEventListener("change", () => {
      this.settings.compare = $("#compare").checked;
      this.load();
    });
    this.compare.addEventListener("change", ({ detail }) => {
      this.settings.strips = this.shown.strips = detail;
      history.replaceState(null, "", this.settings.address(0));
      this.#compareAgain();
    });
    this.stage.addEventListener("choose", ({ detail }) => this.#jump(detail));
    this.stage.addEventListener("look", ({ detail }) => this.#look(detail));
    this.guess.addEventListener("answer", () => (this.#answered = true));
    this.guess.addEventListener("change", () => {
      this.strip.blind = this.guess.on; // what is to come would tell the answer
      this.transport.go(this.transport.t);
    });
    $("#zoom-in").addEventListener("click", () => this.stage.zoomBy(1.2));
    $("#zoom-out").addEventListener("click", () => this.stage.zoomBy(1 / 1.2));
    $("#whole").addEventListener("click", () => {
      this.stage.toggleWhole();
      this.#showWhole();
    });
    $("#fold").addEventListener("click", () => this.stage.toggleRows());
    $("#wide").addEventListener("click", () => this.#wide());
    $("#link").addEventListener("click", () => this.#copyLink());
    $("#stop").addEventListener("click", () => this.stop());
    addEventListener("keydown", (event) => this.#key(event), { capture: true });
    addEventListener("resize", () => this.#measure());
  }

  #look(slot) {
    const { model, transport } = this;
    const n = model.node[transport.t];
    this.side.look(slot ?? { key: n, node: n, up: model.parent[n] });
  }

  #showWhole() {
    $("#whole").hidden = this.stage.tidy === null;
    $("#whole").setAttribute("aria-pressed", this.stage.whole);
    $("#fold").hidden = this.stage.whole;
  }

  #wide() {
    // Before a class the stage has the whole width, and this shows code, stack and board beside it.
    const presents = document.documentElement.hasAttribute("data-presenter");
    const on = $("#main").toggleAttribute(presents ? "data-beside" : "data-wide");
    $("#wide").setAttribute("aria-pressed", on !== presents);
  }

  #measure() {
    if (!this.model) return;
    if ($("#main").dataset.mode === "compare") return this.compare.measure();
    this.strip.measure(); // the stage sees for itself
  }

  async #copyLink() {
    const at = $("#main").dataset.mode === "stage" ? this.transport.t : 0;
    await copyLink($("#link"), new URL((this.shown ?? this.settings).address(at), location.href).href);
    $("#notice").textContent = $("#link").textContent;
  }

  /** Shift with an arrow looks at another card, Enter goes there, Escape looks back; + − zoom, w is full width, l low rows. */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.model) return;
    if (event.target.matches?.("input:not([type=checkbox]), select, textarea")) return;
    if ($("#main").dataset.mode !== "stage") return;
    const beside = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const act = {
      "+": () => this.stage.zoomBy(1.2),
      "-": () => this.stage.zoomBy(1 / 1.2),
      0: () => this.stage.zoomBy(0),
      w: () => this.#wide(),
      l: () => this.stage.toggleRows(),
    }[event.key];
    if (event.shiftKey && beside) {
      this.stage.lookBeside(...beside);
      this.transport.say(this.#told(this.stage.looked));
    } else if (event.key === "Enter" && this.stage.looked && event.target.matches?.("body, #stage, #strip")) this.stage.choose(this.stage.looked);
    else if (event.key === "Escape" && this.stage.looked) {
      this.stage.lookAt(null);
      this.transport.say(this.model.sentence(this.transport.t));
    } else if (act && (!event.shiftKey || event.key === "+")) act();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A card in words. */
  #told(slot) {
    const { model, transport } = this;
    if (!slot) return "";
    const name = slot.node === 0 ? "start" : model.named(slot.move);
    if (slot.node < 0) return transport.t >= slot.cut ? `${name}: left out` : `${name}: not yet`;
    if (transport.t < model.opens[slot.node]) return `${name}: not yet`;
    if (transport.t < model.closes[slot.node]) return `${name}: being searched`;
    return `${name}: ${model.saysNothing(slot.node) ? "any result" : model.verdict(slot.node)}`;
  }
}

/** Why the moment that was shown is not in this search; "" if it is. */
function astray(model, { reached, wanted, leftOut, move, t }) {
  if (reached === wanted) return "";
  const name = model.named(move);
  const where = model.line(model.node[t]);
  const place = where === "start" ? "at the start" : `after ${where}`;
  return leftOut ? `With these options ${name} ${place} is left out: this is the cut.` : `With these options ${name} ${place} is not visited.`;
}

const page = new Page();
globalThis.theatre = page; // for measurements and tests
page.start();
