/** Compares the searches of the figures with recordings of the toolkit; runs inside a page. Returns what differs. */

const at = (path) => `/static/figures/${path}`;
const number = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value / 1000);
const text = (value) => JSON.stringify(value, (_, each) => (typeof each === "number" ? (Number.isFinite(each) ? Math.round(each * 1e9) / 1e9 + 0 : String(each)) : each));

/** The first difference of two lists of named columns, or null. */
function difference(mine, theirs) {
  for (const name of Object.keys(theirs)) if (text(mine[name]) !== text(theirs[name])) return { name, mine: text(mine[name])?.slice(0, 400), theirs: text(theirs[name])?.slice(0, 400) };
  return null;
}

async function alphaBeta({ tree, game: name, position, pruning, memory, trace, lines }) {
  const { searched } = await import(at("think/alpha_beta.js"));
  const { readTree, TreeGame } = await import(at("think/hand_tree.js"));
  const { TicTacToe } = await import(at("think/tictactoe.js"));
  const { ConnectFour } = await import(at("think/connect_four.js"));
  const { teller, theEnd } = await import(at("think/teller.js"));
  const game = tree ? new TreeGame(readTree(tree)) : new (name ? ConnectFour : TicTacToe)(position);
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

async function graph({ position, trace }) {
  const { ConnectFour } = await import(at("think/connect_four.js"));
  const { unfolded } = await import(at("think/unfolded.js"));
  const counts = (mirrored) => unfolded(new ConnectFour(position), { mirrored }).rows.map(({ nodes, groups }) => [nodes.length, groups.size]);
  return difference({ all: counts(false), mirrored: counts(true) }, trace);
}

async function bandit({ arms, policy, seed, c, trace }) {
  const { played } = await import(at("think/bandits.js"));
  const run = played(arms, policy, { seed, c, pulls: trace.pulls.length });
  const rounded = run.regret.map((each) => Math.round(each * 1e6) / 1e6);
  return difference(
    { arm: run.arm, paid: run.paid, regret: rounded },
    { arm: trace.pulls.map(([arm]) => arm), paid: trace.pulls.map(([, paid]) => paid), regret: trace.pulls.map(([, , regret]) => regret) },
  );
}

async function uct({ position, c, seed, proofs, trace }) {
  const { Uct } = await import(at("think/uct.js"));
  const tree = new Uct(position, { c, seed, proofs }).growTo(trace.answer.simulations);
  const { visits, total } = tree.tally(trace.answer.simulations);
  const own = tree.nodes.map((node) => [node.visits, node.total]);
  return difference(
    { move: tree.nodes.map(({ move }) => move), parent: tree.nodes.map(({ parent }) => parent?.number ?? -1), paths: tree.paths, results: tree.results, tally: proofs ? 0 : own },
    { move: trace.nodes.move, parent: trace.nodes.parent, paths: trace.simulations.map(([path]) => path), results: trace.simulations.map((each) => each[3]), tally: proofs ? 0 : [...visits].map((count, i) => [count, total[i]]) },
  );
}

async function puct({ position, c, generation, proofs, own = null, trace }) {
  const { Puct } = await import(at("think/puct.js"));
  const tree = new Puct(position, { c, generation, proofs, own }).growTo(trace.simulations);
  const grown = ({ move, visits, total, prior, children }) => [move < 0 ? null : move, visits, total, move < 0 ? null : prior, children.map(grown)];
  return difference({ simulations: tree.paths.length, tree: grown(tree.root) }, trace);
}

async function random({ seed, drawn }) {
  const { PythonRandom } = await import(at("think/python_random.js"));
  const chance = new PythonRandom(seed);
  const list = [...Array(20).keys()];
  return difference({ drawn: [chance.random(), chance.below(7), chance.below(1000), chance.choice(list), chance.shuffle(list), chance.random()] }, { drawn });
}

async function sweeps({ discount, trace }) {
  const { allPositions, swept } = await import(at("think/sweeps.js"));
  const positions = allPositions();
  const found = swept(positions, discount).slice(1);
  return difference(
    { positions: positions.map(({ x, o }) => [x, o]), changed: found.map(({ changed }) => changed), values: found.map(({ values }) => [...values]) },
    trace,
  );
}

async function gridworld({ rewards, world, trace }) {
  const { LETTERS, MAP, sweptWorld, wayOf } = await import(at("think/gridworld.js"));
  const found = sweptWorld(rewards, world).slice(1);
  const inside = (list) => list.filter((_, cell) => LETTERS[cell] !== "#");
  return difference(
    { rows: MAP, changed: found.map(({ changed }) => changed), values: found.map(({ values }) => inside(values)), best: found.map(({ best }) => inside(best)), ways: found.map(({ best }) => wayOf(best)) },
    trace,
  );
}

async function threats({ position, trace }) {
  const { threatSearch } = await import(at("think/threats.js"));
  return searchDifference(threatSearch(position), trace);
}

async function proof({ tree, position, target, trace }) {
  const { ProofSearch } = await import(at("think/proof_numbers.js"));
  const { readTree } = await import(at("think/hand_tree.js"));
  const { TicTacToe } = await import(at("think/tictactoe.js"));
  let search;
  if (tree) {
    const { root, first } = readTree(tree);
    search = new ProofSearch(root, { isOr: first > 0, target, childrenOf: (node) => node.children ?? [], scoreOf: (node) => node.value ?? null });
  } else {
    const after = (game, move) => (game.play(move), game);
    search = new ProofSearch(new TicTacToe(position), { isOr: position.endsWith("x"), target, childrenOf: (game) => game.moves.map((move) => after(game.copy(), move)), scoreOf: (game) => game.result });
  }
  return searchDifference(search, trace);
}

async function searchDifference(search, trace) {
  const { answerOf, proofTree } = await import(at("think/proof_numbers.js"));
  search.run(trace.steps.length + 1);
  return difference(
    { steps: search.steps.map(({ expanded, proof, disproof }) => [expanded.number, text(proof), text(disproof)]), answer: answerOf(search.root), nodes: search.nodes.length, proof: proofTree(search.root).map(({ number }) => number) },
    { ...trace, steps: trace.steps.map(([number, proof, disproof]) => [number, text(proof === "inf" ? Infinity : proof), text(disproof === "inf" ? Infinity : disproof)]) },
  );
}

const CHECKS = { alphaBeta, graph, bandit, uct, puct, random, sweeps, gridworld, proof, threats };

export async function differences(cases) {
  const found = [];
  for (const each of cases) {
    const differs = await CHECKS[each.check](each);
    if (differs) found.push({ check: each.check, case: text({ ...each, trace: 0, lines: 0 }), ...differs });
  }
  return found;
}
