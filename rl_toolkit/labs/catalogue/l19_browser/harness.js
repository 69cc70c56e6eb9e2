// Runs in Chromium, around frames that hold the student's page: measures, clicks, and writes what
// it has seen into the element "seen". It knows no right answers.

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function text(frame, id) {
  const element = frame.contentDocument.getElementById(id);
  return element ? element.textContent.trim() : null;
}

function box(frame, id) {
  const element = frame.contentDocument.getElementById(id);
  if (!element) {
    return null;
  }
  const r = element.getBoundingClientRect();
  return [r.x, r.y, r.width, r.height].map((length) => Math.round(100 * length) / 100);
}

function tracks(frame, side) {
  const board = frame.contentDocument.getElementById("board");
  const style = board ? frame.contentWindow.getComputedStyle(board) : {};
  const list = String(style[side] || "none");
  return list === "none" ? 0 : list.split(" ").length;
}

// Where labels and cells are, for a board of n rows and columns.
function measured(frame, n) {
  const seen = { n: n, width: frame.clientWidth, cells: [], cols: [], rows: [], error: null };
  try {
    frame.contentWindow.renderBoard(n);
  } catch (error) {
    seen.error = String(error);
  }
  seen.columns = tracks(frame, "gridTemplateColumns");
  seen.lines = tracks(frame, "gridTemplateRows");
  seen.first = frame.contentDocument.querySelectorAll('[id="cell-0-0"]').length;
  seen.inside = frame.contentDocument.querySelectorAll("#board *").length;
  for (let i = 0; i < n; i++) {
    seen.cols.push([text(frame, `col-${i}`), box(frame, `col-${i}`)]);
    seen.rows.push([text(frame, `row-${i}`), box(frame, `row-${i}`)]);
    for (let j = 0; j < n; j++) {
      seen.cells.push(box(frame, `cell-${i}-${j}`));
    }
  }
  return seen;
}

function marks(frame) {
  return Array.from({ length: 9 }, (_, i) => text(frame, `cell-${Math.floor(i / 3)}-${i % 3}`));
}

function colours(frame) {
  return Array.from({ length: 9 }, (_, i) => {
    const cell = frame.contentDocument.getElementById(`cell-${Math.floor(i / 3)}-${i % 3}`);
    return cell ? frame.contentWindow.getComputedStyle(cell).backgroundColor : null;
  });
}

// The board after something; the program may take its time with an answer.
async function after(frame, what) {
  const before = marks(frame).join();
  const count = (list) => list.filter((mark) => mark).length;
  try {
    what();
  } catch (error) {
    return { error: String(error), marks: marks(frame), colours: colours(frame) };
  }
  const answered = () => marks(frame).join() !== before && count(marks(frame)) % 2 === 0;
  for (let tries = 0; tries < 4 && !answered(); tries++) {
    await wait(300);
  }
  return { error: null, marks: marks(frame), colours: colours(frame) };
}

// A game: the human clicks the first free cell in this order, until nothing changes.
async function game(frame, opener, order) {
  const start = (player) => frame.contentWindow.startGame(player);
  const steps = [{ click: null, ...(await after(frame, () => start(opener))) }];
  for (let turn = 0; turn < 9; turn++) {
    const now = steps[steps.length - 1].marks;
    const cell = order.find((each) => now[each] === "");
    if (cell === undefined || steps[steps.length - 1].error) {
      break;
    }
    steps.push({ click: cell, ...(await clicked(frame, cell)) });
    if (steps[steps.length - 1].marks.join() === now.join()) {
      break;
    }
  }
  return steps;
}

// How often the program is asked while the human wins across the top row against a weak one.
async function asked(frame) {
  const page = frame.contentWindow;
  const own = page.makeAiMove;
  let count = 0;
  page.makeAiMove = (game) => {
    const free = [8, 7, 6, 5, 4, 3].find((cell) => game.board[Math.floor(cell / 3)][cell % 3] === 0);
    count += 1;
    return page.makeMove(game, Math.floor(free / 3), free % 3);
  };
  page.startGame(1);
  for (const cell of [0, 1, 2]) {
    await clicked(frame, cell);
  }
  page.makeAiMove = own;
  return count;
}

async function clicked(frame, cell) {
  const element = frame.contentDocument.getElementById(`cell-${Math.floor(cell / 3)}-${cell % 3}`);
  return after(frame, () => element.click());
}

// Clicks on a cell of one's own, on one of the program's, and on nothing.
async function refusals(frame) {
  const steps = [{ click: null, ...(await after(frame, () => frame.contentWindow.startGame(1))) }];
  steps.push({ click: 0, ...(await clicked(frame, 0)) });
  const theirs = steps[1].marks.indexOf("O");
  for (const cell of [0, theirs]) {
    if (cell >= 0) {
      steps.push({ click: cell, ...(await clicked(frame, cell)) });
    }
  }
  const free = steps[steps.length - 1].marks.lastIndexOf("");
  const record = { valid: false, row: Math.floor(free / 3), col: free % 3, player: 1 };
  steps.push({ click: free, ...(await after(frame, () => frame.contentWindow.drawMove(record))) });
  return steps;
}

async function all(plan) {
  const seen = { problems: [], boards: [], games: [], refusals: [] };
  const frames = [...document.querySelectorAll("iframe")];
  for (const frame of frames) {
    seen.problems.push(...(frame.contentWindow.problems || []));
  }
  for (const frame of frames) {
    for (const n of plan.sizes) {
      seen.boards.push(measured(frame, n));
    }
  }
  if (plan.play) {
    for (const [opener, order] of plan.games) {
      seen.games.push(await game(frames[0], opener, order));
    }
    seen.refusals = await refusals(frames[0]);
    seen.asked = await asked(frames[0]);
  }
  return seen;
}

window.onload = () => {
  const out = document.getElementById("seen");
  all(JSON.parse(document.getElementById("plan").textContent)).then(
    (seen) => (out.textContent = JSON.stringify(seen)),
    (error) => (out.textContent = JSON.stringify({ failed: String(error) }))
  );
};
