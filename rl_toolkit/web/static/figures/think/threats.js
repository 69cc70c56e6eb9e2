/**
 * The tree of continuous fours in Gomoku: the twin of `rl_toolkit.algorithms.threat_tree`. A place is a position with the
 * moves to try; `childrenOf` and `scoreOf` show it to a proof-number search.
 */

import { ProofSearch } from "./proof_numbers.js";

const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]];
const IN_ROW = 5;

/** `{ size, cells, side }` of a position such as `9/9/4xo3/… x`; cell 0 is a1, in the row written last. */
export function readBoard(text) {
  const [written, side = "x"] = text.trim().split(/\s+/);
  const rows = written.split("/").map((row) => row.replace(/\d+/g, (count) => ".".repeat(Number(count))));
  const size = rows.length;
  if (size < IN_ROW || size > 15 || rows.some((row) => row.length !== size || /[^xo.]/.test(row)) || !/^[xo]$/.test(side)) throw new SyntaxError(`“${text}” is not a position of Gomoku`);
  const cells = Int8Array.from([...rows.reverse().join("")], (piece) => (piece === "x" ? 1 : piece === "o" ? -1 : 0));
  return { size, cells, side: side === "x" ? 1 : -1 };
}

export const nameOf = (cell, size) => `${String.fromCharCode(97 + (cell % size))}${Math.floor(cell / size) + 1}`;

/** Whether a stone of `side` on the cell completes five or more in a row. */
function completes({ size, cells }, cell, side) {
  const [x, y] = [cell % size, Math.floor(cell / size)];
  return WAYS.some(([dx, dy]) => {
    const run = (sign) => {
      let count = 0;
      for (let [cx, cy] = [x + sign * dx, y + sign * dy]; cx >= 0 && cx < size && cy >= 0 && cy < size && cells[cy * size + cx] === side; cx += sign * dx, cy += sign * dy) count++;
      return count;
    };
    return 1 + run(1) + run(-1) >= IN_ROW;
  });
}

const empty = ({ cells }) => [...cells.keys()].filter((cell) => !cells[cell]);
const winning = (board, side) => empty(board).filter((cell) => completes(board, cell, side));

function after(board, cell) {
  const cells = board.cells.slice();
  cells[cell] = board.side;
  return { size: board.size, cells, side: -board.side, won: completes(board, cell, board.side) ? board.side : 0 };
}

/** A position in the tree of fours of `attacker`. */
function placed(board, attacker, move = -1) {
  const place = { ...board, attacker, move, score: null, tries: [] };
  if (!board.won) place.tries = toTry(board, attacker);
  if (!place.tries.length) place.score = Number(board.won === attacker);
  return place;
}

function toTry(board, attacker) {
  const threats = winning(board, attacker);
  const answers = winning(board, -attacker);
  if (board.side !== attacker) return answers.length ? [] : threats;
  if (threats.length) return threats.slice(0, 1);
  const isFour = (cell) => {
    const next = after(board, cell);
    return !next.won && winning(next, attacker).length > 0;
  };
  return (answers.length ? answers : empty(board)).filter(isFour);
}

/** A proof-number search for a win by continuous fours of the side to move. */
export function threatSearch(text) {
  const board = readBoard(text);
  return new ProofSearch(placed({ ...board, won: 0 }, board.side), {
    isOr: true,
    target: 1,
    childrenOf: (place) => place.tries.map((cell) => placed(after(place, cell), place.attacker, cell)),
    scoreOf: ({ score }) => score,
  });
}
