/** One figure that fills the window; its state is in the address, or in the page where that is a file. */

import { html } from "./frame/controls.js";
import { LiveFigure } from "./frame/figure.js";
import { pngAddress, svgText } from "./frame/picture.js";
import { presented } from "./frame/present.js";
import { changesOf } from "./frame/state.js";
import { loadKind } from "./kinds.js";

const host = document.querySelector("figure[data-figure]");
const { figure: name, start, address, write } = host.dataset;
const query = new URLSearchParams(location.search);
const theme = query.get("theme") ?? document.documentElement.dataset.theme;
if (["light", "dark"].includes(theme)) document.documentElement.dataset.theme = theme;

const kind = await loadKind(name);
export const figure = shown();
document.title = kind.title;

/** The figure as the address says, or one sentence about what is wrong in it. */
function shown() {
  try {
    const asked = [...query].filter(([name]) => name in kind.start); // other sites add words of their own
    const given = changesOf(kind, [...Object.entries(JSON.parse(start ?? "{}")), ...asked], { strict: true });
    const made = new LiveFigure(host, kind, given, { alone: true, address: address ? new URL(address, location.href).href : null });
    kind.check?.(made.state, made.model);
    presented([]);
    return made;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const again = html("a", { href: location.pathname }, "Show the figure as it begins");
    host.classList.remove("live");
    host.replaceChildren(html("p", { id: "refused", role: "alert" }, `${error.message}.`), ...(write ? [] : [again]));
    return null;
  }
}

/** For `rl-toolkit figure`: leave the picture as text in the page. */
if (write && figure) {
  const [format, width, height] = write.split(" ");
  const box = { width: Number(width), height: Number(height) };
  const text = svgText(kind, figure.state, figure.model, box, host, format === "png" ? 2 : 1);
  const found = format === "png" ? await pngAddress(text, box) : text;
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { id: "written", textContent: found }));
}

/** Controls and keys are there once the first frame is drawn. */
const ready = () => (document.body.dataset.ready = "yes");
if (figure && !write) figure.addEventListener("change", ready, { once: true });
else ready();
