"""Lab L12: a bug hunt for tests that pass on broken code."""
