/** Two players who choose at the same time, two moves each: what every mixture of yours wins, and what it secures. */

import { s } from "../frame/vnode.js";
import { clamp, label } from "./shared.js";

const MOST = 3; // the greatest gain
const MOVES = ["heads", "tails"];

/** `1 -1 / -1 1`: a row for each of your moves, a column for each of the opponent's. */
function think({ game }) {
  const rows = game.split("/").map((row) => row.trim().split(/\s+/).map(Number));
  if (rows.length !== 2 || rows.some((row) => row.length !== 2 || row.some((gain) => !(Math.abs(gain) <= MOST)))) throw new SyntaxError(`game is two rows of two gains from -${MOST} to ${MOST}, such as 1 -1 / -1 1`);
  const [[a, b], [c, d]] = rows;
  const equal = (d - c) / (a - b - c + d); // the chance with which both answers win the same
  const bends = [0, ...(equal > 0 && equal < 1 ? [equal] : []), 1];
  const best = bends.reduce((found, p) => (secures(rows, p) > secures(rows, found) ? p : found));
  return { rows, bends, best, value: secures(rows, best), secured: Math.max(secures(rows, 0), secures(rows, 1)), conceded: Math.min(Math.max(a, c), Math.max(b, d)) };
}

/** What you win on average: you show heads with the chance p, the opponent shows that move. */
const wins = (rows, p, answer) => p * rows[0][answer] + (1 - p) * rows[1][answer];
const secures = (rows, p) => Math.min(wins(rows, p, 0), wins(rows, p, 1));

