/**
 * The page of a game: its parts, its buttons, and what follows from them.
 *
 *     session   the game as a tree, its address and its place in the store
 *     turns     engines that play          analysis   one named engine that says what is true
 *     panels    what the tabs show: each has `draw()`, called while its tab is open
 *
 * All searches go through one `searcher`: what the visitor asked for last runs.
 */

import { isAbort, post } from "./base/api.js";
import { $ } from "./base/dom.js";
import { piece, side } from "./base/format.js";
import { listenToHelp, openHelp } from "./base/help.js";
import { listenToKeys } from "./base/keys.js";
import { unpressed } from "./base/press.js";
import { Roving } from "./base/roving.js";
import { isOpen, listenToTabs, openTab } from "./base/tabs.js";
import { Board } from "./board/board.js";
import { HUMAN, Session } from "./model/session.js";
import { Store, keepSetting, setting } from "./model/store.js";
import { Values } from "./model/values.js";
import { worthOf } from "./model/worth.js";
import { Analysis } from "./play/analysis.js";
import { Clock } from "./play/clock.js";
import { Hints } from "./play/hints.js";
import { Retry } from "./play/retry.js";
import { Reviewing } from "./play/reviewing.js";
import { Searcher } from "./play/searcher.js";
import { Setup } from "./play/setup.js";
import { Turns } from "./play/turns.js";
import { watchWarmUp } from "./play/warmup.js";
import { addTools } from "./tools.js";
import { Coach } from "./views/coach.js";
import { Editing } from "./views/editing.js";
import { EndCard } from "./views/end_card.js";
import { announce, complain, drawSeats, drawStatus, moveSentence, notify, noticeOf, takeBackTo } from "./views/face.js";
import { drawFacts } from "./views/facts.js";
import { LineGraph } from "./views/line_graph.js";
import { Sheet } from "./views/sheet.js";
import { Truth } from "./views/truth.js";

const QUICK = 0.3; // seconds for each move of a game that has just ended
const SHORT = 5; // seconds that a review may take without being asked for

/** What is needed for files and links, loaded when it is. */
const files = () => import("./play/files.js");

