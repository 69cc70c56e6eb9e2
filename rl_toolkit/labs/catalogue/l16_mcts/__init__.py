"""Lab L16: Monte Carlo tree search in four phases."""
