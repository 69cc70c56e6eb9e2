/** The page of a game: whose turn it is, what the buttons do, and what happens then. */

import { isAbort, post } from "./api.js";
import { Board } from "./board.js";
import { $ } from "./dom.js";
import * as files from "./files.js";
import { ENDINGS, Game } from "./game.js";
import { drawHistory } from "./history.js";
import { Review } from "./review.js";
import { Setup } from "./setup.js";
import { listenToTabs } from "./tabs.js";
import { Thinking } from "./thinking.js";
import { TreeView } from "./tree.js";
import { letter, side } from "./words.js";

const BETWEEN_ENGINES = 350; // ms between the moves of two engines, so that eyes can follow

class Page {
  constructor(family) {
    this.game = new Game(family);
    this.board = new Board($("#board"));
    this.setup = new Setup(family);
    this.thinking = new Thinking(this.board);
    this.review = new Review(this.game);
    this.tree = new TreeView(this.game);
    this.search = null; // AbortController of the search under way
    this.paused = false;
    this.engineMoved = false; // whether an engine's move led to the position on the board
    this.#listen();
  }

  async start() {
    await this.#guard(async () => {
      try {
        await this.#fromAddress();
      } finally {
        const { game } = this;
        if (!game.position) await game.load({ name: game.family, kind: "shown" });
        await this.setup.load(game.name);
      }
    });
    // Two engines wait for the button when a link is opened in the middle of a game.
    this.paused = this.game.humans === 0 && this.game.moves.length > 0;
    this.setup.show(this.game);
    this.#shown();
    document.body.dataset.ready = "yes";
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
    addEventListener("popstate", () => this.#guard(() => this.#back()));
    addEventListener("pagehide", () => this.stop());
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
    $("#analyse").addEventListener("change", () => this.#turn());
    $("#kibitzer").addEventListener("change", () => this.#turn());
    $("#show-engine").addEventListener("change", (event) => this.#knowledge(event.target.checked));
    listenToTabs();
  }

  /** Run an action; what goes wrong is told in one sentence. */
  async #guard(action) {
    this.#complain("");
    try {
      await action();
    } catch (error) {
      if (!isAbort(error)) this.#complain(error.message);
    }
  }

  #complain(text) {
    $("#complaint").textContent = text ? text[0].toUpperCase() + text.slice(1) : "";
    $("#complaint").hidden = !text;
  }

  #changed({ kind, by, name, player }) {
    this.engineMoved = by === "engine";
    if (kind === "moved") {
      const who = side(player, this.game.position.style);
      this.announce(`${who} played ${name}.`);
      this.#address(by === "engine" ? "replaceState" : "pushState");
      this.review.keepTo(this.game.moves);
    } else this.#address(kind === "opened" ? "pushState" : "replaceState");
    this.#shown();
  }

  async #fromAddress() {
    const ignored = await this.game.fromUrl(this.setup.times);
    if (ignored.length) this.#complain(`ignored in the address: ${ignored.join(", ")}`);
  }

  #address(method) {
    const url = this.game.toUrl();
    if (url !== location.pathname + location.search) history[method](null, "", url);
  }

  announce(text) {
    $("#announcer").textContent = `${text} ${this.#statusText()}`;
  }

  // ------------------------------------------------------------------------------- what shows

  #statusText() {
    const { game } = this;
    const { position } = game;
    const name = (player) => side(player, position.style);
    if (game.over) {
      if (game.winner === 0) return "Draw.";
      const how = ENDINGS[game.ended?.by];
      return `${name(game.winner)} wins${how ? ` ${how}` : ""}.`;
    }
    const who = game.isHuman(position.player)
      ? game.humans === 1 ? "your move" : "to move"
      : `${game.seats[position.player]} to move`;
    return `${name(position.player)}: ${who}.`;
  }

  #shown() {
    const { game, board } = this;
    const { position } = game;
    if (!position) return;
    const mine = this.review.task !== null || (game.isHuman(position.player) && !game.over);
    board.show(position, {
      open: mine && !position.done,
      sides: [side(1, position.style), side(-1, position.style)],
    });
    $("#status").textContent = this.#statusText();
    $("#status").dataset.turn = game.over ? "over" : position.player > 0 ? "x" : "o";
    $("#score").textContent = score(position);
    const enable = (id, yes) => ($(id).disabled = !yes);
    enable("#undo", game.undoTarget() !== game.ply);
    enable("#redo", game.redoTarget() !== game.ply);
    enable("#first-ply", game.ply > 0);
    enable("#last-ply", !game.atEnd);
    enable("#resign", !game.over && game.atEnd && game.humans > 0);
    enable("#run-review", game.moves.length > 0);
    this.#showPause();
    $("#pass").hidden = !(mine && position.legal.length === 1 && position.legal[0].cell === null);
    this.#drawHistory();
    this.review.draw();
    this.tree.reset();
    this.#turn();
  }

  #drawHistory() {
    drawHistory(this.game, this.review, (ply) => this.#guard(() => this.#jump(ply)));
  }

  /** Two engines can be halted, and whoever has been halted can go on. */
  #showPause() {
    $("#step").hidden = this.game.humans > 0;
    $("#pause").hidden = this.game.humans > 0 && !this.paused;
    $("#pause").textContent = this.paused ? "Resume" : "Pause";
  }

  #knowledge(visible) {
    document.body.classList.toggle("hide-engine", !visible);
    this.thinking.refresh(visible);
  }

  // ---------------------------------------------------------------------------------- the turn

  /** Whoever is to think now begins: the engine to move, or the one that looks on. */
  async #turn() {
    this.stop();
    const { game } = this;
    const { position } = game;
    const ended = !position || game.over || position.done;
    const waits = this.paused || this.review.task || !game.atEnd;
    if (!ended && !waits && !game.isHuman(position.player))
      await this.#think(game.seats[position.player], true);
    else if (!ended && $("#analyse").checked) await this.#think($("#kibitzer").value, false);
    else if (this.engineMoved) this.thinking.keep();
    else this.thinking.forget();
  }

  async #think(engine, plays) {
    const { game } = this;
    const search = (this.search = new AbortController());
    const question = { ...game.question(), engine };
    const time = plays ? Number(game.time) : Number($("#analyse-time").value);
    if (time) question.time = time;
    this.#busy(plays);
    try {
      const [analysis] = await Promise.all([
        this.thinking.run(question, game.position, engine, search.signal),
        // Two engines play so that eyes can follow; against a person the piece just placed lands first.
        plays ? new Promise((resolve) => setTimeout(resolve, BETWEEN_ENGINES)) : null,
      ]);
      if (search.signal.aborted || this.search !== search) return;
      this.#idle();
      if (plays && analysis) await game.play(analysis.best, "engine");
    } catch (error) {
      if (this.search === search) this.#idle();
      if (isAbort(error)) return;
      this.paused ||= plays;
      this.#showPause();
      this.thinking.stopped();
      this.#complain(error.message);
    }
  }

  #busy(plays) {
    document.body.classList.add("thinking");
    $("#stop").disabled = false;
    $("#move-now").hidden = !plays;
  }

  #idle() {
    this.search = null;
    document.body.classList.remove("thinking");
    $("#stop").disabled = true;
    $("#move-now").hidden = true;
  }

  /** End the search under way, here and at the server. */
  stop() {
    this.search?.abort();
    this.#idle();
  }

  #stopThinking() {
    const { position } = this.game;
    if (!this.game.isHuman(position.player)) this.paused = true;
    else $("#analyse").checked = false;
    this.stop();
    this.thinking.stopped();
    this.#showPause();
  }

  async #moveNow() {
    const best = this.thinking.latest?.best;
    if (best === undefined || best === null) return;
    this.stop();
    await this.game.play(best, "engine");
  }

  // ----------------------------------------------------------------------------------- actions

  async #chosen(move) {
    if (this.review.task) {
      await this.review.attempt(move);
      return;
    }
    this.stop();
    this.paused = this.paused && this.game.humans === 0;
    await this.game.play(move, "human");
  }

  async #jump(ply) {
    this.stop();
    this.review.leave();
    await this.game.goto(ply);
  }

  async newGame() {
    this.stop();
    this.review.reset();
    this.paused = false;
    const { game, setup } = this;
    const { name } = setup;
    game.seats = setup.seats;
    game.time = setup.time;
    let start = "";
    if (setup.opener() < 0) {
      const usual = await post("/api/position", { game: name });
      start = usual.position.replace(/x$/, "o");
    }
    if (!(await game.load({ name, start }))) return;
    await setup.load(game.name);
    // The size came from the form; somebody may be typing the next one into it by now.
    setup.showSeats(game);
    this.announce("New game.");
  }

  async #seatsChanged() {
    this.game.seats = this.setup.seats;
    this.game.time = this.setup.time;
    this.paused = false;
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
    this.stop();
    game.end(-loser, "resignation");
    this.announce(`${letter(loser)} resigned.`);
  }

  #pause() {
    this.paused = !this.paused;
    this.#shown();
  }

  /** One move of the engine whose turn it is. */
  async #step() {
    this.paused = true;
    this.stop();
    const { game } = this;
    if (!game.over && !game.isHuman(game.position.player))
      await this.#think(game.seats[game.position.player], true);
  }

  async #open(text) {
    const opened = await files.open(text, this.game.name);
    if (opened.game.split("-")[0] !== this.game.family.split("-")[0])
      throw new Error(`this is a game of ${opened.game}; open it on that page`);
    this.stop();
    this.review.reset();
    const [x, o] = opened.players.map((name) => (this.setup.offers(name) ? name : "human"));
    this.game.seats = { 1: x, [-1]: o };
    this.paused = this.game.humans === 0;
    await this.game.load({
      name: opened.game,
      start: opened.starts_as_usual ? "" : opened.begun,
      moves: opened.moves,
      ended: opened.ended_by ? { result: opened.result, by: opened.ended_by } : null,
    });
    this.setup.show(this.game);
    this.announce("Game opened.");
  }

  async #copyLink() {
    await navigator.clipboard.writeText(location.href);
    this.announce("Link copied.");
  }

  async #back() {
    this.stop();
    this.review.reset();
    this.paused = true;
    await this.#fromAddress();
    this.setup.show(this.game);
    this.paused = this.game.humans === 0;
    this.#shown();
  }

  async #tryAgain(ply) {
    this.stop();
    $("#analyse").checked = false;
    await this.game.goto(ply);
    this.review.begin(ply);
    this.#shown();
    this.board.focus();
  }

  async #endTry() {
    this.review.leave();
    await this.game.goto(this.game.moves.length);
  }
}

function score(position) {
  if (position.style !== "reversi") return "";
  const count = (player) => position.board.filter((piece) => piece === player).length;
  return `${count(1)} : ${count(-1)}`;
}

new Page(document.body.dataset.family).start();
