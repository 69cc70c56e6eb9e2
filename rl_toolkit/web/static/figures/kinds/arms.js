/** Three arms, a policy, and its regret: pulls, c and the true chances can be dragged. */

import { s } from "../frame/vnode.js";
import { played, tallyAt, ucb1Scores } from "../think/bandits.js";
import { additions, apart, clamp, label, plural, thousands } from "./shared.js";

const MOST = 2000;
const CHOICES = { policy: { greedy: "Greedy", epsilon: "ε-greedy", ucb1: "UCB1" } };
const POLICIES = Object.entries(CHOICES.policy);
const letter = (arm) => String.fromCharCode(65 + arm);
const chances = ({ arms }) => {
  const read = arms.trim().split(/\s+/).map(Number);
  if (read.length < 2 || read.length > 5 || read.some((each) => !(each >= 0 && each <= 1))) throw new SyntaxError("arms are two to five numbers from 0 to 1");
  return read;
};

function think(state) {
  const arms = chances(state);
  const runs = Object.fromEntries(POLICIES.map(([policy]) => [policy, played(arms, policy, { c: state.c, seed: Math.abs(Math.round(state.seed)), pulls: MOST })]));
  return { arms, runs };
}

/** What is known after n pulls. */
function now(state, { arms, runs }) {
  const run = runs[state.policy];
  const n = clamp(Math.round(state.n), 0, MOST - 1);
  const tally = tallyAt(run, arms, n);
  const means = tally.counts.map((count, arm) => (count ? tally.sums[arm] / count : 0));
  const sums = ucb1Scores(tally, state.c);
  return { ...tally, n, means, scores: sums, bonus: sums.map((sum, arm) => sum - means[arm]), next: run.arm[n], regret: n ? run.regret[n - 1] : 0 };
}

const tones = (ink) => [ink.o, ink.warn, ink.accent, ink.good, ink.bad];

/** The heights of the two halves: the arms, and the regret below. */
function halves({ height, unit }) {
  const chart = clamp(height * 0.3, 80, 220);
  return { chart, top: unit * 1.2, base: height - chart - unit * 2.8 };
}

const SCALE = 2;

function draw(state, model, box) {
  const { width, height, unit, ink } = box;
  const at = now(state, model);
  const { chart, top, base } = halves(box);
  const left = unit * 2.2;
  const y = (value) => base - (clamp(value, 0, SCALE) / SCALE) * (base - top);
  const axis = [0, 0.5, 1, 1.5, 2].map((value) => [
    s("line", { key: `y${value}`, x1: left, x2: width, y1: y(value), y2: y(value), stroke: ink.line, "stroke-width": value === 1 ? 2 : 1 }),
    label(box, left - 5, y(value) + 4, value, { key: `t${value}`, anchor: "end", size: unit * 0.7, colour: ink.soft }),
  ]);
  const step = (width - left - 8) / model.arms.length;
  const arms = model.arms.map((_, arm) => oneArm(state, model, at, box, { arm, x: left + step * (arm + 0.5), step, y, base }));
  return [s("g", { key: "axis" }, axis), s("g", { key: "arms" }, arms), s("g", { key: "regret" }, regret(state, model, at, box, { left, top: height - chart, chart }))];
}

