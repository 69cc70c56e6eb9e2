/**
 * Pictures as plain data. `s("circle", { cx: 3 })` is a node; `patch` makes the page show nodes and touches only
 * what differs, `write` gives the same nodes as SVG text. So page, file and test have one drawing.
 */

const SVG = "http://www.w3.org/2000/svg";

export const s = (tag, attributes = {}, ...children) => ({ tag, attributes, children: flat(children) });

/** A list without holes: nodes may be left out by `null`, `false` or "". */
export const flat = (nodes) => nodes.flat(4).filter((node) => node !== null && node !== undefined && node !== false && node !== "");

const isOff = (value) => value === null || value === undefined || value === false;
const asText = (value) => (value === true ? "" : typeof value === "number" ? String(Math.round(value * 100) / 100) : String(value));

/** Make the children of `parent` be `nodes`; an element stays where its tag and `key` do, and so does the focus. */
export function patch(parent, nodes) {
  const keyed = new Map();
  for (const child of parent.childNodes) if (child.drawnKey !== undefined) keyed.set(child.drawnKey, child);
  let next = parent.firstChild;
  for (const node of nodes) {
    const isText = typeof node !== "object";
    const key = isText ? undefined : node.attributes.key;
    let element = key === undefined ? next : keyed.get(key);
    if (!element || !matches(element, node, key)) {
      element = isText ? document.createTextNode("") : document.createElementNS(SVG, node.tag);
      element.drawnKey = key;
    }
    if (element === next) next = next.nextSibling;
    else parent.insertBefore(element, next);
    if (!isText) dress(element, node);
    else if (element.data !== String(node)) element.data = String(node);
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

function matches(element, node, key) {
  if (typeof node !== "object") return element.nodeType === 3;
  return element.nodeType === 1 && element.tagName === node.tag && element.drawnKey === key;
}

function dress(element, { attributes, children }) {
  const before = element.drawn ?? {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "key" || before[name] === value) continue;
    if (isOff(value)) element.removeAttribute(name);
    else element.setAttribute(name, asText(value));
  }
  for (const name of Object.keys(before)) if (!(name in attributes)) element.removeAttribute(name);
  element.drawn = attributes;
  patch(element, children);
}

const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ESCAPED[sign]);
/** What only a live page needs. */
const LIVE = /^(key|class|data-.*|role|tabindex|aria-.*)$/;

/** A node as text, without what only a live page needs. */
export function write(node) {
  if (typeof node !== "object") return escaped(String(node));
  const attributes = Object.entries(node.attributes)
    .filter(([name, value]) => !LIVE.test(name) && !isOff(value))
    .map(([name, value]) => ` ${name}="${escaped(asText(value))}"`)
    .join("");
  return node.children.length ? `<${node.tag}${attributes}>${node.children.map(write).join("")}</${node.tag}>` : `<${node.tag}${attributes}/>`;
}
