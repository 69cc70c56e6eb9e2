/**
 * What the engine says, under its name: bar, verdict, lines, and marks on the board. Everything here
 * has one source, and nothing is drawn while it is hidden, not even in labels.
 */

import { $, h } from "../base/dom.js";
import { count, piece, reasonOf, tone, unbroken } from "../base/format.js";
import { Roving } from "../base/roving.js";
import { threatIn } from "../model/values.js";

const FEW = 3; // lines shown at first
const MANY = 24;
const CROWD = 64; // legal moves from which only the best have their values in the squares;
const CHIPS = 3;
const DOTS = 60; // the others have dots, which say more under a finger

export class Truth {
  threats = false; // whether the threat is marked
  #all = false; // whether many lines are shown
  #ghosts = false; // whether a line is drawn on the board
  #visible = false;
  #lit = false; // whether the squares that the reason names are lit

  /** `play` and `keep` are given the steps of a line: the first also shows its last position. */
  constructor(session, board, analysis, { play, keep }) {
    Object.assign(this, { session, board, analysis, play, keep });
    this.rows = new Roving($("#lines"), "button");
    for (const [type, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]])
      $("#why").addEventListener(type, () => {
        this.#lit = on;
        this.marks(this.#visible);
      });
    $("#all-lines").addEventListener("click", () => {
      this.#all = !this.#all;
      this.draw(true, false);
    });
  }

  /** `onBoard` says whether the board shows the position, and may have its values. */
  draw(visible, onBoard = true) {
    const { session, analysis } = this;
    const { position } = session;
    const shown = visible && !position.done ? analysis.shown : null;
    this.#visible = visible;
    this.#bar(shown, position);
    this.#head(shown, visible);
    this.#lines(shown);
    if (onBoard) this.marks(visible);
  }

  // ------------------------------------------------------------------------------------ panel

