/** The page of a game: its buttons, and what follows from them. */

import { isAbort } from "./base/api.js";
import { Board } from "./board/board.js";
import { TextBoard } from "./board/text_board.js";
import { Clock } from "./play/clock.js";
import { $ } from "./base/dom.js";
import { announce, complain, drawFace, moveSentence, noticeOf, notify } from "./views/status.js";
import * as files from "./play/files.js";
import { Game } from "./model/game.js";
import { listenToHelp, listenToKeys, openHelp } from "./base/help.js";
import { Hint } from "./play/hint.js";
import { drawHistory } from "./views/move_list.js";
import { Review } from "./views/review_panel.js";
import { Roving } from "./base/roving.js";
import { Setup } from "./play/setup.js";
import { OpenedFile } from "./views/opened_file.js";
import { listenToTabs, openTab } from "./base/tabs.js";
import { Thinking } from "./views/analysis_panel.js";
import { TreeView } from "./views/tree_panel.js";
import { Turns } from "./play/turns.js";
import { watchWarmUp } from "./play/warmup.js";
import { piece, side } from "./base/format.js";

class Page {
  constructor(family) {
    this.game = new Game(family);
    const box = $("#board");
    this.board = box.classList.contains("text-board") ? new TextBoard(box) : new Board(box);
    this.setup = new Setup(family);
    this.thinking = new Thinking(this.board);
    this.review = new Review(this.game);
    this.tree = new TreeView(this.game);
    this.turns = new Turns(this);
    this.hint = new Hint(this.board, notify);
    this.clock = new Clock();
    this.file = new OpenedFile();
    this.controls = ["#game-controls", "#share-controls"].map((id) => new Roving($(id), "button"));
    this.ready = false; // whether there is a game on the page
    this.game.reviewed = () => this.review.running || this.review.entries.length > 0;
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
    this.turns.paused = game.humans === 0 && game.moves.length > 0;
    this.ready = true;
    $("#main").inert = false; // earlier choices would have been overwritten
    this.#shown();
    document.body.dataset.ready = "yes";
    watchWarmUp();
  }

  // ---------------------------------------------------------------------------------- events

