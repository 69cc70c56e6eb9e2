/**
 * Engine values: live figures while it works, a table of candidates, numbers in the squares. Proven
 * results look different from estimates.
 */

import { stream } from "./api.js";
import { $, h } from "./dom.js";
import { bound, brief, count, outcome, percent, piece, signed, tone, units } from "./format.js";

const ROWS = 16;
const CROWD = 64;

export class Thinking extends EventTarget {
  latest = null;
  #position = null;
  #who = "";

  constructor(board) {
    super();
    this.board = board;
    this.visible = true;
  }

  /**
   * Let an engine, shown as `who`, think about `position`; the answer is its analysis. `question`
   * names game, moves and engine. Aborting the signal ends the search at the server. "progress" says
   * that there is something to see.
   */
  async run(question, who, position, signal) {
    this.#position = position;
    this.#who = who;
    this.latest = null;
    this.#clear(`${who} is thinking …`);
    let answer = null;
    for await (const { name, data } of stream("/api/search", question, signal)) {
      if (name === "queued") this.#say(data.ahead ? `Waiting for ${data.ahead} other searches …` : "Starting …");
      else if (name === "compiling") this.#say(`First start: compiling ${data.kernel} …`);
      else {
        this.latest = data;
        this.#draw(data, name === "done" ? `${who}: finished` : `${who} is thinking …`);
        this.dispatchEvent(new Event("progress"));
        if (name === "done") answer = data;
      }
    }
    return answer;
  }

  /** The engine has moved: its table stays, but its numbers belong to the board before. */
  keep(over, position) {
    if (!this.latest) {
      this.forget();
      return;
    }
    this.#say(`What “${this.#who}” thought before playing ${this.latest.candidates[0].name}`);
    // The move has brought the result nearer, or has ended the game.
    evaluation(over ? null : { ...this.latest, distance: null }, position);
    this.#position = null;
    this.board.line();
    this.board.hints(null);
  }

  /** Show nothing: another position is on the board. */
  forget() {
    this.latest = null;
    this.#position = null;
    this.#clear("Turn on “Analyse” to see what each move is worth.");
  }

  /** Draw or hide the numbers on the board, after the switch was turned. */
  refresh(visible) {
    this.visible = visible;
    this.board.line();
    this.#numbers();
  }

  stopped() {
    this.#say(this.latest ? "Stopped. This is the best so far." : "Stopped.");
  }

  // ------------------------------------------------------------------------------- drawing

