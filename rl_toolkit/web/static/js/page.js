/** The page of a game: turns, buttons, and what follows from them. */

import { isAbort } from "./api.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { $ } from "./dom.js";
import { announce, complain, drawFace, drawPause } from "./status.js";
import * as files from "./records.js";
import { Game } from "./game.js";
import { drawHistory } from "./move_list.js";
import { Review } from "./review_panel.js";
import { Search } from "./search.js";
import { Setup } from "./setup.js";
import { listenToTabs } from "./tabs.js";
import { Thinking } from "./analysis_panel.js";
import { TreeView } from "./tree_panel.js";
import { watchWarmUp } from "./warmup.js";
import { letter, side } from "./format.js";

// Milliseconds before an engine moves, so that people can follow and the last piece has landed.
const BEFORE_A_MOVE = 350;

class Page {
  constructor(family) {
    this.game = new Game(family);
    this.board = new Board($("#board"));
    this.setup = new Setup(family);
    this.thinking = new Thinking(this.board);
    this.review = new Review(this.game);
    this.tree = new TreeView(this.game);
    this.search = new Search(this.thinking);
    this.clock = new Clock();
    this.ready = false; // whether there is a game on the page
    this.paused = false;
    this.engineMoved = false; // whether an engine's move led to the position on the board
    this.#listen();
  }

