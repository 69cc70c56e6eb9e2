// Stands in for the server in a student's page: answers /api/ai-move with the first free cell or column
// of plan.prefer, and keeps what was asked; answers /api/position by the rules. Errors are kept, and
// the lot falls on plan.lot.
// All names stay within: a page may use each of them.
(() => {
  window.asked = [];
  window.problems = [];
  window.addEventListener("error", (event) => window.problems.push(String(event.message)));
  window.addEventListener("unhandledrejection", (event) => window.problems.push(String(event.reason)));
  Math.random = () => PLAN.lot;

  // The move and its words for a position that was sent.
  function answered(body) {
    window.asked.push({ body });
    const board = body.board ?? [];
    const top = board.length - PLAN.cols;
    const free = PLAN.prefer.filter((move) => board[PLAN.columns ? top + move : move] === 0);
    const simulations = body.simulations ?? 100;
    const evaluations = {};
    free.forEach((move, index) => {
      const visits = Math.round((simulations * (index ? 0.3 : 0.7)) / (index ? free.length - 1 : 1));
      evaluations[move] = { value: 0.1, visits, uct_score: 0.5, reasoning: "Balanced position", is_best: !index };
    });
    return free.length ? { action: free[0], evaluations } : null;
  }

  // The position after some moves, or of a board: what a page needs to draw it.
  function position({ moves = [], board: sent, player: mover = 1, first_player: opener = 1 }) {
    const { cells, cols, columns = false } = PLAN;
    const names = [...Array(cells).keys()].map((cell) => "abcdefg"[cell % cols] + (columns ? "" : Math.floor(cell / cols) + 1));
    const board = sent ? [...sent] : Array(cells).fill(0);
    const landing = (move) => [...board.keys()].find((cell) => board[cell] === 0 && (columns ? cell % cols : cell) === move);
    let player = sent ? mover : opener;
    let lastCell = null;
    let won = [];
    for (const move of moves) {
      lastCell = landing(move);
      if (lastCell === undefined || won.length) return null;
      board[lastCell] = player;
      won = line(board, columns ? 4 : 3);
      if (!won.length && board.includes(0)) player = -player;
    }
    won = line(board, columns ? 4 : 3);
    const done = won.length > 0 || !board.includes(0);
    const numbers = [...Array(columns ? cols : cells).keys()];
    const legal = done ? [] : numbers.filter((move) => landing(move) !== undefined).map((move) => ({ move, name: names[move], cell: landing(move) }));
    const winner = won.length ? board[won[0]] : done ? 0 : null;
    return { board, player, done, winner, winning_cells: won, last_cell: lastCell, legal, moves, names: moves.map((move) => names[move]) };
  }

  // The cells of all lines of `length` equal pieces, in order.
  function line(board, length) {
    const { cols } = PLAN;
    const found = new Set();
    for (const cell of board.keys()) {
      for (const [up, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
        const last = (cell % cols) + right * (length - 1);
        const cells = Array.from({ length }, (_, step) => cell + step * (up * cols + right));
        if (board[cell] && last >= 0 && last < cols && cells.every((each) => board[each] === board[cell])) cells.forEach((each) => found.add(each));
      }
    }
    return [...found].sort((one, other) => one - other);
  }

  window.fetch = async (address, options = {}) => {
    const body = options.body ? JSON.parse(options.body) : {};
    const path = String(address);
    const data = /ai-move/.test(path) ? answered(body) : /api\/position/.test(path) ? position(body) : null;
    const headers = { "Content-Type": "application/json" };
    return new Response(JSON.stringify(data ?? { error: "not found" }), { status: data ? 200 : 404, headers });
  };
})();
