/**
 * What a network said after some generations of self-play: the twin of `rl_toolkit.learning.alphazero.generations`.
 * Positions that are images of each other share an entry of its value and its priors.
 */

import { GENERATIONS } from "../../../figures/generations.js";
import { allPositions } from "./sweeps.js";
import { imageOf, NAMES } from "./tictactoe.js";
import { truth } from "./uct.js";

const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export const NUMBERS = GENERATIONS.numbers;
export const LOG = GENERATIONS.log;
const TABLES = GENERATIONS.tables.map(bytes);
let open = null; // positions in which somebody can move, and their images
let places = null; // by image, where its entry begins, and its moves

function enter() {
  open = allPositions().flatMap(({ x, o, side, result }) => (result === null ? [{ x, o, side, image: imageOf(x, o) }] : []));
  const images = [...new Set(open.map(({ image }) => image.text))].sort();
  places = new Map();
  let place = 0;
  for (const text of images) {
    const moves = [...text].flatMap((letter, cell) => (letter === "0" ? [cell] : []));
    places.set(text, { place, moves });
    place += 1 + moves.length;
  }
}

/** The value for the side to move, and the priors by cell. `index` is a place in `NUMBERS`. */
export function said(index, x, o, { text, goes } = imageOf(x, o)) {
  if (!places) enter();
  const { place, moves } = places.get(text);
  const table = TABLES[index];
  const entry = table.subarray(place + 1, place + 1 + moves.length);
  const total = entry.reduce((sum, each) => sum + each, 0);
  const priors = NAMES.map((_, cell) => (((x | o) >> cell) & 1 ? 0 : entry[moves.indexOf(goes[cell])] / total));
  return { value: ((table[place] << 24) >> 24) / 100, priors };
}

/** In how many of all positions the move with the greatest prior keeps the result; of equal ones the first. */
export function rightAt(index) {
  if (!places) enter();
  let right = 0;
  for (const { x, o, side, image } of open) {
    const { priors } = said(index, x, o, image);
    const cell = priors.indexOf(Math.max(...priors));
    const after = side > 0 ? truth(x | (1 << cell), o, -1) : truth(x, o | (1 << cell), 1);
    right += Number(after === truth(x, o, side));
  }
  return { right, all: open.length };
}
