/** The drawing of a typed tree: MAX is a triangle that points up, MIN one that points down, a leaf is a bar to drag. */

import { s } from "../frame/vnode.js";
import { known, number } from "../think/teller.js";
import { CUT, RESULT, RETURN } from "../think/alpha_beta.js";
import { leavesOf } from "../think/hand_tree.js";
import { clamp, label } from "./shared.js";
import { layoutOf } from "./tree_layout.js";

/** Of every node what is known at a step: `ahead`, `open`, `done` or `cut`. */
function statesAt(model, step) {
  const states = new Map();
  for (const { node, parent } of model.all) {
    const entered = model.entered.get(node.number);
    const cutAt = model.cutAt.get(node.number) ?? Infinity;
    if (states.get(parent?.number) === "cut" || cutAt <= step) states.set(node.number, "cut");
    else if (!entered || entered.opened > step) states.set(node.number, "ahead");
    else states.set(node.number, entered.closed <= step ? "done" : "open");
  }
  return states;
}

export function drawTree(state, model, box, step) {
  const place = layoutOf(model, box, state);
  const isEnd = step === model.search.steps.length - 1;
  const scene = { state, model, box, place, step, isEnd, states: statesAt(model, step), now: isEnd ? null : model.search.nodes[model.search.steps[step].node] };
  const inner = model.all.filter(({ node }) => node.children);
  return [
    s("g", { key: "rows" }, rows(scene, inner)),
    s("g", { key: "edges" }, model.all.filter(({ parent }) => parent).map((each) => edge(scene, each))),
    s("g", { key: "bars" }, model.leaves.map((leaf) => bar(scene, leaf))),
    s("g", { key: "bounds" }, bounds(scene)),
    s("g", { key: "values" }, model.leaves.map((leaf) => barValue(scene, leaf))),
    s("g", { key: "nodes" }, inner.map((each) => triangle(scene, each))),
    s("g", { key: "why" }, why(scene)),
    s("g", { key: "sides" }, cornerNames(scene, inner)),
  ];
}

const isMax = ({ tree }, depth) => (depth % 2 === 0) === tree.first > 0;

function rows({ model, box, place }, inner) {
  const { ink, unit } = box;
  const depths = [...new Set(inner.map(({ depth }) => depth))];
  return depths.map((depth) => {
    const y = place.top + depth * place.rowHeight;
    const max = isMax(model, depth);
    return [
      s("rect", { key: `row${depth}`, x: 0, y: y - place.radius * 1.45, width: box.width, height: place.radius * 2.9, rx: 8, fill: max ? ink.maxBand : ink.minBand }),
      box.size !== "small" && sideName(box, 8, y + unit * 0.3, depth, max),
    ];
  });
}

const sideName = (box, x, y, depth, max) => label(box, x, y, max ? "MAX" : "MIN", { key: `side${depth}`, anchor: "start", weight: 700, size: box.unit * 0.85, colour: max ? box.ink.accent : box.ink.o, halo: box.size === "small" ? undefined : null });

/** On a phone there is no room beside the nodes: the names of the rows stand in their corners, above the lines. */
function cornerNames({ model, box, place }, inner) {
  if (box.size !== "small") return [];
  return [...new Set(inner.map(({ depth }) => depth))].map((depth) => sideName(box, 3, Math.max(box.unit * 0.85, place.top + depth * place.rowHeight - place.radius * 1.45 + box.unit * 0.75), depth, isMax(model, depth)));
}

function edge({ state, model, box, place, states, isEnd }, { node, parent }) {
  const { ink, unit } = box;
  const [from, to] = [place.at.get(parent.number), place.at.get(node.number)];
  const [y1, y2] = [from.y + place.radius * 0.85, node.children ? to.y - place.radius * 0.85 : to.y - unit * 1.5];
  const isLine = isEnd && model.onLine.has(node.number);
  const look = {
    ahead: { stroke: ink.even, "stroke-opacity": 0.5, "stroke-dasharray": "2 3" },
    open: { stroke: ink.accent, "stroke-width": 3 },
    done: { stroke: ink.even, "stroke-width": 1.5 },
    cut: { stroke: ink.cut, "stroke-opacity": 0.6, "stroke-dasharray": "2 3" },
  }[states.get(node.number)];
  const line = s("line", { key: `e${node.number}`, x1: from.x, y1, x2: to.x, y2, ...look, ...(isLine ? { stroke: ink.goodFill, "stroke-width": 5 } : {}) });
  if (!model.cutAt.has(node.number) || states.get(node.number) !== "cut" || states.get(parent.number) === "cut") return line;
  const [x, y, r] = [from.x + (to.x - from.x) * 0.6, y1 + (y2 - y1) * 0.6, unit * 0.5];
  return [line, s("path", { key: `x${node.number}`, d: `M${x - r} ${y + r * 0.6}L${x + r} ${y - r * 0.6}`, stroke: ink.cut, "stroke-width": 3, "stroke-linecap": "round" })];
}

