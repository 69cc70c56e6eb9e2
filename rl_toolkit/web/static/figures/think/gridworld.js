/** Value iteration on a small world of cells: the twin of `rl_toolkit.algorithms.gridworld`. Cells are numbered row by row. */

export const MAP = ["....F", "N#..P", ".#.#.", "S...."];
export const COLUMNS = MAP[0].length;
export const MOVES = ["up", "right", "down", "left"];
const BY = [[-1, 0], [0, 1], [1, 0], [0, -1]];
const SETTLED = 0.001;
const MOST = 200;

export const LETTERS = [...MAP.join("")];
export const START = LETTERS.indexOf("S");

/** The cell after a step: into a wall or the border it is the same. */
function next(cell, move) {
  const [row, column] = [Math.floor(cell / COLUMNS) + BY[move][0], (cell % COLUMNS) + BY[move][1]];
  const letter = MAP[row]?.[column];
  return letter && letter !== "#" ? row * COLUMNS + column : cell;
}

/** Where a move leads: `[chance, cell]`. */
function leads(cell, move, slip) {
  const ways = [[1 - slip, move], [slip / 2, (move + 3) % 4], [slip / 2, (move + 1) % 4]];
  return ways.filter(([chance]) => chance).map(([chance, way]) => [chance, next(cell, way)]);
}

/** What each move from a cell is worth if the next cells have these values. */
export function worths(cell, values, { discount, cost, slip }) {
  return BY.map((_, move) => discount * leads(cell, move, slip).reduce((sum, [chance, after]) => sum + chance * values[after], 0) - cost);
}

/** The values before the first sweep and after each, the moves that gave them, and how many changed: `[{ values, best, changed }, …]`. */
export function sweptWorld(rewards, world) {
  const free = [...LETTERS.keys()].filter((cell) => "S.".includes(LETTERS[cell]));
  const sweeps = [{ values: LETTERS.map((letter) => rewards[letter] ?? 0), best: LETTERS.map(() => []), changed: 0 }];
  do {
    const { values: old } = sweeps.at(-1);
    const [values, best] = [[...old], LETTERS.map(() => [])];
    let changed = 0;
    for (const cell of free) {
      const found = worths(cell, old, world);
      values[cell] = Math.max(...found);
      best[cell] = [0, 1, 2, 3].filter((move) => found[move] > values[cell] - 1e-9);
      changed += Number(Math.abs(values[cell] - old[cell]) >= SETTLED);
    }
    sweeps.push({ values, best, changed });
  } while (sweeps.at(-1).changed && sweeps.length <= MOST);
  return sweeps;
}

/** The cells from the start along the first of the best moves, if none slips; it ends where all moves are equally good. */
export function wayOf(best) {
  const way = [START];
  for (;;) {
    const [first] = best[way.at(-1)];
    if (first === undefined || best[way.at(-1)].length === 4) return way;
    const after = next(way.at(-1), first);
    if (way.includes(after)) return way;
    way.push(after);
  }
}
