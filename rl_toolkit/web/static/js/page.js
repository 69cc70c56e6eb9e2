/**
 * The page of a game: its parts, and how they are drawn.
 *
 *     session   the game as a tree, its address and its place in the store
 *     turns     engines that play          analysis   one named engine that says what is true
 *     moving    what people do on the board      games   games that come and go
 *     looking   what may be seen, reviews, lessons, engines, trees
 *     panels    what the tabs show: each has `draw()`, called while its tab is open
 *
 * All searches go through one `searcher`: what the visitor asked for last runs.
 */

import { isAbort } from "./base/api.js";
import { $, later, sentenceOf } from "./base/dom.js";
import { side } from "./base/format.js";
import { unpressed } from "./base/press.js";
import { Roving } from "./base/roving.js";
import { isOpen, openTab } from "./base/tabs.js";
import { Board } from "./board/board.js";
import { Session } from "./model/session.js";
import { Store, keepSetting, setting } from "./model/store.js";
import { Values, worthOf } from "./model/values.js";
import { listen } from "./page/events.js";
import { Games } from "./page/games.js";
import { Looking } from "./page/looking.js";
import { Moving } from "./page/moving.js";
import { addTools } from "./page/tools.js";
import { Analysis } from "./play/analysis.js";
import { Clock } from "./play/clock.js";
import { Reviewing } from "./play/reviewing.js";
import { Searcher } from "./play/searcher.js";
import { Setup } from "./play/setup.js";
import { Turns } from "./play/turns.js";
import { EndCard } from "./views/review/end_card.js";
import { announce, complain, drawFacts, drawSeats, drawStatus, moveSentence, noticeOf, notify } from "./views/face.js";
import { Sheet } from "./views/sheet.js";
import { Truth } from "./views/truth.js";

/** Milliseconds on a position after which its value is spoken: by then it is no first guess. */
const UNSAID = 2500;

