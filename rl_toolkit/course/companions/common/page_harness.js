// Runs in Chromium, around frames that hold a student's page: clicks, and writes what it has seen into
// the element "seen". It knows no right answers. The plan: how many cells the board has, and the
// cells to click; "ids" if cells are known by cell-ROW-COLUMN.

const plan = JSON.parse(document.getElementById("plan").textContent);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const LOOKS = ["backgroundColor", "backgroundImage", "color", "borderColor", "boxShadow", "fontWeight", "outlineColor"];

function box(element) {
  const r = element.getBoundingClientRect();
  return [r.x, r.y, r.width, r.height].map((length) => Math.round(100 * length) / 100);
}

// The cells of the board, row by row: by their ids, or the largest elements of which there are so many. Where
// letters and numbers are as large as the cells, a class tells the cells, or that no label is in their row or column.
function cellsOf(frame) {
  const page = frame.contentDocument;
  if (plan.ids) {
    const numbers = Array.from({ length: plan.cells }, (_, i) => `cell-${Math.floor(i / 3)}-${i % 3}`);
    return numbers.map((id) => page.getElementById(id)).filter((cell) => cell);
  }
  const large = [...page.querySelectorAll("#board *")].filter((element) => Math.min(...box(element).slice(2)) >= 12);
  const size = (element) => `${element.tagName} ${box(element).slice(2).map((length) => Math.round(length / 2))}`;
  const ways = [
    [large, (element) => [size(element)]],
    [large, (element) => [...element.classList].map((name) => `${size(element)} ${name}`)],
    [withoutLabels(large), (element) => [size(element)]],
  ];
  for (const [elements, keys] of ways) {
    const groups = new Map();
    for (const element of elements) {
      for (const key of keys(element)) groups.set(key, [...(groups.get(key) ?? []), element]);
    }
    const fit = [...groups.values()].filter((group) => group.length === plan.cells);
    const area = (group) => box(group[0])[2] * box(group[0])[3];
    const found = fit.sort((one, other) => area(other) - area(one))[0] ?? [];
    if (found.length) return rowByRow(found);
  }
  return [];
}

function withoutLabels(elements) {
  const text = (element) => element.textContent.trim();
  const columns = elements.filter((element) => /^[a-g]$/.test(text(element)));
  const rows = elements.filter((element) => /^[1-6]$/.test(text(element)));
  const near = (side, one, other) => Math.abs(box(one)[side] - box(other)[side]) <= 3;
  return elements.filter(
    (element) => !columns.some((label) => near(1, label, element)) && !rows.some((label) => near(0, label, element)),
  );
}

function rowByRow(cells) {
  return cells.sort((one, other) => {
    const [a, b] = [box(one), box(other)];
    return Math.abs(a[1] - b[1]) > 3 ? a[1] - b[1] : a[0] - b[0];
  });
}

function look(frame, cell) {
  const style = (element) => LOOKS.map((name) => frame.contentWindow.getComputedStyle(element)[name]);
  const inside = [...cell.querySelectorAll("*")];
  return {
    text: cell.textContent.trim(),
    pictures: inside.filter((each) => each.tagName === "IMG").map((each) => each.getAttribute("src")),
    colour: frame.contentWindow.getComputedStyle(cell).backgroundColor,
    style: [cell.className, style(cell), inside.map((each) => [each.tagName, each.className, style(each)])],
    box: box(cell),
  };
}

function labels(frame) {
  const found = {};
  for (const element of frame.contentDocument.body.querySelectorAll("*")) {
    const text = element.textContent.trim();
    if (/^[a-g1-6]$/.test(text) && !element.children.length && !(text in found)) {
      const range = frame.contentDocument.createRange();
      range.selectNodeContents(element);
      found[text] = box(range);
    }
  }
  return found;
}

// The rows of the table of moves: their words, and the widest thing in each that is drawn, not written.
function table(frame) {
  const rows = [...frame.contentDocument.querySelectorAll("#thinking tr")];
  return rows.map((row) => ({
    text: row.innerText.replace(/\s+/g, " ").trim(),
    bar: Math.max(0, ...[...row.querySelectorAll("*")].filter((each) => !each.textContent.trim() && !/^(TD|TH)$/.test(each.tagName)).map((each) => box(each)[2])),
  }));
}

function seen(frame) {
  const page = frame.contentWindow;
  return {
    width: frame.clientWidth,
    cells: cellsOf(frame).map((cell) => look(frame, cell)),
    labels: labels(frame),
    table: table(frame),
    requests: [...page.asked],
    problems: [...page.problems],
  };
}

// The frames, when all of them hold their page. The clock of the browser is a virtual one, which may run ahead of a
// machine that is busy: no fixed time is enough.
async function loaded() {
  const isThere = (frame) => frame.contentWindow?.location.href === "about:srcdoc" && frame.contentDocument.readyState === "complete";
  for (let tries = 0; tries < 1000; tries++) {
    const frames = [...document.querySelectorAll("iframe")];
    if (document.readyState === "complete" && frames.every(isThere)) break;
    await wait(50);
  }
  await wait(500);
  return [...document.querySelectorAll("iframe")];
}

async function main() {
  const frames = await loaded();
  const steps = frames.map(seen);
  for (const cell of plan.clicks) {
    cellsOf(frames[0])[cell]?.click();
    await wait(800);
    steps.push({ click: cell, ...seen(frames[0]) });
  }
  document.getElementById("seen").textContent = JSON.stringify(steps);
}

main();
