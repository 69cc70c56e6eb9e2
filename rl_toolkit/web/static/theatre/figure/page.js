/** A figure as a stage: → ← step, Home and End, Space plays, by the first slider of the figure. */

/** Milliseconds between two steps. */
const PACE = 700;
const figure = document.querySelector("figure[data-figure]");
const slider = () => figure.querySelector(".knobs input[type=range]");
let playing = 0;

function go(value) {
  const input = slider();
  input.value = value;
  input.dispatchEvent(new Event("input"));
}
const by = (count) => go(Number(slider().value) + count);
const isAtEnd = () => slider().value === slider().max;

function pause() {
  clearInterval(playing);
  playing = 0;
}

function play() {
  if (playing) return pause();
  if (isAtEnd()) go(slider().min);
  playing = setInterval(() => (isAtEnd() ? pause() : by(1)), PACE);
}

const KEYS = {
  ArrowRight: () => by(1),
  ArrowLeft: () => by(-1),
  PageDown: () => by(1),
  PageUp: () => by(-1),
  Home: () => go(slider().min),
  End: () => go(slider().max),
  " ": play,
};

addEventListener("keydown", (event) => {
  const isUsed = event.target.closest?.("input, select, textarea, button, a, .stage, [popover]");
  const run = KEYS[event.key];
  if (!run || !slider() || isUsed || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key !== " ") pause();
  run();
  event.preventDefault();
});
