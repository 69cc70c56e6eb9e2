/** A chapter: its figures come to life when they are near, and its text is bound to them. */

import { addCopyButtons } from "../learn/copying.js";
import { LiveFigure } from "./frame/figure.js";
import { presented } from "./frame/present.js";
import { bind } from "./frame/prose.js";
import { changesOf } from "./frame/state.js";
import { loadKind } from "./kinds.js";

addCopyButtons();
const hosts = [...document.querySelectorAll("figure[data-figure]")];
const figures = [];
export { figures };

async function wake(host) {
  const kind = await loadKind(host.dataset.figure);
  const given = changesOf(kind, Object.entries(JSON.parse(host.dataset.start)));
  const figure = new LiveFigure(host, kind, given, { address: new URL(host.dataset.address, location.href).href });
  figures.push(figure);
  bind(host.closest(".part"), figure);
}

const woken = new Set();
function wakeOnce(host) {
  near.unobserve(host);
  return woken.has(host) ? null : wake(woken.add(host) && host);
}

const near = new IntersectionObserver(
  (entries) => {
    const waking = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => wakeOnce(target));
    Promise.all(waking).then(() => (document.body.dataset.ready = "yes"));
  },
  { rootMargin: "100% 0px" },
);
for (const host of hosts) near.observe(host);
// Once the page is at rest the others too: who prints a chapter has not been near all of them.
const later = window.requestIdleCallback ?? ((run) => setTimeout(run, 2000));
async function wakeRest() {
  const host = hosts.find((each) => !woken.has(each));
  if (!host) return;
  await wakeOnce(host);
  later(wakeRest);
}
addEventListener("load", () => setTimeout(() => later(wakeRest), 1500));
if (!hosts.length) document.body.dataset.ready = "yes";
presented(figures);
