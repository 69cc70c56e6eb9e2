/**
 * The dialog that shares a game: link, code to scan, picture, replay, page for other sites, text.
 * It is loaded when it is first opened.
 */

import { post } from "../base/api.js";
import { openDialog } from "../base/dialog.js";
import { h } from "../base/dom.js";

const PNG_SIDE = 1080; // pixels of the longer side
const LONGEST_CODE = 1000; // bytes that the server puts into a code
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** `{ name, blob }` as a file. */
function save(name, blob) {
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

const fetched = async (address) => {
  const response = await fetch(address);
  if (!response.ok) throw new Error("the picture cannot be made");
  return response.text();
};

/** A picture in SVG as PNG, drawn by the browser. */
export async function toPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = PNG_SIDE / Math.max(image.naturalWidth, image.naturalHeight);
  const canvas = h("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/**
 * Open the dialog for a game: `game` is its name, `start` the text of its start ("" for the usual one),
 * `moves` the names of its moves, of which `ply` are shown, `marks` what is drawn on the board, `link` leads to all of it.
 * `file(name)` gives the game in a format of files: `{ file, left_out }`.
 */
export async function openShare({ title, game, start, moves, ply, marks = [], link, file = null }) {
  const whole = new URL(link, location.href).href;
  const query = new URLSearchParams({ game, ...(start && { start }), ...(moves.length && { moves: moves.join(" ") }) });
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const address = (path, more = {}) => `/${path}?${query}&${new URLSearchParams(more)}`;
  const theme = dark ? "dark" : "light";
  const drawn = marks.slice(0, 100).map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(",");
  const picture = address("picture.svg", { ply, theme, ...(drawn && { marks: drawn }) });
  const replay = address("replay.svg", { theme });
  const name = `${game}-${new Date().toISOString().slice(0, 10)}`;
  const said = h("p", { class: "fine", role: "status" });

  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = `${what} copied.`;
    } catch {
      said.textContent = "Copying is blocked here. Mark the text and copy it.";
    }
  };
  const button = (text, click, more = {}) =>
    h("button", {
      type: "button",
      text,
      ...more,
      on: {
        click: async () => {
          try {
            await click();
          } catch (error) {
            said.textContent = `This did not work: ${error.message}`;
          }
        },
      },
    });

  const text = h("textarea", { readonly: true, rows: 5, "aria-label": "The game as text" });
  const kinds = [["moves", "Moves"], ["names", "Moves by name"], ["position", "Position"], ["board", "Board"]];
  const kind = h("select", { "aria-label": "Kind of text" }, ...kinds.map(([value, label]) => h("option", { value, text: label })));
  const texts = post("/api/texts", { game, ...(start && { start }), moves: moves.slice(0, ply).join(" ") }).catch(() => ({}));
  const write = async () => {
    if (!kind.value.startsWith("file:")) {
      text.value = (await texts)[kind.value] ?? "";
      return;
    }
    const made = await file(kind.value.slice(5));
    text.value = made.file;
    said.textContent = made.left_out;
  };
  kind.addEventListener("change", () => write().catch(({ message }) => (said.textContent = message)));
  texts.then(({ formats = [] }) => file && kind.append(...formats.map((each) => h("option", { value: `file:${each.name}`, text: each.title }))));
  write();

  const frame = `<iframe src="${new URL(address("embed", { ply }), location.href).href}" width="480" height="540" title="${title}" loading="lazy"></iframe>`;
  const short = new TextEncoder().encode(whole).length <= LONGEST_CODE;
  const code = short ? h("img", { class: "share-code", src: `/qr.svg?text=${encodeURIComponent(whole)}`, alt: "The link as a code to scan", width: 192, height: 192, loading: "lazy" }) : h("p", { class: "fine", text: "The link is too long for a code: save a file instead." });
  const local = LOCAL.includes(location.hostname) ? h("p", { class: "fine", text: "The link has the name of this computer: it works here, or with this address on any computer that runs the server." }) : null;

  const right = h(
    "div",
    {},
    h("section", {}, h("h3", { text: "Link" }), h("div", { class: "row" }, h("input", { readonly: true, value: whole, "aria-label": "Link" }), button("Copy link", () => copy(whole, "Link"), { class: "primary" })), local, h("details", {}, h("summary", { text: "Code to scan" }), code)),
    h("section", {}, h("h3", { text: "As text" }), h("div", { class: "row" }, kind, button("Copy text", () => copy(text.value, "Text"))), text),
    h("section", {}, h("details", {}, h("summary", { text: "On another site" }), h("textarea", { readonly: true, rows: 3, "aria-label": "HTML for another site" }, frame), button("Copy HTML", () => copy(frame, "HTML")))),
    said,
  );
  const left = h(
    "div",
    {},
    h("img", { class: "share-picture", src: picture, alt: `The position after ${ply} moves`, width: 240, height: 240 }),
    h(
      "div",
      { class: "row" },
      button("PNG", async () => save(`${name}.png`, await toPng(await fetched(picture))), { title: "Picture of the position, for messages" }),
      h("a", { class: "button", href: picture, download: `${name}.svg`, text: "SVG", title: "Picture of the position, sharp at any size" }),
      moves.length ? h("a", { class: "button", href: replay, download: `${name}-replay.svg`, text: "Replay", title: "The moves one after the other, as a picture that moves (SVG)" }) : null,
    ),
  );
  return openDialog("share-dialog", `Share ${title}`, h("div", { class: "share-halves" }, left, right));
}