class Page {
  constructor(family, BoardKind) {
    const store = (this.store = new Store());
    const session = (this.session = new Session(family, store));
    const board = (this.board = new BoardKind($("#board")));
    const searcher = (this.searcher = new Searcher());
    const values = (this.values = new Values(store));
    const moving = (this.moving = new Moving(this));
    const looking = (this.looking = new Looking(this));
    this.games = new Games(this);
    const show = (node) => this.guard(() => moving.walkTo(node));
    const play = (steps) => this.guard(() => moving.playLine(steps));
    const worth = (node) => worthOf(node, session, values, this.analysis.engine);
    this.analysis = new Analysis(searcher, values);
    this.setup = new Setup(family);
    this.turns = new Turns(session, searcher);
    this.clock = new Clock();
    this.reviewing = new Reviewing(session, searcher);
    this.sheet = new Sheet(session, show, worth);
    this.truth = new Truth(session, board, this.analysis, { play, keep: (steps) => session.keep(steps) });
    this.card = new EndCard(session, this.reviewing);
    const glance = (node) => looking.glance(node);
    this.graph = later(async () => new (await import("./views/review/line_graph.js")).LineGraph(session, show, glance, worth));
    this.coaching = later(async () => new (await import("./page/coaching.js")).Coaching(this));
    this.editing = later(async () => new (await import("./views/editing.js")).Editing(session));
    this.panels = {
      review: later(async () => new (await import("./views/review/story.js")).Story(session, this.reviewing, show)),
      explorer: later(async () => new (await import("./views/explorer.js")).Explorer(session, store, play, this.analysis)),
      engines: later(async () => new (await import("./views/engines/engines.js")).Engines(session, board, searcher, values, this)),
      tree: later(() => looking.makeTree()),
    };
    this.toolbars = ["#walk", "#game-controls", ".edit-row"].map((id) => new Roving($(id), "button"));
    this.truthful = setting("truth") === true; // whether the adviser is seen while a game is played
    this.ready = false; // whether there is a game on the page
    this.wanted = location.search.includes("library=") ? new URLSearchParams(location.search) : null; // a saved game
    this.elsewhere = false; // whether the board shows something else than the position and its values
    this.redraw = { truth: () => this.#drawTruthNow(), moves: () => this.#drawMovesNow() };
    listen(this);
    addTools(this);
  }

  /** Run an action; an error is shown in one sentence, beside the field that `near` names. */
  async guard(action, near = "") {
    complain("");
    try {
      await action();
    } catch (error) {
      if (!isAbort(error)) complain(sentenceOf(error), near);
    }
  }

  /** The lesson that goes on; else null. */
  get lesson() {
    const retry = this.coaching.now?.retry;
    return retry?.on ? retry : null;
  }

  // ------------------------------------------------------------------------------- beginning

  async start() {
    const { session } = this;
    await this.guard(() => this.fromHistory());
    if (!session.position) await this.guard(() => this.begin({ name: session.family, seats: this.setup.usualSeats }));
    this.ready = true;
    if (session.position) this.#opened();
    if (this.wanted) await this.guard(async () => (await import("./play/keeping.js")).openSaved(this, this.wanted));
    $("#main").inert = false; // earlier choices would have been overwritten
    document.body.dataset.ready = "yes";
    if (document.body.dataset.compiling) (await import("./views/warm_up.js")).watchWarmUp();
  }

  /** The game of this entry of the history; else the one in its address; else the last one; else a new one. */
  async fromHistory() {
    const { session, setup, store } = this;
    const wanted = history.state?.id ?? new URLSearchParams(location.search).get("id"); // an address may name a kept game
    const here = wanted && (await store.game(wanted));
    if (here?.family === session.family) return this.reopen(here);
    const asked = await session.asked(setup.usualSeats, setup.times);
    if (asked) {
      await this.begin(asked);
      const doubt = asked.ignored.length ? `not understood in the address: ${asked.ignored.join(", ")}` : session.problem;
      return doubt ? complain(doubt) : this.preferKept();
    }
    const last = setting(`last:${session.family}`) && (await store.game(setting(`last:${session.family}`)));
    if (last && last.result === null && last.mode === "play") return this.reopen(last);
    await this.begin({ name: session.family, seats: setup.usualSeats });
  }

  /** Open a game with the lists of its engines; false if another wish has come first. */
  async begin(game) {
    const { session, setup } = this;
    this.turns.stop();
    this.searcher.stop();
    const lists = await setup.ask(game.name);
    if (!(await session.open(game))) return false;
    setup.fill(lists);
    return true;
  }

  /** A link leads to the game itself, with its review, if this browser keeps it: not to a copy. */
  async preferKept() {
    const { session } = this;
    const kept = await session.twin();
    if (kept) await this.reopen({ ...kept, at: session.node.path, mode: session.mode });
  }

  async reopen(kept, push = false) {
    const { session, setup } = this;
    this.turns.stop();
    this.searcher.stop();
    const lists = await setup.ask(kept.game);
    if (await session.reopen(kept, push)) setup.fill(lists);
  }

  /** Another game is on the page. */
  #opened() {
    const { session, setup, turns, clock, analysis } = this;
    if (!this.ready) return;
    if (this.lesson) this.lesson.task = null;
    this.reviewing.state = "";
    analysis.engine = setup.adviser;
    setup.show(session);
    clock.set(session.clock, session.left);
    turns.paused = session.humans === 0 && session.tree.root.next !== null; // two engines wait for the button
    drawFacts(session);
    $("#unsaved").hidden = true;
    this.#recall();
    this.draw();
  }