  #listen() {
    const { game, setup, review, board, turns } = this;
    // An error is shown beside the field that it is about: `near` names it.
    const click = (id, action, near) => $(id).addEventListener("click", () => this.#guard(action, near));
    board.addEventListener("move", (event) => this.#guard(() => this.#chosen(event.detail)));
    board.addEventListener("refused", (event) => this.#guard(() => this.#refuse(event.detail)));
    board.addEventListener("aim", (event) => this.#aimed(event.detail));
    game.addEventListener("change", (event) => this.#changed(event.detail));
    game.addEventListener("busy", () => $("#board").setAttribute("aria-busy", game.busy));
    setup.addEventListener("new", () => this.#guard(() => this.newGame(), "board"));
    setup.addEventListener("seats", () => this.#guard(() => this.#seatsChanged()));
    review.addEventListener("change", () => this.#drawHistory());
    review.addEventListener("jump", (event) => this.#guard(() => this.#jump(event.detail, true)));
    review.addEventListener("again", (event) => this.#guard(() => this.#tryAgain(event.detail)));
    this.tree.addEventListener("look", (event) => this.#guard(() => this.#look(event.detail)));
    turns.addEventListener("waiting", () => this.#drawWaiting());
    turns.addEventListener("failed", ({ detail }) => complain(detail.error.message, detail.near));
    this.clock.addEventListener("short", ({ detail }) => announce(`${detail} seconds left.`, this.game));
    this.clock.addEventListener("out", () => this.#timeIsUp());
    addEventListener("popstate", () => this.#guard(() => this.#back()));
    addEventListener("pagehide", () => turns.stop());
    click("#undo", () => this.#jump(game.undoTarget()));
    click("#redo", () => this.#jump(game.redoTarget()));
    click("#first-ply", () => this.#jump(0));
    click("#last-ply", () => this.#jump(game.moves.length));
    click("#back-to-game", () => this.#jump(game.main.from, true));
    for (const id of ["#new", "#end-rematch"]) click(id, () => this.rematch());
    click("#end-new", () => $("#new-game-form .primary").focus());
    click("#end-review", () => this.#reviewGame());
    click("#flip", () => this.#flip());
    click("#hint", () => this.#giveHint());
    click("#resign", () => this.#resign());
    click("#pause", () => this.#pause());
    click("#step", () => turns.step());
    click("#pass", () => this.#chosen(game.position.pass_move));
    click("#play-aimed", () => board.confirm());
    click("#stop", () => turns.stopThinking());
    click("#move-now", () => turns.moveNow());
    click("#save", () => files.save(game, this.file));
    click("#open", () => files.askForFile((read) => this.#guard(() => this.#open(read), "file")));
    click("#paste-open", () => this.#open(files.pasted), "paste");
    click("#copy-link", () => this.#copyLink());
    click("#run-review", () => this.#reviewGame());
    click("#stop-review", () => review.stop());
    click("#show-answer", () => review.reveal());
    click("#end-try", () => this.#endTry());
    click("#grow-mcts", () => this.tree.grow("mcts"));
    click("#grow-game", () => this.tree.grow("game"));
    $("#tree-levels").addEventListener("change", () => this.#guard(() => this.tree.regrow()));
    // An engine that is to move keeps thinking when another one is chosen for analysis.
    for (const id of ["#analyse", "#kibitzer", "#analyse-time"])
      $(id).addEventListener("change", () => turns.plays || turns.begin());
    $("#show-engine").addEventListener("change", (event) => this.#knowledge(event.target.checked));
    listenToTabs();
    listenToHelp();
    const press = (id) => () => $(id).disabled || $(id).click();
    listenToKeys({
      ArrowLeft: () => this.#guard(() => this.#jump(game.ply - 1)),
      ArrowRight: () => this.#guard(() => this.#jump(game.ply + 1)),
      f: press("#flip"),
      h: press("#hint"),
      "?": () => openHelp(),
    });
  }

  /** Run an action; an error is shown in one sentence. */
  async #guard(action, near = "") {
    complain("");
    try {
      await action();
    } catch (error) {
      if (!isAbort(error)) complain(error.message, near);
    }
  }

  #changed({ kind, ...moved }) {
    const { game, review } = this;
    if (kind === "moved") {
      announce(moveSentence(game, moved), game);
      this.#address(moved.by === "engine" ? "replaceState" : "pushState");
      review.keepTo(game.mainMoves);
    } else this.#address(kind === "opened" ? "pushState" : "replaceState");
    this.#shown();
  }

  /** Load the game in the address; false if another change has come first. */
  async #fromAddress() {
    const ignored = await this.game.fromUrl(this.setup.offered);
    if (ignored?.length) complain(`not understood in the address: ${ignored.join(", ")}`);
    else if (ignored && this.game.problem) complain(this.game.problem);
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
    game.levels = this.setup.levels;
    this.hint.cancel();
    const mine = this.review.task !== null || (game.isHuman(position.player) && !game.over);
    this.#show(position, mine && !position.done);
    drawFace(game, { open: mine, paused: this.turns.paused, thinking: this.turns.engineMoves });
    for (const group of this.controls) group.refresh();
    notify(noticeOf(game));
    this.#drawHistory();
    this.review.draw();
    this.tree.reset();
    this.#runClock();
    this.turns.begin();
  }

  /** An engine has stopped: who may move, and what can be resumed. */
  #drawWaiting() {
    const { game, turns } = this;
    drawFace(game, { open: game.isHuman(game.position.player) && !game.over, paused: turns.paused, thinking: false });
  }

  #show(position, open) {
    this.board.show(position, { open, sides: [side(1, position), side(-1, position)] });
  }

  /** Show a position of the tree; without steps the game again. */
  async #look(steps) {
    const { game } = this;
    if (!steps.length) {
      this.#show(game.position, game.isHuman(game.position.player) && !game.over);
      notify(noticeOf(game));
      return;
    }
    const position = await game.peek(steps.map(({ move }) => move));
    if (this.tree.path !== steps) return;
    this.turns.stop();
    this.thinking.forget();
    this.#show(position, false);
    notify(`From the tree: after ${steps.map(({ name }) => name).join(" ")}. Your game is unchanged.`);
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

  #aimed(entry) {
    $("#play-aimed").hidden = !entry;
    $("#play-aimed").textContent = entry ? `Play ${entry.name}` : "Play";
    notify(entry ? "Tap again to play, or choose another point." : noticeOf(this.game));
  }

  // ----------------------------------------------------------------------------------- actions

  async #chosen(move) {
    if (this.review.task) {
      await this.review.attempt(move);
      return;
    }
    const { game } = this;
    if (game.busy) return;
    this.turns.stop();
    this.clock.halt();
    this.turns.paused = this.turns.paused && game.humans === 0;
    this.board.anticipate(move);
    await this.#orContinue(() => game.play(move, "human"));
  }

  /** Say why a square cannot be chosen. */
  async #refuse({ cell, open }) {
    const { game } = this;
    if (game.busy || game.over) return;
    if (!open) {
      const { position } = game;
      if (this.tree.path.length) notify("This is a position of the tree. Choose “the game” above it to go back.");
      else if (!game.isHuman(position.player)) notify(`It is ${piece(position.player, position)}'s turn.`);
      return;
    }
    this.board.refuse(cell);
    const reason = await game.whyNot(cell);
    if (reason) notify(reason);
  }

  async #giveHint() {
    await this.hint.give(this.game.question());
  }

  async #jump(ply, toGame = false) {
    this.turns.stop();
    this.review.leave();
    this.turns.paused ||= this.game.humans === 0; // until "Resume" is pressed
    await this.#orContinue(() => (toGame ? this.game.backToGame(ply) : this.game.goto(ply)));
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
    this.turns.stop();
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
      this.turns.paused = false;
      Object.assign(game, setup.choices);
      if (!(await game.load({ name, opens }))) return;
      if (missing.length) complain(`this board has no “${missing[0]}” level; “${setup.best}” plays instead`);
      announce("New game.", this.game);
    });
  }

  /** The same game again: players, board and who begins, unless that is random. */
  rematch() {
    const { game, setup } = this;
    const { name, start } = game;
    const random = $("#first").value === "random";
    return this.#another(async (late) => {
      const usual = random && (await game.startsAsUsual());
      if (late()) return;
      this.#leaveGame();
      this.turns.paused = false;
      if (!(await game.load(usual ? { name, opens: setup.opener() } : { name, start }))) return;
      announce("Rematch.", this.game);
    });
  }

  /** Forget the review, the thoughts and the clock of the game before. */
  #leaveGame() {
    this.review.reset();
    this.turns.forget();
    this.clock.reset();
    this.file.close();
  }

  #seatsChanged() {
    Object.assign(this.game, this.setup.choices);
    this.turns.paused = this.game.humans === 0 && !this.game.atEnd;
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
    this.turns.stop();
    game.end(-loser, "resignation");
    announce(`${piece(loser, game.position)} resigned.`, game);
  }

  #timeIsUp() {
    const { game } = this;
    const loser = game.position.player;
    game.end(-loser, "time");
    announce(`${piece(loser, game.position)} ran out of time.`, game);
  }

  #pause() {
    this.turns.paused = !this.turns.paused;
    this.#shown();
  }

  async #open(read) {
    const since = performance.now();
    const { game, setup } = this;
    const content = await read();
    return this.#another(async (late) => {
      const opened = await files.open(content, game.name);
      if (!opened) return this.#shown(); // nothing was chosen: the game continues
      if (opened.family !== game.family) throw new Error(`This is a game of ${opened.game}. Open it on that page.`);
      const lists = await setup.ask(opened.game);
      if (late()) return;
      setup.fill(lists);
      this.#leaveGame();
      const [x, o] = opened.players.map((name) => (setup.offers(name) ? name : "human"));
      game.seats = { 1: x, [-1]: o };
      this.turns.paused = game.humans === 0;
      const loaded = await game.load({
        name: opened.game,
        start: opened.starts_as_usual ? "" : opened.begun,
        moves: opened.moves,
        opening: opened.opening,
        ended: opened.ended_by ? { result: opened.result, by: opened.ended_by } : null,
      });
      if (!loaded) return;
      setup.show(game, since);
      this.file.show(opened, game);
      announce("Game opened.", this.game);
    });
  }

  async #copyLink() {
    const copied = await files.copyLink($("#copy-link"));
    announce(copied ? "Link copied." : "Copying is blocked here. The link is in the field.", this.game);
  }

  /** The browser has gone back or forward. */
  async #back() {
    const since = performance.now();
    const { game, setup } = this;
    this.turns.stop();
    this.#leaveGame();
    this.turns.paused = true; // until the players are known
    try {
      if (!(await this.#fromAddress())) return;
      setup.fill(await setup.ask(game.name));
      setup.show(game, since);
    } finally {
      this.turns.paused = game.humans === 0;
      this.#shown();
    }
  }

  // ------------------------------------------------------------------------------- the review

  async #reviewGame() {
    openTab("review");
    await this.review.run($("#kibitzer").value, Number($("#review-time").value));
  }

  async #tryAgain(ply) {
    this.turns.stop();
    $("#analyse").checked = false;
    if (!(await this.game.backToGame(ply))) return;
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
