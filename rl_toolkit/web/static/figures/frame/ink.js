/** The colours of a figure: in the page as custom properties, which follow the theme; in a file as numbers. */

const NAMES = [
  "paper", "panel", "raised", "line", "ink", "soft", "accent", "good", "bad", "goodFill", "badFill", "warn", "even", "cut",
  "goodSoft", "badSoft", "evenSoft", "maxBand", "minBand", "x", "o",
];
const property = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const PAGE_INK = Object.fromEntries(NAMES.map((name) => [name, `var(${property(name)})`]));

/** The colours as `#rrggbb`, as an element of the page has them now. */
export function inkOf(host) {
  const probe = host.appendChild(document.createElement("i"));
  probe.className = "probe";
  const found = {};
  for (const name of NAMES) {
    probe.style.color = `var(${property(name)})`;
    const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [0, 0, 0];
    found[name] = `#${parts.slice(0, 3).map((part) => Math.round(Number(part)).toString(16).padStart(2, "0")).join("")}`;
  }
  probe.remove();
  return found;
}

/** `[r, g, b]` of `#rrggbb`. */
export const rgb = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
