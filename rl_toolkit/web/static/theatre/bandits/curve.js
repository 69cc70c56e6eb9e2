/** The regret of the pulls on stage as a line, and of the visitor's own pulls beside it. */

import { line, linear } from "../../js/base/chart.js";
import { svg } from "../../js/base/dom.js";

const LEFT = 48;
const RIGHT = 412;
const TOP = 14;
const BOTTOM = 160;

/** `lines` are `{ name, values, of }`: the values so far, and of how many pulls. */
export function draw(picture, lines) {
  const long = Math.max(10, ...lines.map(({ of }) => of));
  const high = Math.max(1, ...lines.flatMap(({ values }) => values));
  const x = linear([0, long], [LEFT, RIGHT]);
  const y = linear([0, high], [BOTTOM, TOP]);
  picture.replaceChildren(
    svg("path", { class: "axis", d: `M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}` }),
    svg("text", { x: LEFT - 6, y: TOP + 6, "text-anchor": "end", text: high.toFixed(high < 10 ? 1 : 0) }),
    svg("text", { x: LEFT - 6, y: BOTTOM, "text-anchor": "end", text: "0" }),
    svg("text", { x: RIGHT, y: BOTTOM + 22, "text-anchor": "end", text: `${long} pulls` }),
    ...lines.map(({ name, values }) =>
      svg("path", { class: name, d: line([0, ...values].map((value, n) => [x(n), y(value)])) }),
    ),
  );
}
