/** Record files: the browser saves them, the server reads and writes their text. And links. */

import { post, postForText } from "./api.js";
import { $, h } from "./dom.js";

export async function save(game) {
  const text = await postForText("/api/record", {
    ...game.question(game.moves),
    players: [game.seats[1], game.seats[-1]],
    result: game.ended?.result,
    ended_by: game.ended?.by,
  });
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = h("a", { href: address, download: `${game.name}.json` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The text that was pasted; an error if there is none. */
export function pasted() {
  const text = $("#paste").value;
  if (!text.trim()) throw new Error("Paste a game first.");
  return text;
}

/** The game in a file or pasted text, as /api/record/open answers it. */
export const open = (text, game) => post("/api/record/open", { text, game });

/**
 * Copy the address of the page; whether that worked. Browsers allow it on https and on this machine;
 * elsewhere the link is shown in a field, marked, so that it can be copied by hand.
 */
export async function copyLink(button) {
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  $("#link-field").hidden = Boolean(copied);
  if (!copied) {
    $("#link").value = location.href;
    $("#link").focus();
    $("#link").select();
    return false;
  }
  const text = (button.dataset.text ??= button.textContent);
  button.textContent = "Copied ✓";
  setTimeout(() => (button.textContent = text), 1500);
  return true;
}

export function askForFile(then) {
  const input = $("#file");
  input.onchange = async () => {
    const [file] = input.files;
    input.value = "";
    if (file) then(await file.text());
  };
  input.click();
}
