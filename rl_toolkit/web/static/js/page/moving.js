/** Moves on the page of a game: those of people, steps through the tree, and ends that the rules do not make. */

import { post } from "../base/api.js";
import { $ } from "../base/dom.js";
import { piece } from "../base/format.js";
import { noticeOf, notify, takeBackTo } from "../views/face.js";

export class Moving {
  constructor(page) {
    this.page = page;
  }

  /** Whether a person may move on the board now. */
  get open() {
    const { session, lesson, turns } = this.page;
    if (session.resultHere !== null) return false;
    if (lesson) return !lesson.task.solved;
    if (session.mode === "analyse") return true;
    return !session.over && session.isHuman(session.position.player) && !turns.thinking;
  }

  /** Play a move where it is open. */
  async choose(move) {
    const { session, turns, lesson, clock, board } = this.page;
    if (lesson) return lesson.attempt(move);
    if (session.busy) return;
    this.interrupt();
    const time = clock.halt(true);
    if (clock.isForGame) session.left = { ...clock.left };
    turns.paused = turns.paused && session.humans === 0;
    board.anticipate(move);
    await this.orRedraw(() => session.play(move, { time }));
  }

  /** End the search that runs; a review goes on. */
  interrupt() {
    const { reviewing, searcher } = this.page;
    if (!reviewing.running) searcher.stop();
  }

  /** Change the game; if that fails, it is shown as it was. */
  async orRedraw(action) {
    try {
      await action();
    } catch (error) {
      this.page.draw();
      throw error;
    }
  }

  /** Say why a square cannot be chosen. */
  async refuse({ cell, open }) {
    const { session, panels, board } = this.page;
    const { position } = session;
    if (session.busy || session.resultHere !== null) return;
    if (!open) {
      if (panels.tree.now?.path.length) notify("This is a position of the tree. Choose “the game” above it to go back.");
      else if (session.mode === "play" && session.over) notify("The game is over. Analyse it to try other moves.");
      else if (session.mode === "play") notify(`It is ${piece(position.player, position)}'s turn.`);
      return;
    }
    board.refuse(cell);
    const { reason } = await post("/api/why-not", { ...session.question(), cell });
    if (reason) notify(reason);
  }

  /** A square was touched that a second touch plays; null if none is. */
  aim(entry) {
    $("#play-aimed").hidden = !entry;
    $("#play-aimed").textContent = entry ? `Play ${entry.name}` : "Play";
    const { looking, analysis, session } = this.page;
    const known = entry && looking.visible ? analysis.shown?.candidates.find(({ move }) => move === entry.move) : null;
    const worth = known ? `${entry.name}: ${known.text}. ` : "";
    notify(entry ? `${worth}Tap again to play, or choose another point.` : noticeOf(session));
  }

  /** Look at another move; two engines then wait. */
  async walkTo(node) {
    const { session, lesson, turns } = this.page;
    if (!node) return;
    lesson?.leave();
    turns.paused ||= session.mode === "play" && session.humans === 0;
    await this.orRedraw(() => session.show(node));
  }

  /** To the move before or after this one among those at the same point. */
  walkBeside(step) {
    const { node } = this.page.session;
    const moves = node.parent?.children ?? [];
    if (moves.length > 1) return this.walkTo(moves[(moves.indexOf(node) + step + moves.length) % moves.length]);
    return this.walkTo(step > 0 ? (node.children[1] ?? null) : null);
  }

  /** Add a line of the engine after the shown move and show its end. */
  async playLine(steps) {
    if (!this.open) return;
    const { session } = this.page;
    if (session.mode === "play") return this.choose(steps[0].move);
    await this.orRedraw(() => session.show(session.keep(steps)));
  }

  /** Play the best move of the analysis; false where there is none to play. */
  playBest() {
    const { page } = this;
    const { shown } = page.analysis;
    if (page.session.mode !== "analyse" || !shown || !this.open || page.lesson) return false;
    page.guard(() => this.choose(shown.best));
  }

  /** Back to one's own last choice; what is taken back stays in the tree. */
  async takeBack() {
    const { session, turns } = this.page;
    turns.stop();
    await this.walkTo(takeBackTo(session));
  }

  async backToGame() {
    const { tree } = this.page.session;
    tree.backToPlayed();
    await this.walkTo(tree.played);
  }

  /** A person has resigned or run out of time. */
  lose(loser, by) {
    const { page } = this;
    const { session, searcher, turns, games } = page;
    searcher.stop();
    turns.stop();
    session.end(-loser, by);
    page.guard(async () => {
      await this.walkTo(session.tree.played); // which says who has won, and how
      await games.over();
    });
  }

  /** The person to move, else the only one, gives up. */
  resign() {
    const { session } = this.page;
    const { player } = session.position;
    this.lose(session.isHuman(player) ? player : -player, "resignation");
  }

  pause() {
    const { page } = this;
    page.turns.paused = !page.turns.paused;
    page.draw();
  }
}
