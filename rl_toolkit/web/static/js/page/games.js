/** Games that come and go on a page: new, again, from files, from the store; their end; files and links. */

import { $ } from "../base/dom.js";
import { HUMAN } from "../model/session.js";
import { announce, complain, notify } from "../views/face.js";

const SHORT = 5; // seconds that a review may take without being asked for

/** What is needed for files and links, loaded when it is. */
const files = () => import("../play/files.js");

export class Games {
  #link = null; // the promise of the link that is being written

  constructor(page) {
    this.page = page;
  }

  // --------------------------------------------------------------------------- beginning, ending

  /** The game that the dialog describes. */
  async begin() {
    const { session, setup, moving } = this.page;
    // The form is read now: its fields may change before the server answers.
    const { seats, ...choices } = setup.choices;
    const before = setup.levels;
    const late = session.begin();
    await moving.orRedraw(() => setup.ask(choices.name).then((lists) => late() || setup.fill(lists)));
    if (late()) return;
    const [missing] = Object.values(seats).filter((seat) => before.includes(seat) && !setup.levels.includes(seat));
    const fitting = Object.fromEntries(Object.entries(seats).map(([player, seat]) => [player, seat === missing ? setup.levels.at(-1) : seat]));
    await this.#another({ ...choices, seats: fitting, mode: "play", push: true }, "New game.");
    if (missing) complain(`this board has no “${missing}” level; “${setup.levels.at(-1)}” plays instead`);
  }

  /** The same game again, with these seats. */
  rematch(seats) {
    const { name, time, clock, positions } = this.page.session;
    return this.#another({ name, start: positions.start, seats, time, clock, mode: "play", push: true }, "Rematch.");
  }

  async #another(game, sentence) {
    const { page } = this;
    await page.moving.orRedraw(() => page.begin(game));
    page.setup.close();
    announce(sentence);
  }

  /** Open another game, as `Session.open` takes it, with the players of this one; Back returns to this one. */
  openAnother(game, sentence) {
    const { page } = this;
    const { seats } = page.session;
    return page.guard(() => this.#another({ seats, mode: "analyse", push: true, ...game }, sentence));
  }

  /** Play or analyse the game that is here. */
  async mode(mode) {
    const { session, moving, card, lesson } = this.page;
    if (session.mode === mode) return;
    moving.interrupt();
    card.close();
    lesson?.leave();
    if (mode === "play" && !session.over) await session.show(session.tree.played, "");
    session.setMode(mode);
  }

  /** The game has ended: it is reviewed by itself where that is exact or short. */
  async over() {
    const { session, analysis, reviewing, clock, card, values, setup, looking } = this.page;
    clock.halt();
    card.draw();
    if (session.story || !analysis.engine) return;
    const exact = values.get(session.positions.known(session.tree.root), analysis.engine.name)?.proven;
    if (exact || setup.lists.exact || looking.quick * reviewing.line.length <= SHORT) await looking.review(looking.quick);
  }

  // ------------------------------------------------------------------------------ in and out

  /** Open what `read` has found; a game of another page opens there. */
  async open(read) {
    const { session, setup, store } = this.page;
    const late = session.begin();
    const [{ openTree }, { chosenOf, keptElsewhere }] = await Promise.all([import("../play/tree_files.js"), files()]);
    const found = await openTree(await read(), session.name, chosenOf);
    if (!found || late()) return; // nothing was chosen, or something else
    if (found.family !== session.family) return location.assign(await keptElsewhere(found, store));
    $("#share").hidePopover();
    await setup.ask(found.name).then((lists) => setup.fill(lists));
    const [x, o] = found.players.map((name) => (setup.offers(name) ? name : HUMAN));
    const { leftOut, outcome, ...game } = found;
    await this.#another({ ...game, seats: { 1: x, [-1]: o }, mode: "analyse", push: true }, "Game opened.");
    if (leftOut) notify(leftOut);
  }

  async openFile() {
    const { page } = this;
    (await files()).askForFile((read) => page.guard(() => this.open(read), "file"));
  }

  openPasted() {
    return this.open(async () => (await files()).pasted());
  }

  async save() {
    const leftOut = await (await files()).save(this.page.session);
    if (leftOut) notify(leftOut);
  }

  drawLink() {
    return (this.#link = this.#writeLink());
  }

  async #writeLink() {
    const { session } = this.page;
    $("#link").value = await (await files()).linkTo(session);
    $("#link-state").textContent = session.isLong ? "The game is too long for a link that every program takes. Save it as a file." : "";
  }

  async copyLink() {
    await this.#link; // a link that comes late must not wipe out what is said of the copy
    const copied = await (await files()).copyLink(this.page.session);
    $("#link-state").textContent = copied ? "Link copied." : "Copying is blocked here. The link is marked: copy it by hand.";
  }

  async drawOwn() {
    const { page } = this;
    const { store, session } = page;
    const { drawOwnGames } = await import("../views/own_games.js");
    const open = (game) => page.guard(async () => {
      $("#games").hidePopover();
      if (game.id !== session.id) await page.reopen(game, true);
    });
    const remove = (id) => page.guard(() => store.remove(id).then(() => this.drawOwn()));
    return drawOwnGames({ store, session, open, remove });
  }
}
