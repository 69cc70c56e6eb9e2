/** Compares the searches of the figures with recordings of the toolkit; runs inside a page. Returns what differs. */

const at = (path) => `/static/figures/${path}`;
const number = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value / 1000);
const text = (value) => JSON.stringify(value, (_, each) => (typeof each === "number" ? (Number.isFinite(each) ? Math.round(each * 1e9) / 1e9 + 0 : String(each)) : each));

/** The first difference of two lists of named columns, or null. */
function difference(mine, theirs) {
  for (const name of Object.keys(theirs)) if (text(mine[name]) !== text(theirs[name])) return { name, mine: text(mine[name])?.slice(0, 400), theirs: text(theirs[name])?.slice(0, 400) };
  return null;
}

async function alphaBeta({ tree, position, pruning, memory, trace, lines }) {
  const { searched } = await import(at("think/alpha_beta.js"));
  const { readTree, TreeGame } = await import(at("think/hand_tree.js"));
  const { TicTacToe } = await import(at("think/tictactoe.js"));
  const { teller, theEnd } = await import(at("think/teller.js"));
  const game = tree ? new TreeGame(readTree(tree)) : new TicTacToe(position);
  const search = searched(game, { pruning, memory });
  const values = trace.values.map(number);
  const of = (places) => places.map((place) => values[place]);
  const { nodes, steps, cuts, hits } = search;
  const kinds = steps.map(({ kind }) => kind).join("");
  const tell = teller(game, search, { pruning });
  return difference(
    {
      kinds,
      args: steps.flatMap(({ kind, alpha, beta, value }) => (kind === "N" ? [alpha, beta] : "VHBbWR".includes(kind) ? [value] : [])),
      move: nodes.map(({ move }) => move),
      side: nodes.map(({ side }) => (side > 0 ? "X" : "O")).join(""),
      lo: nodes.map(({ lo }) => lo),
      hi: nodes.map(({ hi }) => hi),
      cuts: [...cuts].map(([step, { from, left, saved, how }]) => [String(step), from, left, saved, how]),
      hits: [...hits].map(([step, { twin }]) => [String(step), twin]),
      plain: search.plain,
      nodes: nodes.length,
      line: search.line,
      lines: [...steps.keys()].map(tell).concat(theEnd(game, search)),
    },
    {
      kinds: trace.events.kind,
      args: of(trace.events.args),
      move: trace.nodes.move,
      side: trace.nodes.side,
      lo: of(trace.nodes.lo),
      hi: of(trace.nodes.hi),
      cuts: Object.entries(trace.cuts).map(([step, { from, left, saved, how }]) => [step, from, left, saved, how]),
      hits: Object.entries(trace.hits).map(([step, { twin }]) => [step, twin]),
      plain: trace.answer.plain,
      nodes: trace.answer.nodes,
      ...(memory ? {} : { line: trace.answer.line }),
      lines: memory ? lines.slice(0, -1).concat(theEnd(game, search)) : lines,
    },
  );
}

const CHECKS = { alphaBeta };

export async function differences(cases) {
  const found = [];
  for (const each of cases) {
    const differs = await CHECKS[each.check](each);
    if (differs) found.push({ check: each.check, case: text({ ...each, trace: 0, lines: 0 }), ...differs });
  }
  return found;
}
