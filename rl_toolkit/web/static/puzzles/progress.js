/** The panel of progress: rating, what is due, a plot, and the themes. */

import { $, h, svg } from "../js/base/dom.js";
import { counted, share } from "../js/base/format.js";
import { line, linear } from "../js/base/chart.js";

const [WIDTH, HEIGHT, MARGIN] = [300, 70, 8];

/** Draw an answer of /api/puzzles/progress for one game. */
export function drawProgress({ games, themes, days }, game) {
  const standing = games[game];
  $("#standing").textContent = standing ? sentence(standing, days) : "Solve a puzzle, and your rating appears here.";
  plot(standing?.history ?? []);
  $("#themes tbody").replaceChildren(
    ...Object.values(themes).map(({ theme, tried, solved }) =>
      h("tr", {}, h("th", { scope: "row", text: theme }), h("td", { text: tried }), h("td", { text: share(solved / tried) })),
    ),
  );
}

function sentence({ rating, deviation, rated, due, solved, tried, best_run: best }, days) {
  const parts = [];
  if (rated) parts.push(`Rating ${rating} ± ${deviation}.`);
  parts.push(`${solved} of ${counted(tried, "puzzle")} solved, at best ${best} in a row.`);
  if (due) parts.push(`${counted(due, "puzzle")} ${due === 1 ? "comes" : "come"} back now.`);
  if (days) parts.push(`${counted(days, "day")} in a row.`);
  return parts.join(" ");
}

function plot(history) {
  const picture = $("#plot");
  picture.hidden = history.length < 2;
  if (picture.hidden) return;
  const ratings = history.map(([, rating]) => rating);
  const [low, high] = [Math.min(...ratings) - 10, Math.max(...ratings) + 10];
  const x = linear([0, history.length - 1], [MARGIN, WIDTH - 40]);
  const y = linear([low, high], [HEIGHT - MARGIN, MARGIN]);
  const points = ratings.map((rating, k) => [x(k), y(rating)]);
  const last = points.at(-1);
  picture.replaceChildren(
    svg("path", { class: "curve", d: line(points) }),
    svg("circle", { class: "dot", cx: last[0], cy: last[1], r: 3 }),
    svg("text", { x: last[0] + 7, y: last[1] + 4 }, String(ratings.at(-1))),
  );
  picture.setAttribute("aria-label", `Your rating over time: from ${ratings[0]} to ${ratings.at(-1)}`);
}