class Page {
  constructor(family, BoardKind) {
    const store = (this.store = new Store());
    const session = (this.session = new Session(family, store));
    const box = $("#board");
    const board = (this.board = new BoardKind(box));
    const searcher = (this.searcher = new Searcher());
    const values = (this.values = new Values(store));
    const show = (node) => this.guard(() => this.#walkTo(node));
    const worth = (node) => worthOf(node, session, values, this.analysis.engine);
    this.analysis = new Analysis(searcher, values);
    this.setup = new Setup(family);
    this.turns = new Turns(session, searcher);
    this.clock = new Clock();
    this.hints = new Hints(session, searcher, values);
    this.retry = new Retry(session, searcher, values);
    this.reviewing = new Reviewing(session, searcher);
    this.coach = new Coach(session, board, this.retry, () => this.#open);
    this.card = new EndCard(session, this.reviewing);
    this.editing = new Editing(session);
    this.sheet = new Sheet(session, show, worth);
    this.graph = new LineGraph(session, show, (node) => this.#glance(node), worth);
    this.truth = new Truth(session, board, this.analysis, { play: (steps) => this.guard(() => this.#playLine(steps)), keep: (steps) => session.keep(steps) });
    const play = (steps) => this.guard(() => this.#playLine(steps));
    this.panels = {
      review: later(async () => new (await import("./views/story.js")).Story(session, this.reviewing, show)),
      explorer: later(async () => new (await import("./views/explorer.js")).Explorer(session, store, play, this.analysis)),
      engines: later(async () => new (await import("./views/engines.js")).Engines(session, board, searcher, values, this)),
      tree: later(() => this.#makeTree()),
    };
    this.toolbars = ["#walk", "#game-controls", ".edit-row"].map((id) => new Roving($(id), "button"));
    this.truthful = setting("truth") === true; // whether the adviser is seen while a game is played
    this.ready = false; // whether there is a game on the page
    this.wanted = location.search.includes("library=") ? new URLSearchParams(location.search) : null; // a saved game
    this.elsewhere = false; // whether the board shows something else than the position and its values
    this.redraw = { truth: () => this.#drawTruthNow(), moves: () => this.#drawMovesNow() };
    this.#listen();
    addTools(this);
  }

  /** Run an action; an error is shown in one sentence, beside the field that `near` names. */
  async guard(action, near = "") {
    complain("");
    try {
      await action();
    } catch (error) {
      if (!isAbort(error)) complain(error.message, near);
    }
  }

  // ------------------------------------------------------------------------------- beginning

  async start() {
    const { session } = this;
    await this.guard(() => this.#fromHistory());
    if (!session.position) await this.guard(() => this.#begin({ name: session.family, seats: this.setup.usualSeats }));
    this.ready = true;
    $("#main").inert = false; // earlier choices would have been overwritten
    if (session.position) this.#opened();
    if (this.wanted) await this.guard(async () => (await import("./play/keeping.js")).openSaved(this, this.wanted));
    document.body.dataset.ready = "yes";
    watchWarmUp();
  }

  /** The game of this entry of the history; else the one in its address; else the last one; else a new one. */
  async #fromHistory() {
    const { session, setup, store } = this;
    const wanted = history.state?.id ?? new URLSearchParams(location.search).get("id"); // an address may name a kept game
    const here = wanted && (await store.game(wanted));
    if (here?.family === session.family) return this.#reopen(here);
    const asked = await session.asked(setup.usualSeats, setup.times);
    if (asked) {
      await this.#begin(asked);
      const doubt = asked.ignored.length ? `not understood in the address: ${asked.ignored.join(", ")}` : session.problem;
      if (doubt) complain(doubt);
      return;
    }
    const last = setting(`last:${session.family}`) && (await store.game(setting(`last:${session.family}`)));
    if (last && last.result === null && last.mode === "play") return this.#reopen(last);
    await this.#begin({ name: session.family, seats: setup.usualSeats });
  }

  /** Open a game with the lists of its engines; false if another wish has come first. */
  async #begin(game) {
    const { session, setup } = this;
    this.turns.stop();
    this.searcher.stop();
    const lists = await setup.ask(game.name);
    if (!(await session.open(game))) return false;
    setup.fill(lists);
    return true;
  }

  async #reopen(kept, push = false) {
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
    if (this.retry.on) this.retry.task = null;
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
    this.#drawSoon();
  }

  // ---------------------------------------------------------------------------------- events

  #listen() {
    const { session, board, analysis, reviewing, retry, setup, clock, turns, hints } = this;
    const click = (id, action, near) => $(id).addEventListener("click", () => this.guard(action, near));
    board.addEventListener("move", ({ detail }) => this.guard(() => this.#chosen(detail)));
    board.addEventListener("refused", ({ detail }) => this.guard(() => this.#refused(detail)));
    board.addEventListener("lift", ({ detail }) => notify(detail ? `From ${detail.name} to ${detail.to.join(", ")}.` : noticeOf(session)));
    board.addEventListener("aim", ({ detail }) => this.#aimed(detail));
    board.addEventListener("mark", ({ detail }) => session.mode === "analyse" && session.tree.mark(session.node, detail.from, detail.to));
    board.letDraw();
    session.addEventListener("change", ({ detail }) => this.#changed(detail.kind));
    session.addEventListener("busy", () => $("#board").setAttribute("aria-busy", session.busy));
    analysis.addEventListener("change", () => this.#drawTruth());
    this.values.addEventListener("change", () => this.#drawSoon());
    this.searcher.addEventListener("change", () => (this.#drawStatus(), this.ready && this.card.draw()));
    turns.addEventListener("change", () => this.#drawStatus());
    turns.addEventListener("failed", ({ detail }) => complain(detail.message));
    reviewing.addEventListener("change", () => (this.#drawSoon(), this.card.draw()));
    retry.addEventListener("say", ({ detail }) => this.coach.say(detail));
    retry.addEventListener("left", ({ detail }) => (this.draw(), notify(detail)));
    hints.addEventListener("say", ({ detail }) => this.#hint(detail));
    setup.addEventListener("new", () => this.guard(() => this.newGame(), "board"));
    clock.addEventListener("tick", () => drawSeats(session, clock, setup));
    clock.addEventListener("short", ({ detail }) => announce(`${detail} seconds left.`));
    clock.addEventListener("out", ({ detail }) => this.#lost(detail, "time"));
    addEventListener("popstate", () => this.guard(() => this.#fromHistory()));
    addEventListener("pagehide", () => this.searcher.stop());
    for (const mode of ["play", "analyse"]) click(`#mode-${mode}`, () => this.mode(mode));
    click("#new", () => setup.open());
    click("#to-start", () => this.#walkTo(session.tree.root));
    click("#back", () => this.#walkTo(session.node.parent));
    click("#forward", () => this.#walkTo(session.node.next));
    click("#to-end", () => this.#walkTo(session.node.end));
    click("#flip", () => this.#flip());
    click("#take-back", () => this.#takeBack());
    click("#hint", () => hints.next(analysis.engine));
    click("#resign", () => this.#lost(session.isHuman(session.position.player) ? session.position.player : -session.position.player, "resignation"));
    for (const id of ["#rematch", "#card-rematch"]) click(id, () => this.rematch(session.seats));
    click("#card-swap", () => this.rematch({ 1: session.seats[-1], [-1]: session.seats[1] }));
    click("#card-analyse", () => this.mode("analyse"));
    click("#card-review", () => this.#review(QUICK));
    for (const id of ["#card-learn", "#learn"]) click(id, () => this.#learn());
    click("#pause", () => this.#pause());
    click("#step", () => turns.step());
    click("#stop", () => turns.wait());
    click("#move-now", () => turns.moveNow());
    click("#pass", () => this.#chosen(session.position.pass_move));
    click("#play-aimed", () => board.confirm());
    click("#coach-hint", () => retry.hint());
    click("#coach-next", () => retry.next());
    click("#coach-leave", () => retry.leave());
    click("#run-review", () => (reviewing.running ? this.searcher.stop("review") : this.#review(Number($("#review-time").value))));
    click("#mistake-before", () => this.#toMistake(-1));
    click("#mistake-after", () => this.#toMistake(1));
    click("#back-to-game", () => this.#backToGame());
    click("#threat", () => this.#threat());
    click("#ask", () => this.#ask());
    click("#grow-mcts", () => this.#grow("mcts"));
    click("#grow-game", () => this.#grow("game"));
    $("#tree-levels").addEventListener("change", () => this.guard(async () => (await this.panels.tree.made()).regrow()));
    for (const id of ["#save", "#save-unsaved"]) click(id, () => this.#save(), "file");
    click("#open", async () => (await files()).askForFile((read) => this.guard(() => this.openGame(read), "file")));
    click("#paste-open", () => this.openGame(async () => (await files()).pasted()), "paste");
    click("#copy-link", () => this.#copyLink());
    $("#games").addEventListener("toggle", ({ newState }) => newState === "open" && this.#drawOwnGames());
    $("#share").addEventListener("toggle", ({ newState }) => newState === "open" && this.guard(() => this.#drawLink()));
    $("#engine-on").addEventListener("change", ({ target }) => (analysis.switch(target.checked), this.#look()));
    $("#show-truth").addEventListener("change", ({ target }) => this.#showTruth(target.checked));
    listenToTabs((name) => this.ready && this.guard(() => this.panels[name]?.draw()));
    listenToHelp();
    this.#listenToKeys();
  }

  #listenToKeys() {
    const { session } = this;
    const press = (id) => () => ($(id).checkVisibility() && !$(id).disabled ? $(id).click() : false);
    const beside = (step) => () => this.guard(() => this.#walkTo(besideOf(session.node, step)));
    listenToKeys({
      ArrowLeft: press("#back"),
      ArrowRight: press("#forward"),
      ArrowUp: beside(-1),
      ArrowDown: beside(1),
      Home: press("#to-start"),
      End: press("#to-end"),
      " ": () => this.#playBest(),
      a: () => $(session.mode === "play" ? "#mode-analyse" : "#mode-play").click(),
      n: press("#new"),
      f: press("#flip"),
      e: press("#set-up"),
      h: () => (this.retry.on ? press("#coach-hint")() : press("#hint")()),
      l: press("#engine-on"),
      x: press("#threat"),
      p: press("#promote"),
      c: () => ($("#comment").checkVisibility() ? $("#comment").focus() : false),
      Delete: press("#remove"),
      "Ctrl z": press("#undo-edit"),
      "Ctrl y": press("#redo-edit"),
      "?": () => openHelp(),
    });
  }

  #changed(kind) {
    const { session } = this;
    if (kind === "opened") return this.#opened();
    if (kind === "unsaved") return this.#unsaved();
    if (!this.ready || ["added", "dropped", "played"].includes(kind)) return this.#drawSoon();
    if (["folded", "reviewed"].includes(kind)) return this.#drawSoon();
    this.draw();
    if (kind !== "moved") return;
    announce(moveSentence(session));
    keepSetting(`last:${session.family}`, session.id);
    if (session.mode === "play" && session.over && session.atEnd) this.#gameOver();
  }

  // ----------------------------------------------------------------------------------- moving

  /** Whether a person may move on the board now. */
  get #open() {
    const { session, retry, turns } = this;
    if (session.resultHere !== null) return false;
    if (retry.on) return !retry.task.solved;
    if (session.mode === "analyse") return true;
    return !session.over && session.isHuman(session.position.player) && !turns.thinking;
  }

  async #chosen(move) {
    const { session, turns } = this;
    if (this.retry.on) return this.retry.attempt(move);
    if (session.busy) return;
    this.#interrupt();
    const time = this.clock.halt(true);
    if (this.clock.isForGame) session.left = { ...this.clock.left };
    turns.paused = turns.paused && session.humans === 0;
    this.board.anticipate(move);
    await this.#orRedraw(() => session.play(move, { time }));
  }

  /** End the search that runs; a review goes on. */
  #interrupt() {
    if (!this.reviewing.running) this.searcher.stop();
  }

  /** Change the game; if that fails, it is shown as it was. */
  async #orRedraw(action) {
    try {
      await action();
    } catch (error) {
      this.draw();
      throw error;
    }
  }

  /** Say why a square cannot be chosen. */
  async #refused({ cell, open }) {
    const { session } = this;
    const { position } = session;
    if (session.busy || session.resultHere !== null) return;
    if (!open) {
      if (this.panels.tree.now?.path.length) notify("This is a position of the tree. Choose “the game” above it to go back.");
      else if (session.mode === "play" && session.over) notify("The game is over. Analyse it to try other moves.");
      else if (session.mode === "play") notify(`It is ${piece(position.player, position)}'s turn.`);
      return;
    }
    this.board.refuse(cell);
    const { reason } = await post("/api/why-not", { ...session.question(), cell });
    if (reason) notify(reason);
  }

  #aimed(entry) {
    $("#play-aimed").hidden = !entry;
    $("#play-aimed").textContent = entry ? `Play ${entry.name}` : "Play";
    notify(entry ? "Tap again to play, or choose another point." : noticeOf(this.session));
  }

  /** Look at another move; two engines then wait. */
  async #walkTo(node) {
    if (!node) return;
    if (this.retry.on) this.retry.leave();
    this.turns.paused ||= this.session.mode === "play" && this.session.humans === 0;
    await this.#orRedraw(() => this.session.show(node));
  }

  /** Add a line of the engine after the shown move and show its end. */
  async #playLine(steps) {
    if (!this.#open) return;
    const { session } = this;
    if (session.mode === "play") return this.#chosen(steps[0].move);
    await this.#orRedraw(() => session.show(session.keep(steps)));
  }

  #playBest() {
    const { shown } = this.analysis;
    if (this.session.mode !== "analyse" || !shown || !this.#open || this.retry.on) return false;
    this.guard(() => this.#chosen(shown.best));
  }

  /** Back to one's own last choice; what is taken back stays in the tree. */
  async #takeBack() {
    this.turns.stop();
    await this.#walkTo(takeBackTo(this.session));
  }

  async #backToGame() {
    const { tree } = this.session;
    tree.backToPlayed();
    await this.#walkTo(tree.played);
  }

  /** A person has resigned or run out of time. */
  #lost(loser, by) {
    const { session } = this;
    this.searcher.stop();
    this.turns.stop();
    session.end(-loser, by);
    announce(`${piece(loser, session.position)} ${by === "time" ? "ran out of time" : "resigned"}.`);
    this.guard(() => this.#walkTo(session.tree.played).then(() => this.#gameOver()));
  }

  #pause() {
    this.turns.paused = !this.turns.paused;
    this.draw();
  }

  // ------------------------------------------------------------------------------------ games

  async newGame() {
    const { setup } = this;
    // The form is read now: its fields may change before the server answers.
    const { seats, ...choices } = setup.choices;
    const before = setup.levels;
    const late = this.session.begin();
    await this.#orRedraw(() => setup.ask(choices.name).then((lists) => late() || setup.fill(lists)));
    if (late()) return;
    const [missing] = Object.values(seats).filter((seat) => before.includes(seat) && !setup.levels.includes(seat));
    const fitting = Object.fromEntries(Object.entries(seats).map(([player, seat]) => [player, seat === missing ? setup.levels.at(-1) : seat]));
    await this.#another({ ...choices, seats: fitting, mode: "play", push: true }, "New game.");
    if (missing) complain(`this board has no “${missing}” level; “${setup.levels.at(-1)}” plays instead`);
  }

  /** The same game again, with these seats. */
  rematch(seats) {
    const { session } = this;
    const { name, time, clock, positions } = session;
    return this.#another({ name, start: positions.start, seats, time, clock, mode: "play", push: true }, "Rematch.");
  }

  async #another(game, sentence) {
    await this.#orRedraw(() => this.#begin(game));
    this.setup.close();
    announce(sentence);
  }

  /** Open another game, as `Session.open` takes it, with the players of this one; Back returns to this one. */
  openAnother(game, sentence) {
    const { seats } = this.session;
    return this.guard(() => this.#another({ seats, mode: "analyse", push: true, ...game }, sentence));
  }

  /** Play or analyse the game that is here. */
  async mode(mode) {
    const { session } = this;
    if (session.mode === mode) return;
    this.#interrupt();
    this.card.close();
    if (this.retry.on) this.retry.leave();
    if (mode === "play" && !session.over) await session.show(session.tree.played, "");
    session.setMode(mode);
  }

  async #gameOver() {
    const { session, analysis, reviewing } = this;
    this.clock.halt();
    this.card.draw();
    if (session.story || !analysis.engine) return;
    const exact = this.values.get(session.positions.known(session.tree.root), analysis.engine.name)?.proven;
    if (exact || this.setup.lists.exact || QUICK * reviewing.line.length <= SHORT) await this.#review(QUICK);
  }

  // ---------------------------------------------------------------------- analysis and review

  /** What may be seen of the adviser: everything in analysis, nothing of a game that is played. */
  get #visible() {
    const { session } = this;
    if (this.retry.on) return false;
    return session.mode === "analyse" || this.truthful || (session.over && !session.atEnd);
  }

  #look() {
    const { session, analysis, turns } = this;
    const quiet = !this.#visible || (session.mode === "play" && turns.isEngines);
    return analysis.look(session.position, session.question(), quiet);
  }

  #flip() {
    this.board.flip();
    this.draw();
  }

  #showTruth(on) {
    this.truthful = on;
    keepSetting("truth", on);
    this.draw();
  }

  #threat() {
    this.truth.threats = !this.truth.threats;
    $("#threat").setAttribute("aria-pressed", String(this.truth.threats));
    this.truth.marks(this.#visible);
  }

  async #review(time) {
    await this.reviewing.run(this.analysis.engine, time);
    this.draw();
  }

  async #learn() {
    const { session, reviewing, retry } = this;
    const own = reviewing.worst(session.own);
    this.searcher.stop();
    this.card.close();
    if (session.mode !== "analyse") session.setMode("analyse");
    await retry.start(own.length ? own : reviewing.worst(0), this.analysis.engine);
    this.draw();
  }

  #toMistake(step) {
    const list = this.reviewing.mistakes();
    const { ply } = this.session.node;
    const next = step > 0 ? list.find((node) => node.ply > ply) : list.findLast((node) => node.ply < ply);
    return this.#walkTo(next ?? list.at(step > 0 ? 0 : -1));
  }

  /** An engine that counts simulations keeps a tree that can be shown. */
  get #grower() {
    const grows = this.setup.analysts.filter(({ options }) => options.some(({ name }) => name === "simulations"));
    const found = grows.find(({ name }) => name === this.setup.adviser?.name) ?? grows[0];
    return { name: found?.name, spec: found?.analysis };
  }

  async #ask() {
    await (await this.panels.engines.made()).ask();
    this.draw();
  }

  async #grow(kind) {
    this.searcher.stop("analysis");
    await (await this.panels.tree.made()).grow(kind);
  }

  async #makeTree() {
    const { TreeView } = await import("./views/tree_panel.js");
    const tree = new TreeView(this.session, () => this.#grower);
    tree.addEventListener("look", ({ detail }) => this.guard(() => this.#lookAt(detail)));
    return tree;
  }

  /** Show a position of the search tree; without steps the game again. */
  async #lookAt(steps) {
    const { session } = this;
    if (!steps.length) return this.draw();
    const { node } = session;
    const moves = steps.map(({ move }) => move);
    const positions = await session.positions.beyond(node, moves);
    if (this.panels.tree.now?.path !== steps || session.node !== node) return;
    this.elsewhere = true;
    this.#showBoard(positions.at(-1), false);
    notify(`From the tree: after ${steps.map(({ name }) => name).join(" ")}. Your game is unchanged.`);
  }

  /** Show the position of a node of the graph for a moment. */
  #glance(node) {
    const { session } = this;
    const position = (node && session.positions.known(node)) ?? session.position;
    this.elsewhere = Boolean(node) && node !== session.node;
    if (this.elsewhere) this.#showBoard(position, false);
    else this.#drawBoard();
  }

  #hint(step) {
    notify(step.text);
    this.elsewhere = true;
    this.coach.show(step);
  }

  // ------------------------------------------------------------------------------ in and out

  /** Open what `read` has found; a game of another page opens there. */
  async openGame(read) {
    const { session, setup } = this;
    const late = session.begin();
    const [{ openTree }, { chosenOf, keptElsewhere }] = await Promise.all([import("./play/tree_files.js"), files()]);
    const found = await openTree(await read(), session.name, chosenOf);
    if (!found || late()) return; // nothing was chosen, or something else
    if (found.family !== session.family) return location.assign(await keptElsewhere(found, this.store));
    $("#share").hidePopover();
    await setup.ask(found.name).then((lists) => setup.fill(lists));
    const [x, o] = found.players.map((name) => (setup.offers(name) ? name : HUMAN));
    const { leftOut, outcome, ...game } = found;
    await this.#another({ ...game, seats: { 1: x, [-1]: o }, mode: "analyse", push: true }, "Game opened.");
    if (leftOut) notify(leftOut);
  }

  async #save() {
    const leftOut = await (await files()).save(this.session);
    if (leftOut) notify(leftOut);
  }

  async #drawLink() {
    $("#link").value = await (await files()).linkTo(this.session);
    $("#link-state").textContent = this.session.isLong ? "The game is too long for a link that every program takes. Save it as a file." : "";
  }

  async #copyLink() {
    const copied = await (await files()).copyLink(this.session);
    $("#link-state").textContent = copied ? "Link copied." : "Copying is blocked here. The link is marked: copy it by hand.";
  }

  async #drawOwnGames() {
    const { store, session } = this;
    const { drawOwnGames } = await import("./views/own_games.js");
    const open = (game) => this.guard(async () => {
      $("#games").hidePopover();
      if (game.id !== session.id) await this.#reopen(game, true);
    });
    const remove = (id) => this.guard(() => store.remove(id).then(() => this.#drawOwnGames()));
    return drawOwnGames({ store, session, open, remove });
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
    body.classList.toggle("learning", this.retry.on);
    body.classList.toggle("watching", session.humans === 0);
    body.classList.toggle("blind", !this.#visible);
    for (const mode of ["play", "analyse"]) $(`#mode-${mode}`).setAttribute("aria-pressed", String(session.mode === mode));
    $("#show-truth").checked = this.truthful;
    notify(noticeOf(session));
    this.#drawBoard();
    this.#drawMoves();
    this.turns.begin();
    this.#drawStatus();
    this.coach.draw();
    this.card.draw();
    for (const [name, panel] of Object.entries(this.panels)) if (name !== "review" && (isOpen(name) || (name === "tree" && panel.now))) panel.draw();
    this.#runClock();
    this.#look();
  }

  #drawStatus() {
    const { session, clock, setup, turns } = this;
    if (!this.ready) return;
    if (isOpen("engines")) this.panels.engines.draw();
    document.body.classList.toggle("thinking", turns.thinking);
    drawSeats(session, clock, setup);
    drawStatus(session, turns, this.#open);
    this.toolbars.forEach((bar) => bar.refresh());
  }

  #drawBoard() {
    this.elsewhere = false;
    this.#showBoard(this.session.position, this.#open);
    this.truth.marks(this.#visible);
  }

  #showBoard(position, open) {
    this.board.show(position, { open, sides: [side(1, position), side(-1, position)] });
    this.board.line();
    this.board.hints(null);
    this.board.marks([]);
  }

  #drawTruth() {
    if (this.ready) unpressed(this.redraw.truth);
  }

  #drawTruthNow() {
    const { analysis } = this;
    this.truth.draw(this.#visible, !this.elsewhere);
    $("#engine-on").checked = analysis.on;
    $("#pill").hidden = !(this.#visible && this.session.mode === "play" && analysis.shown);
    $("#pill").textContent = analysis.shown ? `${analysis.engine.name}: ${analysis.shown.text}` : "";
    this.#drawSoon();
  }

  /** Values arrive many times a second: the list and the graph follow once a frame. */
  #drawSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#drawMoves();
    });
  }

  #drawMoves() {
    if (this.ready) unpressed(this.redraw.moves);
  }

  #drawMovesNow() {
    const { session, sheet, graph } = this;
    if (isOpen("review")) this.panels.review.draw();
    const { node } = session;
    sheet.spoils = session.mode === "analyse" && !this.retry.on;
    sheet.draw();
    if (session.mode === "analyse") graph.draw();
    this.editing.draw();
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

/** A panel that few visits open: it is loaded and made when it is first drawn; until then `now` is null. */
function later(make) {
  let making = null;
  const panel = { now: null, made: () => (making ??= make().then((made) => (panel.now = made))), draw: async () => (await panel.made()).draw() };
  return panel;
}

/** The move before or after this one among those at the same point. */
function besideOf(node, step) {
  const moves = node.parent?.children ?? [];
  if (moves.length > 1) return moves[(moves.indexOf(node) + step + moves.length) % moves.length];
  return step > 0 ? (node.children[1] ?? null) : null;
}

openTab("moves");
const kind = $("#board").classList.contains("text-board") ? (await import("./board/text_board.js")).TextBoard : Board;
new Page(document.body.dataset.family, kind).start();
