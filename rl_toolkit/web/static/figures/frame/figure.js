/**
 * A live figure: its state, the frame round it, and what a reader does with it.
 *
 *     const figure = new LiveFigure(host, kind, { tree: "(3 12 8) (2 4 6)" });
 *     figure.set({ t: 17 });   figure.facts.leaves;   figure.addEventListener("change", …)
 *
 * A kind is an object without side effects:
 *
 *     name, title, start      what a link can change: numbers, texts, booleans
 *     depends                 the names on which `think` depends
 *     think(state)            what follows from them
 *     facts(state, model)     numbers for the text            sentence(state, model)   the caption, also spoken
 *     draw(state, model, box) nodes of vnode.js               controls(state, model)   see controls.js
 *     paint(canvas, state, model, box, ink)                   optional: pixels below the drawing; returns their place
 *     choices                 optional: by name of a text the words that it may be, each with what its button says
 *     positions               optional: the game of its field `position`, * for the rows; else the field `game` names it
 *     check(state, model)     optional: throws `SyntaxError` for texts that somebody typed and `think` does not see
 *     drag(id, state, model, { x, y, from }, box), nudge(id, by, state, model), walk(key, state, model),
 *     hover({ x, y }, state, model, box)                      optional: the changes that they make
 *
 * In a drawing `data-handle` names what can be dragged, `data-set` holds the changes that a press makes. One of them is
 * in the order of the Tab key; arrows go from one to the next.
 */

import { Controls, html } from "./controls.js";
import { inkOf, PAGE_INK } from "./ink.js";
import { boxOf, copied, frameCode, pngAddress, save, svgText } from "./picture.js";
import { queryOf, stateAt } from "./state.js";
import { flat, patch } from "./vnode.js";

/** Milliseconds of rest before a sentence is spoken. */
const REST = 600;
const STOPS = "[data-handle], [data-set], [data-walk]";
const SIDEWAYS = { ArrowLeft: -1, ArrowRight: 1 };
const UPWARDS = { ArrowUp: 1, ArrowDown: -1 };

export class LiveFigure extends EventTarget {
  #held = null;
  #kept = new Map();
  #thought = "";
  #stop = "";