function bar({ state, box, place, states, now, model }, leaf) {
  const { ink, unit, size } = box;
  const { x, y } = place.at.get(leaf.number);
  const { base, barWidth, step: room } = place;
  const what = states.get(leaf.number);
  const isNow = now && now === model.entered.get(leaf.number);
  const look = {
    ahead: { fill: ink.accent, "fill-opacity": 0.28 },
    open: { fill: ink.accent },
    done: { fill: ink.accent },
    cut: { fill: ink.panel, "fill-opacity": 0.4, stroke: ink.cut, "stroke-dasharray": "3 3" },
  }[what];
  const slider = {
    "data-handle": `leaf:${leaf.number}`, role: "slider", "aria-orientation": "vertical",
    "aria-label": `Leaf ${leaf.name}${what === "cut" ? ", left out" : ""}`, "aria-valuenow": leaf.value, "aria-valuemin": state.low, "aria-valuemax": state.high,
  };
  const named = size === "small" && room < 24 ? (what === "cut" ? "✂" : "") : leaf.name;
  return s(
    "g",
    { key: `l${leaf.number}`, class: "handle", ...slider },
    s("rect", { x: x - room / 2, y: base - place.barsHeight, width: room, height: place.barsHeight + unit * 1.5, fill: ink.panel, "fill-opacity": 0 }),
    s("rect", { x: x - barWidth / 2, y, width: barWidth, height: base - y, rx: 3, ...look, ...(isNow ? { stroke: ink.warn, "stroke-width": 4 } : {}) }),
    s("rect", { x: x - barWidth / 2 - 2, y: y - 3, width: barWidth + 4, height: 6, rx: 3, fill: what === "cut" ? ink.cut : ink.ink, "fill-opacity": what === "ahead" || what === "cut" ? 0.5 : 0.85 }),
    named && label(box, x, base + unit * 1.15, named, { size: Math.min(unit * 0.7, room * 0.42), colour: what === "cut" ? ink.cut : ink.soft }),
  );
}

function barValue({ box, place, states }, leaf) {
  const { x, y } = place.at.get(leaf.number);
  const what = states.get(leaf.number);
  return label(box, x, y - box.unit * 0.5, number(leaf.value), { key: `v${leaf.number}`, size: clamp(place.step * 0.5, 10, box.unit * 1.05), weight: what === "cut" ? 400 : 650, colour: what === "cut" || what === "ahead" ? box.ink.soft : box.ink.ink, "stroke-width": 5, class: "through" });
}

function triangle({ model, box, place, step, states, now, isEnd }, { node, depth }) {
  const { ink, unit, size } = box;
  const { x, y } = place.at.get(node.number);
  const r = place.radius;
  const max = isMax(model, depth);
  const what = states.get(node.number);
  const entered = model.entered.get(node.number);
  const colour = max ? ink.accent : ink.o;
  const look = {
    ahead: { fill: ink.panel, "fill-opacity": 0.6, stroke: colour, "stroke-opacity": 0.45, "stroke-dasharray": "2 3" },
    open: { fill: ink.panel, stroke: colour, "stroke-width": 3 },
    done: { fill: ink.panel, stroke: colour, "stroke-width": 2 },
    cut: { fill: ink.panel, "fill-opacity": 0.4, stroke: ink.cut, "stroke-opacity": 0.6, "stroke-dasharray": "2 3" },
  }[what];
  const isNow = now && entered === now;
  const isLine = isEnd && (node.number === 0 || model.onLine.has(node.number));
  const point = max ? 1 : -1;
  const d = `M${x} ${y - point * r * 1.1}L${x + r * 1.3} ${y + point * r * 0.85}H${x - r * 1.3}Z`;
  const best = what === "open" ? model.bestAt(entered, step) : null;
  const text = what === "done" ? known(entered) : best !== null ? `${number(best)} …` : "";
  const wide = box.width / model.all.filter((each) => each.depth === depth).length;
  const isTight = r < unit * 1.4; // the name ends beside the tip
  const parts = [
    s("path", { key: `n${node.number}`, d, "stroke-linejoin": "round", ...look, ...(isNow ? { stroke: ink.warn, "stroke-width": Math.min(5, r * 0.25) } : {}), ...(isLine ? { stroke: ink.goodFill, "stroke-width": 4 } : {}) }),
    label(box, x, y + (max ? r * 0.58 : -r * 0.08), text, { key: `t${node.number}`, size: clamp(text.length > 2 ? r * 0.62 : r * 0.85, 9, 26), weight: 700, colour: what === "done" ? ink.ink : ink.soft }),
    node.name && wide > 40 && label(box, x - r * (isTight ? 0.55 : max ? 1.3 : 1.05), y + r * (max ? -0.4 : 0.85), node.name, { key: `m${node.number}`, size: unit * 0.72, colour: ink.soft, halo: null, ...(isTight ? { anchor: "end" } : {}) }),
  ];
  if (what === "open" && model.pruning && !isEnd && (size !== "small" || isNow || wide > 90)) parts.push(window(entered));
  return parts;

  /** α and β of a node that is open. */
  function window(open) {
    const { alpha, beta } = model.windowAt(open, step);
    const tight = wide < unit * 11;
    return label(box, tight ? x : x + r * 1.5, tight ? y - r * 1.25 : y - r * 0.15, `α ${number(alpha)}  β ${number(beta)}`, { key: `w${node.number}`, size: unit * 0.74, weight: 650, anchor: tight ? "middle" : "start", colour: alpha >= beta ? ink.cut : colour });
  }
}

