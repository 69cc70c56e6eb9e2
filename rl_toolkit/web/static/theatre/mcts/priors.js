/** What the network says of a new position: its value, and a prior for each move. */

import { h } from "../../js/base/dom.js";
import { signed, whole } from "./numbers.js";

const MOST = 9; // rows

export class Priors {
  constructor(box) {
    this.title = h("h2");
    this.value = h("p");
    this.body = h("tbody");
    this.note = h("p", { class: "fine" });
    box.append(this.title, this.value, h("table", { class: "uct priors" }, h("caption", { class: "hidden-text", text: "The priors of the network" }), h("thead", {}, h("tr", {}, h("th", { scope: "col", text: "move" }), h("th", { scope: "col", text: "prior" }), h("th", { scope: "col" }, h("span", { class: "hidden-text", text: "bar" })))), this.body), this.note);
  }

  show(recording, s) {
    const { path, result } = recording.sims[s];
    const leaf = path.at(-1);
    const { parent, prior } = recording.nodes;
    const moves = parent.flatMap((p, n) => (p === leaf ? [n] : [])).sort((a, b) => prior[b] - prior[a]);
    this.title.textContent = `The network looks at ${recording.line(leaf)}`;
    this.value.textContent = `Instead of a playout: value ${signed(recording.seen(result))} for ${recording.viewer}. For later choices: a prior for each move of ${recording.side(leaf)}.`;
    this.body.replaceChildren(...moves.slice(0, MOST).map((n) =>
      h("tr", { "data-node": n }, h("th", { scope: "row", class: "move", text: recording.name(n) }), h("td", { text: `${Math.round(100 * prior[n])} %` }), h("td", { class: "bars" }, h("span", { class: "bar-of", vars: { "--share": `${(100 * prior[n]).toFixed(1)}%` } })))));
    this.note.textContent = moves.length > MOST ? `${whole(moves.length - MOST)} more with smaller priors.` : "";
  }
}
