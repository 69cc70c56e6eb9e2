/** What visitors press, and what the parts of the page tell each other. */

import { $ } from "../base/dom.js";
import { listenToHelp, openHelp } from "../base/help.js";
import { listenToKeys } from "../base/keys.js";
import { listenToTabs, swipeTabs } from "../base/tabs.js";
import { announce, complain, drawSeats, noticeOf, notify } from "../views/face.js";

export function listen(page) {
  hearParts(page);
  hearButtons(page);
  hearKeys(page);
  listenToTabs((name) => page.ready && page.guard(() => page.panels[name]?.draw()));
  swipeTabs($(".side"));
  listenToHelp();
  addEventListener("popstate", () => page.guard(() => page.fromHistory()));
  addEventListener("pagehide", () => page.searcher.stop());
}

function hearParts(page) {
  const { session, board, analysis, reviewing, setup, clock, turns, moving, games } = page;
  board.addEventListener("move", ({ detail }) => page.guard(() => moving.choose(detail)));
  board.addEventListener("refused", ({ detail }) => page.guard(() => moving.refuse(detail)));
  board.addEventListener("lift", ({ detail }) => {
    notify(detail ? `From ${detail.name} to ${detail.to.join(", ")}.` : noticeOf(session));
    page.drawTruth(); // the values of the piece that was chosen
  });
  board.addEventListener("aim", ({ detail }) => moving.aim(detail));
  board.addEventListener("mark", ({ detail }) => session.mode === "analyse" && session.tree.mark(session.node, detail.from, detail.to));
  board.letDraw();
  session.addEventListener("change", ({ detail }) => page.changed(detail.kind));
  session.addEventListener("busy", () => $("#board").setAttribute("aria-busy", session.busy));
  analysis.addEventListener("change", () => page.drawTruth());
  page.values.addEventListener("change", () => page.drawSoon());
  page.searcher.addEventListener("change", () => page.drawStatus());
  turns.addEventListener("change", () => page.drawStatus());
  turns.addEventListener("compiling", ({ detail }) => notify(`${detail ? `${detail} in Python has moved: the` : "The"} engine is being prepared for this computer, once.`));
  turns.addEventListener("failed", ({ detail }) => complain(detail.message));
  reviewing.addEventListener("change", () => (page.drawSoon(), page.card.draw()));
  setup.addEventListener("new", () => page.guard(() => games.begin(), "board"));
  clock.addEventListener("tick", () => drawSeats(session, clock, setup));
  clock.addEventListener("short", ({ detail }) => announce(`${detail} seconds left.`));
  clock.addEventListener("out", ({ detail }) => moving.lose(detail, "time"));
}

function hearButtons(page) {
  const { session, analysis, setup, turns, moving, games, looking } = page;
  const click = (id, action, near) => $(id).addEventListener("click", () => page.guard(action, near));
  for (const mode of ["play", "analyse"]) click(`#mode-${mode}`, () => games.mode(mode));
  click("#new", () => setup.open());
  click("#to-start", () => moving.walkTo(session.tree.root));
  click("#back", () => moving.walkTo(session.node.parent));
  click("#forward", () => moving.walkTo(session.node.next));
  click("#to-end", () => moving.walkTo(session.node.end));
  click("#flip", () => (page.board.flip(), page.draw()));
  click("#take-back", () => moving.takeBack());
  click("#hint", () => looking.hint());
  click("#resign", () => moving.resign());
  for (const id of ["#rematch", "#card-rematch"]) click(id, () => games.rematch(session.seats));
  click("#card-swap", () => games.rematch({ 1: session.seats[-1], [-1]: session.seats[1] }));
  click("#card-analyse", () => games.mode("analyse"));
  click("#card-review", () => looking.review(looking.quick));
  for (const id of ["#card-learn", "#learn"]) click(id, () => looking.learn());
  click("#pause", () => moving.pause());
  click("#step", () => turns.step());
  click("#stop", () => turns.wait());
  click("#move-now", () => turns.moveNow());
  click("#pass", () => moving.choose(session.position.pass_move));
  click("#play-aimed", () => page.board.confirm());
  click("#coach-hint", () => page.lesson?.hint());
  click("#coach-next", () => page.lesson?.next());
  click("#coach-leave", () => page.lesson?.leave());
  click("#run-review", () => looking.runReview());
  click("#mistake-before", () => looking.toMistake(-1));
  click("#mistake-after", () => looking.toMistake(1));
  click("#back-to-game", () => moving.backToGame());
  click("#threat", () => looking.threat());
  click("#ask", () => looking.ask());
  for (const kind of ["mcts", "game"]) click(`#grow-${kind}`, () => looking.grow(kind));
  $("#tree-levels").addEventListener("change", () => page.guard(() => looking.regrow()));
  for (const id of ["#save", "#save-unsaved"]) click(id, () => games.save(), "file");
  click("#open", () => games.openFile());
  click("#paste-open", () => games.openPasted(), "paste");
  click("#copy-link", () => games.copyLink());
  $("#games").addEventListener("toggle", ({ newState }) => newState === "open" && page.guard(() => games.drawOwn()));
  $("#share").addEventListener("toggle", ({ newState }) => newState === "open" && page.guard(() => games.drawLink()));
  $("#engine-on").addEventListener("change", ({ target }) => (analysis.switch(target.checked), looking.look()));
  $("#show-truth").addEventListener("change", ({ target }) => looking.showTruth(target.checked));
}

function hearKeys(page) {
  const { session, moving } = page;
  const press = (id) => () => ($(id).checkVisibility() && !$(id).disabled ? $(id).click() : false);
  const beside = (step) => () => page.guard(() => moving.walkBeside(step));
  listenToKeys({
    ArrowLeft: press("#back"),
    ArrowRight: press("#forward"),
    ArrowUp: beside(-1),
    ArrowDown: beside(1),
    Home: press("#to-start"),
    End: press("#to-end"),
    " ": () => moving.playBest(),
    a: () => $(session.mode === "play" ? "#mode-analyse" : "#mode-play").click(),
    n: press("#new"),
    f: press("#flip"),
    e: press("#set-up"),
    h: () => (page.lesson ? press("#coach-hint")() : press("#hint")()),
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
