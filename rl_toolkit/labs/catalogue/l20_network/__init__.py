"""Lab L20: what a network sees, how its search chooses, what it learns, and a short run."""
