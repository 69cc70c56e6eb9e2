/** Looking at a game: what may be seen of the adviser, reviews, lessons, other engines, trees, hints. */

import { $ } from "../base/dom.js";
import { keepSetting } from "../model/store.js";
import { notify, tell } from "../views/face.js";

export class Looking {
  quick = 0.3; // seconds for each move of a game that has just ended

  constructor(page) {
    this.page = page;
  }

  /** What may be seen of the adviser: everything in analysis, nothing of a game that is played. */
  get visible() {
    const { session, lesson, truthful } = this.page;
    if (lesson) return false;
    return session.mode === "analyse" || truthful || (session.over && !session.atEnd);
  }

  /** Let the adviser look at the position, where that may be seen. */
  look() {
    const { session, analysis, turns } = this.page;
    const quiet = !this.visible || (session.mode === "play" && turns.isEngines);
    return analysis.look(session.position, session.question(), quiet);
  }

  showTruth(on) {
    this.page.truthful = on;
    keepSetting("truth", on);
    this.page.draw();
  }

  threat() {
    const { truth } = this.page;
    truth.threats = !truth.threats;
    $("#threat").setAttribute("aria-pressed", String(truth.threats));
    truth.marks(this.visible);
  }

  // ------------------------------------------------------------------------ reviews and lessons

  async review(time) {
    const { page } = this;
    const { session, reviewing } = page;
    await reviewing.run(page.analysis.engine, time);
    page.draw();
    const said = [await this.#story(session), reviewing.state].filter(Boolean).join(" ");
    if (said) tell(said);
  }

  /** The review in a few sentences, for those who do not see it. */
  async #story(session) {
    return session.story ? (await import("../views/review/story.js")).storyOf(session) : "";
  }

  /** Review the game, or stop doing so. */
  runReview() {
    const { reviewing, searcher } = this.page;
    return reviewing.running ? searcher.stop("review") : this.review(Number($("#review-time").value));
  }

  async learn() {
    const { page } = this;
    const { session, reviewing, analysis } = page;
    const { retry } = await page.coaching.made();
    const own = reviewing.worst(session.own);
    page.searcher.stop();
    page.card.close();
    if (session.mode !== "analyse") session.setMode("analyse");
    await retry.start(own.length ? own : reviewing.worst(0), analysis.engine);
    page.draw();
  }

  toMistake(step) {
    const { session, reviewing, moving } = this.page;
    const list = reviewing.mistakes();
    const { ply } = session.node;
    const next = step > 0 ? list.find((node) => node.ply > ply) : list.findLast((node) => node.ply < ply);
    return moving.walkTo(next ?? list.at(step > 0 ? 0 : -1));
  }

  /** The next step of a hint. */
  async hint() {
    const { coaching, analysis } = this.page;
    await (await coaching.made()).hints.next(analysis.engine);
  }

  // ------------------------------------------------------------------------- engines and trees

  async ask() {
    const { page } = this;
    await (await page.panels.engines.made()).ask();
    page.draw();
  }

  /** Engines that may keep a tree that can be shown, the adviser first: those that count simulations, and own ones. */
  get #growers() {
    const { setup } = this.page;
    const grows = setup.analysts.filter(({ tree, options }) => tree || options.some(({ name }) => name === "simulations"));
    const first = grows.findIndex(({ name }) => name === setup.adviser?.name);
    return [...grows.splice(Math.max(first, 0), 1), ...grows].map(({ name, analysis, tree }) => ({ name, spec: analysis, isOwn: Boolean(tree) }));
  }

  async grow(kind) {
    const { searcher, panels } = this.page;
    searcher.stop("analysis");
    await (await panels.tree.made()).grow(kind);
  }

  async regrow() {
    (await this.page.panels.tree.made()).regrow();
  }

  async makeTree() {
    const { page } = this;
    const { TreeView } = await import("../views/tree_panel.js");
    const tree = new TreeView(page.session, () => this.#growers);
    tree.addEventListener("look", ({ detail }) => page.guard(() => this.#lookAt(detail)));
    return tree;
  }

  /** Show a position of the search tree; without steps the game again. */
  async #lookAt(steps) {
    const { page } = this;
    const { session } = page;
    if (!steps.length) return page.draw();
    const { node } = session;
    const positions = await session.positions.beyond(node, steps.map(({ move }) => move));
    if (page.panels.tree.now?.path !== steps || session.node !== node) return;
    page.elsewhere = true;
    page.showBoard(positions.at(-1), false);
    notify(`From the tree: after ${steps.map(({ name }) => name).join(" ")}. Your game is unchanged.`);
  }

  /** Show the position of a node of the graph for a moment. */
  glance(node) {
    const { page } = this;
    const { session } = page;
    const position = (node && session.positions.known(node)) ?? session.position;
    page.elsewhere = Boolean(node) && node !== session.node;
    if (page.elsewhere) page.showBoard(position, false);
    else page.drawBoard();
  }
}