/** α and β of the running node as lines across the bars that they judge; at the end those with which nodes above bars were entered. */
function bounds(scene) {
  const { model, now, step, isEnd } = scene;
  if (!model.pruning) return [];
  const { nodes, steps } = model.search;
  if (!isEnd) {
    const judge = steps[step].kind === RESULT ? nodes[now.parent] : now;
    return lines(scene, judge, model.windowAt(judge, step));
  }
  const judges = model.depth === 2 ? nodes.filter((node) => node.parent === 0 && model.byNumber.get(node.move).children) : [];
  return judges.map((judge) => lines(scene, judge, steps[judge.opened]));
}

function lines({ model, box, place }, judge, { alpha, beta }) {
  const { ink, unit } = box;
  const below = leavesOf(model.byNumber.get(Math.max(0, judge.move))).map((leaf) => place.at.get(leaf.number).x);
  const [x1, x2] = [Math.min(...below) - place.step / 2, Math.max(...below) + place.step / 2];
  return [["α", alpha, ink.accent], ["β", beta, ink.o]].filter(([, value]) => Number.isFinite(value)).map(([name, value, colour]) => {
    const y = place.barTop(value);
    const stroke = alpha >= beta ? ink.cut : colour;
    const atLeft = name === "α";
    const isFree = atLeft ? x1 > unit * 3 : x2 < box.width - unit * 3;
    const isTight = place.step - place.barWidth < unit * 4; // beside the line stands another bar
    const outside = isFree && !isTight;
    // Outside of the bars; above the end of the line where that is a gap; else behind the first or before the last bar.
    const under = alpha >= beta && !atLeft && y + unit < place.base; // the line of α is above
    const away = outside ? -4 : isFree ? 0 : place.step;
    const x = atLeft ? x1 + away : x2 - away;
    return [
      s("line", { key: `b${name}${judge.move}`, x1, x2, y1: y, y2: y, stroke, "stroke-width": 2.5, "stroke-dasharray": "7 4" }),
      label(box, x, outside ? y + unit * 0.3 : under ? y + unit * 0.9 : y - 5, `${name} ${number(value)}`, { key: `bn${name}${judge.move}`, size: unit * 0.85, weight: 700, colour: stroke, anchor: !outside ? "middle" : atLeft ? "end" : "start" }),
    ];
  });
}

/** From a cut to the move that its bound came from. */
function why({ model, box, place, step, isEnd }) {
  const { steps, cuts, nodes } = model.search;
  const at = steps[step].kind === CUT ? step : steps[step].kind === RETURN && cuts.has(step - 1) ? step - 1 : -1;
  if (isEnd || at < 0) return [];
  const { from } = cuts.get(at);
  if (from < 0) return [];
  const owner = nodes[from];
  const giver = owner.known.findLast((child) => child.closed <= at && child.value === (owner.side > 0 ? steps[at].alpha : steps[at].beta)) ?? owner;
  const [a, b] = [place.at.get(Math.max(0, nodes[steps[at].node].move)), place.at.get(Math.max(0, giver.move))];
  const r = place.radius;
  const bend = Math.min(box.height * 0.2, Math.abs(a.x - b.x) * 0.25 + box.unit * 1.5);
  const [x2, y2] = [b.x + Math.sign(a.x - b.x) * r * 1.2, b.y - r * 0.4];
  const [x1, y1] = [a.x + Math.sign(b.x - a.x) * r * 0.3, a.y - r];
  const [cx, cy] = [x2 + (a.x - b.x) * 0.25, y2 - bend * 0.8];
  const angle = Math.atan2(y2 - cy, x2 - cx);
  const tip = (turn) => `${x2 - Math.cos(angle + turn) * box.unit * 0.8} ${y2 - Math.sin(angle + turn) * box.unit * 0.8}`;
  const look = { stroke: box.ink.cut, "stroke-width": 2.5, fill: "none" };
  return [
    s("path", { key: "why", d: `M${x1} ${y1}C${x1} ${y1 - bend} ${cx} ${cy} ${x2} ${y2}`, "stroke-dasharray": "6 4", ...look }),
    s("path", { key: "tip", d: `M${tip(0.45)}L${x2} ${y2}L${tip(-0.45)}`, ...look }),
  ];
}