  #say(text) {
    $("#engine-state").textContent = text;
  }

  #clear(text) {
    this.#say(text);
    $("#figures").replaceChildren();
    $("#main-line").textContent = "";
    $("#engine-notes").textContent = "";
    $("#candidates").replaceChildren();
    this.board.line();
    this.board.hints(null);
    evaluation(null);
  }

  #draw(analysis, state) {
    this.#say(state);
    const work = analysis.simulations ?? analysis.nodes;
    const rate = analysis.elapsed > 0.001 && work ? work / analysis.elapsed : null;
    const figures = [
      ["Depth", analysis.depth],
      ["Simulations", analysis.simulations === null ? null : count(analysis.simulations)],
      ["Nodes", analysis.nodes === null ? null : count(analysis.nodes)],
      [analysis.simulations === null ? "Nodes/s" : "Sims/s", rate === null ? null : count(Math.round(rate))],
      ["Time", `${analysis.elapsed.toFixed(1)} s`],
    ];
    $("#figures").replaceChildren(
      ...figures
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => h("div", {}, h("dt", { text: name }), h("dd", { text: value }))),
    );
    const best = analysis.lines[String(analysis.best)] ?? [];
    $("#main-line").textContent = best.map((step) => step.name).join(" ");
    $("#engine-notes").textContent = analysis.notes.map((note) => note.replace(/\.?$/, ".")).join(" ");
    this.#table(analysis);
    this.#numbers();
    evaluation(analysis, this.#position);
  }

  #table(analysis) {
    const visits = analysis.candidates.some((candidate) => candidate.visits !== null);
    const most = Math.max(1, ...analysis.candidates.map((candidate) => candidate.visits ?? 0));
    const total = analysis.candidates.reduce((sum, candidate) => sum + (candidate.visits ?? 0), 0);
    const scores = analysis.candidates.some((candidate) => candidate.score !== null);
    const priors = analysis.candidates.some((candidate) => candidate.prior !== null);
    const likeliest = Math.max(0.001, ...analysis.candidates.map((candidate) => candidate.prior ?? 0));
    const columns = [
      ["Move"],
      ["Value", "value"],
      ["Outcome"],
      scores && ["Score"],
      priors && ["Prior", "", "what the network expects before any search"],
      visits && ["Visits"],
      visits && ["UCT"],
    ].filter(Boolean);
    const rows = analysis.candidates.slice(0, ROWS).map((candidate) => {
      const best = candidate.move === analysis.best;
      const row = h(
        "tr",
        {
          class: [best && "best", candidate.proven && "proven"].filter(Boolean).join(" "),
          tabindex: "0",
          "data-move": candidate.move,
        },
        h("th", { scope: "row" }, candidate.name, best ? h("span", { class: "star", text: " ★", title: "best" }) : null),
        h("td", { class: `num value ${tone(candidate.value)}`, text: known(candidate) ? signed(candidate.value) : "–" }),
        h("td", {}, verdict(candidate)),
        scores ? h("td", { class: "num", text: candidate.score === null ? "–" : bound(candidate) + signed(candidate.score, 0) }) : null,
        priors ? h("td", { class: "prior" }, bar(candidate.prior / likeliest, share(candidate.prior))) : null,
        visits ? h("td", { class: "visits" }, visited(candidate.visits, most, total)) : null,
        visits ? h("td", { class: "num" }, ...split(candidate)) : null,
      );
      const draw = () => this.visible && this.#position && this.board.line(analysis.lines[String(candidate.move)]);
      row.addEventListener("mouseenter", draw);
      row.addEventListener("focus", draw);
      row.addEventListener("mouseleave", () => this.board.line());
      row.addEventListener("blur", () => this.board.line());
      return candidate.note ? [row, note(candidate, columns.length)] : [row];
    });
    const more = analysis.candidates.length - ROWS;
    const table = $("#candidates");
    const focused = document.activeElement?.closest?.("#candidates tr")?.dataset.move;
    table.replaceChildren(
      h("thead", {}, h("tr", {}, ...columns.map(([text, name, title]) => h("th", { scope: "col", class: name, text, title })))),
      h("tbody", {}, ...rows.flat()),
      ...(more > 0 ? [h("tfoot", {}, h("tr", {}, h("td", { colspan: columns.length, text: `… and ${more} more` })))] : []),
    );
    if (focused) table.querySelector(`tr[data-move="${focused}"]`)?.focus();
  }

  #numbers() {
    if (!this.visible || !this.latest || !this.#position) {
      this.board.hints(null);
      return;
    }
    const cells = new Map(this.#position.legal.map((entry) => [entry.move, entry.cell]));
    const most = Math.max(1, ...this.latest.candidates.map((candidate) => candidate.visits ?? 0));
    const likeliest = Math.max(0.001, ...this.latest.candidates.map((candidate) => candidate.prior ?? 0));
    const marks = new Map();
    const counts = this.#position.score_unit && this.latest.candidates.some(({ score }) => score !== null);
    // On a large board numbers everywhere would hide the stones.
    const shown = this.#position.legal.length > CROWD ? this.latest.candidates.slice(0, CROWD / 2) : this.latest.candidates;
    for (const candidate of shown) {
      const cell = cells.get(candidate.move);
      if (cell === null || cell === undefined || !(known(candidate) || candidate.prior)) continue;
      const part = candidate.visits === null ? 1 : Math.sqrt(candidate.visits / most);
      // In a square, a move with few visits would be too small to read; above a column there is room.
      const faint = candidate.visits !== null && part < 0.12 && !candidate.proven && !this.#position.drops;
      const [text, said] = counts ? counted(candidate, this.#position) : [brief(candidate), words(candidate)];
      marks.set(cell, {
        text: faint ? "" : text,
        words: said, // beside the number
        prior: candidate.prior === null ? null : candidate.prior / likeliest,
        tone: tone(candidate.value),
        weight: candidate.proven ? 1 : Math.max(0.45, part).toFixed(2),
        proven: candidate.proven,
        best: candidate.move === this.latest.best,
      });
    }
    this.board.hints(marks);
  }
}

