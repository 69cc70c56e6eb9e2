"""Learning from games: evaluations, and later networks, made by the toolkit's own play."""
