/** The row of arms: what is known of each, how the policy scores them, and which one is pulled. */

import { h } from "../../js/base/dom.js";
import { two } from "./tally.js";

/** The words for the score that a policy compares. */
const KINDS = { ucb1: "mean + bonus", thompson: "draw", epsilon: "mean", greedy: "mean" };

export class Arms {
  #cards = [];

  /** `onPull(arm)` and `onMean(arm, mean)` are called when somebody pulls or sets an arm. */
  constructor(list, { onPull, onMean }) {
    Object.assign(this, { list, onPull, onMean });
  }

  /** New cards: `means` are those that the visitor sets, null if the server has drawn them. */
  build(count, means) {
    this.#cards = Array.from({ length: count }, (_, arm) => this.#card(arm, means?.[arm]));
    this.list.replaceChildren(...this.#cards.map(({ item }) => item));
  }

  #card(arm, mean) {
    const part = Object.fromEntries(
      ["paid", "scale", "pulls", "sumPaid", "mean", "sum"].map((name) => [name, h(name === "sum" ? "p" : "span", {})]),
    );
    part.paid.className = "paid";
    part.sum.className = "sum";
    const bars = Object.fromEntries(["mean", "bonus", "draw", "truth"].map((name) => [name, h("i", { class: name, hidden: true })]));
    const shown = h("output", { text: percent(mean) });
    const slider = h("input", {
      type: "range", min: 0, max: 100, step: 5, value: Math.round(100 * (mean ?? 0)), "aria-label": `Chance of arm ${arm + 1}, in percent`,
      on: {
        input: () => (shown.textContent = percent(slider.value / 100)),
        change: () => this.onMean(arm, slider.value / 100),
      },
    });
    const button = h("button", { type: "button", text: `Pull arm ${arm + 1}`, on: { click: () => this.onPull(arm) } });
    const item = h(
      "li",
      { class: "arm", "data-arm": arm },
      h("header", {}, h("span", { text: `Arm ${arm + 1}` }), part.paid),
      h("div", { class: "meter", "aria-hidden": "true" }, part.scale, ...Object.values(bars)),
      part.sum,
      h("dl", {}, h("dt", { text: "pulls" }), h("dd", {}, part.pulls), h("dt", { text: "paid" }), h("dd", {}, part.sumPaid), h("dt", { text: "mean" }), h("dd", {}, part.mean)),
      mean === undefined ? null : h("label", { class: "own" }, h("span", {}, "pays ", shown), slider),
      button,
    );
    return { item, part, bars, button };
  }

  /**
   * Show the arms after `n` pulls. `choice` says that the next pull is shown too: the scores that were
   * compared, the arm that was chosen, and what it paid. By hand it is the pull before.
   */
  show(pulls, n, { policy = "hand", choice = false } = {}) {
    const tally = pulls.tally(n);
    const [chosen, reward, , scores] = pulls.pulls[choice ? n : n - 1] ?? [];
    const compared = choice ? scores : null;
    const { top } = pulls;
    this.#cards.forEach(({ item, part, bars, button }, arm) => {
      const { pulls: count, paid } = tally[arm];
      const mean = count ? paid / count : null;
      const score = compared?.[arm];
      const isChosen = arm === chosen && (choice || policy === "hand");
      item.classList.toggle("chosen", isChosen);
      item.classList.toggle("by-hand", policy === "hand");
      part.paid.textContent = isChosen ? (reward ? "pays 1" : "pays 0") : "";
      part.paid.className = `paid ${isChosen ? (reward ? "one" : "nil") : ""}`;
      part.paid.hidden = !isChosen;
      part.scale.textContent = top > 1 ? `↑ ${top}` : "";
      part.pulls.textContent = count;
      part.sumPaid.textContent = paid;
      part.mean.textContent = two(mean);
      place(bars.mean, 0, (mean ?? 0) / top, mean === null);
      const bonus = policy === "ucb1" && mean !== null && score != null ? score - mean : null;
      place(bars.bonus, (mean ?? 0) / top, (bonus ?? 0) / top, bonus === null);
      place(bars.draw, (score ?? 0) / top, null, policy !== "thompson" || score == null);
      place(bars.truth, (pulls.arms?.[arm] ?? 0) / top, null, !pulls.arms);
      part.sum.textContent = words(policy, mean, bonus, score, compared);
      button.hidden = policy !== "hand";
    });
  }
}

/** The sum that the policy compares: "0.60 + 0.96 = 1.56". */
function words(policy, mean, bonus, score, compared) {
  if (!compared) return "";
  if (score === null) return "not tried: first";
  if (bonus !== null) return `${two(mean)} + ${two(two(score) - two(mean))} = ${two(score)}`; // as written it adds up
  return `${KINDS[policy]} ${two(score)}`;
}

function place(bar, from, part, hidden) {
  bar.hidden = hidden;
  bar.style.setProperty("--from", Math.min(1, from));
  if (part !== null) bar.style.setProperty("--part", Math.max(0, Math.min(1 - from, part)));
}

export const percent = (mean) => `${Math.round(100 * (mean ?? 0))} %`;
