/** Standings with bars, and the crosstable. */

import { $, h, svg } from "../js/base/dom.js";

const whole = (number) => `${Math.round(number) >= 0 ? "+" : "−"}${Math.abs(Math.round(number))}`;

/** `pages` maps players to the address of their page, once there is one. */
export function showStandings(table, pages = new Map()) {
  const ends = table.players.flatMap(({ rating, interval }) => [rating, ...(interval ?? [])]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const along = (value) => (high - low > 1 ? (94 * (value - low)) / (high - low) + 3 : 50);
  $("#standings tbody").replaceChildren(...table.players.map((player) => row(player, along, pages.get(player.name))));
  const first = `The first move is worth ${whole(table.first_move)} Elo.`;
  const zero = table.anchor ? `${table.anchor} has rating 0.` : "The mean of all ratings is 0.";
  $("#scale").textContent = `${leading(table)} ${zero} ${first}`;
  showCrosstable(table);
}

/** Who leads, if the intervals say so. */
export function leading(table) {
  if (!table) return "";
  return table.leader ? `${table.leader} leads: its interval lies above all others.` : "No player leads: no interval lies above all others.";
}

function row(player, along, page) {
  const { place, name, rating, interval, points, games, seconds_per_move: seconds } = player;
  const said = interval ? `${whole(interval[0])} to ${whole(interval[1])}` : "not known yet";
  return h(
    "tr",
    {},
    h("td", { text: place }),
    h("th", { scope: "row", class: "text" }, page ? h("a", { href: page, title: "Who beat it, and how", text: name }) : name),
    h("td", { text: whole(rating) }),
    h("td", { class: "wide-bar" }, bar(along, rating, interval, said)),
    h("td", { text: points }),
    h("td", { text: games }),
    h("td", { text: (1000 * seconds).toFixed(seconds < 0.01 ? 1 : 0) }),
  );
}

function bar(along, rating, interval, said) {
  const parts = [svg("rect", { x: 0, y: 5, width: along(rating), height: 10 })];
  if (interval) {
    const [a, b] = interval.map(along);
    const line = (x1, y1, x2, y2) => svg("line", { x1, y1, x2, y2 });
    parts.push(line(a, 10, b, 10), line(a, 6, a, 14), line(b, 6, b, 14));
  }
  return svg("svg", { viewBox: "0 0 100 20", preserveAspectRatio: "none", role: "img", "aria-label": said }, ...parts);
}

function showCrosstable({ players, crosstable }) {
  const points = new Map();
  for (const { players: pair, won, drawn, lost, games } of crosstable) {
    points.set(pair.join("\n"), [won + drawn / 2, games]);
    points.set(pair.toReversed().join("\n"), [lost + drawn / 2, games]);
  }
  const heads = players.map(({ rank }) => h("th", { scope: "col", text: rank }));
  $("#crosstable thead").replaceChildren(h("tr", {}, h("th", { scope: "col", class: "text", text: "points against" }), ...heads));
  $("#crosstable tbody").replaceChildren(
    ...players.map((mine) =>
      h(
        "tr",
        {},
        h("th", { scope: "row", class: "text", text: `${mine.rank} ${mine.name}` }),
        ...players.map((other) => {
          const [made, games] = points.get(`${mine.name}\n${other.name}`) ?? [0, 0];
          if (!games) return h("td", { text: "·" });
          const share = made / games;
          return h("td", { text: `${made}/${games}`, class: share < 0.5 && "low", vars: { "--far": Math.abs(2 * share - 1) } });
        }),
      ),
    ),
  );
}
