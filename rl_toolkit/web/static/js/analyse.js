/** The page on which a game is analysed: its tree, both sides free, one engine that is asked. */

import { get, isAbort, post } from "./base/api.js";
import { $, h } from "./base/dom.js";
import { counted, mustPass, piece, side } from "./base/format.js";
import { listenToHelp, listenToKeys, openHelp } from "./base/help.js";
import { complain, notify } from "./base/messages.js";
import { listenToTabs, openTab } from "./base/tabs.js";
import { Board } from "./board/board.js";
import { TextBoard } from "./board/text_board.js";
import * as codec from "./model/codec.js";
import { Session } from "./model/session.js";
import { Store, keepSetting, setting } from "./model/store.js";
import { GLYPHS } from "./model/tree.js";
import { Values } from "./model/values.js";
import { Analysis } from "./play/analysis.js";
import { askForFile, chosenOf, copyText, download, pasted } from "./play/files.js";
import { Retry } from "./play/retry.js";
import { Reviewing } from "./play/reviewing.js";
import { Searcher } from "./play/searcher.js";
import { fileOf, openTree } from "./play/tree_files.js";
import { Explorer } from "./views/explorer.js";
import { LineGraph } from "./views/line_graph.js";
import { drawOwnGames } from "./views/own_games.js";
import { Sheet } from "./views/sheet.js";
import { Story } from "./views/story.js";
import { Truth } from "./views/truth.js";

class AnalysePage {
  constructor(family) {
    this.store = new Store();
    this.session = new Session(family, this.store);
    const box = $("#board");
    this.board = box.classList.contains("text-board") ? new TextBoard(box) : new Board(box);
    this.board.letDraw();
    this.searcher = new Searcher();
    this.values = new Values(this.store);
    this.analysis = new Analysis(this.searcher, this.values);
    this.reviewing = new Reviewing(this.session, this.searcher);
    this.retry = new Retry(this.session, this.searcher, this.values);
    const show = (node) => this.#guard(() => this.session.show(node));
    const play = (steps) => show(this.session.keep(steps));
    const keep = (steps) => {
      this.session.keep(steps);
      notify(`${steps.map(({ name }) => name).join(" ")} is kept as a variation.`);
    };
    this.truth = new Truth(this.session, this.board, this.analysis, { play, keep });
    this.sheet = new Sheet(this.session, show, (node) => this.#shortWorth(node));
    this.graph = new LineGraph(this.session, show, (node) => this.#preview(node), (node) => this.#worthOf(node));
    this.story = new Story(this.session, this.reviewing, show);
    this.explorer = new Explorer(this.session, this.store, play);
    this.#listen();
  }

  async start() {
    await this.#guard(() => this.#fromAddress());
    if (!this.session.position) await this.session.open({ name: this.session.family });
    $("#main").inert = false;
    document.body.dataset.ready = "yes";
    if (location.hash === "#learn") await this.#guard(() => this.#reviewAndLearn());
  }

  /** The game of this entry in the history if the store has it, else the one in the address. */
  async #fromAddress() {
    const { session } = this;
    const id = history.state?.id;
    const kept = id && (await this.store.game(id));
    if (kept) {
      await this.#askEngines(kept.game);
      return session.reopen(kept);
    }
    const asked = await session.asked();
    await this.#askEngines(asked.name).catch(() => this.#askEngines(session.family));
    await session.open(asked);
    if (asked.aside) await this.#addLine(asked.aside);
    if (asked.unreadable) throw new Error("The tree in this link cannot be read; the rest is shown");
    if (session.problem) throw new Error(session.problem);
  }

  /** Add the moves of a side line and show its end. */
  async #addLine(moves) {
    const { session } = this;
    const answer = await post("/api/line", { ...session.positions.question(moves) });
    const node = answer.moves.reduce((last, move, k) => session.tree.add(last, { move, name: answer.names[k], player: answer.movers[k] }), session.tree.root);
    await session.show(node);
  }

