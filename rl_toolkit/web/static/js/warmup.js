/** On a fresh machine the server compiles for a while: tells how far it is. */

import { get } from "./api.js";
import { $ } from "./dom.js";

const BETWEEN = 1000; // ms between two looks

export async function watchWarmUp() {
  const { compiling } = await get("/api/health").catch(() => ({}));
  $("#warm-up").hidden = !compiling;
  if (!compiling) return;
  $("#warm-up").textContent =
    `Preparing the engines for this machine, once: ${compiling.done} of ${compiling.total}. Games can begin meanwhile.`;
  setTimeout(watchWarmUp, BETWEEN);
}
