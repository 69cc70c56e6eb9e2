/**
 * Whether a button of the mouse, or a finger, is down. Lists that are drawn anew in between would lose
 * the click: what is to be drawn waits for the release.
 */

let down = false;
let waiting = new Set();

function release() {
  if (!down) return;
  down = false;
  const drawings = waiting;
  waiting = new Set();
  setTimeout(() => drawings.forEach((draw) => draw())); // after the click itself
}

addEventListener("pointerdown", () => (down = true), true);
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, release, true);
addEventListener("pointermove", ({ buttons }) => buttons || release(), true); // released outside the window

/** Draw now, or after the release. */
export function unpressed(draw) {
  if (down) waiting.add(draw);
  else draw();
}
