/**
 * The choice of selection as a table: mean + bonus = sum for every child, with a bar of two lanes.
 * The mean goes from 0, the bonus goes on from there, the tick is the sum. Rows are kept and filled
 * anew.
 */

import { h, svg } from "../../js/base/dom.js";
import { fixed, round, whole } from "./numbers.js";

const MOST = 9; // rows
const [WIDE, HIGH] = [200, 20];

export class Waterfall {
  #rows = [];

  constructor(box) {
    this.title = h("h2");
    this.note = h("p", { class: "fine" });
    this.body = h("tbody");
    this.prior = h("th", { scope: "col", text: "prior" });
    this.meanHead = h("th", { scope: "col", class: "of" });
    this.table = h("table", { class: "uct" },
      h("caption", { class: "hidden-text", text: "What selection compares" }),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", text: "move" }), h("th", { scope: "col", text: "visits" }), this.prior, h("th", { scope: "col", class: "bars" }, h("span", { class: "hidden-text", text: "bars" })), this.meanHead, h("th", { scope: "col", text: "+ bonus" }), h("th", { scope: "col", text: "= sum" }))),
      this.body);
    this.formula = h("p", { class: "formula" });
    this.table.hidden = true; // until there is a choice
    box.append(this.title, this.table, this.formula, this.note);
  }

  /** The choice of simulation s at a place of its path; a secret one shows visits and means only. */
  show(recording, s, place, secret = false) {
    const rows = place < 0 ? null : recording.choice(s, place);
    this.table.hidden = !rows?.length;
    this.prior.hidden = !recording.network;
    this.formula.hidden = !rows?.length;
    if (!rows?.length) {
      this.title.textContent = recording.network ? "Selection: PUCT" : "Selection: UCT";
      this.note.textContent = place < 0 ? "A move here has no node yet: it is tried first, so there is nothing to compare." : recording.sims[s].missing ? "The numbers of this simulation are not known." : "The numbers are on their way.";
      return;
    }
    const above = recording.sims[s].path[place];
    const side = recording.side(above);
    this.title.textContent = `${side} chooses at ${recording.line(above)}`;
    this.meanHead.textContent = `mean for ${side}`;
    const digits = secret ? 2 : digitsFor(rows);
    const some = shownOf(rows, secret);
    const low = Math.min(-1, ...some.map((row) => row.mean));
    const top = Math.max(1, ...some.map((row) => row.mean + row.bonus)) + 0.02;
    const x = (v) => (((v - low) / (top - low)) * WIDE).toFixed(1);
    while (this.#rows.length < some.length) this.#add();
    this.#rows.forEach((row, k) => this.#fill(row, some[k], { recording, digits, x, secret }));
    this.formula.textContent = formula(recording, s, place, rows, digits, secret);
    const left = rows.length - some.length;
    const lost = rows.some((row) => row.lost) ? " Struck moves are proven losses: they are not taken." : "";
    this.note.textContent = (left ? `${whole(left)} more are not shown.` : "") + lost;
  }

  #add() {
    const bar = svg("svg", { class: "lanes", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const row = { bar, zero: svg("path", { class: "zero" }), mean: svg("rect", { class: "mean", y: 2, height: 7 }), bonus: svg("rect", { class: "bonus", y: 11, height: 7 }), sum: svg("path", { class: "sum" }) };
    bar.append(row.zero, row.mean, row.bonus, row.sum);
    row.cells = Object.fromEntries(["move", "visits", "prior", "mean", "bonus", "sum"].map((name) => [name, h(name === "move" ? "th" : "td", { class: name, ...(name === "move" ? { scope: "row" } : {}) })]));
    const { move, visits, prior, mean, bonus, sum } = row.cells;
    row.element = h("tr", {}, move, visits, prior, h("td", { class: "bars" }, bar), mean, bonus, sum);
    this.#rows.push(row);
    this.body.append(row.element);
  }

  #fill(row, data, { recording, digits, x, secret }) {
    row.element.hidden = !data;
    if (!data) return;
    const { n, visits, mean, bonus, prior, lost, taken } = data;
    const { cells } = row;
    row.element.className = `${taken && !secret ? "taken" : ""} ${lost ? "lost" : ""}`;
    row.element.dataset.node = n;
    const shown = round(mean, digits) + round(bonus, digits);
    cells.move.textContent = recording.name(n);
    cells.visits.textContent = `×${whole(visits)}`;
    cells.prior.hidden = !recording.network;
    cells.prior.textContent = recording.network ? `${Math.round(100 * prior)} %` : "";
    cells.mean.textContent = fixed(mean, digits);
    cells.bonus.textContent = secret ? "?" : fixed(bonus, digits);
    cells.sum.textContent = secret ? "?" : `${fixed(shown, digits)}${taken ? " ◀" : ""}`;
    row.zero.setAttribute("d", `M${x(0)} 0V${HIGH}`);
    const [from, to] = [Math.min(0, mean), Math.max(0, mean)];
    row.mean.setAttribute("class", `mean ${mean > 0 ? "plus" : "minus"}`);
    row.mean.setAttribute("x", x(from));
    row.mean.setAttribute("width", mean ? Math.max(0.5, x(to) - x(from)) : 0);
    row.bonus.setAttribute("x", x(mean));
    row.bonus.setAttribute("width", secret ? 0 : Math.max(0, x(mean + bonus) - x(mean)));
    row.sum.setAttribute("d", secret ? "" : `M${x(mean + bonus)} 0V${HIGH}`);
  }
}

/** How the bonus of the move that is taken comes about; N are the visits of the position, the one under way included in PUCT. */
function formula(recording, s, place, rows, digits, secret) {
  const { n, visits, bonus, prior } = rows.find((row) => row.taken);
  const { path } = recording.sims[s];
  const { c, cpuct } = recording.tree.engine.options;
  const total = recording.stats(path[place], recording.starts[s] - 1).visits + (recording.network ? 1 : 0);
  const untried = rows.some((row) => !row.visits) ? ", a move without visits has the mean of the position" : "";
  const general = recording.network ? `bonus = c · prior · √N / (1 + n), N counts this visit${untried}` : "bonus = c · √(ln N / n)";
  if (secret) return `${general}, with c = ${c ?? cpuct}, N = ${whole(total)}`;
  const here = recording.network ? `${cpuct} · ${fixed(prior, 4)} · √${whole(total)} / (1 + ${whole(visits)})` : `${c} · √(ln ${whole(total)} / ${whole(visits)})`;
  return `${general}; for ${recording.name(n)}: ${here} = ${fixed(bonus, digits)}`;
}

/** At most nine rows: the greatest sums; of a secret choice the most visited, so that nothing is told. */
export function shownOf(rows, secret = false) {
  if (rows.length <= MOST) return rows;
  const key = (row) => (secret ? row.visits + row.mean / 10 : row.taken ? Infinity : row.lost ? -Infinity : row.mean + row.bonus);
  const best = new Set([...rows].sort((a, b) => key(b) - key(a)).slice(0, MOST));
  const some = rows.filter((row) => best.has(row));
  if (secret && !some.some((row) => row.taken)) some[MOST - 1] = rows.find((row) => row.taken);
  return some;
}

/** Two digits, or as many as it takes that no shown sum is above the one taken. */
export function digitsFor(rows) {
  const open = rows.filter((row) => row.taken || !row.lost);
  for (let digits = 2; digits < 4; digits++) {
    const sums = open.map((row) => round(row.mean, digits) + round(row.bonus, digits));
    const taken = sums[open.findIndex((row) => row.taken)];
    if (taken >= Math.max(...sums) - 1e-9) return digits;
  }
  return 4;
}
