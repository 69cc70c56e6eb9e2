/** The tabs of the engine's panel: one is open, arrows lead to the next. */

const all = () => [...document.querySelectorAll("[role=tab]")];

export function listenToTabs() {
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
}

function walk(event, tab) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const tabs = all();
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  choose(next);
  next.focus();
}
