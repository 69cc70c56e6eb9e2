// Stands in for the server in a student's page: answers /api/ai-move with the first free cell or column
// of plan.prefer, and keeps what was asked. Errors are kept, and the lot falls on plan.lot.
window.asked = [];
window.problems = [];
window.addEventListener("error", (event) => window.problems.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => window.problems.push(String(event.reason)));
Math.random = () => PLAN.lot;
window.fetch = async (address, options = {}) => {
  const body = options.body ? JSON.parse(options.body) : {};
  window.asked.push({ address: String(address), body });
  const board = body.board ?? [];
  const top = board.length - PLAN.cols;
  const free = PLAN.prefer.filter((move) => board[PLAN.columns ? top + move : move] === 0);
  const known = /ai-move/.test(String(address)) && free.length > 0;
  const simulations = body.simulations ?? 100;
  const evaluations = {};
  free.forEach((move, index) => {
    const visits = Math.round((simulations * (index ? 0.3 : 0.7)) / (index ? free.length - 1 : 1));
    evaluations[move] = { value: 0.1, visits, uct_score: 0.5, reasoning: "Balanced position", is_best: !index };
  });
  const data = known ? { action: free[0], evaluations } : { error: "not found" };
  return new Response(JSON.stringify(data), { status: known ? 200 : 404, headers: { "Content-Type": "application/json" } });
};
