/** The state of a figure as text: in a chapter `t=-11 tree='(3 8) (4 6)'`, in an address `t=-11&tree=…`. */

const PAIR = /([\w-]+)=('[^']*'|\S+)/g;

export const pairs = (text) => [...text.matchAll(PAIR)].map(([, name, value]) => [name, value.replace(/^'(.*)'$/, "$1")]);

/** The changes that pairs of texts make; types are those of the kind's start. An unknown name is an error if `strict`. */
export function changesOf(kind, list, { strict = false } = {}) {
  const changes = {};
  for (const [name, text] of list) {
    const usual = kind.start[name];
    const value = typeof usual === "number" ? (text.trim() === "" ? NaN : Number(text)) : typeof usual === "boolean" ? text === "on" : text;
    if (usual === undefined || Number.isNaN(value)) {
      if (strict) throw new Error(`the figure “${kind.name}” has no “${name}=${text}”`);
    } else changes[name] = value;
  }
  return changes;
}

/** The state as a query: what differs from the kind's start. */
export function queryOf(kind, state) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== kind.start[name]) query.set(name, typeof value === "boolean" ? (value ? "on" : "off") : value);
  }
  return query.toString().replaceAll("%28", "(").replaceAll("%29", ")");
}

/** What the text of a scene makes of a start. */
export const stateAt = (kind, first, scene, options) => ({ ...first, ...changesOf(kind, pairs(scene), options) });
