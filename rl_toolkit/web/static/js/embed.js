/** The page for other sites: it steps through pictures of one game and asks for nothing else. */

import { $ } from "./base/dom.js";

const page = $("#embed");
const names = page.dataset.names ? page.dataset.names.split(" ") : [];
let ply = Number(page.dataset.ply);

function show(wanted) {
  ply = Math.min(Math.max(wanted, 0), names.length);
  const { picture } = page.dataset;
  for (const image of page.querySelectorAll("img")) {
    image.src = `${picture}${picture.includes("?") ? "&" : "?"}ply=${ply}&theme=${image.dataset.theme}`;
    image.alt = image.alt.replace(/after .*/, `after ${ply} of ${names.length} moves`);
  }
  page.querySelector("output").textContent = `${ply} / ${names.length}${ply ? ` ${names[ply - 1]}` : ""}`;
  enable();
}

function enable() {
  for (const to of ["first", "back"]) button(to).disabled = ply === 0;
  for (const to of ["on", "last"]) button(to).disabled = ply === names.length;
}

const button = (to) => page.querySelector(`[data-to="${to}"]`);
const steps = { first: () => show(0), back: () => show(ply - 1), on: () => show(ply + 1), last: () => show(names.length) };
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

for (const [to, step] of Object.entries(steps)) button(to).addEventListener("click", step);
document.addEventListener("keydown", (event) => {
  if (!(event.key in keys)) return;
  event.preventDefault();
  steps[keys[event.key]]();
});
enable();
