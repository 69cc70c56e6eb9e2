/**
 * The keys of a page. After a click or a tap the arrow keys belong to the game; after Tab they belong
 * to what has the focus: squares, tabs, lists. Without this rule, a click on a square would take the
 * arrow keys away from the game. Styles know it by the class `by-pointer`.
 */

const byPointer = (on) => document.body.classList.toggle("by-pointer", on);

/** Widgets that have arrow keys of their own. */
const WALKED = "[role=tablist], [role=slider], [role=toolbar], [role=grid], [role=group] svg, ol, summary";

/**
 * Call the action of a key, unless it was meant for a field, a list or a dialog; "Ctrl z" is one with
 * that key held. An action that answers false has not used the key.
 */
export function listenToKeys(actions) {
  byPointer(true);
  addEventListener("pointerdown", () => byPointer(true), true);
  addEventListener("keydown", ({ key }) => key === "Tab" && byPointer(false), true);
  document.addEventListener("keydown", (event) => {
    const inside = (selector) => event.target.closest?.(selector);
    const action = actions[event.ctrlKey || event.metaKey ? `Ctrl ${event.key}` : event.key];
    if (!action || event.altKey) return;
    if (inside("input:not([type=checkbox], [type=radio]), select, textarea, dialog, [popover]")) return;
    const pointed = document.body.classList.contains("by-pointer");
    if (!pointed && /^(Arrow|Home|End)/.test(event.key) && inside(WALKED)) return;
    if (event.key === " " && inside("button, a, input, summary, [role=button]")) return;
    if (!pointed && event.key === " " && inside("[role=grid]")) return;
    if (action() === false) return; // it means nothing now
    event.preventDefault();
    event.stopPropagation();
  }, true);
}
