/** On its first start the server compiles for a while: shows how far it is. */

import { get } from "../base/api.js";
import { $ } from "../base/dom.js";

const BETWEEN = 1000; // ms between two looks

export async function watchWarmUp() {
  const { compiling } = await get("/api/health").catch(() => ({}));
  $("#warm-up").hidden = !compiling;
  if (!compiling) return;
  $("#warm-up").textContent =
    `First start: preparing engines (${compiling.done} of ${compiling.total}). You can already play.`;
  setTimeout(watchWarmUp, BETWEEN);
}
