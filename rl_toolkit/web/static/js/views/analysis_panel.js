/**
 * Engine values: live figures while it works, a table of candidates, marks in the squares. Proven
 * results look different from estimates. All words come from the server.
 */

import { post, stream } from "../base/api.js";
import { CandidateTable } from "./candidate_table.js";
import { $, h } from "../base/dom.js";
import { count, piece, share, tone } from "../base/format.js";

const CROWD = 64;
// Milliseconds before the marks of an engine that is to move appear: shorter ones would only flash.
const UNREADABLE = 700;
// Seconds that the adviser has for the bar, where another engine analyses.
const ADVICE_SECONDS = 2;

export class Thinking extends EventTarget {
  latest = null;
  #position = null; // the board to which the marks belong, null if it is another one
  #since = 0; // when marks may appear
  #advises = false; // whether the engine that thinks is the adviser, whose opinion the bar shows

  constructor(board) {
    super();
    this.board = board;
    this.visible = true;
    this.table = new CandidateTable((steps) => this.visible && this.#position && board.line(steps));
  }

  /**
   * Let an engine, shown as `who`, think about `position`; the answer is its analysis. `question`
   * names game, moves and engine. Aborting the signal ends the search at the server. "progress" says
   * that there is something to see.
   */
  async run(question, who, position, signal) {
    this.#position = position;
    this.latest = null;
    this.#since = performance.now() + (question.play ? UNREADABLE : 0);
    this.#advises = !question.play && question.engine === adviser().value;
    this.#clear(`${who} is thinking …`);
    if (!question.play && !this.#advises) askAdviser(question, signal);
    let answer = null;
    for await (const { name, data } of stream("/api/search", question, signal)) {
      if (name === "queued") this.#say(data.ahead ? `Waiting for ${data.ahead} other ${data.ahead === 1 ? "search" : "searches"} …` : "Starting …");
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

  /**
   * Show what was thought before the last move: the table stays, but its marks belong to another
   * board. `thought` is an entry of `Thoughts`.
   */
  recall({ analysis, who }, position) {
    this.latest = null;
    this.#position = position;
    this.#advises = false;
    this.#draw(analysis, `What “${who}” thought before playing ${named(analysis)}`);
    this.#position = null;
    this.board.line();
    this.board.hints(null);
    evaluation(null);
  }

  /** Show what was thought about this very position. */
  revisit({ analysis, who }, position) {
    this.latest = analysis;
    this.#position = position;
    this.#since = 0;
    this.#advises = false;
    this.#draw(analysis, `What “${who}” thought here, before playing ${named(analysis)}`);
    evaluation(null);
  }

  /** Show nothing: another position is on the board, or the game is `over`. */
  forget(over = false) {
    this.latest = null;
    this.#position = null;
    this.#clear(over ? "The game is over. Step back, or review it, to see what moves were worth." : "Turn on “Analyse” to see what each move is worth.");
  }

  /** At the end of the game the bar shows the result; its words stand beside it already. */
  end(winner, position) {
    drawBar({ value: winner, proven: true, text: winner === 0 ? "Draw" : `${piece(winner, position)} wins` });
    $("#eval-text").textContent = "";
  }

  /** Draw or hide the marks on the board, after the switch was turned. */
  refresh(visible) {
    this.visible = visible;
    this.board.line();
    this.#marks();
  }

  stopped() {
    this.#since = 0;
    this.#marks();
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
    this.table.clear();
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
    const line = analysis.lines[String(analysis.best)] ?? [];
    $("#main-line").textContent = line.length > 1 ? line.map((step) => step.name).join(" ") : "";
    $("#engine-notes").textContent = analysis.notes.map(sentence).join(" ");
    this.table.draw(analysis, analysis.side);
    if (this.#advises) evaluation(analysis);
    this.#marks();
  }

  #marks() {
    if (!this.visible || !this.latest || !this.#position || performance.now() < this.#since) {
      this.board.hints(null);
      return;
    }
    const { candidates } = this.latest;
    const cells = new Map(this.#position.legal.map((entry) => [entry.move, entry.cell]));
    const most = Math.max(1, ...candidates.map((candidate) => candidate.visits ?? 0));
    const likeliest = Math.max(0.001, ...candidates.map((candidate) => candidate.prior ?? 0));
    const marks = new Map();
    // On a large board marks everywhere would hide the stones.
    const crowded = this.#position.legal.length > CROWD;
    const shown = crowded ? candidates.filter(({ value }) => value !== null).slice(0, CROWD / 2) : candidates;
    for (const candidate of shown) {
      // A game without a grid has a button for each move.
      const cell = this.#position.text === null ? cells.get(candidate.move) : candidate.move;
      // Candidates come best first, and a square that stands for several moves shows the best.
      if (cell === null || cell === undefined || marks.has(cell)) continue;
      const part = candidate.visits === null ? 1 : Math.sqrt(candidate.visits / most);
      marks.set(cell, {
        text: candidate.mark,
        words: [candidate.text, candidate.prior === null ? "" : `prior ${share(candidate.prior)}`].filter(Boolean).join(", "),
        prior: candidate.prior === null ? null : candidate.prior / likeliest,
        tone: tone(candidate.mark === "?" ? null : candidate.value),
        weight: candidate.proven ? 1 : Math.max(0.72, part).toFixed(2),
        proven: candidate.proven,
        best: candidate.best,
      });
    }
    this.board.hints(marks);
  }
}

const named = (analysis) => analysis.candidates.find(({ move }) => move === analysis.best)?.name ?? "";

const sentence = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The choice of the engine that knows the game best: the one source of the bar. */
const adviser = () => $("#kibitzer option[data-adviser]") ?? { value: "", text: "" };

/** Let the adviser fill the bar while another engine analyses; without an answer it stays empty. */
async function askAdviser(question, signal) {
  const { value: engine } = adviser();
  if (!engine) return;
  try {
    const analysis = await post("/api/analyse", { ...question, engine, time: ADVICE_SECONDS }, signal);
    if (!signal.aborted) evaluation(analysis);
  } catch {
    // The search itself says what is wrong.
  }
}

/** The bar beside the board shows the result for player X that the adviser expects, under its name. */
function evaluation(analysis) {
  const value = analysis && analysis.value !== null ? analysis.value * analysis.player : null;
  const text = analysis ? `${adviser().text}: ${analysis.text}` : "";
  drawBar({ value, proven: Boolean(analysis?.proven), text });
}

function drawBar({ value, proven, text }) {
  const node = $("#eval-bar");
  node.style.setProperty("--share", ((value ?? 0) + 1) / 2);
  node.classList.toggle("proven", proven);
  node.classList.toggle("unknown", value === null);
  node.setAttribute("aria-label", `Evaluation: ${text || "none yet"}`);
  $("#eval-text").classList.toggle("proven", proven);
  $("#eval-text").textContent = text;
}
