/** Which nodes of the whole game a pixel of the rings stands for: the root in the middle, a ring for every ply. */

import { NODES } from "../think/whole_game.js";

export const SIDE = 742;
const MIDDLE = SIDE / 2;
const CORE = 0.6; // the radius of the root, in rings
const RING = (MIDDLE - 2) / (CORE + 9);

export class Rings {
  lo = new Int32Array(SIDE * SIDE).fill(-1);
  hi = new Int32Array(SIDE * SIDE);
  begin = new Float64Array(NODES); // of the angle, in turns; every move has the same share of its parent's
  span = new Float64Array(NODES);

  constructor(game) {
    this.game = game;
    const { first, count, plies } = game;
    this.span[0] = 1;
    for (let node = 0; node < plies[9]; node++) {
      const share = this.span[node] / count[node];
      for (let k = 0; k < count[node]; k++) {
        this.span[first[node] + k] = share;
        this.begin[first[node] + k] = this.begin[node] + share * k;
      }
    }
    for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) this.#map(x, y);
    this.#colour();
  }

  #map(x, y) {
    const [dx, dy] = [x + 0.5 - MIDDLE, y + 0.5 - MIDDLE];
    const radius = Math.hypot(dx, dy);
    const ply = Math.max(0, Math.floor(radius / RING - CORE) + 1);
    if (ply > 9) return;
    const angle = (Math.atan2(dx, -dy) / (2 * Math.PI) + 1) % 1;
    const half = 0.5 / (2 * Math.PI * Math.max(1, radius)); // half a pixel
    let lo = this.#find(ply, angle - half);
    const hi = this.#find(ply, angle + half);
    if (this.begin[lo] + this.span[lo] <= angle - half) lo++; // it ends before this pixel
    if (lo > hi) return;
    this.lo[y * SIDE + x] = lo;
    this.hi[y * SIDE + x] = hi + 1;
  }

  /** The last node of a ply that begins at or before an angle. */
  #find(ply, angle) {
    let [low, high] = [this.game.plies[ply], this.game.plies[ply + 1]];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.begin[middle] <= angle) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The mean value of the nodes of each pixel, in eighths. */
  #colour() {
    const sums = new Int32Array(NODES + 1);
    for (let node = 0; node < NODES; node++) sums[node + 1] = sums[node] + this.game.value[node];
    this.tone = Int8Array.from(this.lo, (lo, pixel) => (lo < 0 ? 0 : Math.round((8 * (sums[this.hi[pixel]] - sums[lo])) / (this.hi[pixel] - lo))));
  }

  /** The middle of a node as shares of the side. */
  place(node) {
    let ply = 0;
    while (this.game.plies[ply + 1] <= node) ply++;
    const radius = ply ? RING * (CORE + ply - 0.5) : 0;
    const angle = 2 * Math.PI * (this.begin[node] + this.span[node] / 2);
    return [0.5 + (radius * Math.sin(angle)) / SIDE, 0.5 - (radius * Math.cos(angle)) / SIDE];
  }
}
