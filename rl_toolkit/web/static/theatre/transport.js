/**
 * The transport of a theatre: step, back, play, speed, jumps, keys, and the sentence for a screen
 * reader.
 *
 *   const transport = new Transport(box, {
 *     length,        // the number of moments; t runs from 0 to length - 1
 *     render(t),     // draws moment t: a pure function of t, there is no undo
 *     sentence(t),   // moment t as a sentence, for the live region and the slider
 *     marks,         // optional: [{ name, label, key, title, at: [t, …] }], moments to jump to;
 *                    //   the key with Shift jumps to the one before
 *     jumps,         // optional: [{ name, label, key, title, to(t) }], other jumps
 *     onAsk(t),      // optional: asked before a step shows moment t; a promise holds the step until
 *                    //   it resolves to the moment to show, null lets it pass. Jumps and fast play
 *                    //   do not ask.
 *     unit,          // optional: what is counted, "event" unless told
 *     slider,        // optional: false where the page has a scrub bar of its own
 *   });
 *
 * `transport.t`, `go(t)`, `step()`, `back()`, `play()`, `pause()`; `load(options)` shows another
 * recording with the same buttons, `say(text)` speaks to a screen reader. It fires "move" after each
 * moment shown. Keys: → ← step, Space play, Home and End, those of marks and jumps; never while
 * somebody types. Buttons have `data-do` with their names: start, back, step, play, end, and those of
 * marks and jumps.
 */

import { h } from "../js/base/dom.js";

/** Moments a second. */
export const SPEEDS = [0.5, 1, 2, 5, 15, 60, 400];
const USUAL = 2;
const QUIET = 2; // above so many moments a second the live region is silent
const ASKED = 5; // above so many nothing is asked

/** The keys of a presenter's remote, before a class. */
const REMOTE = { PageDown: "ArrowRight", PageUp: "ArrowLeft" };

export class Transport extends EventTarget {
  #timer = 0;
  #holding = false;
  #buttons = {};