const chance = ({ p }) => clamp(p, 0, 1);
const signed = (value, digits = 2) => (Math.abs(value) < 0.5 / 10 ** digits ? (0).toFixed(digits) : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`);
const percent = (share) => `${Math.round(100 * share)} %`;
const whole = (gain) => (gain ? signed(gain, Number.isInteger(gain) ? 0 : 2) : "0");

/** Where the plot and the table of gains stand. */
function layout({ width, height, unit, size }) {
  const isSmall = size === "small";
  const hasTable = !isSmall || height > unit * 38; // beside the text of a phone the gains stand at the ends of the lines only
  const plotWidth = isSmall ? width - unit * 4 : width * 0.6 - unit * 3;
  const plotHeight = (isSmall && hasTable ? height * 0.58 : height) - unit * 4.6;
  const plot = { x: unit * 2.4, y: unit * 2.6, width: plotWidth, height: plotHeight };
  const room = isSmall ? { x: unit, y: plot.y + plotHeight + unit * 3, width: width - unit * 2, height: height - plot.y - plotHeight - unit * 3.2 } : { x: plot.x + plotWidth + unit * 2, y: unit * 2, width: width - plot.x - plotWidth - unit * 2.4, height: height - unit * 4 };
  return { plot, room: hasTable && room, px: (p) => plot.x + p * plotWidth, py: (gain) => plot.y + ((MOST - gain) / (2 * MOST)) * plotHeight };
}

function draw(state, model, box) {
  const { plot, room, px, py } = layout(box);
  return [s("g", { key: "plot" }, lines(state, model, box, { plot, px, py })), room && s("g", { key: "table" }, table(state, model, box, room))].filter(Boolean);
}

/** A line for each answer of the opponent: what you win, over your chance of heads. The lower one is what you secure. */
function lines(state, { rows, bends, best, value }, box, { plot, px, py }) {
  const { unit, ink } = box;
  const p = chance(state);
  const tones = [ink.accent, ink.o];
  const grid = [-MOST, 0, MOST].map((gain) => [
    s("line", { key: `g${gain}`, x1: px(0), x2: px(1), y1: py(gain), y2: py(gain), stroke: ink.line, "stroke-width": gain ? 1 : 2 }),
    label(box, px(0) - 5, py(gain) + unit * 0.3, whole(gain), { key: `t${gain}`, anchor: "end", size: unit * 0.75, colour: ink.soft }),
  ]);
  const answers = MOVES.map((move, answer) => [
    s("line", { key: `a${answer}`, x1: px(0), x2: px(1), y1: py(rows[1][answer]), y2: py(rows[0][answer]), stroke: tones[answer], "stroke-width": 2.5 }),
    label(box, px(answer), unit * 0.9, `if ${move} comes: ${signed(wins(rows, p, answer))}`, { key: `n${answer}`, anchor: answer ? "end" : "start", size: unit * 0.8, weight: 650, colour: tones[answer] }),
  ]);
  const handles = MOVES.flatMap((move, row) => MOVES.map((reply, answer) => {
    const gain = rows[row][answer];
    const slider = { "data-handle": `gain:${row}:${answer}`, class: "handle", role: "slider", "aria-orientation": "vertical", "aria-label": `Your gain if you show ${move} and the opponent ${reply}`, "aria-valuenow": gain, "aria-valuemin": -MOST, "aria-valuemax": MOST };
    return s("circle", { key: `h${row}${answer}`, ...slider, cx: px(1 - row), cy: py(gain), r: unit * 0.55, fill: ink.panel, stroke: tones[answer], "stroke-width": 3 });
  }));
  const now = secures(rows, p);
  return [
    grid,
    s("rect", { key: "frame", x: plot.x, y: plot.y, width: plot.width, height: plot.height, fill: "none", stroke: ink.line }),
    answers,
    s("path", { key: "floor", d: bends.map((each, i) => `${i ? "L" : "M"}${px(each).toFixed(1)} ${py(secures(rows, each)).toFixed(1)}`).join(""), fill: "none", stroke: ink.warn, "stroke-width": 6, "stroke-opacity": 0.45, "stroke-linejoin": "round" }),
    state.truth && [
      s("line", { key: "best", x1: px(best), x2: px(best), y1: plot.y, y2: plot.y + plot.height, stroke: ink.good, "stroke-width": 2, "stroke-dasharray": "5 4" }),
      label(box, clamp(px(best), px(0) + unit * 4.2, px(1) - unit * 4.2), py(value) - unit * 1.2, `best: ${percent(best)}, ${signed(value)}`, { key: "value", size: unit * 0.8, weight: 700, colour: ink.good }),
    ],
    s("line", { key: "now", x1: px(p), x2: px(p), y1: plot.y, y2: plot.y + plot.height, stroke: ink.ink, "stroke-width": 1.5, "stroke-dasharray": "3 3" }),
    s("g", { key: "handles" }, handles),
    s("circle", { key: "sure", "data-handle": "p", class: "handle", role: "slider", "aria-label": "Your chance of heads", "aria-valuenow": Math.round(100 * p), "aria-valuemin": 0, "aria-valuemax": 100, cx: px(p), cy: py(now), r: unit * 0.7, fill: ink.warn, stroke: ink.panel, "stroke-width": 3 }),
    label(box, clamp(px(p), px(0) + unit * 2.6, px(1) - unit * 2.6), py(now) + unit * 1.8, `sure of ${signed(now)}`, { key: "sum", size: unit * 0.85, weight: 700 }),
    label(box, px(0), plot.y + plot.height + unit * 1.1, "always tails", { key: "left", anchor: "start", size: unit * 0.75, colour: ink.soft }),
    label(box, px(1), plot.y + plot.height + unit * 1.1, "always heads", { key: "right", anchor: "end", size: unit * 0.75, colour: ink.soft }),
  ];
}

/** The gains, with the chances of your two moves. */
function table(state, { rows }, box, room) {
  const { unit, ink } = box;
  const p = chance(state);
  const names = unit * 4.4;
  const cell = clamp(Math.min((room.width - names) / 2, (room.height - unit * 4.4) / 2), unit * 2, unit * 5);
  const [left, top] = [room.x + names, room.y + unit * 2.6];
  const tones = [ink.accent, ink.o];
  return [
    label(box, left + cell, room.y + unit * 0.6, "the opponent shows", { key: "they", size: unit * 0.75, colour: ink.soft }),
    MOVES.map((move, answer) => label(box, left + cell * (answer + 0.5), room.y + unit * 1.9, move, { key: `c${answer}`, size: unit * 0.85, weight: 650, colour: tones[answer] })),
    MOVES.map((move, row) => s(
      "g",
      { key: move },
      label(box, left - unit * 0.5, top + cell * (row + 0.5), move, { key: `r${row}`, anchor: "end", size: unit * 0.85, weight: 650 }),
      label(box, left - unit * 0.5, top + cell * (row + 0.5) + unit * 1.05, percent(row ? 1 - p : p), { key: `p${row}`, anchor: "end", size: unit * 0.75, colour: ink.soft }),
      rows[row].map((gain, answer) => [
        s("rect", { key: `q${row}${answer}`, x: left + cell * answer, y: top + cell * row, width: cell, height: cell, fill: gain > 0 ? ink.goodSoft : gain < 0 ? ink.badSoft : ink.panel, stroke: ink.line }),
        label(box, left + cell * (answer + 0.5), top + cell * (row + 0.5) + unit * 0.4, whole(gain), { key: `v${row}${answer}`, size: unit * 1.1, weight: 650, halo: null }),
      ]),
    )),
    label(box, left + cell, top + cell * 2 + unit * 1.2, "what you win", { key: "you", size: unit * 0.75, colour: ink.soft }),
  ];
}

/** The game with another gain in one place. */
function withGain({ game }, id, by) {
  const { rows } = think({ game });
  const [, row, answer] = id.split(":").map(Number);
  rows[row][answer] = clamp(Math.round((rows[row][answer] + by) * 2) / 2, -MOST, MOST);
  return { game: rows.map((each) => each.join(" ")).join(" / ") };
}

const withChance = (state, by) => ({ p: Math.round(100 * clamp(chance(state) + by, 0, 1)) / 100 });

export default {
  name: "mixture",
  title: "How often heads?",
  start: { game: "1 -1 / -1 1", p: 1, truth: false },
  depends: ["game"],
  think,
  facts: (state, { rows, best, value, secured, conceded }) => {
    const p = chance(state);
    return { p, sure: secures(rows, p), "against.heads": wins(rows, p, 0), "against.tails": wins(rows, p, 1), best, value, secured, conceded, gap: conceded - secured };
  },
  sentence: (state, { rows, best, value }) => {
    const p = chance(state);
    const [heads, tails] = [wins(rows, p, 0), wins(rows, p, 1)];
    const answer = Math.abs(heads - tails) < 0.005 ? "both answers win the same" : `an opponent who knows it shows ${heads < tails ? "heads" : "tails"}`;
    return `Heads in ${percent(p)} of the games: ${answer}, and you are sure of ${signed(secures(rows, p))} a game.${state.truth ? ` No mixture is sure of more than ${signed(value)}, at ${percent(best)} heads.` : ""}`;
  },
  draw,
  drag: (id, before, model, { x, y, from }, box) => {
    const { plot } = layout(box);
    if (id === "p") return withChance(before, (x - from.x) / plot.width);
    return withGain(before, id, ((from.y - y) / plot.height) * 2 * MOST);
  },
  nudge: (id, by, state) => (id === "p" ? withChance(state, by / 100) : withGain(state, id, by / 2)),
  controls: (state) => [
    { kind: "range", name: "p", label: "Chance of heads", min: 0, max: 1, step: 0.01, value: chance(state), text: percent(chance(state)) },
    { kind: "switch", name: "truth", label: "Show the best", value: state.truth },
    { kind: "choice", name: "game", label: "Game", options: [["1 -1 / -1 1", "Pennies"], ["2 -1 / -1 1", "Heads win two"], ["1 0 / -1 -2", "No need to mix"]], value: state.game },
  ],
};
