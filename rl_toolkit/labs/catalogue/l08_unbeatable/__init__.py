"""Lab L08: a bug hunt in a solver that should be unbeatable."""