const known = (candidate) => candidate.proven || candidate.visits !== 0;

/**
 * Text and words of a move where pieces are counted: "+12", "=" for a proven draw. A bound must not
 * look like a score, nor hundredths of a value.
 */
function counted(candidate, position) {
  const { score, proven } = candidate;
  if (score === null) return proven ? [brief({ ...candidate, distance: null }), ""] : ["?", "not known"];
  const sign = bound(candidate).trim();
  if (sign) return [{ "≤": "<", "≥": ">" }[sign], `${sign} ${signed(score, 0)} ${position.score_unit}s`];
  return [proven && score === 0 ? "=" : signed(score, 0), units(score, position).replace(/^\S+ /, "")];
}

/** The UCT score with its two halves: the value so far, and the bonus for moves with few visits. */
function split(candidate) {
  if (candidate.uct === null) return [candidate.visits ? "–" : "not tried"];
  const score = candidate.uct.toFixed(2).replace("-", "−");
  if (candidate.proven) return [score];
  const bonus = (candidate.uct - candidate.value).toFixed(2);
  return [score, h("small", { text: `${signed(candidate.value)} + ${bonus}` })];
}

function verdict(candidate) {
  const text = outcome(candidate);
  if (candidate.proven) return h("span", { class: `proof ${tone(candidate.value)}`, text });
  return h("span", { class: "estimate", text: known(candidate) ? `≈ ${percent(candidate.value)}` : "" });
}

/** "56 %, prior 30 %": the words for a square, for screen readers. */
const words = (candidate) =>
  [
    candidate.proven ? outcome(candidate) : known(candidate) ? percent(candidate.value) : "not tried",
    candidate.prior === null ? "" : `prior ${share(candidate.prior)}`,
  ].filter(Boolean).join(", ");

/** "12 %", "<1 %" for a part of the whole. */
const share = (part) => (part === null ? "–" : part > 0 && part < 0.005 ? "<1 %" : `${Math.round(100 * part)} %`);

const bar = (part, text) => h("span", { class: "share", vars: { "--part": part } }, text);

const visited = (visits, most, total) =>
  bar(visits / most, `${count(visits)} · ${share(visits / (total || 1))}`);

const note = (candidate, columns) =>
  h("tr", { class: "note" }, h("td", { colspan: columns, text: candidate.note }));

/** "Red wins in 3", "draw": a proven result. */
function proof(analysis, position) {
  if (analysis.outcome === "draw") return "draw";
  const winner = piece(analysis.outcome === "win" ? analysis.player : -analysis.player, position);
  return `${winner} wins${outcome(analysis).replace(/^(win|loss)/, "")}`;
}

/** The bar beside the board shows the winning chance of player X. */
function evaluation(analysis, position) {
  const node = $("#eval-bar");
  const value = analysis ? analysis.value * analysis.player : 0;
  node.style.setProperty("--share", (value + 1) / 2);
  node.classList.toggle("proven", Boolean(analysis?.proven));
  node.classList.toggle("unknown", !analysis);
  const words = analysis?.proven ? proof(analysis, position) : analysis ? `${piece(1, position)} ≈ ${percent(value)}` : "";
  node.setAttribute("aria-label", `Evaluation: ${words || "none yet"}`);
  $("#eval-text").classList.toggle("proven", Boolean(analysis?.proven));
  $("#eval-text").textContent = words;
}
