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

const near = new IntersectionObserver(
  (entries) => {
    const woken = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => (near.unobserve(target), wake(target)));
    Promise.all(woken).then(() => (document.body.dataset.ready = "yes"));
  },
  { rootMargin: "100% 0px" },
);
for (const host of hosts) near.observe(host);
if (!hosts.length) document.body.dataset.ready = "yes";
presented(figures);
