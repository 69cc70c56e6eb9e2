"""Lab L10: a game as a decision process, and value iteration."""
