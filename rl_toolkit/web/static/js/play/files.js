/** Record files: the browser saves them, the server reads and writes their text. And links. */

import { post, postForText } from "../base/api.js";
import { $, h } from "../base/dom.js";

/** Save the game, with what `file`, the one it was opened from, says about it. */
export async function save(game, file) {
  const text = await postForText("/api/record", {
    ...game.question(game.moves),
    players: [game.seats[1], game.seats[-1]],
    ...file.about(game),
    result: game.ended?.result,
    ended_by: game.ended?.by,
    opening: game.opening,
  });
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = h("a", { href: address, download: `${game.name}.json` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The text that was pasted, as `open` takes it; an error if there is none. */
export function pasted() {
  const text = $("#paste").value;
  if (!text.trim()) throw new Error("Paste a game first.");
  return { text };
}

/**
 * The game in a file or pasted text, as /api/record/open answers it. `content` is `{ text }` or
 * `{ data }`; where it has many games, the visitor chooses one first, or gives up (null).
 */
export async function open(content, game) {
  const found = await post("/api/record/open", { ...content, game });
  if (!found.games) return found;
  const number = await chosenOf(found);
  return number && post("/api/record/open", { ...content, game, number });
}

/** The number of the game that the visitor chooses from a list, 0 if none. */
function chosenOf({ games, more }) {
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

/** Let the visitor choose a file; `then` gets a function that reads its bytes as `open` takes them. */
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
