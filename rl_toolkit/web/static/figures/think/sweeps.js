/**
 * Value iteration over all positions of Tic-Tac-Toe: the twin of `rl_toolkit.algorithms.value_iteration`. Positions are
 * numbered in the order in which they are found, which is that of `state_space`.
 */

import { TicTacToe } from "./tictactoe.js";

/** All 5,478 positions: `x`, `o`, `side`, `result` (null while the game goes on), `ply`, and the `children`'s numbers. */
export function allPositions() {
  const found = new Map();
  const positions = [];
  const add = (game, parent, move) => {
    if (!found.has(game.key)) {
      found.set(game.key, positions.length);
      const { x, o, side, result } = game;
      positions.push({ x, o, side, result, parent, move, ply: parent < 0 ? 0 : positions[parent].ply + 1, children: [], game: game.copy() });
    }
    return found.get(game.key);
  };
  add(new TicTacToe(), -1, -1);
  for (let number = 0; number < positions.length; number++) {
    const { game, children } = positions[number];
    for (const move of game.moves) {
      game.play(move);
      children.push(add(game, number, move));
      game.undo();
    }
  }
  return positions;
}

/** The values after each sweep, the start among them, and how many changed: `[{ values, changed }, …]`. */
export function swept(positions, discount = 1) {
  const sweeps = [{ values: Float64Array.from(positions, ({ result }) => result ?? 0), changed: 0 }];
  do {
    const { values: old } = sweeps.at(-1);
    const values = old.slice();
    let changed = 0;
    positions.forEach(({ result, side, children }, number) => {
      if (result !== null) return;
      let best = -Infinity;
      for (const child of children) best = Math.max(best, side * old[child]);
      values[number] = discount * side * best;
      changed += Number(values[number] !== old[number]);
    });
    sweeps.push({ values, changed });
  } while (sweeps.at(-1).changed);
  return sweeps;
}