function oneArm(state, model, at, box, { arm, x, step, y, base }) {
  const { unit, ink, size } = box;
  const colour = tones(ink)[arm];
  const bar = clamp(step * 0.32, 16, 70);
  const [mean, count, isNext] = [at.means[arm], at.counts[arm], at.next === arm];
  const hasBonus = state.policy === "ucb1" && count > 0;
  const top = hasBonus ? mean + at.bonus[arm] : mean;
  const [written, bonus, total] = hasBonus ? writtenSums(at)[arm] : [];
  const sum = !count ? "not tried" : !hasBonus ? mean.toFixed(2) : size === "small" ? total : `${written} + ${bonus} = ${total}`;
  const truth = model.arms[arm];
  const slider = { "data-handle": `arm:${arm}`, class: "handle", role: "slider", "aria-orientation": "vertical", "aria-label": `True chance of arm ${letter(arm)}`, "aria-valuenow": truth, "aria-valuemin": 0, "aria-valuemax": 1 };
  return s(
    "g",
    { key: `arm${arm}` },
    hasBonus && s("rect", { x: x - bar / 2, y: y(top), width: bar, height: Math.max(0, y(mean) - y(top)), rx: 3, fill: colour, "fill-opacity": 0.35, stroke: isNext ? ink.ink : "none", "stroke-width": 2 }),
    s("rect", { x: x - bar / 2, y: y(mean), width: bar, height: Math.max(0, base - y(mean)), rx: 3, fill: colour, stroke: isNext && !hasBonus ? ink.ink : "none", "stroke-width": 2 }),
    label(box, x, Math.max(y(top) - 6, unit), sum, { size: clamp(step / 12, 9, unit * 0.9), weight: isNext ? 750 : 500 }),
    label(box, x, base + unit * 1.1, isNext ? `${letter(arm)} ◀ next` : letter(arm), { size: unit * 0.9, weight: isNext ? 750 : 550 }),
    label(box, x, base + unit * 2.05, plural(count, "pull"), { size: unit * 0.75, colour: ink.soft }),
    state.truth &&
      s(
        "g",
        slider,
        s("line", { x1: x - bar * 0.9, x2: x + bar * 0.9, y1: y(truth), y2: y(truth), stroke: ink.ink, "stroke-width": 2.5, "stroke-dasharray": "5 3" }),
        s("circle", { cx: x + bar * 0.9, cy: y(truth), r: unit * 0.5, fill: ink.panel, stroke: ink.ink, "stroke-width": 2.5 }),
        label(box, x + bar * 0.9 + unit * 0.75, y(truth) + unit * 0.3, truth.toFixed(2), { anchor: "start", size: unit * 0.75, weight: 700 }),
      ),
  );
}

/** The sums of the arms as texts; an arm without a pull has none. */
function writtenSums({ counts, means, bonus }) {
  const tried = [...counts.keys()].filter((arm) => counts[arm]);
  const texts = additions(tried.map((arm) => ({ mean: means[arm], bonus: bonus[arm] })));
  return counts.map((_, arm) => texts[tried.indexOf(arm)]);
}

function regret(state, { runs }, at, box, { left, top, chart }) {
  const { width, unit, ink } = box;
  const [x0, x1, y0, y1] = [left, width - 8, top + chart - unit * 1.4, top + unit * 0.8];
  const frame = s("rect", { key: "frame", x: x0, y: y1, width: x1 - x0, height: y0 - y1, fill: "none", stroke: ink.line });
  const ends = [label(box, x0, y0 + unit, "0", { key: "x0", anchor: "start", size: unit * 0.7, colour: ink.soft }), label(box, x1, y0 + unit, `${thousands(MOST)} pulls`, { key: "x1", anchor: "end", size: unit * 0.7, colour: ink.soft })];
  if (!state.truth) return [frame, ...ends, label(box, (x0 + x1) / 2, (y0 + y1) / 2 + 4, "regret: shown with the truth", { key: "hidden", size: unit * 0.8, colour: ink.soft })];
  const most = Math.max(20, ...POLICIES.map(([policy]) => runs[policy].regret.at(-1))) * 1.1;
  const share = state.log ? (n) => Math.log(1 + n) / Math.log(1 + MOST) : (n) => n / MOST;
  const [px, py] = [(n) => x0 + share(n) * (x1 - x0), (value) => y0 - (value / most) * (y0 - y1)];
  const decades = state.log ? [10, 100].map((n) => label(box, px(n), y0 + unit, thousands(n), { key: `x${n}`, size: unit * 0.7, colour: ink.soft })) : [];
  const colours = { greedy: ink.bad, epsilon: ink.even, ucb1: ink.accent };
  const heights = apart(POLICIES.map(([policy]) => py(runs[policy].regret.at(-1)) - 3), unit * 0.85, y1 + unit * 0.7);
  const curves = POLICIES.map(([policy, name], i) => {
    let d = `M${x0} ${y0}`;
    for (let n = 0; n < MOST; n += state.log && n < 100 ? 1 : 10) d += `L${px(n).toFixed(1)} ${py(runs[policy].regret[n]).toFixed(1)}`;
    return [
      s("path", { key: policy, d, fill: "none", stroke: colours[policy], "stroke-width": policy === state.policy ? 3.5 : 1.8 }),
      label(box, x1 - 3, heights[i], name, { key: `n${policy}`, anchor: "end", size: unit * 0.75, colour: policy === "epsilon" ? ink.soft : colours[policy], weight: 650 }),
    ];
  });
  const x = px(at.n);
  return [
    frame, ...ends, ...decades, curves,
    s("line", { key: "now", x1: x, x2: x, y1, y2: y0, stroke: ink.ink, "stroke-width": 1.5, "stroke-dasharray": "3 3" }),
    label(box, clamp(x, x0 + unit * 3.5, x1 - unit * 3.5), y1 - 3, `regret ${at.regret.toFixed(1)}`, { key: "value", size: unit * 0.8, weight: 700 }),
  ];
}