  async #askEngines(game) {
    const { engines, adviser } = await get(`/api/engines?game=${encodeURIComponent(game)}`);
    const engine = engines.find(({ name }) => name === adviser) ?? engines.find(({ analysis }) => analysis);
    this.analysis.engine = engine ? { name: engine.name, spec: engine.analysis } : null;
  }

  // ------------------------------------------------------------------------------------ events

  #listen() {
    const { session, board, analysis, reviewing, retry } = this;
    const { tree } = session;
    const click = (id, action, near) => $(id).addEventListener("click", () => this.#guard(action, near));
    board.addEventListener("move", ({ detail }) => this.#guard(() => this.#chosen(detail)));
    board.addEventListener("refused", ({ detail }) => this.#guard(() => this.#refused(detail)));
    board.addEventListener("aim", ({ detail }) => this.#aimed(detail));
    board.addEventListener("mark", ({ detail }) => tree.mark(session.node, detail.from, detail.to));
    session.addEventListener("change", ({ detail }) => this.#changed(detail.kind));
    analysis.addEventListener("change", () => this.#drawTruth());
    reviewing.addEventListener("change", () => this.#drawMoves());
    retry.addEventListener("say", ({ detail }) => this.#coach(detail));
    retry.addEventListener("left", ({ detail }) => this.#endLesson(detail));
    addEventListener("popstate", () => this.#guard(() => this.#fromAddress()));
    click("#to-start", () => session.show(tree.root));
    click("#back", () => session.show(session.node.parent));
    click("#forward", () => session.show(session.node.next));
    click("#to-end", () => session.show(session.node.end));
    click("#to-played", () => this.#toPlayed());
    click("#flip", () => this.#flip());
    click("#pass", () => this.#chosen(session.position.pass_move));
    click("#play-aimed", () => board.confirm());
    click("#promote", () => tree.promote(session.node));
    click("#make-main", () => tree.makeMain(session.node));
    click("#remove", () => this.#remove());
    click("#undo-edit", () => this.#undo());
    click("#threat", () => this.#threats());
    click("#run-review", () => (reviewing.running ? this.searcher.stop("review") : this.#review()));
    click("#learn", () => this.#learn());
    click("#coach-hint", () => retry.hint());
    click("#coach-next", () => retry.next());
    click("#coach-leave", () => retry.leave());
    click("#open", () => askForFile((read) => this.#guard(() => this.#open(read), "file")));
    click("#paste-open", () => this.#open(pasted), "paste");
    click("#save", () => this.#save());
    click("#copy-link", () => this.#copyLink());
    $("#engine-on").addEventListener("change", ({ target }) => {
      analysis.switch(target.checked);
      keepSetting("engine", target.checked);
      this.#look();
    });
    $("#comment").addEventListener("change", ({ target }) => tree.comment(session.node, target.value.trim()));
    $("#glyphs").append(...GLYPHS.map((glyph) => h("button", { type: "button", class: "small", text: glyph, "aria-pressed": "false", on: { click: () => tree.glyph(session.node, glyph) } })));
    analysis.on = $("#engine-on").checked = setting("engine") ?? true;
    listenToTabs();
    $("#tab-games").addEventListener("click", () => this.#drawGames());
    $("#tab-explorer").addEventListener("click", () => this.explorer.draw());
    listenToHelp();
    this.#listenToKeys();
  }

  #listenToKeys() {
    const { session } = this;
    const press = (id) => () => $(id).disabled || $(id).click();
    const show = (node) => () => this.#guard(() => session.show(node()));
    listenToKeys({
      ArrowLeft: show(() => session.node.parent),
      ArrowRight: show(() => session.node.next),
      ArrowUp: show(() => this.#beside(-1)),
      ArrowDown: show(() => this.#beside(1)),
      Home: show(() => session.tree.root),
      End: show(() => session.node.end),
      f: press("#flip"),
      x: press("#threat"),
      e: press("#engine-on"),
      p: press("#promote"),
      u: press("#undo-edit"),
      b: press("#to-played"),
      Delete: press("#remove"),
      c: () => $("#comment").focus(),
      "?": () => openHelp(),
    });
  }

  /** The sibling before or after the node that is shown. */
  #beside(step) {
    const { node } = this.session;
    const all = node.parent?.children ?? [];
    return all[all.indexOf(node) + step] ?? null;
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

  #changed(kind) {
    const { session } = this;
    if (kind === "unsaved") return complain(this.store.problem);
    if (["reviewed", "folded"].includes(kind)) return this.#drawMoves();
    if (kind === "opened") {
      if (this.retry.on) this.retry.leave();
      this.reviewing.state = "";
      this.#recall();
      this.#drawAbout();
    }
    if (["opened", "shown", "moved", "merged"].includes(kind)) notify("");
    if (kind === "merged" || (kind === "edited" && session.positions.known(session.node) !== session.position)) return session.show(session.node, "shown");
    this.#draw();
    if (kind === "moved") {
      const { node, position } = session;
      $("#announcer").textContent = `${side(node.player, position)} played ${node.name}. ${$("#status").textContent}`;
    }
  }

  /** What is kept of the positions of this tree: sheet and graph show it at once. */
  async #recall() {
    const { session, values, analysis } = this;
    if (!analysis.engine) return;
    for (const node of [...session.tree.root.walk()]) {
      const position = session.positions.known(node);
      if (position) await values.find(position, analysis.engine.name);
    }
    this.#drawMoves();
  }

  // ----------------------------------------------------------------------------------- actions

  async #chosen(move) {
    if (this.retry.on) return this.retry.attempt(move);
    this.board.anticipate(move);
    try {
      await this.session.play(move);
    } catch (error) {
      this.#draw();
      throw error;
    }
  }

  async #refused({ cell, open }) {
    if (!open) return;
    this.board.refuse(cell);
    const { reason } = await post("/api/why-not", { ...this.session.question(), cell });
    if (reason) notify(reason);
  }

  #aimed(entry) {
    $("#play-aimed").hidden = !entry;
    $("#play-aimed").textContent = entry ? `Play ${entry.name}` : "Play";
    notify(entry ? "Tap again to play, or choose another point." : "");
  }

  async #toPlayed() {
    const { session } = this;
    await session.positions.of(session.tree.played);
    session.tree.backToPlayed();
    await session.show(session.tree.played);
  }

  #remove() {
    const { session } = this;
    if (session.tree.remove(session.node)) notify("Deleted. Undo brings it back.");
    else notify("This move was played in the game: variations can be deleted, the game stays.");
  }

  #undo() {
    if (!this.session.tree.undo()) notify("There is no edit to undo.");
  }

  #threats() {
    this.truth.threats = !this.truth.threats;
    $("#threat").setAttribute("aria-pressed", String(this.truth.threats));
    this.#drawTruth();
  }

  #flip() {
    this.board.flip();
    this.#draw();
  }

  /** Show the position under the pointer on the graph; null shows the node again. */
  #preview(node) {
    const position = this.session.positions.known(node ?? this.session.node);
    if (!position) return;
    this.#show(position, node === null);
    if (node === null) this.truth.marks(this.#visible);
    else this.board.hints(null);
  }

  // -------------------------------------------------------------------------- review and lessons

  async #review(time = Number($("#review-time").value)) {
    openTab("review");
    this.analysis.look(this.session.position, null, true);
    await this.reviewing.run(this.analysis.engine, time);
    this.#draw();
  }

  async #reviewAndLearn() {
    history.replaceState(history.state, "", location.pathname + location.search);
    if (!this.session.story) await this.#review();
    if (this.session.story && this.reviewing.mistakes().length) await this.#learn();
  }

  #learn() {
    this.analysis.look(this.session.position, null, true);
    document.body.classList.add("learning");
    return this.retry.start(this.reviewing.worst(this.story.learner), this.analysis.engine);
  }

  #coach({ text, kind, moves, area }) {
    const { session, retry } = this;
    $("#coach").hidden = false;
    $("#coach").dataset.kind = kind;
    $("#coach-text").textContent = text;
    $("#coach-count").textContent = retry.count;
    $("#coach-hint").hidden = retry.task.solved;
    $("#coach-next").textContent = retry.task.solved ? (retry.isLast ? "Finish" : "Next mistake") : "Skip";
    this.#draw();
    const cells = new Map(session.position.legal.map(({ move, cell }) => [move, cell]));
    const at = cells.get(moves[0]) ?? null;
    if (kind !== "ask" && moves.length) this.board.anticipate(moves[0]);
    else if (moves.length) this.board.point(moves[0]);
    const ring = at === null ? [] : [{ kind, from: at }];
    const reply = moves.length > 1 ? this.#replyCell(moves) : null;
    if (reply !== null) ring.push({ kind: "threat", from: reply });
    this.board.marks(area ? [{ kind: "area", cells: area }] : ring);
  }

  /** Where the second of `moves` lands, from a line that the engine has given. */
  #replyCell([first]) {
    const found = this.values.get(this.session.position, this.analysis.engine.name);
    return found?.lines[String(first)]?.[1]?.cell ?? null;
  }

  #endLesson(text) {
    $("#coach").hidden = true;
    document.body.classList.remove("learning");
    this.#draw();
    notify(text);
  }

  // -------------------------------------------------------------------------------- in and out

  async #open(read) {
    const { session } = this;
    const found = await openTree(await read(), session.name, chosenOf);
    if (!found) return;
    if (found.family !== session.family) {
      const query = new URLSearchParams({ game: found.name, ...(found.start ? { start: found.start } : {}) });
      location.assign(`/${found.family}/analyse?${query}&tree=${codec.write(found.root)}`);
      return;
    }
    session.leave();
    await this.#askEngines(found.name);
    await session.open(found);
    openTab("moves");
    $("#announcer").textContent = "Game opened.";
  }

  async #save() {
    const { session } = this;
    const format = $("#save-format").value;
    const { file, suffix, left_out: left } = await fileOf(session, format);
    const names = session.players.filter(Boolean).join("-");
    download(file, [session.name, names, new Date().toISOString().slice(0, 10)].filter(Boolean).join("-").replace(/[^\w.-]+/g, "-") + suffix);
    const noted = [...session.tree.root.walk()].some(({ glyph, marks }) => glyph || marks.length);
    notify([left, noted ? "The file does not hold glyphs and marks; the link does." : ""].filter(Boolean).join(" "));
  }

  async #copyLink() {
    const { session } = this;
    const link = session.link(await codec.packed(codec.write(session.tree.root)));
    await copyText(new URL(link, location.href).href, $("#copy-link"));
    if (session.isLong) notify("This game is long for a link; a file is safer.");
  }

  async #drawGames() {
    const { session, store } = this;
    await drawOwnGames({
      store,
      session,
      open: (game) => this.#guard(async () => {
        session.leave();
        await this.#askEngines(game.game);
        await session.reopen(game);
        openTab("moves");
      }),
      remove: (id) => this.#guard(async () => {
        await store.remove(id);
        await this.#drawGames();
      }),
    });
  }

  // ----------------------------------------------------------------------------------- drawing

  get #visible() {
    return !this.retry.on;
  }

  #draw() {
    const { session } = this;
    const { position, tree, node } = session;
    if (!position) return;
    this.#show(position, !position.done);
    this.#drawStatus();
    this.#drawMoves();
    this.#look();
    $("#pass").hidden = position.done || !mustPass(position);
    for (const [id, to] of [["#to-start", node.parent], ["#back", node.parent], ["#forward", node.next], ["#to-end", node.next]]) $(id).disabled = !to;
    $("#promote").disabled = $("#make-main").disabled = node.fork === null;
    $("#remove").disabled = !tree.canRemove(node);
    $("#undo-edit").disabled = !tree.canUndo;
    $("#to-played").hidden = !tree.played.parent || (tree.isPlayed(node) && tree.played === tree.end) || (!node.parent && tree.played === tree.end);
    if (document.activeElement !== $("#comment")) $("#comment").value = node.comment;
    for (const button of $("#glyphs").children) {
      button.disabled = !node.parent;
      button.setAttribute("aria-pressed", String(button.textContent === node.glyph));
    }
    if (!$("#explorer").hidden) this.explorer.draw();
  }

  #show(position, open) {
    this.board.show(position, { open, sides: [side(1, position), side(-1, position)] });
    this.board.line();
  }

  #drawStatus() {
    const { position, node, family } = this.session;
    const ended = node.ended?.result ?? (position.done ? (position.winner ?? 0) : null);
    const status = $("#status");
    status.textContent = ended === null ? `${piece(position.player, position)} to move` : ended ? `${piece(ended, position)} wins` : "Draw";
    status.dataset.turn = ended === null ? (position.player > 0 ? "x" : "o") : ended > 0 ? "x" : ended < 0 ? "o" : "";
    $("#where").textContent = node.parent ? `after ${counted(node.ply, "move")}` : "at the start";
    document.title = `${status.textContent} – ${document.body.dataset.title ?? family}`;
  }

  /** Names and what a file says of the game. */
  #drawAbout() {
    const { session } = this;
    const names = session.players.map((name, k) => (name ? `${session.position.pieces[k]}: ${name}` : "")).filter(Boolean);
    const facts = Object.entries(session.headers).map(([name, text]) => `${name}: ${text}`);
    $("#about").textContent = [...names, ...facts].join(" · ");
    const query = new URLSearchParams({ game: session.name, moves: session.tree.played.line.map(({ name }) => name).join(" ") });
    if (session.positions.start) query.set("start", session.positions.start);
    for (const [key, name] of [["x", session.players[0]], ["o", session.players[1]]]) if (name) query.set(key, name);
    $("#to-game").search = query;
  }

  #look() {
    const { session, retry, searcher } = this;
    if (searcher.what && searcher.what !== "analysis") return;
    this.analysis.look(session.position, session.question(), retry.on);
  }

  #drawTruth() {
    if (!this.session.position) return;
    if (!this.retry.on) this.truth.draw(this.#visible);
    else this.truth.draw(false);
    this.#soon();
  }

  /** Values come many times a second: sheet and graph follow once a frame. */
  #soon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#drawMoves();
    });
  }

  #drawMoves() {
    if (!this.session.position) return;
    this.sheet.spoils = this.#visible;
    this.sheet.draw();
    this.graph.draw();
    this.story.draw();
  }

  // ------------------------------------------------------------------------------------ values

  /** What is known of the position after a node, for player +1: `{ value, proven, words, mark }`. */
  #worthOf(node) {
    const { session, values, analysis } = this;
    const position = session.positions.known(node);
    const ended = node.ended?.result ?? (position?.done ? (position.winner ?? 0) : null);
    if (ended !== null) return { value: ended, proven: true, words: "the end", mark: "" };
    const known = position && analysis.engine ? values.get(position, analysis.engine.name) : null;
    const best = known?.candidates.find(({ move }) => move === known.best);
    if (best && best.value !== null) return { value: best.value * known.player, proven: best.proven, words: known.text, mark: best.mark };
    const { review } = node;
    if (review && review.after !== null) return { value: review.after, proven: review.after_proven, words: review.text, mark: review.worth };
    return null;
  }

  /** The same in the list: who is ahead, and by how much. */
  #shortWorth(node) {
    const worth = this.#worthOf(node);
    if (!worth?.mark) return null;
    const { value, mark } = worth;
    if (mark === "=" || mark === "?") return { text: mark, side: "" };
    const text = mark.endsWith("%") ? `${Math.round(50 + 50 * Math.abs(value))}%` : mark.replace(/^[WL+−]/, "");
    return { text, side: value >= 0 ? "x" : "o" };
  }
}

new AnalysePage(document.body.dataset.family).start();
