/**
 * Tabs: one is open; arrows, and a finger that swipes over the panels, lead to the next. A tab
 * `tab-moves` opens the panel that it controls.
 */

const [FAR, STEEP] = [50, 2]; // pixels of a swipe, and how much wider than high it is
const NOT_SWIPED = "#tree, .scroller, input, select, textarea"; // a finger moves these themselves

const all = () => [...document.querySelectorAll("[role=tab]")];
let told = () => {};

/** `opened` is given the name of each tab that is opened. */
export function listenToTabs(opened = () => {}) {
  told = opened;
  for (const tab of all()) {
    tab.addEventListener("click", () => (choose(tab), reveal(tab)));
    tab.addEventListener("keydown", (event) => walk(event, tab));
  }
}

/** Let a finger swipe from panel to panel in `area`. */
export function swipeTabs(area) {
  let from = null;
  area.addEventListener("touchstart", ({ touches, target }) => (from = touches.length === 1 && !target.closest(NOT_SWIPED) ? touches[0] : null), { passive: true });
  area.addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (!from) return;
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    from = null;
    const tabs = all();
    const next = tabs[tabs.findIndex(isChosen) - Math.sign(x)];
    if (!next?.checkVisibility() || Math.abs(x) < FAR || Math.abs(x) < STEEP * Math.abs(y)) return;
    choose(next);
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    reveal(next);
    panelOf(next).classList.add(x < 0 ? "from-right" : "from-left");
  });
  area.addEventListener("animationend", ({ target }) => target.classList.remove("from-right", "from-left"));
}

const isChosen = (tab) => tab.getAttribute("aria-selected") === "true";
const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

/** On a small screen tabs and panels scroll with what is above them: bring the panel of a tab into sight. */
function reveal(tab) {
  const [list, panel] = [tab.closest("[role=tablist]"), panelOf(tab)];
  const area = list.parentElement;
  const above = panel.getBoundingClientRect().top - area.getBoundingClientRect().top;
  if (area.scrollHeight > area.clientHeight) area.scrollTop += above - list.offsetHeight;
}

/** Open the tab of that name. */
export const openTab = (name) => choose(document.getElementById(`tab-${name}`));

function choose(chosen) {
  for (const tab of all()) {
    const on = tab === chosen;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    panelOf(tab).hidden = !on;
    panelOf(tab).classList.remove("from-right", "from-left");
  }
  told(chosen.id.replace(/^tab-/, ""));
}

/** Whether the tab of that name is open. */
export const isOpen = (name) => isChosen(document.getElementById(`tab-${name}`));

function walk(event, tab) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const tabs = all();
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  choose(next);
  next.focus();
  reveal(next);
}