function facts(state, model) {
  const at = now(state, model);
  const before = at.n ? now({ ...state, n: at.n - 1 }, model) : at;
  const found = { n: at.n, c: state.c, next: letter(at.next), regret: at.regret, leader: letter(at.means.indexOf(Math.max(...at.means))), bestArm: letter(model.arms.indexOf(Math.max(...model.arms))), most: MOST };
  model.arms.forEach((truth, arm) => {
    const name = letter(arm);
    Object.assign(found, { [`pulls.${name}`]: at.counts[arm], [`paid.${name}`]: at.sums[arm], [`mean.${name}`]: at.means[arm], [`bonus.${name}`]: at.bonus[arm], [`sum.${name}`]: at.scores[arm], [`true.${name}`]: truth, [`grew.${name}`]: at.bonus[arm] - before.bonus[arm] });
  });
  for (const [policy] of POLICIES) found[`regret.${policy}`] = model.runs[policy].regret.at(-1);
  return found;
}

const withArm = (state, arm, value) => ({ arms: chances(state).map((each, i) => (i === arm ? clamp(Math.round(value * 100) / 100, 0, 1) : each)).join(" ") });

export default {
  name: "arms",
  title: "Which arm next?",
  start: { arms: "0.2 0.5 0.8", n: 20, c: 1.41, seed: 3, policy: "ucb1", truth: false, log: false },
  choices: CHOICES,
  depends: ["arms", "c", "seed"],
  think,
  facts,
  sentence: (state, model) => {
    const at = now(state, model);
    const name = letter(at.next);
    const done = `After ${plural(at.n, "pull")}`;
    if (at.counts.includes(0)) return `${done}: every arm is tried once first; ${name} is next.`;
    if (state.policy === "greedy") return `${done} greedy pulls the arm with the best mean so far: ${name}.`;
    if (state.policy === "epsilon") return `${done} ${name} is next: the best mean so far, or in one pull of ten any arm.`;
    const [mean, bonus] = writtenSums(at)[at.next];
    return `${done} ${name} is next: its mean ${mean} + bonus ${bonus} is the greatest sum.`;
  },
  draw,
  drag: (id, before, model, { y, from }, box) => {
    const { top, base } = halves(box);
    const arm = Number(id.slice(4));
    return withArm(before, arm, chances(before)[arm] + ((from.y - y) / (base - top)) * SCALE);
  },
  nudge: (id, by, state) => withArm(state, Number(id.slice(4)), chances(state)[Number(id.slice(4))] + by / 100),
  controls: (state) => [
    { kind: "range", name: "n", label: "Pulls", min: 0, max: MOST - 1, value: state.n, text: thousands(state.n) },
    { kind: "button", label: "+1", title: "One more pull", run: () => ({ n: Math.min(MOST - 1, state.n + 1) }) },
    { kind: "range", name: "c", label: "c", min: 0, max: 4, step: 0.01, value: state.c, text: state.c.toFixed(2) },
    { kind: "choice", name: "policy", label: "Policy", options: POLICIES, value: state.policy },
    { kind: "switch", name: "truth", label: "Show the truth", value: state.truth },
    { kind: "switch", name: "log", label: "Log axis", value: state.log },
    { kind: "button", label: "Other luck", title: "The same arms with another seed", run: () => ({ seed: state.seed + 1 }) },
  ],
};
