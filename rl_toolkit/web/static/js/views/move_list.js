/** The moves so far, each a button that leads back to it. */

import { $, h } from "../base/dom.js";
import { SIGNS } from "./review_panel.js";
import { letter } from "../base/format.js";
import { Roving } from "../base/roving.js";

const stops = new Roving($("#history"), "button");

/** "Turn 4: AI (O) → b2 (4)", with the number that people type for the move; no player chose an opening. */
export function lineOf(game, k) {
  const player = game.movers[k];
  const who = k < game.opening ? "Opening" : game.isHuman(player) ? "Human" : "AI";
  const first = game.position.first_number;
  const number = first === null ? "" : ` (${game.moves[k] + first})`;
  return `Turn ${k + 1}: ${who} (${letter(player)}) → ${game.names[k]}${number}`;
}

/** Draw the list; a click on a move asks `jump` for the ply after it. */
export function drawHistory(game, review, jump) {
  const list = $("#history");
  const items = game.moves.map((_, k) => {
    const aside = game.main && k >= game.main.from; // a side line was not reviewed
    const mark = aside ? null : review.entries[k]?.mark;
    return h(
      "li",
      { class: [k + 1 === game.ply && "now", k >= game.ply && "later", aside && "aside", mark].filter(Boolean).join(" ") },
      h(
        "button",
        {
          type: "button",
          "aria-current": k + 1 === game.ply ? "step" : undefined,
          on: { click: () => jump(k + 1) },
        },
        lineOf(game, k),
        mark ? h("span", { class: "sign engine-values", text: ` ${SIGNS[mark]}`, title: mark }) : null,
      ),
    );
  });
  const focused = list.contains(document.activeElement);
  list.replaceChildren(...items);
  stops.refresh(list.querySelector(".now button"));
  if (focused) list.querySelector("[tabindex='0']")?.focus();
  $("#no-moves").hidden = items.length > 0;
  reveal(list, list.querySelector(".now"));
}

/** Scroll the list, and nothing but the list: the page must stay where the board is. */
function reveal(list, item) {
  if (!item) return;
  const [inside, shown] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inside.bottom > shown.bottom) list.scrollTop += inside.bottom - shown.bottom;
  else if (inside.top < shown.top) list.scrollTop -= shown.top - inside.top;
}
