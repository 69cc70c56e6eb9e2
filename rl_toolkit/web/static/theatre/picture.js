/** Save what is drawn as a picture for slides: an SVG that needs no style sheet, or a PNG twice as large. */

import { pngAddress, save } from "../figures/frame/picture.js";
import { saveAs } from "./experiments/save.js";

const PARTS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "fill-opacity", "font-family", "font-size", "font-weight", "font-variant-numeric", "text-anchor", "paint-order"];

/** The text of an SVG with all colours and sizes written out, on the background that it has on the page. */
export function pictureText(root) {
  const { width, height } = root.getBoundingClientRect();
  const copy = root.cloneNode(true);
  dress(root, copy);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("width", Math.round(width));
  copy.setAttribute("height", Math.round(height));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: paperOf(root.parentElement) })) paper.setAttribute(name, value);
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

/** The colour behind an element: of the first one round it that is not clear. */
function paperOf(element) {
  const { backgroundColor } = getComputedStyle(element);
  const isClear = backgroundColor === "transparent" || /, 0\)$|\/ 0\)$/.test(backgroundColor);
  return isClear && element.parentElement ? paperOf(element.parentElement) : backgroundColor;
}

/** Write the look of one element and of all below it into the copy; what is not drawn is left out. */
function dress(element, copy) {
  const look = getComputedStyle(element);
  if (look.display === "none" && !element.closest("defs")) return copy.remove();
  for (const name of PARTS) {
    const value = look.getPropertyValue(name);
    if (value) copy.setAttribute(name, value);
  }
  if (look.transform !== "none" && element.style.transform) copy.setAttribute("transform", look.transform);
  for (const name of ["class", "style", "tabindex"]) copy.removeAttribute(name);
  const below = [...copy.children];
  [...element.children].forEach((child, k) => dress(child, below[k]));
}

/** Let the two buttons save what `drawn()` is then, as SVG and as PNG. */
export function offerPictures(svg, png, name, drawn) {
  svg.addEventListener("click", () => saveAs(`${name}.svg`, pictureText(drawn()), "image/svg+xml"));
  png.addEventListener("click", async () => {
    const root = drawn();
    const { width, height } = root.getBoundingClientRect();
    save(`${name}.png`, await pngAddress(pictureText(root), { width: Math.round(width), height: Math.round(height) }));
  });
}
