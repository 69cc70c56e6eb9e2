"""Lab L15: bandits, regret and UCB1."""
