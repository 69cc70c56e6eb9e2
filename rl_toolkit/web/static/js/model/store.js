/**
 * What stays in this browser.
 *
 *     settings    localStorage: small, read at once
 *     games       IndexedDB: each game as a tree with players, result and dates
 *     values      IndexedDB: what engines said of positions
 *
 * Nothing here is needed to play: where storage is forbidden, everything works until the tab is
 * closed, and `problem` says so. Other tabs hear of a game that was saved: "saved" (detail: id,
 * revision).
 */

const NAME = "rl_toolkit";
const PENDING = "pending"; // begins the keys in localStorage of games that were changed when their pages were closed
const MOST_VALUES = 3000;
const SPARE = 100; // values that are removed together

const asPromise = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class Store extends EventTarget {
  problem = ""; // a sentence if the last game could not be saved
  #base;
  #channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;

  constructor() {
    super();
    this.#base = open().then((base) => this.#recover(base)).catch(() => null);
    if (this.#channel) this.#channel.onmessage = ({ data }) => this.dispatchEvent(new CustomEvent("saved", { detail: data }));
  }

  // -------------------------------------------------------------------------------------- games

  game(id) {
    return this.#with("games", "readonly", (store) => asPromise(store.get(id)));
  }

  /** The games of a page, those changed last first. */
  async games(family, most = 200) {
    const range = IDBKeyRange.bound([family, 0], [family, Infinity]);
    const kept = await this.#with("games", "readonly", (store) => asPromise(store.index("family").getAll(range)));
    return (kept ?? []).reverse().slice(0, most);
  }

  /**
   * Save `game` if what is stored has the revision `base`, from which it was made; else the answer
   * is what is stored, to be joined with it. `game.revision` is then one more.
   */
  async save(game, base) {
    this.problem = "";
    const other = await this.#with("games", "readwrite", async (store) => {
      const there = await asPromise(store.get(game.id));
      if (there && there.revision !== base) return there;
      await asPromise(store.put({ ...game, revision: base + 1 }));
      return null;
    });
    if (!other && !this.problem) this.#channel?.postMessage({ id: game.id, revision: base + 1 });
    return other;
  }

  /**
   * Keep `game` at once, as its page is being closed: what takes a moment would not be done any more.
   * The next page saves it, joined with what another tab has saved meanwhile.
   */
  keepPending(game, base) {
    try {
      localStorage.setItem(`${PENDING}:${newId()}`, JSON.stringify({ ...game, revision: base }));
    } catch {
      // Then the last moment is lost.
    }
  }

  /** Save the games that were kept at the last moment. */
  async #recover(base) {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PENDING));
    const { Tree } = keys.length ? await import("./tree.js") : {};
    for (const key of keys) {
      const game = JSON.parse(localStorage.getItem(key));
      const store = base.transaction("games", "readwrite").objectStore("games");
      const there = await asPromise(store.get(game.id));
      const revision = (there?.revision ?? 0) + 1;
      try {
        await asPromise(store.put({ ...(there && there.revision !== game.revision ? joined(there, game, new Tree()) : game), revision }));
      } catch {
        continue; // there is no room: the next page tries again
      }
      localStorage.removeItem(key);
      this.#channel?.postMessage({ id: game.id, revision });
    }
    return base;
  }

  remove(id) {
    return this.#with("games", "readwrite", (store) => asPromise(store.delete(id)));
  }

  // ------------------------------------------------------------------------------------- values

  async value(key) {
    const entry = await this.#with("values", "readonly", (store) => asPromise(store.get(key)));
    return entry?.analysis ?? null;
  }

  keepValue(key, analysis) {
    return this.#with("values", "readwrite", async (store) => {
      await asPromise(store.put({ key, analysis, used: Date.now() }));
      const count = await asPromise(store.count());
      if (count <= MOST_VALUES) return;
      const oldest = await asPromise(store.index("used").getAllKeys(null, count - MOST_VALUES + SPARE));
      for (const old of oldest) store.delete(old);
    });
  }

  /** Do `work` with a table; null, and a sentence in `problem`, if that is not possible. */
  async #with(table, mode, work) {
    const base = await this.#base;
    try {
      if (!base) throw new Error("forbidden");
      return await work(base.transaction(table, mode).objectStore(table));
    } catch (error) {
      const full = error?.name === "QuotaExceededError";
      this.problem = full ? "The browser has no more room for games. Save this one as a file." : "This browser keeps no games: this one lasts until the tab is closed. Save it as a file.";
      return null;
    }
  }
}

async function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games", { keyPath: "id" }).createIndex("family", ["family", "when"]);
    request.result.createObjectStore("values", { keyPath: "key" }).createIndex("used", "used");
  };
  const base = await asPromise(request);
  base.onversionchange = () => base.close(); // a newer page in another tab
  return base;
}

/** Two states of a game: the later one, with both trees in `tree`. */
function joined(one, other, tree) {
  tree.openPlain(one.tree);
  tree.merge(other.tree);
  return { ...(other.when > one.when ? other : one), tree: tree.plain() };
}

export const newId = () => [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join("");

// ---------------------------------------------------------------------------------------- settings

const SETTINGS = "settings";

function all() {
  try {
    return JSON.parse(localStorage.getItem(SETTINGS) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** A setting of this browser, null if it was never set. */
export const setting = (name) => all()[name] ?? null;

export function keepSetting(name, value) {
  try {
    localStorage.setItem(SETTINGS, JSON.stringify({ ...all(), [name]: value }));
  } catch {
    // then it holds for this page only
  }
}
