/** How far the server is that compiles its engines: only on its first start is this file loaded. */

import { get } from "../base/api.js";
import { $ } from "../base/dom.js";

const BETWEEN = 1000; // ms between two looks

/** Show how far it is until it has ended. */
export async function watchWarmUp() {
  const { compiling } = await get("/api/health").catch(() => ({}));
  $("#warm-up").hidden = !compiling;
  if (!compiling) return;
  $("#warm-up").textContent = `Preparing the engines for this computer, once: ${compiling.left}. You can already play.`;
  setTimeout(watchWarmUp, BETWEEN);
}