  constructor(host, kind, given = {}, { alone = false, address = null } = {}) {
    super();
    Object.assign(this, { host, kind, alone, address });
    this.first = { ...kind.start, ...given };
    this.state = { ...this.first };
    this.changed = new Set(); // the names that the reader has changed
    this.#build();
    this.#listen();
    this.#think();
    new ResizeObserver(() => this.#resize()).observe(this.stage);
    const redraw = () => this.#newColours();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    new MutationObserver(redraw).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.#resize();
  }

  get facts() {
    return this.kind.facts(this.state, this.model);
  }

  /** The facts that a paragraph speaks of: of its scene, and for the rest what the reader made of the figure. */
  factsAt(scene, free = []) {
    const state = stateAt(this.kind, this.first, scene);
    const own = stateAt(this.kind, {}, scene);
    for (const name of this.changed) if (!(name in own) || free.includes(name)) state[name] = this.state[name];
    return this.#factsFor(state);
  }

  /** The facts of a scene as it is told, whatever the reader made of the figure: a question and its answer stay true. */
  factsOf(scene) {
    return this.#factsFor(stateAt(this.kind, this.first, scene));
  }

  #factsFor(state) {
    const key = JSON.stringify({ ...state, look: 0 });
    if (!this.#kept.has(key)) {
      if (this.#kept.size > 80) this.#kept.clear();
      const model = this.#depends(state) === this.#thought ? this.model : this.kind.think(state);
      this.#kept.set(key, this.kind.facts(state, model));
    }
    return this.#kept.get(key);
  }

  /** Change the state: by the reader, unless the text does it. */
  set(changes, { byText = false } = {}) {
    if (!changes) return;
    if (!byText) for (const name of Object.keys(changes)) this.changed.add(name);
    Object.assign(this.state, changes);
    this.#think();
    this.draw();
  }

  /** Show a scene of the text, as if nothing had been touched. */
  show(scene) {
    this.changed.clear();
    this.state = stateAt(this.kind, this.first, scene);
    this.#think();
    this.draw();
  }

  get link() {
    const query = queryOf(this.kind, this.state);
    return this.address && `${this.address}${query ? `?${query}` : ""}`;
  }

  get svg() {
    return svgText(this.kind, this.state, this.model, this.box, this.host);
  }

  draw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#draw();
    });
  }

  /** Fill the window, also where the browser has no full screen of its own. */
  fill(on = !this.isFull) {
    this.host.classList.toggle("is-full", on);
    document.documentElement.classList.toggle("has-full", on);
    this.fullButton.setAttribute("aria-pressed", on);
    this.fullButton.textContent = on ? "Back to the text" : "Full screen";
    if (on && document.fullscreenEnabled) this.host.requestFullscreen?.().catch(() => {});
    if (!on && document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }

  get isFull() {
    return this.host.classList.contains("is-full");
  }

  // ------------------------------------------------------------------------------ inside

  #depends(state) {
    return JSON.stringify((this.kind.depends ?? Object.keys(this.kind.start)).map((name) => state[name]));
  }

  #think() {
    const key = this.#depends(this.state);
    if (key === this.#thought) return;
    try {
      this.model = this.kind.think(this.state);
      this.#thought = key;
    } catch (error) {
      if (!this.model) throw error;
      Object.assign(this.state, this.good); // such as half a tree while it is typed
      this.#tell(`${error.message}.`);
    }
    this.good = Object.fromEntries((this.kind.depends ?? []).map((name) => [name, this.state[name]]));
  }

  #build() {
    const { kind } = this;
    this.stage = html("div", { class: "stage" });
    if (kind.paint) this.stage.append((this.canvas = html("canvas", { "aria-hidden": "true" })));
    this.picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.picture.setAttribute("role", "group");
    this.picture.setAttribute("aria-label", kind.title);
    this.stage.append(this.picture);
    this.said = html("p", { class: "said" });
    this.spoken = html("p", { class: "hidden-text", "aria-live": "polite" });
    this.asked = html("div", { class: "asked", hidden: true });
    const panel = html("div", { class: "knobs", role: "group", "aria-label": `Controls: ${kind.title}` });
    this.controls = new Controls(panel, (changes) => this.set(changes));
    this.host.classList.add("live");
    this.host.replaceChildren(html(this.alone ? "h1" : "h3", { class: "figure-title" }, kind.title), this.stage, this.said, this.asked, panel, this.#tools(), this.spoken);
  }

  #tools() {
    const button = (text, title, run) => html("button", { type: "button", class: "tool", title, on: { click: run } }, text);
    const { name, title } = this.kind;
    this.fullButton = button("Full screen", "Show only this figure (f)", () => this.fill());
    this.fullButton.setAttribute("aria-pressed", "false");
    this.note = html("span", { class: "note", role: "status" });
    const copy = async (text, done) => this.#tell((await copied(text)) ? done : text);
    const shared = this.address && [
      button("Link", "Copy the address of what is shown", () => copy(this.link, "Address copied.")),
      button("Embed", "Copy a frame for slides or a course page", () => copy(frameCode(this.link, title), "Frame copied: paste it into a page.")),
      button("HTML", "Save the live figure as one file that needs no server", () => save(`${name}.html`, this.link.replace(/(\?|$)/, ".html$1"))),
    ];
    return html(
      "div",
      { class: "figure-tools", role: "group", "aria-label": "Take this figure with you" },
      this.alone ? null : this.fullButton,
      button("Reset", "Back to what the text shows", () => this.show(this.scene ?? "")),
      ...(shared || []),
      button("SVG", "Save the picture", () => save(`${name}.svg`, `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.svg)}`)),
      button("PNG", "Save the picture as pixels", async () => save(`${name}.png`, await pngAddress(this.svg, this.box))),
      this.note,
    );
  }

  #tell(text) {
    this.note.textContent = text;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => (this.note.textContent = ""), 6000);
  }

  #listen() {
    const { stage, kind } = this;
    const place = ({ clientX, clientY }) => {
      const box = stage.getBoundingClientRect();
      return { x: clientX - box.left, y: clientY - box.top };
    };
    const look = (event) => kind.hover && this.set(kind.hover(place(event), this.state, this.model, this.box), { byText: true });
    stage.addEventListener("pointerdown", (event) => {
      const handle = event.target.closest("[data-handle]");
      if (!handle) return look(event); // a finger does not hover
      this.#held = { id: handle.dataset.handle, from: place(event), state: { ...this.state } };
      stage.setPointerCapture(event.pointerId);
      handle.focus({ preventScroll: true });
      event.preventDefault();
    });
    stage.addEventListener("pointermove", (event) => {
      const held = this.#held;
      if (held) this.set(kind.drag?.(held.id, held.state, this.model, { ...place(event), from: held.from }, this.box));
      else look(event);
    });
    // Of a drawing inside an SVG browsers do not take `touch-action`: without this the page scrolls in place of the drag.
    stage.addEventListener("touchstart", (event) => event.target.closest("[data-handle]") && event.preventDefault(), { passive: false });
    for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, () => (this.#held = null));
    stage.addEventListener("click", ({ target }) => this.#press(target.closest("[data-set]")));
    stage.addEventListener("focusin", ({ target }) => {
      const stop = target.closest(STOPS);
      if (stop) this.#stop = stopName(stop);
      this.#rove();
    });
    stage.addEventListener("keydown", (event) => this.#key(event));
  }

  #press(element) {
    if (element) this.set(JSON.parse(element.dataset.set));
  }

  #key(event) {
    const stop = event.target.closest(STOPS);
    if (!stop || event.altKey || event.ctrlKey || event.metaKey) return;
    const { handle, walk } = stop.dataset;
    const stops = [...this.picture.querySelectorAll(STOPS)];
    const by = UPWARDS[event.key] ?? (handle && stops.length === 1 ? SIDEWAYS[event.key] : undefined);
    const changes = walk !== undefined && this.kind.walk?.(event.key, this.state, this.model);
    if (changes) this.set(changes, { byText: true });
    else if (handle && by) this.set(this.kind.nudge?.(handle, by * (event.shiftKey ? 5 : 1), this.state, this.model));
    else if (event.key === "Enter" || event.key === " ") this.#press(stop);
    else {
      const at = stops.indexOf(stop);
      const to = { Home: 0, End: stops.length - 1 }[event.key] ?? at + (SIDEWAYS[event.key] ?? -UPWARDS[event.key] ?? NaN);
      if (!stops[to] || walk !== undefined) return;
      stops[to].focus();
    }
    event.preventDefault();
  }

  /** One stop of the Tab key for the whole drawing. */
  #rove() {
    const stops = [...this.picture.querySelectorAll(STOPS)];
    const chosen = stops.find((stop) => stopName(stop) === this.#stop) ?? stops[0];
    for (const stop of stops) stop.setAttribute("tabindex", stop === chosen ? 0 : -1);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.stage;
    if (!clientWidth || !clientHeight) return;
    this.box = boxOf(clientWidth, clientHeight, PAGE_INK);
    this.picture.setAttribute("viewBox", `0 0 ${clientWidth} ${clientHeight}`);
    this.draw();
  }

  #newColours() {
    this.ink = null;
    this.draw();
  }

  #draw() {
    if (!this.box) return;
    const { kind, state, model, box } = this;
    if (this.canvas) {
      this.ink ??= inkOf(this.host);
      const place = kind.paint(this.canvas, state, model, box, this.ink);
      for (const [name, value] of Object.entries({ left: place.x, top: place.y, width: place.width, height: place.height })) this.canvas.style[name] = `${value}px`;
    }
    patch(this.picture, flat(kind.draw(state, model, box)));
    this.#rove();
    const sentence = kind.sentence(state, model);
    if (this.said.textContent !== sentence) {
      this.said.textContent = sentence;
      clearTimeout(this.speaking);
      this.speaking = setTimeout(() => (this.spoken.textContent = sentence), REST);
    }
    this.controls.show(kind.controls(state, model));
    this.dispatchEvent(new Event("change"));
  }
}

const stopName = ({ dataset }) => dataset.handle ?? dataset.set ?? "walk";
