/** What a file says about the game that was opened from it: the event, the date, who played. */

import { $, h } from "../base/dom.js";
import { piece } from "../base/format.js";

export function drawFacts(session) {
  const { position, players, headers } = session;
  const names = [1, -1].map((player) => [piece(player, position), players[player > 0 ? 0 : 1]]).filter(([, name]) => name && name !== "human");
  const facts = [...names, ...Object.entries(headers)];
  $("#facts").hidden = facts.length === 0;
  $("#facts").replaceChildren(...facts.map(([name, text]) => h("div", {}, h("dt", { text: name }), h("dd", { text }))));
}
