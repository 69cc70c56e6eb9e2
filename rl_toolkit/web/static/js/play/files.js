/** Record files and links: the browser saves and chooses them, the server reads and writes their text. */

import { $, h } from "../base/dom.js";
import * as codec from "../model/codec.js";
import { HUMAN } from "../model/session.js";
import { newId } from "../model/store.js";
import { Tree } from "../model/tree.js";
import { fileOf } from "./tree_files.js";

/** Save the game with everything in it; the answer is a sentence about what the file cannot hold. */
export async function save(session, format = "json") {
  const { file, suffix, left_out: leftOut } = await fileOf(session, format);
  const address = URL.createObjectURL(new Blob([file], { type: "application/octet-stream" }));
  const link = h("a", { href: address, download: `${session.name}${suffix}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
  return leftOut;
}

/** The text that was pasted, as `openTree` takes it; an error if there is none. */
export function pasted() {
  const text = $("#paste").value;
  if (!text.trim()) throw new Error("Paste a game first.");
  return { text };
}

/** The number of the game that the visitor chooses from a list, 0 if none. */
export function chosenOf({ games, more }) {
  const dialog = $("#choose-game");
  $("#chosen-game").replaceChildren(...games.map(({ number, text }) => h("option", { value: number, text })));
  $("#more-games").hidden = !more;
  let chosen = 0;
  $("#choose-open").onclick = () => {
    chosen = Number($("#chosen-game").value);
    dialog.close();
  };
  $("#choose-cancel").onclick = () => dialog.close();
  dialog.showModal();
  return new Promise((resolve) => (dialog.onclose = () => resolve(chosen)));
}

/** Keep a game that was read, with all that its file says; the answer is its address on its own page. */
export async function keptElsewhere({ family, name, start, root, players, headers, opening, played, ended, outcome }, store) {
  const tree = new Tree();
  tree.open(root);
  tree.open(root, played(tree));
  if (ended) tree.played.ended = ended;
  const [id, when, seats] = [newId(), Date.now(), { 1: HUMAN, [-1]: HUMAN }];
  const about = { id, family, game: name, start, players, headers, opening, seats, mode: "analyse", result: outcome };
  await store.save({ ...about, tree: tree.plain(), at: tree.played.path, plies: tree.played.ply, begun: when, when }, 0);
  if (!store.problem) return `/${family}?id=${id}`;
  const query = new URLSearchParams({ game: name, x: HUMAN, o: HUMAN, mode: "analyse", ...(start ? { start } : {}) });
  return `/${family}?${query}&tree=${codec.write(root)}`;
}

/** A link to the game, packed where that is shorter. */
export async function linkTo(session) {
  return new URL(session.link(await codec.packed(codec.write(session.tree.root))), location.href).href;
}

/**
 * Copy a link to the game; whether that worked. Browsers allow it on https and on this machine;
 * elsewhere the link is in the field, marked, so that it can be copied by hand.
 */
export async function copyLink(session) {
  const link = await linkTo(session);
  $("#link").value = link;
  $("#link").select();
  return Boolean(await navigator.clipboard?.writeText(link).then(() => true, () => false));
}

/** Let the visitor choose a file; `then` gets a function that reads its bytes as `openTree` takes them. */
export function askForFile(then) {
  const input = $("#file");
  input.onchange = () => {
    const [file] = input.files;
    input.value = "";
    if (file) then(() => contentOf(file, Number(input.dataset.most)));
  };
  input.click();
}

async function contentOf(file, most) {
  if (file.size > most) throw new Error(`This file is too large: up to ${Math.floor(most / 1000)} kB can be opened.`);
  const address = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Error("This file cannot be read."));
    reader.readAsDataURL(file);
  });
  return { data: address.slice(address.indexOf(",") + 1) };
}
