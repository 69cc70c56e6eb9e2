"""What a game has: compiled rules, an exact solver, a book of openings."""
