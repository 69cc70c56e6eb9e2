/** The state of a figure as text: in a chapter `t=-11 tree='(3 8) (4 6)'`, in an address `t=-11&tree=…`. */

const PAIR = /([\w-]+)=('[^']*'|\S+)/g;

export const pairs = (text) => [...text.matchAll(PAIR)].map(([, name, value]) => [name, value.replace(/^'(.*)'$/, "$1")]);

/** The changes that pairs of texts make; types are those of the kind's start. What it does not have is an error if `strict`. */
export function changesOf(kind, list, { strict = false } = {}) {
  const changes = {};
  for (const [name, text] of list) {
    const wrong = problemOf(kind, name, text);
    if (wrong && strict) throw new SyntaxError(wrong);
    if (!wrong) changes[name] = { number: Number, boolean: (word) => word === "on", string: String }[typeof kind.start[name]](text);
  }
  return changes;
}

/** What is wrong with the text of a field: not its type, or none of its choices. */
function problemOf(kind, name, text) {
  const usual = kind.start[name];
  if (usual === undefined) return `${kind.name} has no field “${name}”: ${Object.keys(kind.start).join(", ")}`;
  if (typeof usual === "number") return text.trim() !== "" && Number.isFinite(Number(text)) ? "" : `${name} is a number, not “${text}”`;
  const words = typeof usual === "boolean" ? ["on", "off"] : Object.keys(kind.choices?.[name] ?? { [text]: "" });
  return words.includes(text) ? "" : `${name} is ${words.slice(0, -1).join(", ")} or ${words.at(-1)}, not “${text}”`;
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