  /** What is kept of the positions of the tree: the list and the graph show it at once. */
  async #recall() {
    const { session, values, analysis } = this;
    const { id } = session;
    for (const node of session.tree.root.walk()) {
      const position = session.positions.known(node);
      if (position && analysis.engine) await values.find(position, analysis.engine.name);
      if (session.id !== id) return;
    }
    this.drawSoon();
  }

  /** The game has changed; the session says in which way. */
  changed(kind) {
    const { session } = this;
    if (kind === "opened") return this.#opened();
    if (kind === "unsaved") return this.#unsaved();
    if (!this.ready || ["added", "dropped", "played"].includes(kind)) return this.drawSoon();
    if (["folded", "reviewed"].includes(kind)) return this.drawSoon();
    this.draw();
    if (kind === "shown" || kind === "mode") this.#tell(kind);
    if (kind !== "moved") return;
    announce(moveSentence(session));
    this.#tellLater();
    keepSetting(`last:${session.family}`, session.id);
    if (session.mode === "play" && session.over && session.atEnd) this.games.over();
  }

  /** After a while on a position, say what is known of it. */
  #tellLater() {
    clearTimeout(this.unsaid);
    const { position } = this.session;
    this.unsaid = setTimeout(() => {
      const { session, analysis, looking, lesson, searcher } = this;
      const { shown } = analysis;
      if (session.position !== position || !shown || !looking.visible || lesson || searcher.what === "review") return;
      announce(`${shown.text}.`);
    }, UNSAID);
  }

  /** Say what is shown now, and what is known of it, to those who do not see it. */
  #tell(kind) {
    const { session, analysis, values, looking, lesson } = this;
    if (lesson) return; // the coach speaks
    const known = looking.visible && analysis.engine ? values.get(session.position, analysis.engine.name) : null;
    const what = kind === "mode" ? (session.mode === "play" ? "Play." : "Analysis.") : session.node.parent ? `${session.node.ply}. ${moveSentence(session)}` : "The start.";
    announce([what, known ? `${known.text}.` : ""].filter(Boolean).join(" "));
    if (!known) this.#tellLater();
  }

  #unsaved() {
    $("#unsaved span").textContent = this.store.problem;
    $("#unsaved").hidden = !this.store.problem;
  }

  // ---------------------------------------------------------------------------------- drawing

  draw() {
    const { session } = this;
    if (!this.ready) return;
    const { body } = document;
    body.dataset.mode = session.mode;
    body.classList.toggle("learning", Boolean(this.lesson));
    body.classList.toggle("watching", session.humans === 0);
    body.classList.toggle("blind", !this.looking.visible);
    for (const mode of ["play", "analyse"]) $(`#mode-${mode}`).setAttribute("aria-pressed", String(session.mode === mode));
    $("#show-truth").checked = this.truthful;
    notify(noticeOf(session));
    this.drawBoard();
    this.#drawMoves();
    this.turns.begin();
    this.drawStatus();
    this.coaching.now?.draw();
    for (const [name, panel] of Object.entries(this.panels)) if (name !== "review" && (isOpen(name) || (name === "tree" && panel.now))) panel.draw();
    this.#runClock();
    this.looking.look();
  }

  drawStatus() {
    const { session, clock, setup, turns } = this;
    if (!this.ready) return;
    if (isOpen("engines")) this.panels.engines.draw();
    document.body.classList.toggle("thinking", turns.thinking);
    drawSeats(session, clock, setup);
    drawStatus(session, turns, this.moving.open);
    this.card.draw();
    this.toolbars.forEach((bar) => bar.refresh());
  }

  drawBoard() {
    this.elsewhere = false;
    this.showBoard(this.session.position, this.moving.open);
    this.truth.marks(this.looking.visible);
  }

  showBoard(position, open) {
    this.board.show(position, { open, sides: [side(1, position), side(-1, position)] });
    this.board.line();
    this.board.hints(null);
    this.board.marks([]);
  }

  drawTruth() {
    if (this.ready) unpressed(this.redraw.truth);
  }

  #drawTruthNow() {
    const { analysis } = this;
    this.truth.draw(this.looking.visible, !this.elsewhere);
    $("#engine-on").checked = analysis.on;
    $("#pill").hidden = !(this.looking.visible && this.session.mode === "play" && analysis.shown);
    $("#pill").textContent = analysis.shown ? `${analysis.name}: ${analysis.shown.text}` : "";
    this.drawSoon();
  }

  /** Values arrive many times a second: the list and the graph follow once a frame. */
  drawSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#drawMoves();
    });
  }

  #drawMoves() {
    if (this.ready) unpressed(this.redraw.moves);
  }

  #drawMovesNow() {
    const { session, sheet, graph, editing } = this;
    if (isOpen("review")) this.panels.review.draw();
    const { node } = session;
    sheet.spoils = session.mode === "analyse" && !this.lesson;
    sheet.draw();
    if (session.mode === "analyse") for (const part of [graph, editing]) part.draw().catch((error) => complain(error.message));
    for (const [id, to] of [["to-start", node.parent], ["back", node.parent], ["forward", node.next], ["to-end", node.next]]) $(`#${id}`).disabled = !to;
  }

  /** A clock runs only while a person is to move. */
  #runClock() {
    const { session, clock } = this;
    const runs = session.mode === "play" && session.atEnd && !session.over && session.isHuman(session.position.player);
    if (runs) clock.run(session.position.player, session.node.path);
    else clock.halt();
  }
}

openTab("moves");
const kind = $("#board").classList.contains("text-board") ? (await import("./board/text_board.js")).TextBoard : Board;
new Page(document.body.dataset.family, kind).start();
