/**
 * Lists with one tab stop: Tab leads to the current item, arrows, Home and End to the others.
 * `items` is a selector; disabled and hidden items are left out.
 */

const BACK = ["ArrowUp", "ArrowLeft"];
const ON = ["ArrowDown", "ArrowRight"];

export class Roving {
  #current = null;

  constructor(container, items) {
    this.container = container;
    this.selector = items;
    container.addEventListener("focusin", ({ target }) => {
      const item = target.closest(items);
      if (item && item !== this.#current) this.refresh(item);
    });
    container.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** After the items have changed: `current`, if it is one, gets the tab stop. */
  refresh(current = this.#current) {
    const items = this.#items();
    this.#current = items.includes(current) ? current : (items[0] ?? null);
    for (const item of this.container.querySelectorAll(this.selector))
      item.setAttribute("tabindex", item === this.#current ? "0" : "-1");
  }

  #items() {
    const usable = (item) => !item.disabled && item.checkVisibility();
    const all = [...this.container.querySelectorAll(this.selector)];
    // Where the whole list is hidden there is nothing to see yet.
    return this.container.checkVisibility() ? all.filter(usable) : all.filter((item) => !item.disabled && !item.hidden);
  }

  #walk(event) {
    const item = event.target.closest(this.selector);
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const items = this.#items();
    const at = items.indexOf(item);
    const to = BACK.includes(event.key)
      ? at - 1
      : ON.includes(event.key)
        ? at + 1
        : { Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items[Math.max(0, Math.min(items.length - 1, to))]?.focus();
  }
}