  async start() {
    const { game, setup } = this;
    await this.#guard(async () => {
      try {
        await this.#fromAddress();
      } finally {
        if (!game.position) await game.load({ name: game.family, kind: "shown" });
        setup.fill(await setup.ask(game.name));
        setup.show(game);
      }
    });
    // Two engines wait for the button when a link is opened in the middle of a game.
    this.paused = game.humans === 0 && game.moves.length > 0;
    this.ready = true;
    $("#main").inert = false; // earlier choices would have been overwritten
    this.#shown();
    document.body.dataset.ready = "yes";
    watchWarmUp();
  }

  // ---------------------------------------------------------------------------------- events

  #listen() {
    const { game, setup, review } = this;
    const click = (id, action) => $(id).addEventListener("click", () => this.#guard(action));
    this.board.addEventListener("move", (event) => this.#guard(() => this.#chosen(event.detail)));
    game.addEventListener("change", (event) => this.#changed(event.detail));
    setup.addEventListener("new", () => this.#guard(() => this.newGame()));
    setup.addEventListener("seats", () => this.#guard(() => this.#seatsChanged()));
    review.addEventListener("change", () => this.#drawHistory());
    review.addEventListener("jump", (event) => this.#guard(() => this.#jump(event.detail)));
    review.addEventListener("again", (event) => this.#guard(() => this.#tryAgain(event.detail)));
    this.clock.addEventListener("short", ({ detail }) => announce(`${detail} seconds left.`, this.game));
    this.clock.addEventListener("out", () => this.#timeIsUp());
    addEventListener("popstate", () => this.#guard(() => this.#back()));
    addEventListener("pagehide", () => this.search.stop());
    click("#undo", () => this.#jump(game.undoTarget()));
    click("#redo", () => this.#jump(game.redoTarget()));
    click("#first-ply", () => this.#jump(0));
    click("#last-ply", () => this.#jump(game.moves.length));
    click("#new", () => this.newGame());
    click("#flip", () => this.#flip());
    click("#resign", () => this.#resign());
    click("#pause", () => this.#pause());
    click("#step", () => this.#step());
    click("#pass", () => this.#chosen(game.position.pass_move));
    click("#stop", () => this.#stopThinking());
    click("#move-now", () => this.#moveNow());
    click("#save", () => files.save(game));
    click("#open", () => files.askForFile((text) => this.#guard(() => this.#open(text))));
    click("#paste-open", () => this.#open($("#paste").value));
    click("#copy-link", () => this.#copyLink());
    click("#run-review", () => review.run($("#kibitzer").value, Number($("#review-time").value)));
    click("#stop-review", () => review.stop());
    click("#show-answer", () => review.reveal());
    click("#end-try", () => this.#endTry());
    click("#grow-mcts", () => this.tree.grow("mcts"));
    click("#grow-game", () => this.tree.grow("game"));
    // An engine that is to move keeps thinking when another one is chosen for analysis.
    for (const id of ["#analyse", "#kibitzer", "#analyse-time"])
      $(id).addEventListener("change", () => this.search.plays || this.#turn());
    $("#show-engine").addEventListener("change", (event) => this.#knowledge(event.target.checked));
    listenToTabs();
  }

  /** Run an action; an error is shown in one sentence. */
  async #guard(action) {
    complain("");
    try {
      await action();
    } catch (error) {
      if (!isAbort(error)) complain(error.message);
    }
  }

  #changed({ kind, by, move, name, player }) {
    this.engineMoved = by === "engine";
    if (kind === "moved") {
      const { position } = this.game;
      const did = move === position.pass_move ? "has no move and passes" : `played ${name}`;
      announce(`${side(player, position)} ${did}.`, this.game);
      this.#address(by === "engine" ? "replaceState" : "pushState");
      this.review.keepTo(this.game.moves);
    } else this.#address(kind === "opened" ? "pushState" : "replaceState");
    this.#shown();
  }

  /** Load the game in the address; false if another change has come first. */
  async #fromAddress() {
    const ignored = await this.game.fromUrl(this.setup.offered);
    if (ignored?.length) complain(`not understood in the address: ${ignored.join(", ")}`);
    return ignored !== null;
  }

  #address(method) {
    const url = this.game.toUrl();
    if (url !== location.pathname + location.search) history[method](null, "", url);
  }

  // ------------------------------------------------------------------------------- what shows

  #shown() {
    const { game, board } = this;
    const { position } = game;
    if (!position || !this.ready) return;
    const mine = this.review.task !== null || (game.isHuman(position.player) && !game.over);
    board.show(position, {
      open: mine && !position.done,
      sides: [side(1, position), side(-1, position)],
    });
    drawFace(game, { open: mine, paused: this.paused });
    this.#drawHistory();
    this.review.draw();
    this.tree.reset();
    this.#runClock();
    this.#turn();
  }

  /** The clock runs only while a person is to move. */
  #runClock() {
    const { game, clock } = this;
    const runs = game.clock && game.atEnd && !game.over && !this.review.task && game.isHuman(game.position.player);
    if (runs) clock.run(JSON.stringify(game.question()), Number(game.clock));
    else clock.halt();
  }

  #drawHistory() {
    drawHistory(this.game, this.review, (ply) => this.#guard(() => this.#jump(ply)));
  }

  #knowledge(visible) {
    document.body.classList.toggle("hide-engine", !visible);
    this.thinking.refresh(visible);
  }

  // ---------------------------------------------------------------------------------- the turn

  /** Start the engine that is to move, or else the analysis. */
  async #turn() {
    this.search.stop();
    const { game } = this;
    const { position } = game;
    const ended = !position || game.over || position.done;
    // Two engines that are not paused play from the position that is shown.
    const waits = this.paused || this.review.task || (!game.atEnd && game.humans > 0);
    if (!ended && !waits && !game.isHuman(position.player)) await this.#letMove(game.seats[position.player]);
    else if (!ended && $("#analyse").checked) await this.#analyse();
    else if (this.engineMoved) this.thinking.keep(game.over, position);
    else this.thinking.forget();
  }

  /** Let the engine whose turn it is find a move, and play it. */
  async #letMove(engine) {
    const { game } = this;
    const found = await this.#think({ engine, time: game.time, play: true }, { who: engine, atLeast: BEFORE_A_MOVE });
    if (!found) return;
    game.remember(found.after);
    await game.play(found.best, "engine");
  }

  #analyse() {
    const [{ value: engine, text: who }] = $("#kibitzer").selectedOptions;
    return this.#think({ engine, time: $("#analyse-time").value }, { who });
  }

  /** The analysis that `asked.engine` makes of the position; null if it was stopped or failed. */
  async #think(asked, how) {
    const { game, search } = this;
    const question = { ...game.question(), ...asked, time: Number(asked.time) || undefined };
    try {
      return await search.run(question, game.position, how);
    } catch (error) {
      this.#failed(error, asked.play);
      return null;
    }
  }

  /** Show the error of an engine; one that was to move can be tried again. */
  #failed(error, plays) {
    this.paused ||= plays;
    drawPause(this.game, this.paused);
    this.thinking.stopped();
    complain(error.message);
  }

  #stopThinking() {
    if (this.search.plays) this.paused = true;
    else $("#analyse").checked = false;
    this.search.stop();
    this.thinking.stopped();
    drawPause(this.game, this.paused);
  }

  async #moveNow() {
    const { best } = this.thinking.latest;
    this.search.stop();
    await this.game.play(best, "engine");
  }

  // ----------------------------------------------------------------------------------- actions

  async #chosen(move) {
    if (this.review.task) {
      await this.review.attempt(move);
      return;
    }
    if (this.game.placing) return;
    this.search.stop();
    this.clock.halt();
    this.paused = this.paused && this.game.humans === 0;
    await this.#orContinue(() => this.game.play(move, "human"));
  }

  async #jump(ply) {
    this.search.stop();
    this.review.leave();
    this.paused ||= this.game.humans === 0; // until "Resume" is pressed
    await this.#orContinue(() => this.game.goto(ply));
  }

  /** Change the game; if that fails, the game continues as it was. */
  async #orContinue(action) {
    try {
      await action();
    } catch (error) {
      this.#shown();
      throw error;
    }
  }

  /**
   * Set up another game: `work` is given a function that says whether another change has come first.
   */
  async #another(work) {
    this.search.stop();
    const late = this.game.begin();
    await this.#orContinue(() => work(late));
  }

  newGame() {
    const { game, setup } = this;
    // The form is read now: its fields may change before the server answers.
    const { name } = setup;
    const opens = setup.opener();
    return this.#another(async (late) => {
      const lists = await setup.ask(name);
      if (late()) return;
      const missing = setup.fill(lists);
      this.#leaveGame();
      this.paused = false;
      Object.assign(game, setup.choices);
      if (!(await game.load({ name, opens }))) return;
      if (missing.length) complain(`this board has no “${missing[0]}” level; “${setup.best}” plays instead`);
      announce("New game.", this.game);
    });
  }

  /** Forget the review and the clock of the game before. */
  #leaveGame() {
    this.review.reset();
    this.clock.reset();
  }

  #seatsChanged() {
    Object.assign(this.game, this.setup.choices);
    this.paused = this.game.humans === 0 && !this.game.atEnd;
    this.clock.reset();
    this.#address("replaceState");
    this.#shown();
  }

  #flip() {
    this.board.flip();
    this.#shown();
  }

  #resign() {
    const { game } = this;
    const loser = game.isHuman(game.position.player) ? game.position.player : -game.position.player;
    this.search.stop();
    game.end(-loser, "resignation");
    announce(`${letter(loser)} resigned.`, this.game);
  }

  #timeIsUp() {
    const { game } = this;
    const loser = game.position.player;
    game.end(-loser, "time");
    announce(`${letter(loser)} ran out of time.`, this.game);
  }

  #pause() {
    this.paused = !this.paused;
    this.#shown();
  }

  /** One move of the engine whose turn it is. */
  async #step() {
    this.paused = true;
    this.search.stop();
    drawPause(this.game, this.paused);
    const { game } = this;
    if (!game.over && !game.isHuman(game.position.player)) await this.#letMove(game.seats[game.position.player]);
  }

  #open(text) {
    const since = performance.now();
    const { game, setup } = this;
    return this.#another(async (late) => {
      const opened = await files.open(text, game.name);
      if (opened.family !== game.family) throw new Error(`this is a game of ${opened.game}; open it on that page`);
      const lists = await setup.ask(opened.game);
      if (late()) return;
      setup.fill(lists);
      this.#leaveGame();
      const [x, o] = opened.players.map((name) => (setup.offers(name) ? name : "human"));
      game.seats = { 1: x, [-1]: o };
      this.paused = game.humans === 0;
      const loaded = await game.load({
        name: opened.game,
        start: opened.starts_as_usual ? "" : opened.begun,
        moves: opened.moves,
        ended: opened.ended_by ? { result: opened.result, by: opened.ended_by } : null,
      });
      if (!loaded) return;
      setup.show(game, since);
      announce("Game opened.", this.game);
    });
  }

  async #copyLink() {
    await files.copyLink($("#copy-link"));
    announce("Link copied.", this.game);
  }

  /** The browser has gone back or forward. */
  async #back() {
    const since = performance.now();
    const { game, setup } = this;
    this.search.stop();
    this.#leaveGame();
    this.paused = true; // until the players are known
    try {
      if (!(await this.#fromAddress())) return;
      setup.fill(await setup.ask(game.name));
      setup.show(game, since);
    } finally {
      this.paused = game.humans === 0;
      this.#shown();
    }
  }

  async #tryAgain(ply) {
    this.search.stop();
    $("#analyse").checked = false;
    if (!(await this.game.goto(ply))) return;
    this.review.begin(ply);
    this.#shown();
    this.board.focus();
  }

  async #endTry() {
    this.review.leave();
    await this.game.goto(this.game.moves.length);
  }
}

new Page(document.body.dataset.family).start();