  #bar(shown, position) {
    const ended = this.session.node.ended?.result ?? (position.done ? (position.winner ?? 0) : null);
    if (ended !== null) drawBar(ended, true, ended ? `${piece(ended, position)} has won` : "Draw");
    else if (shown && shown.value !== null) drawBar(shown.value * shown.player, shown.proven, shown.text);
    else drawBar(null, false, "");
  }

  #head(shown, visible) {
    const { analysis, session } = this;
    const states = { off: analysis.on ? "" : "The engine is off.", over: "The game is over here.", searching: "Looking …" };
    const text = analysis.error || (shown?.text ?? (visible ? (states[analysis.state] ?? "") : ""));
    $("#verdict").textContent = unbroken(text);
    $("#verdict").classList.toggle("proven", Boolean(shown?.proven));
    $("#engine-name").textContent = analysis.name;
    $("#engine-facts").textContent = [
      shown && (shown.proven ? "proven" : "estimate"),
      shown?.depth ? `depth ${shown.depth}` : "",
      shown?.nodes > 1 ? `${count(shown.nodes)} nodes` : shown?.simulations ? `${count(shown.simulations)} simulations` : "",
      analysis.note || (analysis.state === "searching" ? "thinking" : ""),
    ].filter(Boolean).join(" · ");
    $("#engine").classList.toggle("busy", analysis.state === "searching");
    $("#threat").disabled = session.resultHere !== null; // nothing is threatened where the game is over
    $("#why").textContent = shown && !session.position.done ? reasonIn(shown) : "";
    $("#why").tabIndex = this.#squares().length ? 0 : -1;
  }

  #lines(shown) {
    const box = $("#lines");
    const candidates = shown?.candidates ?? [];
    const focused = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    if (this.#ghosts) this.#hideGhosts(); // a row that is taken away hears no more of the pointer
    box.replaceChildren(...candidates.slice(0, this.#all ? MANY : FEW).map((candidate) => this.#line(candidate, shown)));
    this.rows.refresh();
    if (focused) box.querySelector(`[data-key="${focused}"]`)?.focus();
    const more = $("#all-lines");
    more.hidden = candidates.length <= FEW;
    more.textContent = this.#all ? "Fewer moves" : `All ${candidates.length + (shown?.left_out ?? 0)} moves`;
    more.setAttribute("aria-expanded", String(this.#all));
  }

  #hideGhosts() {
    this.#ghosts = false;
    this.board.line();
  }

  #line(candidate, shown) {
    const drawn = shown.lines[String(candidate.move)] ?? [{ name: candidate.name, player: shown.player }];
    const steps = drawn.map(({ name, player }, k) => ({ move: candidate.line[k] ?? candidate.move, name, player }));
    const button = (attributes, action) => h("button", { type: "button", tabindex: "-1", ...attributes, on: { click: action } });
    const row = h(
      "li",
      { class: candidate.best ? "best" : "" },
      button({ class: `worth-chip ${tone(candidate.value)}${candidate.proven ? " proven" : ""}`, "data-key": candidate.move, text: candidate.mark || "?", "aria-label": `${candidate.mark || "?"}: play ${candidate.name}, ${candidate.text}` }, () => this.play(steps.slice(0, 1))),
      h(
        "span",
        { class: "steps" },
        ...steps.map((step, k) => button({ class: `step ${step.player > 0 ? "x" : "o"}`, "data-key": `${candidate.move}-${k}`, text: step.name, "aria-label": `${step.name}: play up to here` }, () => this.play(steps.slice(0, k + 1)))),
      ),
      button({ class: "keep", "data-key": `${candidate.move}+`, text: "+", title: "Keep this line as a variation", "aria-label": `+ keep the line of ${candidate.name}` }, () => this.keep(steps)),
    );
    const ghosts = () => {
      this.#ghosts = true;
      this.board.line(shown.lines[String(candidate.move)]);
    };
    for (const type of ["mouseenter", "focusin"]) row.addEventListener(type, ghosts);
    for (const type of ["mouseleave", "focusout"]) row.addEventListener(type, () => this.#hideGhosts());
    return row;
  }

  // ------------------------------------------------------------------------------------ board

  /** Values in the squares, a golden ring for the best move, a red one for the threat, own marks. */
  marks(visible) {
    const { session, board } = this;
    const { position } = session;
    const shown = visible && !position.done ? this.analysis.shown : null;
    const cells = new Map(position.legal.map(({ move, cell }) => [move, cell]));
    const travels = position.legal.some(({ origin }) => typeof origin === "number");
    board.hints(shown ? this.#chips(shown, position, travels ? this.#places(position) : cells, travels) : null);
    const marks = session.node.marks.map((mark) => ({ ...mark, kind: "own" }));
    const { lifted = null } = board;
    const best = shown && position.legal.find(({ move, cell, origin }) => move === shown.best && cell !== null && (lifted === null || lifted === origin));
    // Where values stand in the squares, the best one has its ring already.
    if (best && (position.drops || typeof best.origin === "number")) marks.push({ kind: "best", from: best.origin ?? best.cell, to: best.cell });
    if (shown && this.#lit) for (const cell of this.#squares()) marks.push({ kind: "why", from: cell });
    const threat = shown && this.threats ? this.#threatened(shown, cells) : null;
    if (threat !== null) marks.push({ kind: "threat", from: threat });
    board.marks(marks);
  }

  /** The cells that the reason names, where the board has squares. */
  #squares() {
    const { text, cols, board } = this.session.position;
    const named = text === null ? $("#why").textContent.matchAll(/\b([a-z])(\d{1,2})\b/g) : [];
    const cells = [...named].map(([, letter, row]) => (row - 1) * cols + letter.charCodeAt(0) - 97);
    return [...new Set(cells)].filter((cell) => cell >= 0 && cell < board.length);
  }

  /** The cell of the threat: where a line of the analysis has it, else where it could be played now. */
  #threatened(shown, cells) {
    const move = threatIn(shown);
    if (move === null) return null;
    const [first] = shown.candidates.filter(({ line }) => line[1] === move);
    return shown.lines[String(first?.move)]?.[1]?.cell ?? cells.get(move) ?? null;
  }

  /** Where moves go from cell to cell: the piece that a move takes, or, once it is chosen, the cell that it reaches. */
  #places({ legal }) {
    const { lifted = null } = this.board;
    return new Map(legal.map(({ move, cell, origin }) => [move, typeof origin !== "number" ? cell : lifted === null ? origin : origin === lifted ? cell : null]));
  }

  #chips(shown, position, cells, travels) {
    const crowded = position.legal.length > CROWD;
    const some = crowded ? shown.candidates.filter(({ value }) => value !== null).slice(0, DOTS) : shown.candidates;
    const most = Math.max(1, ...some.map(({ visits }) => visits ?? 0));
    const chips = new Map();
    for (const [place, candidate] of some.entries()) {
      const cell = position.text === null ? cells.get(candidate.move) : candidate.move;
      if (cell === null || cell === undefined || chips.has(cell)) continue;
      chips.set(cell, {
        text: crowded ? candidate.mark.replace("%", "") : candidate.mark, // the squares are small
        words: travels ? `${candidate.name} ${candidate.text}` : candidate.text,
        prior: null,
        tone: tone(candidate.mark === "?" ? null : candidate.value),
        weight: crowded ? Math.max(0.5, 1 - (shown.value ?? 0) + candidate.value).toFixed(2) : candidate.proven || candidate.visits === null ? 1 : Math.max(0.72, Math.sqrt(candidate.visits / most)).toFixed(2),
        proven: candidate.proven,
        best: candidate.best,
        coarse: crowded && place >= CHIPS && !candidate.best,
      });
    }
    return chips;
  }
}

/** Why the best move is best, in the server's words. */
function reasonIn(shown) {
  const best = shown.candidates.find(({ move }) => move === shown.best);
  if (!best) return "";
  const lost = best.proven && best.outcome === "loss" && shown.candidates.length > 1;
  const reason = reasonOf(best, shown.side);
  return [lost ? `All moves lose; ${best.name} holds out longest.` : "", reason ? `${best.name}: ${reason}` : ""].filter(Boolean).join(" ");
}

function drawBar(value, proven, text) {
  const bar = $("#eval-bar");
  bar.style.setProperty("--share", ((value ?? 0) + 1) / 2);
  bar.classList.toggle("unknown", value === null);
  bar.classList.toggle("proven", proven);
  bar.setAttribute("aria-label", `Evaluation: ${text || "none"}`);
}
