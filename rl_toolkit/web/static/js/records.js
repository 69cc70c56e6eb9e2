/** Record files: the browser keeps them, the server reads and writes their text. */

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

/** What a file (or pasted text) holds, as /api/record/open tells it. */
export const open = (text, game) => post("/api/record/open", { text, game });

/** Copy the address of the page; says so where the browser does not let a page do that. */
export async function copyLink(button) {
  if (!navigator.clipboard) throw new Error("this browser lets no page copy here; take the link from the address bar");
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
