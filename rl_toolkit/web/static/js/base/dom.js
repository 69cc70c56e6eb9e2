/** Small helpers to make elements. */

export const $ = (selector) => document.querySelector(selector);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, f] of Object.entries(value)) node.addEventListener(event, f);
    else if (name === "text") node.textContent = value;
    else if (name === "vars")
      for (const [key, v] of Object.entries(value)) node.style.setProperty(key, v);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const h = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** Load a style sheet that few visits need. */
export function needSheet(name) {
  const href = new URL(`../../css/${name}.css`, import.meta.url).pathname;
  if ($(`link[href="${href}"]`)) return null;
  return new Promise((resolve) => document.head.append(h("link", { rel: "stylesheet", href, on: { load: resolve, error: resolve } })));
}

/** Some browsers never ask again for a script that did not come. */
const NOT_LOADED = "This part of the page cannot be loaded: the server cannot be reached. When it runs again, load the page anew; your game is kept.";

/** What went wrong, in a sentence for people; each browser has words of its own for a script that did not come. */
export const sentenceOf = (error) => (error instanceof TypeError && /module|import/i.test(error.message) ? NOT_LOADED : error.message);

/** A part of the page that few visits need: it is loaded and made when it is first drawn; until then `now` is null. */
export function later(make) {
  let making = null;
  const failed = () => {
    making = null; // it may work the next time
    throw new Error(NOT_LOADED);
  };
  const part = { now: null, made: () => (making ??= make().then((made) => (part.now = made), failed)), draw: async () => (await part.made()).draw() };
  return part;
}
