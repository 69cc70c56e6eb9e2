/**
 * Charts: scales from values to pixels, and paths through points `[x, y]`. What is drawn with them,
 * and in which colours, is the business of each page.
 */

/** A scale that takes `low … high` to `from … to` evenly. */
export const linear = ([low, high], [from, to]) => (value) => from + ((value - low) / (high - low)) * (to - from);

/** A scale on which each factor takes the same room; `low` is at least 1. */
export function logarithmic([low, high], range) {
  const even = linear([Math.log(low), Math.log(high)], range);
  return (value) => even(Math.log(value));
}

const written = (number) => String(Math.round(10 * number) / 10);

/** Straight lines from point to point. */
export const line = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${written(x)} ${written(y)}`).join("");

/** A level that changes at each point, up to `end`. */
export const steps = (points, end) =>
  points.map(([x, y], k) => (k ? `H${written(x)}V${written(y)}` : `M${written(x)} ${written(y)}`)).join("") + (points.length ? `H${written(end)}` : "");

/** What lies between the points and the level `base`. */
export const area = (points, base) => line([[points[0][0], base], ...points, [points.at(-1)[0], base]]) + "Z";