  constructor(box, options) {
    super();
    this.box = box;
    box.classList.add("transport");
    this.live = h("p", { class: "hidden-text", "aria-live": "polite", "data-role": "live" });
    this.count = h("span", { class: "moment" });
    this.speed = h("input", { type: "range", min: 0, max: SPEEDS.length - 1, value: USUAL, "aria-label": "Speed", on: { input: () => this.#timer && this.#run() } });
    addEventListener("keydown", (event) => this.#key(event));
    this.load(options);
  }

  /** Show another recording; the buttons are made anew, the moment is 0. */
  load(options) {
    this.pause();
    this.#holding = false;
    Object.assign(this, { marks: [], jumps: [], onAsk: null, unit: "event", slider: true }, options);
    this.t = 0;
    this.#build();
    this.go(0);
  }

  go(t) {
    this.#holding = false;
    this.t = Math.max(0, Math.min(this.length - 1, Math.round(t)));
    this.#show();
  }

  /** One moment on; a question may come first. */
  step() {
    if (this.#holding) return;
    const next = this.t + 1;
    if (next >= this.length) return this.pause();
    const asked = this.rate <= ASKED || !this.playing ? this.onAsk?.(next) : null;
    if (!asked) return this.go(next);
    this.pause();
    this.#holding = true;
    const here = this.t;
    asked.then((to) => {
      if (this.#holding && this.t === here) this.go(to ?? next);
    });
  }

  back() {
    this.pause();
    this.go(this.t - 1);
  }

  get playing() {
    return this.#timer !== 0;
  }

  get rate() {
    return SPEEDS[this.speed.value];
  }

  play() {
    if (this.t >= this.length - 1) this.go(0);
    this.#run();
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#label();
  }

  say(text) {
    if (this.live.textContent !== text) this.live.textContent = text;
  }

  /** The button of that name: `transport.button("step")`. */
  button(name) {
    return this.#buttons[name];
  }

  // ------------------------------------------------------------------------------- inside

  #run() {
    clearInterval(this.#timer);
    const { rate } = this;
    const each = Math.max(1, Math.round(rate / 60)); // no more than 60 pictures a second
    this.#timer = setInterval(() => {
      if (this.t + 1 >= this.length) this.pause();
      else if (each > 1) this.go(this.t + each);
      else this.step();
    }, (1000 / rate) * each);
    this.#label();
  }

  #label() {
    const play = this.#buttons.play;
    if (!play) return;
    play.textContent = this.playing ? "Pause" : "Play";
    play.setAttribute("aria-pressed", this.playing);
  }

  #build() {
    const button = (name, label, title, key, act, more = "") => {
      const made = h("button", { type: "button", "data-do": name, title: key ? `${title} (${key})` : title, "aria-label": /[a-z]/i.test(label) ? null : title, class: more, text: label, on: { click: act } });
      this.#buttons[name] = made;
      return made;
    };
    this.#buttons = {};
    this.acts = {
      Home: () => this.#jump(0),
      End: () => this.#jump(this.length - 1),
      ArrowRight: () => this.#stepByHand(),
      ArrowLeft: () => this.back(),
      " ": () => (this.playing ? this.pause() : this.play()),
    };
    for (const { key, to } of this.jumps) if (key) this.acts[key] = () => this.#jump(to(this.t));
    for (const { key, at } of this.marks)
      if (key) {
        this.acts[key] = () => this.#jump(after(at, this.t) ?? this.length - 1);
        this.acts[key.toUpperCase()] = () => this.#jump(before(at, this.t) ?? 0);
      }
    const shown = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
    const extras = [...this.jumps, ...this.marks].map(({ name, label, title, key }) =>
      button(name, label, title, shown[key] ?? key, () => this.acts[key](), "extra"));
    this.range = this.slider
      ? h("input", { type: "range", class: "scrub", min: 0, max: Math.max(0, this.length - 1), value: 0, "aria-label": `${this.unit} shown`, on: { input: () => this.#jump(Number(this.range.value)) } })
      : null;
    this.box.replaceChildren(
      ...[
        this.range,
        button("start", "|◀", "To the start", "Home", this.acts.Home, "rare"),
        button("back", "◀ Back", "One step back", "←", this.acts.ArrowLeft),
        button("step", "Step ▶", "One step on", "→", this.acts.ArrowRight, "primary"),
        button("play", "Play", "Play or pause", "Space", this.acts[" "]),
        ...extras,
        button("end", "▶|", "To the end", "End", this.acts.End, "rare"),
        h("label", { class: "speed" }, "Speed ", this.speed),
        this.count,
        this.live,
      ].filter(Boolean),
    );
    this.#label();
  }

  #jump(t) {
    this.pause();
    this.go(t);
  }

  #stepByHand() {
    const playing = this.playing;
    this.pause();
    if (!playing) this.step();
  }

  #show() {
    const { t } = this;
    this.render(t);
    const text = `${this.unit} ${(t + 1).toLocaleString("en")} of ${this.length.toLocaleString("en")}`;
    if (this.count.textContent !== text) this.count.textContent = text;
    if (this.range) {
      this.range.value = t;
      this.range.setAttribute("aria-valuetext", this.sentence(t));
    }
    if (!this.playing || this.rate <= QUIET) this.say(this.sentence(t));
    this.dispatchEvent(new CustomEvent("move", { detail: t }));
  }

  #key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.matches?.("select, textarea, input:not([type=checkbox], [type=radio])")) return; // it is theirs
    if (target.closest?.("dialog, details[open] summary, [role=tablist]")) return;
    if (event.key === " " && target.matches?.("button, a, summary, input")) return; // it presses that one
    const remote = document.documentElement.hasAttribute("data-presenter") && REMOTE[event.key];
    const act = this.acts[remote || event.key];
    if (!act || !this.box.isConnected) return;
    event.preventDefault();
    act();
  }
}

/** The first of the increasing numbers above t, the last below it. */
const after = (numbers, t) => numbers.find((n) => n > t);
const before = (numbers, t) => numbers.findLast((n) => n < t);
