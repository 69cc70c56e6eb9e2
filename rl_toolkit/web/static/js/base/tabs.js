/** Tabs: one is open, arrows lead to the next. A tab `tab-moves` opens the panel that it controls. */

const all = () => [...document.querySelectorAll("[role=tab]")];
let told = () => {};

/** `opened` is given the name of each tab that is opened. */
export function listenToTabs(opened = () => {}) {
  told = opened;
  for (const tab of all()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => walk(event, tab));
  }
}

/** Open the tab of that name. */
export const openTab = (name) => choose(document.getElementById(`tab-${name}`));

function choose(chosen) {
  for (const tab of all()) {
    const on = tab === chosen;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !on;
  }
  told(chosen.id.replace(/^tab-/, ""));
}

/** Whether the tab of that name is open. */
export const isOpen = (name) => document.getElementById(`tab-${name}`).getAttribute("aria-selected") === "true";

function walk(event, tab) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const tabs = all();
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  choose(next);
  next.focus();
}
