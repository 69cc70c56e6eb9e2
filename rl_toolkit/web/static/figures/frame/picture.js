/** A figure as a file: the same drawing as in the page, with the colours of the theme written out. */

import { inkOf } from "./ink.js";
import { flat, s, write } from "./vnode.js";

const FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/** The box that a drawing fills: type grows with it, and `size` says what there is room for. */
export function boxOf(width, height, ink) {
  const unit = Math.max(11, Math.min(22, width / 42, height / 27));
  return { width, height, unit, size: width < 420 ? "small" : width < 760 ? "medium" : "large", ink };
}

/** The picture as SVG text; `host` is an element whose theme it has, `density` the most pixels of paint for a unit. */
export function svgText(kind, state, model, { width, height }, host, density = 3) {
  const box = boxOf(width, height, inkOf(host));
  const drawn = flat(kind.draw(state, model, box));
  const root = s(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT },
    s("title", {}, `${kind.title}. ${kind.sentence(state, model)}`),
    s("rect", { width, height, fill: box.ink.panel }),
    kind.paint ? painted(kind, state, model, box, density) : null,
    drawn,
  );
  return `${write(root)}\n`;
}

/** What is painted as pixels, as a picture inside the picture. */
function painted(kind, state, model, box, density) {
  const canvas = document.createElement("canvas");
  const place = kind.paint(canvas, state, model, box, box.ink);
  const small = document.createElement("canvas");
  small.width = Math.min(canvas.width, Math.round(place.width * density));
  small.height = Math.round((small.width * place.height) / place.width);
  const context = small.getContext("2d", { alpha: false });
  context.imageSmoothingQuality = "high";
  context.drawImage(canvas, 0, 0, small.width, small.height);
  return s("image", { ...place, href: small.toDataURL() });
}

/** The picture as the address of a PNG with `scale` times as many pixels. */
export async function pngAddress(text, { width, height }, scale = 2) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = scale * width;
  canvas.height = scale * height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

export function save(name, address) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

export const frameCode = (address, title) => `<iframe src="${address.replaceAll('"', "%22").replaceAll("&", "&amp;")}" width="960" height="600" title="${title}" allow="fullscreen"></iframe>`;

export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // not allowed, or plain http
  }
}
