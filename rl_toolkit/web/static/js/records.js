/** Record files: the browser saves them, the server reads and writes their text. */

import { post, postForText } from "./api.js";
import { $, h } from "./dom.js";

export async function save(game) {
  const text = await postForText("/api/record", {
    ...game.question(game.moves.length),
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

/** The game in a file or pasted text, as /api/record/open answers it. */
export const open = (text, game) => post("/api/record/open", { text, game });

/** Copy the address of the page; an error if the browser does not allow it. */
export async function copyLink(button) {
  if (!navigator.clipboard) throw new Error("copying is blocked here; copy the link from the address bar");
  await navigator.clipboard.writeText(location.href);
  const text = (button.dataset.text ??= button.textContent);
  button.textContent = "Copied ✓";
  setTimeout(() => (button.textContent = text), 1500);
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
