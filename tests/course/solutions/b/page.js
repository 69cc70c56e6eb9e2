function cellOf(board, column) {
  for (let cell = column; cell < 42; cell += 7) if (!board[cell]) return cell;
  return null;
}

function rowsOf(evaluations) {
  const rows = Object.entries(evaluations).map(([move, entry]) => ({
    move: Number(move),
    name: "abcdefg"[move],
    visits: entry.visits,
    value: entry.value,
    uct: entry.uct_score,
    best: entry.is_best,
  }));
  const all = rows.reduce((sum, row) => sum + row.visits, 0);
  for (const row of rows) row.share = all ? row.visits / all : 0;
  return rows.sort((one, other) => other.visits - one.visits);
}

function nextCount(count) {
  return Math.min(2 * count, 3200);
}
