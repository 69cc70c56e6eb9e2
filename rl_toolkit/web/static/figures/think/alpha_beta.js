/**
 * Minimax with alpha-beta and a table, event by event: the twin of `rl_toolkit.algorithms.traces.trace_search`.
 *
 *     const search = searched(new TreeGame(readTree("(3 12 8) (2 4 6)")), { pruning: true });
 *
 * All scores are for MAX. `steps` are the events in order, each with its `kind` (the letters of `traces.events`),
 * `node`, `value`, and the window and best value of that node. `nodes` are numbered as they are entered.
 */

const [EXACT, LOWER, UPPER] = [0, 1, 2];
export const [ENTER_WITH, ENTER, RESULT, HIT, BETTER, SOFT, WORSE, CUT, RETURN] = "NEVHBbWCR";

export function searched(game, { pruning = true, memory = false } = {}) {
  const nodes = [];
  const steps = [];
  const cuts = new Map(); // by number of the step
  const hits = new Map();
  const table = new Map();
  const path = [];
  const count = counter(game);

  function tell(kind, here, value = null) {
    steps.push({ kind, node: here.number, value, alpha: here.alpha, beta: here.beta, best: here.best });
    return steps.length - 1;
  }

  function enter(move, alpha, beta) {
    const above = path.at(-1);
    const here = { number: nodes.length, move, side: game.side, key: game.key, parent: above?.number ?? -1, ply: path.length, alpha, beta };
    Object.assign(here, { alphaFrom: -1, betaFrom: -1, best: null, bestMove: -1, value: null, lo: -Infinity, hi: Infinity, known: [] });
    if (alpha === above?.alpha) here.alphaFrom = above.alphaFrom;
    if (beta === above?.beta) here.betaFrom = above.betaFrom;
    nodes.push(here);
    path.push(here);
    here.opened = tell(alpha === above?.alpha && beta === above?.beta ? ENTER : ENTER_WITH, here);
    return here;
  }

  function leave(here, kind, value, [lo, hi]) {
    here.closed = tell(kind, here, value);
    // A bound at the best result of a side is that result, where results are −1, 0 and 1.
    if (!game.isTyped && lo !== hi) {
      if (lo >= 1) hi = lo;
      else if (hi <= -1) lo = hi;
    }
    Object.assign(here, { value, lo, hi });
    path.pop();
    return here;
  }

  function visit(move, alpha, beta) {
    const here = enter(move, alpha, beta);
    const { result } = game;
    if (result !== null) return leave(here, RESULT, result, [result, result]);
    if (memory) {
      const entry = table.get(here.key);
      if (entry && (entry.bound === EXACT || (entry.bound === LOWER ? entry.value >= beta : entry.value <= alpha))) {
        hits.set(steps.length, { twin: entry.node });
        here.isBound = entry.bound !== EXACT;
        return leave(here, HIT, entry.value, between(entry));
      }
    }
    const { moves } = game;
    for (const [tried, each] of moves.entries()) {
      game.play(each);
      const child = pruning ? visit(each, here.alpha, here.beta) : visit(each, -Infinity, Infinity);
      game.undo();
      here.known.push(child);
      offer(here, child);
      if (pruning && here.alpha >= here.beta) {
        cut(here, child, moves.slice(tried + 1));
        break;
      }
    }
    const value = here.best;
    if (memory) table.set(here.key, { value, bound: value <= alpha ? UPPER : value >= beta ? LOWER : EXACT, node: here.number });
    return leave(here, RETURN, value, ofChildren(here, here.known.length === moves.length));
  }

  /** A child has come back with its value. */
  function offer(here, { value, move }) {
    const { side, best } = here;
    if (best !== null && (side > 0 ? value <= best : value >= best)) {
      tell(WORSE, here, value);
      return;
    }
    here.best = value;
    here.bestMove = move;
    const isIn = side > 0 ? value > here.alpha : value < here.beta;
    if (pruning && isIn && side > 0) [here.alpha, here.alphaFrom] = [value, here.number];
    if (pruning && isIn && side < 0) [here.beta, here.betaFrom] = [value, here.number];
    tell(isIn || !pruning ? BETTER : SOFT, here, value);
  }

  function cut(here, child, left) {
    if (!left.length) return;
    const from = here.side > 0 ? here.betaFrom : here.alphaFrom;
    const saved = left.map((move) => count.after(move));
    const how = [here.alpha === here.beta && "tie", child.isBound && child.lo !== child.hi && "table"].filter(Boolean);
    cuts.set(tell(CUT, here, here.best), { node: here.number, from, left, saved, how });
  }

  const root = visit(-1, -Infinity, Infinity);
  const line = [];
  for (let here = root; here && here.bestMove >= 0; here = here.known.find((child) => child.move === here.bestMove)) line.push(here.bestMove);
  return { value: root.value, nodes, steps, cuts, hits, line, plain: count.all() };
}

/** What an entry of the table says: the least and the greatest value. */
const between = ({ value, bound }) => (bound === EXACT ? [value, value] : bound === LOWER ? [value, Infinity] : [-Infinity, value]);

/** What the children tell of a node's value; those that were left out could be anything. */
function ofChildren({ side, known }, every) {
  const [lows, highs] = [known.map((child) => child.lo), known.map((child) => child.hi)];
  if (side > 0) return [Math.max(...lows), every ? Math.max(...highs) : Infinity];
  return [every ? Math.min(...lows) : -Infinity, Math.min(...highs)];
}

/** How many positions plain minimax visits below a game, and below each of its moves. */
export function counter(game) {
  const known = new Map();
  const all = () => {
    const { key } = game;
    if (!known.has(key)) known.set(key, game.moves.reduce((sum, move) => sum + after(move), 1));
    return known.get(key);
  };
  const after = (move) => {
    game.play(move);
    const size = all();
    game.undo();
    return size;
  };
  return { all, after };
}
