/**
 * A whole search as one strip: across is time, down is depth, a node is a bar from its first event to
 * its last, ▾ are cuts, ◆ are hits of the table. It is overview and scrub bar in one, and takes the same time to draw for 30
 * nodes and 20,000: two pictures are made once and joined at the cursor.
 *
 *   const strip = new Strip(canvas, jump);      // jump(place): dragged there, in the strip's unit
 *   strip.load(model, { by, total });           // by "event", or by "node": positions visited
 *   strip.render(t);                            // t: an event
 *   strip.blind = true;                         // hides what is ahead, for guessing
 *
 * The model has N, T, plies, depth, opens, closes, value, seen, cutEvents, hitEvents, tone and path (see
 * search/model.js).
 */

const MARK = 9; // pixels for the marks of cuts

export class Strip {
  blind = false;
  #total = 1;

  constructor(canvas, jump) {
    this.canvas = canvas;
    const drag = (event) => {
      const box = canvas.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
      jump(Math.round(part * (this.#total - 1)));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      drag(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons && drag(event));
    canvas.addEventListener("keydown", (event) => {
      const pages = { PageUp: -1, PageDown: 1 }[event.key];
      if (!pages || !this.model) return;
      event.preventDefault();
      jump(Math.max(0, Math.min(this.#total - 1, this.#at(this.t) - 1 + pages * Math.ceil(this.#total / 20))));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.measure());
    new MutationObserver(() => this.measure()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  load(model, { by = "event", total = 0 } = {}) {
    Object.assign(this, { model, by, t: 0 });
    this.#total = total || (by === "event" ? model.T : model.seen[model.T - 1]);
    this.measure();
  }

  measure() {
    const { canvas, model } = this;
    if (!model || !canvas.clientWidth) return;
    const scale = devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = canvas.clientHeight * scale;
    this.mark = MARK * scale;
    this.row = (canvas.height - this.mark) / model.plies;
    this.colours = coloursOf(canvas);
    this.behind = this.#picture(true);
    this.ahead = this.#picture(false);
    this.render(this.t);
  }

  /** How far event t has come, in the strip's unit. */
  #at(t) {
    return this.by === "event" ? t + 1 : this.model.seen[t];
  }

  #x(place) {
    return (place / this.#total) * this.canvas.width;
  }

  #from(n) {
    const { model } = this;
    return this.#x(this.by === "event" ? model.opens[n] : model.seen[model.opens[n]] - 1);
  }

  #picture(behind) {
    const { canvas, model, colours } = this;
    const layer = new OffscreenCanvas(canvas.width, canvas.height);
    const g = layer.getContext("2d");
    for (let n = 0; n < model.N; n++) {
      const x = this.#from(n);
      const w = this.#x(this.#at(model.closes[n])) - x;
      const tone = model.tone(model.value[model.closes[n]]);
      g.fillStyle = !behind ? colours.ahead : tone > 0 ? colours.plus : tone < 0 ? colours.minus : colours.even;
      g.fillRect(x, this.mark + model.depth[n] * this.row, Math.max(0.6, w - (w > 3 ? 1 : 0)), Math.max(1, this.row - 1));
    }
    g.globalAlpha = behind ? 1 : 0.35;
    this.#marks(g, model.cutEvents, colours.cut, [[-0.42, 0], [0.42, 0], [0, 1]]);
    this.#marks(g, model.hitEvents ?? [], colours.hit, [[0, 0], [0.42, 0.5], [0, 1], [-0.42, 0.5]]);
    return layer;
  }

  /** Marks of one shape at some events; those that would touch are drawn as how many there are. */
  #marks(g, events, colour, corners) {
    const { canvas, model, mark } = this;
    g.fillStyle = colour;
    if (events.length * mark > this.#x(this.#at(model.T - 1))) {
      const bins = new Float64Array(Math.ceil(canvas.width / 4) + 1);
      for (const t of events) bins[Math.floor(this.#x(this.#at(t)) / 4)] += 1;
      const most = Math.max(...bins);
      bins.forEach((many, k) => g.fillRect(4 * k, (mark - 1) * (1 - many / most), 3, (mark - 1) * (many / most)));
      return;
    }
    for (const t of events) {
      const x = this.#x(this.#at(t));
      g.beginPath();
      for (const [right, down] of corners) g.lineTo(x + right * mark, down * (mark - 1));
      g.fill();
    }
  }

  render(t) {
    this.t = t;
    const { canvas, model, colours } = this;
    if (!this.behind) return;
    const g = canvas.getContext("2d");
    const x = Math.min(canvas.width, Math.max(1, this.#x(this.#at(t))));
    g.clearRect(0, 0, canvas.width, canvas.height);
    g.drawImage(this.behind, 0, 0, x, canvas.height, 0, 0, x, canvas.height);
    if (x < canvas.width && !this.blind) g.drawImage(this.ahead, x, 0, canvas.width - x, canvas.height, x, 0, canvas.width - x, canvas.height);
    g.fillStyle = colours.open; // nodes that are open have no value yet
    for (const n of model.path(t)) {
      if (t >= model.closes[n]) continue;
      const from = this.#from(n);
      g.fillRect(from, this.mark + model.depth[n] * this.row, Math.max(1, x - from), Math.max(1, this.row - 1));
    }
    g.fillStyle = colours.ink;
    g.fillRect(Math.min(canvas.width - 2, x - 1), 0, 2, canvas.height);
  }
}

/** A canvas knows no light-dark(): ask an element which colours these come to. */
function coloursOf(canvas) {
  const probe = document.createElement("i");
  probe.hidden = true;
  canvas.after(probe);
  const colour = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const names = { plus: "--good-fill", minus: "--bad-fill", even: "--even", ahead: "--line", open: "--accent", cut: "--cut", hit: "--hit", ink: "--ink" };
  const found = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, colour(name)]));
  probe.remove();
  return found;
}
