/** The table of candidates: what each move is worth, in the order that the reader chooses. */

import { $, h } from "../base/dom.js";
import { count, counted, reasonOf, share, signed, tone } from "../base/format.js";
import { Roving } from "../base/roving.js";

const ROWS = 16;

/** Orders that a reader can choose; the engine's own order is the usual one. */
const ORDERS = {
  move: (a, b) => a.name.localeCompare(b.name, "en", { numeric: true }),
  result: (a, b) => worth(b) - worth(a),
  prior: (a, b) => (b.prior ?? 0) - (a.prior ?? 0),
  visits: (a, b) => (b.visits ?? 0) - (a.visits ?? 0),
};

/** Unknown moves come last, wins before estimates of the same value, short wins and long losses first. */
function worth({ value, proven, distance }) {
  if (value === null) return -9;
  const soon = proven && distance !== null ? 0.5 / (1 + distance) : 0;
  return value + Math.sign(value) * (proven ? soon : -1e-9);
}

/** The candidates without those about which an engine says nothing, if it only says what it plays. */
function spokenOf(candidates) {
  const silent = ({ value, prior, visits }) => value === null && prior === null && visits === null;
  const [first, ...others] = candidates;
  return first && first.value === null && others.every(silent) ? [first] : candidates;
}

export class CandidateTable {
  #order = null; // null: the engine's
  #drawn = null; // what was drawn last, for another order

  constructor(preview) {
    this.preview = preview; // shows the line of a candidate on the board, or clears it
    const table = $("#candidates");
    this.rows = new Roving(table, "tbody tr[data-move]");
    this.heads = new Roving(table, "thead button");
  }

  clear() {
    this.#drawn = null;
    $("#candidates").replaceChildren();
  }

  /** Draw `analysis`; `side` names the player whose results they are, `truth` has what is proven, by move. */
  draw(analysis, side, truth = new Map()) {
    this.#drawn = [analysis, side, truth];
    const candidates = spokenOf(analysis.candidates);
    const silent = analysis.candidates.length - candidates.length;
    const has = (field) => candidates.some((candidate) => candidate[field] !== null);
    const most = (field) => Math.max(1e-3, ...candidates.map((candidate) => candidate[field] ?? 0));
    const total = candidates.reduce((sum, { visits }) => sum + (visits ?? 0), 0);
    const columns = [
      ["move", "Move"],
      ["result", `For ${side}`],
      truth.size > 0 && [null, "Truth", "what is proven"],
      has("prior") && ["prior", "Prior", "what the network expects before any search"],
      has("visits") && ["visits", "Visits"],
      has("visits") && [null, "UCT", "value so far + bonus for moves with few visits"],
    ].filter(Boolean);
    const order = columns.some(([key]) => key === this.#order) ? ORDERS[this.#order] : null;
    const sorted = order ? [...candidates].sort(order) : candidates;
    const rows = sorted.slice(0, ROWS).flatMap((candidate) => {
      const row = this.#row(candidate, analysis, { most, total, columns, truth });
      const reason = reasonOf(candidate, side);
      return reason ? [row, note(reason, columns.length)] : [row];
    });
    const more = candidates.length - ROWS;
    const left = silent ? `Nothing is known about the other ${counted(silent, "move")}` : more > 0 ? `… and ${more} more` : "";
    const table = $("#candidates");
    const focused = document.activeElement?.closest?.("#candidates tr")?.dataset.move;
    const sorting = document.activeElement?.dataset?.order;
    table.replaceChildren(
      h("thead", {}, h("tr", {}, ...columns.map((column) => this.#head(...column)))),
      h("tbody", {}, ...rows),
      ...(left ? [h("tfoot", {}, h("tr", {}, h("td", { colspan: columns.length, text: left })))] : []),
    );
    this.rows.refresh();
    this.heads.refresh();
    if (focused) table.querySelector(`tr[data-move="${focused}"]`)?.focus();
    if (sorting) table.querySelector(`button[data-order="${sorting}"]`)?.focus();
  }

  #head(key, text, title) {
    const sort = key === this.#order && key !== null;
    const choose = () => {
      this.#order = sort ? null : key;
      this.draw(...this.#drawn);
    };
    const inside = key
      ? h("button", { type: "button", "data-order": key, title: sort ? "In the engine's order" : "Sort by this", text: sort ? `${text} ▾` : text, on: { click: choose } })
      : text;
    return h("th", { scope: "col", title, "aria-sort": sort ? (key === "move" ? "ascending" : "descending") : undefined }, inside);
  }

  #row(candidate, analysis, { most, total, columns, truth }) {
    const shown = (key) => columns.some(([column]) => column === key);
    const row = h(
      "tr",
      {
        class: [candidate.best && "best", candidate.proven && "proven"].filter(Boolean).join(" "),
        "data-move": candidate.move,
      },
      h("th", { scope: "row" }, candidate.name, candidate.best ? h("span", { class: "star", text: " ★", title: "best" }) : null),
      h("td", {}, verdict(candidate)),
      truth.size ? h("td", { class: "truth", text: truth.get(candidate.move) ?? "?" }) : null,
      shown("prior") ? h("td", { class: "prior" }, bar(candidate.prior / most("prior"), share(candidate.prior))) : null,
      shown("visits") ? h("td", { class: "visits" }, visited(candidate.visits, most("visits"), total)) : null,
      shown("visits") ? h("td", { class: "num" }, ...split(candidate)) : null,
    );
    const draw = () => this.preview(analysis.lines[String(candidate.move)]);
    row.addEventListener("mouseenter", draw);
    row.addEventListener("focus", draw);
    row.addEventListener("mouseleave", () => this.preview());
    row.addEventListener("blur", () => this.preview());
    return row;
  }
}

function verdict({ text, value, proven }) {
  const title = value === null ? undefined : `expected result ${signed(value)}`;
  return h("span", { class: proven ? `proof ${tone(value)}` : "estimate", text, title });
}

/** The UCT score with its two halves: the value so far, and the bonus for moves with few visits. */
function split(candidate) {
  if (candidate.proven) return ["solved"];
  if (candidate.uct === null || !candidate.visits) return ["not tried"];
  const score = candidate.uct.toFixed(2).replace("-", "−");
  const bonus = (candidate.uct - candidate.value).toFixed(2);
  return [score, h("small", { text: `${signed(candidate.value)} + ${bonus}` })];
}

const bar = (part, text) => h("span", { class: "share", vars: { "--part": part } }, text);

function visited(visits, most, total) {
  const node = bar(visits / most, `${count(visits)} · ${share(visits / (total || 1))}`);
  node.title = counted(visits, "visit");
  return node;
}

const note = (text, columns) => h("tr", { class: "note" }, h("td", { colspan: columns, text }));
