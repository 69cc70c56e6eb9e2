"""Lab L13: a depth limit, and a heuristic at the horizon."""
